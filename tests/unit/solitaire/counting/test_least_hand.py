"""The law of the least hand against enumeration, the solver, and plain twins of its samplers."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from hanabi.ground.clock import Clock
from hanabi.ground.errors import BudgetEndedError, InvalidInputError, SolverError
from hanabi.solitaire import Instance, single_color, unique
from hanabi.solitaire.counting.hands import winnable_decks
from hanabi.solitaire.counting.least_hand import (
    exact_law,
    law_of_one_color,
    mean_limit_of_one_color,
    mean_spare_of_one_color,
    sample_least_hands,
    sample_limits,
    share_held,
    share_held_of_two_values,
    spare_places,
)
from hanabi.solitaire.counting.playability import shuffled_decks
from oracles import solitaire
from oracles.least_hand import limit, limit_by_points, random_stream


def enumerated(n: int, c: int) -> list[int]:
    """Return the streams by least hand, found by the linear solver for each of them."""
    cards = [(color, value) for color in range(c) for value in range(1, n + 1)]
    found = Counter(unique.least_hand(Instance(0, stream)) for stream in permutations(cards))
    assert None not in found
    law = [found[hand] for hand in range(n * c)]
    while not law[-1]:
        law.pop()
    return law


SMALL = [(1, 1), (2, 1), (5, 1), (6, 1), (1, 3), (2, 2), (3, 2), (2, 3), (1, 6)]


@pytest.mark.parametrize(("n", "c"), SMALL)
def test_the_identity_on_all_small_streams(n: int, c: int) -> None:
    cards = [(color, value) for color in range(c) for value in range(1, n + 1)]
    for number, order in enumerate(permutations(cards)):
        stream = Instance(0, order)
        hand = stream.N - spare_places(stream)
        assert hand == unique.least_hand(stream)
        if number % 31 == 0:  # the rules alone: slow
            assert solitaire.is_winnable(stream.with_hand_size(hand))
            assert not hand or not solitaire.is_winnable(stream.with_hand_size(hand - 1))


@pytest.mark.parametrize(("n", "c"), SMALL)
def test_the_exact_law_is_what_enumeration_finds(n: int, c: int) -> None:
    law = exact_law(n, c)
    assert sum(law) == math.factorial(n * c)
    assert law == enumerated(n, c)


@pytest.mark.parametrize(("n", "c"), [(4, 3), (3, 4), (5, 2)])
def test_the_exact_law_is_that_of_the_counts_with_a_hand(n: int, c: int) -> None:
    law, rows = exact_law(n, c), [(1,) * n] * c
    up_to = [winnable_decks(rows, hand) for hand in range(len(law))]
    assert up_to == [sum(law[: hand + 1]) for hand in range(len(law))]
    assert up_to[-1] == math.factorial(n * c)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 20, 40])
def test_one_color_is_bubble_sort(n: int) -> None:
    law = law_of_one_color(n)
    assert law == exact_law(n, 1)
    assert sum(law) == math.factorial(n)
    mean = sum(Fraction((n - hand) * count) for hand, count in enumerate(law)) / math.factorial(n)
    assert mean == sum(
        Fraction(k ** (n - k) * math.factorial(k), math.factorial(n)) for k in range(1, n + 1)
    )
    assert mean_spare_of_one_color(n) == pytest.approx(float(mean), rel=1e-9)


@pytest.mark.parametrize("n", [10**4, 10**7])
def test_the_mean_of_one_color_has_knuths_expansion(n: int) -> None:
    expansion = math.sqrt(math.pi * n / 2) - 2 / 3 + 11 / 24 * math.sqrt(math.pi / (2 * n))
    assert mean_spare_of_one_color(n) == pytest.approx(expansion, rel=1e-6)


def test_the_identity_asks_for_each_card_once() -> None:
    for cards in ([(0, 1), (0, 1)], [(0, 2)]):
        with pytest.raises(SolverError, match="every card occurs once"):
            spare_places(Instance(0, cards))


@pytest.mark.parametrize(("n", "c"), [(1, 1), (7, 1), (40, 3), (2, 50), (1, 9), (150, 2)])
def test_samples_are_the_streams_of_the_library(n: int, c: int) -> None:
    streams = [random_stream(n, c, 2**63 + 5, index) for index in range(7, 19)]
    played = [unique.least_hand(stream) for stream in streams]
    for is_played in (False, True):
        found = sample_least_hands(n, c, 2**63 + 5, 7, 12, is_played=is_played)
        assert found.tolist() == played
    assert [stream.N - spare_places(stream) for stream in streams] == played


@pytest.mark.parametrize(("n", "c"), [(10**6, 1), (10**5, 10), (2, 10**5)])
def test_the_end_of_a_long_stream_tells_its_least_hand(n: int, c: int) -> None:
    played = sample_least_hands(n, c, 1, 0, 3, is_played=True)
    assert sample_least_hands(n, c, 1, 0, 3).tolist() == played.tolist()


def test_samples_follow_the_exact_law() -> None:
    n, c, count = 3, 3, 20_000
    law = exact_law(n, c)
    found = Counter(sample_least_hands(n, c, 1, 0, count).tolist())
    for hand, ways in enumerate(law):
        p = ways / math.factorial(n * c)
        assert abs(found[hand] - count * p) <= 4.5 * math.sqrt(count * p * (1 - p))


@pytest.mark.parametrize("c", [1, 2, 5, 40])
def test_samples_of_the_limit_are_those_of_their_twin(c: int) -> None:
    assert sample_limits(c, 3, 5, 50).tolist() == [limit(c, 3, 5 + index) for index in range(50)]


@pytest.mark.parametrize(("c", "r"), [(2, 2), (5, 3)])
def test_samples_of_the_limit_with_copies_are_those_of_their_twin(c: int, r: int) -> None:
    twins = [limit(c, 3, 5 + index, r) for index in range(50)]
    assert sample_limits(c, 3, 5, 50, r=r).tolist() == pytest.approx(twins, rel=1e-12)


@pytest.mark.parametrize(("c", "r"), [(1, 1), (2, 1), (5, 1), (2, 2), (1, 3)])
def test_jumps_and_points_have_the_same_limit(c: int, r: int) -> None:
    by_points = [limit_by_points(c, 2, index, r) for index in range(1000 // (c * r**2))]
    by_jumps = sample_limits(c, 1, 0, 200_000, r=r)
    error = math.sqrt(by_jumps.var() / len(by_points))
    assert abs(sum(by_points) / len(by_points) - by_jumps.mean()) < 4 * error


@pytest.mark.parametrize("r", [1, 2, 3])
def test_one_color_has_the_law_of_rayleigh_or_weibull(r: int) -> None:
    samples = sample_limits(1, 1, 0, 200_000, r=r)
    for s in (0.2, 0.5, 1.0, 1.5, 2.5):
        p = math.exp(-(s ** (r + 1)) / (r + 1))
        assert abs((samples > s).mean() - p) <= 4.5 * math.sqrt(p * (1 - p) / len(samples))
    error = samples.std() / math.sqrt(len(samples))
    assert abs(samples.mean() - mean_limit_of_one_color(r)) < 4 * error


def test_copies_have_the_limit_of_copies() -> None:
    """One color, two copies: N / 2 - h over N**(2 / 3) has the law of Weibull in the limit."""
    n, r, count = 10_000, 2, 60
    spare = []
    for row in shuffled_decks([(r,) * n], 1, 0, count):
        hand = single_color.least_hand(Instance.from_arrays(0, row * 0, row + 1, n=n, c=1))
        assert hand is not None
        spare.append((n - hand) / (n * r) ** (r / (r + 1)))
    error = sample_limits(1, 1, 0, 10_000, r=r).std() / math.sqrt(count)
    assert abs(sum(spare) / count - mean_limit_of_one_color(r)) < 4 * error + 0.06


@pytest.mark.parametrize("c", [1, 2, 5, 10])
def test_long_streams_are_near_the_limit(c: int) -> None:
    n, count = 10**6 // c, 2000
    spare = (n * c - sample_least_hands(n, c, 1, 0, count).astype(float)) / math.sqrt(n * c)
    limits = sample_limits(c, 1, 0, 200_000)
    error = math.sqrt(spare.var() / count + limits.var() / len(limits))
    # One color lies 2 / (3 sqrt(N)) below, as is proven; c colors some c times as much.
    assert abs(spare.mean() - limits.mean()) < 4 * error + c / math.sqrt(n * c)
    assert spare.std() == pytest.approx(limits.std(), rel=0.1)


def test_the_limit_grows_like_twice_the_root() -> None:
    samples = sample_limits(400, 1, 0, 300)
    assert 1.9 < samples.mean() / math.sqrt(400) < 2
    assert 0.8 < samples.std() < 1.2


@pytest.mark.parametrize("n", [2, 3, 5, 10])
def test_many_colors_of_few_values_hold_their_share(n: int) -> None:
    c = 10**6 // n
    held = sample_least_hands(n, c, 1, 0, 4) / (n * c)
    assert held.mean() == pytest.approx(share_held(n), abs=2e-3)
    best = max(q - sum(q**v for v in range(1, n + 1)) / n for q in (i / 4000 for i in range(4001)))
    assert share_held(n) == pytest.approx(best, abs=1e-6)


def test_two_values_agree_with_more_copies() -> None:
    assert share_held(2) == share_held_of_two_values(1)
    assert share_held(1) == pytest.approx(0, abs=1e-12)


def test_what_is_out_of_range_is_refused() -> None:
    for wrong in (
        lambda: exact_law(0, 1),
        lambda: law_of_one_color(0),
        lambda: sample_least_hands(3, 0, 1, 0, 1),
        lambda: sample_least_hands(10**7, 2, 1, 0, 1),
        lambda: sample_least_hands(3, 1, 2**64, 0, 1),
        lambda: sample_limits(0, 1, 0, 1),
        lambda: sample_limits(1, -1, 0, 1),
        lambda: sample_limits(1, 1, 0, 1, r=0),
    ):
        with pytest.raises(InvalidInputError):
            wrong()
    with pytest.raises(BudgetEndedError):
        exact_law(30, 3, clock=Clock(0))
