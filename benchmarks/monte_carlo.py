"""Strength and speed of the Monte Carlo players and of the cheating one.

Run with ``python -m benchmarks.monte_carlo``; ``--full`` plays ten times as many games. Seconds are
of one core. The paper's player took 18 s a game on its machine [Bergh2016, section 4].
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from hanabi.players import Player, RuleBased, simulate
from hanabi.players.cheating import Cheating
from hanabi.players.monte_carlo import MonteCarlo, Rollouts, Uct
from hanabi.rules import Rules

RULES = Rules.bergh2016(3)
PAPER_SECONDS = 18.0
SEED = 20161
TABLE: list[tuple[str, Player, Rules, int]] = [
    ("rule-based", RuleBased(), RULES, 2_000),
    ("Monte Carlo, 500 play-outs", MonteCarlo(), RULES, 10),
    ("the same, narrow", MonteCarlo(narrow=True), RULES, 10),
    ("the same, favour=0", MonteCarlo(favour=0), RULES, 5),
    ("roll-outs, 300", Rollouts(playouts=300), RULES, 20),
    ("roll-outs, 1000", Rollouts(), RULES, 10),
    ("roll-outs, hanab.live's rules", Rollouts(), Rules.hanab_live(3), 10),
    ("UCT, 1000", Uct(), RULES, 5),
    *(
        (
            f"cheating, {seats} seats",
            Cheating(),
            replace(Rules.hanab_live(seats), open_hands=True),
            10_000,
        )
        for seats in range(2, 6)
    ),
]


def print_players(times: int) -> None:
    print("Three seats, rules bergh2016 if not said otherwise\n")
    print(f"{'':<30}{'games':>7}{'mean':>8}{'error':>7}{'perfect':>9}{'s/game':>10}{'faster':>8}")
    for name, player, rules, games in TABLE:
        simulate(player, rules, 1, seed=1)  # compiles
        start = time.thread_time()
        scores = simulate(player, rules, games * times, seed=SEED).scored(rules)
        seconds = (time.thread_time() - start) / scores.games
        ratio = f"{PAPER_SECONDS / seconds:,.0f}" if isinstance(player, MonteCarlo) else ""
        print(
            f"{name:<30}{scores.games:>7,}{scores.mean:>8.3f}{scores.standard_error:>7.3f}"
            f"{scores.perfect / scores.games:>9.1%}{seconds:>10.6f}{ratio:>8}",
            flush=True,
        )


def print_threads() -> None:
    """Compare two threads with one, doing the same games."""

    def play(first: int) -> None:
        simulate(MonteCarlo(), RULES, 4, seed=SEED, first=first)

    start = time.perf_counter()
    for first in (0, 4):
        play(first)
    one = time.perf_counter() - start
    start = time.perf_counter()
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(play, (0, 4)))
    print(f"\nMonte Carlo, two threads: {one / (time.perf_counter() - start):.2f} times one")


def main(*, full: bool = False) -> None:
    print_players(10 if full else 1)
    print_threads()


if __name__ == "__main__":
    main(full="--full" in sys.argv[1:])
