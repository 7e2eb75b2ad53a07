"""What compiled players have in common: each is a policy, a record whose class says what it does.

===============  ===============================================================================
`memory_size`    words of `memory`, what the policy keeps from turn to turn; if any, it needs
                 the game's history to decide for a view
`scratch_size`   words of `scratch`, with which the functions work
`start`          write the memory of a position just dealt
`decide`         return the action of the seat to act; chance is drawn from `rng`
`advance`        take a legal action, anybody's, and bring the memory up to date
`possible`       return the cards that a slot can hold as far as everybody knows, as a set of bits
`resume`         mend the memory after `deck` got other hidden cards
`truthful`       whether an action tells nobody what is not so
`advance_seen`   `advance`, as one seat sees it
`is_shared`      whether every seat that remembers so keeps this very memory
===============  ===============================================================================

Only `decide` must be registered for a policy. What the others do by default is right for one that
keeps nothing between turns and gives hints no meaning beyond the rules.
"""

from __future__ import annotations

from typing import TypeAlias

from hanabi.compiled import RandomStream, Words, jit
from hanabi.compiled.dispatch import by_type
from hanabi.compiled.hot import jit_hot
from hanabi.game import layout as k
from hanabi.game.kernels.facts import cards_known, known_at
from hanabi.game.kernels.packed import Packed
from hanabi.game.kernels.rules import step

Policy: TypeAlias = tuple[object, ...]  # a NamedTuple for whose class `decide` is registered


@by_type
@jit_hot
def memory_size(policy: Policy, rules: Words) -> int:
    """Return the number of words of `memory`."""
    return 0


@by_type
@jit_hot
def scratch_size(policy: Policy, rules: Words) -> int:
    """Return the number of words of `scratch`."""
    return int(rules[k.MAX_ACTIONS])


@by_type
@jit_hot
def start(policy: Policy, position: Packed, memory: Words, scratch: Words) -> None:
    """Write the memory of a position just dealt."""


@by_type
def decide(
    policy: Policy, position: Packed, rng: RandomStream, memory: Words, scratch: Words
) -> int:
    """Return the action of the seat to act."""
    raise NotImplementedError


@by_type
@jit_hot
def advance(policy: Policy, position: Packed, memory: Words, action: int, scratch: Words) -> None:
    """Take a legal action, anybody's, and bring the memory up to date."""
    step(position, action)


@by_type
@jit_hot
def possible(policy: Policy, position: Packed, memory: Words, seat: int, slot: int) -> int:
    """Return the cards that a slot can hold as far as everybody knows."""
    rules, state = position.rules, position.state
    return int(cards_known(rules, known_at(rules, state, seat * rules[k.HAND_SIZE] + slot)))


@by_type
@jit_hot
def resume(policy: Policy, position: Packed, memory: Words, scratch: Words) -> None:
    """Mend the memory after `deck` got other hidden cards."""


@by_type
@jit_hot
def truthful(policy: Policy, position: Packed, memory: Words, action: int, scratch: Words) -> bool:
    """Whether nobody but the seat to act takes `action` for what is not so."""
    return True


@by_type
@jit_hot
def advance_seen(
    policy: Policy, position: Packed, memory: Words, action: int, scratch: Words, seat: int
) -> None:
    """Advance without a look at the cards in a seat's hand, which hints allow to be others.

    For a policy whose memory is the same whoever keeps it, this is `advance`.
    """
    advance(policy, position, memory, action, scratch)


@by_type
@jit_hot
def is_shared(policy: Policy, rules: Words, memory: Words) -> bool:
    """Whether all seats that `advance_seen` would by now keep the memory of `advance`."""
    return True


@jit
def replay(
    policy: Policy,
    position: Packed,
    memory: Words,
    actions: Words,
    scratch: Words,
    seat: int,
) -> None:
    """Take actions from the deal on as a seat sees them."""
    start(policy, position, memory, scratch)
    for turn in range(actions.size):
        advance_seen(policy, position, memory, actions[turn], scratch, seat)


@by_type
@jit_hot
def play_on(
    policy: Policy, position: Packed, rng: RandomStream, memory: Words, scratch: Words
) -> None:
    """Let the policy play to the end: the one loop of all games and play-outs."""
    while position.state[k.END] == k.IN_PROGRESS:
        action = decide(policy, position, rng, memory, scratch)
        advance(policy, position, memory, action, scratch)
