from __future__ import annotations

import math
import statistics
from dataclasses import replace

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.players import Scores, Tally
from hanabi.rules import Rules


def test_the_statistics_are_those_of_the_scores() -> None:
    values = [0, 0, 3, 5, 5, 5]
    scores = Scores((2, 0, 0, 1, 0, 3))
    assert scores.games == 6
    assert scores.perfect == 3
    assert scores.mean == statistics.fmean(values)
    assert scores.standard_error == pytest.approx(statistics.stdev(values) / math.sqrt(6))


def test_too_few_games_have_no_error() -> None:
    assert math.isnan(Scores((0, 0)).mean)
    assert math.isnan(Scores((0, 1)).standard_error)


def test_a_bombed_game_is_scored_both_ways() -> None:
    rules = Rules.official(2)
    tally = Tally.of(rules, [25 << 1, 7 << 1, 7 << 1 | 1, 7 << 1 | 1])
    assert (tally.games, tally.n_bombed) == (4, 2)
    assert tally.kept.mean == (25 + 3 * 7) / 4
    assert tally.zeroed.mean == (25 + 7) / 4
    assert tally.scored(replace(rules, bombed_scores_zero=False)) == tally.kept
    assert tally.scored(Rules.hanab_live(2)) == tally.zeroed


def test_tallies_of_other_rules_do_not_add_up() -> None:
    with pytest.raises(InvalidInputError, match="tallies up to 1 and 2 points"):
        Tally((0, 1), (0, 0)) + Tally((0, 1, 0), (0, 0, 0))
