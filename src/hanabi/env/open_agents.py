"""Games of the Hanabi Open Agent Dataset: what agents saw and did, as pickled lists [Sarmasi2021].

A file is a list of games, a game a list of two: the observations and the actions of its turns. An
observation is that of the Hanabi Learning Environment with card knowledge, of whoever is to act, as
one number whose binary digits are its entries, the first entry the highest digit; in older files a
list of 0 and 1. An action is a list with a 1 at its number.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from hanabi.env.recorded import SEATS, game_of_observations, layout_of
from hanabi.errors import InvalidInputError, counted, quote
from hanabi.notation import GameRecord
from hanabi.notation.plain_pickle import entries_of_pickle

__all__ = ["game_of_lists", "games_of_pickle"]


def games_of_pickle(data: bytes) -> Iterator[GameRecord]:
    """Yield the games of a file. Nothing in it is run: see `hanabi.notation.plain_pickle`.

    About 5 milliseconds a game.

    Raises
    ------
    InvalidInputError
        In place of a game that is none, after which the next one can be asked for; or where the
        file breaks off or holds anything else, which is the end.

    >>> import pickle
    >>> next(games_of_pickle(pickle.dumps([[[1 << 657], [[1, 0]]]])))
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: turn 0: action [1, 0] is none of 2 to 5 players
    """
    return map(game_of_lists, entries_of_pickle(data))


def game_of_lists(game: Any) -> GameRecord:
    """Return the game of a list of observations and one of actions; see `game_of_observations`.

    Raises
    ------
    InvalidInputError
        If they are no such lists, or no game shows this.
    """
    if not isinstance(game, list) or len(game) != 2 or not all(isinstance(e, list) for e in game):
        raise InvalidInputError("it is no list of observations and one of actions")
    observations, actions = game
    if not actions or len(observations) != len(actions):
        raise InvalidInputError(
            f"{counted(len(observations), 'observation')}, {counted(len(actions), 'action')}"
        )
    numbers, moves = _numbers(actions)
    [size] = [layout_of(seats).size for seats in SEATS if layout_of(seats).actions == moves]
    return game_of_observations(np.stack([_entries(e, size) for e in observations]), numbers)


def _numbers(actions: list[Any]) -> tuple[list[int], int]:
    """Return the numbers of actions, and how many numbers there are."""
    moves = len(actions[0]) if isinstance(actions[0], list) else 0
    if moves not in {layout_of(seats).actions for seats in SEATS}:
        raise InvalidInputError(f"turn 0: action {quote(actions[0])} is none of 2 to 5 players")
    zeros_and_one = [0] * (moves - 1) + [1]
    for turn, action in enumerate(actions):
        is_flat = isinstance(action, list) and all(isinstance(each, int) for each in action)
        if not is_flat or sorted(action) != zeros_and_one:
            raise InvalidInputError(
                f"turn {turn}: action {quote(action)} is not a 1 among {moves - 1} zeros"
            )
    return [action.index(1) for action in actions], moves


def _entries(observation: Any, size: int) -> npt.NDArray[np.uint8]:
    """Return the entries of an observation."""
    if isinstance(observation, int):
        if not 0 <= observation < 1 << size:
            raise InvalidInputError(f"{quote(observation)} is no observation of {size} entries")
        width = -(-size // 8)
        data = np.frombuffer(observation.to_bytes(width, "big"), np.uint8)
        return np.unpackbits(data)[8 * width - size :]
    if len(observation) != size or any(each not in (0, 1) for each in observation):
        raise InvalidInputError(f"{quote(observation)} is no observation of {size} entries")
    return np.array(observation, np.uint8)
