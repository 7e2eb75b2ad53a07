"""All that the games of an environment are, to be kept and put back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hanabi.env.arrays import check_arrays, check_whole
from hanabi.env.layout import Layout
from hanabi.errors import InvalidInputError, quote
from hanabi.game import Action, Game, Rules
from hanabi.game.packing import pack_rules, unpack_deck

if TYPE_CHECKING:
    from hanabi.env.kernels.batch import Batch

__all__ = ["Snapshot", "batch_of", "game_of", "new_batch"]


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """The games of an environment at a moment; it can be pickled.

    Attributes
    ----------
    rules
        The rule set.
    seed
        Of the deals.
    decks, states
        int64 (n, ...): cards and positions, as :mod:`hanabi.game.kernels.words` lays them out.
    last, named
        int64 and uint8 (n, ...): the last action, and what was named of each card.
    streams
        uint64 (n,): where the stream of drawn actions is.
    games
        int64 (n,): how many games each place has begun.
    legal
        int64 (n, ...): the legal actions, as :mod:`hanabi.env.kernels.bits` keeps bits.
    taken
        int16 (n, ...): the numbers of the actions since the deal, as many as turns.
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
        """Return copies of the arrays of games."""
        return cls(rules, seed, **{name: array.copy() for name, array in batch._asdict().items()})


def batch_of(
    snapshot: object,
    rules: Rules,
    like: Batch,
    share: Callable[[Callable[[int, int], int]], list[int]],
) -> Batch:
    """Return copies of the arrays of a snapshot, whoever made it, once all games are known to be.

    Parameters
    ----------
    snapshot
        What may have been changed, or read from a file.
    rules, like
        The rules, and arrays of the types and shapes that are wanted.
    share
        What does the work of all games; see `Threads`.

    Raises
    ------
    InvalidInputError
        If it is no snapshot, or of other rules, or of another number of games; or names the first
        array that no game by the rules leads to: each is played again.
    """
    from hanabi.env.kernels import damage
    from hanabi.env.kernels.batch import Batch

    if not isinstance(snapshot, Snapshot):
        raise InvalidInputError(f"{quote(snapshot)} is no state that get_state returned")
    if snapshot.rules != rules:
        raise InvalidInputError("the state is of other rules than the environment")
    check_whole("seed", snapshot.seed, None)
    copies = dict[str, npt.NDArray[Any]]()
    for name, array in like._asdict().items():
        given = getattr(snapshot, name, None)  # of an earlier release it lacks some
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
    """Return one of the games as it stands, with all that was done in it."""
    from hanabi.game import layout as k

    state, actions, seats = batch.states[index], _actions_of(layout), layout.rules.seats
    numbers = batch.taken[index, : state[k.TURN]].tolist()
    taken = [actions[turn % seats][number] for turn, number in enumerate(numbers)]
    return Game(layout.rules, unpack_deck(batch.decks[index]), tuple(taken), state.tobytes())


@lru_cache(maxsize=64)
def _actions_of(layout: Layout) -> list[list[Action]]:
    """Return what each number says when each seat acts."""
    seats, numbers = range(layout.rules.seats), range(layout.actions)
    return [[layout.action(number, seat) for number in numbers] for seat in seats]


def new_batch(layout: Layout, n: int) -> Batch:
    """Return the arrays of `n` games that are not dealt yet."""
    from hanabi.env.kernels.batch import Batch
    from hanabi.env.kernels.bits import WORD_BITS
    from hanabi.env.kernels.memory import LAST_SIZE
    from hanabi.game import layout as k
    from hanabi.game.kernels.words import most_turns

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
