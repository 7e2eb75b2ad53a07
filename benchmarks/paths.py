"""The solvers of Solitaire Hanabi side by side, in one run, on families of streams.

`python -m benchmarks.paths` prints the seconds that `auto` and each general solver take, with the
ratio of `auto` to the best of them. The families: random streams just below and at their least
hand, the streams of the other benchmarks, formulas through each reduction, and small formulas,
satisfiable and not, as streams of two colors. CP-SAT joins in where OR-Tools is
installed. Then come least hands and most cards, and how the cost grows.

Seconds are those of the processor, of this process and its children, which other work on the
machine does not change. The solvers of `auto` work at the same time, so on several processors it
takes less by the clock on the wall.

`--only NAME` runs the rows whose name contains it, `--without METHOD ...` leaves methods out.
`--cold` asks each question in a new process, and counts what it has to load.
`--before TREE` adds `auto` of another work tree. `--streams FILE` adds streams, one a line: JSON
with name, hand_size, n, c and cards. `--seconds S` limits each call (default 10).
`--only growth --plot FILE` draws how cost grows.

`--agree N [--seed S]` does something else: it holds paths against the plain search on N small
streams of all shapes, and against the paper's table where that is small, with the least hand and
the most cards of every tenth; it checks every certificate, and prints how many disagree.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from importlib.util import find_spec
from itertools import chain, product
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import Any, TypeVar

from benchmarks.budgets import open_instance
from hanabi.lab.report.charts import open_figure, save_figure
from hanabi.rules.deck import DeckSpec
from hanabi.solitaire import (
    Instance,
    find_broken_rule,
    least_hand,
    most_cards,
    paths,
    search,
    solve,
    table,
)
from hanabi.solitaire.certificate import find_flaw
from hanabi.solitaire.hardness import VARIANTS, Formula, read_dimacs, reduce
from hanabi.solitaire.paths import optimum
from hanabi.solitaire.paths.graph import graph_of
from hanabi.solitaire.paths.program import Program
from hanabi.solitaire.play import n_played
from hanabi.solitaire.search_plain import find_winning_copies

_METHODS = "search", "sat", "paths"
_SHAPES = (
    # c, n, r
    (5, 5, 3), (5, 10, 3), (5, 20, 2), (5, 30, 4), (5, 100, 2), (8, 40, 2), (10, 10, 2),
    (10, 20, 2), (10, 10, 4), (20, 10, 2), (20, 20, 3), (30, 8, 3), (40, 5, 2), (50, 10, 4),
    (50, 20, 2), (100, 4, 2), (100, 4, 4), (100, 10, 2),
)  # fmt: skip
_BUDGET_SHAPES = ((30, 30, 3, 30), (50, 50, 2, 100), (100, 100, 2, 400), (20, 500, 2, 200))
_SEED = 21
_LONG = 600.0  # seconds for each of the streams that grow
_MOST_STATES, _MOST_ENTRIES = 5000, 300
_LOOK = 5000  # streams between two lines while agreement is tested
_SATLIB = Path(__file__).parents[1] / "tests" / "data" / "satlib"

T = TypeVar("T")


def random_stream(c: int, n: int, r: int, seed: int = _SEED) -> Instance:
    """Return a shuffled stream of r copies of each card."""
    cards = [(color, value) for value in range(1, n + 1) for color in range(c) for _ in range(r)]
    random.Random(seed).shuffle(cards)
    return Instance(0, cards, n=n, c=c)


def _worked() -> float:
    """Return the processor's seconds so far, of this process and of the children that ended."""
    return sum(sum(getrusage(who)[:2]) for who in (RUSAGE_SELF, RUSAGE_CHILDREN))


def _seconds(run: Callable[[], T]) -> tuple[float, T]:
    started = _worked()
    result = run()
    return _worked() - started, result


