"""Deals that a view leaves possible, drawn at random."""

from __future__ import annotations

from hanabi.deck import Deck
from hanabi.errors import InvalidInputError
from hanabi.game.view import View
from hanabi.players.recall import borrow, complete_view
from hanabi.rng import Stream

__all__ = ["draw_world"]


def draw_world(view: View, rng: Stream) -> Deck:
    """Return a deck that agrees with all that the seat to act knows.

    All deals of the cards that it has not seen to its own hand and the rest of the deck that agree
    with what hints say have the same probability. O(deck size) if hints about different slots name
    only colors or only ranks; else a few times that.

    Raises
    ------
    InvalidInputError
        If the game is over, or another seat is to act.

    >>> from hanabi.game import Game, Rules
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> world = draw_world(game.view(0), Stream(1))
    >>> world[5:10] == game.deck[5:10], world[10:] == game.deck[10:]
    (True, False)
    """
    import numpy as np

    from hanabi.compiled.rng import split
    from hanabi.game.packing import unpack_deck
    from hanabi.players.monte_carlo.kernels import worlds

    if view.seat != view.seat_to_act:
        raise InvalidInputError(f"seat {view.seat_to_act} is to act, not {view.seat}")
    position = complete_view(view)
    rules, deck, state = position
    world, scratch = np.empty_like(deck), np.empty(worlds.worlds_size(rules), np.int64)
    worlds.prepare_worlds(position, world, scratch)
    with borrow(rng) as words:
        worlds.draw_world(rules, state, deck.size, split(words), world, scratch)
    return unpack_deck(world)
