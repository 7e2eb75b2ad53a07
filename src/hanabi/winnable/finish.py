"""From any position to the end of the game: what counts is the score when the game is over.

Points on the piles can be lost again only where the last error takes them, and where a seat has
nothing left to do but err: with all hint tokens there discarding is forbidden, and nobody may be
there to be given a hint. Under the usual rules that never happens (`is_safe`). Under others, such
as no hint tokens at all, it can happen to every line that has the points.

A search through all sequences of actions, with cards of one kind and all hints alike. It gives
hints and discards first once the points are there, so that it goes straight to the end if it can.
"""

from __future__ import annotations

from collections.abc import Hashable

from hanabi.clock import NO_LIMIT, Clock
from hanabi.errors import BudgetEndedError
from hanabi.game import Action, Game, Kind, Rules
from hanabi.variants import Variant
from hanabi.winnable.position import Line

__all__ = ["MOST_POSITIONS", "finish", "is_safe"]

MOST_POSITIONS = 500_000
"""Positions that `finish` looks at by default."""


def is_safe(rules: Rules) -> bool:
    """Return whether points on the piles are never lost again.

    That is if a seat to act can always do something else than err, or errors cost nothing, and the
    game is worth something even if not all can be scored (`all_or_nothing`, `speedrun`).

    Whoever has no hint token to spend may discard, if there are tokens at all. Whoever has all of
    them gives a hint, which takes another seat that holds a card or rules that allow empty hints.
    Hands run out in the last round alone, in which a seat plays at most once in so many turns as
    there are seats.

    >>> from dataclasses import replace
    >>> is_safe(Rules.official(2)), is_safe(replace(Rules.official(2), hints=0))
    (True, False)
    """
    if rules.all_or_nothing or rules.speedrun:
        return False
    if not rules.bombed_scores_zero or rules.discard_at_full_hints:
        return True
    if rules.variant is not None and not _can_always_hint(rules.variant):
        return False
    if rules.hints == 0 or rules.seats == 1:
        return False
    if rules.empty_hints:
        return True
    return rules.final_round is not None and rules.final_round < rules.hand_size * rules.seats


def _can_always_hint(variant: Variant) -> bool:
    """Return whether some clue of each kind that may have to be given touches each card."""
    by_kind = [
        [any(touches(value, *card) for value in values) for card in variant.spec.counts()]
        for touches, values in (
            (variant.touches_color, range(len(variant.clue_colors))),
            (variant.touches_rank, variant.clue_ranks),
        )
    ]
    if variant.alternating_clues:
        return all(map(all, by_kind))
    return all(map(any, zip(*by_kind, strict=True)))


def finish(
    game: Game, points: int, clock: Clock = NO_LIMIT, *, most: int = MOST_POSITIONS
) -> Line | None:
    """Return a line from a game to its end that scores `points` or more, or None if there is none.

    Raises
    ------
    BudgetEndedError
        If time ends, or `most` positions do not suffice, which take some kilobytes each.

    >>> from hanabi import DeckSpec
    >>> rules = Rules(spec=DeckSpec(((2, 1, 1),)), seats=2, hand_size=1, hints=0, lives=1)
    >>> game = Game.start(rules, [(0, 1), (0, 3), (0, 1), (0, 2)])
    >>> print(finish(game, 1))
    None
    """
    rules, seen, stack = game.rules, set[Hashable](), [game]
    while stack:
        clock.check()
        if len(seen) >= most:
            raise BudgetEndedError(f"no end in {most} positions")
        position = stack.pop()
        if not position.can_act:
            if position.is_over and position.score >= points:
                return position.known_actions[len(game.known_actions) :]
            continue
        # Who holds what matters, not where, and not what was said.
        key = (
            position.pile_ranks,
            tuple(tuple(sorted(hand)) for hand in position.hands),
            position.deck_left,
            position.hint_credit,
            position.barred_kind,
            position.lives,
            position.seat_to_act,
            position.turns_left,
        )
        last = rules.final_round if position.turns_left is None else position.turns_left
        missing = points - sum(position.piles)
        if key in seen or (last is not None and missing > position.deck_left + last):
            continue
        seen.add(key)
        stack += [position.apply(action) for action in reversed(_choices(position, points))]
    return None


def _choices(game: Game, points: int) -> list[Action]:
    """Return an action of each kind, the most promising first."""
    hand = game.hands[game.seat_to_act]
    order: dict[Action, int] = {}
    kinds: set[Hashable] = set()
    has_points = sum(game.piles) >= points
    variant = game.rules.variant
    takes_turns = variant is not None and variant.alternating_clues
    inverted = (False,) * game.rules.colors if variant is None else variant.inverted
    for action in game.legal_actions:
        card = None if action.is_hint else hand[action.target]
        # All hints are one, unless they take turns.
        kind = None if card is None and not takes_turns else (action.kind, card)
        if kind in kinds:
            continue
        kinds.add(kind)
        if card is None:
            order[action] = 0 if has_points else 2
        elif (action.kind is Kind.DISCARD) != inverted[card.color]:
            order[action] = 1
        elif game.is_playable(card):
            order[action] = 2 if has_points else 0
        else:
            order[action] = 3
    return sorted(order, key=order.__getitem__)
