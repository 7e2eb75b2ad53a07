"""Teams whose games compiled code plays alone: one policy out of those of all seats."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

from hanabi.errors import PlayerError
from hanabi.players.belief import Belief
from hanabi.players.blame import comes_with_package, shown
from hanabi.players.endgame import Endgame
from hanabi.players.protocol import CompiledPlayer, Player, Policy

if TYPE_CHECKING:
    from hanabi.game.config import Rules

__all__ = ["compile_team"]


def compile_team(team: Sequence[Player], rules: Rules) -> Policy | None:
    """Return the policy of a team, or None if some player has none.

    Seats of the same player share a memory. An information player takes all hints for truthful
    sums, and finds its own answer in what the others' leave of a sum; if all seats do, that is the
    true answer, so one memory serves them. With partners of other kinds it may be anything, and
    another one for each seat: then each keeps a memory of its own, of what it sees.

    Raises
    ------
    InvalidInputError
        If a player does not play by these rules.
    PlayerError
        If one of one's own fails, or returns no policy.

    >>> from hanabi.game import Rules
    >>> from hanabi.players import FirstLegal, RandomLegal, RuleBased
    >>> compile_team([RandomLegal(), FirstLegal()], Rules.official(2)) is None
    True
    >>> type(compile_team([RandomLegal(), RuleBased()], Rules.official(2))).__name__
    'Mixed'
    """
    players = list[CompiledPlayer]()
    for player in team:
        if not isinstance(player, CompiledPlayer):
            return None
        if player not in players:
            players.append(player)
    members = list[tuple[str, int, Policy]]()
    for player in players:
        policy = player.compiled(rules)
        if policy is None:
            return None
        _check_policy(policy, player)
        seats = [seat for seat, other in enumerate(team) if other == player]
        for bits, member in _members(policy, seats, is_apart=_is_misled(player, players)):
            members.append((_name(member), bits, member))
    # In one order, whoever sits where, so that few different teams are compiled.
    members.sort(key=lambda member: member[0])
    *others, (_, _, mixed) = members
    for _, bits, policy in reversed(others):
        from hanabi.players.kernels.mixed import Mixed

        mixed = Mixed(bits, policy, mixed)
    return mixed


def _check_policy(policy: object, player: CompiledPlayer) -> None:
    """Refuse what a player of one's own returned if it is no policy."""
    if comes_with_package(player):
        return
    from hanabi.players.kernels import policy as policies

    decide = policies.decide
    name = getattr(player, "name", type(player).__name__)
    if not isinstance(policy, tuple) or decide.dispatch(type(policy)) is decide.dispatch(object):
        raise PlayerError(
            f"{name}: compiled(rules) returned {shown(policy)}, which is no policy: a NamedTuple"
            " for whose class hanabi.players.kernels.policy.decide is registered"
        )
    for function in vars(policies).values():
        kernel = function.dispatch(type(policy)) if hasattr(function, "dispatch") else None
        if kernel is not None and (bare := _find_bare(kernel, set())):
            raise PlayerError(
                f"{name}: {bare} is compiled by Numba's own decorator, and calls kernels:"
                " use hanabi.compiled.jit"
            )


def _find_bare(function: Any, seen: set[int]) -> str | None:
    """Return the name of a function that Numba's own decorator made and that calls kernels.

    Its code could not be linked, and the next function that is compiled would end the process.
    """
    from hanabi.compiled.parts import Kernel

    if id(function) in seen or hasattr(function, "dispatch") or not hasattr(function, "py_func"):
        return None  # known; or asked by type, and looked at for itself; or not compiled
    seen.add(id(function))
    plain = function.py_func
    names, known = plain.__code__.co_names, plain.__globals__
    found = [known[name] for name in names if name in known]
    found += inspect.getclosurevars(plain).nonlocals.values()
    for module in [each for each in found if isinstance(each, ModuleType)]:
        found += [vars(module)[name] for name in names if name in vars(module)]
    is_bare = not isinstance(function, Kernel)
    if is_bare and any(isinstance(each, Kernel) or hasattr(each, "dispatch") for each in found):
        return str(plain.__name__)
    return next(filter(None, (_find_bare(each, seen) for each in found)), None)


def _members(
    policy: Policy, seats: Sequence[int], *, is_apart: bool
) -> Iterator[tuple[int, Policy]]:
    """Yield the members of a team that a policy is, each with its seats as bits."""
    if not is_apart:
        yield sum(1 << seat for seat in seats), policy
        return
    from hanabi.players.kernels.mixed import Seen

    for seat in seats:
        yield 1 << seat, Seen(seat, policy)


def _is_misled(player: CompiledPlayer, players: Sequence[CompiledPlayer]) -> bool:
    """Whether partners may tell a player what is not so, each seat something else."""
    inner = _inner(player)
    is_strict = getattr(inner, "needs_same_partners", False)
    return is_strict and any(_inner(other) != inner for other in players)


def _inner(player: Player) -> Player:
    """Return who remembers for a player."""
    return player.player if isinstance(player, Endgame | Belief) else player


def _name(policy: object) -> str:
    """Return the classes of a policy and of those inside it."""
    if not isinstance(policy, tuple):
        return ""
    return f"{type(policy).__name__}({','.join(map(_name, policy))})"
