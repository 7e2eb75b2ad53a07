"""Forced windows, and three values with one card in hand, against brute force and the search."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from hanabi.ground.clock import Clock
from hanabi.ground.errors import BudgetEndedError, SolverError
from hanabi.ground.verdict import Status, Verdict
from hanabi.solitaire import Instance, Play, all_streams, few_values, find_broken_rule, solver
from hanabi.solitaire import least_hand as least_hand_of_any
from hanabi.solitaire.few_values import Contradiction, Window
from hanabi.solitaire.search_plain import find_winning_copies
from oracles import solitaire as brute
from oracles.linear import SlowForced


@pytest.fixture(params=["plain", "compiled", "oracle"])
def loops(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a test with plain loops, with compiled ones, and with forced windows found otherwise."""
    start = 0 if request.param == "compiled" else 10**9
    monkeypatch.setattr(few_values, "COMPILED_FROM", start)
    monkeypatch.setattr(few_values, "CHOICES_COMPILED_FROM", start)
    if request.param == "oracle":
        monkeypatch.setattr(few_values, "_begin_forced", SlowForced)


def check(instance: Instance, verdict: Verdict[Play], *, winnable: bool) -> None:
    assert verdict.is_winnable is winnable, (instance, instance.cards, verdict)
    if winnable:
        assert verdict.lower == verdict.upper == instance.goal
        assert verdict.witness is not None
        assert find_broken_rule(instance, verdict.witness) is None
    else:
        assert verdict.witness is None
        assert verdict.reason
        assert verdict.lower <= verdict.upper < instance.goal


def random_stream(rng: random.Random, n: int, hand_size: int) -> Instance:
    """Draw a stream whose colors come one after the other, more or less."""
    c, r, disorder = rng.randint(1, 7), rng.randint(1, 4), rng.choice((0.5, 1, 2, 4, 9))
    rise = rng.choice((0, 0, 0.3, 1))
    cards = [
        (color + rise * value + disorder * rng.random(), color, value)
        for color in range(c)
        for value in range(1, n + 1)
        for _ in range(rng.randint(1, r))
    ]
    return Instance(hand_size, [(color, value) for _, color, value in sorted(cards)], n=n, c=c)


def naive_windows(instance: Instance, color: int) -> set[Window] | None:
    """Return the windows that a color of three values can use alone; None if it needs none."""
    at: dict[int, list[int]] = {1: [], 2: [], 3: []}
    for position, (other, value) in enumerate(instance.cards, start=1):
        if other == color:
            at[value].append(position)
    found = set()
    for one in at[1]:
        for two in at[2]:
            for three in at[3]:
                if one < two < three:
                    return None
                if two < one < three:
                    found.add(Window(color, 2, two, one))
                if three < two > one:
                    found.add(Window(color, 3, three, two))
    # Of two windows the one inside the other serves better.
    return {
        each
        for each in found
        if not any(
            other != each
            and other.value == each.value
            and each.opens <= other.opens
            and other.closes <= each.closes
            for other in found
        )
    }


def check_contradiction(instance: Instance, found: Contradiction) -> None:
    """Check each step of a contradiction, with windows that are found by trying all copies."""
    windows = [naive_windows(instance, color) for color in range(instance.c)]
    own = windows[found.color]
    assert own is not None
    assert {chain.windows[0] for chain in found.chains} == own
    for chain in found.chains:
        for window, after in zip(chain.windows, chain.windows[1:], strict=False):
            choice = windows[after.color]
            assert choice is not None
            (other,) = choice - {after}
            assert after in choice
            assert window.overlaps(other)
        assert chain.windows[-1].overlaps(chain.blocked_by)
        if chain.blocked_by != chain.windows[0]:
            assert windows[chain.blocked_by.color] == {chain.blocked_by}


def small_streams() -> Iterator[tuple[int, Instance]]:
    """Yield every small stream, with n."""
    for n, c, longest in ((1, 2, 4), (2, 1, 6), (2, 2, 6), (2, 3, 6), (3, 1, 6), (3, 2, 6)):
        for N in range(n * c, longest + 1):
            for cards in all_streams(N, n=n, c=c):
                yield n, Instance(1, cards, n=n, c=c)


