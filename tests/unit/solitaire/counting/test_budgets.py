"""Counts that take too long are given up in time, and what was done by then is right."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from clocks import Looks
from hanabi.front.app import main
from hanabi.ground.clock import Clock
from hanabi.ground.errors import BudgetEndedError
from hanabi.lab import Job, Store, open_executor, run
from hanabi.lab.playability import Playability, curve
from hanabi.solitaire.counting import hands as automaton
from hanabi.solitaire.counting import playability
from hanabi.solitaire.counting.generating import Budget, UncountedError, good
from hanabi.solitaire.counting.hands import count_by_marks, winnable_decks
from hanabi.solitaire.counting.playability import (
    count_winnable,
    curve_of,
    estimate_curve,
    least_hands,
)

WIDE: list[tuple[int, ...]] = [(9,) * 9] * 40  # 40! orders of equal colors

COUNTS: dict[str, Callable[[float, int], object]] = {
    "many colors": lambda s, m: winnable_decks(WIDE, 20, seconds=s, memory=m),
    "some colors": lambda s, m: winnable_decks([(9,) * 9] * 5, 10, seconds=s, memory=m),
    "one color": lambda s, m: count_by_marks((4,) * 13, 6, Budget(s, m)),
    "many copies": lambda s, m: count_by_marks((900,) * 4, 2, Budget(s, m)),
}


@pytest.mark.parametrize("count", COUNTS)
def test_the_time_is_kept(count: str) -> None:
    with pytest.raises(UncountedError, match=r"not counted within 0\.3 seconds"):
        COUNTS[count](0.3, 2**33)


@pytest.mark.parametrize("count", COUNTS)
def test_the_memory_is_kept(count: str) -> None:
    with pytest.raises(UncountedError, match=r"not counted within 0\.5 MiB of memory"):
        COUNTS[count](600, 2**19)


def test_the_orders_of_equal_colors_are_tried_by_the_clock() -> None:
    # Three colors of one shape: 3! orders, each of which sorts all sets.
    state: list[automaton.Color] = [((1, 1), (1, 2)), ((1, 1), (2, 1)), ((1, 1), (2, 1))]
    looks = 0

    class Looked(Budget):
        def check(self, taken: float = 0, where: str = "") -> None:
            nonlocal looks
            looks += 1
            super().check(taken, where)
            if looks > 4:
                raise UncountedError(where)

    with pytest.raises(UncountedError):
        automaton._Walk(2, 5, Looked()).sorted(state)
    assert looks == 5


def test_without_a_hand_the_time_is_kept() -> None:
    with pytest.raises(UncountedError):
        good((4,) * 3000, use_flint=False, budget=Budget(0))
    with pytest.raises(UncountedError):
        count_winnable([(4,) * 3000] * 2, 0, seconds=0)


def test_equal_colors_count_alike_in_whatever_order(monkeypatch: pytest.MonkeyPatch) -> None:
    decks: list[tuple[list[tuple[int, ...]], int]] = [
        ([(2, 1)] * 3, 1),
        ([(1, 2, 1)] * 3, 2),
        ([(2, 1, 1), (1, 1, 1), (2, 1, 1)], 1),
    ]
    counts = [winnable_decks(rows, hand) for rows, hand in decks]
    monkeypatch.setattr(automaton, "_MOST_ORDERS", 0)
    assert [winnable_decks(rows, hand) for rows, hand in decks] == counts


def test_more_colors_than_can_be_put_in_all_orders() -> None:
    # Of nine colors with one card of each value the order of the 1s and 2s decides alone.
    assert winnable_decks([(1,)] * 9, 0) == count_winnable([(1,)] * 9, 0)
    assert winnable_decks([(1, 1)] * 7, 0) == count_winnable([(1, 1)] * 7, 0)


def test_an_estimate_is_of_the_decks_that_were_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(2, 1, 1)]
    monkeypatch.setattr(playability, "Clock", lambda _: Looks(30))
    points = estimate_curve(rows, samples=10**9, seed=3, seconds=0.5)
    done = points[0].decks
    assert 0 < done < 10**9
    least = least_hands(rows, range(3), seed=3, first=0, size=done)
    assert points == curve_of({h: int((least <= h).sum()) for h in range(3)}, done)


def test_an_estimate_without_a_deck_is_none() -> None:
    with pytest.raises(UncountedError, match="no deck was decided within 0 seconds"):
        estimate_curve([(2, 1, 1)], samples=10, seed=3, seconds=0)


def test_work_of_which_the_time_is_over_is_not_done() -> None:
    work = Playability(((2, 1, 1),), seed=1, clock=Clock(0))
    assert work == Playability(((2, 1, 1),), seed=1)
    with pytest.raises(BudgetEndedError):
        work.run(0, 5)


def test_a_curve_is_of_the_decks_that_were_decided(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("hanabi.solitaire.commands.count.Clock", lambda _: Looks(60))
    words = "count 3,2,2,2,1 --colors 2 --curve --samples 100000000 --seed 5 --time 1 --json"
    assert main(words.split()) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    done = found["samples"]
    assert 0 < done < 100_000_000
    assert f"time was up after {done:,} of 100,000,000 decks" in err
    job = Job(Playability(((3, 2, 2, 2, 1),) * 2, 5), done)
    store = Store.memory()
    with open_executor("serial") as pool:
        run([job], store, executor=pool)
    won = [point["won"] for point in found["curve"] if "won" in point]
    assert won == [point.won for point in curve(store, job)[1 : 1 + len(won)]]
