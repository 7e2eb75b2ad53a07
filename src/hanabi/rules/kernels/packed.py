"""The record of a position, and the encoding of cards, clues and actions in one word each.

:mod:`hanabi.rules.layout` lists the words of its arrays.
"""

from __future__ import annotations

from typing import NamedTuple

from hanabi.ground.compiled import Words
from hanabi.ground.compiled.hot import jit_hot_inline
from hanabi.rules import layout as k


class Packed(NamedTuple):
    """A position of a game; :mod:`hanabi.rules.packing` makes the arrays.

    Attributes
    ----------
    rules
        The rule set; read-only.
    deck
        The cards in draw order, as `card_code`; read-only.
    state
        The position; see :mod:`hanabi.rules.layout`.
    """

    rules: Words
    deck: Words
    state: Words


@jit_hot_inline
def most_turns(rules: Words) -> int:
    """Return an upper bound on the turns of a game.

    A card is played or discarded once, and brings at most one token; so does a complete pile.
    """
    return int(2 * rules[k.DECK_SIZE] + rules[k.MAX_HINTS] + rules[k.COLORS])


@jit_hot_inline
def card_code(color: int, rank: int) -> int:
    """Return the word of a card in `deck`."""
    return color << 5 | rank


@jit_hot_inline
def color_of(code: int) -> int:
    """Return the color of a card in `deck`."""
    return code >> 5


@jit_hot_inline
def rank_of(code: int) -> int:
    """Return the rank of a card in `deck`."""
    return code & 31


@jit_hot_inline
def card_of(rules: Words, code: int) -> int:
    """Return the number of a card, color by color: its bit in sets of cards."""
    return int((code >> 5) * rules[k.RANKS] + (code & 31) - 1)


@jit_hot_inline
def identity(code: int) -> int:
    """Return two bits for a card of the plain game: its color, and its rank from `RANK_BITS`."""
    return 1 << (code >> 5) | 1 << (k.RANK_BITS - 1 + (code & 31))


@jit_hot_inline
def clue_bit(kind: int, value: int) -> int:
    """Return the bit of a clue: a color, or a rank from `RANK_BITS` on."""
    return 1 << value if kind == k.HINT_COLOR else 1 << (k.RANK_BITS - 1 + value)


@jit_hot_inline
def clue_number(rules: Words, kind: int, value: int) -> int:
    """Return the number of a clue in tables: colors first, then ranks from 1."""
    return int(value if kind == k.HINT_COLOR else rules[k.CLUE_COLORS] + value - 1)


@jit_hot_inline
def action_code(kind: int, target: int, value: int) -> int:
    """Return an action as one word."""
    return kind | value << 3 | target << 8


@jit_hot_inline
def kind_of(action: int) -> int:
    """Return the kind of an action."""
    return action & 7


@jit_hot_inline
def target_of(action: int) -> int:
    """Return the slot of a play or discard, or the seat that gets a hint."""
    return action >> 8


@jit_hot_inline
def value_of(action: int) -> int:
    """Return the hinted color or rank."""
    return action >> 3 & 31


@jit_hot_inline
def is_hint(action: int) -> bool:
    """Whether an action is a hint."""
    return action & 7 == k.HINT_COLOR or action & 7 == k.HINT_RANK
