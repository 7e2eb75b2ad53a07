"""Decks a second from hanab.live's seeds, on one core: ``python -m benchmarks.seeds [SEEDS]``.

Seeds are numbered texts. "texts" makes these, "dealt" turns texts into an array of decks, "objects"
into `hanabi.Deck`, and "plain" is `Seed.deck`, in Python without a compiler.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from time import perf_counter

from hanabi.rules.seeds import deal_many, parse_range, parse_seed

_SEEDS = 200_000
_SLOW, _PLAIN = 10, 200  # divisors of the number of seeds
VARIANTS = {"No Variant": 0, "Black (5 Suits)": 21, "6 Suits": 1, "3 Suits": 18}


def _rate(decks: int, work: Callable[[], object]) -> float:
    """Return decks a second, the best of three."""
    times = []
    for _ in range(3):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return decks / min(times)


def main(arguments: list[str] | None = None) -> None:
    """Print the rates for some sizes of decks."""
    count = int(arguments[0]) if arguments else _SEEDS
    print(f"{'variant':18}{'cards':>6}{'texts':>12}{'dealt':>12}{'objects':>12}{'plain':>12}")
    for name, number in VARIANTS.items():
        print(f"{name:18}" + _row(number, count))


def _row(variant: int, count: int) -> str:
    seeds, some, few = (
        parse_range(f"p2v{variant}s1..{max(count // part, 1)}") for part in (1, _SLOW, _PLAIN)
    )
    size, texts = seeds.first.variant.spec.size, list(seeds.texts())
    rates = (
        _rate(count, lambda: list(seeds.texts())),
        _rate(count, lambda: deal_many(texts, size)),
        _rate(len(some), lambda: deque(some.deals(), 0)),
        _rate(len(few), lambda: [parse_seed(text).deck for text in few.texts()]),
    )
    return f"{size:>6}" + "".join(f"{rate:>12,.0f}" for rate in rates)


if __name__ == "__main__":
    main(sys.argv[1:])
