"""Teams of different policies, each team a policy itself.

Each member's memory follows the actions of all seats, whichever policies they have, so members
misunderstand each other's conventions as strangers would. The seats of a member share a memory. If
their memories would differ, each seat is a member of its own, as `Seen`.
"""

from __future__ import annotations

from typing import NamedTuple

from hanabi.compiled import RandomStream, Words
from hanabi.compiled.hot import jit_hot
from hanabi.game import layout as k
from hanabi.game.kernels.packed import Packed
from hanabi.players.kernels import policy as policies
from hanabi.players.kernels.policy import Policy
from hanabi.players.kernels.wrapped import keeps_inner_memory


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


@policies.advance.register(Seen)
@jit_hot
def _advance_seen(one: Seen, position: Packed, memory: Words, action: int, scratch: Words) -> None:
    policies.advance_seen(one.inner, position, memory, action, scratch, one.seat)


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
