"""The kit of games: replayed by the rules, the same bytes each time, and it finds what differs."""

from __future__ import annotations

import importlib.util
import itertools
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hanabi.env.golden import SEATS, Kit, load_adapter, make_kit, read_kits, write_kits
from hanabi.ground.errors import InvalidInputError, PlayerError
from hanabi.rules import Game, Rules
from hanabi.rules.cards import Card
from oracles import encoding

DOCS = Path(__file__).parents[3] / "docs" / "conformance"
ADAPTERS = {
    "vector_env.py": "numpy",
    "pettingzoo_aec.py:Adapter": "pettingzoo",
    "open_spiel.py:Adapter": "pyspiel",
    "learning_environment.py:Adapter": "hanabi_learning_environment",
    "jaxmarl.py:Adapter": "jaxmarl",
}
AFTERWARDS = {"mask at the end of a game", "seat at the end of a game"}


@cache
def small_kit(seats: int) -> Kit:
    return make_kit(seats, 400, seed=1)


@pytest.mark.parametrize("seats", SEATS)
def test_the_slow_twins_replay_a_kit(seats: int) -> None:
    kit = make_kit(seats, 60, seed=3)
    moves, seen, row = kit.moves, kit.observations(), 0
    for number, pairs in enumerate(kit.decks.tolist()):
        game = Game.start(Rules.hle(seats), [Card(*pair) for pair in pairs])
        past = [game]
        while not game.is_over:
            seat = game.seat_to_act
            numbers = encoding.numbers(game, seat)
            assert moves.masks[row].tolist() == [each in game.legal_actions for each in numbers]
            assert (moves.seats[row], moves.deals[row]) == (seat, number)
            if row % 7 == 0:  # the twin takes its time
                assert seen[row].tolist() == encoding.encoding(past, seat)
            after = game.apply(list(numbers)[moves.actions[row]])
            assert moves.rewards[row] == after.score - game.score
            assert moves.dones[row] == after.is_over
            past.append(after)
            game, row = after, row + 1
        assert kit.finals[number].tolist() == encoding.encoding(past, game.seat_to_act)
    assert row == len(moves.actions) >= 60


@pytest.mark.parametrize("seats", SEATS)
def test_each_corner_case_is_in_a_kit(seats: int) -> None:
    cases = make_kit(seats, 5_000, seed=1).cases()
    assert all(count >= 2 for count in cases.values()), cases


def test_a_permuted_game_is_an_earlier_one_with_other_colors() -> None:
    kit = small_kit(2)
    assert 0 < kit.permuted.sum() < len(kit.permuted)
    plain = {deck.tobytes() for deck in kit.decks[~kit.permuted]}
    for deck in kit.decks[kit.permuted]:
        renamed = [
            np.stack([np.array(colors)[deck[:, 0]], deck[:, 1]], 1).astype(np.int8)
            for colors in itertools.permutations(range(5))
        ]
        assert deck.tobytes() not in plain
        assert any(each.tobytes() in plain for each in renamed)


def test_a_kit_in_files_has_the_same_bytes_each_time(tmp_path: Path) -> None:
    kits = write_kits(tmp_path / "a", steps=400, seats=(2, 3))
    write_kits(tmp_path / "b", steps=400, seats=(2, 3))
    names = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert names == ["golden-2.npz", "golden-3.npz", "golden.json"]
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    for kit, again in zip(kits, read_kits(tmp_path / "a"), strict=True):
        assert (kit.layout, kit.cases()) == (again.layout, again.cases())
        assert all(map(np.array_equal, kit.moves, again.moves))
    (tmp_path / "a" / "golden-3.npz").write_bytes(b"PK")
    with pytest.raises(InvalidInputError, match=r"'golden-3.npz' cannot be read"):
        read_kits(tmp_path / "a", seats=[3])
    with pytest.raises(InvalidInputError, match="holds no kit"):
        read_kits(tmp_path)


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_documented_adapters_find_no_difference(adapter: str) -> None:
    if importlib.util.find_spec(ADAPTERS[adapter]) is None:
        pytest.skip(f"{ADAPTERS[adapter]} is not installed")
    found = load_adapter(f"{DOCS}/{adapter}")
    shows_no_end = {"observation at the end of a game"} if "open_spiel" in adapter else set()
    for seats in SEATS:
        assert small_kit(seats).check(found) == (None, AFTERWARDS | shows_no_end)


