"""3-SAT by way of cards: how fast cards are made, and what the detour costs a SAT solver.

1. Emission: millions of cards a second into arrays (`reduce`), in blocks (`stream`), and as JSON
   (`write_json`, into a sink). A stream of half a billion cards needs the memory of one block, so
   only its first 100 million cards are laid out.
2. Every SATLIB formula of the tests: milliseconds of CaDiCaL on the original, and of the whole
   detour (formula, cards, CNF of the cards, model, play, assignment, all checked).
3. Variants on one satisfiable and one unsatisfiable formula of 50 variables.

All solvers run in this process or a child of it. Times are the best of three.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from io import RawIOBase
from pathlib import Path
from time import perf_counter

from hanabi.hardness import (
    VARIANTS,
    Formula,
    decide_by_cards,
    random_formula,
    read_dimacs,
    reduce,
    stream_of,
    write_json,
)
from hanabi.sat import decide

SATLIB = Path(__file__).parents[1] / "tests" / "data" / "satlib"
_MOST_CARDS = 10**8


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
        formula = large if variant.startswith("constant") else small
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
    print(f"\n{'formula':10}{'':>6}{'cards':>8}{'n':>5}{'c':>5}{'CaDiCaL ms':>12}{'cards ms':>10}")
    for path in sorted(SATLIB.glob("*.cnf")):
        formula = _read(path.stem)
        cnf = formula.to_cnf()
        plain = _best_of(3, partial(decide, cnf))
        decision = decide_by_cards(formula)
        seconds = _best_of(3, partial(decide_by_cards, formula))
        cards = decision.reduction
        answer = "sat" if decision.is_satisfiable else "unsat"
        print(
            f"{path.stem:10}{answer:>6}{cards.N:>8,}{cards.n:>5}{cards.c:>5}"
            f"{1e3 * plain:>12.1f}{1e3 * seconds:>10.1f}"
        )


def _variants() -> None:
    print(f"\n{'variant':15}{'cards':>10}{'uf50-01 ms':>13}{'cards':>12}{'uuf50-01 ms':>13}")
    for variant in VARIANTS:
        line = f"{variant:15}"
        for name, width in (("uf50-01", 10), ("uuf50-01", 12)):
            decision = decide_by_cards(_read(name), variant=variant)
            line += f"{decision.reduction.N:>{width},}{1e3 * decision.seconds:>13.0f}"
        print(line)


def main() -> None:
    _emission()
    _satlib()
    _variants()


if __name__ == "__main__":
    main()
