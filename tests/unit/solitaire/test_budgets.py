"""Budgets: work comes in pieces, pauses change nothing, the end of a budget is answered."""

from __future__ import annotations

import random
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from clocks import stopped
from hanabi.ground.clock import Clock
from hanabi.ground.errors import BudgetEndedError, SolverError
from hanabi.ground.verdict import Status, Verdict
from hanabi.rules.deck import DeckSpec
from hanabi.solitaire import Instance, layers, optima, search, single_color, solver, table, unique
from hanabi.solitaire.bounds import keep_everything, largest_crowd
from hanabi.solitaire.hardness import Formula, reduce
from hanabi.solitaire.kernels import search as kernel
from hanabi.solitaire.kernels import states
from hanabi.solitaire.layers import Layers
from hanabi.solitaire.play import Play
from hanabi.solitaire.search_plain import find_winning_copies


def wide(c: int, n: int, hand_size: int, spread: float) -> Instance:
    """Two copies of each card, roughly in order."""
    rng = random.Random(1)
    cards = [(v + spread * n * rng.random(), v, k) for v in range(1, n + 1) for k in range(c)] + [
        (v + spread * n * rng.random(), v, k) for v in range(1, n + 1) for k in range(c)
    ]
    return Instance(hand_size, [(k, v) for _, v, k in sorted(cards)])


@pytest.fixture(scope="module")
def open_question() -> Instance:
    """A wide instance that the bounds leave open."""
    instance = wide(40, 40, 100, 0.5)
    assert len(largest_crowd(instance).cards) <= 100 < keep_everything(instance)[0]
    return instance


def test_a_search_of_wide_states_comes_back_after_little_work(open_question: Instance) -> None:
    run = Layers(open_question, open_question.goal, 64, 2**28)
    q, work = run._search, 10**5
    most = 0
    for _ in range(400):
        before = int(q.control[states.WORK])
        outcome = kernel.advance(q, 64, work)
        most = max(most, int(q.control[states.WORK]) - before)
        if outcome == kernel.FULL:
            run._grow()
            q = run._search
    # A stretch ends with the card in hand at which the work ran out: a look at every card.
    assert most < work + 10 * open_question.goal


def test_pauses_change_nothing() -> None:
    for index in range(3):
        cards = DeckSpec.uniform(6, 6, 2).shuffle(5, index)
        for width, little in ((4, 1), (64, 500)):
            runs = [Layers(Instance(8, cards), 36, width, 2**26) for _ in range(2)]
            for run, work in zip(runs, (little, 2**60), strict=True):
                outcome = kernel.PAUSED
                while outcome in (kernel.PAUSED, kernel.FULL):
                    if outcome == kernel.FULL:
                        run._grow()
                    outcome = kernel.advance(run._search, width, work)
            slow, fast = (run._search for run in runs)
            top = fast.control[states.TOP]
            for kind in (states.POSITION, states.TOP, states.STATES, states.CUT, states.WINNER):
                assert slow.control[kind] == fast.control[kind]
            assert (slow.arena[:top] == fast.arena[:top]).all()
            assert (slow.parent[:top] == fast.parent[:top]).all()


def test_stale_entries_do_not_fill_the_hash_table() -> None:
    # Thinned layers leave entries behind that point past their end: once the table was full of
    # them, the search looked for a free slot for ever.
    instance = wide(8, 8, 8, 1.0)
    q = Layers(instance, instance.goal, 2, 2**16)._search
    base = 10
    q.table[:] = np.arange(len(q.table)) % len(q.order) + base  # all slots point into the layer
    q.order[:] = -1  # but no state points back
    assert states.keep(q, base, base + 1, 0) == base + 2


