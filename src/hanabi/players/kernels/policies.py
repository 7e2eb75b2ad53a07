"""The compiled policies behind one door: `options[POLICY]` says which.

A policy is what a player does, as functions on the arrays of :mod:`hanabi.game.kernels.rules`:

======================  ========================================================================
`memory_size`           words of `memory`, what the policy keeps from turn to turn
`room_size`             words of `room`, scratch space
`start`                 write the memory of a position just dealt
`decide`                return the action of the seat to act
`advance`               take an action, and bring the memory up to date
`possible`              return the cards that a slot may hold, as bits `color * RANKS + rank - 1`
`resume`                mend the memory after `deck` got other hidden cards
`truthful`              whether an action tells nobody what is not so
======================  ========================================================================

Random play is always there. Each function takes three more arguments, one for each other policy:
None leaves it out of what is compiled, which saves many seconds, and any number lets it in.
"""

# ruff: noqa: ARG001 (all functions take the same three last arguments)

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.compiled import jit
from hanabi.compiled.lean import jit_lean
from hanabi.game.kernels.rules import CARDS, HAND_SIZE, RANKS, SEAT, SEATS, SIZES
from hanabi.players.convention.kernels import policy as convention
from hanabi.players.information.kernels import policy as information
from hanabi.players.kernels import random_play
from hanabi.players.rule_based.kernels import policy as rule_based

Words = npt.NDArray[np.int64]
RandomStream = npt.NDArray[np.uint64]

POLICY = 0  # word of `options`
RANDOM, RULE_BASED, INFORMATION, CONVENTION = range(4)


@jit_lean
def memory_size(
    rules: Words,
    with_rules: int | None,
    with_information: int | None,
    with_convention: int | None,
) -> int:
    """Return the words of memory that do for each policy let in."""
    size = int(random_play.memory_size(rules))
    if with_rules is not None:
        size = max(size, int(rule_based.memory_size(rules)))
    if with_information is not None:
        size = max(size, int(information.memory_size(rules)))
    if with_convention is not None:
        size = max(size, int(convention.memory_size(rules)))
    return size


@jit_lean
def room_size(
    rules: Words,
    with_rules: int | None,
    with_information: int | None,
    with_convention: int | None,
) -> int:
    """Return the words of scratch space that do for each policy let in."""
    size = int(random_play.room_size(rules))
    if with_rules is not None:
        size = max(size, int(rule_based.room_size(rules)))
    if with_information is not None:
        size = max(size, int(information.room_size(rules)))
    if with_convention is not None:
        size = max(size, int(convention.room_size(rules)))
    return size


@jit_lean
def start(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    memory: Words,
    room: Words,
    with_rules: int | None,
    with_information: int | None,
    with_convention: int | None,
) -> None:
    """Write the memory of a position just dealt."""
    if with_rules is not None:
        if options[POLICY] == RULE_BASED:
            rule_based.start(rules, deck, state, options, memory, room)
            return
    if with_information is not None:
        if options[POLICY] == INFORMATION:
            information.start(rules, deck, state, options, memory, room)
            return
    if with_convention is not None:
        if options[POLICY] == CONVENTION:
            convention.start(rules, deck, state, options, memory, room)
            return
    random_play.start(rules, deck, state, options, memory, room)


@jit_lean
def decide(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    stream: RandomStream,
    memory: Words,
    room: Words,
    with_rules: int | None,
    with_information: int | None,
    with_convention: int | None,
) -> int:
    """Return the action of the seat to act; it draws from the stream what it leaves to chance."""
    if with_rules is not None:
        if options[POLICY] == RULE_BASED:
            return int(rule_based.decide(rules, deck, state, options, stream, memory, room))
    if with_information is not None:
        if options[POLICY] == INFORMATION:
            return int(information.decide(rules, deck, state, options, stream, memory, room))
    if with_convention is not None:
        if options[POLICY] == CONVENTION:
            return int(convention.decide(rules, deck, state, options, stream, memory, room))
    return int(random_play.decide(rules, deck, state, options, stream, memory, room))


