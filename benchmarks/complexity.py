"""The map of Solitaire Hanabi, cell by cell: the algorithm of each is tried.

`python -m benchmarks.complexity [--streams S]` goes through every cell in P of hand size
h = 0..4, copies r = 1..4 and values n = 1..6, and prints what was tried and how many answers were
wrong (always 0). `tests/exact/test_complexity.py` does the same with less in each cell.

- In P: the cell's algorithm against an exhaustive search, on all streams up to a size, at most S if
  that is possible, and on S random ones (default 2,000).
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterable, Iterator
from itertools import chain, islice, product

from hanabi.hardness import Complexity, classify
from hanabi.solitaire import Instance, all_streams, find_broken_rule, solve
from hanabi.solitaire.search_plain import find_winning_copies

__all__ = [
    "CELLS",
    "check_algorithm",
    "random_streams",
    "small_streams",
]

CELLS = tuple(product(range(5), range(1, 5), range(1, 7)))
"""(h, r, n)."""


def small_streams(n: int, r: int, *, most: int, most_colors: int = 3) -> list[Instance]:
    """Return all streams with at most r copies of each card up to a size; at most so many.

    They come by length, then by colors. Those with n cards are there in any case.
    """
    found: list[Instance] = []
    for N in range(n, n * most_colors * r + 1):
        for c in range(1, min(most_colors, N // n) + 1):
            room = max(most - len(found), 0)
            streams = all_streams(N, n=n, c=c, r=r)
            more = list(streams if not found else islice(streams, room + 1))
            if found and len(more) > room:
                return found
            found += [Instance(0, cards, n=n, c=c) for cards in more]
    return found


def random_streams(
    n: int, r: int, *, colors: int | None = None, seed: int = 0
) -> Iterator[Instance]:
    """Yield random streams of several colors, or of so many, some of them nearly in order.

    Some card has r copies, and none has more.
    """
    rng = random.Random(seed)
    while True:
        c = rng.randint(1, max(2, 12 // n)) if colors is None else colors
        disorder, rise = rng.choice((0.5, 1, 2, 4, 9)), rng.choice((-3, -1, 0, 0.3, 1, 3))
        copies = [r, *(rng.randint(1, r) for _ in range(n * c - 1))]
        rng.shuffle(copies)
        cards = [
            (color + rise * value + disorder * rng.random(), color, value)
            for color, value in product(range(c), range(1, n + 1))
            for _ in range(copies[color * n + value - 1])
        ]
        yield Instance(0, [(color, value) for _, color, value in sorted(cards)], n=n, c=c)


def check_algorithm(cell: Complexity, streams: Iterable[Instance]) -> tuple[int, int]:
    """Compare the algorithm of a cell in P with a search; return how many were won and lost.

    Raises RuntimeError, with the stream, if an answer or a play is wrong.
    """
    answers = [0, 0]
    assert cell.hand_size is not None
    for stream in streams:
        instance = stream.with_hand_size(cell.hand_size)
        verdict = solve(instance, method=cell.method)
        expected = find_winning_copies(instance)[0] is not None
        is_right = verdict.is_winnable is expected
        if expected and is_right:
            is_right = verdict.witness is not None
            is_right &= verdict.witness is not None and not find_broken_rule(
                instance, verdict.witness
            )
        if not is_right:
            raise RuntimeError(f"{instance}: {instance.cards}: {verdict}")
        answers[not expected] += 1
    return answers[0], answers[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, default=2000)
    given = parser.parse_args()
    print(
        f"{'h':>2}{'r':>3}{'n':>3}  {'class':12}{'by':14}{'won':>8}{'lost':>8}{'wrong':>7}{'s':>7}"
    )
    for h, r, n in CELLS:
        cell = classify(hand_size=h, multiplicity=r, values=n)
        started = time.perf_counter()
        if cell.complexity != "P":
            continue
        streams = small_streams(n, r, most=given.streams)
        others = islice(random_streams(n, r), given.streams)
        won, lost = check_algorithm(cell, chain(streams, others))
        seconds = time.perf_counter() - started
        print(
            f"{h:>2}{r:>3}{n:>3}  {cell.complexity:12}{cell.method:14}"
            f"{won:>8}{lost:>8}{0:>7}{seconds:>7.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
