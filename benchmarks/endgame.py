"""Gains and costs of the endgame search, beside the same players without it, deal by deal.

Run with ``python -m benchmarks.endgame [DEALS]``, the deals of each row.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from math import sqrt

from hanabi.players import RuleBased
from hanabi.players.arena import outcomes
from hanabi.players.convention import Convention
from hanabi.players.endgame import Endgame
from hanabi.players.information import Information
from hanabi.players.protocol import Player
from hanabi.rules import Rules

SEED = 2024
SEARCHES = (
    ("budget=30", {"budget": 30}),
    ("budget=200,deck=5", {"budget": 200, "deck": 5}),
    ("budget=30,samples=30,deck=8", {"budget": 30, "samples": 30, "deck": 8}),
)


def play(player: Player, rules: Rules, games: int) -> tuple[list[int], float]:
    """Return the scores, 0 for a bombed game, and the milliseconds of CPU time a game."""
    outcomes(player, rules, 1, seed=SEED)  # compiles
    start = time.process_time()
    played = outcomes(player, rules, games, seed=SEED)
    cost = (time.process_time() - start) / games
    return [0 if outcome & 1 else outcome >> 1 for outcome in played], 1000 * cost


def describe(numbers: Sequence[float]) -> tuple[float, float]:
    """Return the mean and its standard error."""
    n, mean = len(numbers), sum(numbers) / len(numbers)
    return mean, sqrt(sum((each - mean) ** 2 for each in numbers) / (n * max(n - 1, 1)))


def print_rows(name: str, player: Player, seats: int, games: int) -> None:
    """Print the player without search, then with each."""
    rules = Rules.hanab_live(seats)
    before, cost = play(player, rules, games)
    mean, error = describe(before)
    perfect = before.count(rules.max_score) / games
    label = f"{name}, {seats} seats"
    print(f"{label:<29}{mean:8.3f} +-{error:.3f}{'':16}{perfect:8.2%}{cost:9.2f}")
    for text, limits in SEARCHES:
        after, cost = play(Endgame(player, **limits), rules, games)
        mean, _ = describe(after)
        gain, error = describe([b - a for a, b in zip(before, after, strict=True)])
        perfect = after.count(rules.max_score) / games
        print(
            f"  {text:<27}{mean:8.3f}{'':8}{gain:+7.3f} +-{error:.3f}{perfect:8.2%}{cost:9.2f}",
            flush=True,
        )


def main(games: int = 100) -> None:
    """Print the table."""
    print(f"{games} deals of seed {SEED}, the same in every row; bombed games score 0\n")
    print(f"{'':<29}{'mean':>8}{'':8}{'gain':>7}{'':8}{'perfect':>8}{'ms/game':>9}")
    for name, player, seats in (
        ("rule-based", RuleBased(), 3),
        ("information", Information(), 3),
        ("information", Information(), 4),
        ("information", Information(), 5),
        ("convention", Convention(), 2),
    ):
        print_rows(name, player, seats, games)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
