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

from hanabi.cards import Card
from hanabi.errors import counted
from hanabi.winnable.position import Goal, Position, Types, cards_of, names

__all__ = ["Refutation", "comes_late", "last_of_deck", "latest", "refute_by_pace", "waits"]


@dataclass(frozen=True, slots=True)
class Refutation:
    """A readable proof that a goal cannot be reached; `str` gives all of it.

    Attributes
    ----------
    name
        The kind of reason; see the tables in `hanabi.winnable.pace`, `merged` and `reasons`.
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
    >>> from hanabi.game import Rules
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
    >>> from hanabi.game import Rules
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
    >>> from hanabi.game import Rules
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
        return Refutation("missing card", f"no copy of {names(gone)} is left", (), 0)
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
                f"after {drawn} cards: {names(late)} are still to be played,"
                f" but only {deck - drawn} + {last} turns can play one"
            )
            return Refutation("pace", what, (step,), 0)
    return None


def _told(card: Card, how: str, position: Position, others: list[Card]) -> str:
    before = f", before {names(others)}" if others else ""
    return f"{card} comes {how} of {len(position.deck)}{before}"


def _by_color(cards: Iterable[Card]) -> list[list[Card]]:
    """Group cards, which are sorted, by color, lowest first."""
    return [list(group) for _, group in groupby(cards, key=lambda card: card.color)]
