"""Named reasons why a goal is out of reach, with certificates that a person can follow.

First come those of `hanabi.winnable.pace`, which one sentence says. The other argument is the
merged hand of `hanabi.winnable.relaxation`, where it is proven: all hands are one, hints are
unlimited, so that playing and discarding trash are forced and the only choice is which needed card
to drop from a hand that is full of needed, unplayable cards. The proof is a tree of such choices,
and its shape gives the reason its name:

==============  ==================================================================================
full hands      without any choice before, the hands are full of cards that must all be kept
squeeze         at every full hand there is one card that can be dropped, and then pace or full
                hands
merged hands    whichever cards are dropped, it ends so
==============  ==================================================================================

This module is plain Python and independent of the compiled relaxation.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import inf

from hanabi.cards import Card
from hanabi.winnable.pace import refute_by_pace
from hanabi.winnable.position import Goal, Position
from hanabi.winnable.refutation import Refutation

__all__ = ["refute"]


class OutOfTimeError(Exception):
    """The deadline of a proof has come; never leaves this package."""


def deadline_in(seconds: float | None) -> float:
    """Return when a number of seconds will be over; None: never."""
    return inf if seconds is None else time.perf_counter() + seconds


@dataclass(frozen=True, slots=True)
class MergedState:
    """Cards drawn, types on the piles or in hand, and how many of them have been played."""

    drawn: int
    secured: frozenset[Card]
    played: int


class Refuter:
    """The search for a proof, and the proof found so far."""

    def __init__(self, position: Position, goal: Goal, deadline: float = inf) -> None:
        self.deadline = deadline
        self.rules, self.deck, self.goal = position.rules, position.deck, goal
        self.cards = {
            Card(color, rank) for color, top in enumerate(goal) for rank in range(1, top + 1)
        }
        self.needed_later: list[frozenset[Card]] = [frozenset()]
        for card in reversed(position.deck):
            self.needed_later.append(self.needed_later[-1] | ({card} & self.cards))
        self.needed_later.reverse()
        self.slots = position.rules.seats * position.rules.hand_size
        self.known: dict[MergedState, bool] = {}
        self.steps: list[str] = []
        self.choices = self.widest = 0

    def check_time(self) -> None:
        """Raise OutOfTimeError if the deadline has come."""
        if time.perf_counter() > self.deadline:
            raise OutOfTimeError

    def playable(self, secured: frozenset[Card]) -> int:
        total = 0
        for color, top in enumerate(self.goal):
            height = 0
            while height < top and Card(color, height + 1) in secured:
                height += 1
            total += height
        return total

    def sweep(self, state: MergedState) -> tuple[MergedState, str]:
        """Play and discard trash until a reason to stop: its name, "full", or "" if won."""
        drawn, secured, played = state.drawn, set(state.secured), state.played
        last = self.rules.final_round
        while True:
            now = MergedState(drawn, frozenset(secured), played)
            missing = len(self.cards) - played
            if missing == 0:
                return now, ""
            if self.cards - secured - self.needed_later[drawn]:
                return now, "missing card"
            if last is not None and missing > len(self.deck) - drawn + last:
                return now, "pace"
            if drawn == len(self.deck):
                return now, ""
            if played < self.playable(now.secured):
                played += 1
            elif len(secured) - played >= self.slots:
                return now, "full"
            secured |= {self.deck[drawn]} & self.cards
            drawn += 1

    def is_lost(self, state: MergedState, depth: int) -> bool:
        """Decide a state; append the proof to the steps if it is lost.

        Raises
        ------
        OutOfTimeError
            If the deadline comes first.
        """
        indent = "  " * depth
        state, stop = self.sweep(state)
        if stop == "":
            return False
        if stop != "full":
            self.steps.append(indent + self.describe(state, stop))
            return True
        if state in self.known:
            if self.known[state]:
                self.steps.append(f"{indent}after {state.drawn} cards: as shown before")
            return self.known[state]
        self.check_time()
        mark = len(self.steps), self.choices, self.widest
        held = self.held(state)
        options = [card for card in held if card in self.needed_later[state.drawn]]
        self.choices += 1
        self.widest = max(self.widest, len(options))
        self.steps.append(indent + self.describe(state, stop) + self.offer(options))
        for card in options:
            self.steps.append(f"{indent}drop {card}:")
            new = {self.deck[state.drawn]} & self.cards
            child = MergedState(state.drawn + 1, (state.secured - {card}) | new, state.played)
            if not self.is_lost(child, depth + 1):
                del self.steps[mark[0] :]
                _, self.choices, self.widest = mark
                self.known[state] = False
                return False
        self.known[state] = True
        return True

    def held(self, state: MergedState) -> list[Card]:
        """Return the needed cards in hand at a full hand, where all playable ones are played."""
        on_piles = set()
        for color, top in enumerate(self.goal):
            height = 0
            while height < top and Card(color, height + 1) in state.secured:
                height += 1
                on_piles.add(Card(color, height))
        return sorted(state.secured - on_piles)

    def describe(self, state: MergedState, stop: str) -> str:
        missing = len(self.cards) - state.played
        left, last = len(self.deck) - state.drawn, self.rules.final_round
        if stop == "pace":
            return (
                f"after {state.drawn} cards: {missing} cards are still to be played, but only"
                f" {left} + {last} turns can play one"
            )
        if stop == "missing card":
            gone = min(self.cards - state.secured - self.needed_later[state.drawn])
            return f"after {state.drawn} cards: no {gone} is left"
        hand = " ".join(map(str, self.held(state)))
        return f"after {state.drawn} cards: all {self.slots} cards in hand are needed: {hand}"

    @staticmethod
    def offer(options: list[Card]) -> str:
        if not options:
            return "; none of them comes again"
        return f"; only {', '.join(map(str, options))} can be dropped"


def refute(position: Position, goal: Goal, *, seconds: float | None = None) -> Refutation | None:
    """Return a proof by pace or the merged hand that `goal` cannot be reached, or None.

    Milliseconds for most positions, more where there are thousands of choices; None also if that
    takes more than `seconds`.

    >>> from hanabi.game import Rules
    >>> from hanabi import DeckSpec
    >>> rules = Rules(spec=DeckSpec(((1, 1, 1),)), seats=1, hand_size=1, final_round=None)
    >>> print(refute(Position.start(rules, [(0, 3), (0, 1), (0, 2)]), (3,)))
    full hands: all 1 cards in hand must be kept, and none can be played
    after 1 cards: all 1 cards in hand are needed: r3; none of them comes again
    """
    late = refute_by_pace(position, goal)
    if late is not None:
        return late
    refuter = Refuter(position, goal, deadline_in(seconds))
    on_piles = {
        Card(color, rank) for color, top in enumerate(position.piles) for rank in range(1, top + 1)
    }
    in_hand = {position.deck[index] for hand in position.hands for index in hand}
    secured = frozenset((on_piles | in_hand) & refuter.cards)
    try:
        if not refuter.is_lost(MergedState(position.drawn, secured, position.score), 0):
            return None
    except OutOfTimeError:
        return None
    name = _name(refuter)
    return Refutation(name, _SUMMARIES[name].format(slots=refuter.slots), tuple(refuter.steps),
                      refuter.choices)  # fmt: skip


_SUMMARIES = {
    "full hands": "all {slots} cards in hand must be kept, and none can be played",
    "squeeze": "full hands leave no choice what to drop, and it ends badly",
    "merged hands": "whatever is dropped from full hands, it ends badly",
}


def _name(refuter: Refuter) -> str:
    if refuter.choices == 1 and refuter.widest == 0:
        return "full hands"
    return "squeeze" if refuter.widest <= 1 else "merged hands"
