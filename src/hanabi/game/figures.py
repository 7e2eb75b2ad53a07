"""What players count: pace and efficiency, as hanab.live does."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from hanabi.game.state import Game

__all__ = ["efficiency", "pace"]


def pace(game: Game) -> int | None:
    """Return how many more discards leave time for the points that cards allow; None at the end.

    Points, cards to draw and turns of the last round, less the points that can still be had; None
    once the last card is drawn, or if the last round has no fixed length.

    >>> from hanabi.game import Rules
    >>> rules = Rules.hanab_live(3)
    >>> pace(Game.start(rules, rules.spec.shuffle(seed=1)))
    13
    """
    if game.rules.final_round is None or game.turns_left is not None:
        return None
    return sum(game.piles) + game.deck_left + game.rules.final_round - game.most_points


def efficiency(positions: Sequence[Game]) -> Fraction | None:
    """Return cards gotten per hint spent, over the positions from the deal; None without hints.

    A card is gotten once it is played, or touched by a hint while it can still be played. Errors
    count as hints spent.

    >>> from hanabi.game import Rules, hint_rank
    >>> rules = Rules.hanab_live(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> efficiency([game, game.apply(hint_rank(1, 3))])
    Fraction(2, 1)
    """
    last = positions[-1]
    touched, spent = set[int](), last.rules.lives - last.lives
    for before, after in pairwise(positions):
        action = after.actions[-1]
        if action.is_hint:
            spent += 1
            hand = before.hand_indices[action.target]
            touched.update(hand[slot] for slot in before.touched(action))
    held = {index for hand in last.hand_indices for index in hand}
    gotten = sum(last.piles)
    gotten += sum(not last.is_dead(last.deck[index]) for index in touched & held)
    return Fraction(gotten, spent) if spent else None
