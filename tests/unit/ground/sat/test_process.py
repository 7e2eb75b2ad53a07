"""Solvers in child processes: answers, budgets, deaths, and nothing left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clocks import Looks
from hanabi.ground.errors import SolverError
from hanabi.ground.rng import Stream
from hanabi.ground.sat import (
    Cnf,
    Engine,
    Satisfiability,
    SatResult,
    at_most,
    child,
    decide,
    process,
    race,
    solve,
    solve_here,
)
from hanabi.ground.workers.bare import __file__ as bare_child
from hanabi.ground.workers.child import BareProcess
from oracles.sat import satisfies
from processes import is_running, wait_until

SAT, UNSAT, UNKNOWN = Satisfiability


def pigeons(holes: int) -> Cnf:
    """One pigeon more than holes: hopeless for any of these solvers from about 12 holes on."""
    cnf = Cnf()
    sits = cnf.new_vars((holes + 1, holes))
    cnf.add(sits)
    for hole in range(holes):
        at_most(cnf, sits[:, hole], 1)
    return cnf


def random_formula(seed: int, n_vars: int, n_clauses: int) -> Cnf:
    stream = Stream(seed)
    cnf = Cnf(n_vars=n_vars)
    for _ in range(n_clauses):
        clause = stream.shuffled(range(1, n_vars + 1))[:3]
        cnf.add_clause(variable * (1 - 2 * stream.below(2)) for variable in clause)
    return cnf


def has_model(cnf: Cnf) -> bool:
    models = (np.array([False, *bits]) for bits in product((False, True), repeat=cnf.n_vars))
    return any(satisfies(cnf, model) for model in models)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Collect the processes started; afterwards all of them must have ended and been waited for."""
    processes: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def record(*args: Any, **options: Any) -> subprocess.Popen[bytes]:
        processes.append(popen(*args, **options))
        return processes[-1]

    monkeypatch.setattr(subprocess, "Popen", record)
    yield processes
    assert processes
    assert all(one.returncode is not None for one in processes)


@pytest.mark.parametrize("name", ["cadical195", "cadical153", "glucose4", "minisat22", "kissat404"])
def test_solvers_agree_with_truth_tables(name: str) -> None:
    seen = set()
    for seed in range(25):
        cnf = random_formula(seed, n_vars=7, n_clauses=34)
        answer = solve_here(cnf, Engine(name))
        assert (answer.status is SAT) == has_model(cnf)
        assert answer.reason == f"{answer.status} by {name}"
        assert (answer.model is not None) == (answer.status is SAT)
        if answer.model is not None:
            assert satisfies(cnf, answer.model)
        seen.add(answer.status)
    assert seen == {SAT, UNSAT}


def test_a_child_answers_as_this_process_does(started: list[subprocess.Popen[bytes]]) -> None:
    for seed in range(4):
        cnf = random_formula(seed, n_vars=30, n_clauses=128)
        here, there = solve_here(cnf, proof=True), solve(cnf, proof=True)
        assert (here.status, here.conflicts, here.proof) == (
            there.status,
            there.conflicts,
            there.proof,
        )
        assert np.array_equal(here.model, there.model)  # type: ignore[arg-type]
        assert there.seconds > 0


def test_clauses_of_all_lengths_arrive(started: list[subprocess.Popen[bytes]]) -> None:
    cnf = Cnf(n_vars=9)
    cnf.add_clause([9])
    cnf.add([[-9, 1, 2], [-1, 3, 4]])
    cnf.add([[-2], [-3]])
    answer = solve(cnf)
    assert answer.model is not None
    assert answer.model.tolist() == [False, True, False, False, True] + [False] * 4 + [True]
    cnf.add_clause([])
    assert solve(cnf).status is UNSAT
    assert solve(Cnf(n_vars=3)).status is SAT


