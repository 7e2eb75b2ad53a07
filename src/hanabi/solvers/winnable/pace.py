"""Cards that come late, and the shortest reasons why a goal is out of reach.

============  ====================================================================================
missing card  a needed card has no copy left
pace          from some point on, more cards must be played than turns are left
============  ====================================================================================

Let n be the size of the deck, L the number of turns of the last round (those left, once it has
begun), and q any number of cards from those drawn so far to n. Let W be the needed cards that
cannot be played before q cards have been drawn: of such a card, or of one that its pile still needs
below it, no copy is in a hand or among the first q - 1 cards of the deck. (If q cards have been
drawn already, W is all that is missing.) *The goal is out of reach if W has more than n - q + L
cards.*

Proof. Take any line of the game. The q-th card is drawn by an act, a play or a discard, and every
card of W is played by a later one. Each of these either draws one of the n - q cards that are still
to come, or is a turn of the last round; hints only use turns up. So there are n - q + L at most,
and each plays one card at most.

The argument does not mention hands, tokens or seats, so it holds whatever these are. Without them
nothing stronger can be proven: a hand without limits, which plays one fitting card for each card
that it draws, loses exactly by this argument. The proof uses the largest such q, which leaves the
fewest cards to look at.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from hanabi.ground import NO_LIMIT, BudgetEndedError, Clock, counted
from hanabi.rules import Card
from hanabi.solvers.winnable.position import Goal, Position, Types, buildable, cards_of

__all__ = [
    "MergedState",
    "Refutation",
    "Refuter",
    "comes_late",
    "last_of_deck",
    "latest",
    "refute",
    "refute_by_pace",
    "waits",
]


@dataclass(frozen=True, slots=True)
class Refutation:
    """A readable proof that a goal cannot be reached; `str` gives all of it.

    Attributes
    ----------
    name
        The kind of reason; see the tables in `hanabi.solvers.winnable.pace` and
        `hanabi.solvers.winnable.reasons`.
    summary
        One sentence.
    steps
        The proof, one line per step, indented by the number of choices before it.
    choices
        Number of positions in the proof with a choice; 0 if the summary is the whole proof.
    """

    name: str
    summary: str
    steps: tuple[str, ...]
    choices: int

    def __str__(self) -> str:
        return "\n".join((f"{self.name}: {self.summary}", *self.steps))

    def __repr__(self) -> str:
        return f"<Refutation {self.name}: {self.summary} ({counted(len(self.steps), 'step')})>"


def waits(position: Position, goal: Goal) -> dict[Card, int]:
    """Return, for each card still to be played, the number of cards drawn before it can be.

    A card waits for the first copies of itself and of all cards that its pile needs below it; if
    one of them is gone, the number is one more than the deck has cards.

    >>> from hanabi import DeckSpec
    >>> from hanabi.rules import Rules
    >>> rules = Rules(spec=DeckSpec(((1, 1, 1),)), seats=1, hand_size=1)
    >>> waits(Position.start(rules, [(0, 1), (0, 3), (0, 2)]), (3,))
    {Card(color=0, rank=1): 1, Card(color=0, rank=2): 3, Card(color=0, rank=3): 3}
    """
    gone = position.gone
    first: dict[Card, int] = {}
    for index, card in enumerate(position.deck):
        if index not in gone:
            first.setdefault(card, max(index + 1, position.drawn))
    found: dict[Card, int] = {}
    for card in sorted(cards_of(goal) - cards_of(position.piles)):
        below = found.get(Card(card.color, card.rank - 1), position.drawn)
        found[card] = max(below, first.get(card, len(position.deck) + 1))
    return found


def latest(position: Position, goal: Goal, number: int) -> tuple[Card, ...]:
    """Return the `number` needed cards that wait longest, the longest wait first."""
    found = waits(position, goal)
    ordered = sorted(found, key=lambda card: (-found[card], -card.color, -card.rank))
    return tuple(ordered[:number])


def last_of_deck(position: Position, goal: Goal, number: int) -> dict[Card, int]:
    """Return the needed cards among the last `number` cards, with their first index there."""
    needed, found = cards_of(goal) - cards_of(position.piles), dict[Card, int]()
    cards = len(position.deck)
    for index in range(max(cards - number, position.drawn), cards):
        if position.deck[index] in needed:
            found.setdefault(position.deck[index], index)
    return found


def comes_late(position: Position, goal: Goal, among: Types | None = None) -> str:
    """Return a sentence on the needed cards at the bottom of the deck; empty if there are none.

    It names those in `among`; by default those that come nowhere else, or else all. This is a fact
    about the deck, not a proof. Costs one pass over the deck.

    >>> from hanabi import DeckSpec
    >>> from hanabi.rules import Rules
    >>> rules = Rules(spec=DeckSpec(((1, 1, 1),)), seats=2, hand_size=1)
    >>> comes_late(Position.start(rules, [(0, 1), (0, 3), (0, 2)]), (3,))
    'r2 comes only as card 3 of 3, before r3'
    """
    bottom = last_of_deck(position, goal, (position.rules.final_round or 0) + 1)
    gone = position.gone
    earlier = {
        card
        for index, card in enumerate(position.deck)
        if card in bottom and index < bottom[card] and index not in gone
    }
    if among is None:
        among = frozenset(bottom) - earlier or frozenset(bottom)
    return "; ".join(
        _told(
            card,
            f"{'again' if card in earlier else 'only'} as card {bottom[card] + 1}",
            position,
            [Card(card.color, rank) for rank in range(card.rank + 1, goal[card.color] + 1)],
        )
        for card in sorted(among & bottom.keys())
    )


def refute_by_pace(position: Position, goal: Goal) -> Refutation | None:
    """Return a one-sentence proof that cards of `goal` are gone or come too late, or None.

    For why it is valid see the module's docstring. Costs one pass over the deck.

    >>> from hanabi import DeckSpec
    >>> from hanabi.rules import Rules
    >>> rules = Rules(spec=DeckSpec(((1, 1, 1, 1),)), seats=2, hand_size=1)
    >>> position = Position.start(rules, [(0, 1), (0, 4), (0, 3), (0, 2)])
    >>> print(refute_by_pace(position, (4,)))
    pace: r2 comes first as card 4 of 4, before r3 r4: 3 cards for 2 turns
    after 4 cards: r2 r3 r4 are still to be played, but only 0 + 2 turns can play one
    >>> print(refute_by_pace(position, (2,)))
    None
    """
    deck, waiting = len(position.deck), waits(position, goal)
    gone = [cards[0] for cards in _by_color(c for c, wait in waiting.items() if wait > deck)]
    if gone:
        return Refutation("missing card", f"no copy of {position.names(gone)} is left", (), 0)
    last = position.last_turns
    if last is None:
        return None
    for drawn in range(deck, position.drawn - 1, -1):
        late = [card for card, wait in waiting.items() if wait >= drawn]
        turns = deck - drawn + last
        if len(late) > turns:
            what = f"{len(late)} cards for {turns} turn{'' if turns == 1 else 's'}"
            if drawn > position.drawn:
                # In each color the lowest card makes the others wait.
                told = "; ".join(
                    _told(lowest, f"first as card {waiting[lowest]}", position, others)
                    for lowest, *others in _by_color(late)
                )
                what = f"{told}: {what}"
            step = (
                f"after {drawn} cards: {position.names(late)} are still to be played,"
                f" but only {deck - drawn} + {last} turns can play one"
            )
            return Refutation("pace", what, (step,), 0)
    return None


def _told(card: Card, how: str, position: Position, others: list[Card]) -> str:
    before = f", before {position.names(others)}" if others else ""
    return f"{position.spell(card)} comes {how} of {len(position.deck)}{before}"


def _by_color(cards: Iterable[Card]) -> list[list[Card]]:
    """Group cards, which are sorted, by color, lowest first."""
    return [list(group) for _, group in groupby(cards, key=lambda card: card.color)]


# Named reasons why a goal is out of reach, with certificates that a person can follow.
#
# The reasons by pace above, one sentence each, come first. The other argument is the merged hand,
# proven in `hanabi.solvers.winnable.search`: all hands are one and hints are unlimited, so that
# playing and discarding trash are forced, and the only choice is which needed card to drop from a
# hand that is full of needed, unplayable cards. The proof is a tree of such choices, whose shape
# names the reason:
#
# ==============  ==================================================================================
# full hands      without any earlier choice, the hands are full of cards that must all be kept
# squeeze         at every full hand only one card can be dropped; it ends by pace or full hands
# merged hands    whichever cards are dropped, it ends by pace or full hands
# ==============  ==================================================================================
#
# All of this is plain Python, independent of the compiled relaxation.


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
        self.rules, self.deck, self.position = position.rules, position.deck, position
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

        Raises BudgetEndedError if the time is over first.
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
            name = self.position.spell(gone)
            self.steps.append(f"{indent}after {state.drawn} cards: no {name} is left")
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
        offer = f"only {', '.join(map(self.position.spell, options))} can be dropped"
        self.steps.append(
            f"{indent}after {state.drawn} cards: all {self.slots} cards in hand are needed:"
            f" {self.position.names(held)}; {offer if options else 'none of them comes again'}"
        )
        for card in options:
            self.steps.append(f"{indent}drop {self.position.spell(card)}:")
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

    >>> from hanabi.rules import Rules
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
