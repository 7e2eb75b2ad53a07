"""What searching over beliefs gains and costs, beside the same players without it, deal by deal.

Run with ``python -m benchmarks.belief``; numbers after it are the deals of each row at two seats,
and at more.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.endgame import SEED, describe, play
from hanabi.game import Rules
from hanabi.players import parse_player

TWO = (
    "worlds=100,margin=0.05",
    "worlds=100,margin=0.1",
    "worlds=50,margin=0.05",
    "worlds=100,seats=2,slack=0.1",
    "worlds=100,seats=2,slack=0.03",
    "worlds=100,seats=2,slack=1",
    "worlds=100,caution=0",
    "worlds=100,caution=2",
    "worlds=100,misread=yes",
)
MORE = ("worlds=50", "worlds=50,seats=5")


def print_rows(inner: str, searches: Sequence[str], seats: int, games: int) -> None:
    """Print the player without search, then with each."""
    rules = Rules.hanab_live(seats)
    before, cost = play(parse_player(inner), rules, games)
    mean, error = describe(before)
    perfect = before.count(rules.max_score) / games
    print(
        f"{f'{inner}, {seats} seats':<40}{mean:8.3f} +-{error:.3f}{'':16}{perfect:8.1%}{cost:9.2f}"
    )
    for text in searches:
        after, cost = play(parse_player(f"belief:{text}/{inner}"), rules, games)
        mean, _ = describe(after)
        gain, error = describe([b - a for a, b in zip(before, after, strict=True)])
        perfect = after.count(rules.max_score) / games
        print(
            f"  {text:<38}{mean:8.3f}{'':8}{gain:+7.3f} +-{error:.3f}{perfect:8.1%}{cost:9.0f}",
            flush=True,
        )


def main(games: int = 100, more: int = 50) -> None:
    """Print the table."""
    print(f"{games} and {more} deals of seed {SEED}, the same in every row\n")
    print(f"{'':<40}{'mean':>8}{'':8}{'gain':>7}{'':8}{'perfect':>8}{'ms/game':>9}")
    print_rows("convention", TWO, 2, games)
    for seats in (3, 4, 5):
        print_rows("information", MORE, seats, more)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
