"""The Gymnasium vector environment, beside Gymnasium's own and by its own checks."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hanabi.env import AUTORESETS, VectorEnv
from hanabi.ground.errors import IllegalActionError, InvalidInputError
from hanabi.rules import Rules
from hanabi.rules.deck import DeckSpec

gymnasium: Any = pytest.importorskip("gymnasium", reason="the extra rl is not installed")

SMALL = replace(
    Rules.hle(2), spec=DeckSpec.uniform(colors=2, ranks=2, copies=2), hand_size=2, lives=1
)
SEED = 5
NAME = "hanabi.env.gymnasium:hanabi/Hanabi-v1"

WITHOUT_IT = """
import sys
sys.modules["gymnasium"] = None
from hanabi.ground.errors import MissingPackageError
try:
    import hanabi.env.gymnasium
except MissingPackageError as error:
    print(error)
"""


def make(*args: Any, **kwargs: Any) -> Any:
    from hanabi.env import gymnasium as ours

    return ours.make(*args, **kwargs)


def test_without_the_extra_it_says_how_to_get_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_IT], capture_output=True, text=True, check=True
    )
    assert done.stdout == (
        "hanabi.env.gymnasium needs gymnasium: pip install '.[rl]' in a checkout of hanabi\n"
    )


def one(place: int, n: int) -> Any:
    """Return a single game that plays the deals of place g of n, to make a vector of."""
    from hanabi.env.gymnasium import HanabiEnv

    class One(HanabiEnv):
        next = place

        def reset(self, **ignored: Any) -> Any:
            del ignored
            deck = SMALL.spec.shuffle(SEED, self.next)
            self.next += n
            return super().reset(options={"deck": deck})

    return One(SMALL)


@pytest.mark.parametrize("autoreset", AUTORESETS)
def test_results_are_those_of_gymnasiums_own_vector_of_single_games(autoreset: str) -> None:
    n, rng = 4, np.random.default_rng(1)
    mode = gymnasium.vector.AutoresetMode[autoreset.upper()]
    theirs = gymnasium.vector.SyncVectorEnv(
        [lambda place=place: one(place, n) for place in range(n)], autoreset_mode=mode
    )
    env = make(n, SMALL, autoreset=mode, seed=SEED)
    assert env.metadata["autoreset_mode"] is theirs.metadata["autoreset_mode"]
    for name in ("observation_space", "action_space"):
        assert getattr(env, name) == getattr(theirs, name)
        assert getattr(env, f"single_{name}") == getattr(theirs, f"single_{name}")
    (seen, infos), (expected, infos2) = env.reset(), theirs.reset()
    ends = 0
    for _ in range(60):
        assert (seen == expected).all()
        assert env.observation_space.contains(seen)
        for key in ("action_mask", "seat"):
            assert (infos[key] == infos2[key]).all()
            assert (infos[f"_{key}"] == infos2[f"_{key}"]).all()
        chances = np.where(infos["action_mask"], rng.random(infos["action_mask"].shape), -1)
        ours, sync = env.step(chances.argmax(1)), theirs.step(chances.argmax(1))
        for mine, other in zip(ours[1:4], sync[1:4], strict=True):
            assert (mine == other).all()
        (seen, *_, infos), (expected, *_, infos2) = ours, sync
        ended = ours[2]
        ends += int(ended.sum())
        assert ("final_obs" in infos) == ("final_obs" in infos2)
        if "final_obs" in infos:
            assert (infos["_final_obs"] == infos2["_final_obs"]).all()
            for place in np.flatnonzero(ended):
                assert (infos["final_obs"][place] == infos2["final_obs"][place]).all()
        if autoreset == "disabled" and ended.any():
            mask = ended.copy()
            seen, infos = env.reset(options={"reset_mask": mask})
            expected, some = theirs.reset(options={"reset_mask": mask.copy()})
            for key in ("action_mask", "seat"):
                infos2[key][mask] = some[key][mask]
                infos2[f"_{key}"] |= mask
    assert ends > n


def test_it_passes_the_checks_of_gymnasium() -> None:
    """Those that do not draw illegal actions."""
    from gymnasium.utils import env_checker

    env = make(3, "hle")
    for check in (
        env_checker.check_reset_seed_determinism,
        env_checker.check_reset_options,
        env_checker.check_reset_return_info_deprecation,
        env_checker.check_seed_deprecation,
        env_checker.check_reset_return_type,
    ):
        check(env)
    for space in (env.observation_space, env.single_observation_space):
        env_checker.check_space_limit(space, "observation")


@pytest.mark.filterwarnings("error")
def test_a_single_game_made_by_its_name_passes_all_checks_of_gymnasium() -> None:
    from gymnasium.utils import env_checker

    env = gymnasium.make(NAME, rules="hle", seats=3, illegal_reward=-1)
    assert str(env.unwrapped) == "HanabiEnv(seats=3)"
    env_checker.check_env(env.unwrapped)
    observation, info = env.reset(seed=9)
    vector = make(1, "hle", seats=3)
    expected, infos = vector.reset(seed=9)
    rng, is_over = np.random.default_rng(1), False
    while not is_over:
        assert (observation == expected[0]).all()
        assert (info["action_mask"] == infos["action_mask"][0]).all()
        assert info["seat"] == infos["seat"][0]
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        observation, reward, is_over, was_cut, info = env.step(action)
        expected, rewards, ended, _, infos = vector.step(np.array([action]))
        assert (reward, is_over, was_cut) == (rewards[0], ended[0], False)
    assert (observation == expected[0]).all()
    again = env.unwrapped.step(action)
    assert (again[0] == observation).all()
    assert again[1:4] == (0, True, False)


def test_an_illegal_action_in_a_single_game() -> None:
    env = gymnasium.make(NAME, rules="hle")
    env.reset(seed=1)
    for action, message in ((0, "no discards while all 8"), (20, "action 20 is not in 0 .. 19")):
        with pytest.raises(IllegalActionError, match=message):
            env.step(action)
    forgiving = gymnasium.make(NAME, rules="hle", illegal_reward=-2, render_mode="svg")
    seen, _ = forgiving.reset(seed=1)
    after, reward, is_over, _, _ = forgiving.step(0)
    assert (after == seen).all()
    assert (reward, is_over) == (-2, True)
    assert forgiving.render().startswith("<svg")
    assert forgiving.unwrapped.step(5)[1:3] == (0, True)
    assert not forgiving.unwrapped.reset()[1]["action_mask"][0]
    assert forgiving.step(5)[2] is False


@pytest.mark.parametrize("autoreset", AUTORESETS)
def test_wrappers_of_gymnasium_go_around_it(autoreset: str) -> None:
    from gymnasium.wrappers import vector

    env = make(3, SMALL, autoreset=autoreset)
    if autoreset != "same_step":  # Gymnasium's wrappers of observations do not take it
        env = vector.DtypeObservation(env, np.float32)
    env = vector.DictInfoToList(vector.RecordEpisodeStatistics(env))
    observations, infos = env.reset(seed=1)
    points, lengths = 0.0, 0
    for _ in range(40):
        actions = [int(np.append(np.flatnonzero(info["action_mask"]), 0)[0]) for info in infos]
        observations, rewards, ended, _, infos = env.step(np.array(actions))
        assert observations.dtype == (np.uint8 if autoreset == "same_step" else np.float32)
        points += rewards.sum()
        lengths += sum(bool(each) for each in ended)
        if autoreset == "disabled" and ended.any():
            _, infos = env.reset(options={"reset_mask": ended.copy()})
    statistics: Any = env.env
    assert len(statistics.return_queue) == lengths > 3
    assert statistics.unwrapped.num_envs == 3
    env.close()


def test_results_stay_while_they_are_held_and_are_used_again_afterwards() -> None:
    env = make(3, SMALL, autoreset="same_step", seed=1)
    held, copies = [], []
    results = (*env.reset(),)
    for _ in range(12):
        parts = [results[0][1:2], *results[1:-1], *results[-1].values()]
        held.append([each for each in parts if isinstance(each, np.ndarray)])
        copies.append(copy.deepcopy(held[-1]))
        del parts, results
        results = env.step(env.games.draw_actions())
    for some, kept in zip(held, copies, strict=True):
        for one, other in zip(some, kept, strict=True):
            assert np.array_equal(one, other)
    del held, copies, some, one, results
    own = {env.step(env.games.draw_actions())[0].ctypes.data for _ in range(9)}
    assert len(own) == 1


@pytest.mark.parametrize("twin_of", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_are_whole(twin_of: Any) -> None:
    env = make(3, SMALL, autoreset="same_step", seed=1)
    for _ in range(5):
        results = env.step(env.games.draw_actions())
    twin = twin_of(env)
    for _ in range(20):
        actions = env.games.draw_actions()
        assert (twin.games.draw_actions() == actions).all()
        results, others = env.step(actions), twin.step(actions)
        assert all((one == other).all() for one, other in zip(results[:4], others[:4], strict=True))
        assert (results[4]["action_mask"] == others[4]["action_mask"]).all()


def test_a_registered_environment_is_the_same() -> None:
    env = gymnasium.make_vec(NAME, num_envs=2, rules="hle")
    expected = VectorEnv(2, "hle", seed=9).reset().observations
    assert (env.reset(seed=9)[0] == expected).all()
    assert str(env.unwrapped) == "HanabiVectorEnv(num_envs=2, seats=2)"
    env.close()
    assert env.closed


def test_it_is_rendered_and_packed() -> None:
    for mode, start in (("ansi", "turn 0: seat 0 to act"), ("svg", "<svg")):
        assert all(each.startswith(start) for each in make(2, render_mode=mode).render())
    assert make(2).render() is None
    env = make(2, "hle", packed=True, seed=3)
    seen, _ = env.reset()
    assert env.observation_space.contains(seen)
    plain = np.unpackbits(seen, axis=1, bitorder="little")[:, : env.layout.size]
    assert (plain == make(2, "hle", seed=3).reset()[0]).all()


def test_deals_are_random_unless_seeded() -> None:
    first, second = (make(1, "hle").reset()[0] for _ in range(2))
    assert (first != second).any()
    deck = list(Rules.hle(2).spec.cards())
    env = make(1)
    env.reset(options={"decks": [deck]})
    assert list(env.games.game(0).deck) == deck


WRONG_ALONE: list[tuple[dict[str, Any], str]] = [
    ({"illegal_reward": "x"}, "illegal_reward = 'x' is no number"),
    ({"render_mode": "human"}, "render_mode = 'human' is none of ansi, svg"),
    ({"rules": "hl"}, "rules: 'hl' is not a rule set"),
]


@pytest.mark.parametrize(("given", "message"), WRONG_ALONE)
def test_wrong_arguments_of_a_single_game_are_named(given: dict[str, Any], message: str) -> None:
    from hanabi.env.gymnasium import HanabiEnv

    with pytest.raises(InvalidInputError) as caught:
        HanabiEnv(**given)
    assert str(caught.value).startswith(message)


def test_wrong_resets_of_a_single_game_are_named() -> None:
    env = gymnasium.make(NAME).unwrapped
    for given, message in (
        ({"options": {"decks": []}}, "options: 'decks' is none of deck"),
        ({"options": {"deck": [(0, 1)]}}, r"decks: not 1 deck of 50 pairs"),
        ({"seed": -1}, "seed = -1 is not 0 or more"),
    ):
        with pytest.raises(InvalidInputError, match=message):
            env.reset(**given)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"num_envs": 0}, "num_envs = 0 is not 1 or more"),
    ({"rules": "hl"}, "rules: 'hl' is not a rule set"),
    ({"seats": 7}, "seats = 7 is not 2 to 5"),
    ({"seed": "x"}, "seed = 'x' is not a whole number"),
    ({"autoreset": "NextStep"}, "autoreset = 'NextStep' is none of disabled, next_step, same_step"),
    ({"render_mode": "human"}, "render_mode = 'human' is none of ansi, svg"),
]


@pytest.mark.parametrize(("given", "message"), WRONG)
def test_wrong_arguments_are_named(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        make(**{"num_envs": 1, **given})
    assert str(caught.value).startswith(message)


def test_wrong_calls_are_named_and_change_nothing() -> None:
    env = make(2, "hle", seed=3)
    before = env.reset()[0]
    for options, message in (
        ({"mask": 1}, "options: 'mask' is none of reset_mask, decks"),
        ({"reset_mask": [True]}, "mask: bool (1,), not bool (2,)"),
    ):
        with pytest.raises(InvalidInputError) as caught:
            env.reset(options=options)
        assert str(caught.value) == message
    with pytest.raises(InvalidInputError, match="seed = -1 is not 0 or more"):
        env.reset(seed=-1)
    with pytest.raises(IllegalActionError, match="game 1, action 0: turn 1, seat 0 cannot discard"):
        env.step(np.array([5, 0]))
    assert (env.games.look().observations == before).all()
