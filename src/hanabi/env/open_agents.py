"""Reader of the Hanabi Open Agent Dataset: observations and actions in pickles [Sarmasi2021].

A file is a list of games. A game is a list of two lists: the observations and the actions of its
turns. An observation is that of the Hanabi Learning Environment with card knowledge, for the seat
to act. It is one number whose binary digits are the entries, the highest digit first; in older
files it is a list of 0 and 1. An action is a list with a 1 at its number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from hanabi.env.recorded import SEATS, game_of_observations, layout_of
from hanabi.ground import InvalidInputError, counted, quote
from hanabi.rules import GameRecord

__all__ = ["entries_of_pickle", "game_of_lists", "games_of_pickle"]


def games_of_pickle(data: bytes) -> Iterator[GameRecord]:
    """Yield the games of a file. No code in the file is run; see `entries_of_pickle`.

    A game takes about 5 milliseconds.

    Raises
    ------
    InvalidInputError
        If an entry is not a valid game; you can then go on with the next one. Also if the file is
        truncated or holds anything else; the iteration then ends.

    >>> import pickle
    >>> next(games_of_pickle(pickle.dumps([[[1 << 657], [[1, 0]]]])))
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: turn 0: action [1, 0] is none of 2 to 5 players
    """
    return map(game_of_lists, entries_of_pickle(data))


def game_of_lists(game: Any) -> GameRecord:
    """Return the game of a list of observations and a list of actions.

    See `game_of_observations`.

    Raises
    ------
    InvalidInputError
        If the lists are malformed, or no game leads to these observations.
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
    """Return the numbers of the actions taken, and the number of possible actions."""
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


# Pickles of lists and whole numbers.
#
# They are read without Python's unpickler. Even an unpickler that may look up no class reserves as
# much memory as a damaged file asks for, and returns nothing before it has read the whole file.
# This reader yields entries as it reads them; a pickler writes a thousand of them at a time. It
# knows only the opcodes that make lists and whole numbers. It calls nothing, looks up nothing and
# remembers nothing, and it refuses any other opcode.

_SMALL = re.compile(rb"(?:K.)+", re.DOTALL)  # a run of numbers below 256: most of an action
_MARK, _EMPTY, _LIST, _APPEND, _APPENDS, _STOP = b"(", b"]", b"l", b"a", b"e", b"."
# Opcodes that only state the protocol, frame the file or memoize values, and the number of bytes to
# skip after each.
_SKIPPED = {b"\x80": 1, b"\x95": 8, b"q": 1, b"r": 4, b"\x94": 0}
# Opcodes of numbers: those with a fixed size in bytes and whether they are signed, and those that
# state their size in a field of so many bytes. All are little-endian.
_SIZED = {b"K": (1, False), b"M": (2, False), b"J": (4, True)}
_LONG = {b"\x8a": 1, b"\x8b": 4}
_TEXT = re.compile(rb"(-?[0-9]{1,4000})L?\n")


def entries_of_pickle(data: bytes) -> Iterator[Any]:
    """Yield the entries of a pickled list: whole numbers, lists of these, and so on. O(bytes).

    All protocols can be read, including those of Python 2. A list that is used in two places is
    refused.

    Raises
    ------
    InvalidInputError
        If the pickle holds anything else, or is truncated. Entries before that have been yielded.

    >>> import pickle
    >>> list(entries_of_pickle(pickle.dumps([[1, 2], -3, [[]]])))
    [[1, 2], -3, [[]]]
    >>> list(entries_of_pickle(pickle.dumps([print], protocol=2)))
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: byte 5: b'c' makes no list and no whole number
    """
    stack: list[Any] = []
    marks: list[int] = []
    at = 0
    while True:
        run = _SMALL.match(data, at)
        if run is not None:
            stack.extend(data[at + 1 : run.end() : 2])
            at = run.end()
        start, code = at, data[at : at + 1]
        at += 1
        if code in _SKIPPED:
            at += _SKIPPED[code]
        elif code == b"p":
            at = _after_line(data, at)
        elif code == _MARK:
            marks.append(len(stack))
        elif code == _EMPTY:
            stack.append([])
        elif code == _LIST:  # protocol 0 closes a list before it fills it
            added = _since(stack, marks, start)
            stack.append(added)
        elif code in (_APPEND, _APPENDS):
            if code == _APPEND:
                marks.append(len(stack) - 1)
            added = _since(stack, marks, start)
            target = _top_list(stack, marks, start)
            if len(stack) > 1:
                target.extend(added)
            else:
                yield from added
        elif code == _STOP:
            if len(stack) != 1 or _top_list(stack, marks, start):
                raise InvalidInputError(f"byte {start}: the pickle ends within a list")
            return
        else:
            number, at = _number(data, start)
            stack.append(number)


def _since(stack: list[Any], marks: list[int], start: int) -> list[Any]:
    """Pop and return the values pushed since the last mark."""
    if not marks or not 0 <= marks[-1] <= len(stack):
        raise InvalidInputError(f"byte {start}: a list ends that did not begin")
    first = marks.pop()
    added = stack[first:]
    del stack[first:]
    return added


def _top_list(stack: list[Any], marks: list[int], start: int) -> list[Any]:
    """Return the list on top of the stack, to which entries are added."""
    if not stack or not isinstance(stack[-1], list) or (marks and marks[-1] >= len(stack)):
        raise InvalidInputError(f"byte {start}: there is no list for the entries")
    top: list[Any] = stack[-1]
    return top


def _number(data: bytes, start: int) -> tuple[int, int]:
    """Return the number that begins at byte `start`, and the position after it."""
    code, at = data[start : start + 1], start + 1
    if code in (b"I", b"L"):
        text = _TEXT.match(data, at)
        if text is None:
            line = data[at : at + 60].partition(b"\n")[0]
            raise InvalidInputError(f"byte {start}: {quote(line)} is no whole number")
        return int(text[1]), text.end()
    if code in _SIZED:
        size, is_signed = _SIZED[code]
    elif code in _LONG:
        is_signed, width = True, _LONG[code]
        size = int.from_bytes(data[at : at + width], "little")
        at += width
    elif code:
        raise InvalidInputError(f"byte {start}: {quote(code)} makes no list and no whole number")
    else:
        raise InvalidInputError(f"byte {start}: the pickle breaks off")
    if at + size > len(data):
        raise InvalidInputError(f"byte {start}: the pickle breaks off")
    return int.from_bytes(data[at : at + size], "little", signed=is_signed), at + size


def _after_line(data: bytes, at: int) -> int:
    end = data.find(b"\n", at)
    if end < 0:
        raise InvalidInputError(f"byte {at}: the pickle breaks off")
    return end + 1
