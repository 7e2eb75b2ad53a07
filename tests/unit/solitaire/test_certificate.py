"""Certificates: what their checker takes and refuses, damaged ones, their words."""

from __future__ import annotations

import json
import math
import random
import tracemalloc
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi.ground.clock import Clock
from hanabi.ground.errors import BudgetEndedError, InvalidInputError, quote
from hanabi.solitaire import Instance, most_cards, paths
from hanabi.solitaire.certificate import Certificate, Split, Weights, find_flaw
from hanabi.solitaire.paths import describe
from hanabi.solitaire.paths.optimum import fewest_left_out
from hanabi.solitaire.search_plain import find_winning_copies
from oracles import certificates as oracle

LOST = Instance(1, [(0, 2), (1, 2), (0, 1), (1, 1)])
NOTHING = "that proves nothing"
PROOF = Certificate(1, 0, (Weights(((3, 1),), 0, 2),))


def proves(instance: Instance, certificate: Certificate) -> bool:
    """Whether a certificate of one step proves its claim, by all ways to choose the copies."""
    (weights,) = certificate.steps
    assert isinstance(weights, Weights)
    n, dearest = instance.n, 0
    copies: dict[tuple[int, int], list[int]] = {}
    for position, card in enumerate(instance.cards, start=1):
        copies.setdefault((card.color, card.rank), []).append(position)
    for color in range(instance.c):
        costs = []
        for chosen in product(*(copies[color, value] for value in range(1, n + 1))):
            time, cost = 0, 0
            for position in chosen:
                cost += sum(w for moment, w in weights.moments if position < moment <= time)
                time = max(time, position)
            costs.append(cost)
        dearest += min(costs)
    return dearest > instance.hand_size * sum(weight for _, weight in weights.moments)


@lru_cache
def certified() -> list[tuple[Instance, Certificate, int]]:
    """Lost streams with their certificates, and a hand that wins; some have cases."""
    found: list[tuple[Instance, Certificate, int]] = []
    rng = random.Random(11)
    for n, c, copies, hand_size, number, fewest in (3, 3, 2, 1, 40, 1), (6, 6, 5, 1, 8, 3):
        enough = len(found) + number
        while len(found) < enough:
            cards = [(k, v) for v in range(1, n + 1) for k in range(c) for _ in range(copies)]
            rng.shuffle(cards)
            instance = Instance(hand_size, cards)
            certificate = paths.certify(instance).certificate
            if certificate is not None and len(certificate.steps) >= fewest:
                wins = hand_size + 1
                while find_winning_copies(instance.with_hand_size(wins))[0] is None:
                    wins += 1
                found.append((instance, certificate, wins))
    return found


def test_a_proof_is_taken_for_its_hand_and_smaller_ones() -> None:
    assert find_flaw(LOST, PROOF) is None
    smaller = find_flaw(LOST.with_hand_size(0), PROOF)
    assert smaller is None
    assert find_flaw(LOST.with_hand_size(2), PROOF) is not None


@pytest.mark.parametrize(
    ("steps", "flaw"),
    [
        ((), "1 case not proved"),
        ((Weights(((3, 1),), 0, 3),), "step 1: the colors need 2, not 3"),
        ((Weights(((3, 1),), 0, None),), "step 1: the colors need 2, not None"),
        ((Weights(((4, 1),), 0, 1),), f"step 1: the colors need 1 and the hand has 1: {NOTHING}"),
        ((Weights((), 0, 0),), f"step 1: the colors need 0 and the hand has 0: {NOTHING}"),
        ((Weights(((0, 1),), 0, 0),), "step 1: a moment is not in 1 .. 4"),
        ((Weights(((5, 1),), 0, 0),), "step 1: a moment is not in 1 .. 4"),
        ((Weights(((3, 0),), 0, 0),), "step 1: a weight is not positive"),
        ((Weights(((4, 1), (3, 1)), 0, 3),), "step 1: the moments are not in order"),
        ((Weights(((3, 1), (3, 1)), 0, 4),), "step 1: the moments are not in order"),
        ((*PROOF.steps, *PROOF.steps), "step 2: all cases are proved before it"),
        ((Split(1), *PROOF.steps), "1 case not proved"),
        ((Split(5), *PROOF.steps, *PROOF.steps), "step 1: no card at position 5"),
        ((Split(0), *PROOF.steps, *PROOF.steps), "step 1: no card at position 0"),
    ],
)  # fmt: skip
def test_the_first_flaw_is_named(steps: tuple[Split | Weights, ...], flaw: str) -> None:
    assert find_flaw(LOST, replace(PROOF, steps=steps)) == flaw


