"""The information player's decisions, the information that they carry, and whole games.

:mod:`hanabi.players.information` describes the player. `memory` is public knowledge, the same for
all seats (see `knowledge`), and a last word: whether an untruthful action has occurred, after which
the seats' memories differ. That happens if no truthful action is left; then every seat infers a
different answer of its own. Rules may have at most 62 different cards.
"""

from __future__ import annotations

from hanabi.compiled import Words
from hanabi.compiled.bits import count_bits
from hanabi.compiled.hot import jit_hot
from hanabi.game import layout as k
from hanabi.game.kernels.facts import index_at
from hanabi.game.kernels.packed import Packed, is_hint, target_of
from hanabi.game.kernels.rules import step
from hanabi.players.information.kernels.choices import decide
from hanabi.players.information.kernels.hints import (
    ask,
    choices,
    hear,
    message,
    nth_slot,
    plan_codes,
)
from hanabi.players.information.kernels.knowledge import (
    ALL,
    InformationPolicy,
    at_counts,
    at_free,
    at_hands,
    at_own,
    at_planes,
    at_told,
    begin,
    count_left,
    eliminate,
    judge,
    n_levels,
    n_sets,
    pin,
    scratch_size,
)
from hanabi.players.kernels import policy as policies

__all__ = ["InformationPolicy"]


policies.decide.register(InformationPolicy, decide)
policies.scratch_size.register(InformationPolicy, scratch_size)


@policies.memory_size.register(InformationPolicy)
@jit_hot
def memory_size(policy: InformationPolicy, rules: Words) -> int:
    """Return the number of words of `memory`."""
    return int(rules[k.SEATS] * rules[k.HAND_SIZE] + n_levels(rules) + 1)


@policies.is_shared.register(InformationPolicy)
@jit_hot
def is_shared(policy: InformationPolicy, rules: Words, memory: Words) -> bool:
    """Whether every message so far is true."""
    return bool(memory[memory.size - 1] == 0)


@policies.start.register(InformationPolicy)
@jit_hot
def start(policy: InformationPolicy, position: Packed, memory: Words, scratch: Words) -> None:
    """Write the memory of a position in which only the hints are publicly known."""
    rules, state = position.rules, position.state
    sets = scratch[: n_sets(rules)]
    judge(rules, state, sets)
    begin(rules, state, sets, memory, scratch[at_counts(rules) : at_planes(rules)])


@policies.possible.register(InformationPolicy)
@jit_hot
def possible(
    policy: InformationPolicy, position: Packed, memory: Words, seat: int, slot: int
) -> int:
    """Return the set of cards that a slot can hold by public knowledge."""
    rules = position.rules
    return int(memory[seat * rules[k.HAND_SIZE] + slot])


@policies.truthful.register(InformationPolicy)
@jit_hot
def truthful(
    policy: InformationPolicy,
    position: Packed,
    memory: Words,
    action: int,
    scratch: Words,
) -> bool:
    """Return whether a legal action of the seat to act gives the others no false information."""
    options = policy.options
    rules, state = position.rules, position.state
    sets = scratch[: n_sets(rules)]
    judge(rules, state, sets)
    pin(memory, rules[k.SEATS] * rules[k.HAND_SIZE], sets)
    if is_hint(action):
        messages = plan_codes(rules, state, options, memory, scratch)
        if messages == 0:
            return True
        wanted = ask(position, options, memory, messages, scratch, -1, 0)
        return message(position, action, scratch) == wanted
    slots = choices(rules, state, options, memory, sets, action)
    if slots == 0:
        return True
    said = ask(position, options, memory, count_bits(slots), scratch, -1, 0)
    return nth_slot(slots, said) == target_of(action)


@jit_hot
def _advance(
    position: Packed,
    options: Words,
    memory: Words,
    action: int,
    scratch: Words,
    blind: int,
) -> None:
    """Advance without reading the cards in the hand of seat `blind`, except the one it plays."""
    rules, state = position.rules, position.state
    n = rules[k.SEATS] * rules[k.HAND_SIZE]
    sets, told = scratch[: n_sets(rules)], scratch[at_told(rules) : at_free(rules)]
    judge(rules, state, sets)
    pin(memory, n, sets)
    messages, said = 0, 0
    if is_hint(action):
        messages = plan_codes(rules, state, options, memory, scratch)
        said = message(position, action, scratch)
    else:
        slots = choices(rules, state, options, memory, sets, action)
        messages = count_bits(slots)
        said = count_bits(slots & (1 << target_of(action)) - 1)
    if messages > 0:
        true = ask(position, options, memory, messages, scratch, blind, said)
        if blind < 0 and true != said:
            memory[memory.size - 1] = 1
        if is_hint(action):
            hear(position, action, told)
        for place in range(n):
            memory[place] = told[place]
    _move(position, action, memory, sets[ALL], scratch)
    counts = scratch[at_counts(rules) : at_planes(rules)]
    count_left(rules, state, counts)
    eliminate(memory[:n], counts, memory[n:-1])


@policies.advance.register(InformationPolicy)
@jit_hot
def advance(
    policy: InformationPolicy,
    position: Packed,
    memory: Words,
    action: int,
    scratch: Words,
) -> None:
    """Take any seat's legal action in `state` and update `memory`.

    The action is assumed to be truthful.
    """
    _advance(position, policy.options, memory, action, scratch, -1)


@jit_hot
def _move(position: Packed, action: int, memory: Words, new: int, scratch: Words) -> None:
    """Take an action; the knowledge of each card moves with it."""
    rules, state = position.rules, position.state
    hand = rules[k.HAND_SIZE]
    first = state[k.SEAT] * hand
    masks = scratch[at_own(rules) : at_hands(rules)]
    indices = scratch[at_hands(rules) : at_told(rules)]
    for slot in range(hand):
        masks[slot] = memory[first + slot]
        indices[slot] = index_at(rules, state, first + slot)
    step(position, action)
    for slot in range(hand):
        index = index_at(rules, state, first + slot)
        memory[first + slot] = new if index >= 0 else 0
        for old in range(hand):
            if index >= 0 and indices[old] == index:
                memory[first + slot] = masks[old]


@policies.advance_seen.register(InformationPolicy)
@jit_hot
def advance_seen(
    policy: InformationPolicy,
    position: Packed,
    memory: Words,
    action: int,
    scratch: Words,
    seat: int,
) -> None:
    """Advance as `seat` sees it: it infers its own answer from the rest of the sum."""
    _advance(position, policy.options, memory, action, scratch, seat)
