"""Kernels that deal, step and observe many games, one range of games a call."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.compiled import Words, jit
from hanabi.compiled.hot import jit_hot, jit_hot_inline
from hanabi.env.kernels.actions import action_of, draw_number, is_legal, write_legal
from hanabi.env.kernels.encode import LAST_SIZE, WORD_BITS, encode, forget, pack, spread, take
from hanabi.game import layout as k
from hanabi.game.kernels.deals import Deals, start_deal
from hanabi.game.kernels.facts import copies_of
from hanabi.game.kernels.legal import NO_RULE, find_broken_rule
from hanabi.game.kernels.packed import Packed, card_of, color_of, rank_of
from hanabi.game.kernels.rules import deal, score

# Words of `options`.
AUTORESET, KIND, IS_PACKED, N_BITS, N_OPTIONS = range(5)
# Values of options[AUTORESET].
DISABLED, NEXT_STEP, SAME_STEP = range(3)


class Batch(NamedTuple):
    """The full state of an environment's games, one a row.

    Attributes
    ----------
    decks, states
        Cards and positions, as in `Packed`.
    last, named
        The last action, and what hints have named, as in :mod:`hanabi.env.kernels.encode`.
    streams
        The state of the random stream of each game's decisions.
    games
        The number of games that each place has begun.
    legal
        The numbers of the legal actions, as rows of bits of :mod:`hanabi.env.kernels.encode`.
    taken
        The numbers of the actions since the deal, one for each turn; the rest of a row is leftover
        data.
    """

    decks: Words
    states: Words
    last: Words
    named: npt.NDArray[np.uint8]
    streams: npt.NDArray[np.uint64]
    games: Words
    legal: Words
    taken: npt.NDArray[np.int16]


class Outputs(NamedTuple):
    """The arrays that a step writes.

    Attributes
    ----------
    observations, finals
        By game, observer and entry. `finals` has the games that have just ended, or no rows.
    masks
        By game and action number.
    rewards, dones, seats
        By game.
    """

    observations: npt.NDArray[np.uint8]
    finals: npt.NDArray[np.uint8]
    masks: npt.NDArray[np.bool_]
    rewards: npt.NDArray[np.float32]
    dones: npt.NDArray[np.bool_]
    seats: npt.NDArray[np.int32]


class Scratch(NamedTuple):
    """Working memory of kernels.

    Attributes
    ----------
    row
        The bits of an observation.
    wide, wide_bytes
        The same bits, eight to a word and one to a byte, and the bytes of these words.
    """

    row: Words
    wide: Words
    wide_bytes: npt.NDArray[np.uint8]


@jit
def _new_scratch(options: Words) -> Scratch:
    words = options[N_BITS] // WORD_BITS + 2  # one more than its bits fill
    wide = np.empty(4 * words, np.int64)
    return Scratch(np.empty(words, np.int64), wide, wide.view(np.uint8))


@jit_hot
def deal_next(batch: Batch, deals: Deals, game: int) -> None:
    """Deal the next game of a place: place g of n plays the deals g, g + n, g + 2 n, ..."""
    position = Packed(deals.rules, batch.decks[game], batch.states[game])
    index = game + batch.games[game] * batch.games.size
    start_deal(deals, index, position, batch.streams[game : game + 1])
    forget(batch.last[game], batch.named[game])
    write_legal(position, batch.legal[game])
    batch.games[game] += 1


@jit_hot
def deal_given(batch: Batch, rules: Words, game: int, deck: Words) -> None:
    """Deal a given deck of the rules in a game's place."""
    position = Packed(rules, batch.decks[game], batch.states[game])
    for place in range(deck.size):
        position.deck[place] = deck[place]
    deal(position)
    forget(batch.last[game], batch.named[game])
    write_legal(position, batch.legal[game])


@jit_hot_inline
def _observe(
    batch: Batch,
    rules: Words,
    options: Words,
    game: int,
    scratch: Scratch,
    observations: npt.NDArray[np.uint8],
) -> None:
    """Write a game's observation for the seat to act, or for each seat."""
    position = Packed(rules, batch.decks[game], batch.states[game])
    for view in range(observations.shape[1]):
        observer = position.state[k.SEAT] if observations.shape[1] == 1 else view
        encode(position, batch.last[game], batch.named[game], observer, options[KIND], scratch.row)
        if options[IS_PACKED]:
            pack(scratch.row, observations[game, view])
        else:
            spread(scratch.row, scratch.wide, scratch.wide_bytes, observations[game, view])


@jit_hot_inline
def _show(
    batch: Batch, rules: Words, options: Words, outputs: Outputs, game: int, scratch: Scratch
) -> None:
    """Write a game's observations, its legal actions and the seat to act."""
    _observe(batch, rules, options, game, scratch, outputs.observations)
    spread(batch.legal[game], scratch.wide, scratch.wide_bytes, outputs.masks[game])
    outputs.seats[game] = batch.states[game, k.SEAT]


