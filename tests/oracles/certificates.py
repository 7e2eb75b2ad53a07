"""A slow checker of certificates, which keeps each case as the list of the splits above it.

It tries every path of a color one by one, and adds up the weights of each window moment by moment.
The number of paths is exponential: keep to some four values.
"""

from __future__ import annotations

from collections.abc import Iterator

from hanabi.solitaire import Instance
from hanabi.solitaire.certificate import Certificate, Split, Weights

__all__ = ["find_flaw", "needs_of"]

Case = tuple[tuple[int, bool], ...]
"""The splits above: positions, and whether the card there is played by this copy or before it."""


def find_flaw(instance: Instance, certificate: Certificate) -> str | None:
    """Return the first flaw of a certificate whose entries are integers in range."""
    if instance.hand_size > certificate.hand_size:
        return "the hand is larger"
    cases: list[Case] = [()]
    for number, step in enumerate(certificate.steps, start=1):
        if not cases:
            return f"step {number}: all cases are proved before it"
        case = cases.pop()
        if isinstance(step, Split):
            cases += [(*case, (step.position, False)), (*case, (step.position, True))]
            continue
        needs = needs_of(instance, certificate, step, case)
        if needs != step.needs:
            return f"step {number}: the colors need {needs}, not {step.needs}"
        has = certificate.hand_size * sum(weight for _, weight in step.moments)
        has += certificate.most_left_out * step.left_out
        if needs is not None and needs <= has:
            return (
                f"step {number}: the colors need {needs} and the hand has {has}:"
                " that proves nothing"
            )
    if cases:
        return f"{len(cases)} case{'s' if len(cases) > 1 else ''} not proved"
    return None


def needs_of(
    instance: Instance, certificate: Certificate, weights: Weights, case: Case
) -> int | None:
    """Return what the cheapest paths of a case cost together; None if a color has none."""
    total = 0
    for color in range(instance.c):
        costs = list(_costs(instance, certificate, weights, case, color))
        if not costs:
            return None
        total += min(costs)
    return total


def _costs(
    instance: Instance, certificate: Certificate, weights: Weights, case: Case, color: int
) -> Iterator[int]:
    """Yield what each path of a color costs."""
    cards = list(zip(instance.colors, instance.values, strict=True))
    may_stop = certificate.most_left_out > 0 or weights.left_out > 0
    played_by = [
        cards[position - 1][1]
        for position, is_by in case
        if is_by and cards[position - 1][0] == color
    ]

    def may_play(value: int, copy: int) -> bool:
        return all(
            is_by == (copy <= position)
            for position, is_by in case
            if cards[position - 1] == (color, value)
        )

    def go_on(value: int, time: int, cost: int) -> Iterator[int]:
        if value > instance.n:
            yield cost
            return
        if may_stop and all(value > played for played in played_by):
            yield cost + (instance.n - value + 1) * weights.left_out
        copies = [place for place, card in enumerate(cards, start=1) if card == (color, value)]
        if value == 1:
            # Which copy of 1 is played is not split on: the first one serves best.
            for copy in copies[:1]:
                yield from go_on(2, copy, cost)
            return
        for copy in [place for place in copies if place > time][:1]:
            if may_play(value, copy):
                yield from go_on(value + 1, copy, cost)
        for copy in [place for place in copies if place < time][-1:]:
            if may_play(value, copy):
                held = sum(w for moment, w in weights.moments if copy < moment <= time)
                yield from go_on(value + 1, time, cost + held)

    yield from go_on(1, 0, 0)
