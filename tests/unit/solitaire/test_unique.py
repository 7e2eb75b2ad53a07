"""The solver for streams without repeated cards: its answers' form, refusals and edges."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from hanabi.ground.errors import SolverError
from hanabi.ground.verdict import Status
from hanabi.solitaire import Instance, find_broken_rule, unique
from hanabi.solitaire.loops import COMPILED_FROM

LARGEST = 2**31 - 1


@pytest.fixture(params=["plain", "compiled"])
def loops(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unique, "COMPILED_FROM", 0 if request.param == "compiled" else 10**9)


@pytest.mark.usefixtures("loops")
class TestBothForms:
    def test_a_winnable_stream_comes_with_a_play(self) -> None:
        instance = Instance(1, [(0, 2), (0, 1), (1, 1), (1, 2)])
        verdict = unique.solve(instance)
        assert verdict.status is Status.WINNABLE
        assert verdict.method == "unique"
        assert verdict.reason == "every card occurs and greedy play holds at most 1 card"
        assert (verdict.lower, verdict.upper) == (4, 4)
        assert verdict.seconds >= 0
        assert verdict.witness is not None
        assert verdict.witness.to_json() == [
            [1, "store"],
            [2, "play"],
            [1, "play"],
            [3, "play"],
            [4, "play"],
        ]

    def test_too_small_a_hand_is_told_with_the_position(self) -> None:
        verdict = unique.solve(Instance(1, [(0, 1), (1, 3), (1, 2), (1, 1), (0, 2), (0, 3)]))
        assert verdict.status is Status.UNWINNABLE
        assert verdict.witness is None
        assert verdict.reason == (
            "after card 3 (y2), 2 cards that are all needed would have to be held, but h = 1"
        )
        assert (verdict.lower, verdict.upper) == (5, 5)

    def test_a_missing_card_is_named_even_if_the_hand_is_too_small_as_well(self) -> None:
        verdict = unique.solve(Instance(0, [(0, 3), (0, 1), (1, 2)]))
        assert verdict.status is Status.UNWINNABLE
        assert verdict.reason == "card r2 never occurs"
        assert (verdict.lower, verdict.upper) == (1, 1)

    def test_the_first_missing_card_in_order_of_color_and_value_is_named(self) -> None:
        cards = [(color, value) for color in range(9) for value in range(1, 12)]
        cards.remove((8, 7))
        assert unique.solve(Instance(0, cards)).reason == "card 8:7 never occurs"
        cards.remove((6, 11))
        assert unique.solve(Instance(0, cards)).reason == "card 6:11 never occurs"

    def test_the_cards_above_a_missing_one_take_no_room(self) -> None:
        verdict = unique.solve(Instance(1, [(0, 3), (1, 2), (0, 4), (1, 1), (0, 1)], n=4))
        assert (verdict.lower, verdict.upper) == (3, 3)

    @pytest.mark.parametrize(
        "solver", [unique.solve, unique.least_hand, unique.last_needed, unique.interval_thickness]
    )
    def test_a_repeated_card_is_refused_by_name(self, solver: object) -> None:
        assert callable(solver)
        instance = Instance(1, [(0, 1), (1, 2), (1, 1), (1, 2), (0, 1)])
        with pytest.raises(SolverError, match=r"card y2 occurs twice, at positions 2 and 4"):
            solver(instance)

    def test_bubble_sort_refuses_a_repeated_card(self) -> None:
        with pytest.raises(SolverError, match=r"r1 occurs twice, at positions 1 and 2"):
            unique.bubble_sort_passes(Instance(0, [(0, 1), (0, 1)]))

    @pytest.mark.parametrize(("n", "c"), [(0, 0), (5, 0), (0, 5)])
    def test_nothing_to_build_is_won(self, n: int, c: int) -> None:
        instance = Instance(0, [], n=n, c=c)
        verdict = unique.solve(instance)
        assert verdict.is_winnable
        assert verdict.witness is not None
        assert len(verdict.witness) == 0
        assert unique.least_hand(instance) == 0
        assert unique.interval_thickness(instance) == unique.bubble_sort_passes(instance) == 0
        assert list(unique.last_needed(instance)) == []

    @pytest.mark.parametrize(("n", "c"), [(LARGEST, 1), (1, LARGEST), (2**15, 2**15)])
    def test_a_huge_goal_costs_nothing(self, n: int, c: int) -> None:
        verdict = unique.solve(Instance(LARGEST, [(0, 1)], n=n, c=c))
        assert (verdict.is_winnable, verdict.lower, verdict.upper) == (False, 1, 1)
        card = "1:1" if n == 1 else "r2" if c == 1 else "0:2"  # the first that is missing
        assert verdict.reason == f"card {card} never occurs"

    def test_the_last_needed_positions_cannot_be_written(self) -> None:
        needed = unique.last_needed(Instance(0, [(0, 2), (0, 1)]))
        assert needed.readonly
        assert (needed.format, needed.itemsize, needed.tolist()) == ("i", 4, [2, 2])


def test_a_long_stream_has_the_same_answer_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    deck = [(color, value) for value in range(1, 2001) for color in range(10)]
    rng = random.Random(7)
    deck.sort(key=lambda card: card[0] + 9 * rng.random())
    assert len(deck) == COMPILED_FROM
    instance = Instance(0, deck)
    least = unique.least_hand(instance)
    assert least is not None
    won, lost = instance.with_hand_size(least), instance.with_hand_size(least - 1)
    compiled = unique.solve(won), unique.solve(lost)
    assert [verdict.is_winnable for verdict in compiled] == [True, False]
    assert compiled[0].witness is not None
    assert find_broken_rule(won, compiled[0].witness) is None
    assert 0 < compiled[1].lower <= compiled[1].upper < 20_000

    monkeypatch.setattr(unique, "COMPILED_FROM", 10**9)
    plain = unique.solve(won), unique.solve(lost)
    assert plain[0].witness == compiled[0].witness
    for one, other in zip(plain, compiled, strict=True):
        assert (one.reason, one.lower, one.upper) == (other.reason, other.lower, other.upper)


def test_small_instances_import_neither_numpy_nor_numba() -> None:
    program = (
        "import sys; from hanabi.solitaire import Instance, single_color, unique;"
        "instance = Instance(1, [(0, 3), (0, 2), (0, 1)]);"
        "solvers = unique, single_color;"
        "[s.solve(instance.with_hand_size(h)) for s in solvers for h in (1, 2)];"
        "[s.least_hand(instance) for s in solvers]; unique.last_needed(instance);"
        "print({'numpy', 'numba'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "set()", "")
