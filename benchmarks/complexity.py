"""The map of Solitaire Hanabi, cell by cell: the algorithm or the reduction of each is tried.

`python -m benchmarks.complexity [--streams S] [--formulas F]` goes through every cell of hand size
h = 0..4, copies r = 1..4 and values n = 1..6, and prints what was tried and how many answers were
wrong (always 0). `tests/exact/test_complexity.py` does the same with less in each cell.

- In P: the cell's algorithm against an exhaustive search, on all streams up to a size, at most S if
  that is possible, and on S random ones (default 2,000).
- NP-complete: the reduction at exactly these parameters, on every set of the eight clauses over
  three variables, every set of the eight clauses of one or two literals over two variables, and F
  random formulas (default 200). A stream of a satisfiable formula is won by the play of its
  assignment; that of any formula is decided by a search which knows nothing of it.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterable, Iterator
from itertools import chain, combinations, islice, permutations, product

from hanabi.solitaire import Instance, all_streams, find_broken_rule, solve
from hanabi.solitaire.hardness import (
    Complexity,
    Formula,
    assignment_of,
    classify,
    normal_form,
    reduce,
    winning_play,
)
from hanabi.solitaire.search_plain import find_winning_copies

__all__ = [
    "CELLS",
    "all_sets",
    "check_algorithm",
    "check_reduction",
    "classes_of_sets",
    "random_formulas",
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


def all_sets() -> Iterator[Formula]:
    """Yield every set of the eight clauses over three variables, the empty one excepted.

    Then the sets of the eight clauses of one or two literals over two variables.
    """
    for n_vars, clauses in (
        (3, tuple(product((1, -1), (2, -2), (3, -3)))),
        (2, ((1,), (-1,), (2,), (-2,), *product((1, -1), (2, -2)))),
    ):
        for size in range(1, 9):
            for chosen in combinations(clauses, size):
                yield Formula(n_vars, chosen)


def classes_of_sets() -> Iterator[Formula]:
    """Yield one of the sets for each class of those that differ by names and signs of variables."""
    seen = set()
    for formula in all_sets():
        variables = range(1, formula.n_vars + 1)
        least = min(
            sorted(
                tuple(
                    sorted(
                        signs[abs(x) - 1] * (1 if x > 0 else -1) * names[abs(x) - 1] for x in clause
                    )
                )
                for clause in formula.clauses
            )
            for names in permutations(variables)
            for signs in product((1, -1), repeat=formula.n_vars)
        )
        if (key := (formula.n_vars, tuple(least))) not in seen:
            seen.add(key)
            yield formula


def random_formulas(seed: int = 0) -> Iterator[Formula]:
    """Yield random formulas of one to five variables, about half of which are satisfiable."""
    rng = random.Random(seed)
    while True:
        n_vars = rng.randint(1, 5)
        clauses = []
        for _ in range(rng.randint(n_vars, 4 * n_vars)):
            variables = rng.sample(range(1, n_vars + 1), rng.randint(1, min(3, n_vars)))
            clauses.append(tuple(x * rng.choice((1, -1)) for x in variables))
        yield Formula(n_vars, tuple(clauses))


def check_reduction(cell: Complexity, formulas: Iterable[Formula]) -> tuple[int, int]:
    """Decide formulas by cards at the parameters of a cell; return how many were true and false.

    Every second stream has exactly r copies of each card. Raises RuntimeError, with the formula, if
    an answer, a play or an assignment is wrong, or the stream has other parameters.
    """
    answers = [0, 0]
    wanted = cell.hand_size, cell.multiplicity, cell.values
    for number, formula in enumerate(formulas):
        reduction = reduce(
            normal_form(formula, cell.method).formula,
            variant=cell.method,
            hand_size=cell.hand_size,
            multiplicity=cell.multiplicity,
            values=cell.values,
            copies=("beside", "exact")[number % 2],
        )
        satisfying = (
            values
            for values in product((False, True), repeat=formula.n_vars)
            if formula.satisfied_by(values)
        )
        assignment = next(satisfying, None)
        verdict = solve(reduction, method="search")
        is_right = (reduction.hand_size, reduction.r, reduction.n) == wanted
        is_right &= verdict.is_winnable is (assignment is not None)
        if is_right and assignment is not None:
            winning_play(reduction, assignment)  # replays it
            assert verdict.witness is not None
            found = assignment_of(reduction, reduction.annotation, verdict.witness)
            is_right = formula.satisfied_by(found)
        if not is_right:
            raise RuntimeError(f"{cell.described}: {formula}: {reduction}: {verdict}")
        answers[assignment is None] += 1
    return answers[0], answers[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, default=2000)
    parser.add_argument("--formulas", type=int, default=200)
    given = parser.parse_args()
    print(
        f"{'h':>2}{'r':>3}{'n':>3}  {'class':12}{'by':14}{'won':>8}{'lost':>8}{'wrong':>7}{'s':>7}"
    )
    for h, r, n in CELLS:
        cell = classify(hand_size=h, multiplicity=r, values=n)
        started = time.perf_counter()
        if cell.complexity == "P":
            streams = small_streams(n, r, most=given.streams)
            others = islice(random_streams(n, r), given.streams)
            won, lost = check_algorithm(cell, chain(streams, others))
        else:
            won, lost = check_reduction(
                cell, chain(all_sets(), islice(random_formulas(), given.formulas))
            )
        seconds = time.perf_counter() - started
        print(
            f"{h:>2}{r:>3}{n:>3}  {cell.complexity:12}{cell.method:14}"
            f"{won:>8}{lost:>8}{0:>7}{seconds:>7.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