def test_time_budget(started: list[subprocess.Popen[bytes]]) -> None:
    answer = solve(pigeons(14), seconds=0.4)
    assert answer.status is UNKNOWN
    assert answer.reason == "the time budget of 0.4 s ended"
    assert (answer.model, answer.proof, answer.conflicts) == (None, None, None)
    assert solve(pigeons(14), seconds=0).reason == "the time budget of 0 s ended"


def test_memory_budget(started: list[subprocess.Popen[bytes]]) -> None:
    for memory in (0, 2**20, 20 << 20):  # too little for Python, and to load the solver
        answer = solve(random_formula(1, 100, 300), memory=memory)
        assert answer.status is UNKNOWN
        assert answer.reason == f"cadical195: the memory budget of {memory} bytes ended"
    cnf = Cnf(n_vars=500_000)
    cnf.add(np.arange(1, 500_001, dtype=np.int32).reshape(-1, 5))
    answer = solve(cnf, memory=10**8)
    assert answer.status is UNKNOWN
    assert "memory budget" in answer.reason


def test_a_race_runs_one_engine_for_each_processor_it_may_use(
    started: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    engines = [Engine("cadical195"), Engine("glucose4"), Engine("minisat22")]
    for processors in (1, 2):
        monkeypatch.setattr(process, "cores", lambda n=processors: n)
        assert race(pigeons(14), engines, clock=Looks(3)).status is UNKNOWN
    assert len(started) == 3


def test_conflict_budget(started: list[subprocess.Popen[bytes]]) -> None:
    for answer in (solve(pigeons(9), conflicts=50), solve_here(pigeons(9), conflicts=50)):
        assert answer.status is UNKNOWN
        assert answer.reason == "cadical195: the budget of conflicts ended"
        assert answer.conflicts is not None
        assert 50 <= answer.conflicts <= 60


def test_decide_needs_no_process_for_a_small_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "solve", None)
    assert decide(random_formula(3, 20, 60)).status is SAT
    assert decide(pigeons(4), proof=True).proof is not None


def test_decide_keeps_the_budget_of_a_hard_formula(started: list[subprocess.Popen[bytes]]) -> None:
    answer = decide(pigeons(14), seconds=0.5)
    assert answer.status is UNKNOWN
    assert "time budget" in answer.reason
    assert decide(pigeons(14), seconds=0).status is UNKNOWN


class Acts(Looks):
    """A clock that does something when it is looked at first: the children have been started."""

    __slots__ = ("act",)

    def __init__(self, act: Callable[[], object]) -> None:
        super().__init__()
        self.act = act

    @property
    def is_over(self) -> bool:
        if self.looks == 0:
            self.act()
        return super().is_over


def test_a_killed_child_is_reported(started: list[subprocess.Popen[bytes]]) -> None:
    kill = Acts(lambda: started[0].send_signal(signal.SIGSEGV))
    answer = race(pigeons(14), [Engine()], clock=kill)
    assert answer.status is UNKNOWN
    died = signal.strsignal(signal.SIGSEGV)
    assert answer.reason == f"cadical195: the process died ({died})"


def test_a_failing_child_is_reported_with_its_last_words(
    started: list[subprocess.Popen[bytes]],
) -> None:
    wrong: Any = {"seed": "seven"}
    answer = solve(pigeons(3), Engine("cadical195", wrong))
    assert answer.status is UNKNOWN
    assert answer.reason.startswith("cadical195(seed=seven): the process died (exit code 1) ")
    assert "Error" in answer.reason


@pytest.mark.parametrize(
    ("engine", "options", "message"),
    [
        (Engine("nonesuch"), {}, "PySAT has no solver named 'nonesuch'"),
        (Engine("glucose4", {"seed": 1}), {}, "glucose4 takes no options"),
        (Engine("minisat22"), {"proof": True}, "minisat22: Proof logging is not supported"),
        (Engine("lingeling"), {"conflicts": 5}, "lingeling: Limited solve is currently"),
    ],
)
def test_impossible_requests_are_refused(
    engine: Engine, options: dict[str, Any], message: str, started: list[subprocess.Popen[bytes]]
) -> None:
    with pytest.raises(SolverError, match=message):
        solve(pigeons(3), engine, **options)
    with pytest.raises(SolverError, match=message):
        race(pigeons(14), [Engine(), engine], workers=2, **options)


