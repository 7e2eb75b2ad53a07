"""Teams of compiled policies play like the players they are made of."""

from __future__ import annotations

import numpy as np
import pytest

from hanabi.errors import InvalidInputError
from hanabi.game import Rules
from hanabi.kernels.teams import find_owners
from hanabi.players import FirstLegal, RuleBased
from hanabi.players.arena import decision_seed, outcomes
from hanabi.players.endgame import play_team

RULES = Rules.bergh2016(3)


@pytest.mark.parametrize(
    "team",
    [
        [RuleBased()] * 3,
        [RuleBased(), RuleBased(play=0.8, hint=1), RuleBased(discard=1)],
    ],
)
def test_a_team_plays_like_its_players(team: list[RuleBased]) -> None:
    wanted = outcomes(team, RULES, 6, seed=1)
    assert play_team(team, RULES, (1, decision_seed(1)), 0, 6).tolist() == wanted
    assert play_team(team, RULES, (1, decision_seed(1)), 4, 2).tolist() == wanted[4:]


def test_equal_rows_share_a_memory() -> None:
    owners = np.empty(4, np.int64)
    find_owners(np.array([[1, 2], [1, 3], [1, 2], [1, 3]]), owners)
    assert owners.tolist() == [0, 1, 0, 1]


def test_a_team_has_a_compiled_player_a_seat() -> None:
    with pytest.raises(InvalidInputError, match="2 players for 3 seats"):
        play_team([RuleBased()] * 2, RULES, (1, 2), 0, 1)
    with pytest.raises(InvalidInputError, match="FirstLegal has no compiled policy"):
        play_team([FirstLegal()] * 3, RULES, (1, 2), 0, 1)  # type: ignore[list-item]
