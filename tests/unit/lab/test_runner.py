from __future__ import annotations

import threading
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from hanabi.ground.errors import SolverError
from hanabi.lab import (
    Job,
    Progress,
    Simulation,
    Store,
    default_executor,
    key_of,
    open_executor,
    outcomes,
    run,
    unfinished,
)
from hanabi.lab.decks import Winnability, deck_counts
from hanabi.lab.playability import Playability, curve
from hanabi.players import RandomLegal, arena
from hanabi.rules import Rules
from hanabi.solitaire.counting.playability import estimate_curve
from hanabi.solvers.winnable import solve

from .works import Deadly, Failing, Squares, squares

RULES = Rules.bergh2016(3)


def done(plan: list[Job], text: str, workers: int | None = None) -> Store:
    store = Store.memory()
    with open_executor(text, workers) as pool:
        run(plan, store, executor=pool)
    return store


@pytest.mark.parametrize(
    ("text", "workers"), [("serial", None), ("threads", 2), ("threads", 3), ("processes", 2)]
)
def test_results_do_not_depend_on_the_workers(text: str, workers: int | None) -> None:
    jobs = [
        Job(Simulation(("random",), RULES, seed=7), 3_000),
        Job(Squares(pause=0.002), 500),  # long enough for workers to be called
        Job(Simulation(("first-legal",), RULES, seed=7), 40, chunk=3),
        Job(Squares(), 400),  # done already
    ]
    store = done(jobs, text, workers)
    games = outcomes(store, jobs[0])
    assert games.tolist() == arena.outcomes(RandomLegal(), RULES, 3_000, seed=7)
    assert games.dtype == np.int64
    assert store.payload(key_of(jobs[1].work), 500) == squares(0, 500)
    assert store.payload(key_of(jobs[2].work), 40) == jobs[2].work.run(0, 40)


def test_a_longer_run_goes_on_where_the_shorter_ended() -> None:
    store = Store.memory()
    work, key = Squares(), key_of(Squares())
    told: list[Progress] = []
    with open_executor("serial") as pool:
        run([Job(work, 100)], store, executor=pool)
        before = store.chunks(key)
        assert unfinished([Job(work, 100)], store) == 0
        assert unfinished([Job(work, 1_000)], store) == 900
        run([Job(work, 1_000)], store, executor=pool, progress=told.append)
        assert set(before) <= set(store.chunks(key))
        assert store.payload(key, 1_000) == squares(0, 1_000)
        run([Job(work, 1_000, chunk=7)], store, executor=pool, progress=told.append)
    assert (told[0].done, told[0].total, told[0].fresh, told[0].left) == (100, 1_000, 0, None)
    assert (told[-2].done, told[-2].fresh, told[-2].left) == (1_000, 900, 0.0)
    assert (told[-1].done, told[-1].fresh) == (1_000, 0)  # nothing was left, whatever the size
    assert [each.done for each in told[:-1]] == sorted({each.done for each in told[:-1]})


def test_holes_are_filled() -> None:
    store = Store.memory()
    key = store.add(Squares())
    for first in (3, 10, 64):
        store.put(key, first, 5, squares(first, 5), seconds=0.1)
    with open_executor("serial") as pool:
        run([Job(Squares(), 70)], store, executor=pool)
    assert store.payload(key, 70) == squares(0, 70)
    assert sum(chunk.count for chunk in store.chunks(key)) == 70


@pytest.mark.parametrize("times", [1, 2])
def test_killed_workers_are_replaced(tmp_path: Path, times: int) -> None:
    job = Job(Deadly(str(tmp_path), at=41, times=times), 100, chunk=4)
    store = done([job], "processes", 2)
    assert store.payload(key_of(job.work), 100) == squares(0, 100)
    assert len(list(tmp_path.iterdir())) == times


def test_a_chunk_that_kills_again_and_again_is_named(tmp_path: Path) -> None:
    job = Job(Deadly(str(tmp_path), at=41, times=99), 100, chunk=4)
    with pytest.raises(SolverError, match=r"killed again and again, .* at numbers 40 to 43"):
        done([job], "processes", 2)
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize(("text", "workers"), [("serial", 1), ("threads", 2), ("processes", 2)])
def test_an_error_of_the_work_is_raised_and_the_rest_kept(text: str, workers: int) -> None:
    store, job = Store.memory(), Job(Failing(at=50), 100, chunk=5)
    with (
        pytest.raises(ZeroDivisionError, match="at 50"),
        open_executor(text, workers) as pool,
    ):
        run([job], store, executor=pool)
    assert 0 < unfinished([job], store) <= 70


@pytest.mark.parametrize(("text", "workers"), [("serial", 1), ("threads", 2), ("processes", 2)])
def test_an_interrupt_keeps_what_is_done(text: str, workers: int) -> None:
    store, job = Store.memory(), Job(Squares(pause=0.01), 200, chunk=4)

    def interrupt(progress: Progress) -> None:
        if progress.done >= 80:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), open_executor(text, workers) as pool:
        run([job], store, executor=pool, progress=interrupt)
    assert unfinished([job], store) <= 120
    with open_executor(text, workers) as pool:
        run([job], store, executor=pool)
    assert store.payload(key_of(job.work), 200) == squares(0, 200)


def test_no_thread_stays_behind() -> None:
    before = threading.active_count()
    done([Job(Squares(pause=0.01), 100)], "threads", 2)
    done([Job(Squares(pause=0.01), 100)], "processes", 2)
    assert threading.active_count() == before


def test_executors_by_kind_of_work() -> None:
    compiled = Job(Simulation(("rule-based",), RULES, seed=1), 1)
    plain = Job(Simulation(("first-legal",), RULES, seed=1), 1)
    assert default_executor([compiled]) == "threads"
    assert default_executor([compiled, plain]) == "processes"


def test_decks_and_hands() -> None:
    rules = Rules.hanab_live(2)
    decks = Job(Winnability(rules, seed=2026), 60)
    hands = Job(Playability(((3, 2, 2, 2, 1),), seed=4), 300)
    store = done([decks, hands], "serial")
    counts = deck_counts(store, decks)
    verdicts = [solve(rules.spec.shuffle(2026, index), rules) for index in range(60)]
    assert counts.statuses == Counter(verdict.status for verdict in verdicts)
    assert counts.methods == Counter(verdict.method for verdict in verdicts)
    assert (counts.decks, counts.open) == (60, ())
    expected = estimate_curve([(3, 2, 2, 2, 1)], samples=300, seed=4, confidence=0.9)
    assert curve(store, hands, confidence=0.9) == expected
