"""From views to the arrays of compiled players, and the deals that a view leaves possible."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hanabi.cards import Card
from hanabi.deck import Deck
from hanabi.errors import InvalidInputError
from hanabi.game.view import View
from hanabi.rng import Stream

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Words = npt.NDArray[np.int64]

__all__ = ["draw_world", "open_stream", "pack_view"]


def pack_view(view: View) -> tuple[Words, Words, Words]:
    """Return the arrays `rules`, `deck` and `state` of the kernels for a position that goes on.

    The cards that the view hides are put into `deck` in order of color and rank, whatever hints
    say of them: who reads these arrays must not look at them.

    Raises
    ------
    InvalidInputError
        If the game is over.

    >>> from hanabi.game import Game, Rules
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> (pack_view(game.view(0))[2] == game.packed[2]).all()
    np.True_
    """
    import numpy as np

    from hanabi.game.packing import pack_deck, pack_rules
    from hanabi.kernels import game as k

    if view.end_reason:
        raise InvalidInputError(f"the game is over: {view.end_reason}")
    rules = pack_rules(view.rules)
    hidden = iter(sorted(_unseen(view).elements()))
    deck = [next(hidden) if card is None else card for card in view.deck]
    words = {
        k.TURN: view.turn,
        k.SEAT: view.seat_to_act,
        k.HINTS: view.hints,
        k.LIVES: view.lives,
        k.DRAWN: view.rules.deck_size - view.deck_left,
        k.TURNS_LEFT: -1 if view.turns_left is None else view.turns_left,
        k.POINTS: sum(view.piles),
    }
    words.update(enumerate(view.piles, start=k.PILES))
    state = np.zeros(rules[k.STATE_SIZE], np.int64)
    for word, value in words.items():
        state[word] = value
    for card in view.discards:
        state[rules[k.DISCARDS] + card.color * view.rules.ranks + card.rank - 1] += 1
    state[rules[k.CARDS] : rules[k.KNOWN]] = -1
    for seat, (indices, hand) in enumerate(zip(view.hand_indices, view.knowledge, strict=True)):
        state[rules[k.SIZES] + seat] = len(indices)
        first = seat * view.rules.hand_size
        for place, (index, known) in enumerate(zip(indices, hand, strict=True), start=first):
            bits = sum(1 << color for color in known.colors)
            bits += sum(1 << k.RANK_BITS - 1 + rank for rank in known.ranks)
            state[rules[k.CARDS] + place] = index
            state[rules[k.KNOWN] + place] = bits
    return rules, pack_deck(deck), state


def open_stream(stream: Stream) -> npt.NDArray[np.uint64]:
    """Return a compiled stream for one decision, seeded by a word of the game's stream.

    >>> open_stream(Stream(1)).shape
    (1,)
    """
    import numpy as np

    from hanabi.kernels.rng import seed_stream

    own = np.empty(1, np.uint64)
    seed_stream(own, np.uint64(stream.word()), np.uint64(0))
    return own


def draw_world(view: View, stream: Stream) -> Deck:
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

    from hanabi.kernels import monte_carlo_worlds as worlds

    if view.seat != view.seat_to_act:
        raise InvalidInputError(f"seat {view.seat_to_act} is to act, not {view.seat}")
    rules, deck, state = pack_view(view)
    world, room = np.empty_like(deck), np.empty(worlds.worlds_size(rules), np.int64)
    worlds.prepare_worlds(rules, deck, state, view.rules.open_hands, world, room)
    worlds.draw_world(rules, state, deck.size, open_stream(stream), world, room)
    return Deck(Card(code >> 5, code & 31) for code in world.tolist())


def _unseen(view: View) -> Counter[Card]:
    unseen = Counter(view.rules.spec.cards())
    unseen.subtract(card for card in view.deck if card is not None)
    return unseen
