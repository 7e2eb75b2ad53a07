"""From a view to the arrays of compiled players: the position, and what everybody knows in it.

The kernels want whole decks, so cards that the view hides are filled in as hints allow. Which ones
does not matter to a decision.
"""

from __future__ import annotations

from collections import Counter
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from hanabi.cards import Card
from hanabi.errors import InvalidInputError
from hanabi.game.table import Knowledge
from hanabi.game.view import View
from hanabi.rng import Stream

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Words = npt.NDArray[np.int64]

__all__ = ["Recalled", "complete_deck", "complete_view", "open_stream", "recall"]


class Recalled(NamedTuple):
    """A position as one seat knows it, for the kernels.

    Attributes
    ----------
    rules, deck, state
        As the kernels take them, `deck` completed.
    memory
        What the policy keeps from turn to turn.
    """

    rules: Words
    deck: Words
    state: Words
    memory: Words


def complete_view(view: View) -> tuple[Words, Words, Words]:
    """Return the arrays `rules`, `deck` and `state` of the kernels for a position that goes on.

    Who reads these arrays must not look at the hidden cards that `complete_deck` filled in. O(deck
    size), some tens of microseconds.

    Raises
    ------
    InvalidInputError
        If the game is over.

    >>> from hanabi.game import Game, Rules
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> (complete_view(game.view(0))[2] == game.packed[2]).all()
    np.True_
    """
    from hanabi.game.packing import pack_deck

    if view.is_over:
        raise InvalidInputError(f"the game is over: {view.end_reason}")
    rules, _, state = view.packed
    return rules, pack_deck(complete_deck(view)), state


def recall(view: View, policy: Words) -> Recalled:
    """Return the arrays of the kernels for a view, and what the policy remembers there.

    The game is played again: O(history), some tens of microseconds an action.

    Parameters
    ----------
    view
        What a seat may know.
    policy
        The options of the policy; everybody is taken for one who follows it.

    Raises
    ------
    InvalidInputError
        If the game is over.

    >>> from hanabi.game import Game, Rules
    >>> from hanabi.players import Information
    >>> rules = Rules.hanab_live(3)
    >>> view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
    >>> int(recall(view, Information().policy(rules)).memory[0]) == 2**25 - 1
    True
    """
    import numpy as np

    from hanabi.game.kernels.rules import deal
    from hanabi.players.information.kernels import policy as information

    rules, deck, state = complete_view(view)
    kernel = _find_kernel(int(policy[0]))
    past = np.empty_like(state)
    memory = np.empty(kernel.memory_size(rules), np.int64)
    room = np.empty(kernel.room_size(rules), np.int64)
    deal(rules, deck, past)
    actions = np.array([action.code for action in view.actions], np.int64)
    if kernel is information:  # which else would look at the seat's own cards
        kernel.replay(rules, deck, past, policy, memory, actions, room, view.seat)
        return Recalled(rules, deck, state, memory)
    kernel.start(rules, deck, past, policy, memory, room)
    for action in actions:
        kernel.advance(rules, deck, past, policy, memory, action, room)
    return Recalled(rules, deck, state, memory)


def _find_kernel(policy: int) -> ModuleType:
    from hanabi.players.convention.kernels import policy as convention
    from hanabi.players.information.kernels import policy as information
    from hanabi.players.kernels import policies, random_play
    from hanabi.players.rule_based.kernels import policy as rule_based

    kernels = {
        policies.RANDOM: random_play,
        policies.RULE_BASED: rule_based,
        policies.INFORMATION: information,
        policies.CONVENTION: convention,
    }
    return kernels[policy]


def open_stream(stream: Stream) -> npt.NDArray[np.uint64]:
    """Return a compiled stream for one decision, seeded by a word of the game's stream.

    >>> open_stream(Stream(1)).shape
    (1,)
    """
    import numpy as np

    from hanabi.compiled.rng import seed_stream

    own = np.empty(1, np.uint64)
    seed_stream(own, np.uint64(stream.word()), np.uint64(0))
    return own


def complete_deck(view: View) -> list[Card]:
    """Return the deck of a view, with cards that the seat has not seen put where they can be.

    Those in its hand are as hints say. Always the same deck for the same view.

    >>> from hanabi.game import Game, Rules, hint_rank
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1)).apply(hint_rank(1, 3))
    >>> [card.rank == 3 for card in complete_deck(game.view(1))[5:10]]
    [True, True, False, False, False]
    """
    left = view.unseen
    deck = list(view.deck)
    hidden = {
        index: known
        for index, known in zip(
            view.hand_indices[view.seat], view.knowledge[view.seat], strict=True
        )
        if deck[index] is None
    }
    held: dict[int, Card] = {}
    for index in hidden:
        _hold(index, hidden, left, held, set())
    for index, card in held.items():
        deck[index] = card
    rest = iter(sorted((left - Counter(held.values())).elements()))
    return [next(rest) if card is None else card for card in deck]


def _hold(
    index: int,
    known: dict[int, Knowledge],
    left: Counter[Card],
    held: dict[int, Card],
    tried: set[Card],
) -> bool:
    """Give a place a card, if need be one that another place then changes for a third."""
    for card, copies in sorted(left.items()):
        if copies == 0 or card in tried or not known[index].is_possible(card):
            continue
        tried.add(card)
        holders = [other for other, its in held.items() if its == card]
        if len(holders) < copies or any(
            _hold(other, known, left, held, tried) for other in holders
        ):
            held[index] = card
            return True
    return False
