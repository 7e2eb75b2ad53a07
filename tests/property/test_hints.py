"""Hint partitions: what holds for every table."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi.solvers.hints import PossibilityTable, find_partition, verify_partition
from hanabi.solvers.hints.packing import NodeBudget, pack, packing_bound


@st.composite
def tables(draw: st.DrawFn) -> PossibilityTable:
    hints = draw(st.integers(1, 7))
    row = st.sets(st.integers(0, hints - 1), min_size=1)
    rows = draw(st.lists(row, min_size=1, max_size=6))
    copies = st.lists(st.integers(2, 6), min_size=hints, max_size=hints)
    unseen = draw(st.none() | copies)
    if unseen is not None and sum(unseen) < 6 * 2:
        unseen = [max(count, len(rows)) for count in unseen]
    return PossibilityTable.plain(hints, [sorted(each) for each in rows], unseen=unseen)


def fits(table: PossibilityTable) -> bool:
    return table.unseen is None or min(table.unseen) >= len(table.rows)


@given(tables(), st.booleans(), st.integers(0, 60))
@settings(max_examples=150)
def test_a_budget_gives_a_valid_partition_and_bound(
    table: PossibilityTable, by_rows: bool, nodes: int
) -> None:
    if not fits(table):
        table = replace(table, unseen=tuple(len(table.rows) for _ in range(table.hints)))
    short = find_partition(table, by_rows=by_rows, nodes=nodes)
    full = find_partition(table, by_rows=by_rows)
    assert verify_partition(table, short, by_rows=by_rows) is None
    assert short.size <= full.size == full.upper <= short.upper


@given(tables())
@settings(max_examples=80)
def test_knowing_more_never_allows_fewer_parts(table: PossibilityTable) -> None:
    table = replace(table, unseen=None)
    narrowed = replace(table, rows=(table.rows[0][:1], *table.rows[1:]))
    assert find_partition(narrowed).size >= find_partition(table).size


@given(st.lists(st.integers(1, 2**10 - 1), max_size=14))
@settings(max_examples=150)
def test_packing_is_exact(sets: list[int]) -> None:
    best = {0: 0}
    for each in sets:
        for used, count in list(best.items()):
            if not used & each:
                best[used | each] = max(best.get(used | each, 0), count + 1)
    chosen, upper = pack(sets, NodeBudget(10_000))
    assert len(chosen) == upper == max(best.values())
    assert set(chosen) <= set(sets)
    assert packing_bound(sets) >= upper
    used = 0
    for each in chosen:
        assert not used & each
        used |= each
