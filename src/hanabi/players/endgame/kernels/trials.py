"""Playing on from a position in many worlds, and what that can show."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.compiled import jit
from hanabi.compiled.lean import jit_lean
from hanabi.compiled.rng import seed_stream, word
from hanabi.game.kernels.rules import (
    COLORS,
    COPIES,
    DECK_SIZE,
    DISCARDS,
    DRAWN,
    FINAL_ROUND,
    HEIGHTS,
    PILES,
    POINTS,
    RANKS,
    TURNS_LEFT,
)

Words = npt.NDArray[np.int64]
Worlds = npt.NDArray[np.int64]  # a world a row
RandomStream = npt.NDArray[np.uint64]


class Trials(NamedTuple):
    """What it takes to play on from a position in many worlds.

    The first seven are those of the position; `deck`, `after` and `learned` are overwritten by
    each trial. World number `w` draws its decisions from the stream of `seeds[0]` and `w`, whatever
    the action is.
    """

    rules: Words
    state: Words
    options: Words
    memory: Words
    room: Words
    places: Words
    worlds: Worlds
    deck: Words
    after: Words
    learned: Words
    stream: RandomStream
    seeds: RandomStream


@jit
def make_trials(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    stream: RandomStream,
    memory: Words,
    room: Words,
    places: Words,
    worlds: Worlds,
) -> Trials:
    """Return trials of a position; a word of the stream is the seed of all its trials."""
    seeds = np.empty(1, np.uint64)
    seeds[0] = word(stream)
    after, learned = np.empty(state.size, np.int64), np.empty(memory.size, np.int64)
    trial_deck, trial_stream = deck.copy(), np.empty(1, np.uint64)
    return Trials(
        rules,
        state,
        options,
        memory,
        room,
        places,
        worlds,
        trial_deck,
        after,
        learned,
        trial_stream,
        seeds,
    )


@jit_lean
def begin_trial(trials: Trials, world: int) -> None:
    """Set up a trial of the position in a world."""
    for index in range(trials.places.size):
        trials.deck[trials.places[index]] = trials.worlds[world, index]
    for index in range(trials.state.size):
        trials.after[index] = trials.state[index]
    for index in range(trials.memory.size):
        trials.learned[index] = trials.memory[index]
    seed_stream(trials.stream, trials.seeds[0], np.uint64(world))


@jit_lean
def most_points(rules: Words, state: Words) -> int:
    """Return a score that no play from here exceeds."""
    points = 0
    for color in range(rules[COLORS]):
        height = state[PILES + color]
        while height < rules[rules[HEIGHTS] + color]:
            card = color * rules[RANKS] + height
            if state[rules[DISCARDS] + card] == rules[COPIES + card]:
                break
            height += 1
        points += height
    turns = state[TURNS_LEFT]
    if turns < 0 and rules[FINAL_ROUND] >= 0:  # a play takes a card of the deck until it is empty
        turns = rules[DECK_SIZE] - state[DRAWN] + rules[FINAL_ROUND]
    if turns >= 0:
        points = min(points, state[POINTS] + turns)
    return int(points)


@jit_lean
def is_clear(gain: int, squares: int, n_worlds: int, margin: int) -> bool:
    """Whether a sum of differences is so many hundredths of its standard error above zero."""
    spread = n_worlds * squares - gain * gain
    return gain > 0 and 1e4 * n_worlds * gain * gain >= float(margin * margin) * spread


@jit
def sort_by_shortfall(values: Words, most: int, order: Words) -> None:
    """Write the worlds where most can be gained first."""
    n = 0
    for value in range(values.min(), most + 1):
        for world in range(values.size):
            if values[world] == value:
                order[n] = world
                n += 1
