"""Teams of compiled policies play like the players they are made of."""

from __future__ import annotations

import numpy as np
import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
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
    play_game,
)
from hanabi.players.arena import decision_seed, outcome_of, outcomes, play_deal
from hanabi.players.compiled import play_deals
from hanabi.players.kernels.games import UNTOLD
from hanabi.players.protocol import Player
from hanabi.players.registry import _policy_name as _name
from hanabi.players.registry import compile_team
from hanabi.players.renamed import renamed_outcomes
from hanabi.rules import Game, Rules

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
        [Convention(), MonteCarlo(playouts=5), Convention()],
    ],
    ids=["the same", "other options", "random", "searching", "Monte Carlo"],
)
def test_a_team_plays_like_its_players(team: list[Player]) -> None:
    assert compile_team(team, RULES) is not None
    wanted = [play_views(team, RULES, index) for index in range(4)]
    assert outcomes(team, RULES, 4, seed=1) == wanted
    assert outcomes(team, RULES, 2, seed=1, first=2) == wanted[2:]


def test_where_members_sit_compiles_nothing_new() -> None:
    one, other = RuleBased(), Convention()
    seatings: list[list[Player]] = [[one, other, one], [other, one, other]]
    teams = [compile_team(team, RULES) for team in seatings]
    assert len({_name(team) for team in teams}) == 1
    assert len({_name(compile_team([other] * 3, RULES))} & {_name(team) for team in teams}) == 0


def test_a_team_has_a_player_a_seat() -> None:
    for player in (RuleBased(), FirstLegal()):
        with pytest.raises(InvalidInputError, match="2 players for 3 seats"):
            outcomes([player] * 2, RULES, 1, seed=1)


@pytest.mark.parametrize(
    ("team", "expected"),
    [
        ([RuleBased(), Convention()], True),
        ([Endgame(RuleBased()), Endgame(Convention(plays=False))], True),
        ([Endgame(Information()), Information()], True),
        ([Information(), Information(likely=0.5)], True),
        ([Information(), RuleBased()], True),
        ([Endgame(Information()), RuleBased()], True),
        ([Information(), FirstLegal()], False),
        ([RuleBased(), FirstLegal()], False),
        ([RuleBased(), MonteCarlo()], True),
        ([Endgame(Rollouts())] * 2, True),
        ([Endgame(FirstLegal())] * 2, False),
        ([Endgame(Endgame(RuleBased()))] * 2, False),
    ],
)
def test_which_teams_are_compiled(team: list[Player], expected: bool) -> None:
    assert (compile_team(team, Rules.hanab_live(2)) is not None) == expected


def test_players_refuse_rules_that_they_do_not_play() -> None:
    with pytest.raises(InvalidInputError, match="open_hands"):
        compile_team([Cheating()] * 3, RULES)


@pytest.mark.parametrize(
    "team",
    [
        [Information(), RuleBased()],
        [RandomLegal(), Information(), Information()],
        [Information(likely=0.5), Convention(), Information()],
        [Information(), Endgame(Information(), budget=5), RuleBased()],
        [Information(), RandomLegal(), Information(), RuleBased(hint=1), Information()],
    ],
    ids=["a partner", "chance", "other options", "searching", "five seats"],
)
def test_information_among_others_is_told_no_truth_that_no_seat_can_know(
    team: list[Player],
) -> None:
    """Each seat finds its own answer in a sum that is none; the true ones would be a help."""
    rules = Rules.hanab_live(len(team))
    wanted = [play_views(team, rules, index) for index in range(8)]
    assert compile_team(team, rules) is not None
    assert outcomes(team, rules, 8, seed=1) == wanted


@pytest.mark.parametrize(
    "player",
    [
        Information(),
        pytest.param(Endgame(Information(), budget=5), marks=pytest.mark.thorough),
    ],
)
def test_a_game_in_which_nothing_true_can_be_said_is_played_by_views(player: Player) -> None:
    """Three seats in a row have no hint that fits; the third has one life, and gives a false one.

    One memory for all would let each find its true answer in it: 23 points, where all are misled.
    """
    rules, seed, deal = Rules.hanab_live(4), 20_261_122, 10_475
    policy = compile_team([player] * 4, rules)
    assert policy is not None
    found = play_deals(policy, rules, (seed, decision_seed(seed)), deal - 1, 3)
    assert [outcome == UNTOLD for outcome in found] == [False, True, False]
    wanted = [outcome_of(play_deal([player] * 4, rules, deal - 1 + n, seed=seed)) for n in range(3)]
    assert outcomes(player, rules, 3, seed=seed, first=deal - 1) == wanted
    assert found.tolist() == [wanted[0], UNTOLD, wanted[2]]
    assert wanted[1] >> 1 < 5


def test_named_anew_such_a_game_is_played_by_views_too(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules.hanab_live(2)
    deck = rules.spec.shuffle(1)
    wanted = renamed_outcomes(RuleBased(), rules, deck, 4, seed=3)
    found = np.array([wanted[0], UNTOLD, UNTOLD, wanted[3]])
    monkeypatch.setattr("hanabi.players.renamed.play_decks", lambda *_: found)
    assert renamed_outcomes(RuleBased(), rules, deck, 4, seed=3) == wanted


def test_seats_that_share_a_memory_keep_one() -> None:
    """It costs an update a turn, not one for each seat."""
    rules = Rules.hanab_live(3)
    alone = _name(compile_team([Information()] * 3, rules))
    assert (
        _name(compile_team([Endgame(Information()), *[Information()] * 2], rules)).count(alone) == 2
    )
    assert "Seen" in _name(compile_team([RuleBased(), *[Information()] * 2], rules))
