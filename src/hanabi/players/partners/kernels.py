"""Weighing the deals of a seat by what its partners did, compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hanabi.ground.compiled import RandomStream, Words, jit
from hanabi.ground.compiled.hot import jit_hot
from hanabi.players.belief.kernels import (
    EXACT,
    BeliefPolicy,
    Past,
    Weights,
    chance_of,
    open_past,
    weigh_world,
)
from hanabi.players.kernels import policy as policies
from hanabi.players.kernels.policy import Policy
from hanabi.players.kernels.trials import Worlds, open_trial
from hanabi.rules import layout as k
from hanabi.rules.kernels.packed import Packed, most_turns
from hanabi.rules.kernels.rules import deal_from, first_seat, step
from hanabi.worlds.kernels.deals import lay

# Seats that read an action differently.


class Recalling(NamedTuple):
    """A policy that keeps the actions alone, and reads them as the seat to act sees them.

    Each seat then has the memory that it would have at a table, although another seat's differs
    (`advance_seen`), and although it depends on cards that another seat does not see. The sets of
    `possible` are those of hints.
    """

    inner: Policy


@policies.memory_size.register(Recalling)
@jit_hot
def _memory_size(policy: Recalling, rules: Words) -> int:
    return most_turns(rules)


@policies.scratch_size.register(Recalling)
@jit_hot
def _scratch_size(policy: Recalling, rules: Words) -> int:
    """Return the words of a position, of the inner policy's memory, and of its scratch."""
    inner = policies.memory_size(policy.inner, rules) + policies.scratch_size(policy.inner, rules)
    return int(rules[k.STATE_SIZE] + inner)


@policies.start.register(Recalling)
@jit_hot
def _start(policy: Recalling, position: Packed, memory: Words, scratch: Words) -> None:
    for turn in range(memory.size):
        memory[turn] = 0


@policies.advance.register(Recalling)
@jit_hot
def _advance(
    policy: Recalling, position: Packed, memory: Words, action: int, scratch: Words
) -> None:
    memory[position.state[k.TURN]] = action
    step(position, action)


@jit
def _recall(
    policy: Recalling, position: Packed, actions: Words, scratch: Words
) -> tuple[Words, Words]:
    """Return the memory of the seat to act, and the scratch that is left."""
    rules, state = position.rules, position.state
    size, used = rules[k.STATE_SIZE], policies.memory_size(policy.inner, rules)
    then = Packed(rules, position.deck, scratch[:size])
    memory, free = scratch[size : size + used], scratch[size + used :]
    deal_from(then, first_seat(rules, state))
    policies.replay(policy.inner, then, memory, actions[: state[k.TURN]], free, state[k.SEAT])
    return memory, free


@policies.decide.register(Recalling)
@jit
def _decide(
    policy: Recalling, position: Packed, rng: RandomStream, memory: Words, scratch: Words
) -> int:
    own, free = _recall(policy, position, memory, scratch)
    return int(policies.decide(policy.inner, position, rng, own, free))


@policies.chance.register(Recalling)
@jit
def _chance(
    policy: Recalling,
    position: Packed,
    rng: RandomStream,
    memory: Words,
    scratch: Words,
    action: int,
) -> float:
    own, free = _recall(policy, position, memory, scratch)
    return float(policies.chance(policy.inner, position, rng, own, free, action))


@policies.truthful.register(Recalling)
@jit
def _truthful(
    policy: Recalling, position: Packed, memory: Words, action: int, scratch: Words
) -> bool:
    own, free = _recall(policy, position, memory, scratch)
    return bool(policies.truthful(policy.inner, position, own, action, free))


@jit
def has_misled(policy: Policy, position: Packed, actions: Words) -> bool:
    """Whether an action of the seat to act has given the others false information.

    What the others did later may rest on it, and their actions may no longer mean what the
    conventions say. Depends on no hidden card.
    """
    rules, state = position.rules, position.state
    memory = np.empty(policies.memory_size(policy, rules), np.int64)
    scratch = np.empty(policies.scratch_size(policy, rules), np.int64)
    now = Packed(rules, position.deck, np.empty_like(state))
    deal_from(now, first_seat(rules, state))
    policies.start(policy, now, memory, scratch)
    for turn in range(actions.size):
        if now.state[k.SEAT] == state[k.SEAT] and not policies.truthful(
            policy, now, memory, actions[turn], scratch
        ):
            return True
        policies.advance_seen(policy, now, memory, actions[turn], scratch, state[k.SEAT])
    return False


# A seat's possible deals.


@jit
def weigh_worlds(
    policy: BeliefPolicy,
    position: Packed,
    memory: Words,
    places: Words,
    worlds: Words,
    rng: RandomStream,
    weights: Weights,
) -> None:
    """Write the probability of what the others did in each world, as far as it depends on it."""
    past, scratch = _open(policy, position, memory, places, worlds, False)
    for world in range(worlds.shape[0]):
        lay(places, worlds[world], past.now.deck)
        weights[world] = weigh_world(policy, past, EXACT, 0.0, rng, scratch)


@jit
def count_contradictions(
    policy: BeliefPolicy,
    position: Packed,
    memory: Words,
    places: Words,
    worlds: Words,
    rng: RandomStream,
) -> tuple[Words, Words]:
    """Return how many of the others' decisions the policy would never take in each world.

    The second array has each decision: 1 if the policy takes it in no world, else 0.
    """
    past, scratch = _open(policy, position, memory, places, worlds, True)
    never = np.ones(past.actions.size, np.int64)
    wrong = np.zeros(worlds.shape[0], np.int64)
    for world in range(worlds.shape[0]):
        lay(places, worlds[world], past.now.deck)
        for row in range(never.size):
            if chance_of(policy, past, row, rng, scratch) == 0:
                wrong[world] += 1
            else:
                never[row] = 0
    return wrong, never


@jit
def _open(
    policy: BeliefPolicy,
    position: Packed,
    memory: Words,
    places: Words,
    worlds: Words,
    is_whole: bool,
) -> tuple[Past, Words]:
    """Return the decisions to check in worlds, of which the first one is entered, and scratch."""
    scratch = np.empty(policies.scratch_size(policy, position.rules), np.int64)
    deck = position.deck.copy()
    lay(places, worlds[0], deck)
    return open_past(policy, position, deck, memory, scratch, is_whole), scratch


@jit
def open_deals(
    policy: BeliefPolicy, position: Packed, memory: Words, places: Words, cards: Words
) -> Worlds:
    """Return the deals with a trial to continue in."""
    rules = position.rules
    size = policies.memory_size(policy.inner, rules)
    scratch = np.empty(policies.scratch_size(policy, rules), np.int64)
    trial = open_trial(position, memory[:size], np.empty(1, np.uint64), scratch)
    return Worlds(trial, places, cards, False, np.uint64(0))
