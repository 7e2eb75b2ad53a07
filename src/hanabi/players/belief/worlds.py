"""What a seat believes: deals in which the others would have done what they did."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from hanabi.deck import Deck
from hanabi.errors import InvalidInputError
from hanabi.game.view import View
from hanabi.players.belief.player import Belief
from hanabi.players.recall import borrow, recall
from hanabi.rng import Stream

__all__ = ["Agreement", "Beliefs", "draw_beliefs"]


class Agreement(IntEnum):
    """How far drawn deals agree with what the others did."""

    EXACT = 0
    """In each, all seats that do not search would have done it; those that do count by `slack`."""

    RELAXED = 1
    """Too few do: their mismatches make a deal less likely, too, but not impossible."""

    NONE = 2
    """None was found in reasonable time."""


@dataclass(frozen=True, slots=True)
class Beliefs:
    """Deals that a seat believes in.

    Attributes
    ----------
    decks
        Whole decks, the cards that the seat has seen being where they are. One may occur twice.
    agreement
        How far they agree with what the others did.
    """

    decks: tuple[Deck, ...]
    agreement: Agreement


def draw_beliefs(player: Belief, view: View, rng: Stream) -> Beliefs:
    """Return the deals in which a player searches for the seat to act.

    Those that are exact are draws from the deals that hints, the conventions of the improved
    player, and the decisions of the other seats leave, with equal probability: independent if no
    other seat searches. If one does, likely hands may come several times. The same stream gives the
    deals of the decision that `player.act` takes with it.

    Raises
    ------
    InvalidInputError
        If the game is over, or another seat is to act.

    >>> from hanabi.game import Game, Rules
    >>> from hanabi.players import Convention
    >>> rules = Rules.hanab_live(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> beliefs = draw_beliefs(Belief(Convention(), worlds=20), game.view(0), Stream(1))
    >>> len(beliefs.decks), beliefs.agreement.name
    (20, 'EXACT')
    >>> {deck[5:10] == game.deck[5:10] for deck in beliefs.decks}
    {True}
    """
    import numpy as np

    from hanabi.compiled.rng import split, word
    from hanabi.game.packing import unpack_deck
    from hanabi.players.belief.kernels import worlds as kernels
    from hanabi.players.kernels.policy import scratch_size

    if view.seat != view.seat_to_act:
        raise InvalidInputError(f"seat {view.seat_to_act} is to act, not {view.seat}")
    policy = player.compiled(view.rules)
    position, memory = recall(view, policy)
    scratch = np.empty(scratch_size(policy, position.rules), np.int64)
    places = np.array([i for i, card in enumerate(view.deck) if card is None], np.int64)
    cards = np.empty((player.worlds, places.size), np.int64)
    with borrow(rng) as words:
        own = split(words)
        word(own)  # the seed of the search
    n, agreement = kernels.draw_beliefs(policy, position, memory, places, own, scratch, cards)
    decks = []
    for row in cards[:n]:
        deck = position.deck.copy()
        deck[places] = row
        decks.append(unpack_deck(deck))
    return Beliefs(tuple(decks), Agreement(int(agreement)))
