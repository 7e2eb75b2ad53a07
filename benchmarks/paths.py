"""Paths of windows side by side with the other solvers of Solitaire Hanabi, in one run.

`python -m benchmarks.paths` prints, for random streams near their least hand, the seconds of each
method and the ratio to `auto`; then the least hands; then how graph and program grow.
`--seconds S` limits each call (default 10). `--agree N` does something else: it holds paths against
the plain search on N small streams of all shapes, with the least hand and the most cards of every
tenth, checks every certificate, and prints how many disagree.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Callable

from hanabi.clock import Clock
from hanabi.solitaire import Instance, find_broken_rule, paths, search, solve
from hanabi.solitaire.certificate import find_flaw
from hanabi.solitaire.optima import least_hand
from hanabi.solitaire.paths import optimum
from hanabi.solitaire.paths.graph import graph_of
from hanabi.solitaire.paths.program import Program
from hanabi.solitaire.play import n_played
from hanabi.solitaire.search_plain import find_winning_copies

_METHODS = "search", "sat", "paths", "auto"
_SHAPES = (
    (5, 5, 3), (10, 10, 2), (20, 10, 2), (10, 20, 2), (40, 5, 2), (30, 8, 3), (8, 40, 2),
    (100, 4, 2), (5, 30, 4), (5, 100, 2), (50, 10, 4),
)  # fmt: skip
_SEED = 21
_MOST_STATES = 5000


def random_stream(c: int, n: int, r: int, seed: int = _SEED) -> Instance:
    """Return a shuffled stream of r copies of each card."""
    cards = [(color, value) for value in range(1, n + 1) for color in range(c) for _ in range(r)]
    random.Random(seed).shuffle(cards)
    return Instance(0, cards, n=n, c=c)


def _seconds(run: Callable[[], object]) -> tuple[float, object]:
    started = time.perf_counter()
    result = run()
    return time.perf_counter() - started, result


def thresholds(limit: float) -> None:
    """Print who decides random streams just below and just at their least hand, and how fast."""
    print(f"random streams, one below their least hand and at it (limit {limit:g} s; - unknown)")
    print(f"{'c':>4}{'n':>4}{'r':>3}{'N':>6}{'h':>5}{'':>6}" + "".join(f"{m:>9}" for m in _METHODS))
    for c, n, r in _SHAPES:
        stream = random_stream(c, n, r)
        least = least_hand(stream, seconds=limit)
        for hand_size in (least.lower - 1, least.upper):
            if hand_size is None or hand_size < 0:
                continue
            instance = stream.with_hand_size(hand_size)
            line, answers = "", set()
            for method in _METHODS:
                seconds, verdict = _seconds(
                    lambda m=method, i=instance: solve(i, method=m, seconds=limit)  # type: ignore[misc]
                )
                won = verdict.is_winnable  # type: ignore[attr-defined]
                answers |= {won} - {None}
                line += f"{'-' if won is None else f'{seconds:.2f}':>9}"
            assert len(answers) <= 1, (c, n, r, hand_size)
            told = {True: "won", False: "lost"}.get(next(iter(answers), None), "open")  # type: ignore[arg-type]
            print(f"{c:4}{n:4}{r:3}{stream.N:6}{hand_size:5}{told:>6}{line}", flush=True)


def least_hands(limit: float) -> None:
    """Print the least hands of random streams, by paths and by bisection with the search."""
    print(f"\nleast hands (limit {limit:g} s)")
    print(f"{'c':>4}{'n':>4}{'r':>3}{'auto':>12}{'':>8}{'search':>12}{'':>8}{'ratio':>7}")
    for c, n, r in _SHAPES:
        stream = random_stream(c, n, r)
        cells, times = "", []
        for method in ("auto", "search"):
            seconds, found = _seconds(
                lambda m=method, s=stream: least_hand(s, method=m, seconds=limit)  # type: ignore[misc]
            )
            bounds = f"{found.lower}..{found.upper}"  # type: ignore[attr-defined]
            exact = found.is_exact  # type: ignore[attr-defined]
            cells += f"{found.upper if exact else bounds:>12}{seconds:7.2f}s"  # type: ignore[attr-defined]
            times.append(seconds)
        print(f"{c:4}{n:4}{r:3}{cells}{times[1] / times[0]:7.0f}", flush=True)


def growth() -> None:
    """Print how long graph, program and linear program take as streams grow."""
    print("\nN cards in colors of five values, two copies: seconds")
    print(f"{'N':>8}{'edges':>9}{'graph':>8}{'program':>9}{'linear program':>16}")
    for n_cards in (10**3, 10**4, 10**5):
        c = n_cards // 10
        stream = random_stream(c, 5, 2).with_hand_size(n_cards // 20)
        graph_seconds, graph = _seconds(lambda s=stream: graph_of(s))  # type: ignore[misc]
        program_seconds, program = _seconds(lambda s=stream, g=graph: Program(s, g))  # type: ignore[misc]
        relax_seconds, answer = _seconds(lambda p=program: p.relax(Clock(60)))  # type: ignore[misc]
        ended = "" if answer.is_over else " (limit)"  # type: ignore[attr-defined]
        print(
            f"{n_cards:8}{len(graph):9}{graph_seconds:8.2f}{program_seconds:9.2f}"  # type: ignore[arg-type]
            f"{relax_seconds:16.2f}{ended}"
        )


def agree(number: int) -> None:
    """Print how often paths disagree with the plain search on small streams of all shapes."""
    rng, seen = random.Random(_SEED), Counter[str]()
    for index in range(number):
        n, c, r = rng.randint(1, 6), rng.randint(1, 5), rng.randint(1, 4)
        cards = [
            (k, v) for v in range(1, n + 1) for k in range(c) for _ in range(rng.randint(1, r))
        ]
        rng.shuffle(cards)
        instance = Instance(rng.randint(0, 6), cards, n=n, c=c)
        try:
            won = find_winning_copies(instance, most_states=_MOST_STATES)[0] is not None
        except OverflowError:
            seen["left to others: the plain search takes too long"] += 1
            continue
        answer = paths.certify(instance)
        witness, certificate = answer.verdict.witness, answer.certificate
        is_right = answer.verdict.is_winnable is won and (
            (witness is not None and find_broken_rule(instance, witness) is None)
            if won
            else (certificate is not None and find_flaw(instance, certificate) is None)
        )
        seen["won" if won else "lost"] += 1
        seen["wrong"] += not is_right
        if certificate is not None:
            seen["by cases"] += len(certificate.steps) > 1
        if index % 10 == 0 and instance.goal <= 16:
            seen["least hands"] += 1
            least = optimum.least_hand(instance)
            by_search = least_hand(instance, method="search")
            seen["wrong least hands"] += not by_search.upper == least.lower == least.upper
            most, left = search.most_cards(instance), optimum.fewest_left_out(instance)
            seen["wrong most cards"] += not (
                left.play is not None
                and most.is_exact
                and instance.goal - most.lower == left.lower == left.upper
                and n_played(instance, left.play) == most.lower
            )
    print(", ".join(f"{count:,} {what}" for what, count in sorted(seen.items())))


def main() -> None:
    """Print all tables, or the agreement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--agree", type=int, default=0)
    given = parser.parse_args()
    if given.agree:
        agree(given.agree)
        return
    thresholds(given.seconds)
    least_hands(given.seconds)
    growth()


if __name__ == "__main__":
    main()
