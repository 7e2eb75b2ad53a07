"""Which hints touched which cards, read off what everybody knows: hidden cards do not matter."""

from __future__ import annotations

from hanabi.cards import Card
from hanabi.game.actions import Action
from hanabi.game.knowledge import Knowledge
from hanabi.game.table import Table

__all__ = ["hints_in_hands", "touched_by"]


def touched_by(table: Table, hint: Action) -> tuple[int, ...]:
    """Return the slots of the target's hand that the hint just given touched.

    After a hint all that a card can be is touched by it, or nothing is.

    >>> from hanabi.game import Game, Rules, hint_rank
    >>> rules = Rules.official(seats=2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1)).apply(hint_rank(1, 3))
    >>> touched_by(game.view(1), hint_rank(1, 3))
    (0, 1)
    """
    known = table.knowledge[hint.target]
    return tuple(slot for slot, each in enumerate(known) if _is_touched(table, hint, each))


def hints_in_hands(table: Table) -> tuple[tuple[tuple[Action, ...], ...], ...]:
    """Return, seat by seat and slot by slot, the hints that touched the card since it was drawn.

    Each is named once. O(actions), with some microseconds for each hint.

    >>> from hanabi.game import Game, Rules, hint_rank
    >>> rules = Rules.official(seats=2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1)).apply(hint_rank(1, 3))
    >>> [len(hints) for hints in hints_in_hands(game)[1]]
    [1, 1, 0, 0, 0]
    """
    given: list[tuple[int, Action]] = []  # with the number of cards drawn before
    drawn, size = table.rules.seats * table.rules.hand_size, table.rules.deck_size
    for action in table.actions:
        if action.is_hint:
            given.append((drawn, action))
        else:
            drawn = min(drawn + 1, size)
    return tuple(
        tuple(
            tuple(
                dict.fromkeys(
                    hint
                    for drawn, hint in given
                    if hint.target == seat and index < drawn and _is_touched(table, hint, known)
                )
            )
            for index, known in zip(hand, table.knowledge[seat], strict=True)
        )
        for seat, hand in enumerate(table.hand_indices)
    )


def _is_touched(table: Table, hint: Action, known: Knowledge) -> bool:
    some = Card(known.colors[0], known.ranks[0]) if known.cards is None else next(iter(known.cards))
    return table.rules.touches(hint, some)
