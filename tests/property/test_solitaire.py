"""Every pair of solvers agrees, every witness is replayed, the laws of the game hold."""

from __future__ import annotations

import random
import threading

import pytest
from hypothesis import given, settings

from clocks import Time, stopped
from hanabi.ground.verdict import Status, Verdict
from hanabi.solitaire import (
    Instance,
    Play,
    few_values,
    find_broken_rule,
    least_hand,
    most_cards,
    paths,
    search,
    single_color,
    solve,
    solver,
    table,
    unique,
)
from hanabi.solitaire import sat as solitaire_sat
from hanabi.solitaire.bounds import keep_everything, largest_crowd
from hanabi.solitaire.play import n_played
from oracles import solitaire as brute
from strategies import instances


def check(instance: Instance, verdict: Verdict[Play], *, winnable: bool) -> None:
    assert verdict.is_winnable is winnable, (verdict.method, instance.cards)
    if winnable:
        assert verdict.witness is not None
        assert find_broken_rule(instance, verdict.witness) is None
    else:
        assert verdict.witness is None
        assert verdict.reason


@settings(max_examples=150)
@given(instances(most_values=3, most_colors=2, most_copies=2, most_hand=3, complete=False))
def test_all_solvers_agree_with_brute_force(instance: Instance) -> None:
    winnable = brute.is_winnable(instance)
    check(instance, solve(instance), winnable=winnable)
    check(instance, search.solve(instance), winnable=winnable)
    check(instance, table.solve(instance), winnable=winnable)
    check(instance, solitaire_sat.solve(instance), winnable=winnable)
    check(instance, paths.solve(instance), winnable=winnable)
    if instance.r <= 1:
        check(instance, unique.solve(instance), winnable=winnable)
    if instance.n <= 2 or instance.hand_size == 0:
        check(instance, few_values.solve_forced(instance), winnable=winnable)
    if instance.n == 3 and instance.hand_size == 1:
        check(instance, few_values.solve_two_sat(instance), winnable=winnable)
    if instance.c == 1:
        check(instance, single_color.solve(instance), winnable=winnable)


@settings(max_examples=100)
@given(instances(most_values=5, most_colors=4, most_hand=6))
def test_the_general_solvers_agree_on_larger_instances(instance: Instance) -> None:
    verdict = search.solve(instance)
    assert verdict.is_winnable is not None
    check(instance, verdict, winnable=verdict.is_winnable)
    check(instance, solitaire_sat.solve(instance), winnable=verdict.is_winnable)
    check(instance, paths.solve(instance), winnable=verdict.is_winnable)
    check(instance, solve(instance), winnable=verdict.is_winnable)


@settings(max_examples=80)
@given(instances(most_values=5, most_colors=3))
def test_more_hand_never_hurts_and_the_bounds_hold(instance: Instance) -> None:
    least = least_hand(instance)
    assert least.upper is not None
    assert least.is_exact
    assert len(largest_crowd(instance).cards) <= least.lower <= keep_everything(instance)[0]
    for hand_size in range(least.upper + 2):
        verdict = search.solve(instance.with_hand_size(hand_size))
        assert verdict.is_winnable is (hand_size >= least.upper)
    assert least.verdict.witness is not None
    assert find_broken_rule(instance.with_hand_size(least.upper), least.verdict.witness) is None


@settings(max_examples=80)
@given(instances(most_values=3, most_colors=2, most_copies=2, most_hand=2, complete=False))
def test_most_cards_is_exact(instance: Instance) -> None:
    most = most_cards(instance)
    assert most.lower == most.upper == brute.most_cards(instance)
    assert most.play is not None
    assert n_played(instance, most.play) == most.lower


@settings(max_examples=60)
@given(instances(most_values=4, most_colors=3))
def test_the_crowd_is_a_certificate(instance: Instance) -> None:
    crowd = largest_crowd(instance)
    before = set(instance.cards[: crowd.position])
    after = set(instance.cards[crowd.position :])
    for color, value in crowd.cards:
        assert (color, value) not in after
        assert any((color, lower) not in before for lower in range(1, value))


def test_dispatch_says_what_it_chose() -> None:
    assert solve(Instance(1, [(0, 2), (0, 1)])).method == "single_color"
    assert solve(Instance(1, [(0, 2), (0, 1), (1, 1), (1, 2)])).method == "unique"
    repeated = [(0, 2), (0, 1), (1, 1), (1, 2), (1, 2)]
    verdict = solve(Instance(0, repeated))
    assert (verdict.method, verdict.status) == ("forced", Status.UNWINNABLE)
    assert verdict.trail
    assert "r2" in verdict.reason
    assert solve(Instance(0, [*repeated, (0, 3), (1, 3)])).method == "forced"
    assert solve(Instance(1, [*repeated, (0, 3), (1, 3)])).method == "two_sat"
    assert solve(Instance(2, [*repeated, (0, 3), (1, 3)])).method == "bounds"


@pytest.mark.parametrize("method", solver.METHODS)
def test_every_method_by_name(method: str) -> None:
    values = (2, 1, 3) if method == "two_sat" else (2, 1)
    instance = Instance(1, [(0, value) for value in values])
    verdict = solve(instance, method=method)
    check(instance, verdict, winnable=True)


class Elsewhere(Time):
    """Time that passes a little whenever a thread other than the main one asks for it."""

    def perf_counter(self) -> float:
        if threading.current_thread() is not threading.main_thread():
            self.now += 0.001
        return self.now


def test_an_exhausted_budget_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    # Two copies of each card, roughly in order: no bound decides, and all else takes its time.
    rng = random.Random(1)
    cards = [(v + 25 * rng.random(), v, k) for v in range(1, 51) for k in range(50) for _ in "ab"]
    instance = Instance(120, [(k, v) for _, v, k in sorted(cards)])
    with stopped(monkeypatch, Elsewhere()):
        verdict = solve(instance, seconds=0.3, memory=2**28)
    assert verdict.status is Status.UNKNOWN
    assert verdict.lower <= verdict.upper
    first, *tried = verdict.trail
    assert first == "the bounds leave it open"
    assert tried
