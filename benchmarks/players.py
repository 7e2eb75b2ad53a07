"""Speed of whole games, and Table 1 of [Bergh2016] beside the printed numbers.

Run with ``python -m benchmarks.players``. ``--full`` plays 100,000 games a cell, as the paper did,
but each on its own deal: most cells decide without chance, and would play the paper's 10,000 deals
ten times alike.
"""

from __future__ import annotations

import math
import sys
import time

from hanabi.lab.papers import TABLE1
from hanabi.players import Player, RandomLegal, RuleBased, outcomes, simulate
from hanabi.rules import Rules

RULES = Rules.bergh2016(3)
PAPER_RATE = 10_000 * 10 / 60  # "approximately one minute"


class OnlyViews:
    """The same player without its compiled games."""

    def __init__(self, player: Player) -> None:
        self.act = player.act


def rate(player: Player, games: int, rules: Rules) -> float:
    """Return games a second of processor time, the best of five runs."""
    outcomes(player, rules, 1, seed=1)  # compiles
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        outcomes(player, rules, games, seed=1)
        best = min(best, time.process_time() - start)
    return games / best


def print_rates() -> None:
    print("Whole games on one core, seconds of processor time\n")
    print(f"{'':<38}{'games/s':>12}{'ratio to paper':>18}")
    rows: list[tuple[str, Player, int, int]] = [
        ("random, 3 seats", RandomLegal(), 100_000, 3),
        *((f"rule-based, {seats} seats", RuleBased(), 10_000, seats) for seats in (2, 3, 4, 5)),
        ("rule-based, 3 seats, Python on views", OnlyViews(RuleBased()), 5, 3),
    ]
    for name, player, games, seats in rows:
        speed = rate(player, games, Rules.bergh2016(seats))
        print(f"{name:<38}{speed:>12,.0f}{speed / PAPER_RATE:>18,.2f}")
    print(f"{'rule-based, 3 seats, [Bergh2016]':<38}{PAPER_RATE:>12,.0f}{1:>18,.2f}")


def print_table(games: int) -> None:
    print(f"\nTable 1, {games:,} games a cell: ours (less the printed number)\n")
    print("discard  w_p" + "".join(f"{f'hint {hint}':>16}" for hint in range(1, 5)))
    differences, errors = [], []
    for (discard, wp), row in TABLE1.items():
        cells = []
        for hint, printed in enumerate(row, start=1):
            player = RuleBased(hint=hint, discard=discard, play=wp)
            seed = 1000 * hint + 100 * discard + round(10 * wp)
            scores = simulate(player, RULES, games, seed=seed).scored(RULES)
            differences.append(scores.mean - printed)
            errors.append(scores.standard_error)
            cells.append(f"{scores.mean:7.3f} ({differences[-1]:+.3f})")
        print(f"{discard:>7}{wp:>5}" + "".join(f"{cell:>16}" for cell in cells), flush=True)
    root = math.sqrt(sum(each * each for each in differences) / len(differences))
    print(f"\nroot mean square difference {root:.3f}, largest {max(map(abs, differences)):.3f}")
    print(f"standard error of a cell at most {max(errors):.3f}; the paper rounds to 0.1")


def main(*, full: bool = False) -> None:
    print_rates()
    print_table(100_000 if full else 5_000)


if __name__ == "__main__":
    main(full="--full" in sys.argv[1:])
