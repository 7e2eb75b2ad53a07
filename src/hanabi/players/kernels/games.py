"""Whole games of compiled policies: the deals of a seed, or given decks, one after the other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.ground.compiled import RandomStream, Words, jit
from hanabi.ground.compiled.hot import jit_hot
from hanabi.ground.compiled.rng import below, seed_stream
from hanabi.players.kernels import policy as policies
from hanabi.players.kernels.policy import (
    Policy,
    is_shared,
    keeps_inner_memory,
    memory_size,
    play_on,
    scratch_size,
    start,
)
from hanabi.rules import layout as k
from hanabi.rules.kernels.deals import Deals, start_deal
from hanabi.rules.kernels.legal import legal_actions
from hanabi.rules.kernels.packed import Packed
from hanabi.rules.kernels.rules import deal, points_kept

UNTOLD = -1
"""In place of an outcome: the seats' memories differ, so the game has to be played from views."""


@jit_hot
def outcome_of(policy: Policy, position: Packed, memory: Words) -> int:
    """Return the outcome of a finished game, or `UNTOLD`; see `play_games`."""
    if not is_shared(policy, position.rules, memory):
        return UNTOLD
    is_bombed = 1 if position.state[k.END] == k.BOMBED else 0
    return points_kept(position.rules, position.state) << 1 | is_bombed


class Record(NamedTuple):
    """The decks and actions of games, one game a row; later games use the rows again.

    Attributes
    ----------
    decks
        The cards in draw order, as in `Packed`.
    taken
        The actions, one for each turn; the rest of a row is leftover data.
    turns
        The number of actions of each game.
    """

    decks: Words
    taken: Words
    turns: Words


@keeps_inner_memory
class Recorder(NamedTuple):
    """A policy that plays as `inner` does, and writes each action to `taken`, by its turn."""

    inner: Policy
    taken: Words


@policies.decide.register(Recorder)
@jit_hot
def _decide_recorded(
    one: Recorder, position: Packed, rng: RandomStream, memory: Words, scratch: Words
) -> int:
    return int(policies.decide(one.inner, position, rng, memory, scratch))


@policies.advance.register(Recorder)
@jit_hot
def _advance_recorded(
    one: Recorder, position: Packed, memory: Words, action: int, scratch: Words
) -> None:
    one.taken[position.state[k.TURN]] = action
    policies.advance(one.inner, position, memory, action, scratch)


@jit
def play_games(policy: Policy, deals: Deals, first: int, record: Record, outcomes: Words) -> None:
    """Play the deals `first`, `first` + 1, ... to the end, write them down, and their outcomes.

    An outcome is the points << 1 | whether the game was bombed; or `UNTOLD`. The first game is
    written to the first row of the record.
    """
    rules = deals.rules
    state = np.empty(rules[k.STATE_SIZE], np.int64)
    memory = np.empty(memory_size(policy, rules), np.int64)
    scratch = np.empty(scratch_size(policy, rules), np.int64)
    rng = np.empty(1, np.uint64)
    for game in range(outcomes.size):
        row = game % record.turns.size
        position = Packed(rules, record.decks[row], state)
        start_deal(deals, first + game, position, rng)
        start(policy, position, memory, scratch)
        play_on(Recorder(policy, record.taken[row]), position, rng, memory, scratch)
        record.turns[row] = state[k.TURN]
        outcomes[game] = outcome_of(policy, position, memory)


@jit
def play_decks(
    policy: Policy,
    rules: Words,
    decks: Words,
    seed: np.uint64,
    first: int,
    outcomes: Words,
) -> None:
    """Play the decks, one per row, to the end, and write one outcome each, as `play_games` does.

    Row i draws its decisions from the stream of `seed` and `first` + i.
    """
    position = Packed(
        rules, np.empty(decks.shape[1], np.int64), np.empty(rules[k.STATE_SIZE], np.int64)
    )
    memory = np.empty(memory_size(policy, rules), np.int64)
    scratch = np.empty(scratch_size(policy, rules), np.int64)
    rng = np.empty(1, np.uint64)
    for game in range(outcomes.size):
        for place in range(decks.shape[1]):
            position.deck[place] = decks[game, place]
        seed_stream(rng, seed, np.uint64(first + game))
        deal(position)
        start(policy, position, memory, scratch)
        play_on(policy, position, rng, memory, scratch)
        outcomes[game] = outcome_of(policy, position, memory)


# Random play, the simplest compiled policy: all legal actions have the same probability.


class RandomPolicy(NamedTuple):
    """The policy that draws a uniformly random legal action."""


@policies.decide.register(RandomPolicy)
@jit_hot
def decide(
    policy: RandomPolicy,
    position: Packed,
    rng: npt.NDArray[np.uint64],
    memory: Words,
    scratch: Words,
) -> int:
    """Return an action of the seat to act."""
    return int(scratch[below(rng, legal_actions(position, scratch))])


@policies.chance.register(RandomPolicy)
@jit_hot
def _chance(
    policy: RandomPolicy,
    position: Packed,
    rng: RandomStream,
    memory: Words,
    scratch: Words,
    action: int,
) -> float:
    n = legal_actions(position, scratch)
    for index in range(n):
        if scratch[index] == action:
            return 1 / n
    return 0.0


