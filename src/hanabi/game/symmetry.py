"""Other names for suits and slots, which change nothing in the rules."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations

from hanabi.deck import Deck
from hanabi.game.actions import Kind
from hanabi.game.config import Rules
from hanabi.game.understanding import Understanding
from hanabi.rng import Stream
from hanabi.variants.unknown import TABLE_FIELDS, field_names

__all__ = ["relabelled", "renamed", "suit_symmetries"]

_UNDERSTOOD = Understanding(
    "the search for alike suits",
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
"""The rules that treat suits alike, but for what is compared here."""


@lru_cache(maxsize=64)
def suit_symmetries(rules: Rules) -> tuple[tuple[int, ...], ...]:
    """Return every relabelling of the suits under which the game is the same, the identity first.

    A relabelling says of each suit which one stands for it. It must keep copies, the orders of the
    piles, what is inverted and what each rank clue touches; and the color clues, under other names
    perhaps, must touch the same cards. So whoever plays the relabelled deck plays the deck itself,
    and knows suits by other names: as well on average, since the rules tell nobody the names.

    O(suits!) comparisons of the table of clues.

    >>> from hanabi.game import Rules
    >>> [len(suit_symmetries(Rules.hanab_live(2, variant=v))) for v in (0, "Rainbow (5 Suits)")]
    [120, 24]
    """
    _UNDERSTOOD.check(rules)
    colors, ranks = range(rules.colors), range(1, rules.ranks + 1)
    by_color = [hint for hint in rules.clues if hint.kind is Kind.HINT_COLOR]
    by_rank = [hint for hint in rules.clues if hint.kind is Kind.HINT_RANK]
    inverted = (False,) * rules.colors if rules.variant is None else rules.variant.inverted
    kinds = [
        (
            rules.spec.copies[color],
            rules.orders(color),
            inverted[color],
            tuple(rules.touches(hint, (color, rank)) for hint in by_rank for rank in ranks),
        )
        for color in colors
    ]
    touched = [
        [tuple(rules.touches(hint, (color, rank)) for rank in ranks) for color in colors]
        for hint in by_color
    ]
    clues = sorted(touched)
    return tuple(
        order
        for order in permutations(colors)
        if all(kinds[other] == kinds[color] for color, other in enumerate(order))
        and sorted([row[other] for other in order] for row in touched) == clues
    )


def relabelled(deck: Deck, order: tuple[int, ...]) -> Deck:
    """Return a deck with another suit in place of each.

    >>> relabelled(Deck([(0, 1), (2, 5)]), (2, 1, 0))
    <Deck of 2 cards: g1 r5>
    """
    return Deck((order[color], rank) for color, rank in deck)


def renamed(deck: Deck, rules: Rules, rng: Stream) -> Deck:
    """Return the same deal under names drawn at random: of the suits, and of the first slots.

    The cards that a seat is dealt lie in another order, which the rules make no difference of
    either: they tell nobody how to number the slots of a hand. What each seat holds and what is
    drawn when stays the same.

    >>> rules = Rules.hanab_live(2)
    >>> deck = rules.spec.shuffle(seed=1)
    >>> other = renamed(deck, rules, Stream(1))
    >>> sorted(card.rank for card in deck[:5]) == sorted(card.rank for card in other[:5])
    True
    """
    symmetries, size = suit_symmetries(rules), rules.hand_size
    cards = list(relabelled(deck, symmetries[rng.below(len(symmetries))]))
    for start in range(0, rules.seats * size, size):
        cards[start : start + size] = rng.shuffled(cards[start : start + size])
    return Deck(cards)
