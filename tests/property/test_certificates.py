"""Certificates of lost streams with each of their numbers changed by one.

The checker refuses the changed certificate, or what it still claims is true by a search that shares
no code with it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from hanabi.ground.errors import InvalidInputError
from hanabi.solitaire import Instance, paths
from hanabi.solitaire.certificate import Certificate, Weights, find_flaw
from hanabi.solitaire.paths.optimum import fewest_left_out
from oracles import solitaire as brute

MOST = 120  # changed numbers of a certificate


def changed(document: object) -> Iterator[object]:
    """Yield a document with one of its numbers one larger or smaller, each in turn.

    Where a number may be missing (null), it is 0 or 1 instead.
    """
    if document is None:
        yield from (0, 1)
    elif isinstance(document, int):
        yield from (document + 1, document - 1)
    elif isinstance(document, list):
        for place, entry in enumerate(document):
            for other in changed(entry):
                yield [*document[:place], other, *document[place + 1 :]]
    elif isinstance(document, dict):
        for name, entry in document.items():
            for other in changed(entry):
                yield {**document, name: other}


def without_needs(certificate: Certificate) -> object:
    return replace(
        certificate,
        steps=tuple(
            replace(step, needs=None) if isinstance(step, Weights) else step
            for step in certificate.steps
        ),
    )


def count_accepted(
    instance: Instance, certificate: Certificate, rng: random.Random
) -> Counter[str]:
    """Return how many changed certificates are refused, and how many are accepted and true."""
    assert find_flaw(instance, certificate) is None
    found, others = Counter[str](), list(changed(certificate.to_json()))
    for document in rng.sample(others, min(MOST, len(others))):
        try:
            other = Certificate.from_json(document)
        except InvalidInputError:  # a number below 0
            found["unreadable"] += 1
            continue
        if find_flaw(instance, other) is not None:
            found["refused"] += 1
            continue
        found["true"] += 1
        assert without_needs(other) != without_needs(certificate), document
        larger = instance.with_hand_size(other.hand_size)
        if other.most_left_out:
            assert instance.goal - brute.most_cards(larger) > other.most_left_out, document
        else:
            assert not brute.wins_by_layers(larger), document
    return found


def shuffled(rng: random.Random, n: int, c: int, copies: int, noise: float) -> Instance:
    """Return a stream with its values roughly in order, and the largest hand that loses it."""
    deck = [(k, v) for v in range(1, n + 1) for k in range(c) for _ in range(copies)]
    instance = Instance(0, sorted(deck, key=lambda card: card[1] + rng.gauss(0, noise)), n=n, c=c)
    while not brute.wins_by_layers(larger := instance.with_hand_size(instance.hand_size + 1)):
        instance = larger
    return instance


def test_certificates_of_lost_streams() -> None:
    rng, found = random.Random(7), Counter[str]()
    for n, c, copies, noise, number in (
        (3, 3, 2, 9.0, 30),
        (12, 3, 2, 3.0, 15),
        (5, 5, 2, 3.0, 15),
    ):
        for _ in range(number):
            instance = shuffled(rng, n, c, copies, noise)
            certificate = paths.certify(instance).certificate
            if certificate is None:  # won with no card in hand
                assert brute.wins_by_layers(instance)
                continue
            found += count_accepted(instance, certificate, rng)
    assert found["refused"] > 300
    assert found["true"] > 50  # as good a proof, or a weaker claim


def test_certificates_with_cases() -> None:
    rng, found, with_cases = random.Random(11), Counter[str](), 0
    deck = [(k, v) for v in range(1, 7) for k in range(6) for _ in range(5)]
    while with_cases < 6:
        instance = Instance(1, rng.sample(deck, len(deck)))
        certificate = paths.certify(instance).certificate
        if certificate is not None and len(certificate.steps) > 1:
            with_cases += 1
            found += count_accepted(instance, certificate, rng)
    assert found["refused"] > 100
    assert found["true"] > 30


def test_certificates_of_how_many_cards_are_left_out() -> None:
    rng, found, claims = random.Random(8), Counter[str](), Counter[int]()
    for _ in range(40):
        cards = [(k, v) for v in (1, 2, 3) for k in range(3) for _ in range(rng.randint(1, 2))]
        rng.shuffle(cards)
        instance = Instance(rng.randint(0, 1), cards[:11] + [(k, 1) for k in range(3)], n=3, c=3)
        certificate = fewest_left_out(instance).certificate
        if certificate is not None:
            claims[certificate.most_left_out] += 1
            assert instance.goal - brute.most_cards(instance) == certificate.most_left_out + 1
            found += count_accepted(instance, certificate, rng)
    assert len(claims) > 2
    assert found["refused"] > 200
    assert found["true"] > 50
