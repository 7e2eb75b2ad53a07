"""A public bot's row beside ours, on our deals: average, perfect games, bombs, speed.

``python -m benchmarks.ladder "process:COMMAND" [PLAYER ...]``: the command is a bot that is checked
out on this machine and speaks our protocol (docs/bots.md), perhaps through a small wrapper of your
own. More players may be named, ours or others; by default the best of ours. All play the same deals
(``--seats``, ``--games``, ``--seed``) under hanab.live's rules, so nobody has luckier cards.

Averages are given with their standard errors, and for both scorings of a bombed game: keeping its
points, as the tables of some bots do, and scoring 0. The last column is the paired difference from
the first row, by the second scoring. Games a second are those of one worker. ``--store`` keeps
finished games, so that a slow bot can be measured on many days; ``--forfeit`` goes on if it fails.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from hanabi.ground.tables import markdown_table, text_table
from hanabi.lab import Job, Progress, Simulation, Store, key_of, open_executor, outcomes, run
from hanabi.lab.stats import Estimate, compare, summarize
from hanabi.players import Player, parse_player
from hanabi.players.process import PREFIX, SECONDS, with_terms
from hanabi.rules import Rules

_SAMPLE = Path(__file__).parents[1] / "docs" / "bots" / "first_bot.py"
_OURS = {2: ("convention",), 3: ("information",), 4: ("information",), 5: ("information",)}
_WIDEST = 36
_HEADER = (
    "player", "games", "kept", "scored 0", "perfect", "bombed", "games/s", "less the first",
)  # fmt: skip


def seated(text: str, seconds: float | None, *, forfeits: bool) -> str | Player:
    """Return a player, a program with its terms."""
    if not text.startswith(PREFIX):
        return text
    return with_terms(parse_player(text), seconds=seconds, forfeits=forfeits)


def rows_of(
    works: Sequence[Simulation], names: Sequence[str], games: int, store: Store
) -> list[list[str]]:
    """Return the row of each finished work."""
    seconds = {each.key: (each.items, each.seconds) for each in store.works()}
    rules, rows = works[0].rules, []
    runs = [outcomes(store, Job(work, games)) for work in works]
    for work, name, played in zip(works, names, runs, strict=True):
        found, (items, took) = summarize([played], rules), seconds[key_of(work)]
        versus = compare([played], [runs[0]], rules).difference
        rows.append([
            _named(name), f"{found.games:,}", _shown(found.kept), _shown(found.zeroed),
            f"{found.perfect:.1%}", f"{found.tally.n_bombed:,}",
            f"{items / max(took, 1e-9):,.3g}", "" if work is works[0] else _shown(versus, "+"),
        ])  # fmt: skip
    return rows


def _named(text: str) -> str:
    """Return the end of a long name, where the file of a bot is."""
    return text if len(text) <= _WIDEST else f"...{text[3 - _WIDEST :]}"


def _shown(estimate: Estimate, sign: str = "") -> str:
    return f"{estimate.value:{sign}.2f} +- {estimate.standard_error:.2f}"


def main() -> None:
    """Play what the store lacks, and print a row for each player."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("players", nargs="*", metavar="PLAYER")
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turn-time", type=float, default=SECONDS)
    parser.add_argument("--forfeit", action="store_true")
    parser.add_argument("--store")
    parser.add_argument("--workers", type=int)
    parser.add_argument("--markdown", action="store_true")
    given = parser.parse_args()
    sample = PREFIX + shlex.join([sys.executable, os.path.relpath(_SAMPLE)])
    names = given.players or [sample]
    names += [each for each in _OURS.get(given.seats, ()) if len(names) == 1]
    rules, seconds = Rules.hanab_live(given.seats), given.turn_time or None
    works = [
        Simulation((seated(name, seconds, forfeits=given.forfeit),), rules, given.seed)
        for name in names
    ]

    def tell(done: Progress) -> None:
        print(f"\r{done}", end=" " * 10, file=sys.stderr, flush=True)

    with (
        contextlib.closing(Store(given.store or ":memory:")) as store,
        open_executor("processes", given.workers) as pool,
    ):
        run([Job(work, given.games) for work in works], store, executor=pool, progress=tell)
        print(file=sys.stderr)
        rows = rows_of(works, names, given.games, store)
    print(f"{given.seats} seats, {given.games} deals of seed {given.seed}, hanab.live's rules")
    print((markdown_table if given.markdown else text_table)(_HEADER, rows))


if __name__ == "__main__":
    main()