def test_the_first_answer_wins(started: list[subprocess.Popen[bytes]]) -> None:
    # Both meet a formula that is easy for every solver; the broken engine never answers.
    wrong: Any = {"seed": "seven"}
    cnf = random_formula(5, 50, 150)
    for workers in (1, 2, 5):
        answer = race(cnf, [Engine("cadical195", wrong), Engine("glucose4")], workers=workers)
        assert answer.status is SAT
        assert answer.reason == "satisfiable by glucose4"
        assert answer.model is not None
        assert satisfies(cnf, answer.model)


def test_losers_are_killed(
    started: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second engine answers at once; the first would take for ever."""
    slow, quick = Engine("cadical195"), Engine("glucose4")

    start = process._start

    def start_on_another(engine: Engine, request: Any, cnf: Cnf, memory: Any) -> BareProcess:
        return start(engine, request, pigeons(14) if engine is slow else cnf, memory)

    monkeypatch.setattr(process, "_start", start_on_another)
    answer = race(random_formula(5, 50, 150), [slow, quick], workers=2, seconds=60)
    assert answer.reason == "satisfiable by glucose4"
    assert started[0].returncode == -signal.SIGKILL


def test_failures_are_listed_when_nobody_answers(started: list[subprocess.Popen[bytes]]) -> None:
    engines = [Engine("cadical195", {"seed": seed}) for seed in (1, 2)]
    answer = race(pigeons(9), engines, workers=1, conflicts=20)
    assert answer.status is UNKNOWN
    assert answer.reason == (
        "cadical195(seed=1): the budget of conflicts ended;"
        " cadical195(seed=2): the budget of conflicts ended"
    )
    assert race(pigeons(2), []).reason == "no engine was given"


def test_an_interrupt_ends_the_children(started: list[subprocess.Popen[bytes]]) -> None:
    interrupt = Acts(lambda: signal.raise_signal(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        race(pigeons(14), [Engine(), Engine("glucose4")], workers=2, clock=interrupt)
    assert len(started) == 2


ORPHAN = """
import subprocess
from hanabi.ground.sat import Cnf, at_most, solve
popen = subprocess.Popen
def record(*args, **options):
    started = popen(*args, **options)
    print(started.pid, flush=True)
    return started
subprocess.Popen = record
cnf = Cnf()
sits = cnf.new_vars((15, 14))
cnf.add(sits)
at_most(cnf, sits.T, 1)
{more}
solve(cnf)
"""
LARGE = """
cnf.add(sits.reshape(1, -1).repeat(20_000, axis=0))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the system tells the child only on Linux")
@pytest.mark.parametrize("more", ["", LARGE], ids=["small", "large"])
@pytest.mark.parametrize("after", [0.0, 0.3])  # while it starts, and while it is at work
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM])
def test_nothing_outlives_a_parent_that_is_killed(
    sent: signal.Signals, after: float, more: str, tmp_path: Path
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", ORPHAN.format(more=more)],
        stdout=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        time.sleep(after)
        assert is_running(pid)
        parent.send_signal(sent)
    wait_until(lambda: not is_running(pid))
    assert not list(tmp_path.iterdir())


def test_the_child_imports_little() -> None:
    orders = {
        "file": child.__file__,
        "request": {
            "solver": "cadical195",
            "options": {},
            "runs": [[1, 1]],
            "conflicts": None,
            "proof": False,
        },
        "numbers": 1,
        "path": sys.path,
        "parent": os.getpid(),
        "memory": None,
    }
    script = (
        f"import runpy, sys; runpy.run_path({bare_child!r}, run_name='__main__');"
        "sys.exit(bool({'numpy', 'hanabi', 'multiprocessing'} & sys.modules.keys()))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-P", "-c", script],
        input=json.dumps(orders).encode() + b"\n" + np.array([-1], dtype=np.int32).tobytes(),
        capture_output=True,
        check=True,
    )
    assert json.loads(done.stdout.splitlines()[0])["answer"]["status"] is True