# Teams of different policies, each team a policy itself.
#
# Each member's memory follows the actions of all seats, whichever policies they have, so members
# misunderstand each other's conventions as strangers would. The seats of a member share a memory.
# If their memories would differ, each seat is a member of its own, as `Seen`.


class Mixed(NamedTuple):
    """A policy for some seats, and another, mixed or not, for the rest.

    Attributes
    ----------
    seats
        The seats of `first`, as bits.
    first, rest
        The policies.
    """

    seats: int
    first: Policy
    rest: Policy


@keeps_inner_memory
class Seen(NamedTuple):
    """A policy for one seat, whose memory follows only what this seat sees."""

    seat: int
    inner: Policy


@policies.decide.register(Seen)
@jit_hot
def _decide_seen(
    one: Seen, position: Packed, rng: RandomStream, memory: Words, scratch: Words
) -> int:
    return int(policies.decide(one.inner, position, rng, memory, scratch))


@policies.chance.register(Seen)
@jit_hot
def _chance_seen(
    one: Seen,
    position: Packed,
    rng: RandomStream,
    memory: Words,
    scratch: Words,
    action: int,
) -> float:
    return float(policies.chance(one.inner, position, rng, memory, scratch, action))


@policies.advance.register(Seen)
@jit_hot
def _advance_seen(one: Seen, position: Packed, memory: Words, action: int, scratch: Words) -> None:
    policies.advance_seen(one.inner, position, memory, action, scratch, one.seat)


@policies.move.register(Seen)
@jit_hot
def _move_seen(one: Seen, by: int, seats: int) -> Seen:
    return Seen((one.seat + by) % seats, one.inner)


@policies.move.register(Mixed)
@jit_hot
def _move(team: Mixed, by: int, seats: int) -> Mixed:
    first, rest = policies.move(team.first, by, seats), policies.move(team.rest, by, seats)
    return Mixed(policies.moved(team.seats, by, seats), first, rest)


@policies.memory_size.register(Mixed)
@jit_hot
def _memory_size(team: Mixed, rules: Words) -> int:
    return int(policies.memory_size(team.first, rules) + policies.memory_size(team.rest, rules))


@policies.scratch_size.register(Mixed)
@jit_hot
def _scratch_size(team: Mixed, rules: Words) -> int:
    """Return the words of a position and of the larger scratch of the members."""
    first = policies.scratch_size(team.first, rules)
    return int(rules[k.STATE_SIZE] + max(first, policies.scratch_size(team.rest, rules)))


@policies.start.register(Mixed)
@jit_hot
def _start(team: Mixed, position: Packed, memory: Words, scratch: Words) -> None:
    size = policies.memory_size(team.first, position.rules)
    policies.start(team.first, position, memory[:size], scratch)
    policies.start(team.rest, position, memory[size:], scratch)


@policies.is_shared.register(Mixed)
@jit_hot
def _is_shared(team: Mixed, rules: Words, memory: Words) -> bool:
    size = policies.memory_size(team.first, rules)
    return bool(
        policies.is_shared(team.first, rules, memory[:size])
        and policies.is_shared(team.rest, rules, memory[size:])
    )


@policies.decide.register(Mixed)
@jit_hot
def _decide(team: Mixed, position: Packed, rng: RandomStream, memory: Words, scratch: Words) -> int:
    size = policies.memory_size(team.first, position.rules)
    if team.seats >> position.state[k.SEAT] & 1:
        return int(policies.decide(team.first, position, rng, memory[:size], scratch))
    return int(policies.decide(team.rest, position, rng, memory[size:], scratch))


@policies.chance.register(Mixed)
@jit_hot
def _chance_mixed(
    team: Mixed,
    position: Packed,
    rng: RandomStream,
    memory: Words,
    scratch: Words,
    action: int,
) -> float:
    size = policies.memory_size(team.first, position.rules)
    if team.seats >> position.state[k.SEAT] & 1:
        return float(policies.chance(team.first, position, rng, memory[:size], scratch, action))
    return float(policies.chance(team.rest, position, rng, memory[size:], scratch, action))


@policies.resume.register(Mixed)
@jit_hot
def _resume(team: Mixed, position: Packed, memory: Words, scratch: Words) -> None:
    size = policies.memory_size(team.first, position.rules)
    policies.resume(team.first, position, memory[:size], scratch)
    policies.resume(team.rest, position, memory[size:], scratch)


@policies.truthful.register(Mixed)
@jit
def _truthful(team: Mixed, position: Packed, memory: Words, action: int, scratch: Words) -> bool:
    size = policies.memory_size(team.first, position.rules)
    return bool(
        policies.truthful(team.first, position, memory[:size], action, scratch)
        and policies.truthful(team.rest, position, memory[size:], action, scratch)
    )


@policies.advance.register(Mixed)
@jit_hot
def _advance(team: Mixed, position: Packed, memory: Words, action: int, scratch: Words) -> None:
    size = policies.memory_size(team.first, position.rules)
    state, n = position.state, position.state.size
    before, free = scratch[:n], scratch[n:]
    for word in range(n):
        before[word] = state[word]
    policies.advance(team.first, position, memory[:size], action, free)
    for word in range(n):
        state[word] = before[word]
    policies.advance(team.rest, position, memory[size:], action, free)
