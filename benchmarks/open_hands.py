"""Bounds on the best play with open hands and an unknown deck.

Run with ``python -m benchmarks.open_hands [DEALS]``, the deals of each row. The lower bound is what
the players that see all hands reach. The upper bound is the share of deals that can be won by
players who see the deck, too.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace

from hanabi.lab.stats import summarize
from hanabi.players import parse_player
from hanabi.players.arena import outcomes
from hanabi.rules import Rules
from hanabi.solvers.winnable import solve

SEED = 2024
PLAYERS = ("cheating", "open-hands:samples=0", "open-hands")
SECONDS = 20.0


def main(games: int = 50) -> None:
    """Print the table."""
    print(f"{games} deals of seed {SEED}, the same in all rows of a table; hanab.live's rules\n")
    print(f"{'seats':>5}  {'':<24}{'mean':>8}{'perfect':>9}{'ms/game':>10}")
    for seats in (2, 3, 4, 5):
        rules = replace(Rules.hanab_live(seats), open_hands=True)
        for name in PLAYERS:
            player = parse_player(name)
            outcomes(player, rules, 1, seed=SEED)  # compiles
            start = time.process_time()
            played = outcomes(player, rules, games, seed=SEED)
            cost = 1000 * (time.process_time() - start) / games
            summary = summarize([played], rules)
            print(
                f"{seats:>5}  {name:<24}{summary.score.value:>8.3f}{summary.perfect:>9.2%}"
                f"{cost:>10.2f}",
                flush=True,
            )
        deals = [rules.spec.shuffle(SEED, index) for index in range(games)]
        won = [solve(deck, rules, seconds=SECONDS).is_winnable for deck in deals]
        undecided = f", {won.count(None)} undecided" if None in won else ""
        print(
            f"{seats:>5}  {'deck seen, too':<24}{'':>8}{won.count(True) / games:>9.2%}{undecided}"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
