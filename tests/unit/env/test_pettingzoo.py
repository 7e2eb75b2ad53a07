"""The PettingZoo environment, by PettingZoo's own tests."""

from __future__ import annotations

import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest

from hanabi.ground.errors import IllegalActionError, InvalidInputError
from hanabi.rules import Rules

WITHOUT_IT = """
import sys
sys.modules["pettingzoo"] = None
from hanabi.ground.errors import MissingPackageError
try:
    import hanabi.env.pettingzoo
except MissingPackageError as error:
    print(error)
"""


def test_without_the_extra_it_says_how_to_get_it() -> None:
    pytest.importorskip("gymnasium", reason="the extra rl is not installed")
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_IT], capture_output=True, text=True, check=True
    )
    assert done.stdout == (
        "hanabi.env.pettingzoo needs pettingzoo: pip install '.[rl]' in a checkout of hanabi\n"
    )


@pytest.fixture
def zoo() -> Any:
    pytest.importorskip("pettingzoo", reason="the extra rl is not installed")
    from hanabi.env import pettingzoo

    return pettingzoo


@pytest.mark.parametrize(
    "given",
    [
        {"rules": "hle"},
        {"rules": "hanab_live", "seats": 5, "masks": "info"},
        {"players": 3, "colors": 3, "illegal_reward": -1},
    ],
)
def test_it_passes_the_tests_of_pettingzoo(zoo: Any, given: dict[str, Any]) -> None:
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it would rather have no masks in observations
        api_test(zoo.env(**given), num_cycles=150)
        seed_test(lambda: zoo.env(**given), num_cycles=20)
        if given.get("masks") != "info":  # its parallel test looks for masks nowhere else
            parallel_api_test(zoo.parallel_env(**given), num_cycles=60)
        ends = {"illegal_reward": -1, **given}  # its seeds are tested with actions of any kind
        parallel_seed_test(lambda: zoo.parallel_env(**ends), num_cycles=20)


def test_all_at_once_is_the_same_game(zoo: Any) -> None:
    one, all_at_once = zoo.env("hle", seats=3), zoo.parallel_env("hle", seats=3)
    one.reset(seed=3)
    seen, infos = all_at_once.reset(seed=3)
    assert infos == {agent: {} for agent in one.possible_agents}
    turns = 0
    while all_at_once.agents:
        agent = one.agent_selection
        for each in one.possible_agents:
            for name, array in one.observe(each).items():
                assert (seen[each][name] == array).all()
        assert [each for each in seen if seen[each]["action_mask"].any()] == [agent]
        action = int(np.flatnonzero(seen[agent]["action_mask"])[turns % 3])
        one.step(action)
        actions = dict.fromkeys(all_at_once.agents, 0) | {agent: action}
        seen, rewards, ended, cut, infos = all_at_once.step(actions)
        assert rewards == one.rewards
        assert ended == one.terminations
        assert not any(cut.values())
        turns += 1
    assert turns >= 5
    assert all_at_once.step({}) == ({},) * 5


def test_illegal_actions_end_the_game_if_you_ask_for_it(zoo: Any) -> None:
    for game in (zoo.env(), zoo.env(illegal_reward=-1)):
        game.reset(seed=1)
        if game.unwrapped is game.env.env:
            with pytest.raises(IllegalActionError, match="no discards while all 8"):
                game.step(0)
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns of it
            game.step(0)
        assert game.rewards == {"player_0": -1.0, "player_1": 0}
        assert all(game.terminations.values())
    game = zoo.parallel_env(illegal_reward=-2)
    game.reset(seed=1)
    _, rewards, ended, _, _ = game.step({"player_0": 0})
    assert rewards == {"player_0": -2.0, "player_1": 0.0}
    assert all(ended.values())
    assert game.agents == []
    game = zoo.parallel_env()
    game.reset(seed=1)
    with pytest.raises(IllegalActionError, match="no discards while all 8"):
        game.step({"player_0": 0, "player_1": 0})
    with pytest.raises(InvalidInputError, match="actions: there is none of player_0"):
        game.step({"player_1": 5})


OLD: list[dict[str, Any]] = [
    {"players": 2},
    {"players": 4, "observation_type": "minimal"},
    {"colors": 2, "ranks": 4, "players": 2, "hand_size": 3, "observation_type": "seer"},
    {"colors": 2, "hand_size": 2, "max_information_tokens": 3, "max_life_tokens": 1},
]