@jit_lean
def advance(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    memory: Words,
    action: int,
    room: Words,
    with_rules: int | None,
    with_information: int | None,
    with_convention: int | None,
) -> None:
    """Take an action, and bring the memory up to date."""
    if with_rules is not None:
        if options[POLICY] == RULE_BASED:
            rule_based.advance(rules, deck, state, options, memory, action, room)
            return
    if with_information is not None:
        if options[POLICY] == INFORMATION:
            information.advance(rules, deck, state, options, memory, action, room)
            return
    if with_convention is not None:
        if options[POLICY] == CONVENTION:
            convention.advance(rules, deck, state, options, memory, action, room)
            return
    random_play.advance(rules, deck, state, options, memory, action, room)


@jit_lean
def possible(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    memory: Words,
    seat: int,
    slot: int,
    with_rules: int | None,
    with_information: int | None,
    with_convention: int | None,
) -> int:
    """Return the cards that a slot may hold as far as everybody knows."""
    if with_rules is not None:
        if options[POLICY] == RULE_BASED:
            return int(rule_based.possible(rules, deck, state, options, memory, seat, slot))
    if with_information is not None:
        if options[POLICY] == INFORMATION:
            return int(information.possible(rules, deck, state, options, memory, seat, slot))
    if with_convention is not None:
        if options[POLICY] == CONVENTION:
            return int(convention.possible(rules, deck, state, options, memory, seat, slot))
    return int(random_play.possible(rules, deck, state, options, memory, seat, slot))


@jit_lean
def resume(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    memory: Words,
    room: Words,
    with_rules: int | None,
    with_information: int | None,
    with_convention: int | None,
) -> None:
    """Mend the memory after `deck` got other hidden cards."""
    if with_rules is not None:
        if options[POLICY] == RULE_BASED:
            rule_based.resume(rules, deck, state, options, memory, room)
            return
    if with_information is not None:
        if options[POLICY] == INFORMATION:
            information.resume(rules, deck, state, options, memory, room)
            return
    if with_convention is not None:
        if options[POLICY] == CONVENTION:
            convention.resume(rules, deck, state, options, memory, room)
            return
    random_play.resume(rules, deck, state, options, memory, room)


@jit
def truthful(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    memory: Words,
    action: int,
    room: Words,
    with_rules: int | None,
    with_information: int | None,
    with_convention: int | None,
) -> bool:
    """Whether nobody but the seat to act takes `action` for what is not so.

    Random and rule-based play give no action a meaning beyond the rules of the game.
    """
    if with_information is not None:
        if options[POLICY] == INFORMATION:
            return bool(information.truthful(rules, deck, state, options, memory, action, room))
    if with_convention is not None:
        if options[POLICY] == CONVENTION:
            after, learned = np.empty_like(state), np.empty_like(memory)
            after[:], learned[:] = state, memory
            convention.advance(rules, deck, after, options, learned, action, room)
            return _excludes_nothing(rules, deck, state, after, options, memory, learned)
    return True


@jit_lean
def _excludes_nothing(
    rules: Words,
    deck: Words,
    state: Words,
    after: Words,
    options: Words,
    memory: Words,
    learned: Words,
) -> bool:
    """Whether no card of the others that was thought possible where it is no longer is."""
    for seat in range(rules[SEATS]):
        if seat == state[SEAT]:
            continue
        for slot in range(state[rules[SIZES] + seat]):
            code = deck[state[rules[CARDS] + seat * rules[HAND_SIZE] + slot]]
            bit = 1 << ((code >> 5) * rules[RANKS] + (code & 31) - 1)
            was = convention.possible(rules, deck, state, options, memory, seat, slot)
            may_be = convention.possible(rules, deck, after, options, learned, seat, slot)
            if was & bit and not may_be & bit:
                return False
    return True
