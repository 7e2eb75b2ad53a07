"""What everybody knows of all hands after a game's history, as the information player keeps it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hanabi.cards import Card
from hanabi.errors import InvalidInputError, quote
from hanabi.game.view import Knowledge, View

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.game.config import Rules

    Words = npt.NDArray[np.int64]

__all__ = ["Replay", "check_rules", "complete_deck", "memory_words", "replay_view"]

_MOST_CARDS = 62  # sets of cards are bits of a word


def check_rules(rules: Rules) -> None:
    """Raise an error if sets of cards do not fit a word.

    Raises
    ------
    InvalidInputError
        If the rules have more than 62 different cards.

    >>> from hanabi.game import Rules
    >>> check_rules(Rules.official(2))
    """
    kinds = rules.colors * rules.ranks
    if kinds > _MOST_CARDS:
        raise InvalidInputError(
            f"{quote(kinds)} different cards; the information player plays with at most"
            f" {_MOST_CARDS}"
        )


@dataclass(frozen=True, slots=True)
class Replay:
    """A position as one seat knows it, for the kernels.

    Attributes
    ----------
    rules, deck, state, options
        As the kernels take them. What the seat does not see in `deck` is filled up with cards that
        hints allow.
    memory
        What everybody knows: sets of cards, seat by seat and slot by slot, then the planes; see
        `hanabi.kernels.information_knowledge`.
    room
        Scratch.
    """

    rules: Words
    deck: Words
    state: Words
    options: Words
    memory: Words
    room: Words


def complete_deck(view: View) -> list[Card]:
    """Return the deck of a view, with cards that the seat has not seen put where they can be.

    Those in its hand are as hints say. Always the same deck for the same view.

    >>> from hanabi.game import Game, Rules, hint_rank
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1)).apply(hint_rank(1, 3))
    >>> [card.rank == 3 for card in complete_deck(game.view(1))[5:10]]
    [True, True, False, False, False]
    """
    left = Counter(view.rules.spec.cards())
    left.subtract(card for card in view.deck if card is not None)
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


def replay_view(view: View, options: Words) -> Replay:
    """Return the position of a view and what everybody knows in it.

    O(history): some tens of microseconds an action.

    Parameters
    ----------
    view
        What a seat may know. All seats are taken for information players with these options.
    options
        See `Information.policy`.

    Raises
    ------
    InvalidInputError
        If the rules have more than 62 different cards.

    >>> from hanabi.game import Game, Rules
    >>> from hanabi.players.information import Information
    >>> rules = Rules.hanab_live(3)
    >>> view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
    >>> int(replay_view(view, Information().policy(rules)).memory[0]) == 2**25 - 1
    True
    """
    import numpy as np

    from hanabi.game.packing import pack_deck, pack_rules
    from hanabi.kernels import information as kernel
    from hanabi.kernels.game import STATE_SIZE, deal

    check_rules(view.rules)
    rules, deck = pack_rules(view.rules), pack_deck(complete_deck(view))
    state = np.empty(rules[STATE_SIZE], np.int64)
    memory = np.empty(kernel.memory_size(rules), np.int64)
    room = np.empty(kernel.room_size(rules), np.int64)
    deal(rules, deck, state)
    actions = np.array([action.code for action in view.actions], np.int64)
    kernel.replay(rules, deck, state, options, memory, actions, room, view.seat)
    return Replay(rules, deck, state, options, memory, room)


def memory_words(view: View, options: Words) -> Words:
    """Return what everybody knows in a view as the `memory` of the compiled policy.

    >>> from hanabi.game import Game, Rules
    >>> from hanabi.players.information import Information
    >>> rules = Rules.hanab_live(3)
    >>> view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
    >>> memory_words(view, Information().policy(rules)).size
    18
    """
    return replay_view(view, options).memory
