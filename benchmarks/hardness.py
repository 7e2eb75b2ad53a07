"""Formulas by way of cards: how fast cards are made, what the detour costs, and agreement.

1. Emission: millions of cards a second into arrays (`reduce`), in blocks (`stream`), and as JSON
   (`write_json`, into a sink). A stream of half a billion cards needs the memory of one block, so
   only its first 100 million cards are laid out.
2. Every SATLIB formula of the tests: milliseconds of CaDiCaL on the original, and of the whole
   detour (formula, cards, CNF of the cards, model, play, assignment, all checked).
3. Variants on one satisfiable and one unsatisfiable formula of 50 variables.

`python -m benchmarks.hardness --agreement 10000 [VARIANT ...]` instead solves the cards of so many
random formulas, or graphs, under each variant, and compares the answers with brute force.

All solvers run in this process or a child of it. Times are the best of three, on SATLIB of nine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from io import RawIOBase
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Any

from hanabi.ground.rng import Stream
from hanabi.ground.sat import decide
from hanabi.solitaire import Play, sat
from hanabi.solitaire.hardness import (
    CLIQUE,
    DEFAULT_VARIANT,
    VARIANTS,
    Formula,
    Reduction,
    assignment_of,
    decide_by_cards,
    normal_form,
    random_formula,
    random_graph,
    read_dimacs,
    read_play,
    reduce,
    stream_of,
    winning_play,
    write_json,
)

SATLIB = Path(__file__).parents[1] / "tests" / "data" / "satlib"
_MOST_CARDS = 10**8
_DETOURS = ("constant_two", DEFAULT_VARIANT)
_SLOW = "two_colors"  # a hand of five for each clause: not for 218 of them


class _Sink(RawIOBase):
    """Counts bytes and forgets them."""

    size = 0

    def write(self, data: object) -> int:
        assert isinstance(data, bytes)
        self.size += len(data)
        return len(data)


def _best_of(repeats: int, work: Callable[[], object]) -> float:
    times = []
    for _ in range(repeats):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return min(times)


def _read(name: str) -> Formula:
    with (SATLIB / f"{name}.cnf").open(encoding="utf-8") as file:
        return read_dimacs(file)


def _emission() -> None:
    print(f"{'variant':15}{'clauses':>9}{'cards':>13}{'reduce':>9}{'stream':>9}{'JSON':>9}  M/s")
    small, large = random_formula(235, seed=1), random_formula(2347, seed=1)
    for variant in VARIANTS:
        formula = large if variant.startswith(("constant", "four", "three", "two")) else small
        stream = stream_of(formula, variant=variant)
        cards = sum(len(block.values) for block in stream.blocks())
        whole = _best_of(3, partial(reduce, formula, variant=variant))
        blocks = _best_of(3, lambda stream=stream: [len(b.values) for b in stream.blocks()])  # type: ignore[misc]
        text = _best_of(1, lambda stream=stream: write_json(stream, _Sink()))  # type: ignore[misc, arg-type]
        speeds = "".join(f"{cards / seconds / 1e6:>9.1f}" for seconds in (whole, blocks, text))
        print(f"{variant:15}{formula.n_clauses:>9}{cards:>13,}{speeds}")
    done, start = 0, perf_counter()
    for block in stream_of(large).blocks():
        done += len(block.values)
        if done > _MOST_CARDS:
            break
    speed = done / (perf_counter() - start) / 1e6
    print(f"{'paper':15}{large.n_clauses:>9}{f'first {done:,}':>22}{speed:>9.1f}")


def _satlib() -> None:
    head = "".join(f"{variant:>14}{'n':>5}{'c':>5}{'ms':>8}" for variant in _DETOURS)
    print(f"\n{'formula':10}{'':>6}{'CaDiCaL ms':>12}{head}{'ratio':>7}")
    for path in sorted(SATLIB.glob("*.cnf")):
        formula = _read(path.stem)
        cnf = formula.to_cnf()
        plain = _best_of(9, partial(decide, cnf))
        line, seconds = "", 0.0
        for variant in _DETOURS:
            decision = decide_by_cards(formula, variant=variant)
            seconds = _best_of(9, partial(decide_by_cards, formula, variant=variant))
            cards = decision.reduction
            line += f"{cards.N:>14,}{cards.n:>5}{cards.c:>5}{1e3 * seconds:>8.1f}"
        answer = "sat" if decision.is_satisfiable else "unsat"
        print(f"{path.stem:10}{answer:>6}{1e3 * plain:>12.1f}{line}{seconds / plain:>7.0f}")


def _variants() -> None:
    print(f"\n{'variant':15}{'cards':>10}{'uf50-01 ms':>13}{'cards':>12}{'uuf50-01 ms':>13}")
    for variant in VARIANTS:
        if variant == _SLOW:
            continue
        line = f"{variant:15}"
        for name, width in (("uf50-01", 10), ("uuf50-01", 12)):
            decision = decide_by_cards(_read(name), variant=variant)
            line += f"{decision.reduction.N:>{width},}{1e3 * decision.seconds:>13.0f}"
        print(line)


def _agreement(number: int, variants: list[str]) -> None:
    """Compare the answers on random problems with brute force; stop at the first difference."""
    print(f"{'variant':15}{'problems':>10}{'solvable':>10}{'most cards':>12}{'wrong':>7}")
    for variant in variants:
        solvable = most = 0
        for seed in range(number):
            wins, cards = (_graph if variant == CLIQUE else _formula)(variant, seed)
            solvable += wins
            most = max(most, cards)
        print(f"{variant:15}{number:>10,}{solvable:>10,}{most:>12,}{0:>7}", flush=True)


def _formula(variant: str, seed: int) -> tuple[bool, int]:
    """Check a random formula of clauses of one to three literals."""
    rng = Stream(seed, 1)
    n_vars = 1 + rng.below(5)
    n_clauses = 1 + rng.below(5 if variant == _SLOW else 4 * n_vars)
    clauses = []
    for _ in range(n_clauses):
        variables = rng.shuffled(range(1, n_vars + 1))[: 1 + rng.below(3)]
        clauses.append(tuple(x if rng.below(2) else -x for x in variables))
    formula = Formula(n_vars, tuple(clauses))
    assignments = product((False, True), repeat=n_vars)
    assignment = next(filter(formula.satisfied_by, assignments), None)
    normal = normal_form(formula, variant)
    reduction = reduce(normal.formula, variant=variant, **_options(variant, rng))
    if assignment is not None:
        play = winning_play(reduction, normal.extend(assignment))
        assignment_of(reduction, reduction.annotation, play)
    witness = _checked(reduction, assignment is not None, formula)
    if witness is not None:
        found = assignment_of(reduction, reduction.annotation, witness)
        assert formula.satisfied_by(normal.restore(found)), formula
    return assignment is not None, reduction.N


def _graph(variant: str, seed: int) -> tuple[bool, int]:
    """Check a random graph of two classes of up to three vertices, or three of up to two."""
    rng = Stream(seed, 2)
    n_classes = 2 + rng.below(2)
    sizes = [1 + rng.below(5 - n_classes) for _ in range(n_classes)]
    graph = random_graph(sizes, density=(1 + rng.below(9)) / 10, seed=seed)
    clique = next(filter(graph.is_clique, product(*graph.members)), None)
    reduction = reduce(graph, variant=variant, **_options(variant, rng))
    if clique is not None:
        play = winning_play(reduction, graph.values_of(clique))
        assert read_play(reduction, reduction.annotation, play).clique == clique
    witness = _checked(reduction, clique is not None, graph)
    if witness is not None:
        assert graph.is_clique(read_play(reduction, reduction.annotation, witness).clique or ())
    return clique is not None, reduction.N


def _checked(reduction: Reduction, expected: bool, problem: object) -> Play | None:
    verdict = sat.solve(reduction)
    assert verdict.is_winnable == expected, problem
    return verdict.witness


def _options(variant: str, rng: Stream) -> dict[str, Any]:
    """Return a larger hand, larger r or exactly r copies, now and then."""
    options: dict[str, Any] = {}
    if not rng.below(4) and variant != _SLOW:
        options["hand_size"] = 2 + rng.below(3) if variant in (CLIQUE, DEFAULT_VARIANT) else 3
    if not rng.below(4):
        options["multiplicity"] = 3 + rng.below(2)
        options["copies"] = "exact"
    return options


def main(words: Sequence[str] = ()) -> None:
    if words[:1] == ["--agreement"]:
        _agreement(int(words[1]), list(words[2:]) or [*VARIANTS, CLIQUE])
        return
    _emission()
    _satlib()
    _variants()


if __name__ == "__main__":
    main(sys.argv[1:])
