from __future__ import annotations

import random
import re
import subprocess
import sys

import numpy as np
import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.rules.cards import Card
from hanabi.solvers.hints import (
    Partition,
    Possibilities,
    PossibilityTable,
    find_partition,
    verify_partition,
)
from hanabi.solvers.hints.partition import partition_many


def test_empty_hints_make_every_hint_a_part() -> None:
    table = PossibilityTable.plain(3, [[0, 1]])
    partition = find_partition(table, empty_hints=True)
    assert partition.parts == ((0,), (1,), (2,))
    assert verify_partition(table, partition, empty_hints=True) is None
    assert verify_partition(table, partition) == "part 1: cards none can avoid it"


def test_a_hand_without_cards_has_no_hints_but_empty_ones() -> None:
    table = PossibilityTable.plain(2, [])
    assert find_partition(table) == Partition((), (), 0)
    assert verify_partition(table, find_partition(table)) is None
    assert find_partition(table, empty_hints=True).size == 2


def test_scarce_cards_allow_more_parts_than_rows() -> None:
    # One red card is left for three cards: two of them are of their other color.
    table = PossibilityTable.plain(4, [[0, 1], [0, 2], [0, 3]], unseen=[1, 3, 3, 3])
    partition = find_partition(table)
    assert partition.size == 2
    assert [len(cards) for cards in partition.reasons] == [1, 2]
    assert find_partition(table, by_rows=True).size == 1
    assert verify_partition(table, partition, by_rows=True) is not None


@pytest.mark.parametrize(
    ("parts", "reasons", "message"),
    [
        (((0,), (1,)), ((0,), (1,)), "exactly once"),
        (((0, 1), (1, 2)), ((0,), (1,)), "exactly once"),
        (((0, 1), (2,)), ((0,),), "1 reasons for 2 parts"),
        (((), (0, 1, 2)), ((0,), (0,)), "part 1: it is empty"),
        (((0, 1), (2,)), ((0,), (2,)), r"part 2: \(2,\) are no cards"),
        (((0, 1), (2,)), ((0,), (1, 1)), "part 2: .* are no cards"),
        (((0, 2), (1,)), ((0,), (1,)), "part 1: cards 1 can avoid it"),
        (((0, 1), (2,)), ((0,), ()), "part 2: cards none can avoid it"),
    ],
)
def test_the_checker_refuses(
    parts: tuple[tuple[int, ...], ...], reasons: tuple[tuple[int, ...], ...], message: str
) -> None:
    table = PossibilityTable.plain(3, [[0, 1], [2]])
    verdict = verify_partition(table, Partition(parts, reasons, 2))
    assert verdict is not None
    assert re.search(message, verdict)


def test_the_checker_counts_copies() -> None:
    table = PossibilityTable.plain(2, [[0, 1], [0, 1]], unseen=[1, 2])
    assert verify_partition(table, Partition(((0, 1),), ((0,),), 1)) is None
    verdict = verify_partition(table, Partition(((0,), (1,)), ((0, 1), (0, 1)), 2))
    assert verdict == "part 1: cards 1, 2 can avoid it"


def test_both_kinds_of_hints_together_can_allow_more_than_each_by_itself() -> None:
    red_or_five = (Card(0, 1), Card(0, 2), Card(1, 5))
    yellow = (Card(1, 1), Card(1, 3))
    hand = Possibilities(2, 5, (red_or_five, yellow), ((3, 2, 2, 2, 1),) * 2)
    sizes = [find_partition(hand.table(side)).size for side in ("colors", "ranks", "joint")]
    assert sizes == [1, 1, 3]


def test_a_large_table_is_solved_by_branch_and_bound() -> None:
    rng = random.Random(1)
    # A hidden packing of 60 rows of 5 among 240 others that cross it.
    order = rng.sample(range(300), 300)
    rows = [order[first : first + 5] for first in range(0, 300, 5)]
    rows += [rng.sample(range(300), 9) for _ in range(240)]
    table = PossibilityTable.plain(300, rows)
    partition = find_partition(table)
    assert partition.size == partition.upper == 60
    assert verify_partition(table, partition) is None


def test_a_spent_budget_gives_an_interval() -> None:
    rng = random.Random(2)
    table = PossibilityTable.plain(60, [rng.sample(range(60), 4) for _ in range(150)])
    partition = find_partition(table, nodes=5)
    assert partition.size < partition.upper
    assert not partition.is_maximum
    assert verify_partition(table, partition) is None


def test_bulk_refuses_wrong_shapes() -> None:
    rows = np.ones((1, 3), np.int64)
    for options, message in (
        ({"hints": 0}, "hints = 0"),
        ({"hints": 13}, "hints = 13"),
        ({"hints": 2, "unseen": np.ones((1, 3), np.int64)}, "unseen: shape"),
        ({"hints": 2, "touched": np.ones((1, 3), np.int64)}, "touched: shape"),
        ({"hints": 2, "touched": np.array([4])}, "touched: a mask has bits"),
    ):
        with pytest.raises(InvalidInputError, match=message):
            partition_many(rows, **options)
    with pytest.raises(InvalidInputError, match="rows: shape"):
        partition_many(np.ones((1, 9), np.int64), hints=2)
    with pytest.raises(InvalidInputError, match="rows: a mask has bits"):
        partition_many(rows * 4, hints=2)


def test_bulk_skips_slots_without_a_card_and_names_tables_without_a_hand() -> None:
    rows = np.array([[0, 3, 0], [1, 1, 0], [0, 0, 0]])
    sizes, parts = partition_many(rows, hints=2, unseen=np.array([[1, 1]] * 3))
    assert sizes.tolist() == [1, -1, 0]
    assert parts.tolist() == [[3, 0], [0, 0], [0, 0]]


def test_importing_and_solving_stays_light() -> None:
    script = (
        "import sys; from hanabi.solvers.hints import PossibilityTable, find_partition;"
        "find_partition(PossibilityTable.plain(2, [[0, 1]]));"
        "sys.exit('numpy' in sys.modules or 'numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
