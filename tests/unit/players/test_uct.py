from __future__ import annotations

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.players import RuleBased
from hanabi.players.arena import simulate
from hanabi.players.monte_carlo import Uct
from hanabi.rules import Rules
from unit.players.test_monte_carlo import check_compiled_games, check_no_leak


@pytest.mark.parametrize("rules", [Rules.bergh2016(3), Rules.hanab_live(4), Rules.official(1)])
def test_compiled_games_and_leaks(rules: Rules) -> None:
    check_compiled_games(Uct(playouts=60), rules, 5)
    if not rules.open_hands:
        check_no_leak(Uct(playouts=60), rules, 6)


def test_one_play_out_tries_what_the_rule_based_player_does() -> None:
    rules = Rules.bergh2016(3)
    tree, usual = (
        simulate(Uct(playouts=1), rules, 10, seed=1),
        simulate(RuleBased(), rules, 10, seed=1),
    )
    assert tree == usual


def test_more_play_outs_are_better() -> None:
    rules = Rules.bergh2016(3)
    few, many = (simulate(Uct(playouts=n), rules, 12, seed=2).scored(rules).mean for n in (30, 600))
    assert many > few + 1


def test_what_is_not_allowed() -> None:
    with pytest.raises(InvalidInputError, match="playouts = 0 is not in 1"):
        Uct(playouts=0)
    with pytest.raises(InvalidInputError, match="exploration = -1 is not in 0"):
        Uct(exploration=-1)