@pytest.mark.parametrize("given", OLD)
def test_the_old_arguments_mean_what_they_meant(zoo: Any, given: dict[str, Any]) -> None:
    from hanabi.env import pyhanabi

    kinds = {"minimal": 0, "card_knowledge": 1, "seer": 2}
    kind = kinds[given.get("observation_type", "card_knowledge")]
    game = pyhanabi.HanabiGame({"hand_size": 5, **given, "observation_type": kind})
    ours = zoo.raw_env(**given, random_start_player=False)
    ours.reset(options={"deck": list(game.rules.spec.shuffle(3))})
    state = pyhanabi.HanabiState(game, game.rules.spec.shuffle(3))
    while state.cur_player() == pyhanabi.CHANCE_PLAYER_ID:
        state.deal_random_card()
    encoder = pyhanabi.ObservationEncoder(game)
    for seat, agent in enumerate(ours.possible_agents):
        expected = encoder.encode(state.observation(seat))
        assert ours.observe(agent)["observation"].tolist() == expected
    assert ours.action_space("player_0").n == game.max_moves()


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"colors": 9}, "colors = 9 is not 1 to 5"),
    ({"players": 2, "seats": 3}, "players = 2: seats is given, too"),
    ({"hand_size": 2, "rules": "hle"}, "hand_size = 2: rules is given, too"),
    ({"observation_type": "all"}, "observation_type = 'all' is none of minimal, card_knowledge,"),
    ({"random_start_player": True}, "random_start_player = True: seat 0 begins every game here"),
    ({"colour": 2}, "'colour' is no argument of this environment"),
    ({"masks": "no"}, "masks = 'no' is none of observation, info"),
    ({"rules": "x"}, "rules: 'x' is not a rule set"),
    ({"illegal_reward": "x"}, "illegal_reward = 'x' is no number"),
]


@pytest.mark.parametrize(("given", "message"), REFUSED)
def test_wrong_arguments_are_named(zoo: Any, given: dict[str, Any], message: str) -> None:
    for make in (zoo.env, zoo.parallel_env):
        with pytest.raises(InvalidInputError) as caught:
            make(**given)
        assert str(caught.value).startswith(message)


@pytest.mark.filterwarnings("ignore")
def test_wrappers_of_supersuit_go_around_it(zoo: Any) -> None:
    supersuit = pytest.importorskip("supersuit", reason="supersuit is not installed")
    game = supersuit.frame_stack_v1(supersuit.dtype_v0(zoo.env(masks="info"), np.float32), 2)
    game.reset(seed=1)
    for agent in game.agent_iter(max_iter=8):
        seen, _, _, _, info = game.last()
        assert seen.dtype == np.float32
        game.step(game.action_space(agent).sample(info["action_mask"]))
    for masks in ("info", "observation"):
        parallel = zoo.parallel_env("hle", masks=masks, illegal_reward=-1)
        vector = supersuit.pettingzoo_env_to_vec_env_v1(parallel)
        vector = supersuit.concat_vec_envs_v1(vector, 2, base_class="gymnasium")
        seen, _ = vector.reset(seed=1)
        assert vector.num_envs == 4
        for _ in range(5):
            actions = np.array([vector.action_space.sample() for _ in range(4)])
            seen, rewards, *_ = vector.step(actions)
        assert rewards.shape == (4,)


@pytest.mark.parametrize("mode", ["ansi", "svg", "human"])
def test_it_is_rendered(zoo: Any, mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    game = zoo.env(render_mode=mode)
    game.reset(seed=1)
    shown = game.render()
    printed = capsys.readouterr().out
    expected = {"ansi": "turn 0: seat 0 to act", "svg": "<svg", "human": "turn 0: seat 0 to act"}
    assert (printed if mode == "human" else shown).startswith(expected[mode])
    assert (shown is None) == (mode == "human")
    with pytest.raises(InvalidInputError, match="'rgb' is none of human, ansi, svg"):
        zoo.env(render_mode="rgb")


def test_decks_are_given_and_points_go_to_everyone(zoo: Any) -> None:
    rules = Rules.hle(3)
    deck = list(rules.spec.cards())
    game = zoo.env(rules=rules)
    game.reset(options={"deck": deck})
    assert list(game.unwrapped.game.deck) == deck
    with pytest.raises(IllegalActionError, match="no discards while all 8"):
        game.unwrapped.step(0)
    game.step(5)
    assert game.rewards == dict.fromkeys(game.agents, 1.0)
    seen, reward, ended, cut, _ = game.last()
    assert (game.agent_selection, reward, ended, cut) == ("player_1", 1.0, False, False)
    assert game.observe("player_0")["action_mask"].sum() == 0
    assert seen["action_mask"].sum() > 0


def test_a_whole_game_brings_its_score(zoo: Any) -> None:
    game = zoo.env(rules=Rules.hle(2))
    game.reset(seed=3)
    totals = dict.fromkeys(game.possible_agents, 0.0)
    for agent in game.agent_iter():
        seen, reward, ended, _, _ = game.last()
        totals[agent] += reward
        space = game.action_space(agent)
        game.step(None if ended else int(space.sample(seen["action_mask"])))
    assert set(totals.values()) == {game.unwrapped.game.score}
    assert game.agents == []
