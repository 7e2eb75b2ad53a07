from __future__ import annotations

import math
import statistics
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanabi.ground.errors import InvalidInputError
from hanabi.lab.stats import compare, summarize
from hanabi.players import Tally
from hanabi.rules import Rules

ZEROED = Rules.official(3)
KEPT = replace(ZEROED, bombed_scores_zero=False)
OUTCOMES = st.builds(lambda points, bombed: points << 1 | bombed, st.integers(0, 24), st.booleans())
RUNS = st.integers(1, 20).flatmap(
    lambda deals: st.lists(
        st.lists(OUTCOMES, min_size=deals, max_size=deals), min_size=1, max_size=4
    )
)


def naive(runs: list[list[int]], *, is_zeroed: bool) -> list[float]:
    """Return each deal's mean score."""

    def score(outcome: int) -> int:
        return 0 if is_zeroed and outcome & 1 else outcome >> 1

    return [statistics.fmean(map(score, deal)) for deal in zip(*runs, strict=True)]


def test_by_hand() -> None:
    # Scores 10, 12, 14, 20: mean 14, squared deviations 16 + 4 + 0 + 36 = 56.
    games = [[20, 24, 28, 40]]
    found = summarize(games, KEPT).score
    assert found.value == 14
    assert found.standard_error == pytest.approx(math.sqrt(56 / 3 / 4))
    assert found.high - 14 == pytest.approx(1.959964 * found.standard_error)
    assert 14 - found.low == pytest.approx(found.high - 14)
    wide = summarize(games, KEPT, confidence=0.99).score
    assert wide.high - 14 == pytest.approx(2.575829 * found.standard_error)


def test_both_scorings_by_hand() -> None:
    runs = [[20 << 1, 10 << 1 | 1], [25 << 1, 4 << 1]]
    found = summarize(runs, ZEROED)
    assert (found.games, found.deals, found.repeats) == (4, 2, 2)
    assert (found.kept.value, found.zeroed.value) == (59 / 4, 49 / 4)
    # By deals: 22.5 and 7, or 22.5 and 2.
    assert found.kept.standard_error == pytest.approx(15.5 / 2)
    assert found.zeroed.standard_error == pytest.approx(20.5 / 2)
    assert (found.perfect, found.bombed) == (1 / 4, 1 / 4)
    assert found.score == found.zeroed
    assert summarize(runs, KEPT).score == found.kept
    assert found.deviation == pytest.approx(statistics.stdev([20, 0, 25, 4]))


def test_pairing_by_hand() -> None:
    found = compare([[20, 30, 41]], [[18, 32, 30]], ZEROED)
    # Scores 10, 15, 0 and 9, 16, 15: differences 1, -1, -15.
    assert found.difference.value == -5
    assert found.difference.standard_error == pytest.approx(math.sqrt((36 + 16 + 100) / 2 / 3))
    assert (found.better, found.worse, found.equal) == (1, 2, 0)
    assert compare([[20, 30, 41]], [[18, 32, 30]], KEPT).difference.value == 5 / 3


def test_pairing_with_other_numbers_of_repeats() -> None:
    # Scores 12 and 8 against 10 and 11 on average.
    found = compare([[24, 16]], [[20, 18], [20, 26]], ZEROED)
    assert found.difference.value == pytest.approx((2 - 3) / 2)
    assert found.difference.standard_error == pytest.approx(5 / 2)
    assert (found.better, found.worse) == (1, 1)


def test_a_single_deal_has_no_error() -> None:
    found = summarize([[4], [6]], ZEROED)
    assert found.score.value == 2.5
    assert math.isnan(found.score.standard_error)
    assert math.isnan(found.score.low)


@given(RUNS)
def test_summaries_against_the_definition(runs: list[list[int]]) -> None:
    found = summarize(runs, ZEROED)
    for mean, is_zeroed in ((found.kept, False), (found.zeroed, True)):
        scores = naive(runs, is_zeroed=is_zeroed)
        assert mean.value == pytest.approx(statistics.fmean(scores))
        if len(scores) > 1:
            error = statistics.stdev(scores) / math.sqrt(len(scores))
            assert mean.standard_error == pytest.approx(error, abs=1e-9)
            assert mean.low <= mean.value <= mean.high
    assert found.tally == Tally.of(ZEROED, [outcome for run in runs for outcome in run])


@given(RUNS)
def test_without_repeats_a_summary_is_a_tally(runs: list[list[int]]) -> None:
    found = summarize(runs[:1], KEPT)
    assert found.score.value == pytest.approx(found.tally.kept.mean)
    if found.games > 1:
        assert found.score.standard_error == pytest.approx(found.tally.kept.standard_error)


@given(RUNS)
def test_a_comparison_is_of_the_differences(runs: list[list[int]]) -> None:
    other = [run[::-1] for run in runs]
    found, back = compare(runs, other, ZEROED), compare(other, runs, ZEROED)
    assert found.difference.value == pytest.approx(0)
    assert (found.better, found.worse) == (back.worse, back.better)
    gains = [a - b for a, b in zip(*(naive(r, is_zeroed=True) for r in (runs, other)), strict=True)]
    if len(gains) > 1:
        error = statistics.stdev(gains) / math.sqrt(len(gains))
        assert found.difference.standard_error == pytest.approx(error, abs=1e-9)


def test_repeats_of_one_deal_add_no_certainty() -> None:
    once = summarize([[20, 40]], ZEROED)
    often = summarize([[20, 40]] * 100, ZEROED)
    assert often.score == once.score


@pytest.mark.parametrize(
    ("runs", "message"),
    [
        ([], "one or more"),
        ([[1], [2, 3]], "of the same deals"),
        ([[]], "no games"),
        ([[52]], "a score of 26 with 25 points at most"),
    ],
)
def test_what_cannot_be_summed_up(runs: list[list[int]], message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        summarize(runs, ZEROED)


def test_what_cannot_be_compared() -> None:
    with pytest.raises(InvalidInputError, match=r"2 deals cannot be paired with 1"):
        compare([[2, 4]], [[2]], ZEROED)
    with pytest.raises(InvalidInputError, match=r"confidence: 1.5 is not between"):
        summarize([[2]], ZEROED, confidence=1.5)


def test_blocks_of_deals_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules.official(3)
    runs = [[50, 40, 7, 20, 31, 12, 12], [48, 1, 7, 22, 30, 50, 3]]
    others = [[40, 42, 8, 20, 30, 12, 12]]
    whole = summarize(runs, rules), compare(runs, others, rules)
    monkeypatch.setattr("hanabi.lab.stats._BLOCK", 3)
    assert whole == (summarize(runs, rules), compare(runs, others, rules))
