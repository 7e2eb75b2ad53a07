"""Kernels of partners: compiled players that act in an environment's games beside a learner."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.env import kernels as env
from hanabi.env.kernels import Batch, Company, action_of, note_action, note_result, number_of
from hanabi.ground.compiled import Bytes, RandomStream, Words, jit
from hanabi.ground.compiled.hot import jit_hot, jit_hot_inline
from hanabi.players.kernels import policy as policies
from hanabi.players.kernels.policy import Policy
from hanabi.rules import layout as k
from hanabi.rules.kernels.deals import Deals
from hanabi.rules.kernels.packed import Packed
from hanabi.rules.kernels.rules import deal


class Seating(NamedTuple):
    """The learner's seats, as bits, in the first game of place 0.

    If it rotates, each later game of a place, and each later place, moves them on by one seat.
    """

    learner: int
    rotates: bool


@jit_hot
def turned(seating: Seating, batch: Batch, game: int, seats: int) -> int:
    """Return by how many seats a game's seating is moved on."""
    return (game + batch.games[game] - 1) % seats if seating.rotates else 0


class Waiting(NamedTuple):
    """Games in which others act between the learner's turns, once the caller has asked them."""

    deals: Deals
    seating: Seating


class Beside(NamedTuple):
    """Games in which a policy acts between the learner's turns.

    Attributes
    ----------
    deals, seating
        The deals, and where the learner sits.
    policy
        The policy of all other seats, as they sit in the first game of place 0.
    memories
        Its memory of each game.
    scratch
        Its work space; empty until `join` makes it.
    """

    deals: Deals
    seating: Seating
    policy: Policy
    memories: Words
    scratch: Words


class Table(NamedTuple):
    """The policy of one game, which writes down all actions, the learner's too."""

    inner: Policy
    learner: int
    last: Words
    named: Bytes
    taken: npt.NDArray[np.int16]


@policies.acts.register(Table)
@jit_hot
def _acts(table: Table, position: Packed) -> bool:
    return not table.learner >> position.state[k.SEAT] & 1


@policies.decide.register(Table)
@jit_hot
def _decide(
    table: Table, position: Packed, rng: RandomStream, memory: Words, scratch: Words
) -> int:
    return int(policies.decide(table.inner, position, rng, memory, scratch))


@policies.advance.register(Table)
@jit_hot
def _advance(table: Table, position: Packed, memory: Words, action: int, scratch: Words) -> None:
    state = position.state
    table.taken[state[k.TURN]] = number_of(position.rules, state[k.SEAT], action)
    note_action(position, table.last, table.named, action)
    policies.advance(table.inner, position, memory, action, scratch)
    note_result(state, table.last)


@jit_hot_inline
def _position(company: Beside, batch: Batch, game: int) -> Packed:
    return Packed(company.deals.rules, batch.decks[game], batch.states[game])


@jit_hot_inline
def _table(company: Beside, batch: Batch, game: int) -> Table:
    seats = company.deals.rules[k.SEATS]
    by = turned(company.seating, batch, game, seats)
    return Table(
        policies.move(company.policy, by, seats),
        policies.moved(company.seating.learner, by, seats),
        batch.last[game],
        batch.named[game],
        batch.taken[game],
    )


@jit_hot_inline
def _play_on(company: Beside, table: Table, batch: Batch, game: int) -> None:
    """Let the partners act until the learner is to act, or the game is over."""
    position = _position(company, batch, game)
    stream = batch.streams[game : game + 1]
    policies.play_on(table, position, stream, company.memories[game], company.scratch)
    env.write_legal(position, batch.legal[game])


@env.join.register(Beside)
@jit
def _join(company: Beside) -> Beside:
    deals, policy = company.deals, company.policy
    scratch = np.empty(policies.scratch_size(policy, deals.rules), np.int64)
    return Beside(deals, company.seating, policy, company.memories, scratch)


@env.begin.register(Beside)
@jit_hot
def _begin(company: Beside, batch: Batch, game: int) -> None:
    table, position = _table(company, batch, game), _position(company, batch, game)
    policies.start(table.inner, position, company.memories[game], company.scratch)
    _play_on(company, table, batch, game)


@env.act.register(Beside)
@jit_hot
def _act(company: Beside, batch: Batch, game: int, number: int) -> None:
    table, position = _table(company, batch, game), _position(company, batch, game)
    word = action_of(position.rules, position.state[k.SEAT], number)
    policies.advance(table, position, company.memories[game], word, company.scratch)
    _play_on(company, table, batch, game)


@env.callers_of.register(Waiting)
@jit_hot
def _learners_waiting(company: Waiting, batch: Batch, game: int) -> int:
    return _learners(company.deals.rules, company.seating, batch, game)


@env.callers_of.register(Beside)
@jit_hot
def _learners_beside(company: Beside, batch: Batch, game: int) -> int:
    return _learners(company.deals.rules, company.seating, batch, game)


@jit_hot_inline
def _learners(rules: Words, seating: Seating, batch: Batch, game: int) -> int:
    by = turned(seating, batch, game, rules[k.SEATS])
    return policies.moved(seating.learner, by, rules[k.SEATS])


@jit
def begin_games(company: Company, batch: Batch, games: Words) -> None:
    """Let the partners begin the games that were just dealt."""
    joined = env.join(company)
    for game in games:
        env.begin(joined, batch, game)


@jit
def resume_games(company: Beside, batch: Batch) -> None:
    """Make each game's memory anew from its actions, and let the partners act if it is theirs."""
    joined, state = env.join(company), batch.states[0].copy()
    for game in range(batch.games.size):
        _resume(joined, batch, game, state)


@jit_hot  # it makes records, which code with reference counts would not hold
def _resume(company: Beside, batch: Batch, game: int, state: Words) -> None:
    past = Packed(company.deals.rules, batch.decks[game], state)
    table, memory = _table(company, batch, game), company.memories[game]
    deal(past)
    policies.start(table.inner, past, memory, company.scratch)
    for turn in range(batch.states[game, k.TURN]):
        word = action_of(past.rules, state[k.SEAT], batch.taken[game, turn])
        policies.advance(table.inner, past, memory, word, company.scratch)
    _play_on(company, table, batch, game)