def _families(only: str, limit: float) -> Iterator[tuple[str, Instance]]:
    """Yield the rows with their names."""
    for c, n, r in _SHAPES:
        name = f"random c={c} n={n} r={r}"
        if only not in name:
            continue
        stream = random_stream(c, n, r)
        least = least_hand(stream, seconds=limit)
        for hand_size in (least.lower - 1, least.upper):
            if hand_size is not None and hand_size >= 0:
                yield f"{name} h={hand_size}", stream.with_hand_size(hand_size)
    for name, spec, hand_sizes in (
        ("deck 5 x 5", DeckSpec.standard(), range(1, 8, 2)),
        ("deck 6 x 6, r=3", DeckSpec.uniform(6, 6, 3), range(4, 5)),
        ("deck 8 x 8, r=2", DeckSpec.uniform(8, 8, 2), range(13, 14)),
        ("deck 8 x 8, r=3", DeckSpec.uniform(8, 8, 3), range(5, 6)),
        ("deck 10 x 10, r=3", DeckSpec.uniform(10, 10, 3), range(6, 19, 4)),
    ):
        for hand_size in hand_sizes:
            yield f"{name} h={hand_size}", Instance(hand_size, spec.shuffle(7, 0))
    for shape in _BUDGET_SHAPES:
        name = "disorder c={} n={} r={} h={}".format(*shape)
        if only in name:
            yield name, open_instance(*shape)
    yield "50 colors in blocks", _blocks(100)
    for variant in VARIANTS:
        for file in ("uf20-01", "uf20-02"):
            name = f"{file} {variant}"
            if only in name:
                yield name, _reduced(file, variant)
    for n_clauses in range(2, 9):
        for is_satisfiable in (True, False):
            name = f"two_colors, {n_clauses} clauses, {'sat' if is_satisfiable else 'unsat'}"
            if only in name:
                yield name, reduce(_formula(n_clauses, is_satisfiable), variant="two_colors")
    for file in ("uuf50-01", "uf50-01", "uuf100-01", "uf100-01"):
        yield f"{file} constant_two", _reduced(file, "constant_two")


def _reduced(file: str, variant: str) -> Instance:
    with (_SATLIB / f"{file}.cnf").open(encoding="utf-8") as text:
        return reduce(read_dimacs(text), variant=variant)


def _formula(n_clauses: int, is_satisfiable: bool) -> Formula:
    """Return a random formula; few clauses are unsatisfiable only if some are short."""
    rng = random.Random(_SEED)
    while True:
        n_vars = rng.randint(2, n_clauses + 1) if is_satisfiable else rng.randint(1, n_clauses)
        clauses = []
        for _ in range(n_clauses):
            length = 3 if is_satisfiable else rng.randint(1, 3)
            chosen = rng.sample(range(1, n_vars + 1), min(length, n_vars))
            clauses.append(tuple(rng.choice((variable, -variable)) for variable in chosen))
        formula = Formula(n_vars, tuple(clauses))
        values = product((False, True), repeat=n_vars)
        if is_satisfiable is any(formula.satisfied_by(each) for each in values):
            return formula


def _blocks(number: int) -> Instance:
    """Return 50 colors in blocks of 4 3 2 1 2 3 4, with a full hand after each."""
    cards = []
    for block in range(0, 4 * number, 4):
        cards += [(50, block + i) for i in (2, 3, 1, 4)]
        cards += [(k, block + i) for k in range(50) for i in (4, 3, 2, 1, 2, 3, 4)]
    return Instance(2, cards)


def _streams(file: str) -> Iterator[tuple[str, Instance]]:
    for line in Path(file).read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        yield (
            entry["name"],
            Instance(entry["hand_size"], entry["cards"], n=entry["n"], c=entry["c"]),
        )


def cp_sat(instance: Instance, seconds: float) -> bool | None:
    """Return what CP-SAT says of the same paths and moments, as constraints of its own."""
    from ortools.sat.python import cp_model

    graph = graph_of(instance)
    program, model = Program(instance, graph), cp_model.CpModel()
    edge = [model.new_bool_var("") for _ in range(len(graph))]
    leaving: dict[int, list[Any]] = {}
    entering: dict[int, list[Any]] = {}
    for index, (tail, head) in enumerate(
        zip(graph.tails.tolist(), graph.heads.tolist(), strict=True)
    ):
        leaving.setdefault(tail, []).append(edge[index])
        entering.setdefault(head, []).append(edge[index])
    for node, edges in leaving.items():
        model.add(sum(edges) == (sum(entering[node]) if node in entering else 1))
    for moment in program.moments.tolist():
        open_then = (graph.opens < moment) & (moment <= graph.closes)
        model.add(sum(edge[index] for index in open_then.nonzero()[0]) <= instance.hand_size)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds, solver.parameters.num_workers = seconds, 1
    status = solver.solve(model)
    known = {cp_model.OPTIMAL: True, cp_model.FEASIBLE: True, cp_model.INFEASIBLE: False}
    return known.get(status)


