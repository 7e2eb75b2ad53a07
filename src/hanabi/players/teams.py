"""Teams whose games compiled code plays alone: one policy out of those of all seats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

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
    if not isinstance(policy, tuple) or decide.dispatch(type(policy)) is decide.dispatch(object):
        raise PlayerError(
            f"{getattr(player, 'name', type(player).__name__)}: compiled(rules) returned"
            f" {shown(policy)}, which is no policy: a NamedTuple for whose class"
            " hanabi.players.kernels.policy.decide is registered"
        )


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