def test_cases_leave_out_no_play() -> None:
    """A split at the only copy: the second case, in which it is not played, cannot be."""
    steps = (Split(1), *PROOF.steps, Weights((), 0, None))
    assert find_flaw(LOST, replace(PROOF, steps=steps)) is None
    assert find_flaw(LOST, replace(PROOF, steps=(Split(1), Weights((), 0, None), *PROOF.steps)))


@lru_cache
def left_out() -> list[tuple[Instance, Certificate]]:
    """Return streams with proofs of how many cards are left out at least; some have cases."""
    found, rng, with_cases = list[tuple[Instance, Certificate]](), random.Random(12), 0
    while len(found) < 20 or with_cases < 2:
        cards = [(k, v) for v in range(1, 5) for k in range(4) for _ in range(rng.randint(1, 3))]
        rng.shuffle(cards)
        instance = Instance(rng.randint(0, 1), cards)
        certificate = fewest_left_out(instance).certificate
        if certificate is not None and certificate.most_left_out:
            has_cases = len(certificate.steps) > 1
            with_cases += has_cases
            if has_cases or len(found) < 20:
                found.append((instance, certificate))
    return found


@lru_cache
def fewest(instance: Instance, hand_size: int) -> int:
    """Return how many cards are left out at least, by search."""
    most = most_cards(instance.with_hand_size(hand_size))
    assert most.is_exact
    return instance.goal - most.lower


def damage_one(data: st.DataObject, certificate: Certificate) -> tuple[str, Certificate]:
    """Return what was damaged, and the damaged certificate."""
    document = json.loads(json.dumps(certificate.to_json()))
    steps = document["steps"]
    number = data.draw(st.integers(0, len(steps) - 1))
    step = steps[number]
    damages = ["leave out", "repeat", "hand_size", "most_left_out"]
    if "split" in step:
        damages += ["split"]
    else:
        damages += ["needs", "left_out"] + ["weight", "moment"] * bool(step["moments"])
    damage = data.draw(st.sampled_from(damages))
    by = data.draw(st.integers(1, 3))
    if damage == "leave out":
        del steps[number]
    elif damage == "repeat":
        steps.insert(number, step)
    elif damage in ("hand_size", "most_left_out"):
        document[damage] = max(0, document[damage] + data.draw(st.sampled_from((by, -by))))
    elif damage == "needs":
        step["needs"] = by if step["needs"] is None else step["needs"] + by
    elif damage == "split":
        step["split"] = max(0, step["split"] + data.draw(st.sampled_from((by, -by))))
    elif damage == "left_out":
        step["left_out"] += by
    else:
        moment = data.draw(st.sampled_from(step["moments"]))
        moment[damage == "weight"] += by
    return damage, Certificate.from_json(document)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_damaged_certificates_are_refused(data: st.DataObject) -> None:
    """A damaged one is refused, unless what is left is a proof: the stream is lost, after all."""
    instance, certificate, wins = data.draw(st.sampled_from(certified()))
    damage, damaged = damage_one(data, certificate)
    flaw = find_flaw(instance, damaged)
    if damage in ("leave out", "repeat", "needs"):
        assert flaw is not None
    elif flaw is None and damage in ("weight", "moment"):  # it may be as good as before
        assert damaged != certificate
        assert len(damaged.steps) > 1 or proves(instance, damaged)
    # However it is damaged, it never shows that a stream is lost that can be won.
    won = instance.with_hand_size(wins)
    if damage != "hand_size":
        assert find_flaw(won, damaged) is not None
    assert find_flaw(won, replace(damaged, hand_size=wins)) is not None


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_what_a_damaged_certificate_still_proves_is_true(data: st.DataObject) -> None:
    """Proofs of how many cards are left out: a number that is damaged may only weaken the claim."""
    instance, certificate = data.draw(st.sampled_from(left_out()))
    assert fewest(instance, certificate.hand_size) == certificate.most_left_out + 1
    damage, damaged = damage_one(data, certificate)
    if find_flaw(instance, damaged) is None:
        assert damage not in ("leave out", "repeat", "needs")
        assert fewest(instance, damaged.hand_size) > damaged.most_left_out