_ANSWER = """
import json, sys
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from hanabi import solitaire
def worked():
    return sum(sum(getrusage(who)[:2]) for who in (RUSAGE_SELF, RUSAGE_CHILDREN))
for line in sys.stdin:
    what, cards, hand_size, n, c, seconds = json.loads(line)
    instance = solitaire.Instance(hand_size, cards, n=n, c=c)
    started = worked()
    found = getattr(solitaire, what)(instance, seconds=seconds)
    took = worked() - started
    answer = found.is_winnable if what == "solve" else [found.lower, found.upper]
    print(json.dumps([took, answer]), flush=True)
"""


class _Tree:
    """`auto` of another work tree, in a process that answers one question after another."""

    def __init__(self, tree: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", _ANSWER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=tree,
            env=os.environ | {"PYTHONPATH": str(Path(tree) / "src")},
        )
        self.ask("solve", random_stream(10, 10, 2).with_hand_size(25), 10)  # loads and compiles

    def ask(self, what: str, instance: Instance, seconds: float) -> tuple[float, Any]:
        """Return the seconds it took, and the answer."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        cards = list(zip(instance.colors, instance.values, strict=True))
        question = what, cards, instance.hand_size, instance.n, instance.c, seconds
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        took, answer = json.loads(self.process.stdout.readline())
        return took, answer


_COLD = """
import json, sys
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from hanabi.solitaire import Instance, solve
def worked():
    return sum(sum(getrusage(who)[:2]) for who in (RUSAGE_SELF, RUSAGE_CHILDREN))
