"""Strength and speed of the convention player: its parts, and its search.

Run with ``python -m benchmarks.convention``; ``--full`` plays 100,000 deals a row (the rows with
more search than the default: 10,000), which takes about a quarter of an hour.
"""

from __future__ import annotations

import sys
import time

from hanabi.game import Rules
from hanabi.players.arena import outcomes
from hanabi.players.convention import Convention
from hanabi.players.tally import Tally

SEED = 2016
PLAIN = Convention(worlds=0)
ROWS = [
    ("no search", PLAIN, 5000, 100_000),
    ("  no plays called by ranks", Convention(worlds=0, plays=False), 5000, 100_000),
    ("  no discards called", Convention(worlds=0, discards=False), 5000, 100_000),
    ("  no saves before plays", Convention(worlds=0, saves=False), 5000, 100_000),
    ("  oldest discarded first", Convention(worlds=0, newest=False), 5000, 100_000),
    ("search, last 2 of the deck", Convention(last=2), 1000, 100_000),
    ("search, last 5 (the default)", Convention(), 1000, 100_000),
    ("search, last 8, 30 worlds", Convention(worlds=30, last=8, margin=2.5), 300, 10_000),
]


def main() -> None:
    full = "--full" in sys.argv
    rules = Rules.hanab_live(2)
    outcomes(Convention(last=0), rules, 1, seed=1)  # compiles
    print("Two seats, hanab.live's rules, bombed games score 0\n")
    print(f"{'':<29}{'games':>8}{'mean':>8}{'+-':>7}{'perfect':>9}{'bombed':>8}{'ms/game':>9}")
    for name, player, few, many in ROWS:
        games = many if full else few
        start = time.process_time()
        tally = Tally.of(rules, outcomes(player, rules, games, seed=SEED))
        cost = 1000 * (time.process_time() - start) / games
        scores = tally.zeroed
        print(
            f"{name:<29}{games:>8,}{scores.mean:>8.3f}{scores.standard_error:>7.3f}"
            f"{scores.perfect / games:>9.1%}{sum(tally.bombed) / games:>8.2%}{cost:>9.2f}"
        )


if __name__ == "__main__":
    main()
