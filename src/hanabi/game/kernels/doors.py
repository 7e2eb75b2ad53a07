"""The rules, and facts about every card, for callers in Python.

These functions take separate arrays: passing a record from Python costs microseconds more.
"""

from __future__ import annotations

from hanabi.compiled import Words
from hanabi.compiled.hot import jit_hot
from hanabi.game import layout as k
from hanabi.game.kernels import legal
from hanabi.game.kernels import rules as engine
from hanabi.game.kernels.facts import copies_left, next_ranks, ranks_to_come
from hanabi.game.kernels.packed import Packed

__all__ = ["apply", "judge_cards", "legal_actions"]


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
