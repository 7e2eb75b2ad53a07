"""What players count: pace and efficiency, as hanab.live does, and cards that are bottom-decked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from hanabi.cards import Card
from hanabi.game.state import Game
from hanabi.game.table import Table
from hanabi.game.understanding import Understanding
from hanabi.variants.unknown import TABLE_FIELDS, field_names

__all__ = ["BottomDeck", "bottom_decked", "efficiency", "pace"]

_UNDERSTOOD = Understanding(
    "the count of pace and efficiency",
    field_names(
        """
        spec seats hand_size hints lives completion_bonus discard_at_full_hints empty_hints
        bombed_scores_zero open_hands final_round keep_slots stop_when_stuck deck_plays half_tokens
        all_or_nothing speedrun variant
        """
    ),
    TABLE_FIELDS
    | field_names(
        "color_clues_touch_nothing rank_clues_touch_nothing sudoku alternating_clues"
        " clue_starved throw_it_in_a_hole"
    ),
)
"""What this module knows of rules."""


@dataclass(frozen=True, slots=True)
class BottomDeck:
    """A card that was bottom-decked.

    Attributes
    ----------
    card
        Of which one copy was left.
    place
        Where that copy lay in the deck: 1 for its last card.
    move
        The move, from 1, that left it the only copy; 0 if it was so from the deal.
    """

    card: Card
    place: int
    move: int


def bottom_decked(positions: Sequence[Game]) -> tuple[BottomDeck, ...]:
    """Return the cards that were bottom-decked in a game, in the order in which they were.

    The bottom of the deck is as many of its last cards as there are seats. A card is bottom-decked
    in a position in which it can still be played, all its copies but one are discarded, and that
    one lies undrawn in the bottom. Each card is told once, with the first such position.

    >>> from hanabi.game import Rules
    >>> rules = Rules.hanab_live(3)
    >>> bottom_decked([Game.start(rules, rules.spec.shuffle(seed=1))])
    (BottomDeck(card=Card(color=4, rank=5), place=1, move=0),)
    """
    rules, deck = positions[0].rules, positions[0].deck
    copies, found = rules.spec.counts(), []
    for index in range(max(rules.deck_size - rules.seats, 0), rules.deck_size):
        card = deck[index]
        for move, game in enumerate(positions):
            if rules.deck_size - game.deck_left > index:
                break
            if game.discards.count(card) == copies[card] - 1 and not game.is_dead(card):
                found.append(BottomDeck(card, rules.deck_size - index, move))
                break
    return tuple(sorted(found, key=lambda each: (each.move, each.place)))


def pace(game: Table) -> int | None:
    """Return how many more discards leave time for the points that cards allow; None at the end.

    Points, cards to draw and turns of the last round, less the points that can still be had; None
    once the last card is drawn, or if the last round has no fixed length.

    >>> from hanabi.game import Rules
    >>> rules = Rules.hanab_live(3)
    >>> pace(Game.start(rules, rules.spec.shuffle(seed=1)))
    13
    """
    _UNDERSTOOD.check(game.rules)
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
    _UNDERSTOOD.check(last.rules)
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
