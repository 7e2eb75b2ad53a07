"""Policies that search with another one, `inner`, and share its memory and conventions."""

from __future__ import annotations

from typing import Protocol, TypeVar

from hanabi.compiled import Words, jit
from hanabi.compiled.hot import jit_hot
from hanabi.game.kernels.packed import Packed
from hanabi.players.kernels import policy as policies
from hanabi.players.kernels.policy import Policy


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
    policies.memory_size.register(wrapper, _memory_size)
    policies.scratch_size.register(wrapper, _scratch_size)
    policies.start.register(wrapper, _start)
    policies.advance.register(wrapper, _advance)
    policies.possible.register(wrapper, _possible)
    policies.resume.register(wrapper, _resume)
    policies.truthful.register(wrapper, _truthful)
    policies.advance_seen.register(wrapper, _advance_seen)
    policies.is_shared.register(wrapper, _is_shared)
    return wrapper


@jit_hot
def _memory_size(policy: Wrapper, rules: Words) -> int:
    return policies.memory_size(policy.inner, rules)


@jit_hot
def _scratch_size(policy: Wrapper, rules: Words) -> int:
    return policies.scratch_size(policy.inner, rules)


@jit_hot
def _start(policy: Wrapper, position: Packed, memory: Words, scratch: Words) -> None:
    policies.start(policy.inner, position, memory, scratch)


@jit_hot
def _advance(policy: Wrapper, position: Packed, memory: Words, action: int, scratch: Words) -> None:
    policies.advance(policy.inner, position, memory, action, scratch)


@jit_hot
def _possible(policy: Wrapper, position: Packed, memory: Words, seat: int, slot: int) -> int:
    return policies.possible(policy.inner, position, memory, seat, slot)


@jit_hot
def _resume(policy: Wrapper, position: Packed, memory: Words, scratch: Words) -> None:
    policies.resume(policy.inner, position, memory, scratch)


@jit_hot
def _is_shared(policy: Wrapper, rules: Words, memory: Words) -> bool:
    return policies.is_shared(policy.inner, rules, memory)


@jit
def _truthful(
    policy: Wrapper, position: Packed, memory: Words, action: int, scratch: Words
) -> bool:
    return policies.truthful(policy.inner, position, memory, action, scratch)


@jit_hot
def _advance_seen(
    policy: Wrapper, position: Packed, memory: Words, action: int, scratch: Words, seat: int
) -> None:
    policies.advance_seen(policy.inner, position, memory, action, scratch, seat)
