"""What [ODwyer2018] prints."""

from __future__ import annotations

from itertools import combinations

from hanabi.solvers.hints import find_partition, parse_table, verify_partition
from hanabi.solvers.hints.partition import Partition

POST = """
       Red White Yellow Green Blue
Newest   1     1      1     1    .
         .     1      1     .    .
         .     .      1     1    .
Oldest   1     .      .     .    .
"""


def test_the_example() -> None:
    table = parse_table(POST)
    assert table.rows == ((0, 1, 2, 3), (1, 2), (2, 3), (0,))
    partition = find_partition(table)
    assert partition.size == partition.upper == 2
    assert verify_partition(table, partition) is None


def test_the_printed_partitions_hold() -> None:
    table = parse_table(POST)
    for parts, reasons in (
        (((0, 1, 2, 3, 4),), ((3,),)),
        (((0, 4), (1, 2, 3)), ((3,), (1,))),
        (((0, 4), (1, 2, 3)), ((3,), (2,))),
    ):
        assert verify_partition(table, Partition(parts, reasons, 2)) is None


def test_the_reduction_to_disjoint_rows_over_all_subsets() -> None:
    # 2^4 subsets of 4 rows; "24" in print has lost its exponent.
    table = parse_table(POST)
    subsets = [each for size in range(5) for each in combinations(table.rows, size)]
    assert len(subsets) == 16
    disjoint = [each for each in subsets if len(set().union(*each)) == sum(map(len, each))]
    assert max(map(len, disjoint)) == find_partition(table).size
