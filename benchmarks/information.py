"""Strength and speed of the information player, and the gain of each of its parts.

Run with ``python -m benchmarks.information``; ``--full`` plays 100,000 deals a row instead of
4,000 (20,000 instead of 2,000 for the parts). Nothing was tuned on its seed, 20261121. Bombed games
score 0.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from hanabi.players.arena import decision_seed
from hanabi.players.compiled import play_deals
from hanabi.players.information import Information
from hanabi.rules import Rules

SEED = 20261121
# Peers on the same machine: average and perfect %, which games a second; other deals.
PEERS = {
    2: ("hanabi.rs", 22.52, 12.6, 310),
    3: ("hanabi.rs", 24.79, 84.5, 239),
    4: ("hanabi.rs", 24.94, 95.1, 188),
    5: ("hanabi.rs", 24.92, 94.0, 142),
}
PARTS = {
    "all": Information(),
    "one message a kind": Information(messages=1),
    "certain messages only": Information(likely=1.0, full=1.0),
    "partitions where large": Information(partition=1),
    "partitions only": Information(partition=2),
    "powers of two": Information(exact=False),
    "no message by discards": Information(discards=False),
    "no message by plays": Information(plays=False),
}
Row = tuple[float, float, float, int, float]


def measure(player: Information, rules: Rules, games: int) -> Row:
    """Return mean, standard error, perfect %, bombed games, and games a second of CPU time."""
    policy = player.compiled(rules)
    play_deals(policy, rules, (SEED, 0), 0, 1)  # compiles
    start = time.thread_time()
    outcomes = play_deals(policy, rules, (SEED, decision_seed(SEED)), 0, games)
    seconds = time.thread_time() - start
    scores = np.where(outcomes & 1, 0, outcomes >> 1)
    error = scores.std(ddof=1) / games**0.5
    perfect = 100 * float(np.mean(scores == rules.max_score))
    return float(scores.mean()), float(error), perfect, int((outcomes & 1).sum()), games / seconds


def print_strength(games: int) -> None:
    print(f"hanab.live's rules, {games:,} deals a row, one core\n")
    print("seats     mean  +- error  perfect  bombed  games/s   peer, its mean, perfect, ratio")
    for seats, (name, mean, perfect, rate) in PEERS.items():
        row = measure(Information(), Rules.hanab_live(seats), games)
        print(
            f"{seats:>5}{row[0]:>9.4f}{row[1]:>10.4f}{row[2]:>8.2f}%{row[3]:>8}{row[4]:>9,.0f}"
            f"   {name} {mean:.2f} {perfect:.1f}% {row[4] / rate:>5.1f}x",
            flush=True,
        )


def print_parts(games: int) -> None:
    print(f"\nWhat the parts give: mean (perfect %), {games:,} deals a cell\n")
    print(f"{'':<22}" + "".join(f"{f'{seats} seats':>17}" for seats in PEERS))
    for name, player in PARTS.items():
        cells = []
        for seats in PEERS:
            row = measure(player, Rules.hanab_live(seats), games)
            cells.append(f"{row[0]:>8.3f} ({row[2]:5.2f})")
        print(f"{name:<22}" + "".join(f"{cell:>17}" for cell in cells), flush=True)
    row = measure(Information(), Rules.hle(3), games)
    empty = measure(Information(), Rules.official(3), games)
    print(f"\n3 seats, empty hints allowed: {empty[0]:.3f} ({empty[2]:.2f}); not: {row[0]:.3f}")


def main(*, full: bool = False) -> None:
    print_strength(100_000 if full else 4_000)
    print_parts(20_000 if full else 2_000)


if __name__ == "__main__":
    main(full="--full" in sys.argv[1:])
