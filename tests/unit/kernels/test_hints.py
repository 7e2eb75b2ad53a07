from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from hanabi.solvers.hints.kernels import (
    MOST_CARDS,
    NO_HAND,
    count_parts,
    partition_hand,
    scratch_size,
    start_scratch,
)
from oracles.hint_families import most_disjoint, safe_by_groups

Words = npt.NDArray[np.int64]
NO_LIMIT = np.zeros(0, np.int64)


def game_hints(colors: int, ranks: int) -> Words:
    """The hints that touch each card: one for its color, one for its rank."""
    return np.array(
        [1 << color | 1 << colors + rank for color in range(colors) for rank in range(ranks)]
    )


def new_scratch(touched: Words, hints: int) -> Words:
    scratch = np.full(scratch_size(touched.size, hints), -1, np.int64)
    start_scratch(touched, hints, scratch)
    return scratch


def random_hand(rng: np.random.Generator, identities: int) -> tuple[Words, Words]:
    """Cards of random density, some alike, some missing; few copies or many."""
    marks = rng.random((rng.integers(1, 6), identities)) < rng.uniform(0.05, 1)
    rows = (marks << np.arange(identities)).sum(axis=1)
    if rng.random() < 0.3:
        rows[-1] = rows[0]
    return rows, rng.integers(0, rng.integers(2, 5), identities)


def check(rows: Words, copies: Words, touched: Words, hints: int, scratch: Words) -> int:
    """Compare a partition with the oracle, and return its size."""
    limit = None if copies.size == 0 else copies.tolist()
    safe = safe_by_groups(rows.tolist(), limit, touched.tolist(), hints)
    parts = np.full(hints, -1, np.int64)
    size = partition_hand(rows, copies, scratch, parts)
    assert size == count_parts(rows, copies, scratch) == most_disjoint(safe)
    used = parts[: max(size, 0)]
    assert not parts[max(size, 0) :].any()
    assert safe[used].all()
    if size > 0:
        assert used.sum() == np.bitwise_or.reduce(used) == (1 << hints) - 1
    return int(size)


@pytest.mark.parametrize(("colors", "ranks"), [(1, 1), (2, 3), (3, 3), (3, 4), (5, 5)])
def test_hands_of_games(colors: int, ranks: int) -> None:
    rng = np.random.default_rng(colors)
    touched = game_hints(colors, ranks)
    scratch = new_scratch(touched, colors + ranks)
    sizes = []
    for _ in range(25):
        rows, copies = random_hand(rng, touched.size)
        sizes += [
            check(rows, limit, touched, colors + ranks, scratch) for limit in (NO_LIMIT, copies)
        ]
    assert len(set(sizes)) > 1


@pytest.mark.parametrize("hints", [1, 2, 5, 6, 7, 9])
def test_identities_touched_by_any_hints(hints: int) -> None:
    rng = np.random.default_rng(hints)
    touched = rng.integers(1, 1 << hints, 12)
    scratch = new_scratch(touched, hints)
    for _ in range(20):
        rows, copies = random_hand(rng, touched.size)
        check(rows, NO_LIMIT, touched, hints, scratch)
        check(rows, copies, touched, hints, scratch)


def test_the_largest_hand_and_the_most_hints() -> None:
    rng = np.random.default_rng(1)
    touched = game_hints(6, 6)
    scratch = new_scratch(touched, 12)
    rows = (1 << rng.integers(0, 36, (MOST_CARDS, 4))).sum(axis=1) | 1
    check(rows, np.full(36, 1), touched, 12, scratch)
    # Nine copies for eight cards: two of every color at the least.
    assert (
        check(
            np.full(MOST_CARDS, 0b111),
            np.array([3] * 3),
            1 << np.arange(3),
            3,
            new_scratch(1 << np.arange(3), 3),
        )
        == 3
    )


def test_cards_in_another_order_give_the_same_parts() -> None:
    rng = np.random.default_rng(2)
    touched = game_hints(3, 3)
    scratch, other = new_scratch(touched, 6), new_scratch(touched, 6)
    parts, again = np.zeros(6, np.int64), np.zeros(6, np.int64)
    for _ in range(25):
        rows, copies = random_hand(rng, touched.size)
        size = partition_hand(rows, copies, scratch, parts)
        turned = np.concatenate([rows[::-1], np.zeros(1, np.int64)])
        assert partition_hand(turned, copies, other, again) == size
        assert (parts == again).all()


def test_no_cards_no_parts_and_no_copies_no_hand() -> None:
    touched = 1 << np.arange(2)
    scratch = new_scratch(touched, 2)
    assert count_parts(np.zeros(3, np.int64), np.array([1, 1]), scratch) == 0
    assert count_parts(np.array([1, 1]), np.array([1, 1]), scratch) == NO_HAND
    assert count_parts(np.array([3, 1]), np.array([0, 1]), scratch) == NO_HAND
    assert count_parts(np.array([3, 3, 3]), np.array([1, 1]), scratch) == NO_HAND
