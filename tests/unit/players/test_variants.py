"""Players on variants: who plays which, alike on views and compiled, and not by accident."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.players import Player, outcomes, simulate
from hanabi.players.registry import parse_player
from hanabi.rules import Rules

ODD = (
    "Rainbow (5 Suits)",
    "Null-Ones & Prism (5 Suits)",
    "Deceptive-Fives (5 Suits)",
    "Black Reversed (6 Suits)",
    "Up or Down (5 Suits)",
    "Sudoku (4 Suits)",
    "Orange (4 Suits)",
    "Clue Starved (5 Suits)",
    "Alternating Clues & Null (5 Suits)",
    "Totally Blind (5 Suits)",
    "Synesthesia (5 Suits)",
    "Funnels (5 Suits)",
)
EVERYWHERE = (
    "random",
    "rule-based",
    "rule-based:hint=2,discard=4,play=0.6",
    "rule-based:hint=4,rank=no,never=no,safe=no",
)
PLAIN_ONLY = ("information", "convention", "rule-based:negative=no")


class OnlyViews:
    """Hides that a player has a compiled policy."""

    def __init__(self, player: Player) -> None:
        self.act = player.act


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("player", EVERYWHERE)
def test_views_and_compiled_games_are_equal(player: str, name: str) -> None:
    who = parse_player(player)
    for seats in (2, 3):
        rules = Rules.hanab_live(seats, variant=name)
        compiled = outcomes(who, rules, 3, seed=1)
        assert compiled == outcomes(OnlyViews(who), rules, 3, seed=1)


@pytest.mark.parametrize("name", ODD)
def test_seeing_all_hands_gains_much(name: str) -> None:
    rules = replace(Rules.hanab_live(3, variant=name), open_hands=True, bombed_scores_zero=False)
    means = [
        simulate(parse_player(player), rules, 40, seed=2).scored(rules).mean
        for player in ("random", "cheating")
    ]
    assert means[1] > 0.85 * rules.max_score > means[0]


@pytest.mark.parametrize("name", ODD)
def test_search_and_play_outs_play_to_the_end(name: str) -> None:
    rules = Rules.hanab_live(2, variant=name)
    for player in ("monte-carlo:playouts=8", "endgame:budget=4/rule-based"):
        assert len(outcomes(parse_player(player), rules, 2, seed=1)) == 2


@pytest.mark.parametrize("player", PLAIN_ONLY)
def test_who_reads_more_out_of_hints_refuses_other_clues_and_piles(player: str) -> None:
    who = parse_player(player)
    for name in ODD:
        with pytest.raises(InvalidInputError, match=r"does not play .*: it needs clues and piles"):
            outcomes(who, Rules.hanab_live(2, variant=name), 1, seed=1)


@pytest.mark.parametrize(
    "name", ["Black (5 Suits)", "Scarce Ones (5 Suits)", "Critical Fours (5 Suits)"]
)
def test_other_copies_suit_every_player(name: str) -> None:
    for player in ("information", "convention"):
        seats = 2 if player == "convention" else 3
        rules = Rules.hanab_live(seats, variant=name)
        who = parse_player(player)
        assert outcomes(who, rules, 3, seed=1) == outcomes(OnlyViews(who), rules, 3, seed=1)
        assert simulate(who, rules, 200, seed=1).scored(rules).mean > 17
