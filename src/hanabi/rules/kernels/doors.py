"""The rules, and facts about every card, for callers in Python.

These functions take separate arrays: passing a record from Python costs microseconds more.
"""

from __future__ import annotations

from hanabi.ground.compiled import Words
from hanabi.ground.compiled.hot import jit_hot
from hanabi.rules import layout as k
from hanabi.rules.kernels import legal
from hanabi.rules.kernels import rules as engine
from hanabi.rules.kernels.facts import copies_left, growth, height_of, next_ranks, ranks_to_come
from hanabi.rules.kernels.packed import Packed, card_code

__all__ = [
    "apply",
    "draw_card",
    "judge_cards",
    "judge_pile",
    "legal_actions",
    "pay_hint",
    "use_card",
]


@jit_hot
def legal_actions(rules: Words, deck: Words, state: Words, actions: Words) -> int:
    """Write the legal actions of the seat to act, and return their number."""
    return legal.legal_actions(Packed(rules, deck, state), actions)


@jit_hot
def apply(rules: Words, deck: Words, state: Words, action: int, successor: Words) -> int:
    """Write the position after `action`, any word, to `successor`; return the broken rule, or 0."""
    return engine.apply(Packed(rules, deck, state), action, successor)


@jit_hot
def judge_cards(rules: Words, state: Words, facts: Words) -> None:
    """Write three words for each card, color by color.

    They are whether it is playable now, whether it can still be played, and the number of its
    copies neither played nor discarded.
    """
    word = 0
    for color in range(rules[k.COLORS]):
        now, later = next_ranks(rules, state, color), ranks_to_come(rules, state, color)
        for rank in range(1, rules[k.RANKS] + 1):
            facts[word] = now >> rank & 1
            facts[word + 1] = later >> rank & 1
            facts[word + 2] = copies_left(rules, state, word // 3)
            word += 3


@jit_hot
def judge_pile(rules: Words, state: Words, color: int) -> tuple[int, int, int, int, int, int]:
    """Return facts about a color; see :class:`hanabi.rules.tally.PileFacts`."""
    most, to_come = growth(rules, state, color)
    single, spent = 0, 0
    for rank in range(rules[k.RANKS]):
        left = copies_left(rules, state, color * rules[k.RANKS] + rank)
        single |= int(left == 1) << rank
        spent |= int(left == 0) << rank
    now, to_come = next_ranks(rules, state, color) >> 1, to_come >> 1
    return height_of(rules, state, color), most, now & to_come, to_come, single, spent


# The parts of an action, for a position whose hands are empty.


@jit_hot
def use_card(rules: Words, state: Words, color: int, rank: int, is_play: bool) -> None:
    """Play or discard a card. If it is played, a hidden one, of rank 0, is an error."""
    engine._use(rules, state, card_code(color, rank), is_play)


@jit_hot
def draw_card(rules: Words, state: Words) -> None:
    """Draw the next card."""
    engine._draw(rules, state)


@jit_hot
def pay_hint(rules: Words, deck: Words, state: Words, action: int) -> None:
    """Pay a hint."""
    engine._hint(Packed(rules, deck, state), action)