def test_a_memory_budget_above_all_limits_is_none(started: list[subprocess.Popen[bytes]]) -> None:
    for memory in (sys.maxsize, sys.maxsize + 1, 9_000_000_000_000 << 20, 10**30):
        assert solve(random_formula(5, 50, 150), memory=memory).status is SAT


def test_a_memory_budget_under_a_stricter_limit() -> None:
    """A limit that was set from outside stays, and is no error."""
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (2**33, 2**33))\n"
        "from hanabi.ground.sat import Cnf, solve; print(solve(Cnf(n_vars=1), memory=2**34).status)"
    )
    pytest.importorskip("resource")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "satisfiable\n"


def test_a_formula_larger_than_the_pipe_arrives(started: list[subprocess.Popen[bytes]]) -> None:
    cnf = Cnf(n_vars=300_000)
    cnf.add(np.arange(1, 300_001, dtype=np.int32).reshape(-1, 3))
    cnf.add(-np.arange(1, 300_000, dtype=np.int32).reshape(-1, 1)[::3])
    answer = solve(cnf)
    assert answer.model is not None
    assert satisfies(cnf, answer.model)
    cnf.add_clause([])
    assert solve(cnf).status is UNSAT


def lines_as_clauses(proof: str) -> list[list[int]]:
    """Return the additions of a DRAT proof; the checker keeps every clause anyway."""
    lines = [line.split() for line in proof.splitlines()]
    return [[int(x) for x in line[:-1]] for line in lines if line[0] != "d"]


@pytest.mark.parametrize("name", ["cadical195", "glucose4"])
@pytest.mark.parametrize("ask", [solve, solve_here, decide])
def test_proofs_convince_an_independent_checker(name: str, ask: Any, drup: Any) -> None:
    cnf = pigeons(5)
    answer: SatResult = ask(cnf, Engine(name), proof=True)
    assert answer.status is UNSAT
    assert answer.proof is not None
    steps = lines_as_clauses(answer.proof)
    assert len(steps) > 10
    assert drup.check_proof(list(cnf), steps).outcome is drup.Outcome.VALID


def test_tampered_proofs_are_rejected(drup: Any) -> None:
    cnf = pigeons(5)
    proof = solve_here(cnf, proof=True).proof
    assert proof is not None
    steps = lines_as_clauses(proof)
    assert steps[-1] == []
    flipped = [[-steps[0][0], *steps[0][1:]], *steps[1:]]
    attempts: list[list[list[int]]] = [[[]], steps[1:], [[1], *steps], flipped]
    for tampered in attempts:
        assert drup.check_proof(list(cnf), tampered).outcome is drup.Outcome.INVALID
    fewer = list(cnf)[1:]  # without one clause the pigeons fit
    assert drup.check_proof(fewer, steps).outcome is drup.Outcome.INVALID


def test_the_empty_clause_is_proof_enough(drup: Any) -> None:
    cnf = Cnf(n_vars=1)
    cnf.add_clause([])
    answer = solve_here(cnf, proof=True)
    assert (answer.status, answer.proof) == (UNSAT, "0")
    assert drup.check_proof(list(cnf), [[]]).outcome is drup.Outcome.VALID


def test_no_proof_unless_asked_and_unsatisfiable() -> None:
    assert solve_here(pigeons(3)).proof is None
    assert solve_here(Cnf(n_vars=1), proof=True).proof is None