cards, hand_size, n, c, method, seconds = json.load(sys.stdin)
instance = Instance(hand_size, cards, n=n, c=c)
started = worked()
found = solve(instance, method=method, seconds=seconds)
print(json.dumps([worked() - started, found.is_winnable, found.method]))
"""


def _ask(instance: Instance, method: str, limit: float, cold: bool) -> tuple[float, Any, str]:
    """Return the seconds it took, whether it can be won, and what decided."""
    if not cold:
        seconds, verdict = _seconds(lambda: solve(instance, method=method, seconds=limit))
        return seconds, verdict.is_winnable, verdict.method
    cards = list(zip(instance.colors, instance.values, strict=True))
    question = cards, instance.hand_size, instance.n, instance.c, method, limit
    words = [sys.executable, "-c", _COLD]
    done = subprocess.run(
        words, input=json.dumps(question), check=True, stdout=subprocess.PIPE, text=True
    )
    took, answer, decided_by = json.loads(done.stdout)
    return took, answer, decided_by


def side_by_side(
    rows: Iterator[tuple[str, Instance]],
    limit: float,
    before: _Tree | None,
    without: Collection[str],
    cold: bool,
) -> None:
    """Print who decides the rows, and how fast."""
    methods = [method for method in _METHODS if method not in without]
    has_cp_sat = find_spec("ortools") is not None and "CP-SAT" not in without
    names = ["auto", *methods] + ["CP-SAT"] * has_cp_sat + ["before"] * (before is not None)
    print(f"seconds (limit {limit:g} s; - unknown; '/ best' is of auto less 0.1 s)")
    head = f"{'':36}{'N':>7}{'':>6}" + "".join(f"{name:>9}" for name in names)
    print(head + f"{'/ best':>9}{'/ before':>10}" + "  decided by")
    for name, instance in rows:
        times: dict[str, float] = {}
        answers: dict[str, bool | None] = {}
        for method in ("auto", *methods):
            times[method], answers[method], by = _ask(instance, method, limit, cold)
            if method == "auto":
                decided_by = by
        if has_cp_sat:
            times["CP-SAT"], answers["CP-SAT"] = _seconds(lambda i=instance: cp_sat(i, limit))  # type: ignore[misc]
        if before is not None:
            times["before"], answers["before"] = before.ask("solve", instance, limit)
        known = set(answers.values()) - {None}
        assert len(known) <= 1, (name, answers)
        told = {True: "won", False: "lost"}.get(next(iter(known), None), "open")  # type: ignore[arg-type]
        cells = "".join(
            f"{'-' if answers[one] is None else f'{times[one]:.2f}':>9}" for one in names
        )
        best = min((times[m] for m in methods if answers[m] is not None), default=limit)
        ratios = f"{(times['auto'] - 0.1) / best:9.1f}"
        ratios += f"{times['auto'] / times['before']:10.2f}" if before is not None else f"{'':10}"
        print(f"{name:36}{instance.N:7}{told:>6}{cells}{ratios}  {decided_by}", flush=True)


def optima(limit: float, only: str, before: _Tree | None) -> None:
    """Print least hands, and the most cards with the hand one smaller, now and before."""
    print(f"\nleast hands, and most cards with one less (limit {limit:g} s), and seconds")
    print(f"{'':26}{'least hand':>12}{'':>8}{'before':>12}{'':>8}", end="")
    print(f"{'most cards':>14}{'':>8}{'before':>14}{'':>8}")
    for c, n, r in _SHAPES:
        name = f"random c={c} n={n} r={r}"
        if only not in name:
            continue
        stream = random_stream(c, n, r)
        print(f"{name:26}", end="")
        seconds, least = _seconds(lambda s=stream: least_hand(s, seconds=limit))  # type: ignore[misc]
        print(f"{_bounds(least.lower, least.upper):>12}{seconds:7.2f}s", end="", flush=True)
        if before is not None:
            seconds, (low, high) = before.ask("least_hand", stream, limit)
            print(f"{_bounds(low, high):>12}{seconds:7.2f}s", end="", flush=True)
        short = stream.with_hand_size(max(0, least.lower - 1))
        seconds, most = _seconds(lambda s=short: most_cards(s, seconds=limit))  # type: ignore[misc]
        print(f"{_bounds(most.lower, most.upper):>14}{seconds:7.2f}s", end="", flush=True)
        if before is not None:
            seconds, (low, high) = before.ask("most_cards", short, limit)
            print(f"{_bounds(low, high):>14}{seconds:7.2f}s", end="", flush=True)
        print(flush=True)


def _bounds(lower: int, upper: int | None) -> str:
    return str(lower) if lower == upper else f"{lower}..{upper}"


_HANDS = 20, 16
"""N / h of the streams that grow: near what it is at the least hand that wins."""


def growth(limit: float, plot: str | None) -> None:
    """Print and draw how time and memory grow, each point from a process of its own."""
    print("\nN cards in colors of five values, two copies, decided by paths")
    print(f"{'N':>8}{'h':>7}{'':>12}{'edges':>9}{'graph':>8}{'in all':>8}{'MB':>7}")
    points: dict[str, list[tuple[int, float, int]]] = {}
    for n_cards in (10**3, 10**4, 10**5):
        for ratio in _HANDS:
            words = [sys.executable, "-m", "benchmarks.paths", "--seconds", str(limit), "--grow"]
            words += [str(n_cards), str(n_cards // ratio)]
            done = subprocess.run(words, check=True, capture_output=True, text=True)
            status, n_edges, graph, seconds, megabytes = json.loads(done.stdout)
            print(
                f"{n_cards:8}{n_cards // ratio:7}{status:>12}{n_edges:9}{graph:8.2f}{seconds:8.2f}"
                f"{megabytes:7}",
                flush=True,
            )
            if status != "unknown":
                line = points.setdefault(f"h = N/{ratio}", [])
                line.append((n_cards, seconds, megabytes))
    if plot is not None:
        _draw_growth(points, plot)


def _grow(n_cards: int, hand_size: int, limit: float) -> None:
    """Print one point: the status, edges, seconds of the graph and of all, peak memory."""
    stream = random_stream(n_cards // 10, 5, 2).with_hand_size(hand_size)
    graph_seconds, graph = _seconds(lambda: graph_of(stream))
    seconds, answer = _seconds(lambda: paths.certify(stream, seconds=limit))
    peak = sum(getrusage(who).ru_maxrss for who in (RUSAGE_SELF, RUSAGE_CHILDREN))
    status = str(answer.verdict.status)
    print(json.dumps([status, len(graph), graph_seconds, seconds, peak // 1024]))


def _draw_growth(points: dict[str, list[tuple[int, float, int]]], path: str) -> None:
    figure = open_figure(path, width=8)
    for index, label in ((1, "seconds of the processor"), (2, "MB of memory")):
        axes = figure.add_subplot(1, 2, index)
        for (name, line), mark in zip(points.items(), "os^v", strict=False):
            draw = axes.loglog if index == 1 else axes.semilogx
            draw([n for n, *_ in line], [one[index] for one in line], f"{mark}-", label=name)
        axes.set_xlabel("N, cards in the stream")
        axes.set_ylabel(label)
        axes.legend()
    save_figure(figure, path)


def agree(number: int, seed: int) -> None:
    """Print how often paths disagree with others on small streams of all shapes."""
    rng, seen = random.Random(seed), Counter[str]()
    for index in range(number):
        if index % _LOOK == _LOOK - 1:
            print(f"{index:,}: {_counts(seen)}", flush=True)
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
        if table.entries(instance) <= _MOST_ENTRIES:
            seen["by the table too"] += 1
            seen["wrong by the table"] += table.solve(instance).is_winnable is not won
        if index % 10 == 0 and instance.goal <= 16:
            seen["least hands and most cards"] += 1
            seen["wrong least hands"] += not _agrees_on_the_least_hand(instance)
            seen["wrong most cards"] += not _agrees_on_the_most_cards(instance)
    print(_counts(seen))


def _counts(seen: Counter[str]) -> str:
    return ", ".join(f"{count:,} {what}" for what, count in sorted(seen.items()))


def _agrees_on_the_least_hand(instance: Instance) -> bool:
    found, by_search = optimum.least_hand(instance), least_hand(instance, method="search")
    below = instance.with_hand_size(max(0, found.lower - 1))
    return found.lower == found.upper == by_search.upper and (
        found.certificate is None or find_flaw(below, found.certificate) is None
    )


def _agrees_on_the_most_cards(instance: Instance) -> bool:
    found, by_search = optimum.fewest_left_out(instance), search.most_cards(instance)
    return (
        found.play is not None
        and found.lower == found.upper == instance.goal - by_search.upper
        and n_played(instance, found.play) == by_search.lower == by_search.upper
        and (found.certificate is None or find_flaw(instance, found.certificate) is None)
    )


def main() -> None:
    """Print all tables, or the agreement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--only", default="")
    parser.add_argument("--without", metavar="METHOD", nargs="*", default=())
    parser.add_argument("--before", metavar="TREE")
    parser.add_argument("--streams", metavar="FILE")
    parser.add_argument("--plot", metavar="FILE")
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--agree", type=int, default=0)
    parser.add_argument("--seed", type=int, default=_SEED)
    parser.add_argument("--grow", type=int, nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.agree:
        agree(given.agree, given.seed)
        return
    if given.grow is not None:
        n_cards, hand_size = given.grow
        _grow(n_cards, hand_size, given.seconds)
        return
    search.solve(random_stream(10, 10, 2).with_hand_size(25), seconds=10)  # loads what it needs
    before = None if given.before is None else _Tree(given.before)
    rows = _families(given.only, given.seconds)
    if given.streams is not None:
        rows = chain(_streams(given.streams), rows)
    asked = ((name, row) for name, row in rows if given.only in name)
    side_by_side(asked, given.seconds, before, given.without, given.cold)
    optima(given.seconds, given.only, before)
    if not given.only or given.only == "growth":
        growth(_LONG, given.plot)


if __name__ == "__main__":
    main()
