"""Solitaire by satisfiability: sizes and times, with and without the reductions, in one run."""

from __future__ import annotations

import time
from statistics import fmean, median

from hanabi.ground.sat import (
    ClauseBuilder,
    Cnf,
    IncrementalTotalizer,
    at_most,
    decide,
    solve,
    solve_here,
)
from hanabi.rules.deck import DeckSpec
from hanabi.solitaire import Instance
from hanabi.solitaire.sat import encode

_SEED = 7
_DECKS = 40


def _instance(spec: DeckSpec, index: int, hand_size: int) -> Instance:
    return Instance(hand_size, spec.shuffle(_SEED, index))


def decks(name: str, spec: DeckSpec, hand_sizes: range, number: int) -> None:
    """Print the mean size of the formula and the mean times, reduced and plain, by hand size."""
    print(f"\n{name}: means over {number} decks; `open` needed the solver")
    print(f"{'':3}{'':6}{'reduced formula':^34}{'the rules alone':^34}")
    columns = f"{'vars':>7}{'clauses':>9}{'encode':>9}{'solve':>9}"
    print(f"{'h':>3}{'open':>6}{columns}{columns}")
    for hand_size in hand_sizes:
        batch = [_instance(spec, index, hand_size) for index in range(number)]
        line, undecided = "", 0
        for cut in (True, False):
            rows = []
            for instance in batch:
                started = time.perf_counter()
                encoding = encode(instance, cut=cut)
                encoded = time.perf_counter()
                solve_here(encoding.cnf)
                solved = time.perf_counter()
                size = encoding.cnf.n_vars, encoding.cnf.n_clauses
                rows.append((*size, 1e3 * (encoded - started), 1e3 * (solved - encoded)))
                undecided += cut and encoding.lost is None
            variables, clauses, encode_ms, solve_ms = (fmean(x) for x in zip(*rows, strict=True))
            line += f"{variables:7.0f}{clauses:9.0f}{encode_ms:7.2f}ms{solve_ms:7.2f}ms"
        print(f"{hand_size:3}{undecided:6}{line}")


def sliding_bounds() -> None:
    """Print the cost of "at most k" for a window of 40 literals that slides over 400."""
    print("\nat most k of a window of 40 literals, at 361 places (a hand that changes by one card)")
    print(f"{'k':>3}  {'encoding':22}{'variables':>11}{'clauses':>10}{'literals':>10}{'ms':>8}")
    for k in (2, 5, 12):
        for name in ("sequential counter", "incremental totalizer"):
            started = time.perf_counter()
            cnf = Cnf(n_vars=400)
            windows = [list(range(first, first + 40)) for first in range(1, 362)]
            if name == "sequential counter":
                at_most(cnf, windows, k)
            else:
                totalizer = IncrementalTotalizer(builder := ClauseBuilder(cnf), slots=400, most=k)
                for slot in range(400):
                    totalizer.set(slot, slot + 1)
                    if slot >= 40:
                        totalizer.set(slot - 40, None)
                    if slot >= 39:
                        totalizer.at_most(k)
                builder.flush()
            ms = 1e3 * (time.perf_counter() - started)
            size = f"{cnf.n_vars - 400:11}{cnf.n_clauses:10}{cnf.n_literals:10}"
            print(f"{k:3}  {name:22}{size}{ms:8.1f}")


def processes() -> None:
    """Print the cost of a child process."""
    cnf = Cnf(n_vars=2)
    cnf.add([[1, 2], [-1, 2]])
    print("\none small formula: median ms of 20 calls")
    for ask in (solve_here, decide, solve):
        times = []
        for _ in range(20):
            started = time.perf_counter()
            ask(cnf)
            times.append(1e3 * (time.perf_counter() - started))
        print(f"  {ask.__name__:12}{median(times):9.3f}")


def blocks() -> None:
    """Print the growth of encoding and solving on long streams with an occasionally full hand."""
    print("\n50 colors in blocks of 4 3 2 1 2 3 4, a hand dump after each block, h = 2")
    print(f"{'cards':>9}{'clauses':>10}{'encode':>9}{'solve':>9}{'cards/s encoded':>17}")
    for number in (50, 200, 500):
        cards = []
        for block in range(0, 4 * number, 4):
            cards += [(50, block + i) for i in (2, 3, 1, 4)]
            cards += [(k, block + i) for k in range(50) for i in (4, 3, 2, 1, 2, 3, 4)]
        instance = Instance(2, cards)
        started = time.perf_counter()
        cnf = encode(instance).cnf
        encoded = time.perf_counter() - started
        answer = solve(cnf)
        print(
            f"{instance.N:9}{cnf.n_clauses:10}{encoded:8.2f}s{answer.seconds:8.2f}s"
            f"{instance.N / encoded:17.0f}"
        )


def main() -> None:
    """Print all tables."""
    decide(Cnf(n_vars=1))  # import PySAT
    decks("standard 50-card decks", DeckSpec.standard(), range(10), _DECKS)
    decks("10 x 10, r = 3", DeckSpec.uniform(10, 10, 3), range(6, 19, 4), 5)
    sliding_bounds()
    processes()
    blocks()


if __name__ == "__main__":
    main()
