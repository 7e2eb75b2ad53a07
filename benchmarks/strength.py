"""Strength of the best players, and the gain of each of their parts.

``python -m benchmarks.strength [--deals N] [--store FILE] [--markdown] ...``: hanab.live's rules,
so a bombed game scores 0 and a hint must touch a card. All players of a table have the same deals.
Differences are paired, on as many deals as the row has. With a store, a rerun continues where the
last run stopped, even if it was killed. The seed had no part in making the players, with one
exception: its first 200 deals chose how often `belief` uses each world.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from typing import NamedTuple

from hanabi.ground.tables import markdown_table, text_table
from hanabi.lab import Job, Progress, Simulation, Store, key_of, open_executor, outcomes, run
from hanabi.lab.stats import compare, summarize
from hanabi.rules import Rules

_SEED = 20_261_121
BELIEF_DEALS = 4503  # about six seconds each
SEARCH_DEALS = 1800  # about one
_HEADER = ("seats", "player", "deals", "mean", "perfect", "bombed", "ms/game", "less the first")
PUBLIC = {
    2: "fireflower 23.37 / 52.6 % (22.56 if a bombed game scores 0), SmartBot 23.09",
    3: "hanabi.rs 24.79 / 84.5 %",
    4: "hanabi.rs 24.94 / 95.1 %",
    5: "hanabi.rs 24.92 / 94.0 %, deltahanabi 24.95 / 95.9 %",
}
"""The best public players written by hand: mean and perfect games, by their authors' rules."""
SEARCHED = (
    "search over beliefs, published: SPARTA on SAD 24.61 / 75.5 %, on SmartBot 24.46 / 64.8 %;"
    " MDS 24.62"
)
"""Published searches for two seats; SmartBot is written by hand, the rest learned."""


class Row(NamedTuple):
    """A player at a table; the other rows are compared with the first."""

    label: str
    player: str
    most: int | None = None
    """Most deals: a row that takes seconds a game is compared on the first deals only."""
    is_best: bool = False
    """Whether it is printed with the first rows."""


_ENDGAME = "endgame:budget=30,samples=10,deck=6/"
_THROUGHOUT = "endgame:budget=100,samples=200,deck=25/information"
_PARTS = (
    Row("no endgame search", "information"),
    Row("exact endgame search only", "endgame:budget=30,deck=3/information"),
    Row("messages by partition", "information:partition=2"),
    Row("one message a kind and seat", "information:messages=1"),
    Row("sums modulo powers of two", "information:exact=no"),
    Row("silent discards", "information:discards=no"),
    Row("silent plays", "information:plays=no"),
)
TABLES: dict[int, tuple[Row, ...]] = {
    2: (
        Row("convention, endgame", "endgame:budget=20,samples=20,deck=5/convention"),
        Row("convention, search over beliefs", "belief/convention", BELIEF_DEALS, is_best=True),
        Row("no endgame search", "convention"),
        Row("exact endgame search only", "endgame:budget=20,deck=5/convention"),
        Row("oldest card goes first", "convention:newest=no"),
        Row("plays before saves", "convention:saves=no"),
        Row("ranks call no plays", "convention:plays=no"),
        Row("ranks call no discards", "convention:discards=no"),
        Row("colors call what they touch", "convention:aside=no"),
        Row("information", "information"),
    ),
    **{
        seats: (
            Row("information, endgame", _ENDGAME + "information"),
            Row("searched from the first turn", _THROUGHOUT, SEARCH_DEALS, is_best=True),
            *_PARTS,
        )
        for seats in (3, 4, 5)
    },
}


def _job(row: Row, rules: Rules, deals: int) -> Job:
    return Job(Simulation((row.player,), rules, _SEED), min(deals, row.most or deals))


def lines(store: Store, deals: int, seats: int, rows: tuple[Row, ...]) -> Iterator[list[str]]:
    """Yield the cells of the finished rows of one table."""
    rules = Rules.hanab_live(seats)
    seconds = {each.key: each.seconds / each.items for each in store.works() if each.items}
    for row in rows:
        job = _job(row, rules, deals)
        played = outcomes(store, job)
        summary = summarize([played], rules)
        less = ""
        if row is not rows[0]:
            first = outcomes(store, Job(_job(rows[0], rules, deals).work, job.items))
            difference = compare([played], [first], rules).difference
            less = f"{difference.value:+.4f} +- {difference.standard_error:.4f}"
        yield [
            str(seats),
            row.label,
            f"{job.items:,}",
            f"{summary.score.value:.4f} +- {summary.score.standard_error:.4f}",
            f"{summary.perfect:.2%}",
            str(summary.tally.n_bombed),
            f"{1000 * seconds[key_of(job.work)]:.2f}",
            less,
        ]


def _show(progress: Progress) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[2K{progress}" if progress.left else "\r\x1b[2K")


def main(arguments: list[str] | None = None) -> None:
    """Print the tables; by default for few deals, as a demonstration."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--seats", type=int, nargs="*", choices=tuple(TABLES), default=[*TABLES])
    parser.add_argument("--best", action="store_true", help="only the best rows of each table")
    parser.add_argument("--store", help="file that keeps results; by default none")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--executor", default="threads", help="or processes, or dask://host:port")
    parser.add_argument("--workers", type=int)
    options = parser.parse_args([] if arguments is None else arguments)
    tables = {
        seats: (rows[0], *(row for row in rows if row.is_best)) if options.best else rows
        for seats, rows in TABLES.items()
        if seats in options.seats
    }
    plan = [
        _job(row, Rules.hanab_live(seats), options.deals)
        for seats, rows in tables.items()
        for row in rows
    ]
    with contextlib.closing(
        Store.memory() if options.store is None else Store(options.store)
    ) as store:
        with open_executor(options.executor, options.workers) as pool:
            run(plan, store, executor=pool, progress=_show)
        write = markdown_table if options.markdown else text_table
        for seats, rows in tables.items():
            print(f"{seats} players, {options.deals:,} deals; public: {PUBLIC[seats]}\n")
            if seats == 2:
                print(SEARCHED, end="\n\n")
            print(write(_HEADER, lines(store, options.deals, seats, rows), left=(1,)), end="\n\n")


if __name__ == "__main__":
    main(sys.argv[1:])
