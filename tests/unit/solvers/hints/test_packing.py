from __future__ import annotations

import json
import random
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest

from hanabi.front.app import main
from hanabi.ground.errors import InvalidInputError, MissingPackageError
from hanabi.solvers.hints import PossibilityTable, find_partition, verify_partition
from hanabi.solvers.hints.packing import (
    NodeBudget,
    minimal_sets,
    pack,
    pack_by_cp_sat,
    packing_bound,
    reduce_sets,
    split_sets,
)
from hanabi.solvers.hints.partition import METHODS, Method


def most(sets: list[int]) -> int:
    """The most disjoint sets, one after the other taken or left."""
    if not sets:
        return 0
    first, *rest = sets
    return max(most(rest), 1 + most([each for each in rest if not each & first]))


def random_sets(rng: random.Random) -> list[int]:
    elements = rng.randint(1, 14)
    return [
        sum(1 << each for each in rng.sample(range(elements), rng.randint(1, min(elements, 4))))
        for _ in range(rng.randint(1, 14))
    ]


def test_every_step_keeps_the_most_disjoint_sets() -> None:
    rng = random.Random(3)
    for _ in range(300):
        sets = random_sets(rng)
        wanted = most(sets)
        reduced = reduce_sets(sets)
        groups = split_sets(list(reduced))
        assert most(list(reduced)) == sum(map(most, groups)) == wanted
        assert sorted(each for group in groups for each in group) == sorted(reduced)
        for first, second in combinations(groups, 2):
            assert not any(a & b for a in first for b in second)
        for small, original in reduced.items():
            assert original in sets
            assert small & original == small
        for (a, x), (b, y) in combinations(reduced.items(), 2):
            assert bool(a & b) == bool(x & y)
        assert min(packing_bound(sets), packing_bound(list(reduced))) >= wanted
        chosen, upper = pack(sets, NodeBudget(1_000))
        assert len(chosen) == upper == wanted
        assert sum(chosen).bit_count() == sum(each.bit_count() for each in chosen)
        assert set(chosen) <= set(sets)


def intervals(rng: random.Random) -> list[int]:
    return [((1 << rng.randint(3, 10)) - 1) << rng.randrange(190) for _ in range(400)]


def test_the_bound_is_exact_for_intervals() -> None:
    # Their packing is an integer program with a totally unimodular matrix.
    sets = intervals(random.Random(1))
    end, best = 0, 0
    for each in sorted(sets, key=int.bit_length):
        if each >> end << end == each:
            end, best = each.bit_length(), best + 1
    chosen, upper = pack(sets, NodeBudget(20))
    assert len(chosen) == upper == best


def lines(order: int) -> list[int]:
    """The lines of an affine plane over a prime, but the vertical ones."""
    return [
        sum(1 << x * order + (slope * x + shift) % order for x in range(order))
        for slope in range(order)
        for shift in range(order)
    ]


def test_structured_tables_of_hundreds_of_rows() -> None:
    grid = [3 << 20 * y + x for x in range(19) for y in range(20)]
    grid += [1 << 20 * y + x | 1 << 20 * y + x + 20 for x in range(20) for y in range(19)]
    for sets, wanted in ((lines(7), 7), (lines(17), 17), (grid, 200)):
        chosen, upper = pack(sets, NodeBudget(200))
        assert len(chosen) == upper == wanted


def random_table(rng: random.Random, hints: int, rows: int, most: int) -> PossibilityTable:
    return PossibilityTable.plain(
        hints, [rng.sample(range(hints), rng.randint(1, most)) for _ in range(rows)]
    )


def test_a_large_random_table_is_proved() -> None:
    table = random_table(random.Random(5), 200, 200, 5)
    partition = find_partition(table, nodes=200)
    assert partition.is_maximum
    assert verify_partition(table, partition) is None


@pytest.mark.parametrize("method", METHODS)
def test_methods_agree(method: Method) -> None:
    rng = random.Random(6)
    for _ in range(12):
        table = random_table(rng, 9, rng.randint(3, 8), 4)
        for unseen in (None, tuple(rng.randint(2, 4) for _ in range(9))):
            table = PossibilityTable.plain(9, table.rows, unseen=unseen)
            try:
                wanted = find_partition(table)
            except InvalidInputError:
                continue
            partition = find_partition(table, method=method, seconds=600)
            assert partition.size == partition.upper == wanted.size
            assert verify_partition(table, partition) is None


def test_cp_sat_proves_what_the_search_leaves_open() -> None:
    rng = random.Random(5)
    table = PossibilityTable.plain(100, [rng.sample(range(100), 3) for _ in range(160)])
    partition = find_partition(table, method="cp-sat", seconds=600)
    short = find_partition(table, nodes=20)
    assert partition.is_maximum
    assert verify_partition(table, partition) is None
    assert short.size <= partition.size <= short.upper


@pytest.mark.parametrize("method", METHODS)
def test_no_time_still_gives_a_partition(method: Method) -> None:
    table = random_table(random.Random(7), 120, 300, 6)
    partition = find_partition(table, method=method, seconds=0)
    assert verify_partition(table, partition) is None
    assert 1 <= partition.size <= partition.upper
    scarce = PossibilityTable.plain(12, [range(12)] * 8, unseen=[2] * 12)
    short = find_partition(scarce, method=method, seconds=0)
    assert verify_partition(scarce, short) is None


def test_cp_sat_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ortools", "ortools.sat", "ortools.sat.python"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingPackageError, match=r"pip install '\.\[packing\]'"):
        pack_by_cp_sat([1], seconds=1)


def test_budgets_and_methods_that_are_none() -> None:
    table = PossibilityTable.plain(1, [[0]])
    for options, message in (
        ({"method": "magic"}, "method 'magic' is not one of search, cp-sat"),
        ({"nodes": -1}, "nodes = -1"),
        ({"seconds": -0.5}, "seconds = -0.5"),
        ({"seconds": float("nan")}, "seconds = nan"),
    ):
        with pytest.raises(InvalidInputError, match=message):
            find_partition(table, **options)


def test_the_command_takes_a_method_and_a_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.json"
    rows = random_table(random.Random(8), 120, 300, 6).rows
    path.write_text(json.dumps({"colors": 120, "rows": rows}))
    sizes = []
    for options in (["--time", "0"], ["--method", "cp-sat", "--time", "600"]):
        assert main(["partition", str(path), "--json", *options]) == 0
        answer = json.loads(capsys.readouterr().out)
        sizes.append((answer["size"], answer.get("upper", answer["size"])))
    assert sizes[0][0] <= sizes[1][0] <= sizes[1][1]
    assert sizes[0][1] >= sizes[1][0]
    assert main(["partition", str(path), "--method", "magic"]) == 2


def test_minimal_sets_are_the_smallest_first() -> None:
    assert minimal_sets([7, 3, 3, 12, 4]) == [4, 3]


def test_cp_sat_leaves_interrupts_as_they_were() -> None:
    """OR-Tools takes them over while it works, and would leave them to end the process."""
    script = (
        "import signal\n"
        "from hanabi.solvers.hints.packing import pack_by_cp_sat\n"
        "pack_by_cp_sat([1, 2, 3], seconds=10)\n"
        "try:\n    signal.raise_signal(signal.SIGINT)\n"
        "except KeyboardInterrupt:\n    print('heard')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "heard\n", "")