def test_bulk_streams_are_decided_in_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    decks = [DeckSpec.uniform(3, 3, 2).shuffle(1, index) for index in range(30)]
    cards = np.array(
        [[card.color * 3 + card.rank - 1 for card in deck] for deck in decks], np.int32
    )
    found = []
    for work in (1, 2**20):
        monkeypatch.setattr(layers, "_WORK", work)
        run = Layers(
            Instance.from_arrays(2, cards[0] // 3, cards[0] % 3 + 1, n=3, c=3), 9, 64, 2**20
        )
        outcomes = np.empty(len(cards), np.int8)
        run.decide_many(cards, outcomes)
        found.append(outcomes.tolist())
    assert found[0] == found[1]


SOLVERS: dict[str, Callable[[Instance], object]] = {
    method: lambda instance, method=method: solver.solve(instance, method=method, seconds=0)  # type: ignore[misc]
    for method in ("auto", "search", "paths", "sat")
}


@pytest.mark.parametrize("method", SOLVERS)
def test_no_time_is_answered(method: str, open_question: Instance) -> None:
    verdict = SOLVERS[method](open_question)
    assert verdict.status is Status.UNKNOWN  # type: ignore[attr-defined]
    assert verdict.upper == open_question.goal  # type: ignore[attr-defined]


@pytest.mark.parametrize("N", [100, 30_000])
def test_no_time_for_the_linear_solvers(N: int) -> None:
    instance = Instance(N, [(0, value) for value in range(N, 0, -1)])
    for module in (unique, single_color):
        verdict = module.solve(instance, seconds=0)
        assert (verdict.status, verdict.upper) == (Status.UNKNOWN, N)
        assert module.solve(instance, seconds=3600).status is Status.WINNABLE


def test_no_time_for_the_table() -> None:
    instance = Instance(1, [(0, 2), (1, 2), (1, 1), (1, 2), (0, 1)])
    assert table.solve(instance, seconds=0).status is Status.UNKNOWN
    assert solver.solve(instance, method="table", seconds=0).status is Status.UNKNOWN


def test_a_table_beyond_all_numbers_is_refused() -> None:
    for instance in (wide(100, 100, 400, 0.3), Instance(10**6, [(0, 1)], n=10**6)):
        with pytest.raises(SolverError, match=r"the table needs about 10\^[0-9]+ bytes"):
            table.solve(instance)


def test_no_time_for_bounds_and_what_is_asked_beside(open_question: Instance) -> None:
    least = optima.least_hand(open_question, seconds=0)
    assert (least.lower, least.upper, least.is_exact) == (0, open_question.goal, False)
    assert least.verdict.status is Status.UNKNOWN
    most = search.most_cards(open_question, seconds=0)
    assert (most.lower, most.upper, most.play) == (0, open_question.goal, None)
    for bound in (largest_crowd, keep_everything):
        with pytest.raises(BudgetEndedError):
            bound(open_question, Clock(0))
    with pytest.raises(BudgetEndedError):
        find_winning_copies(open_question, clock=Clock(0))


def test_a_verdict_outlives_the_time_for_its_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = Instance(0, [(0, 3), (0, 2), (0, 1), (1, 3), (1, 2), (1, 1)])

    def out_of_time(_: object) -> tuple[int, int]:
        raise BudgetEndedError("out of time")

    monkeypatch.setattr(unique._Run, "bounds", out_of_time)
    verdict = unique.solve(lost)
    assert replace(verdict, seconds=0.0).status is Status.UNWINNABLE
    assert (verdict.lower, verdict.upper) == (0, 5)


@pytest.mark.parametrize("is_loaded", [True, False])
def test_a_search_is_given_up_after_enough_states(
    monkeypatch: pytest.MonkeyPatch, open_question: Instance, *, is_loaded: bool
) -> None:
    if not is_loaded:
        monkeypatch.delitem(sys.modules, "hanabi.solitaire.kernels.search")
    with stopped(monkeypatch):
        verdict = search.solve(open_question, seconds=0.9, states=0)
    assert verdict.status is Status.UNKNOWN
    assert verdict.reason == f"given up after {verdict.states:,} states"
    assert verdict.states > 0


def test_standard_decks_are_decided_before_the_race_at_any_speed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(solver, "_race")
    decided = Counter(
        solver.solve(Instance(hand_size, DeckSpec.standard().shuffle(3, index))).method
        for index in range(20)
        for hand_size in range(1, 7)
    )
    assert set(decided) == {"bounds", "search"}
    assert decided["search"] > 20


def test_few_states_are_decided_before_the_race_and_few_colors_go_to_sat_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def answer(_: Instance, method: str, *__: object) -> Verdict[Play]:
        asked.append(method)
        return Verdict(Status.UNWINNABLE, method, "no way")

    monkeypatch.setattr(solver, "_solve_generally", answer)
    contradiction = Formula(1, ((1,), (-1,)))
    verdict = solver.solve(reduce(contradiction, variant="two_colors"))
    assert (verdict.status, verdict.method, asked) == (Status.UNWINNABLE, "search", [])
    assert verdict.trail[1] == f"few states: {verdict.reason}"
    longer = Formula(2, (*contradiction.clauses, (1, 2), (1, -2)))
    verdict = solver.solve(reduce(longer, variant="two_colors"))
    assert (verdict.method, asked[0]) == ("sat", "sat")
    assert verdict.trail[1].startswith("search: given up after ")
    assert verdict.trail[2] == "sat: no way"
    assert verdict.states < 200
    # A search for few states that needs more memory than there is does not begin.
    small = solver.solve(reduce(contradiction, variant="two_colors"), memory=2**20)
    assert [line.partition(":")[0] for line in small.trail[1:3]] == ["search", "sat"]


def racing(monkeypatch: pytest.MonkeyPatch, **solvers: Callable[[Clock], Verdict[Play]]) -> None:
    """Let these take part in the race, and no first search."""
    monkeypatch.setattr(solver, "_first_searches", lambda *_: ())
    monkeypatch.setattr(solver, "_STARTS", dict.fromkeys(solvers, 0.0))
    monkeypatch.setattr(
        solver, "_solve_generally", lambda _, method, clock, *__: solvers[method](clock)
    )


def until_ended(clock: Clock) -> Verdict[Play]:
    """Work by a clock without a limit of its own."""
    while not clock.is_over:
        time.sleep(0.001)
    return Verdict(Status.UNKNOWN, "slow", "out of time", upper=9)


def test_the_first_to_decide_ends_the_others(
    monkeypatch: pytest.MonkeyPatch, open_question: Instance
) -> None:
    lost = Verdict[Play](Status.UNWINNABLE, "fast", "no way", upper=3)
    racing(monkeypatch, slow=until_ended, fast=lambda _: lost)
    before = threading.active_count()
    verdict = solver.solve(open_question)
    assert (verdict.status, verdict.method, verdict.upper) == (Status.UNWINNABLE, "fast", 3)
    assert verdict.trail == ("the bounds leave it open", "fast: no way")
    assert threading.active_count() == before


def test_what_gives_up_leaves_its_bounds_and_the_time_to_others(
    monkeypatch: pytest.MonkeyPatch, open_question: Instance
) -> None:
    few = Verdict[Play](Status.UNKNOWN, "few", "gave up", lower=2, upper=7)
    late = Verdict[Play](Status.UNKNOWN, "slow", "out of time", upper=9)
    racing(monkeypatch, few=lambda _: few, slow=lambda _: late)
    monkeypatch.setitem(solver._STARTS, "slow", 1e9)  # it starts when nobody works any more
    verdict = solver.solve(open_question)
    assert (verdict.status, verdict.lower, verdict.upper) == (Status.UNKNOWN, 2, 7)
    assert verdict.trail[1:] == ("few: gave up", "slow: out of time")


def test_errors_and_interrupts_end_the_race(
    monkeypatch: pytest.MonkeyPatch, open_question: Instance
) -> None:
    def fail(_: Clock) -> Verdict[Play]:
        raise SolverError("broken")

    racing(monkeypatch, slow=until_ended, broken=fail)
    with pytest.raises(SolverError, match="broken"):
        solver.solve(open_question)
    racing(monkeypatch, slow=until_ended)
    timer = threading.Timer(0.1, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        solver.solve(open_question)
    timer.join()
