"""Hint partitions: hands a second, compiled and in plain Python; and large tables by two methods.

The hands are those of all seats in all positions of games with three players, by public knowledge:
of random play, and of the rule-based player of [Bergh2016]. "colors" and "ranks" are their
projections (5 hints); "joint" has both kinds of hints over the possible cards (10 hints). "rows"
ignores the unseen copies, "copies" uses them. "parts" is the mean number of parts, "more" the share
of hands where the copies allow more parts than the rows. Times are processor time, rates the best
of several runs.

Large tables are by rows, with random rows: "size" is the partition found, "most" the proved bound.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from time import process_time

import numpy as np
import numpy.typing as npt

from hanabi.ground.errors import SolverError
from hanabi.ground.rng import Stream
from hanabi.players import Player, RandomLegal, RuleBased
from hanabi.rules import Game, Rules
from hanabi.solvers.hints import Possibilities, PossibilityTable, find_partition, possibilities_of
from hanabi.solvers.hints.partition import METHODS, Method, partition_many

Words = npt.NDArray[np.int64]

_GAMES = 40
_HANDS = 40_000
_PLAIN = 150
_REPEATS = 5
_NODES = 3_000
_SECONDS = 5.0


def hands_of_games(player: Player, games: int = _GAMES, seats: int = 3) -> list[Possibilities]:
    """Return the public knowledge of every hand before every move of some games."""
    rules = Rules.hle(seats)
    found = []
    for index in range(games):
        stream = Stream(7, index)
        game = Game.start(rules, rules.spec.shuffle(seed=7, index=index))
        while not game.is_over:
            view = game.view(game.seat_to_act)
            found += [possibilities_of(view, seat) for seat in range(seats)]
            game = game.apply(player.act(view, stream))
    return found


def pack_tables(
    tables: list[PossibilityTable], identities: Sequence[tuple[int, ...]]
) -> tuple[Words, ...]:
    """Return rows, touched and unseen as `partition_many` takes them."""
    bit = {hints: index for index, hints in enumerate(identities)}
    rows = np.zeros((len(tables), 5), np.int64)
    unseen = np.zeros((len(tables), len(identities)), np.int64)
    for number, table in enumerate(tables):
        for card, row in enumerate(table.rows):
            rows[number, card] = sum(1 << bit[table.touched[each]] for each in row)
        if table.unseen is not None:
            for hints, count in zip(table.touched, table.unseen, strict=True):
                unseen[number, bit[hints]] = count
    touched = np.array([sum(1 << hint for hint in hints) for hints in identities], np.int64)
    return rows, touched, unseen


def _plain_rate(tables: Sequence[PossibilityTable], *, by_rows: bool) -> float:
    start = process_time()
    for table in tables:
        find_partition(table, by_rows=by_rows)
    return len(tables) / (process_time() - start)


def _rate(rows: Words, touched: Words, unseen: Words | None, hints: int) -> tuple[float, Words]:
    """Return hands a second, and the numbers of parts."""
    best = 0.0
    for _ in range(_REPEATS):
        start = process_time()
        sizes, _ = partition_many(rows, hints=hints, touched=touched, unseen=unseen)
        best = max(best, rows.shape[0] / (process_time() - start))
    return best, sizes


def _line(name: str, tables: list[PossibilityTable], identities: Sequence[tuple[int, ...]]) -> None:
    rows, touched, unseen = pack_tables(tables, identities)
    times = -(-_HANDS // len(tables))
    rows, unseen = np.tile(rows, (times, 1)), np.tile(unseen, (times, 1))
    hints = tables[0].hints
    sizes = {}
    for mode, limit in (("rows", None), ("copies", unseen)):
        _rate(rows[:1], touched, None if limit is None else unseen[:1], hints)
        fast, sizes[mode] = _rate(rows, touched, limit, hints)
        some = tables[:: max(1, len(tables) // _PLAIN)]
        plain = _plain_rate(some, by_rows=mode == "rows")
        more = float(np.mean(sizes[mode] > sizes["rows"]))
        print(
            f"{name:8}{mode:8}{fast:12,.0f}{plain:10,.0f}{fast / plain:8,.0f}"
            f"{sizes[mode].mean():8.3f}{more:8.3f}"
        )


def _large_tables() -> list[tuple[str, PossibilityTable]]:
    rng = random.Random(5)
    found = []
    for rows, hints, least, most in (
        (200, 200, 1, 5),
        (300, 100, 3, 3),
        (400, 150, 4, 4),
        (500, 300, 2, 8),
    ):
        cards = [rng.sample(range(hints), rng.randint(least, most)) for _ in range(rows)]
        name = f"{rows} rows of {least}-{most} of {hints}"
        found.append((name, PossibilityTable.plain(hints, cards)))
    return found


def _solve(table: PossibilityTable, method: Method) -> str:
    start = process_time()
    try:
        if method == "search":
            partition = find_partition(table, nodes=_NODES)
        else:
            partition = find_partition(table, method=method, seconds=_SECONDS)
    except SolverError:
        return f"{'not installed':>22}"
    return f"{partition.size:>7}{partition.upper:>7}{process_time() - start:8.2f}"


def main() -> None:
    plain = [(hint,) for hint in range(5)]
    cards = [(color, 5 + rank) for color in range(5) for rank in range(5)]
    for player in (RandomLegal(), RuleBased()):
        hands = hands_of_games(player)
        print(f"{len(hands):,} hands of {type(player).__name__}")
        print(
            f"{'hints':8}{'mode':8}{'hands/s':>12}{'Python':>10}{'ratio':>8}{'parts':>8}{'more':>8}"
        )
        _line("colors", [hand.projection("colors") for hand in hands], plain)
        _line("ranks", [hand.projection("ranks") for hand in hands], plain)
        _line("joint", [hand.table("joint") for hand in hands], cards)
    print(f"{'large table':24}" + "".join(f"{method:>22}" for method in METHODS))
    print(" " * 24 + f"{'size':>7}{'most':>7}{'s':>8}" * len(METHODS))
    for name, table in _large_tables():
        print(f"{name:24}" + "".join(_solve(table, method) for method in METHODS))


if __name__ == "__main__":
    main()
