"""Time to review a game, by the player of the game: weak players leave hard questions.

``python -m benchmarks.reviews [GAMES [SECONDS]]`` reviews that many games of each player with 2 to
5 seats at hanab.live's rules, as `hanabi review FOLDER` does. "open" counts the positions whose
best score is only bounded.
"""

from __future__ import annotations

import sys
from statistics import median
from time import perf_counter

from hanabi.ground.rng import Stream
from hanabi.players import parse_player
from hanabi.players.protocol import play_game
from hanabi.reviews.review import review
from hanabi.rules import Game, Rules

_PLAYERS = ("random", "first-legal", "monte-carlo:playouts=20", "rule-based", "information")


def main() -> None:
    """Print a row for each player and number of seats."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 10.0
    print(f"{n} games each, {seconds:g} s at most")
    print(f"{'player':24} seats   median     most  positions   open")
    for name in _PLAYERS:
        for seats in range(2, 6):
            took, positions, n_open = [], 0, 0
            rules, team = Rules.hanab_live(seats), [parse_player(name)] * seats
            for seed in range(n):
                game = Game.start(rules, rules.spec.shuffle(seed))
                end = play_game(team, game, Stream(seed))
                started = perf_counter()
                found = review(end, seconds=seconds)
                took.append(perf_counter() - started)
                positions += len(found.prospects)
                n_open += sum(not each.is_exact for each in found.prospects)
            print(
                f"{name:24} {seats:5} {median(took):7.2f} s {max(took):7.2f} s {positions:9,}"
                f" {n_open:6,}",
                flush=True,
            )


if __name__ == "__main__":
    main()
