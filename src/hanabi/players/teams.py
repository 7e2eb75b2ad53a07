"""Whole games in compiled code, of teams whose players may differ from seat to seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeGuard

from hanabi.errors import InvalidInputError
from hanabi.players.endgame import Endgame
from hanabi.players.information import Information
from hanabi.players.protocol import CompiledPlayer, Player, PolicyPlayer

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.game.config import Rules

    Words = npt.NDArray[np.int64]

__all__ = ["find_obstacle", "is_compiled", "is_uniform", "play_team"]


def is_uniform(team: Sequence[Player]) -> TypeGuard[Sequence[CompiledPlayer]]:
    """Whether the same player sits at every seat, and plays compiled games.

    >>> from hanabi.players import FirstLegal, RandomLegal
    >>> is_uniform([RandomLegal()] * 2), is_uniform([FirstLegal()] * 2)
    (True, False)
    """
    return isinstance(team[0], CompiledPlayer) and all(each == team[0] for each in team[1:])


def is_compiled(team: Sequence[Player]) -> bool:
    """Whether the games of a team are played by compiled code alone.

    >>> from hanabi.players import FirstLegal, RandomLegal, RuleBased
    >>> is_compiled([RandomLegal(), RuleBased()]), is_compiled([RandomLegal(), FirstLegal()])
    (True, False)
    """
    return is_uniform(team) or find_obstacle(team) is None


def find_obstacle(team: Sequence[Player]) -> str | None:
    """Return why `play_team` does not play the games of a team, or None.

    An information player takes all hints for truthful sums. In compiled games the memory is shared,
    and so would hold the true answers where a partner that follows something else hints anything;
    no seat can know them. So it needs partners with the same options, searching or not.

    >>> from hanabi.players import Convention, FirstLegal, Information
    >>> find_obstacle([Information(), FirstLegal()])
    'FirstLegal has no compiled policy'
    >>> find_obstacle([Information(), Convention()])
    'Information has partners of another kind'
    """
    inner = [player.player if isinstance(player, Endgame) else player for player in team]
    for player in inner:
        if not isinstance(player, PolicyPlayer):
            return f"{type(player).__name__} has no compiled policy"
    for player in inner:
        if isinstance(player, Information) and any(other != player for other in inner):
            return "Information has partners of another kind"
    return None


def play_team(
    team: Sequence[Player],
    rules: Rules,
    seeds: tuple[int, int],
    first: int,
    games: int,
) -> Words:
    """Play deals in compiled code with players that have policies, searching or not, a seat each.

    The arguments after the team, and what is returned, are those of `CompiledPlayer.play_deals`.

    Raises
    ------
    InvalidInputError
        If there are not as many players as seats, or `find_obstacle` finds something.

    >>> from hanabi.game import Rules
    >>> from hanabi.players import RuleBased
    >>> team = [RuleBased(), RuleBased(play=0.7), RuleBased()]
    >>> play_team(team, Rules.bergh2016(), (1, 2), 0, 5).shape
    (5,)
    """
    import numpy as np

    from hanabi.players.compiled import pack_deals
    from hanabi.players.endgame.compiled import policies_of
    from hanabi.players.kernels import teams

    if len(team) != rules.seats:
        raise InvalidInputError(f"{len(team)} players for {rules.seats} seats")
    obstacle = find_obstacle(team)
    if obstacle is not None:
        raise InvalidInputError(obstacle)
    policies, limits = _pack_team(team, rules)
    outcomes = np.empty(games, np.int64)
    packed, cards, words = pack_deals(rules, seeds)
    teams.play_team(packed, cards, policies, limits, words, first, outcomes, *policies_of(policies))
    return outcomes


def _pack_team(team: Sequence[Player], rules: Rules) -> tuple[Words, Words]:
    """Return the options of the policies and the limits of the searches, a seat a row."""
    import numpy as np

    from hanabi.players.endgame.kernels.search import LIMITS

    rows, limits = [], np.zeros((rules.seats, LIMITS), np.int64)
    for seat, player in enumerate(team):
        inner = player
        if isinstance(player, Endgame):
            inner, limits[seat] = player.player, player.limits(rules)
        if isinstance(inner, PolicyPlayer):
            rows.append(inner.policy(rules))
    policies = np.zeros((rules.seats, max(map(len, rows))), np.int64)
    for seat, row in enumerate(rows):
        policies[seat, : len(row)] = row
    return policies, limits
