"""Teams of compiled policies play like the players they are made of."""

from __future__ import annotations

import numpy as np
import pytest

from hanabi.errors import InvalidInputError
from hanabi.game import Game, Rules
from hanabi.players import (
    Cheating,
    Convention,
    Endgame,
    FirstLegal,
    Information,
    MonteCarlo,
    RandomLegal,
    Rollouts,
    RuleBased,
    Uct,
    play_game,
)
from hanabi.players.arena import decision_seed, outcomes
from hanabi.players.kernels.teams import find_owners
from hanabi.players.protocol import Player, PolicyPlayer
from hanabi.players.teams import is_compiled, play_team
from hanabi.rng import Stream

RULES = Rules.bergh2016(3)
SEARCHING = Endgame(RuleBased(), budget=8, deck=0)


def play_views(team: list[Player], rules: Rules, index: int) -> int:
    game = Game.start(rules, rules.spec.shuffle(1, index))
    end = play_game(team, game, Stream(decision_seed(1), index))
    return sum(end.piles) << 1 | (end.lives == 0)


@pytest.mark.parametrize(
    "team",
    [
        [RuleBased()] * 3,
        [RuleBased(), RuleBased(play=0.8, hint=1), RuleBased(discard=1)],
        [RandomLegal(), RuleBased(), RuleBased(hint=1)],
        [SEARCHING, RuleBased(hint=1, discard=1), SEARCHING],
    ],
    ids=["the same", "other options", "random", "searching"],
)
def test_a_team_plays_like_its_players(team: list[Player]) -> None:
    wanted = [play_views(team, RULES, index) for index in range(4)]
    assert play_team(team, RULES, (1, decision_seed(1)), 0, 4).tolist() == wanted
    assert play_team(team, RULES, (1, decision_seed(1)), 2, 2).tolist() == wanted[2:]
    assert outcomes(team, RULES, 4, seed=1) == wanted


def test_equal_rows_share_a_memory() -> None:
    owners = np.empty(4, np.int64)
    find_owners(np.array([[1, 2], [1, 3], [1, 2], [1, 3]]), owners)
    assert owners.tolist() == [0, 1, 0, 1]


def test_a_team_has_a_compiled_player_a_seat() -> None:
    with pytest.raises(InvalidInputError, match="2 players for 3 seats"):
        play_team([RuleBased()] * 2, RULES, (1, 2), 0, 1)
    with pytest.raises(InvalidInputError, match="FirstLegal has no compiled policy"):
        play_team([FirstLegal()] * 3, RULES, (1, 2), 0, 1)
    with pytest.raises(InvalidInputError, match="partners of another kind"):
        play_team([Information(), RuleBased(), RuleBased()], RULES, (1, 2), 0, 1)


@pytest.mark.parametrize(
    ("team", "expected"),
    [
        ([RuleBased(), Convention()], True),
        ([Endgame(RuleBased()), Endgame(Convention(plays=False))], True),
        ([Endgame(Information()), Information()], True),
        ([Information(), Information(likely=0.5)], False),
        ([Information(), RuleBased()], False),
        ([Endgame(Information()), RuleBased()], False),
        ([RuleBased(), FirstLegal()], False),
        ([RuleBased(), MonteCarlo()], False),
        ([MonteCarlo(), MonteCarlo()], True),
        ([Endgame(FirstLegal())] * 2, False),
        ([Endgame(Endgame(RuleBased()))] * 2, False),
    ],
)
def test_which_teams_are_compiled(team: list[Player], expected: bool) -> None:
    assert is_compiled(team) == expected


@pytest.mark.parametrize(
    "player", [MonteCarlo(), Rollouts(), Uct(), Cheating(), FirstLegal(), Endgame(RuleBased())]
)
def test_what_has_no_policy(player: Player) -> None:
    assert not isinstance(player, PolicyPlayer)


def test_a_mixed_team_with_information_is_played_by_views() -> None:
    """Compiled games would tell it the truth where its partner lies to it."""
    team: list[Player] = [Information(), RuleBased()]
    rules = Rules.hanab_live(2)
    assert outcomes(team, rules, 2, seed=1) == [play_views(team, rules, i) for i in range(2)]
