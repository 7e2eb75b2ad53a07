"""The encoding against brute force and certified answers; every model replayed by the verifier."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from hanabi.ground.sat import Satisfiability, solve_here
from hanabi.ground.verdict import Status
from hanabi.solitaire import Instance, find_broken_rule
from hanabi.solitaire import sat as windows
from hanabi.solitaire.sat import encode, solve
from oracles.sat import satisfies
from oracles.solitaire import all_streams, is_winnable
from strategies import instances
from vectors import load_vectors


def check(instance: Instance, winnable: bool, *, cut: bool = True) -> None:
    encoding = encode(instance, cut=cut)
    answer = solve_here(encoding.cnf)
    where = instance, instance.cards
    assert (answer.status is Satisfiability.SATISFIABLE) == winnable, where
    if encoding.lost is not None:
        assert not winnable, where
    if answer.model is not None:
        assert satisfies(encoding.cnf, answer.model), where
        assert find_broken_rule(instance, encoding.decode(answer.model)) is None, where


@pytest.mark.parametrize(("n", "c", "longest"), [(3, 1, 6), (4, 1, 6), (2, 2, 6), (1, 3, 5)])
@pytest.mark.parametrize("hand_size", [0, 1, 2])
def test_every_small_stream(n: int, c: int, longest: int, hand_size: int) -> None:
    for cards in all_streams(n, c, longest):
        if len(set(cards)) == n * c:  # else lost at once, see below
            instance = Instance(hand_size, cards, n=n, c=c)
            winnable = is_winnable(instance)
            check(instance, winnable)
            check(instance, winnable, cut=False)


@pytest.mark.parametrize(("n", "c", "longest"), [(2, 1, 3), (2, 2, 3), (3, 1, 3)])
@pytest.mark.parametrize("cut", [True, False])
def test_streams_that_lack_a_card(n: int, c: int, longest: int, cut: bool) -> None:
    for cards in all_streams(n, c, longest):
        if len(set(cards)) < n * c:
            check(Instance(2, cards, n=n, c=c), winnable=False, cut=cut)


@settings(max_examples=300)
@given(instances(most_values=5, most_colors=2, most_copies=2, most_hand=3))
def test_random_streams_of_two_colors(instance: Instance) -> None:
    if instance.N <= 15:
        winnable = is_winnable(instance)
        check(instance, winnable)
        check(instance, winnable, cut=False)


@pytest.mark.parametrize("hand_size", [0, 1, 2])
@pytest.mark.parametrize("rounds", [1, 2])
def test_the_reductions_may_stop_at_any_round(
    hand_size: int, rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(windows, "_MOST_ROUNDS", rounds)
    stopped = 0
    for cards in all_streams(2, 2, 6):
        if len(set(cards)) == 4:
            instance = Instance(hand_size, cards, n=2, c=2)
            check(instance, is_winnable(instance))
            stopped += encode(instance).windows.rounds == rounds
    assert stopped > 100


@settings(max_examples=200)
@given(instances(most_values=3, most_colors=4, most_copies=3, most_hand=3))
def test_both_encodings_agree(instance: Instance) -> None:
    check(instance, solve(instance).status is Status.WINNABLE, cut=False)


def test_least_hand_vectors() -> None:
    for vector in load_vectors("solitaire_small"):
        least = vector["min_h"]
        for hand_size in (0, 3) if least is None else (least - 1, least):
            if hand_size >= 0:
                instance = Instance(hand_size, vector["cards"], n=vector["n"], c=vector["c"])
                check(instance, least is not None and hand_size >= least)


@pytest.mark.parametrize("cut", [True, False])
def test_medium_vectors(cut: bool) -> None:
    for vector in load_vectors("solitaire_medium"):
        for hand_size, won in enumerate(vector["win_for_h_0_to_6"]):
            instance = Instance(hand_size, vector["cards"], n=vector["n"], c=vector["c"])
            check(instance, bool(won), cut=cut)


def test_unique_vectors() -> None:
    for vector in load_vectors("r1"):
        for hand_size in (vector["min_h"] - 1, vector["min_h"]):
            if hand_size >= 0:
                instance = Instance(hand_size, vector["cards"], n=vector["n"], c=vector["c"])
                check(instance, hand_size >= vector["min_h"])


def test_single_color_vectors() -> None:
    for vector in load_vectors("c1"):
        cards = [(0, value) for value in vector["values"]]
        for hand_size, chosen in enumerate(vector["index_of_each_value_for_h"]):
            check(Instance(hand_size, cards, n=vector["n"], c=1), chosen is not None)


def test_solve_gives_replayable_plays() -> None:
    won = 0
    for vector in load_vectors("solitaire_medium")[:25]:
        for hand_size, expected in enumerate(vector["win_for_h_0_to_6"]):
            instance = Instance(hand_size, vector["cards"], n=vector["n"], c=vector["c"])
            verdict = solve(instance)
            assert verdict.status is (Status.WINNABLE if expected else Status.UNWINNABLE)
            if verdict.witness is not None:
                assert find_broken_rule(instance, verdict.witness) is None
                won += 1
    assert won > 50
