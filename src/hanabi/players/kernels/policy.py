"""The interface of compiled players: each is a policy, a record whose class selects its functions.

===============  ===============================================================================
`memory_size`    words of `memory`, which the policy keeps from turn to turn; if any, it needs
                 the game's history to decide for a view
`scratch_size`   words of `scratch`, the work space of the functions
`start`          write the memory of a newly dealt position
`decide`         return the action of the seat to act; `rng` is the source of randomness
`chance`         return the probability that `decide` returns an action, if it is known
`advance`        take any seat's legal action, and update the memory
`possible`       return the publicly known set of cards that a slot can hold, as bits
`resume`         repair the memory after the hidden cards of `deck` changed
`truthful`       whether an action gives no false information to any other seat
`advance_seen`   `advance`, as one seat sees it
`is_shared`      whether every seat's memory by `advance_seen` equals this one
`acts`           whether the policy decides for the seat to act; games stop where it does not
`move`           return the policy with all its players moved on by a number of seats
===============  ===============================================================================

Only `decide` must be registered for a policy. The defaults of the others suit a policy that has no
memory, gives hints only their literal meaning, and decides without chance or by unknown chances.
"""

from __future__ import annotations

from typing import Protocol, TypeAlias, TypeVar

from hanabi.ground.compiled import RandomStream, Words, jit
from hanabi.ground.compiled.dispatch import by_type
from hanabi.ground.compiled.hot import jit_hot, jit_hot_inline
from hanabi.rules import layout as k
from hanabi.rules.kernels.facts import card_bit, cards_known, code_at, known_at, n_held
from hanabi.rules.kernels.packed import Packed
from hanabi.rules.kernels.rules import step

Policy: TypeAlias = tuple[object, ...]  # a NamedTuple whose class has a registered `decide`


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
    """Write the memory of a newly dealt position."""


@by_type
def decide(
    policy: Policy, position: Packed, rng: RandomStream, memory: Words, scratch: Words
) -> int:
    """Return the action of the seat to act."""
    raise NotImplementedError


UNKNOWN = -1.0
"""In place of a probability that is not known; whoever needs it asks `decide` repeatedly."""


@by_type
@jit_hot
def chance(
    policy: Policy,
    position: Packed,
    rng: RandomStream,
    memory: Words,
    scratch: Words,
    action: int,
) -> float:
    """Return the probability that `decide` returns `action`, or `UNKNOWN`; draw nothing.

    If it is unknown, the memory stays as it was. A policy that decides by chance should register
    this function.
    """
    return UNKNOWN


@by_type
@jit_hot
def advance(policy: Policy, position: Packed, memory: Words, action: int, scratch: Words) -> None:
    """Take any seat's legal action, and update the memory."""
    step(position, action)


@by_type
@jit_hot
def possible(policy: Policy, position: Packed, memory: Words, seat: int, slot: int) -> int:
    """Return the publicly known set of cards that a slot can hold."""
    rules, state = position.rules, position.state
    return int(cards_known(rules, known_at(rules, state, seat * rules[k.HAND_SIZE] + slot)))


@by_type
@jit_hot
def resume(policy: Policy, position: Packed, memory: Words, scratch: Words) -> None:
    """Repair the memory after the hidden cards of `deck` changed."""


@by_type
@jit_hot
def truthful(policy: Policy, position: Packed, memory: Words, action: int, scratch: Words) -> bool:
    """Whether `action` gives no false information to any other seat."""
    return True


@by_type
@jit_hot
def advance_seen(
    policy: Policy, position: Packed, memory: Words, action: int, scratch: Words, seat: int
) -> None:
    """Advance as a seat sees it, whose cards may be any that hints allow.

    This is `advance` for a policy whose memory is the same for all seats.
    """
    advance(policy, position, memory, action, scratch)


@by_type
@jit_hot
def is_shared(policy: Policy, rules: Words, memory: Words) -> bool:
    """Whether every seat's memory by `advance_seen` would still equal that of `advance`."""
    return True


