"""Teams whose games compiled code plays alone: one policy out of those of all seats."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from hanabi.players.belief import Belief
from hanabi.players.endgame import Endgame
from hanabi.players.protocol import CompiledPlayer, Player, Policy

if TYPE_CHECKING:
    from hanabi.game.config import Rules

__all__ = ["compile_team"]


def compile_team(team: Sequence[Player], rules: Rules) -> Policy | None:
    """Return the policy of a team, or None if some player has none, or not with these partners.

    An information player takes all hints for truthful sums. In compiled games a policy's memory
    sees the true answers where a partner that follows something else hints anything; no seat can
    know them. So it needs partners that share its memory, searching or not.

    Raises
    ------
    InvalidInputError
        If a player does not play by these rules.

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
    if any(_misunderstand(one, other) for one, other in combinations(players, 2)):
        return None
    members = list[tuple[str, int, Policy]]()
    for player in players:
        policy = player.compiled(rules)
        if policy is None:
            return None
        seats = sum(1 << seat for seat, other in enumerate(team) if other == player)
        members.append((_name(policy), seats, policy))
    # In one order, whoever sits where, so that few different teams are compiled.
    members.sort(key=lambda member: member[0])
    *others, (_, _, mixed) = members
    for _, seats, policy in reversed(others):
        from hanabi.players.kernels.mixed import Mixed

        mixed = Mixed(seats, policy, mixed)
    return mixed


def _misunderstand(one: Player, other: Player) -> bool:
    """Whether one of two players has to know that the other shares its memory, and it does not."""
    inner = [
        player.player if isinstance(player, Endgame | Belief) else player for player in (one, other)
    ]
    is_strict = any(getattr(player, "needs_same_partners", False) for player in inner)
    return is_strict and inner[0] != inner[1]


def _name(policy: object) -> str:
    """Return the classes of a policy and of those inside it."""
    if not isinstance(policy, tuple):
        return ""
    return f"{type(policy).__name__}({','.join(map(_name, policy))})"
