"""The least hand and the most cards: one program each, with bounds that are proved.

The linear program gives a bound, and prices that prove it in whole numbers. What HiGHS finds gives
a play, which is measured. If both meet the answer is known; else the next better value is refuted
by cases, or found.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from hanabi.ground import NO_LIMIT, BudgetEndedError, Clock, InvalidInputError
from hanabi.solitaire.certificate import Certificate, find_flaw
from hanabi.solitaire.paths import decide, play_along
from hanabi.solitaire.paths.graph import graph_of
from hanabi.solitaire.paths.program import Program
from hanabi.solitaire.paths.refute import Costs, round_prices
from hanabi.solitaire.play import DrawAction, Play, n_played

if TYPE_CHECKING:
    from collections.abc import Callable

    from hanabi.solitaire.instance import Instance
    from hanabi.solitaire.paths.graph import Floats

__all__ = ["Optimum", "fewest_left_out", "least_hand"]

_TRIES = 3
_CLOSE = 1e-6


@dataclass(frozen=True, slots=True)
class Optimum:
    """Bounds on the least value.

    Attributes
    ----------
    lower
        No play has less.
    upper, play
        The best play known has so much; None if none is known.
    certificate
        That no play has less than `lower`, where a program has raised it.
    """

    lower: int
    upper: int | None = None
    play: Play | None = None
    certificate: Certificate | None = None


def least_hand(
    instance: Instance,
    lower: int = 0,
    *,
    clock: Clock = NO_LIMIT,
    memory: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> Optimum:
    """Return bounds on the least hand with which the stream of `instance` can be won.

    No hand smaller than `lower` may win. Raises InvalidInputError if a needed card never occurs,
    and BudgetEndedError if a budget ends before there is any bound.

    >>> from hanabi.solitaire import Instance
    >>> found = least_hand(Instance(0, [(0, 2), (1, 2), (0, 1), (1, 1), (0, 2)]))
    >>> found.lower, found.upper
    (1, 1)
    """
    missing = instance.missing_card(clock)
    if missing is not None:
        raise InvalidInputError(f"no hand wins: no copy of {instance.card_name(*missing)}")
    return _Least(instance.with_hand_size(lower), lower, clock, memory, progress).find()


def fewest_left_out(
    instance: Instance,
    *,
    clock: Clock = NO_LIMIT,
    memory: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> Optimum:
    """Return bounds on how few cards a play can leave out, with the hand of `instance`.

    Cards may be missing, but no 1, and count as left out. Raises InvalidInputError if a color has
    no 1, and BudgetEndedError if a budget ends before there is a bound.

    >>> from hanabi.solitaire import Instance
    >>> found = fewest_left_out(Instance(0, [(0, 2), (1, 2), (0, 1), (1, 1), (0, 2)]))
    >>> found.lower, found.upper
    (1, 1)
    """
    if instance.n:
        cards = clock.watch(zip(instance.colors, instance.values, strict=True))
        begun = {color for color, value in cards if value == 1}
        for color in range(instance.c):
            if color not in begun:
                raise InvalidInputError(
                    f"every color needs a 1: no copy of {instance.card_name(color, 1)}"
                )
    return _Fewest(instance, 0, clock, memory, progress).find()


class _Least:
    """The least hand: the most windows that are open at once."""

    name = "least hand"
    counts_left_out = False

    def __init__(
        self,
        instance: Instance,
        lower: int,
        clock: Clock,
        memory: int | None,
        progress: Callable[[str], None] | None,
    ) -> None:
        self.instance, self.clock, self.memory = instance, clock, memory
        self.progress = progress
        self.graph = graph_of(instance, clock=clock, memory=memory)
        self.best = Optimum(lower) if instance.goal else Optimum(0, 0, Play())

    def play_along(self, edges: Floats) -> tuple[Play, int] | None:
        """Return the play along the fullest edges, and its value; None if it breaks a rule."""
        anything = self.instance.with_hand_size(self.instance.goal)
        play = play_along(anything, self.graph, edges)
        return None if play is None else (play, most_held(play))

    def value(self, cost: float) -> float:
        """Return the value that a point of the program has."""
        return self.instance.hand_size + cost

    def claim(self, value: int) -> tuple[int, int]:
        """Return the hand, and the cards left out, with which no play is better than `value`."""
        return value - 1, 0

    def find(self) -> Optimum:
        """Return what the budget allows to find out."""
        if self.is_exact:
            return self.best
        program = Program(
            self.instance,
            self.graph,
            counts_left_out=self.counts_left_out,
            memory=self.memory,
        )
        answer = program.relax(self.clock)
        if not answer.is_over:
            raise BudgetEndedError("out of time")
        try:
            self.raise_lower(program, answer.value)
            self.take(self.play_along(answer.edges))
            self.narrow(program)
            while not self.is_exact:
                self.tell(self.best.lower, self.best.upper)
                value = self.best.lower
                hand_size, most_left_out = self.claim(value + 1)
                instance = self.instance.with_hand_size(hand_size)
                found = decide(
                    instance, self.graph, most_left_out, clock=self.clock, memory=self.memory
                )
                if found is None:
                    break
                if isinstance(found, Play):
                    self.best = replace(self.best, upper=value, play=found)
                else:
                    self.best = replace(self.best, lower=value + 1, certificate=found)
        except BudgetEndedError:
            pass
        return self.best

    def narrow(self, program: Program) -> None:
        """Look for a good play."""

    @property
    def is_exact(self) -> bool:
        """Whether the bounds meet."""
        return self.best.upper == self.best.lower

    def raise_lower(self, program: Program, cost: float) -> None:
        """Prove what the linear program says, in whole numbers."""
        prices, left_out, _ = program.prices()
        nothing = np.zeros(len(self.graph) + len(program.stops), dtype=np.bool_)
        most = math.ceil(self.value(cost) - _CLOSE)
        for value in range(most, max(self.best.lower, most - _TRIES), -1):
            hand_size, most_left_out = self.claim(value)
            weights = round_prices(
                Costs(program),
                prices,
                left_out,
                nothing,
                hand_size=hand_size,
                most_left_out=most_left_out,
            )
            if weights is not None:
                certificate = Certificate(hand_size, most_left_out, (weights,))
                if self.accept(value, certificate):
                    return

    def accept(self, value: int, certificate: Certificate) -> bool:
        """Take a bound if its certificate is right; return whether it is."""
        instance = self.instance.with_hand_size(certificate.hand_size)
        if find_flaw(instance, certificate, self.clock) is not None:
            return False
        self.best = replace(self.best, lower=value, certificate=certificate)
        return True

    def take(self, found: tuple[Play, int] | None) -> None:
        """Make this the best play, if it is."""
        if found is not None and (self.best.upper is None or found[1] < self.best.upper):
            self.best = replace(self.best, upper=found[1], play=found[0])

    def tell(self, lower: int, upper: int | None) -> None:
        """Report the gap."""
        if self.progress is not None:
            known = f"at least {lower}" if upper is None else f"between {lower} and {upper}"
            self.progress(f"paths: {self.name} {known}")


class _Fewest(_Least):
    """The fewest cards left out."""

    name = "cards left out"
    counts_left_out = True

    def play_along(self, edges: Floats) -> tuple[Play, int] | None:
        """Return the play along the fullest edges, and its value; None if it breaks a rule."""
        play = play_along(self.instance, self.graph, edges, self.instance.goal)
        return None if play is None else (play, self.instance.goal - n_played(self.instance, play))

    def value(self, cost: float) -> float:
        """Return the value that a point of the program has."""
        return cost

    def claim(self, value: int) -> tuple[int, int]:
        """Return the hand, and the cards left out, with which no play is better than `value`."""
        return self.instance.hand_size, value - 1

    def narrow(self, program: Program) -> None:
        """Look for a good play: the bound may be far from the truth."""
        if not self.is_exact:
            self.tell(self.best.lower, self.best.upper)
            left = self.clock.left
            clock = Clock(None if left is None else left / 2)
            answer = program.start(clock).answer()
            if answer.has_point:
                self.take(self.play_along(answer.edges))


def most_held(play: Play) -> int:
    """Return the most cards that are in hand at once.

    >>> most_held(Play([(1, "store"), (2, "store"), (3, "play"), (1, "play"), (2, "play")]))
    2
    """
    held: set[int] = set()
    most = 0
    for position, action in zip(play.positions, play.actions, strict=True):
        if action == DrawAction.STORE:
            held.add(position)
            most = max(most, len(held))
        else:
            held.discard(position)
    return most
