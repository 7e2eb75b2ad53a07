"""The rules for callers in Python.

These functions take separate arrays: passing a record from Python costs microseconds more.
"""

from __future__ import annotations

from hanabi.compiled import Words
from hanabi.compiled.hot import jit_hot
from hanabi.game.kernels import legal
from hanabi.game.kernels import rules as engine
from hanabi.game.kernels.packed import Packed

__all__ = ["apply", "legal_actions"]


@jit_hot
def legal_actions(rules: Words, deck: Words, state: Words, actions: Words) -> int:
    """Write the legal actions of the seat to act, and return their number."""
    return legal.legal_actions(Packed(rules, deck, state), actions)


@jit_hot
def apply(rules: Words, deck: Words, state: Words, action: int, successor: Words) -> int:
    """Write the position after `action`, any word, to `successor`; return the broken rule, or 0."""
    return engine.apply(Packed(rules, deck, state), action, successor)
