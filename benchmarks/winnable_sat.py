"""The full game as a formula: sizes and times, beside the portfolio without and with it.

Run with ``python -m benchmarks.winnable_sat``. Decks are random. The greedy search wins most of
them in a fraction of a millisecond; the formula is for the few that nothing else decides,
such as those of the second table.
"""

from __future__ import annotations

import time
from statistics import fmean, median

from hanabi.ground.verdict import Status
from hanabi.rules import Game, Rules
from hanabi.solvers.winnable import Position, solve
from hanabi.solvers.winnable.sat import encode
from hanabi.solvers.winnable.sat import solve as solve_by_sat

SEED = 2
DECKS = 10
SECONDS = 20.0
HARD = ((4, 8620), (5, 5841), (5, 8620))


def measure(seats: int) -> None:
    """Print one line: means of sizes and of encoding, median and worst of solving."""
    rules = Rules.hanab_live(seats)
    goal = tuple(len(row) for row in rules.spec.copies)
    sizes, encoding, solving, portfolio, unknown = [], [], [], [], 0
    for index in range(DECKS):
        game = Game.start(rules, rules.spec.shuffle(SEED, index))
        started = time.perf_counter()
        cnf = encode(Position.of_game(game), goal).cnf
        encoding.append(1e3 * (time.perf_counter() - started))
        sizes.append((cnf.n_vars, cnf.n_clauses))
        verdict = solve_by_sat(game, seconds=SECONDS)
        solving.append(verdict.seconds)
        unknown += verdict.status is Status.UNKNOWN
        portfolio.append(1e3 * solve(game.deck, rules).seconds)
    variables, clauses = (fmean(column) for column in zip(*sizes, strict=True))
    print(
        f"{seats:5}{variables:11.0f}{clauses:9.0f}{fmean(encoding):11.1f}{median(solving):10.2f}"
        f"{max(solving):9.2f}{unknown:6}{median(portfolio):15.2f}",
        flush=True,
    )


def main() -> None:
    """Print both tables."""
    print(f"{DECKS} random decks each, two solvers at once, {SECONDS:.0f} s at most")
    print("                             encode     solve    solve            portfolio")
    print("seats  variables  clauses   mean ms  median s    max s  open      median ms")
    for seats in range(2, 7):
        measure(seats)
    print("\ndecks that the portfolio leaves open without formulas")
    print("seats  index  status       formula s  portfolio s  by")
    for seats, index in HARD:
        rules = Rules.hanab_live(seats)
        deck = rules.spec.shuffle(11, index)
        alone, verdict = solve_by_sat(Game.start(rules, deck)), solve(deck, rules)
        print(
            f"{seats:5}{index:7}  {alone.status:11}{alone.seconds:11.2f}{verdict.seconds:13.2f}"
            f"  {verdict.method}",
            flush=True,
        )


if __name__ == "__main__":
    main()
