"""Decks a second of the full game's solver, and the share decided by each part.

Run with ``python -m benchmarks.winnable``. Decks are random, on one core. The peer is Py-Hanabi
(SAT); its seconds of CPU a deck were measured once and are constants here.
"""

from __future__ import annotations

import time
from collections import Counter

from hanabi.ground.verdict import Status
from hanabi.rules import Rules
from hanabi.solvers.winnable import solve

DECKS = 3000
SECONDS = 10.0
PEER_SECONDS = {2: 0.84, 3: 0.35, 4: 0.26, 5: 0.23}
PARTS = ("greedy", "guided search", "search", "merged hands", "last round", "sat")


def measure(seats: int) -> tuple[float, float, Counter[str], int, int]:
    """Return decks a second, the slowest deck, decks by part, lost decks, undecided decks."""
    rules = Rules.hanab_live(seats)
    solve(rules.spec.shuffle(seed=0), rules)
    parts: Counter[str] = Counter()
    statuses: Counter[Status] = Counter()
    slowest, began = 0.0, time.perf_counter()
    for index in range(DECKS):
        verdict = solve(rules.spec.shuffle(seed=1, index=index), rules, seconds=SECONDS)
        parts[verdict.method] += 1
        statuses[verdict.status] += 1
        slowest = max(slowest, verdict.seconds)
    rate = DECKS / (time.perf_counter() - began)
    return rate, slowest, parts, statuses[Status.UNWINNABLE], statuses[Status.UNKNOWN]


def main() -> None:
    print("          decks times  slowest  ----------------- decided by (%) -----------------")
    print("seats  a second  peer  seconds  greedy guided search merged   last    sat   open")
    for seats in PEER_SECONDS:
        rate, slowest, parts, _, unknown = measure(seats)
        shares = "".join(f"{100 * parts[part] / DECKS:7.2f}" for part in PARTS)
        print(
            f"{seats:5} {rate:9.0f} {rate * PEER_SECONDS[seats]:5.0f} {slowest:8.3f} "
            f"{shares}{unknown:7}",
            flush=True,
        )


if __name__ == "__main__":
    main()