@jit
def keeps_true_cards(
    policy: Policy, position: Packed, memory: Words, action: int, scratch: Words
) -> bool:
    """Whether an action keeps the true cards of the others in all sets that contained them.

    This is `truthful` for a policy whose `possible` follows from more than hints. An action is not
    if seats read different things in it, either.
    """
    rules, deck, state = position
    after, learned = Packed(rules, deck, state.copy()), memory.copy()
    advance(policy, after, learned, action, scratch)
    if is_shared(policy, rules, memory) and not is_shared(policy, rules, learned):
        return False
    for seat in range(rules[k.SEATS]):
        if seat == state[k.SEAT]:
            continue
        for slot in range(n_held(rules, state, seat)):
            bit = card_bit(rules, code_at(position, seat * rules[k.HAND_SIZE] + slot))
            was = possible(policy, position, memory, seat, slot)
            if was & bit and not possible(policy, after, learned, seat, slot) & bit:
                return False
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
    """Replay actions from the deal on, as a seat sees them."""
    start(policy, position, memory, scratch)
    for turn in range(actions.size):
        advance_seen(policy, position, memory, actions[turn], scratch, seat)


@by_type
@jit_hot
def acts(policy: Policy, position: Packed) -> bool:
    """Whether the policy decides for the seat to act; `play_on` stops where it does not."""
    return True


@by_type
@jit_hot
def move(policy: Policy, by: int, seats: int) -> Policy:
    """Return the policy with all its players moved on by a number of seats."""
    return policy


@jit_hot_inline
def moved(bits: int, by: int, seats: int) -> int:
    """Return a set of seats, as bits, moved on by fewer seats than there are."""
    return (bits << by | bits >> seats - by) & (1 << seats) - 1


@by_type
@jit_hot
def play_on(
    policy: Policy, position: Packed, rng: RandomStream, memory: Words, scratch: Words
) -> None:
    """Let the policy play as long as it `acts`, for all games and play-outs."""
    while acts(policy, position) and position.state[k.END] == k.IN_PROGRESS:
        action = decide(policy, position, rng, memory, scratch)
        advance(policy, position, memory, action, scratch)


# Policies that search with another one, `inner`, and share its memory and conventions.


class Wrapper(Protocol):
    """A record with a field `inner`."""

    @property
    def inner(self) -> Policy:
        """The policy that everybody is expected to follow."""
        ...


C = TypeVar("C", bound=type)


def keeps_inner_memory(wrapper: C) -> C:
    """Give a policy class all functions of its inner policy except `decide`; a class decorator.

    Its scratch is the inner policy's until it registers its own size.
    """
    memory_size.register(wrapper, _memory_size)
    scratch_size.register(wrapper, _scratch_size)
    start.register(wrapper, _start)
    advance.register(wrapper, _advance)
    possible.register(wrapper, _possible)
    resume.register(wrapper, _resume)
    truthful.register(wrapper, _truthful)
    advance_seen.register(wrapper, _advance_seen)
    is_shared.register(wrapper, _is_shared)
    return wrapper


@jit_hot
def _memory_size(policy: Wrapper, rules: Words) -> int:
    return memory_size(policy.inner, rules)


@jit_hot
def _scratch_size(policy: Wrapper, rules: Words) -> int:
    return scratch_size(policy.inner, rules)


@jit_hot
def _start(policy: Wrapper, position: Packed, memory: Words, scratch: Words) -> None:
    start(policy.inner, position, memory, scratch)


@jit_hot
def _advance(policy: Wrapper, position: Packed, memory: Words, action: int, scratch: Words) -> None:
    advance(policy.inner, position, memory, action, scratch)


@jit_hot
def _possible(policy: Wrapper, position: Packed, memory: Words, seat: int, slot: int) -> int:
    return possible(policy.inner, position, memory, seat, slot)


@jit_hot
def _resume(policy: Wrapper, position: Packed, memory: Words, scratch: Words) -> None:
    resume(policy.inner, position, memory, scratch)


@jit_hot
def _is_shared(policy: Wrapper, rules: Words, memory: Words) -> bool:
    return is_shared(policy.inner, rules, memory)


@jit
def _truthful(
    policy: Wrapper, position: Packed, memory: Words, action: int, scratch: Words
) -> bool:
    return truthful(policy.inner, position, memory, action, scratch)


@jit_hot
def _advance_seen(
    policy: Wrapper, position: Packed, memory: Words, action: int, scratch: Words, seat: int
) -> None:
    advance_seen(policy.inner, position, memory, action, scratch, seat)
