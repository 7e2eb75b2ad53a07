"""The full state of an environment's games, to be saved and restored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hanabi.env.layout import Layout
from hanabi.env.step import check_arrays, check_whole
from hanabi.ground import InvalidInputError, quote
from hanabi.rules import Action, Game, Rules, pack_rules, unpack_deck

if TYPE_CHECKING:
    from hanabi.env.kernels import Batch

__all__ = ["Snapshot", "batch_of", "game_of", "new_batch"]


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """The state of an environment's games at one moment; it can be pickled.

    Attributes
    ----------
    rules
        The rule set.
    seed
        The seed of the deals.
    decks, states
        int64 (n, ...): cards and positions, as :mod:`hanabi.rules.kernels.packed` lays them out.
    last, named
        int64 and uint8 (n, ...): the last action, and what hints have named of each card.
    streams
        uint64 (n,): the states of the streams of random actions.
    games
        int64 (n,): the number of games that each place has begun.
    legal
        int64 (n, ...): the legal actions, as rows of bits of :mod:`hanabi.env.kernels`.
    taken
        int16 (n, ...): the numbers of the actions since the deal, one for each turn.
    """

    rules: Rules
    seed: int
    decks: npt.NDArray[np.int64]
    states: npt.NDArray[np.int64]
    last: npt.NDArray[np.int64]
    named: npt.NDArray[np.uint8]
    streams: npt.NDArray[np.uint64]
    games: npt.NDArray[np.int64]
    legal: npt.NDArray[np.int64]
    taken: npt.NDArray[np.int16]

    @classmethod
    def of(cls, rules: Rules, seed: int, batch: Batch) -> Snapshot:
        """Return a snapshot with copies of the arrays of a batch."""
        return cls(rules, seed, **{name: array.copy() for name, array in batch._asdict().items()})


def batch_of(
    snapshot: object,
    rules: Rules,
    like: Batch,
    share: Callable[[Callable[[int, int], int]], list[int]],
) -> Batch:
    """Return copies of the arrays of a snapshot, after checking that each game is possible.

    The check plays every game again.

    Parameters
    ----------
    snapshot
        A snapshot from any source: it may have been changed, or read from a file.
    rules, like
        The rules, and arrays of the required types and shapes.
    share
        The function that shares the work among threads; see `Threads`.

    Raises
    ------
    InvalidInputError
        If it is not a snapshot, is of other rules or another number of games, or holds an array
        that no game by the rules leads to; the message names the first such array.
    """
    from hanabi.env import kernels as damage
    from hanabi.env.kernels import Batch

    if not isinstance(snapshot, Snapshot):
        raise InvalidInputError(f"{quote(snapshot)} is no state that get_state returned")
    if snapshot.rules != rules:
        raise InvalidInputError("the state is of other rules than the environment")
    check_whole("seed", snapshot.seed, None)
    copies = dict[str, npt.NDArray[Any]]()
    for name, array in like._asdict().items():
        given = getattr(snapshot, name, None)  # snapshots of earlier releases lack some arrays
        check_arrays(name, given, array.shape, array.dtype)
        copies[name] = np.array(given, order="C")
    batch, words = Batch(**copies), pack_rules(rules)
    found = share(lambda *ends: damage.find_damage(batch, words, *ends))
    if wrong := [each for each in found if each >= 0]:
        game, which = divmod(min(wrong), damage.N_DAMAGES)
        raise InvalidInputError(f"{damage.NAMES[which]}[{game}]: no game by the rules stands so")
    if (batch.games < 0).any():
        raise InvalidInputError("games: a place has begun less than no game")
    return batch


def game_of(batch: Batch, layout: Layout, index: int) -> Game:
    """Return the current state of one of the games, with its actions so far."""
    from hanabi.rules import layout as k

    state, actions, seats = batch.states[index], _actions_of(layout), layout.rules.seats
    numbers = batch.taken[index, : state[k.TURN]].tolist()
    taken = [actions[turn % seats][number] for turn, number in enumerate(numbers)]
    return Game(layout.rules, unpack_deck(batch.decks[index]), tuple(taken), state.tobytes())


@lru_cache(maxsize=64)
def _actions_of(layout: Layout) -> list[list[Action]]:
    """Return the action of each number, for each seat."""
    seats, numbers = range(layout.rules.seats), range(layout.actions)
    return [[layout.action(number, seat) for number in numbers] for seat in seats]


def new_batch(layout: Layout, n: int) -> Batch:
    """Return the arrays for `n` games before their deal."""
    from hanabi.env.kernels import LAST_SIZE, Batch
    from hanabi.env.rows.kernels import WORD_BITS
    from hanabi.rules import layout as k
    from hanabi.rules import most_turns

    rules = pack_rules(layout.rules)
    cards, words = layout.rules.deck_size, int(rules[k.STATE_SIZE])
    return Batch(
        np.zeros((n, cards), np.int64),
        np.zeros((n, words), np.int64),
        np.zeros((n, LAST_SIZE), np.int64),
        np.zeros((n, cards), np.uint8),
        np.zeros(n, np.uint64),
        np.zeros(n, np.int64),
        np.zeros((n, layout.actions // WORD_BITS + 2), np.int64),
        np.zeros((n, most_turns(rules)), np.int16),
    )
