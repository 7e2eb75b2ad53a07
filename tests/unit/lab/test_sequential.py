"""Stopping when a difference is clear: how seldom it errs, and how soon it stops."""

from __future__ import annotations

import numpy as np
import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.lab.stats import Comparison, Estimate, compare, deals_needed, summarize
from hanabi.lab.tournament import Goal, clear_at, deals_after, looks
from hanabi.rules import Rules

RULES = Rules.official(2)


def stops(gains: list[np.ndarray], most: int) -> list[int | None]:
    """Return for each comparison, all looked at together, at which look it was first clear."""
    first: list[int | None] = [None] * len(gains)
    for look, deals in enumerate(looks(most), start=1):
        seen = [compare([20 + each[:deals] << 1], [[40] * deals], RULES) for each in gains]
        for place, is_clear in enumerate(clear_at(look, seen)):
            if is_clear and first[place] is None:
                first[place] = look
    return first


def test_equal_players_are_seldom_told_apart() -> None:
    """Of 400 pairs of tables with three equal players each, at most one in twenty errs."""
    rng = np.random.default_rng(5)
    errors = sum(
        any(each is not None for each in stops([*rng.integers(-2, 3, (3, 3_200))], 3_200))
        for _ in range(400)
    )
    naive = 0  # who looks as often at 95 % intervals errs far more often
    for _ in range(400):
        gains = rng.integers(-2, 3, 3_200)
        naive += any(
            abs(gains[:deals].mean()) > 1.96 * gains[:deals].std(ddof=1) / deals**0.5
            for deals in looks(3_200)
        )
    assert errors <= 0.05 * 400 + 3 * (0.05 * 0.95 * 400) ** 0.5
    assert naive > 0.08 * 400


def test_a_clear_difference_stops_soon_and_has_its_sign() -> None:
    rng = np.random.default_rng(6)
    assert stops([rng.integers(-1, 3, 1_600)], 1_600) == [1]
    slight = stops([np.where(rng.random(12_800) < 0.2, 1, 0) * 1], 12_800)
    assert slight[0] is not None


def test_looks_end_where_they_must() -> None:
    assert [*looks(100)] == [100]
    assert [*looks(401)] == [100, 200, 400, 401]


def test_what_is_no_difference_is_never_clear() -> None:
    same = Comparison(Estimate(0.0, 0.0, 0.0, 0.0), better=0, worse=0, deals=500)
    one_deal = Comparison(Estimate(3.0, float("nan"), 0.0, 0.0), better=1, worse=0, deals=1)
    assert clear_at(1, [same, one_deal]) == [False, False]
    with pytest.raises(InvalidInputError, match="look 0"):
        clear_at(0, [same])


def test_an_interval_at_a_wanted_error_holds_the_mean() -> None:
    """Of 400 runs that stop at their error, some 95 % of the intervals hold the true mean."""
    rng = np.random.default_rng(7)
    goal, held, played = Goal(5_000, error=0.2), 0, []
    for _ in range(400):
        scores = np.minimum(rng.geometric(0.2, 5_000), 24)  # skewed, as many bad games are
        scores = 25 - scores
        deals: int | None = goal.first
        while deals is not None:
            seen = summarize([scores[:deals] << 1], RULES).score
            last, deals = deals, goal.after(deals, [seen.standard_error])
        played.append(last)
        assert seen.standard_error <= 0.2
        mean = 25 - sum(min(k, 24) * 0.2 * 0.8 ** (k - 1) for k in range(1, 200))
        held += seen.low <= mean <= seen.high
    assert 0.92 * 400 < held < 0.98 * 400
    exact = 4.33**2 / 0.2**2  # the variance of a score, over that of the mean
    assert exact < np.mean(played) < 1.25 * exact


def test_goals() -> None:
    assert (Goal(50, error=1.0).first, Goal(50).first, Goal(500, is_clear=True).first) == (
        50,
        50,
        100,
    )
    assert Goal(500).after(500, [9.0]) is None
    clear = Goal(500, is_clear=True)
    assert [clear.after(deals, []) for deals in (100, 200, 400, 500)] == [200, 400, 500, None]
    assert clear.after(100, [], is_clear=True) is None
    near = Goal(10_000, error=0.5)
    assert near.after(100, [0.5, 0.4]) is None
    assert near.after(100, [0.5, float("nan")]) == 10_000
    assert near.after(100, [0.51]) == 110
    assert deals_after(1, 10, 0.1, 0.2) == 2
    for wrong in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(InvalidInputError, match="cannot be reached"):
            Goal(5, error=wrong)
    with pytest.raises(InvalidInputError, match="not both"):
        Goal(5, error=1.0, is_clear=True)


def test_so_many_deals_show_the_difference() -> None:
    """With the deals that are said to be needed, four of five tests find it."""
    rng = np.random.default_rng(8)
    deals = deals_needed(3.0, 0.4)
    assert deals == 442
    gains = rng.normal(0.4, 3.0, (2_000, deals))
    reach = 1.96 * gains.std(axis=1, ddof=1) / deals**0.5
    found = np.mean(abs(gains.mean(axis=1)) > reach)
    assert 0.77 < found < 0.83
    assert deals_needed(0.0, 0.4) == 2
    assert deals_needed(3.0, -0.4) == 442
    assert deals_needed(3.0, 0.4, power=0.5) < 250
    for wrong in (0.0, float("nan"), float("inf")):
        with pytest.raises(InvalidInputError, match="is none"):
            deals_needed(3.0, wrong)
