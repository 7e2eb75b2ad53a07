"""Counting the sequences of legal actions."""

from __future__ import annotations

import numpy as np

from hanabi.ground.compiled import jit
from hanabi.rules import layout as k
from hanabi.rules.kernels.legal import legal_actions
from hanabi.rules.kernels.packed import Packed
from hanabi.rules.kernels.rules import step


@jit
def perft(position: Packed, depth: int) -> int:
    """Return the number of sequences of `depth` legal actions from here; depth >= 1."""
    rules, deck, state = position
    states = np.empty((depth, rules[k.STATE_SIZE]), np.int64)
    actions = np.empty((depth, rules[k.MAX_ACTIONS]), np.int64)
    left = np.zeros(depth, np.int64)
    for word in range(rules[k.STATE_SIZE]):
        states[0, word] = state[word]
    left[0] = legal_actions(position, actions[0])
    level, total = 0, 0
    while level >= 0:
        if level == depth - 1:
            total += left[level]  # the last actions need not be taken to be counted
            level -= 1
        elif left[level] == 0:
            level -= 1
        else:
            left[level] -= 1
            for word in range(rules[k.STATE_SIZE]):
                states[level + 1, word] = states[level, word]
            step(Packed(rules, deck, states[level + 1]), actions[level, left[level]])
            level += 1
            left[level] = legal_actions(Packed(rules, deck, states[level]), actions[level])
    return total
