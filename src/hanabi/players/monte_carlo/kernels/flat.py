"""The Monte Carlo player of [Bergh2016, section 4], whole games and single decisions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.compiled import jit
from hanabi.compiled.rng import seed_stream, word
from hanabi.game.kernels.deals import start_deal
from hanabi.game.kernels.rules import (
    BOMBED,
    DECK_SIZE,
    END,
    HAND_SIZE,
    IN_PROGRESS,
    MAX_ACTIONS,
    POINTS,
    STATE_SIZE,
    legal_actions,
    step,
)
from hanabi.players.monte_carlo.kernels.playouts import OPEN_HANDS, PLAYOUTS, TURNS, play_out
from hanabi.players.monte_carlo.kernels.worlds import draw_world, prepare_worlds, worlds_size

__all__ = ["choose", "play_games", "room_size"]

Words = npt.NDArray[np.int64]
RandomStream = npt.NDArray[np.uint64]


@jit
def room_size(rules: Words) -> int:
    """Return the number of words that `choose` works with."""
    return int(
        worlds_size(rules)
        + rules[DECK_SIZE]
        + rules[STATE_SIZE]
        + rules[HAND_SIZE]
        + 2 * rules[MAX_ACTIONS]
    )


@jit
def choose(
    rules: Words, deck: Words, state: Words, options: Words, stream: RandomStream, room: Words
) -> int:
    """Return the action whose play-outs are worth most, the first of equals.

    All actions are tried in the same worlds. The stream is the decision's own.
    """
    size = worlds_size(rules)
    world, size = room[size : size + rules[DECK_SIZE]], size + rules[DECK_SIZE]
    future, size = room[size : size + rules[STATE_SIZE]], size + rules[STATE_SIZE]
    marks, size = room[size : size + rules[HAND_SIZE]], size + rules[HAND_SIZE]
    actions, size = room[size : size + rules[MAX_ACTIONS]], size + rules[MAX_ACTIONS]
    worth = room[size : size + rules[MAX_ACTIONS]]
    n = legal_actions(rules, deck, state, actions)
    for i in range(n):
        worth[i] = 0
    prepare_worlds(rules, deck, state, options[OPEN_HANDS] != 0, world, room)
    for _ in range(options[PLAYOUTS] if n > 1 else 0):
        draw_world(rules, state, options[TURNS], stream, world, room)
        for i in range(n):
            worth[i] += play_out(rules, world, state, options, stream, actions[i], future, marks)
    best = 0
    for i in range(1, n):
        if worth[i] > worth[best]:
            best = i
    return int(actions[best])


@jit
def play_games(
    rules: Words,
    cards: Words,
    options: Words,
    seeds: npt.NDArray[np.uint64],
    first: int,
    outcomes: Words,
) -> None:
    """Play deals to the end, and write an outcome each; see `hanabi.players.protocol`."""
    stream, own = np.empty(1, np.uint64), np.empty(1, np.uint64)
    state = np.empty(rules[STATE_SIZE], np.int64)
    room = np.empty(room_size(rules), np.int64)
    deck = np.empty(cards.size, np.int64)
    for game in range(outcomes.size):
        start_deal(rules, cards, seeds, first + game, deck, state, stream)
        while state[END] == IN_PROGRESS:
            seed_stream(own, word(stream), np.uint64(0))
            step(rules, deck, state, choose(rules, deck, state, options, own, room))
        outcomes[game] = state[POINTS] << 1 | (1 if state[END] == BOMBED else 0)
