"""The paper's dynamic program: sizes, the printed slip, refusals, and the way back to a play."""

from __future__ import annotations

from math import comb

import pytest

from hanabi.ground.errors import SolverError
from hanabi.ground.verdict import Status
from hanabi.rules.cards import Card
from hanabi.solitaire import Instance, find_broken_rule
from hanabi.solitaire.table import columns, entries, solve


@pytest.mark.parametrize(("n", "c", "h"), [(1, 1, 0), (3, 1, 2), (2, 3, 1), (3, 3, 2), (2, 2, 9)])
def test_entries_counts_what_the_table_holds(n: int, c: int, h: int) -> None:
    instance = Instance(h, [], n=n, c=c)
    [base] = columns(instance)
    assert entries(instance) == sum(len(row) for row in base.values())
    assert entries(instance) == sum(comb(n * c, i) for i in range(h + 1)) * (n + 1) ** (c - 1)


def test_base_has_one_entry() -> None:
    [base] = columns(Instance(1, [], n=2, c=2))
    assert base.pop(()) == [0, -1, -1]
    assert all(set(row) == {-1} for row in base.values())


def test_printed_lemma_counts_a_card_twice() -> None:
    """E2: (2)(1) with one card in hand."""
    last = list(columns(Instance(1, [(0, 2), (0, 1)])))[2]
    assert last[(Card(0, 2),)] == [2]  # the truth is 1: the 2 cannot be played and held
    assert last[()] == [2]


def test_slides_example_is_won_with_one_card() -> None:
    values = [3, 1, 2, 4, 6, 2, 5, 4, 1, 6, 5, 3]
    for hand_size, status in ((0, Status.UNWINNABLE), (1, Status.WINNABLE), (2, Status.WINNABLE)):
        instance = Instance(hand_size, [(0, value) for value in values])
        verdict = solve(instance)
        assert verdict.status is status
        assert verdict.method == "table"
        if verdict.witness is not None:
            assert find_broken_rule(instance, verdict.witness) is None


def test_most_cards_are_reported_when_lost() -> None:
    verdict = solve(Instance(1, [(0, 3), (0, 2), (0, 1), (1, 1), (1, 2), (1, 3)]))
    assert verdict.status is Status.UNWINNABLE
    assert (verdict.lower, verdict.upper) == (5, 5)
    assert verdict.witness is None
    assert verdict.reason == "at most 5 of 6 cards can be played"


@pytest.mark.parametrize("instance", [Instance(0, []), Instance(3, [], n=0, c=2)])
def test_nothing_to_build_is_won(instance: Instance) -> None:
    verdict = solve(instance)
    assert verdict.status is Status.WINNABLE
    assert verdict.witness is not None
    assert len(verdict.witness) == 0


def test_too_large_a_table_is_refused_with_the_size() -> None:
    instance = Instance(2, [(k, v) for v in (3, 2, 1) for k in range(3)])
    with pytest.raises(SolverError, match=r"about 9\.\de\+04 bytes: more than 10000"):
        solve(instance, memory=10_000)
    assert solve(instance, memory=200_000).status is Status.UNWINNABLE
