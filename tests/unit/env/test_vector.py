"""Many games at once: resets, decks, states, autoreset, arrays of callers, and what is refused."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hanabi.env import AUTORESETS, Layout, Step, VectorEnv
from hanabi.ground.errors import HanabiError, IllegalActionError, InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.players import parse_player
from hanabi.rules import Game, Rules
from hanabi.rules.cards import Card
from hanabi.rules.deck import DeckSpec

SMALL = replace(
    Rules.hle(2), spec=DeckSpec.uniform(colors=2, ranks=2, copies=2), hand_size=2, lives=1
)


def copied(step: Step) -> list[list[Any]]:
    return [array.tolist() for array in step]


def play(env: VectorEnv, steps: int) -> list[list[list[Any]]]:
    return [copied(env.step(env.draw_actions())) for _ in range(steps)]


@pytest.mark.parametrize("autoreset", AUTORESETS)
def test_deals_are_those_of_the_seed(autoreset: str) -> None:
    """Place g of n plays the deals g, g + n, ..., however long the others take."""
    n, seed = 5, 11
    env = VectorEnv(n, SMALL, seed=seed, autoreset=autoreset)
    step = env.reset()
    games, ends, was_over = [0] * n, 0, [False] * n
    for _ in range(60):
        before = [env.game(index) for index in range(n)]
        step = env.step(env.draw_actions())
        for index in range(n):
            game = env.game(index)
            if autoreset == "disabled" and was_over[index]:
                assert game == before[index]
                assert step.dones[index]
                assert step.rewards[index] == 0
            if autoreset == "next_step":
                assert game.is_over == step.dones[index]
                if was_over[index]:
                    games[index] += 1
                    assert game.turn == 0
                    assert step.rewards[index] == 0
                    assert not step.dones[index]
            if autoreset == "same_step" and step.dones[index]:
                games[index] += 1
                assert game.turn == 0
            deal = SMALL.spec.shuffle(seed, index + n * games[index])
            assert game.deck == deal
        was_over = step.dones.tolist()
        ends += int(step.dones.sum())
    assert ends > n


def test_a_game_that_ends_is_seen_once_more_when_it_is_dealt_anew_at_once() -> None:
    same, off = (VectorEnv(4, SMALL, seed=2, autoreset=each) for each in ("same_step", "disabled"))
    seen = 0
    off.reset()
    finals = same.reset().finals
    assert finals.shape == (4, same.layout.size)
    ended = np.zeros(4, bool)
    for _ in range(12):
        actions = same.draw_actions()
        if ended.all():
            break
        first, second = same.step(actions), off.step(np.where(ended, -1, actions))
        for index in np.flatnonzero(first.dones & ~ended):
            assert first.finals[index].tolist() == second.observations[index].tolist()
            assert first.rewards[index] == second.rewards[index]
            seen += 1
        going = ~ended & ~first.dones
        assert (first.observations[going] == second.observations[going]).all()
        ended |= first.dones
    assert seen == 4


def test_a_lost_game_gives_back_its_points() -> None:
    env = VectorEnv(1, replace(Rules.hle(2), lives=1), autoreset="disabled")
    deck = [Card(0, 1), *([Card(1, 1)] * 3), Card(2, 2), Card(0, 3)]  # seats play first and last
    cards = list(env.rules.spec.cards())
    for card in deck:
        cards.remove(card)
    env.reset(decks=[deck + cards])
    assert env.step([5]).rewards.tolist() == [1]
    assert env.step([5]).rewards.tolist() == [-1]
    assert env.scores.tolist() == [0]


def test_decks_are_dealt_as_they_are_given() -> None:
    env = VectorEnv(3, Rules.hle(4), seed=1)
    decks = [env.rules.spec.shuffle(99, index) for index in range(3)]
    first = copied(env.reset(decks=decks))
    assert [env.game(index).deck for index in range(3)] == decks
    assert copied(env.reset(decks=np.array([list(deck) for deck in decks]))) == first
    before = env.game(0)
    env.reset(decks=decks[:1], mask=[False, False, True])
    assert env.game(2).deck == decks[0]
    assert env.game(0) == before


def test_resets_go_on_to_the_next_deals_or_start_again() -> None:
    env, spec = VectorEnv(2, SMALL, seed=3), SMALL.spec
    decks = []
    for seed in (None, None, 3, None, 4):
        env.reset(seed=seed)
        decks.append(env.game(1).deck)
    expected = [(3, 1), (3, 3), (3, 1), (3, 3), (4, 1)]
    assert decks == [spec.shuffle(seed, index) for seed, index in expected]


def test_states_go_out_and_in() -> None:
    env = VectorEnv(6, Rules.hle(3), seed=5, all_seats=True)
    play(env, 30)
    kept = pickle.loads(pickle.dumps(env.get_state()))
    now, after = copied(env.look()), play(env, 60)
    other = VectorEnv(6, Rules.hle(3), seed=77, all_seats=True)
    other.set_state(kept)
    assert copied(other.look())[:2] == now[:2]
    assert play(other, 60) == after
    env.set_state(kept)
    assert play(env, 60) == after


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_change_nothing(threads: int) -> None:
    one, many = VectorEnv(7, seed=8), VectorEnv(7, seed=8, threads=threads)
    assert copied(one.reset()) == copied(many.reset())
    assert play(one, 80) == play(many, 80)
    with pytest.raises(IllegalActionError, match="game 2, action 0"):
        many.reset(), many.step([5, 5, 0, 5, 5, 5, 0])
    many.close()


def test_packed_observations_have_the_same_entries() -> None:
    plain, packed = VectorEnv(5, seed=9), VectorEnv(5, seed=9, packed=True)
    for _ in range(50):
        step = plain.step(plain.draw_actions())
        bits = packed.step(packed.draw_actions()).observations
        assert bits.shape == (5, 83)
        assert (np.packbits(step.observations, axis=1, bitorder="little") == bits).all()


def test_arrays_of_callers_are_written_to() -> None:
    env = VectorEnv(4, seed=1)
    mine = env.new_arrays()
    own = env.reset()
    assert env.reset(seed=1, out=mine) is mine
    assert copied(mine) == copied(own)
    actions = np.zeros(4, np.int32)
    assert env.draw_actions(actions) is actions
    before = own.observations.copy()
    env.step(actions, out=mine)
    assert (own.observations == before).all()
    assert (mine.seats == 1).all()


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.uint16, np.int64])
def test_actions_are_any_whole_numbers(dtype: type[np.integer[Any]]) -> None:
    env = VectorEnv(3, seed=1)
    expected = copied(env.step(np.array([5, 6, 7], np.int32)))
    given = np.array([5, 6, 7], dtype)
    given.flags.writeable = False
    env.reset(seed=1)
    assert copied(env.step(given)) == expected
    env.reset(seed=1)
    assert copied(env.step(np.array([5, 0, 6, 0, 7], dtype)[::2])) == expected


@pytest.mark.parametrize("name", Step._fields)
def test_arrays_can_be_exchanged(name: str) -> None:
    """By DLPack, without a copy."""
    step = VectorEnv(3, autoreset="same_step").reset()
    array = getattr(step, name)
    other = np.from_dlpack(array)
    assert np.shares_memory(other, array)
    assert other.dtype == array.dtype


def test_policies_can_draw_by_the_masks() -> None:
    env, rng = VectorEnv(50, Rules.hle(5), seed=1), np.random.default_rng(1)
    step, ends = env.reset(), 0
    for _ in range(100):
        chances = rng.random(step.masks.shape)
        step = env.step(np.where(step.masks, chances, -1).argmax(1))
        assert (step.masks.any(1) == ~step.dones).all()
        ends += int(step.dones.sum())
    assert ends > 50


GARBAGE: list[tuple[Any, str]] = [
    ([5], "actions: int64 (1,), not whole numbers (2,)"),
    ([5, 5.5], "actions: float64 (2,), not whole numbers (2,)"),
    (["a", "b"], "actions: <U1 (2,), not whole numbers (2,)"),
    ([5, 2**40], "actions[1] = 1099511627776 is no action"),
    ([5, -1], "game 1: action -1 is not in 0 .. 19"),
    ([5, 20], "game 1: action 20 is not in 0 .. 19"),
    ([4, 5], "game 0, action 4: turn 1, seat 0 cannot discard slot 4: no discards while all 8"),
    ([[5], [5]], "actions: int64 (2, 1), not whole numbers (2,)"),
]


@pytest.mark.parametrize(("actions", "message"), GARBAGE)
def test_garbage_is_quoted_and_changes_nothing(actions: Any, message: str) -> None:
    env = VectorEnv(2, seed=3)
    before = copied(env.look())
    with pytest.raises(HanabiError) as caught:
        env.step(actions)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
    assert copied(env.look()) == before


def cards_with(place: int, card: tuple[int, int]) -> list[tuple[int, int]]:
    cards: list[tuple[int, int]] = list(Rules.hle(2).spec.cards())
    cards[place] = card
    return cards


MISFITS: list[tuple[dict[str, Any], str]] = [
    ({"decks": [[(0, 1)]] * 2}, "decks: not 2 decks of 50 pairs (color, rank)"),
    ({"decks": [[(0, 1)], [(0, 1), (0, 1)]]}, "decks: not 2 decks of 50"),
    ({"decks": [cards_with(0, (0, 1))]}, "decks: not 2 decks of 50"),
    ({"decks": [cards_with(0, (0, 1)), cards_with(7, (9, 1))]}, "decks[1][7]: (9, 1)"),
    ({"decks": [cards_with(9, (0, 1))] * 2}, "decks[0][9]: (0, 1) is one too many"),
    ({"mask": [True]}, "mask: bool (1,), not bool (2,)"),
    ({"mask": [0, 1]}, "mask: int64 (2,), not bool (2,)"),
    ({"seed": "x"}, "seed = 'x' is not a whole number"),
]


@pytest.mark.parametrize(("given", "message"), MISFITS)
def test_resets_refuse_what_does_not_fit(given: dict[str, Any], message: str) -> None:
    env = VectorEnv(2, seed=3)
    before = env.game(0)
    with pytest.raises(InvalidInputError) as caught:
        env.reset(**given)
    assert str(caught.value).startswith(message)
    assert env.game(0) == before


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"n": 0}, "n = 0 is not 1 or more"),
        ({"n": 2.5}, "n = 2.5 is not a whole number"),
        ({"threads": 0}, "threads = 0 is not 1 or more"),
        ({"autoreset": "often"}, "autoreset = 'often' is none of disabled, next_step, same_step"),
        ({"kind": 3}, "kind = 3 is not 0, 1 or 2"),
        ({"rules": Rules.official(1)}, "rules: observations cannot show a single seat"),
        (
            {"rules": replace(Rules.hle(2), open_hands=True)},
            "rules: an observation does not know the rule open_hands = True",
        ),
        (
            {"rules": Rules.hanab_live(2, variant="Rainbow (5 Suits)")},
            "rules: observations cannot show the variant Rainbow (5 Suits)",
        ),
        (
            {"rules": replace(Rules.hle(2), half_tokens=True)},
            "rules: an observation does not know the rule half_tokens = True",
        ),
        (
            {"rules": replace(Rules.hle(2), deck_plays=True)},
            "rules: an observation does not know the rule deck_plays = True",
        ),
        (
            {"rules": replace(Rules.hle(2), spec=DeckSpec.uniform(9, 7, 1))},
            "rules: observations cannot show 63 different cards (at most 62)",
        ),
    ],
)
def test_environments_refuse_what_they_cannot_show(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        VectorEnv(**{"n": 1, **given})
    assert str(caught.value).startswith(message)


def test_arrays_and_states_that_do_not_fit_are_refused() -> None:
    env = VectorEnv(2)
    arrays = env.new_arrays()
    wrong = {
        "seats: int64 (2,), not int32 (2,)": arrays._replace(seats=np.zeros(2, np.int64)),
        "masks: 'list' is no NumPy array": arrays._replace(masks=[]),  # type: ignore[arg-type]
        "masks: the array is not contiguous and writable": arrays._replace(
            masks=np.zeros((20, 2), bool).T
        ),
    }
    for message, out in wrong.items():
        with pytest.raises(InvalidInputError) as caught:
            env.look(out=out)
        assert str(caught.value) == message
    with pytest.raises(InvalidInputError, match="of other rules"):
        env.set_state(VectorEnv(2, SMALL).get_state())
    with pytest.raises(InvalidInputError, match=r"decks: int64 \(3, 50\), not int64 \(2, 50\)"):
        env.set_state(VectorEnv(3).get_state())
    with pytest.raises(InvalidInputError, match=r"game 2 is not in 0 \.\. 1"):
        env.game(2)


def test_sizes_are_those_of_the_hanabi_learning_environment() -> None:
    sizes = {seats: Layout(Rules.hle(seats)).size for seats in range(2, 6)}
    assert sizes == {2: 658, 3: 956, 4: 1041, 5: 1280}
    with pytest.raises(InvalidInputError, match="action 30 is not in"):
        Layout(Rules.hle(3)).action(30, 0)


@pytest.mark.parametrize("name", ["information", "convention"])
@pytest.mark.parametrize("autoreset", AUTORESETS)
def test_labels_are_what_the_player_does_in_the_real_game(name: str, autoreset: str) -> None:
    """Players that read the history are asked on games of an environment, for whole games."""
    n, rules, player = 3, Rules.hle(2), parse_player(name)
    env = VectorEnv(n, rules, seed=4, autoreset=autoreset)
    step, asked, begun = env.reset(), 0, [0] * n
    real = [Game.start(rules, rules.spec.shuffle(4, index)) for index in range(n)]
    for turn in range(150):
        numbers, was_over = env.draw_actions(), [game.is_over for game in real]
        for index in range(n):
            game = env.game(index)
            if turn % 9 and not game.is_over:  # the player's own actions, and any
                label = player.act(game.view(game.seat_to_act), Stream(1))
                view = real[index].view(real[index].seat_to_act)
                assert label == player.act(view, Stream(1))
                numbers[index] = env.layout.number(label, game.seat_to_act)
                asked += 1
        step = env.step(numbers)
        for index in range(n):
            if not was_over[index]:
                game = real[index]
                action = env.layout.action(int(numbers[index]), game.seat_to_act)
                real[index] = game.apply(action)
            is_dealt = was_over[index] if autoreset == "next_step" else step.dones[index]
            if autoreset != "disabled" and is_dealt:
                begun[index] += 1
                deck = rules.spec.shuffle(4, index + n * begun[index])
                real[index] = Game.start(rules, deck)
            assert env.game(index).actions == real[index].actions
            assert env.game(index) == real[index]
    assert asked > 60
    assert autoreset == "disabled" or min(begun) >= 1


def test_histories_go_out_and_in_with_the_state() -> None:
    env = VectorEnv(4, Rules.hle(3), seed=5, autoreset="same_step")
    play(env, 90)
    other = VectorEnv(4, Rules.hle(3), seed=6)
    other.set_state(pickle.loads(pickle.dumps(env.get_state())))
    for index in range(4):
        game = Game.start(env.rules, env.game(index).deck)
        for action in other.game(index).actions:
            game = game.apply(action)
        assert game == env.game(index)
        assert game.actions == env.game(index).actions


def test_a_game_of_any_length_has_its_history() -> None:
    """The most turns that rules allow: all tokens for hints, and a discard for each."""
    env = VectorEnv(1, replace(SMALL, final_round=None, lives=9), autoreset="disabled")
    env.reset(seed=1)
    turns = 0
    while not env.look().dones[0]:
        masks = env.look().masks[0]
        hints, discards = np.flatnonzero(masks[4:]) + 4, np.flatnonzero(masks[:2])
        env.step([hints[0] if hints.size else discards[0] if discards.size else 2])
        turns += 1
    assert len(env.game(0).actions) == turns > 20


ARGUMENTS: list[tuple[dict[str, Any], str]] = [
    ({"n": 10**15}, "n = 1000000000000000: no memory for so many games"),
    ({"n": 10**30}, "n = 1000000000000000000000000000000: no memory for so many games"),
    ({"threads": 10**9}, "threads = 1000000000 is more than 1,024"),
    ({"threads": "2"}, "threads = '2' is not a whole number"),
    ({"seed": 1.5}, "seed = 1.5 is not a whole number"),
    ({"kind": "x"}, "kind = 'x' is not 0, 1 or 2"),
    ({"kind": [1]}, "kind = [1] is not 0, 1 or 2"),
    ({"packed": "yes"}, "packed = 'yes' is neither true nor false"),
    ({"all_seats": [True]}, "all_seats = [True] is neither true nor false"),
    ({"autoreset": ["disabled"]}, "autoreset = ['disabled'] is none of"),
    ({"rules": 7}, "rules = 7 is no rule set"),
    ({"rules": "hel"}, "rules: 'hel' is not a rule set: did you mean 'hle'? There are official,"),
    ({"rules": {"preset": "hle", "hint": 3}}, "unknown key 'hint': did you mean 'hints'?"),
    ({"rules": "hle", "seats": 7}, "seats = 7 is not 2 to 5"),
    ({"rules": "hanab_live", "seats": "3"}, "seats = '3' is not a whole number"),
    ({"rules": Rules.hle(3), "seats": 2}, "seats = 2: the rules are for 3"),
]


@pytest.mark.parametrize(("given", "message"), ARGUMENTS)
def test_huge_and_wrong_arguments_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        VectorEnv(**{"n": 1, **given})
    assert str(caught.value).startswith(message)


CALLS: list[tuple[str, dict[str, Any], str]] = [
    ("step", {"actions": [[1], [1, 2]]}, "actions: [[1], [1, 2]] is no array"),
    ("step", {"actions": [2**70, 5]}, "actions: object (2,), not whole numbers (2,)"),
    ("step", {"actions": [5, 5], "out": (1, 2)}, "out: (1, 2) is no Step"),
    ("look", {"out": 3}, "out: 3 is no Step"),
    ("reset", {"mask": [[True], [True, False]]}, "mask: [[True], [True, False]] is no array"),
    ("reset", {"decks": 7}, "decks: not 2 decks of 50 pairs (color, rank)"),
    ("reset", {"decks": [[(2**70, 1)] * 50] * 2}, "decks: not 2 decks of 50"),
    ("reset", {"seed": None, "decks": np.ones((2, 50, 2))}, "decks: not 2 decks of 50"),
    ("draw_actions", {"out": np.zeros(2)}, "out: float64 (2,), not int32 (2,)"),
    ("game", {"index": "0"}, "game = '0' is not a whole number"),
    ("game", {"index": 10**30}, "game 1000000000000000000000000000000 is not in 0 .. 1"),
    ("set_state", {"snapshot": None}, "None is no state that get_state returned"),
]


@pytest.mark.parametrize(("method", "given", "message"), CALLS)
def test_wrong_arguments_of_calls_are_refused(
    method: str, given: dict[str, Any], message: str
) -> None:
    env = VectorEnv(2, seed=3)
    before = copied(env.look())
    with pytest.raises(InvalidInputError) as caught:
        getattr(env, method)(**given)
    assert str(caught.value).startswith(message)
    assert copied(env.look()) == before
    env.step([5, 5])


def test_seeds_of_any_kind_of_whole_number() -> None:
    expected = VectorEnv(2, seed=5).reset().observations
    for seed in (np.int64(5), np.uint8(5), 5 + (1 << 64)):
        assert (VectorEnv(2, seed=seed).reset().observations == expected).all()  # type: ignore[arg-type]


def test_callers_may_reshape_what_they_got() -> None:
    """Arrays are changed in place between two steps: what kernels write to stays as it was."""
    env = VectorEnv(3, seed=1)
    step = env.reset()
    expected = VectorEnv(3, seed=1).step([5, 5, 5])
    step.observations.shape = (1, 3 * env.layout.size)
    step.masks.dtype = np.int8  # type: ignore[misc, assignment]
    step.rewards.setflags(write=False)
    with pytest.raises(ValueError, match="resize"):
        step.seats.resize((1,), refcheck=False)
    env.step([5, 5, 5])
    assert step.observations.ravel().tolist() == expected.observations.ravel().tolist()
    out = env.new_arrays()
    out.seats.resize((1,), refcheck=False)
    with pytest.raises(InvalidInputError, match=r"seats: int32 \(1,\), not int32 \(3,\)"):
        env.look(out=out)
    skewed = np.zeros(4 * 3 + 1, np.int8)[1:].view(np.int32)
    with pytest.raises(InvalidInputError, match="seats: the array is not contiguous"):
        env.look(out=env.new_arrays()._replace(seats=skewed))


def test_presets_are_named_and_have_two_seats_unless_said() -> None:
    for name, preset in (("hle", Rules.hle), ("hanab_live", Rules.hanab_live)):
        assert VectorEnv(1, name).rules == preset(2)
        assert VectorEnv(1, name, seats=3).rules == preset(3)
    assert VectorEnv(1, seats=np.int64(4)).rules == Rules.hle(4)  # type: ignore[arg-type]
    assert VectorEnv(1, Rules.hle(3)).rules.seats == 3
    assert VectorEnv(1, {"preset": "hle", "hints": 3}).rules == replace(Rules.hle(2), hints=3)


def test_environments_are_copied_and_pickled_whole() -> None:
    env = VectorEnv(3, "hle", seed=4, autoreset="same_step", threads=2)
    fresh = pickle.loads(pickle.dumps(env))
    assert copied(env.reset()) == copied(fresh.reset())
    play(env, 40)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert copied(other.look())[:2] == copied(env.look())[:2]
        own = other.look()
        assert other.step(other.draw_actions()) is own  # it writes what it returns
        mine = env.get_state()
        expected = play(env, 1)[0]
        assert copied(own)[:5] == expected[:5]
        env.set_state(mine)
        other.close()
    env.close()
