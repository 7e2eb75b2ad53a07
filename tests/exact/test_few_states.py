"""The search for few states against brute force, the plain search and formulas."""

from __future__ import annotations

import random
from itertools import combinations, product

import pytest

from hanabi.ground.clock import Clock
from hanabi.ground.verdict import Status
from hanabi.solitaire import Instance, few_states, verify_play
from hanabi.solitaire.hardness import Formula, reduce
from hanabi.solitaire.search_plain import find_winning_copies
from oracles import solitaire as brute

_MOST = 20_000


def check(instance: Instance, *, winnable: bool) -> None:
    """The search decides, and gives a play that the verifier takes."""
    verdict = few_states.solve(instance, states=10**6)
    assert verdict.is_winnable is winnable, (instance, instance.cards, verdict)
    if winnable:
        assert verdict.witness is not None
        verify_play(instance, verdict.witness)
        assert (verdict.lower, verdict.upper) == (instance.goal, instance.goal)
    else:
        assert verdict.upper < instance.goal


def test_every_stream_of_two_colors_and_two_values() -> None:
    for cards in brute.all_streams(2, 2, 6):
        for hand_size in range(3):
            instance = Instance(hand_size, cards, n=2, c=2)
            check(instance, winnable=brute.is_winnable(instance))


@pytest.mark.parametrize("seed", range(4))
def test_random_streams_of_all_shapes_agree_with_the_plain_search(seed: int) -> None:
    rng, decided = random.Random(seed), 0
    while decided < 150:
        n, c, copies = rng.randint(1, 7), rng.randint(1, 4), rng.randint(1, 4)
        cards = [
            (k, v) for v in range(1, n + 1) for k in range(c) for _ in range(rng.randint(1, copies))
        ]
        rng.shuffle(cards)
        if rng.random() < 0.4:
            width = rng.randint(1, 6)
            cards.sort(key=lambda card: card[1] + rng.random() * width)
        instance = Instance(rng.randint(0, 6), cards, n=n, c=c)
        verdict = few_states.solve(instance, states=_MOST)
        try:
            won = find_winning_copies(instance, most_states=2000)[0] is not None
        except OverflowError:
            continue
        if verdict.status is Status.UNKNOWN:
            continue
        decided += 1
        check(instance, winnable=won)


def test_a_card_in_a_full_hand_that_comes_again_is_still_held() -> None:
    """The last g3 comes while the hand, full, holds the first: that is no overflow."""
    cards = [(0, 3), (0, 2), (0, 1), (0, 3), (0, 2), (1, 1), (1, 2), (1, 3)]
    check(Instance(1, cards), winnable=True)


def test_formulas_of_one_and_two_clauses() -> None:
    literals = (1, -1, 2, -2)
    clauses = [(a,) for a in literals] + [
        pair for pair in combinations(literals, 2) if pair[0] != -pair[1]
    ]
    for formula in [[clause] for clause in clauses] + [
        list(pair) for pair in combinations(clauses, 2)
    ]:
        satisfiable = any(
            all(any((x > 0) == values[abs(x) - 1] for x in clause) for clause in formula)
            for values in product((False, True), repeat=2)
        )
        instance = reduce(Formula(2, tuple(formula)), variant="two_colors")
        check(instance, winnable=satisfiable)
        check(instance.with_hand_size(instance.hand_size - 1), winnable=False)


def test_an_estimate_for_streams_of_every_size() -> None:
    blocks = [(k, v) for k in range(50) for v in (2, 3, 1, 2, 3)]
    assert few_states.expected_states(Instance(1, blocks)) < 1000
    assert few_states.expected_states(Instance(0, blocks)) == len(blocks)  # one state a layer
    assert few_states.expected_states(Instance(0, [])) == 0
    mixed = [(k, v) for v in (1, 3, 2) * 2 for k in range(200)]
    assert few_states.expected_states(Instance(9, mixed)) == 2**64


def test_limits_are_answers() -> None:
    contradiction = reduce(Formula(1, ((1,), (-1,))), variant="two_colors")
    verdict = few_states.solve(contradiction, states=1000)
    assert verdict.status is Status.UNKNOWN
    assert verdict.reason == f"given up after {verdict.states:,} states"
    assert 1000 < verdict.states <= 2000 + contradiction.N
    verdict = few_states.solve(contradiction, states=1000, clock=Clock(0))
    assert (verdict.status, verdict.reason) == (Status.UNKNOWN, "out of time after 0 states")
    missing = few_states.solve(Instance(1, [(0, 2)]), states=10)
    assert missing.reason == "no copy of r1 in the stream"
