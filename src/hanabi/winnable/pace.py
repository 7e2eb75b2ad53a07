"""The shortest reasons why a goal is out of reach: cards that are gone, or that come too late.

============  ====================================================================================
missing card  a needed card has no copy left
pace          from some point on, more cards are to be played than turns are left
============  ====================================================================================

Let n be the cards of the deck, L the turns of the last round (those left, once it has begun), and
q any number of cards, from those drawn by now to n. Let W be the needed cards that cannot be played
before q cards have been drawn: of it, or of a card that its pile still needs below it, no copy is
in a hand or among the first q - 1 cards of the deck. (If q cards have been drawn already, W is all
that is missing.) *The goal is out of reach if W has more than n - q + L cards.*

Proof. Take any line of the game. The q-th card is drawn by an act, a play or a discard, and every
card of W is played by a later one. Each of these either draws one of the n - q cards that are still
to come, or is a turn of the last round; hints only use turns up. So there are n - q + L at most,
and each plays one card at most.

Nothing is said of hands, tokens or seats: it holds whatever these are. It is all that can be said
without them, for it is by this argument that a hand without limits loses, which plays one card that
fits for each that it draws. Of all q the largest is told, which leaves the fewest cards to look at.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from hanabi.cards import Card
from hanabi.winnable.position import Goal, Position
from hanabi.winnable.refutation import Refutation

__all__ = ["refute_by_pace", "waits"]


def waits(position: Position, goal: Goal) -> dict[Card, int]:
    """Return, for each card still to be played, how many cards are drawn before it can be.

    A card waits for the first copies of itself and of all that its pile needs below it; if one of
    them is gone, for one card more than there are.

    >>> from hanabi import DeckSpec
    >>> from hanabi.game import Rules
    >>> rules = Rules(spec=DeckSpec(((1, 1, 1),)), seats=1, hand_size=1)
    >>> waits(Position.start(rules, [(0, 1), (0, 3), (0, 2)]), (3,))
    {Card(color=0, rank=1): 1, Card(color=0, rank=2): 3, Card(color=0, rank=3): 3}
    """
    gone = set(range(position.drawn)).difference(*position.hands)
    first: dict[Card, int] = {}
    for index, card in enumerate(position.deck):
        if index not in gone:
            first.setdefault(card, max(index + 1, position.drawn))
    found = {}
    for color, top in enumerate(goal):
        wait = position.drawn
        for rank in range(position.piles[color] + 1, top + 1):
            card = Card(color, rank)
            wait = max(wait, first.get(card, len(position.deck) + 1))
            found[card] = wait
    return found


def refute_by_pace(position: Position, goal: Goal) -> Refutation | None:
    """Return in one sentence that cards of `goal` are gone or come too late, or None.

    The module has the proof. Costs a pass over the deck.

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
        return Refutation("missing card", f"no copy of {_names(gone)} is left", (), 0)
    last = position.rules.final_round if position.turns_left is None else position.turns_left
    if last is None:
        return None
    for drawn in range(deck, position.drawn - 1, -1):
        late = [card for card, wait in waiting.items() if wait >= drawn]
        turns = deck - drawn + last
        if len(late) > turns:
            what = f"{len(late)} cards for {turns} turn{'' if turns == 1 else 's'}"
            if drawn > position.drawn:
                what = f"{_told(late, waiting, deck)}: {what}"
            step = (
                f"after {drawn} cards: {_names(late)} are still to be played,"
                f" but only {deck - drawn} + {last} turns can play one"
            )
            return Refutation("pace", what, (step,), 0)
    return None


def _told(late: list[Card], waiting: dict[Card, int], deck: int) -> str:
    """Return which cards come late; in each color the lowest makes the others wait."""
    told = []
    for lowest, *others in _by_color(late):
        before = f", before {_names(others)}" if others else ""
        told.append(f"{lowest} comes first as card {waiting[lowest]} of {deck}{before}")
    return "; ".join(told)


def _by_color(cards: Iterable[Card]) -> list[list[Card]]:
    """Return the cards of each color, the lowest first; they are given in that order."""
    return [list(group) for _, group in groupby(cards, key=lambda card: card.color)]


def _names(cards: Iterable[Card]) -> str:
    return " ".join(map(str, cards))
