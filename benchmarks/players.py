"""Speed of whole games, and Table 1 of [Bergh2016] beside the printed numbers.

Run with ``python -m benchmarks.players``; ``--full`` plays Table 1 at the paper's size, 10,000
deals 10 times a cell.
"""

from __future__ import annotations

import sys
import time

from hanabi.game import Rules
from hanabi.players import Player, RandomLegal, RuleBased, simulate

RULES = Rules.bergh2016(3)
PAPER_RATE = 10_000 * 10 / 60  # "approximately one minute"
# By discard rule and w_p, a number for each hint rule.
PRINTED = {
    (1, 0.7): (6.3, 13.5, 14.5, 11.9),
    (1, 0.6): (7.1, 13.9, 15.3, 12.7),
    (1, 0.5): (7.3, 13.8, 15.2, 12.5),
    (2, 0.7): (6.6, 13.8, 14.5, 12.0),
    (2, 0.6): (7.4, 14.4, 15.4, 12.7),
    (2, 0.5): (7.5, 14.2, 15.3, 12.6),
    (3, 0.7): (5.8, 13.1, 14.1, 11.5),
    (3, 0.6): (6.6, 13.5, 14.9, 12.3),
    (3, 0.5): (6.9, 13.4, 14.8, 12.3),
    (4, 0.7): (5.8, 13.0, 13.9, 11.5),
    (4, 0.6): (6.7, 13.7, 14.8, 12.3),
    (4, 0.5): (6.8, 13.5, 14.7, 12.2),
}


class OnlyViews:
    """The same player without its compiled games."""

    def __init__(self, player: Player) -> None:
        self.act = player.act


def rate(player: Player, games: int) -> float:
    """Return games a second, the best of three runs."""
    simulate(player, RULES, 1, seed=1)  # compiles
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        simulate(player, RULES, games, seed=1)
        best = min(best, time.perf_counter() - start)
    return games / best


def print_rates() -> None:
    print("Whole games, three seats, one core\n")
    print(f"{'':<34}{'games/s':>12}{'ratio to paper':>18}")
    rows: list[tuple[str, Player, int]] = [
        ("random, compiled", RandomLegal(), 100_000),
        ("rule-based, compiled", RuleBased(), 20_000),
        ("rule-based, Python on views", OnlyViews(RuleBased()), 10),
    ]
    for name, player, games in rows:
        speed = rate(player, games)
        print(f"{name:<34}{speed:>12,.0f}{speed / PAPER_RATE:>18,.2f}")
    print(f"{'rule-based, [Bergh2016], its machine':<34}{PAPER_RATE:>10,.0f}{1:>18,.2f}")


def print_table(deals: int, repeats: int) -> None:
    print(f"\nTable 1, {deals:,} deals {repeats} times: ours (printed)\n")
    print("discard  w_p" + "".join(f"{f'hint {hint}':>16}" for hint in range(1, 5)))
    squares, worst = 0.0, 0.0
    for (discard, wp), row in PRINTED.items():
        cells = []
        for hint, printed in enumerate(row, start=1):
            player = RuleBased(hint=hint, discard=discard, play=wp)
            tally = simulate(player, RULES, 0, seed=1)
            for repeat in range(repeats):
                tally += simulate(player, RULES, deals, seed=1, repeat=repeat)
            mean = tally.scored(RULES).mean
            squares += (mean - printed) ** 2
            worst = max(worst, abs(mean - printed))
            cells.append(f"{mean:8.3f} ({printed:4.1f}) ")
        print(f"{discard:>7}{wp:>5}" + "".join(f"{cell:>16}" for cell in cells), flush=True)
    print(f"\nroot mean square difference {(squares / 48) ** 0.5:.3f}, largest {worst:.3f}")


def main(*, full: bool = False) -> None:
    print_rates()
    print_table(10_000 if full else 2_000, 10 if full else 1)


if __name__ == "__main__":
    main(full="--full" in sys.argv[1:])
