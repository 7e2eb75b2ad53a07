"""Certificates that a stream cannot be won, and their checker.

A play of Solitaire Hanabi is settled by the copy that is played of each card. Let T(v) be when the
value v of a color is played. T(1) is the first copy of 1, and value by value there are two ways to
go on (any other copy serves worse):

- v is played by its first copy after T(v - 1), when it is drawn, and is never held;
- v is played at T(v - 1) from the hand, which has held its last copy before T(v - 1) since that
  copy was drawn.

A certificate gives *weights* to moments, each just before a card is drawn. To hold a card costs
the weight of the moments at which it is held. The cheapest way to play each color is found value by
value; no play of all colors costs less than the sum of these. But a hand of h holds at most h cards
at each moment, so no play costs more than h times the sum of the weights. If the first number is
larger than the second there is no winning play, whatever the weights and wherever they came from.

Where no weights do, the certificate splits into two cases: some card is played by its copy at a
position or by an earlier one, or it is not. Each case is proved in the same way.

The same certificate can show that every play leaves out more than so many cards. A color may then
stop at any value, each card left out costs a weight of its own, and at most so many times that
weight may be spent.

This file is all that a certificate rests on: it works in integers, and shares no code with the
solvers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any, TypeAlias

from hanabi.ground import NO_LIMIT, Clock, InvalidInputError, counted, quote
from hanabi.solitaire.instance import Instance

__all__ = ["Certificate", "Split", "Step", "Weights", "find_flaw"]


@dataclass(frozen=True, slots=True)
class Split:
    """Two cases: the card at this position is played by this copy or an earlier one, or it is not.

    In the second case a later copy is played, or none. The steps of the first case come next, then
    those of the second.
    """

    position: int


@dataclass(frozen=True, slots=True)
class Weights:
    """The end of a case: weights that prove it.

    Attributes
    ----------
    moments
        Pairs (position, weight), positions ascending: just before the card at this position is
        drawn, each card in hand costs this weight, at least 1.
    left_out
        What each card costs that is not played, where not all have to be.
    needs
        What the cheapest ways to play the colors cost together; None if a color cannot be played.
    """

    moments: tuple[tuple[int, int], ...]
    left_out: int
    needs: int | None


Step: TypeAlias = Split | Weights


@dataclass(frozen=True, slots=True)
class Certificate:
    """A proof that with a hand of `hand_size` no play leaves out `most_left_out` cards or fewer."""

    hand_size: int
    most_left_out: int
    steps: tuple[Step, ...]

    def to_json(self) -> dict[str, object]:
        """Return the certificate as a JSON document.

        >>> Certificate(0, 0, (Weights(((2, 1),), 0, 1),)).to_json()["steps"]
        [{'moments': [[2, 1]], 'left_out': 0, 'needs': 1}]
        """
        return {
            "hand_size": self.hand_size,
            "most_left_out": self.most_left_out,
            "steps": [
                {"split": step.position}
                if isinstance(step, Split)
                else {
                    "moments": [list(moment) for moment in step.moments],
                    "left_out": step.left_out,
                    "needs": step.needs,
                }
                for step in self.steps
            ],
        }

    @classmethod
    def from_json(cls, document: object) -> Certificate:
        """Return the certificate in a JSON document.

        Raises InvalidInputError, naming the step, if it is none.

        >>> Certificate.from_json({"hand_size": 1, "most_left_out": 0, "steps": [{"split": "x"}]})
        Traceback (most recent call last):
        hanabi.ground.errors.InvalidInputError: step 1: split: 'x' is not an integer >= 0
        """
        entries = _entries(document, {"hand_size", "most_left_out", "steps"}, "the certificate")
        steps = entries["steps"]
        if not isinstance(steps, list):
            raise InvalidInputError(f"steps: {quote(steps)} is not a list")
        read = (_step(step, f"step {number}") for number, step in enumerate(steps, start=1))
        certificate = cls(entries["hand_size"], entries["most_left_out"], tuple(read))
        wrong = _find_wrong_claim(certificate)
        if wrong is not None:
            raise InvalidInputError(wrong)
        for number, step in enumerate(certificate.steps, start=1):
            wrong = _find_wrong_entry(step)
            if wrong is not None:
                raise InvalidInputError(f"step {number}: {wrong}")
        return certificate


def _step(document: object, where: str) -> Step:
    """Return the step in a JSON document; its numbers are not checked yet."""
    if isinstance(document, dict) and "split" in document:
        return Split(_entries(document, {"split"}, where)["split"])
    entries = _entries(document, {"moments", "left_out", "needs"}, where)
    moments = entries["moments"]
    if isinstance(moments, list):
        moments = tuple(tuple(pair) if isinstance(pair, list) else pair for pair in moments)
    return Weights(moments, entries["left_out"], entries["needs"])


def _entries(document: object, names: set[str], where: str) -> Mapping[str, Any]:
    if not isinstance(document, dict):
        raise InvalidInputError(f"{where}: {quote(document)} is not an object")
    for name in names - document.keys():
        raise InvalidInputError(f"{where}: no entry {name!r}")
    for name in document.keys() - names:
        raise InvalidInputError(f"{where}: unknown entry {quote(name)}")
    return document


# What a certificate is made of may come from a file or from Python, so its types are not trusted.


def _find_wrong_claim(certificate: Certificate) -> str | None:
    """Return which number outside the steps is none, or None."""
    claim = {"hand_size": certificate.hand_size, "most_left_out": certificate.most_left_out}
    return _find_wrong_number(claim)


def _find_wrong_entry(step: object) -> str | None:
    """Return which entry of a step is not what it has to be, or None."""
    if isinstance(step, Split):
        return _find_wrong_number({"split": step.position})
    if not isinstance(step, Weights):
        return f"{quote(step)} is neither a split nor weights"
    moments: object = step.moments
    if not isinstance(moments, list | tuple):
        return f"moments: {quote(moments)} is not a list"
    for pair in moments:
        if not isinstance(pair, list | tuple) or len(pair) != 2 or not all(map(_is_number, pair)):
            said = list(pair) if isinstance(pair, tuple) else pair
            return f"moment {quote(said)} is not [position, weight]"
    needs = {} if step.needs is None else {"needs": step.needs}
    return _find_wrong_number({"left_out": step.left_out} | needs)


def _find_wrong_number(numbers: Mapping[str, object]) -> str | None:
    for name, value in numbers.items():
        if not _is_number(value):
            return f"{name}: {quote(value)} is not an integer >= 0"
    return None


def _is_number(value: object) -> bool:
    return type(value) is int and value >= 0  # no bool, nor a number with rules of its own


def find_flaw(instance: Instance, certificate: Certificate, clock: Clock = NO_LIMIT) -> str | None:
    """Return the first thing that is wrong with a certificate, or None if it proves its claim.

    It is a certificate of this stream, and of this hand or a larger one. A number that is not an
    integer >= 0 is a flaw. For each end of a case O(edges log N): a color has two edges for each
    value and time at which it may be played. The memory is linear in the stream and the steps.
    Raises BudgetEndedError when the clock runs out.

    >>> lost = Instance(1, [(0, 2), (1, 2), (0, 1), (1, 1)])
    >>> proof = Certificate(1, 0, (Weights(((3, 1),), 0, 2),))
    >>> find_flaw(lost, proof) is None
    True
    >>> find_flaw(lost.with_hand_size(2), proof)
    'the certificate is for a hand of 1, the stream has one of 2'
    """
    wrong = _find_wrong_claim(certificate)
    if wrong is not None:
        return wrong
    if instance.hand_size > certificate.hand_size:
        return (
            f"the certificate is for a hand of {quote(certificate.hand_size)},"
            f" the stream has one of {instance.hand_size}"
        )
    stream = _Stream(instance, certificate, clock)
    limits = _Limits(instance)
    cases: list[_Case] = [(0, None)]  # still to be proved, the next one last
    for number, step in enumerate(clock.watch(certificate.steps), start=1):
        if not cases:
            return f"step {number}: all cases are proved before it"
        flaw = _find_wrong_entry(step)
        if flaw is None:
            limits.enter(cases.pop())
            flaw = stream.find_flaw(step, limits) if isinstance(step, Weights) else None
        if flaw is not None:
            return f"step {number}: {flaw}"
        if isinstance(step, Split):
            if not 1 <= step.position <= instance.N:
                return f"step {number}: no card at position {quote(step.position)}"
            cases.append((limits.depth, (step.position, False)))
            cases.append((limits.depth, (step.position, True)))
    return f"{counted(len(cases), 'case')} not proved" if cases else None


_Case: TypeAlias = tuple[int, tuple[int, bool] | None]
"""How many splits are above the one that makes a case, and that one: its position, and whether
this is the first of its two cases. None if no split makes the case."""


class _Limits:
    """What the splits above the current case say of each card.

    The copy that is played lies after the first of two positions, and at most at the second. A
    second position that is not in the stream stands for a card that need not be played. Each split
    changes one card's limits. What they were before is kept until its second case is done, so no
    case needs a copy of all limits.
    """

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._none = 0, instance.N + 1
        self._colors: dict[int, dict[int, tuple[int, int]]] = {}  # color -> value -> limits
        self._before: list[tuple[int, int, tuple[int, int]]] = []  # color, value, limits

    @property
    def depth(self) -> int:
        """How many splits the current case is under."""
        return len(self._before)

    def enter(self, case: _Case) -> None:
        """Leave the current case for one that was split from it or from a case above it."""
        depth, split = case
        while len(self._before) > depth:
            color, value, before = self._before.pop()
            self._colors[color][value] = before
        if split is not None:
            position, is_first = split
            color, value = self._instance.colors[position - 1], self._instance.values[position - 1]
            low, high = self.of(color, value)
            self._before.append((color, value, (low, high)))
            self._colors.setdefault(color, {})[value] = (
                (low, min(high, position)) if is_first else (max(low, position), high)
            )

    def of(self, color: int, value: int) -> tuple[int, int]:
        """Return the limits of a card."""
        return self._colors.get(color, {}).get(value, self._none)

    def required(self, color: int) -> int:
        """Return the largest value of a color that has to be played, or 0."""
        limits = self._colors.get(color, {}).items()
        return max((value for value, (_, high) in limits if high < self._none[1]), default=0)


class _Stream:
    """Where the copies of each card lie, for one certificate."""

    def __init__(self, instance: Instance, certificate: Certificate, clock: Clock) -> None:
        self.n, self.c, self.N = instance.n, instance.c, instance.N
        self.certificate, self.clock = certificate, clock
        self.copies: dict[tuple[int, int], list[int]] = {}
        cards = zip(instance.colors, instance.values, strict=True)
        for position, card in enumerate(clock.watch(cards), start=1):
            self.copies.setdefault(card, []).append(position)

    def find_flaw(self, weights: Weights, limits: _Limits) -> str | None:
        """Return what is wrong with the end of a case."""
        positions = [position for position, _ in weights.moments]
        if any(low >= high for low, high in pairwise(positions)):
            return "the moments are not in order"
        if any(not 1 <= position <= self.N for position in positions):
            return f"a moment is not in 1 .. {self.N}"
        if any(weight < 1 for _, weight in weights.moments):
            return "a weight is not positive"
        below = list(accumulate((weight for _, weight in weights.moments), initial=0))
        needs: int | None = 0
        for color in range(self.c):
            self.clock.check()
            cheapest = self.cheapest(color, limits, positions, below, weights.left_out)
            needs = None if needs is None or cheapest is None else needs + cheapest
        if needs != weights.needs:
            return f"the colors need {quote(needs)}, not {quote(weights.needs)}"
        claim = self.certificate
        has = claim.hand_size * below[-1] + claim.most_left_out * weights.left_out
        if needs is not None and needs <= has:
            return (
                f"the colors need {quote(needs)} and the hand has {quote(has)}: that proves nothing"
            )
        return None

    def cheapest(
        self, color: int, limits: _Limits, positions: list[int], below: list[int], left_out: int
    ) -> int | None:
        """Return the least that it costs to play a color; None if it cannot be played."""
        if self.n == 0:
            return 0
        may_stop = self.certificate.most_left_out > 0 or left_out > 0
        required = limits.required(color)
        stopped = [self.n * left_out] if may_stop and not required else []
        first = self.copies.get((color, 1), [])[:1]
        costs = dict.fromkeys(first, 0)  # when the value is played -> the least cost so far
        for value in range(2, self.n + 1):
            self.clock.check()
            if not costs:
                break
            if may_stop and value > required:
                stopped.append(min(costs.values()) + (self.n - value + 1) * left_out)
            copies = self.copies.get((color, value), [])
            low, high = limits.of(color, value)
            after: dict[int, int] = {}
            for time, cost in costs.items():
                index = bisect_right(copies, time)
                if index < len(copies) and low < copies[index] <= high:
                    draw = copies[index]
                    after[draw] = min(cost, after.get(draw, cost))
                if index > 0 and low < copies[index - 1] <= high:
                    held = copies[index - 1]
                    total = cost + below[bisect_right(positions, time)]
                    total -= below[bisect_right(positions, held)]
                    after[time] = min(total, after.get(time, total))
            costs = after
        return min([*costs.values(), *stopped], default=None)