def test_a_certificate_that_claims_one_more_is_refused() -> None:
    for instance, certificate in left_out():
        more = replace(certificate, most_left_out=certificate.most_left_out + 1)
        assert find_flaw(instance, more) is not None
        larger = instance.with_hand_size(instance.hand_size + 1)
        assert find_flaw(larger, certificate) is not None


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_made_up_weights_prove_what_all_choices_of_copies_show(data: st.DataObject) -> None:
    n, c = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 2))
    deck = [(k, v) for v in range(1, n + 1) for k in range(c) for _ in "ab"]
    cards = data.draw(st.permutations(deck))
    instance = Instance(data.draw(st.integers(0, 2)), cards)
    weights = data.draw(st.dictionaries(st.integers(1, len(cards)), st.integers(1, 3), min_size=1))
    moments = tuple(sorted(weights.items()))
    # Say what they need, by asking twice.
    told = find_flaw(instance, Certificate(instance.hand_size, 0, (Weights(moments, 0, 10**6),)))
    assert told is not None
    needs = int(told.split("need ")[1].split(",")[0])
    certificate = Certificate(instance.hand_size, 0, (Weights(moments, 0, needs),))
    assert (find_flaw(instance, certificate) is None) == proves(instance, certificate)


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_cases_are_those_of_a_checker_that_keeps_each(data: st.DataObject) -> None:
    """Made-up trees of cases, of which most prove nothing: each end has its own limits."""
    n, c = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 2))
    deck = [(k, v) for v in range(1, n + 1) for k in range(c) for _ in "ab"]
    cards = data.draw(st.permutations(deck))[data.draw(st.integers(0, 1)) :]
    instance = Instance(data.draw(st.integers(0, 1)), cards, n=n, c=c)
    moments = st.dictionaries(st.integers(1, len(cards)), st.integers(1, 3), max_size=3)
    steps: list[Split | Weights] = []
    cases: list[oracle.Case] = [()]
    certificate = Certificate(instance.hand_size, data.draw(st.integers(0, 2)), ())
    while cases:
        case = cases.pop()
        if len(case) < 6 and data.draw(st.booleans()):
            position = data.draw(st.integers(1, len(cards)))
            steps.append(Split(position))
            cases += [(*case, (position, False)), (*case, (position, True))]
        else:
            dear = data.draw(st.integers(0, 2))
            weights = Weights(tuple(sorted(data.draw(moments).items())), dear, None)
            needs = oracle.needs_of(instance, certificate, weights, case)
            off = data.draw(st.sampled_from((0, 0, 0, 1)))
            steps.append(replace(weights, needs=needs if needs is None else needs + off))
    certificate = replace(certificate, steps=tuple(steps))
    assert find_flaw(instance, certificate) == oracle.find_flaw(instance, certificate)


def test_many_cases_take_little_memory() -> None:
    """A thousand splits, one within the other: a copy of the limits for each took 30 MB."""
    n = 1500
    stream = [(0, value) for value in range(n, 0, -1)]
    splits = [Split(position) for position in range(1, n)]
    end = Weights((), 0, None)
    certificate = Certificate(0, 0, (*splits, *[end] * n))
    tracemalloc.start()
    flaw = find_flaw(Instance(0, stream), certificate)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert flaw == f"step {n}: the colors need 0, not None"
    assert peak < 5_000_000


NO_NUMBERS = (math.nan, math.inf, -1, 1.0, True, "1", None, Fraction(1))


@pytest.mark.parametrize("number", NO_NUMBERS)
def test_what_is_no_number_is_a_flaw_of_a_certificate_from_python_or_from_json(
    number: Any,
) -> None:
    """NaN compares as nothing, and a card left out at less than nothing pays for all others."""
    (weights,) = PROOF.steps
    assert isinstance(weights, Weights)
    damaged = {
        "hand_size": replace(PROOF, hand_size=number),
        "most_left_out": replace(PROOF, most_left_out=number),
        "split": replace(PROOF, steps=(Split(number), *PROOF.steps)),
        "left_out": replace(PROOF, steps=(replace(weights, left_out=number),)),
        "needs": replace(PROOF, steps=(replace(weights, needs=number),)),
        "moment": replace(PROOF, steps=(replace(weights, moments=((3, number),)),)),
        "position": replace(PROOF, steps=(replace(weights, moments=((number, 1),)),)),
    }
    for place, certificate in damaged.items():
        if (place, number) == ("needs", None):  # a color that cannot be played
            continue
        flaw = find_flaw(LOST, certificate)
        assert flaw is not None, place
        assert quote(number) in flaw
        document = certificate.to_json()
        with pytest.raises(InvalidInputError) as raised:
            Certificate.from_json(document)
        assert str(raised.value) == flaw


