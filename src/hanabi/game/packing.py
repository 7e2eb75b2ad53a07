"""Rule sets and decks as the arrays that `hanabi.game.kernels.words` lays out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from hanabi.cards import Card
from hanabi.deck import Deck

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.game.config import Rules

__all__ = ["pack_deck", "pack_rules", "unpack_card", "unpack_deck"]


@lru_cache(maxsize=64)
def pack_rules(rules: Rules) -> npt.NDArray[np.int64]:
    """Return the `rules` array of the kernels, shared by all callers: never write to it.

    >>> from hanabi.game import Rules
    >>> from hanabi.game.kernels.words import MAX_SCORE
    >>> int(pack_rules(Rules.official(2))[MAX_SCORE])
    25
    """
    import numpy as np

    from hanabi.game import layout as k
    from hanabi.game.tables import clue_tables, pile_tables

    colors, ranks, hand_words = rules.colors, rules.ranks, rules.seats * rules.hand_size
    clues, piles = clue_tables(rules), pile_tables(rules)
    words = clues.words | piles.words
    words |= {
        k.COLORS: colors,
        k.RANKS: ranks,
        k.SEATS: rules.seats,
        k.HAND_SIZE: rules.hand_size,
        k.DECK_SIZE: rules.deck_size,
        k.MAX_HINTS: rules.hints * rules.hint_cost,
        k.HINT_COST: rules.hint_cost,
        k.MAX_LIVES: rules.lives,
        k.MAX_SCORE: rules.max_score,
        k.FINAL_ROUND: -1 if rules.final_round is None else rules.final_round,
        k.COMPLETION_BONUS: rules.completion_bonus,
        k.DISCARD_AT_FULL_HINTS: rules.discard_at_full_hints,
        k.BOMBED_SCORES_ZERO: rules.bombed_scores_zero,
        k.ALL_OR_NOTHING: rules.all_or_nothing,
        k.SPEEDRUN: rules.speedrun,
        k.KEEP_SLOTS: rules.keep_slots,
        k.STOP_WHEN_STUCK: rules.stop_when_stuck,
        k.DECK_PLAYS: rules.deck_plays,
        k.OPEN_HANDS: rules.open_hands,
        # One more than there are, where what is not kept is written.
        k.MAX_ACTIONS: 2 * (rules.hand_size + rules.deck_plays)
        + 2
        + (rules.seats - 1) * words[k.CLUES].bit_count(),
        k.DISCARDS: k.PILES + colors,
    }
    words[k.SIZES] = words[k.DISCARDS] + colors * ranks
    words[k.CARDS] = words[k.SIZES] + rules.seats
    words[k.KNOWN] = words[k.CARDS] + hand_words
    words[k.STATE_SIZE] = words[k.KNOWN] + hand_words
    array = [0] * k.COPIES
    for row in rules.spec.copies:
        array += [*row, *(0,) * (ranks - len(row))]
    for word, table in (clues.tables | piles.tables).items():
        words[word] = len(array)
        array += table
    for word, value in words.items():
        array[word] = value
    return np.array(array, np.int64)


def pack_deck(deck: Sequence[tuple[int, int]]) -> npt.NDArray[np.int64]:
    """Return cards, pairs (color, rank) in draw order, as the kernels' card codes.

    Colors and ranks are at most 30.

    >>> pack_deck([(0, 1), (3, 5)]).tolist()
    [1, 101]
    """
    import numpy as np

    return np.array([color << 5 | rank for color, rank in deck], np.int64)


@lru_cache(maxsize=4096)
def unpack_card(code: int) -> Card | None:
    """Return the card of a card code; 0 hides one."""
    return Card(code >> 5, code & 31) if code else None


def unpack_deck(codes: npt.NDArray[np.int64]) -> Deck:
    """Return the cards of card codes.

    >>> [str(card) for card in unpack_deck(pack_deck([(0, 1), (3, 5)]))]
    ['r1', 'b5']
    """
    return Deck(Card(code >> 5, code & 31) for code in codes.tolist())
