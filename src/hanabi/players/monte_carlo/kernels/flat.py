"""The Monte Carlo player of [Bergh2016, section 4]: its decisions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.compiled import Words, jit
from hanabi.compiled.hot import jit_hot
from hanabi.compiled.rng import split
from hanabi.game import layout as k
from hanabi.game.kernels.legal import legal_actions
from hanabi.game.kernels.words import Packed
from hanabi.players.kernels import policy as policies
from hanabi.players.monte_carlo.kernels.playouts import PLAYOUTS, TURNS, play_out
from hanabi.players.monte_carlo.kernels.worlds import draw_world, prepare_worlds, worlds_size


class MonteCarloPolicy(NamedTuple):
    """The player; `options` are the words of `hanabi.players.monte_carlo.kernels.playouts`."""

    options: Words


@policies.scratch_size.register(MonteCarloPolicy)
@jit_hot
def scratch_size(policy: MonteCarloPolicy, rules: Words) -> int:
    """Return the number of words for worlds."""
    return worlds_size(rules)


@policies.decide.register(MonteCarloPolicy)
@jit
def decide(
    policy: MonteCarloPolicy,
    position: Packed,
    rng: npt.NDArray[np.uint64],
    memory: Words,
    scratch: Words,
) -> int:
    """Return the action whose play-outs are worth most, the first of equals.

    All actions are tried in the same worlds.
    """
    rules, deck, state = position
    options, own = policy.options, split(rng)
    trial = Packed(rules, np.empty_like(deck), np.empty_like(state))
    weights, actions = (
        np.empty(rules[k.HAND_SIZE], np.int64),
        np.empty(rules[k.MAX_ACTIONS], np.int64),
    )
    n = legal_actions(position, actions)
    worth = np.zeros(n, np.int64)
    prepare_worlds(position, trial.deck, scratch)
    for _ in range(options[PLAYOUTS] if n > 1 else 0):
        draw_world(rules, state, options[TURNS], own, trial.deck, scratch)
        for i in range(n):
            worth[i] += play_out(trial, state, options, own, actions[i], weights)
    best = 0
    for i in range(1, n):
        if worth[i] > worth[best]:
            best = i
    return int(actions[best])