@pytest.mark.parametrize(
    ("step", "flaw"),
    [
        ("x", "'x' is neither a split nor weights"),
        (Weights("x", 0, 2), "moments: 'x' is not a list"),  # type: ignore[arg-type]
        (Weights((3,), 0, 2), "moment 3 is not [position, weight]"),  # type: ignore[arg-type]
        (Weights(((3, 1, 1),), 0, 2), "moment [3, 1, 1] is not [position, weight]"),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_step_is_a_flaw(step: Any, flaw: str) -> None:
    assert find_flaw(LOST, replace(PROOF, steps=(step,))) == f"step 1: {flaw}"


def test_a_weight_below_nothing_proves_nothing() -> None:
    """With a weight of -1 a card, this stream, which one play wins, would be "proved" lost."""
    won = Instance(1, [(0, 1), (0, 2)])
    proof = Certificate(1, 5, (Weights((), -1, -2),))
    assert find_flaw(won, proof) == "step 1: left_out: -1 is not an integer >= 0"


def test_sums_too_long_to_write_are_still_a_flaw() -> None:
    nines = int("9" * 4000) ** 2
    flaw = find_flaw(LOST, replace(PROOF, steps=(Weights(((3, nines),), 0, 1),)))
    assert flaw == f"step 1: the colors need {quote(2 * nines)}, not 1"


def test_certificates_survive_json() -> None:
    for _, certificate, _ in certified():
        assert Certificate.from_json(json.loads(json.dumps(certificate.to_json()))) == certificate
    assert any(len(certificate.steps) > 1 for _, certificate, _ in certified())


def claim(**entries: object) -> dict[str, object]:
    return {"hand_size": 1, "most_left_out": 0, "steps": []} | entries


@pytest.mark.parametrize(
    ("document", "error"),
    [
        ([], "the certificate: [] is not an object"),
        ({"hand_size": 1, "most_left_out": 0}, "the certificate: no entry 'steps'"),
        (claim(x=1), "the certificate: unknown entry 'x'"),
        (claim(steps=3), "steps: 3 is not a list"),
        (claim(hand_size=-1), "hand_size: -1 is not an integer >= 0"),
        (claim(hand_size=True), "hand_size: True is not an integer >= 0"),
        (claim(most_left_out=1.0), "most_left_out: 1.0 is not an integer >= 0"),
        (claim(steps=[7]), "step 1: 7 is not an object"),
        (claim(steps=[{"split": 1, "x": 2}]), "step 1: unknown entry 'x'"),
        (
            claim(steps=[{"moments": [[1, 2, 3]], "left_out": 0, "needs": 1}]),
            "step 1: moment [1, 2, 3] is not [position, weight]",
        ),
        (
            claim(steps=[{"split": 1}, {"moments": 1, "left_out": 0, "needs": 1}]),
            "step 2: moments: 1 is not a list",
        ),
    ],
)
def test_what_is_no_certificate_is_refused_by_name(document: object, error: str) -> None:
    with pytest.raises(InvalidInputError) as raised:
        Certificate.from_json(document)
    assert str(raised.value) == error


def test_the_clock_is_heard() -> None:
    with pytest.raises(BudgetEndedError):
        find_flaw(LOST, PROOF, Clock(0))


def test_reasons_in_words() -> None:
    weights = Weights(((40, 1), (61, 1), (62, 1), (70, 1)), 0, 77)
    assert describe(Certificate(18, 0, (weights,))) == (
        "before cards 40, 61, 62 and 70 together at least 77 places are needed:"
        " the hand has 18 at each"
    )
    assert describe(Certificate(26, 0, (Weights(((117, 2),), 0, 55),))) == (
        "just before card 117 at least 28 cards must be in hand, which holds 26"
    )
    many = Weights(tuple((position, 2) for position in range(1, 9)), 0, 100)
    assert describe(Certificate(5, 0, (many,))) == (
        "at 8 moments together, some counted more than once, at least 100 places are needed:"
        " the hand has 80"
    )
    assert describe(Certificate(5, 0, (Split(1), many, many))) == (
        "in each of 2 cases of which copies are played, more places are needed than the hand has"
    )