@jit_hot_inline
def _advance(
    batch: Batch,
    deals: Deals,
    options: Words,
    action: int,
    outputs: Outputs,
    game: int,
    scratch: Scratch,
) -> None:
    """Take an action in a game, or deal it anew; write the reward, the end and `finals`."""
    rules, state = deals.rules, batch.states[game]
    outputs.rewards[game] = 0
    if state[k.END] == k.IN_PROGRESS:
        points = score(rules, state)
        position = Packed(rules, batch.decks[game], state)
        word = action_of(rules, state[k.SEAT], action)
        batch.taken[game, state[k.TURN]] = action
        take(position, batch.last[game], batch.named[game], word)
        write_legal(position, batch.legal[game])
        outputs.rewards[game] = score(rules, state) - points
    elif options[AUTORESET] == NEXT_STEP:
        deal_next(batch, deals, game)
    outputs.dones[game] = state[k.END] != k.IN_PROGRESS
    if state[k.END] != k.IN_PROGRESS and options[AUTORESET] == SAME_STEP:
        _observe(batch, rules, options, game, scratch, outputs.finals)
        deal_next(batch, deals, game)


@jit
def look(
    batch: Batch, rules: Words, options: Words, outputs: Outputs, first: int, last: int
) -> None:
    """Write the observations of the games `first` .. `last` - 1, and whether each is over."""
    scratch = _new_scratch(options)
    for game in range(first, last):
        outputs.dones[game] = batch.states[game, k.END] != k.IN_PROGRESS
        _show(batch, rules, options, outputs, game, scratch)


@jit
def step(
    batch: Batch,
    deals: Deals,
    options: Words,
    actions: npt.NDArray[np.int32],
    outputs: Outputs,
    first: int,
    last: int,
) -> None:
    """Take the actions of the games `first` .. `last` - 1, all legal, and write the results.

    A game that is over takes no action: with NEXT_STEP it is dealt anew, else it stays over.
    """
    rules = deals.rules
    scratch = _new_scratch(options)
    for game in range(first, last):
        _advance(batch, deals, options, actions[game], outputs, game, scratch)
        _show(batch, rules, options, outputs, game, scratch)


@jit_hot
def find_illegal(
    batch: Batch, rules: Words, actions: npt.NDArray[np.int32], first: int, last: int
) -> int:
    """Return the first game in progress whose action is illegal, or -1."""
    for game in range(first, last):
        if batch.states[game, k.END] == k.IN_PROGRESS:
            if not is_legal(rules, batch.legal[game], actions[game]):
                return game
    return -1


@jit_hot
def draw_actions(batch: Batch, actions: npt.NDArray[np.int32], first: int, last: int) -> None:
    """Write a uniformly random legal action for each game; 0 where a game is over."""
    for game in range(first, last):
        actions[game] = draw_number(batch.legal[game], batch.streams[game : game + 1])


@jit_hot
def count_points(rules: Words, states: Words, points: Words) -> None:
    """Write the points of each game, as the rules count them."""
    for game in range(points.size):
        points[game] = score(rules, states[game])


# A check that the arrays are those of possible games, by playing each game again.

# Numbers for the first wrong array of a game.
NOTHING, DECKS, STATES, LAST, NAMED, LEGAL, TAKEN = range(7)
NAMES = ("", "decks", "states", "last", "named", "legal", "taken")
N_DAMAGES = 7


@jit
def _is_deck(rules: Words, deck: Words, counts: Words) -> bool:
    """Whether these are the cards of the rules, in any order."""
    counts[:] = 0
    for code in deck:
        if code < 0 or color_of(code) >= rules[k.COLORS]:
            return False
        if rank_of(code) < 1 or rank_of(code) > rules[k.RANKS]:
            return False
        card = card_of(rules, code)
        counts[card] += 1
        if counts[card] > copies_of(rules, card):
            return False
    return True


@jit
def find_damage(batch: Batch, rules: Words, first: int, last: int) -> int:
    """Return the first damaged game of a range, times `N_DAMAGES`, plus its wrong array; or -1.

    No word is used before it is known to be in its range.
    """
    deck_size, state_size, n_legal = (
        batch.decks.shape[1],
        batch.states.shape[1],
        batch.legal.shape[1],
    )
    counts = np.empty(rules[k.COLORS] * rules[k.RANKS], np.int64)
    state, legal = np.empty(state_size, np.int64), np.empty(n_legal, np.int64)
    memory, named = np.empty(LAST_SIZE, np.int64), np.empty(deck_size, np.uint8)
    for game in range(first, last):
        wrong, deck = NOTHING, batch.decks[game]
        if not _is_deck(rules, deck, counts):
            return game * N_DAMAGES + DECKS
        turns = batch.states[game, k.TURN]
        if turns < 0 or turns > batch.taken.shape[1]:
            return game * N_DAMAGES + STATES
        position = Packed(rules, deck, state)
        deal(position)
        forget(memory, named)
        for turn in range(turns):
            action = action_of(rules, state[k.SEAT], batch.taken[game, turn])
            if find_broken_rule(position, action) != NO_RULE:
                return game * N_DAMAGES + TAKEN
            take(position, memory, named, action)
        write_legal(position, legal)
        if not np.array_equal(state, batch.states[game]):
            wrong = STATES
        elif not np.array_equal(memory, batch.last[game]):
            wrong = LAST
        elif not np.array_equal(named, batch.named[game]):
            wrong = NAMED
        elif not np.array_equal(legal, batch.legal[game]):
            wrong = LEGAL
        if wrong != NOTHING:
            return game * N_DAMAGES + wrong
    return -1
