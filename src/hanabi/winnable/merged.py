"""Named reasons why a goal is out of reach, with certificates that a person can follow.

The reasons of `hanabi.winnable.pace`, one sentence each, come first. The other argument is the
merged hand, proven in `hanabi.winnable.relaxation`: all hands are one and hints are unlimited, so
that playing and discarding trash are forced, and the only choice is which needed card to drop from
a hand that is full of needed, unplayable cards. The proof is a tree of such choices, and its shape
names the reason:

==============  ==================================================================================
full hands      without any earlier choice, the hands are full of cards that must all be kept
squeeze         at every full hand only one card can be dropped; it ends by pace or full hands
merged hands    whichever cards are dropped, it ends by pace or full hands
==============  ==================================================================================

This module is plain Python and independent of the compiled relaxation.
"""

from __future__ import annotations

from dataclasses import dataclass

from hanabi.clock import NO_LIMIT, Clock
from hanabi.errors import BudgetEndedError
from hanabi.winnable.pace import Refutation, refute_by_pace
from hanabi.winnable.position import Goal, Position, Types, buildable, cards_of, names

__all__ = ["MergedState", "Refuter", "refute"]


@dataclass(frozen=True, slots=True)
class MergedState:
    """The cards drawn, the types on the piles or in hand, and the number played."""

    drawn: int
    secured: Types
    played: int


class Refuter:
    """The search for a proof, and the proof found so far."""

    def __init__(self, position: Position, goal: Goal, clock: Clock = NO_LIMIT) -> None:
        self.clock = clock
        self.rules, self.deck = position.rules, position.deck
        self.cards = cards_of(goal)
        self.needed_later: list[Types] = [frozenset()]
        for card in reversed(position.deck):
            self.needed_later.append(self.needed_later[-1] | ({card} & self.cards))
        self.needed_later.reverse()
        self.slots = position.rules.seats * position.rules.hand_size
        self.start = MergedState(position.drawn, position.secured(goal), position.score)
        self.known: dict[MergedState, bool] = {}
        self.steps: list[str] = []
        self.choices = self.widest = 0

    def sweep(self, state: MergedState) -> tuple[MergedState, str]:
        """Play and discard trash until done; return why: a reason, "full", or "" if won."""
        drawn, secured, played = state.drawn, state.secured, state.played
        can_play, last = len(buildable(secured)), self.rules.final_round
        while True:
            missing = len(self.cards) - played
            if missing == 0:
                stop = ""
                break
            if not self.cards <= secured | self.needed_later[drawn]:
                stop = "missing card"
                break
            if last is not None and missing > len(self.deck) - drawn + last:
                stop = "pace"
                break
            if drawn == len(self.deck):
                stop = ""
                break
            if played < can_play:
                played += 1
            elif len(secured) - played >= self.slots:
                stop = "full"
                break
            new = ({self.deck[drawn]} & self.cards) - secured
            drawn += 1
            if new:
                secured |= new
                can_play = len(buildable(secured))
        return MergedState(drawn, secured, played), stop

    def is_lost(self, state: MergedState, depth: int = 0) -> bool:
        """Decide a state; if it is lost, append the proof to the steps.

        Raises
        ------
        BudgetEndedError
            If the time is over first.
        """
        indent = "  " * depth
        state, stop = self.sweep(state)
        if stop == "":
            return False
        if stop == "pace":
            missing, left = len(self.cards) - state.played, len(self.deck) - state.drawn
            self.steps.append(
                f"{indent}after {state.drawn} cards: {missing} cards are still to be played, but"
                f" only {left} + {self.rules.final_round} turns can play one"
            )
            return True
        if stop == "missing card":
            gone = min(self.cards - state.secured - self.needed_later[state.drawn])
            self.steps.append(f"{indent}after {state.drawn} cards: no {gone} is left")
            return True
        if state in self.known:
            if self.known[state]:
                self.steps.append(f"{indent}after {state.drawn} cards: as shown before")
            return self.known[state]
        self.clock.check()
        mark = len(self.steps), self.choices, self.widest
        # When a hand is full, every playable card has been played.
        held = sorted(state.secured - buildable(state.secured))
        options = [card for card in held if card in self.needed_later[state.drawn]]
        self.choices += 1
        self.widest = max(self.widest, len(options))
        offer = f"only {', '.join(map(str, options))} can be dropped"
        self.steps.append(
            f"{indent}after {state.drawn} cards: all {self.slots} cards in hand are needed:"
            f" {names(held)}; {offer if options else 'none of them comes again'}"
        )
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


def refute(position: Position, goal: Goal, *, seconds: float | None = None) -> Refutation | None:
    """Return a proof by pace or the merged hand that `goal` cannot be reached, or None.

    It takes milliseconds for most positions, more if there are thousands of choices. It also
    returns None after `seconds`.

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
    refuter = Refuter(position, goal, Clock(seconds))
    try:
        if not refuter.is_lost(refuter.start):
            return None
    except BudgetEndedError:
        return None
    if refuter.choices == 1 and refuter.widest == 0:
        name = "full hands"
    else:
        name = "squeeze" if refuter.widest <= 1 else "merged hands"
    summary = _SUMMARIES[name].format(slots=refuter.slots)
    return Refutation(name, summary, tuple(refuter.steps), refuter.choices)


_SUMMARIES = {
    "full hands": "all {slots} cards in hand must be kept, and none can be played",
    "squeeze": "full hands leave no choice what to drop, and it ends badly",
    "merged hands": "whatever is dropped from full hands, it ends badly",
}
