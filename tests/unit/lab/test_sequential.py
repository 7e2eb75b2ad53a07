"""Stopping when a difference is clear: how seldom it errs, and how soon it stops."""

from __future__ import annotations

import numpy as np
import pytest

from hanabi.errors import InvalidInputError
from hanabi.game import Rules
from hanabi.lab.stats import Comparison, Estimate, compare
from hanabi.lab.tournament import clear_at, looks

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
