"""The policy that searches over beliefs: an inner one, and what has been done since the deal.

Its memory is that of the inner policy, then one word a turn: the action taken.
"""

from __future__ import annotations

from typing import NamedTuple

from hanabi.compiled import Words, jit
from hanabi.compiled.hot import jit_hot
from hanabi.game import layout as k
from hanabi.game.kernels.words import Packed, most_turns
from hanabi.players.kernels import policy as policies
from hanabi.players.kernels.policy import Policy

# Words of `limits`: worlds of a decision; tries for each; seats that search, from the first; how
# likely, in thousandths, a seat that searches does what the inner policy would not; hundredths of a
# point, and of standard errors, by which an action must be better; whether actions may say what is
# not so; how often each world is dealt at most, with other cards left to draw.
WORLDS, TRIES, SEARCHING, SLACK, MARGIN, CAUTION, MISREAD, DEALS = range(8)
LIMITS = 8
SLACK_UNIT = 1000


class BeliefPolicy(NamedTuple):
    """What searches, and what it goes on by."""

    inner: Policy
    limits: Words


@policies.memory_size.register(BeliefPolicy)
@jit_hot
def _memory_size(policy: BeliefPolicy, rules: Words) -> int:
    return int(policies.memory_size(policy.inner, rules) + most_turns(rules))


@policies.scratch_size.register(BeliefPolicy)
@jit_hot
def _scratch_size(policy: BeliefPolicy, rules: Words) -> int:
    return int(policies.scratch_size(policy.inner, rules))


@policies.start.register(BeliefPolicy)
@jit_hot
def _start(policy: BeliefPolicy, position: Packed, memory: Words, scratch: Words) -> None:
    size = policies.memory_size(policy.inner, position.rules)
    policies.start(policy.inner, position, memory[:size], scratch)
    for word in range(size, memory.size):
        memory[word] = 0


@policies.advance.register(BeliefPolicy)
@jit_hot
def _advance(
    policy: BeliefPolicy, position: Packed, memory: Words, action: int, scratch: Words
) -> None:
    size = policies.memory_size(policy.inner, position.rules)
    memory[size + position.state[k.TURN]] = action
    policies.advance(policy.inner, position, memory[:size], action, scratch)


@policies.possible.register(BeliefPolicy)
@jit_hot
def _possible(policy: BeliefPolicy, position: Packed, memory: Words, seat: int, slot: int) -> int:
    size = policies.memory_size(policy.inner, position.rules)
    return int(policies.possible(policy.inner, position, memory[:size], seat, slot))


@policies.resume.register(BeliefPolicy)
@jit_hot
def _resume(policy: BeliefPolicy, position: Packed, memory: Words, scratch: Words) -> None:
    size = policies.memory_size(policy.inner, position.rules)
    policies.resume(policy.inner, position, memory[:size], scratch)


@policies.is_shared.register(BeliefPolicy)
@jit_hot
def _is_shared(policy: BeliefPolicy, rules: Words, memory: Words) -> bool:
    size = policies.memory_size(policy.inner, rules)
    return bool(policies.is_shared(policy.inner, rules, memory[:size]))


@policies.truthful.register(BeliefPolicy)
@jit
def _truthful(
    policy: BeliefPolicy, position: Packed, memory: Words, action: int, scratch: Words
) -> bool:
    size = policies.memory_size(policy.inner, position.rules)
    return bool(policies.truthful(policy.inner, position, memory[:size], action, scratch))


@policies.advance_seen.register(BeliefPolicy)
@jit_hot
def _advance_seen(
    policy: BeliefPolicy, position: Packed, memory: Words, action: int, scratch: Words, seat: int
) -> None:
    size = policies.memory_size(policy.inner, position.rules)
    memory[size + position.state[k.TURN]] = action
    policies.advance_seen(policy.inner, position, memory[:size], action, scratch, seat)