@pytest.mark.usefixtures("loops")
class TestBothForms:
    def test_every_small_stream(self) -> None:
        for n, instance in small_streams():
            if n < 3:
                hand = few_values.least_hand(instance)
                assert hand is not None
                assert hand == brute.least_hand(instance)
                for h in range(3):
                    verdict = few_values.solve_forced(instance.with_hand_size(h))
                    check(instance.with_hand_size(h), verdict, winnable=hand <= h)
                continue
            verdict = few_values.solve_two_sat(instance)
            winnable = find_winning_copies(instance)[0] is not None
            check(instance, verdict, winnable=winnable)
            without = instance.with_hand_size(0)
            played = brute.most_cards(without)
            verdict = few_values.solve_forced(without)
            check(without, verdict, winnable=played == instance.goal)
            assert (verdict.lower, verdict.upper) == (played, played)

    def test_streams_that_lack_a_card(self) -> None:
        for N in range(5):
            for cards in all_streams(N, n=3, c=2, is_complete=False):
                instance = Instance(1, cards, n=3, c=2)
                verdict = few_values.solve_two_sat(instance)
                assert verdict.status is Status.UNWINNABLE
                assert "no copy of" in verdict.reason
                check(
                    instance.with_hand_size(0),
                    few_values.solve_forced(instance.with_hand_size(0)),
                    winnable=False,
                )

    @pytest.mark.parametrize("n", [2, 3, 6])
    def test_random_streams_with_forced_windows(self, n: int) -> None:
        rng, won = random.Random(n), 0
        for _ in range(1000):
            instance = random_stream(rng, n, rng.randint(0, 3) if n == 2 else 0)
            winnable = find_winning_copies(instance)[0] is not None
            check(instance, few_values.solve_forced(instance), winnable=winnable)
            won += winnable
        assert 5 < won < 995

    def test_random_streams_of_three_values(self) -> None:
        rng, won, long = random.Random(3), 0, 0
        for _ in range(2000):
            instance = random_stream(rng, 3, 1)
            winnable = find_winning_copies(instance)[0] is not None
            check(instance, few_values.solve_two_sat(instance), winnable=winnable)
            found = few_values.contradiction(instance)
            assert (found is None) == winnable
            if found is not None:
                check_contradiction(instance, found)
                long += max((len(chain.windows) for chain in found.chains), default=0) > 1
            won += winnable
        assert 500 < won < 1800
        assert long > 2

    def test_a_chain_as_long_as_you_like(self) -> None:
        """Color k + 1 opens its first window within the second one of color k."""
        c = 40
        stream = [(0, 2), (c, 2), (0, 1), (c, 1), (0, 3)]
        for color in range(1, c):
            stream += [(color, 2), (color - 1, 2), (color, 1), (color, 3)]
        stream += [(c + 1, 2), (c - 1, 2), (c + 1, 1), (c, 3), (c + 1, 3)]
        instance = Instance(1, stream)
        found = few_values.contradiction(instance)
        assert found is not None
        check_contradiction(instance, found)
        assert sum(len(chain.windows) for chain in found.chains) > c
        verdict = few_values.solve_two_sat(instance)
        check(instance, verdict, winnable=False)
        assert "windows) ..." in verdict.reason
        won = Instance(1, [card for card in stream if card != (c, 2)] + [(c, 2), (c, 3)])
        check(won, few_values.solve_two_sat(won), winnable=True)

    def test_two_cards_of_a_color_do_not_fit(self) -> None:
        instance = Instance(1, [(0, 3), (0, 2), (0, 1), (0, 1)])
        verdict = few_values.solve_two_sat(instance)
        check(instance, verdict, winnable=False)
        assert verdict.reason == (
            "every r2 and every r3 comes before the first r1:"
            " one of each would have to be held, but h = 1"
        )
        assert few_values.contradiction(instance) == Contradiction(0, ())

    def test_nothing_to_build(self) -> None:
        for n, c in ((0, 0), (0, 3), (2, 0)):
            instance = Instance(0, [], n=n, c=c)
            check(instance, few_values.solve_forced(instance), winnable=True)
            assert few_values.least_hand(instance) == 0
        instance = Instance(1, [], n=3, c=0)
        check(instance, few_values.solve_two_sat(instance), winnable=True)

    def test_many_windows_are_listed_in_part(self) -> None:
        cards = [(color, value) for value in (2, 1) for color in range(12)]
        verdict = few_values.solve_forced(Instance(3, cards))
        assert verdict.reason.startswith(
            "after card 12, 12 forced windows are open, but h = 3: 0:2 (cards 1 to 13), 1:2 (2 to"
        )
        assert verdict.reason.endswith(", ... and 4 more")
        assert (verdict.lower, verdict.upper) == (15, 15)

    def test_an_exhausted_budget_is_an_answer(self) -> None:
        instance = Instance(1, [(0, 2), (0, 1), (0, 3)])
        assert few_values.solve_two_sat(instance, seconds=0).status is Status.UNKNOWN
        assert (
            few_values.solve_forced(instance.with_hand_size(0), seconds=0).status is Status.UNKNOWN
        )
        with pytest.raises(BudgetEndedError):
            few_values.contradiction(instance, Clock(0))


def test_what_does_not_apply_is_refused() -> None:
    instance = Instance(1, [(0, 2), (0, 1), (0, 3)])
    with pytest.raises(SolverError, match="n = 3 and h = 1; this needs n <= 2, or h = 0"):
        few_values.solve_forced(instance)
    with pytest.raises(SolverError, match="n = 3 and h = 2; this needs n = 3 and h = 1"):
        few_values.solve_two_sat(instance.with_hand_size(2))
    with pytest.raises(SolverError, match="n = 3 and h = 2; this needs n = 3 and h = 1"):
        few_values.contradiction(instance.with_hand_size(2))
    with pytest.raises(SolverError, match="least hand: the instance has n = 3"):
        few_values.least_hand(instance)


def test_the_least_hand_of_two_values_is_found_at_once() -> None:
    rng = random.Random(8)
    for _ in range(300):
        instance = random_stream(rng, 2, 0)
        least = least_hand_of_any(instance)
        assert least.is_exact
        assert least.reason == "all windows are forced"
        check(instance.with_hand_size(least.lower), least.verdict, winnable=True)
        if least.lower:
            smaller = instance.with_hand_size(least.lower - 1)
            assert find_winning_copies(smaller)[0] is None


def test_long_streams_have_the_same_answer_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(4)
    for disorder in (0.3, 0.6, 2.0):
        cards = [
            (color + disorder * rng.random(), color, value)
            for color in range(4000)
            for value in (1, 2, 2, 3, 3)
        ]
        instance = Instance(1, [(color, value) for _, color, value in sorted(cards)])
        monkeypatch.setattr(few_values, "CHOICES_COMPILED_FROM", 0)
        compiled = solver.solve(instance)
        assert compiled.method == "two_sat"
        monkeypatch.setattr(few_values, "CHOICES_COMPILED_FROM", 10**9)
        check(instance, compiled, winnable=solver.solve(instance).is_winnable is True)
