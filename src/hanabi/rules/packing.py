"""Conversion of rule sets and decks to the arrays of :mod:`hanabi.rules.layout`, and back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from hanabi.rules.actions import Kind
from hanabi.rules.cards import Card
from hanabi.rules.deck import Deck

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.rules.config import Rules

__all__ = [
    "Tables",
    "clue_tables",
    "pack_deck",
    "pack_rules",
    "pile_tables",
    "played",
    "unpack_card",
    "unpack_deck",
]

# The tables for what differs between variants; `hanabi.rules.layout` describes them.

_ALL_BITS = -1
_SET_BITS = 63  # bits of a set of cards; rules with more different cards have no such sets


class Tables(NamedTuple):
    """Values for words of `rules`, and tables whose offsets go into other words; both by word."""

    words: dict[int, int]
    tables: dict[int, list[int]]


class _Clue(NamedTuple):
    """A clue: its bit, and a flag for each card that says whether it is touched, color by color."""

    bit: int
    touched: list[bool]


def clue_tables(rules: Rules) -> Tables:
    """Return the words and tables for the clues and the knowledge that they give.

    >>> from hanabi.rules import Rules
    >>> from hanabi.rules.layout import CLUE_COLORS
    >>> clue_tables(Rules.hanab_live(2, variant="White (3 Suits)")).words[CLUE_COLORS]
    2
    """
    from hanabi.rules import layout as k

    colors, ranks, variant = rules.colors, rules.ranks, rules.variant
    cards = [Card(color, rank) for color in range(colors) for rank in range(1, ranks + 1)]
    if variant is None:
        masks = [1 << color | 1 << k.RANK_BITS + rank - 1 for color, rank in cards]
        anything = (1 << colors) - 1 | ((1 << ranks) - 1) << k.RANK_BITS
    else:
        masks = [1 << number for number in range(len(cards))]
        copies = rules.spec.counts()
        anything = sum(mask for mask, card in zip(masks, cards, strict=True) if copies[card])
    n_colors = sum(hint.kind is Kind.HINT_COLOR for hint in rules.clues)
    clues = {
        hint.value + (hint.kind is Kind.HINT_RANK) * (n_colors - 1): _Clue(
            1 << hint.value + (hint.kind is Kind.HINT_RANK) * (k.RANK_BITS - 1),
            [rules.touches(hint, card) for card in cards],
        )
        for hint in rules.clues
    }
    all_clues = sum(clue.bit for clue in clues.values())
    color_clues = all_clues & k.COLOR_BITS
    empty = all_clues if rules.empty_hints else 0
    alternating = False
    if variant is not None:
        alternating = variant.alternating_clues
        empty |= color_clues if variant.color_clues_touch_nothing else 0
        empty |= all_clues & ~color_clues if variant.rank_clues_touch_nothing else 0
    bars = (color_clues, all_clues & ~color_clues) if alternating else (0, 0)
    left = {
        number: _left(k.RANK_BITS, clue, masks, variant is None) for number, clue in clues.items()
    }
    numbers = range(n_colors + ranks)
    firsts = [color for color in range(k.FEW) if color * ranks < _SET_BITS]
    return Tables(
        words={
            k.CLUES: all_clues,
            k.CLUE_COLORS: n_colors,
            k.BARS: bars[0],
            k.BARS + 1: bars[1],
            k.EMPTY_HINTS: empty,
            k.ANYTHING: anything,
            k.KNOWN_CARDS: variant is not None,
            k.INVERTED: 0 if variant is None else _bits(variant.inverted),
        },
        tables={
            k.TOUCHES: [
                sum(clue.bit for clue in clues.values() if clue.touched[number])
                for number in range(len(cards))
            ],
            k.MASKS: masks,
            k.IF_TOUCHED: [left[n][0] if n in left else _ALL_BITS for n in numbers],
            k.IF_NOT: [left[n][1] if n in left else _ALL_BITS for n in numbers],
            k.FIRSTS: [
                sum(1 << color * ranks for color in firsts if chosen >> color & 1)
                for chosen in range(1 << k.FEW)
            ],
        },
    )


def _left(rank_bits: int, clue: _Clue, masks: Sequence[int], is_plain: bool) -> tuple[int, int]:
    """Return the knowledge bits that a clue leaves for a card that it touches, and for the others.

    In the plain game the bits are colors and ranks: a touched card keeps only the named color or
    rank, and the other cards lose it. In a variant they are the cards touched, or not touched.
    """
    if is_plain:
        colors = (1 << rank_bits) - 1
        return clue.bit | (~colors if clue.bit <= colors else colors), ~clue.bit
    cards = sum(mask for mask, touched in zip(masks, clue.touched, strict=True) if touched)
    return cards, ~cards


def pile_tables(rules: Rules) -> Tables:
    """Return the words and tables for the orders in which piles can be built.

    A place of a pile is the sequence of ranks played on it. Places form a tree; their numbers grow
    along each order.

    >>> from hanabi.rules import Rules
    >>> from hanabi.rules.layout import PLACES
    >>> plain = Rules.hanab_live(2)
    >>> odd = Rules.hanab_live(2, variant="Up or Down (5 Suits)")
    >>> pile_tables(plain).words[PLACES], pile_tables(odd).words[PLACES]
    (6, 20)
    """
    import numpy as np

    from hanabi.rules import layout as k

    ranks, colors = rules.ranks, range(rules.colors)
    orders = [rules.orders(color) for color in colors]
    places = [_number_places(of_color) for of_color in orders]
    n_places, n_orders = max(map(len, places)), max(map(len, orders))
    following = np.zeros((rules.colors, n_places, ranks), np.int64)
    grown, on_pile, to_come = np.zeros((3, rules.colors, n_places), np.int64)
    in_order = np.zeros((rules.colors, n_orders, ranks), np.int64)
    paths = np.zeros((rules.colors, n_orders, ranks + 1), np.int64)
    for color in colors:
        numbers = places[color]
        for ranks_played, place in numbers.items():
            grown[color, place] = len(ranks_played)
            on_pile[color, place] = sum(1 << rank for rank in ranks_played)
            if ranks_played:
                *below, top = ranks_played
                following[color, numbers[tuple(below)], top - 1] = place
                to_come[color, numbers[tuple(below)]] |= 1 << top
        for number, order in enumerate(orders[color]):
            in_order[color, number, : len(order)] = order
            for height in range(len(order) + 1):
                paths[color, number, height] = numbers[order[:height]]
    return Tables(
        words={
            k.PLACES: n_places,
            k.MAX_ORDERS: n_orders,
            k.DISTINCT_STARTS: rules.variant is not None and rules.variant.sudoku,
        },
        tables={
            k.HEIGHTS: [len(of_color[0]) for of_color in orders],
            k.NEXT: following.ravel().tolist(),
            k.GROWN: grown.ravel().tolist(),
            k.ON_PILE: on_pile.ravel().tolist(),
            k.FOLLOWING: to_come.ravel().tolist(),
            k.N_ORDERS: [len(of_color) for of_color in orders],
            k.ORDERS: in_order.ravel().tolist(),
            k.PATHS: paths.ravel().tolist(),
        },
    )


@lru_cache(maxsize=1024)
def played(rules: Rules, color: int) -> tuple[tuple[int, ...], ...]:
    """Return the ranks on a color's pile, in the order of play, for each of its places.

    >>> from hanabi.rules import Rules
    >>> played(Rules.hanab_live(2), 0)[:3]
    ((), (1,), (1, 2))
    """
    return tuple(_number_places(rules.orders(color)))


def _number_places(orders: Sequence[tuple[int, ...]]) -> dict[tuple[int, ...], int]:
    """Return a number for every prefix of an order; in the first order it is the length."""
    beginnings = (order[:height] for order in orders for height in range(len(order) + 1))
    return {ranks: number for number, ranks in enumerate(dict.fromkeys(beginnings))}


def _bits(flags: tuple[bool, ...]) -> int:
    return sum(1 << number for number, flag in enumerate(flags) if flag)


@lru_cache(maxsize=64)
def pack_rules(rules: Rules) -> npt.NDArray[np.int64]:
    """Return the `rules` array of the kernels, shared by all callers: never write to it.

    >>> from hanabi.rules import Rules
    >>> from hanabi.rules.layout import MAX_SCORE
    >>> int(pack_rules(Rules.official(2))[MAX_SCORE])
    25
    """
    import numpy as np

    from hanabi.rules import layout as k

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
        # One more than there can be: the kernel writes an action before it knows it is legal.
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
    """Return the kernels' card codes of cards, pairs (color, rank) in draw order.

    Colors and ranks are at most 30.

    >>> pack_deck([(0, 1), (3, 5)]).tolist()
    [1, 101]
    """
    import numpy as np

    return np.array([color << 5 | rank for color, rank in deck], np.int64)


@lru_cache(maxsize=4096)
def unpack_card(code: int) -> Card | None:
    """Return the card of a card code, or None for 0, a hidden card."""
    return Card(code >> 5, code & 31) if code else None


def unpack_deck(codes: npt.NDArray[np.int64]) -> Deck:
    """Return the deck of an array of card codes.

    >>> [str(card) for card in unpack_deck(pack_deck([(0, 1), (3, 5)]))]
    ['r1', 'b5']
    """
    return Deck(Card(code >> 5, code & 31) for code in codes.tolist())
