"""The solver for one color: its answers' form, refusals and edges."""

from __future__ import annotations

import random

import pytest

from hanabi.ground.errors import SolverError
from hanabi.ground.verdict import Status
from hanabi.solitaire import Instance, find_broken_rule, single_color
from hanabi.solitaire.loops import COMPILED_FROM
from hanabi.solitaire.single_color import Obstacle

LARGEST = 2**31 - 1
SLIDES = (3, 1, 2, 4, 6, 2, 5, 4, 1, 6, 5, 3)


def _stream(hand_size: int, *values: int, n: int | None = None) -> Instance:
    return Instance(hand_size, [(0, value) for value in values], n=n, c=1)


@pytest.fixture(params=["plain", "compiled"])
def loops(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(single_color, "COMPILED_FROM", 0 if request.param == "compiled" else 10**9)


@pytest.mark.usefixtures("loops")
class TestBothForms:
    def test_the_example_of_the_slides(self) -> None:
        instance = _stream(2, *SLIDES)
        chosen = single_color.chosen_positions(instance)
        assert chosen is not None
        assert chosen.readonly
        assert (chosen.format, chosen.tolist()) == ("i", [2, 6, 1, 8, 11, 10])
        assert single_color.least_hand(instance) == 1

    def test_a_winnable_stream_comes_with_a_play_that_ends_with_the_pile(self) -> None:
        verdict = single_color.solve(_stream(1, 2, 2, 1, 3, 3))
        assert verdict.status is Status.WINNABLE
        assert verdict.method == "single_color"
        assert verdict.reason == "every value keeps a copy that can be played with h = 1"
        assert (verdict.lower, verdict.upper) == (3, 3)
        assert verdict.seconds >= 0
        assert verdict.witness is not None
        assert verdict.witness.to_json() == [
            [1, "discard"],
            [2, "store"],
            [3, "play"],
            [2, "play"],
            [4, "discard"],
            [5, "play"],
        ]

    def test_an_obstacle_is_told_with_its_witnesses(self) -> None:
        verdict = single_color.solve(_stream(1, 4, 2, 3, 2, 1, 2))
        assert verdict.status is Status.UNWINNABLE
        assert verdict.witness is None
        assert verdict.reason == "when value 1 first comes, 3, 4 must all be in hand, but h = 1"
        assert (verdict.lower, verdict.upper) == (3, 3)

    def test_a_missing_value_is_told(self) -> None:
        instance = _stream(1, 5, 4, 2, 1)
        assert single_color.obstacle(instance) == Obstacle(3, ())
        assert single_color.least_hand(instance) is None
        assert single_color.chosen_positions(instance) is None
        assert single_color.last_playable_indices(instance).tolist() == [0, 0, 0, 2, 1]
        verdict = single_color.solve(instance)
        assert verdict.reason == "value 3 never occurs"
        assert (verdict.lower, verdict.upper) == (2, 2)

    def test_two_colors_are_refused(self) -> None:
        instance = Instance(1, [(0, 1)], c=2)
        for solver in (
            single_color.solve,
            single_color.least_hand,
            single_color.obstacle,
            single_color.chosen_positions,
            single_color.last_playable_indices,
        ):
            with pytest.raises(SolverError, match="the instance has 2 colors"):
                solver(instance)

    @pytest.mark.parametrize(("n", "c"), [(0, 0), (5, 0), (0, 1)])
    def test_nothing_to_build_is_won(self, n: int, c: int) -> None:
        instance = Instance(0, [], n=n, c=c)
        verdict = single_color.solve(instance)
        assert verdict.is_winnable
        assert verdict.witness is not None
        assert len(verdict.witness) == 0
        assert single_color.least_hand(instance) == 0
        chosen = single_color.chosen_positions(instance)
        assert chosen is not None
        assert list(chosen) == []

    def test_huge_numbers_cost_nothing(self) -> None:
        verdict = single_color.solve(_stream(LARGEST, 1, 2, LARGEST, n=LARGEST))
        assert verdict.reason == "value 3 never occurs"
        assert (verdict.lower, verdict.upper) == (2, 2)
        assert single_color.solve(_stream(LARGEST, 3, 2, 1)).is_winnable


def test_a_long_list_of_witnesses_is_cut_short() -> None:
    instance = _stream(98, *range(100, 0, -1))
    assert single_color.obstacle(instance) == Obstacle(1, tuple(range(2, 101)))
    assert single_color.solve(instance).reason == (
        "when value 1 first comes, 2, 3, 4, 5, 6, 7, 8, 9, ... (99 values) must all be in hand,"
        " but h = 98"
    )


@pytest.mark.parametrize("disorder", [30, 8000])
def test_a_long_stream_has_the_same_answer_compiled(
    disorder: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    n, rng = 7000, random.Random(7)
    values: list[int] = []
    for _ in range(3):
        place = {value: value + disorder * rng.random() for value in range(1, n + 1)}
        values += sorted(place, key=place.__getitem__)
    instance = _stream(0, *values)
    assert instance.N >= COMPILED_FROM
    least = single_color.least_hand(instance)
    assert least is not None
    won, lost = instance.with_hand_size(least), instance.with_hand_size(least - 1)
    compiled = single_color.solve(won), single_color.solve(lost)
    assert [verdict.is_winnable for verdict in compiled] == [True, False]
    assert compiled[0].witness is not None
    assert find_broken_rule(won, compiled[0].witness) is None

    monkeypatch.setattr(single_color, "COMPILED_FROM", 10**9)
    plain = single_color.solve(won), single_color.solve(lost)
    assert plain[0].witness == compiled[0].witness
    for one, other in zip(plain, compiled, strict=True):
        assert (one.reason, one.lower, one.upper) == (other.reason, other.lower, other.upper)