def wrong(change: Callable[[list[Any], int], None]) -> Any:
    """Return our environment with a fault, which is given each result and its step."""
    inner = load_adapter(f"{DOCS}/vector_env.py")

    class Wrong:
        def reset(self, deck: Any, seats: int) -> list[Any]:
            self.step_ = 0
            return self.changed(inner.reset(deck, seats))

        def step(self, action: int) -> list[Any]:
            self.step_ += 1
            return self.changed(inner.step(action))

        def changed(self, result: Any) -> list[Any]:
            parts = [np.array(part) for part in result]
            change(parts, self.step_)
            return parts

    return Wrong()


def flip(place: int, entry: int) -> Callable[[list[Any], int], None]:
    def change(parts: list[Any], step: int) -> None:
        if step == 4:
            parts[place][entry] = 1 - parts[place][entry]

    return change


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (flip(0, 130), "entry 130 (cards to draw, 3) is "),
        (flip(1, 3), "the mask of action 3 (discard slot 3) is "),
        (lambda parts, step: parts.__setitem__(2, parts[2] + (step == 4)), "the reward is "),
        (lambda parts, step: parts.__setitem__(3, step == 4), "the done is 1, not 0"),
        (lambda parts, step: parts.__setitem__(4, (parts[4] + (step == 4)) % 2), "the seat is "),
        (lambda parts, step: parts.__setitem__(0, parts[0][: 658 - (step == 4)]), "has 657 entr"),
    ],
)
def test_the_first_difference_is_named(change: Any, told: str) -> None:
    kit = small_kit(2)
    found, _ = kit.check(wrong(change))
    assert found is not None
    assert str(found).startswith("2 players, game 0, step 4: ")
    assert told in found.what
    assert found.actions == kit.moves.actions[:4].tolist()
    assert found.deck == [tuple(pair) for pair in kit.decks[0].tolist()]


def test_a_game_that_ends_a_step_late_is_found() -> None:
    kit = small_kit(3)

    def late(parts: list[Any], step: int) -> None:
        parts[3] = np.False_

    found, _ = kit.check(wrong(late))
    assert found is not None
    assert (found.game, found.what) == (0, "the done is 0, not 1")
    assert found.step == int(np.flatnonzero(kit.moves.dones)[0]) + 1


def test_the_observation_at_the_end_is_compared() -> None:
    """As of an environment that ends the game before the last card is drawn."""
    kit = small_kit(2)

    def stale(parts: list[Any], step: int) -> None:
        if parts[3]:
            parts[0][130] = 1 - parts[0][130]

    found, _ = kit.check(wrong(stale))
    assert found is not None
    assert (found.game, found.step) == (0, int(np.flatnonzero(kit.moves.dones)[0]) + 1)
    assert found.what.startswith("entry 130 (cards to draw, 3) at the end of a game is ")


def test_what_an_environment_lacks_is_not_compared_and_said() -> None:
    def lack(parts: list[Any], step: int) -> None:
        parts[1] = parts[4] = None

    assert small_kit(2).check(wrong(lack)) == (None, {"mask", "seat"})

    def lack_the_end(parts: list[Any], step: int) -> None:
        if parts[3]:
            parts[0] = parts[1] = parts[4] = None

    missing = AFTERWARDS | {"observation at the end of a game"}
    assert small_kit(2).check(wrong(lack_the_end)) == (None, missing)


def test_adapters_that_fail_are_named(tmp_path: Path) -> None:
    kit, bad = small_kit(2), tmp_path / "bad.py"
    with pytest.raises(InvalidInputError, match="No such file"):
        load_adapter(str(bad))
    with pytest.raises(InvalidInputError, match=r"'no.such.module': No module named 'no'"):
        load_adapter("no.such.module")
    bad.write_text("def reset(deck, seats):\n    return 1 / 0\n")
    with pytest.raises(InvalidInputError, match="has no function step"):
        load_adapter(str(bad))
    with pytest.raises(InvalidInputError, match="has no 'Nobody'"):
        load_adapter(f"{bad}:Nobody")
    bad.write_text(bad.read_text() + "def step(action):\n    pass\n")
    with pytest.raises(PlayerError, match=r"step 0: .*bad.py:2: ZeroDivisionError"):
        kit.check(load_adapter(str(bad)))
    bad.write_text("def reset(deck, seats):\n    return 7\ndef step(action):\n    pass\n")
    with pytest.raises(InvalidInputError, match="step 0: the adapter returned 7, not observ"):
        kit.check(load_adapter(str(bad)))
    bad.write_text("reset = step = lambda *_: ('x', 0, 0, 'no', 0)\n")
    with pytest.raises(InvalidInputError, match="step 0: done = 'no' is not understood"):
        kit.check(load_adapter(str(bad)))
    bad.write_text("raise OSError(3)\n")
    with pytest.raises(PlayerError, match=r"bad.py:1: \w+"):
        load_adapter(str(bad))
