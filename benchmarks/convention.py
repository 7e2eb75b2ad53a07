"""Strength and speed of the convention player: its parts, and the endgame search on top of it.

Run with ``python -m benchmarks.convention``; ``--full`` plays 100,000 deals a row (20,000 with a
search).
"""

from __future__ import annotations

import sys
import time

from hanabi.players.arena import Tally, outcomes
from hanabi.players.convention import Convention
from hanabi.players.endgame import Endgame
from hanabi.rules import Rules

SEED = 2016
ROWS: list[tuple[str, Convention | Endgame, int, int]] = [
    ("all parts", Convention(), 5000, 100_000),
    ("  no plays called by ranks", Convention(plays=False), 5000, 100_000),
    ("  no discards called", Convention(discards=False), 5000, 100_000),
    ("  no saves before plays", Convention(saves=False), 5000, 100_000),
    ("  oldest discarded first", Convention(newest=False), 5000, 100_000),
    ("  no calls aside", Convention(aside=False), 5000, 100_000),
    ("endgame", Endgame(Convention()), 1000, 20_000),
    ("endgame, 30 drawn, last 5", Endgame(Convention(), samples=30, deck=5), 300, 20_000),
]


def main() -> None:
    full = "--full" in sys.argv
    rules = Rules.hanab_live(2)
    for player in (Convention(), Endgame(Convention())):
        outcomes(player, rules, 1, seed=1)  # compiles
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
