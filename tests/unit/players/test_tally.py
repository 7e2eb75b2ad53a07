from __future__ import annotations

import math
import statistics

import pytest

from hanabi.errors import InvalidInputError
from hanabi.players import Tally


def test_the_statistics_are_those_of_the_scores() -> None:
    scores = [0, 0, 3, 5, 5, 5]
    tally = Tally((2, 0, 0, 1, 0, 3), bombed=1)
    assert tally.games == 6
    assert tally.perfect == 3
    assert tally.mean == statistics.fmean(scores)
    assert tally.standard_error == pytest.approx(statistics.stdev(scores) / math.sqrt(6))


def test_too_few_games_have_no_error() -> None:
    assert math.isnan(Tally((0, 0), 0).mean)
    assert math.isnan(Tally((0, 1), 0).standard_error)


def test_tallies_of_other_rules_do_not_add_up() -> None:
    with pytest.raises(InvalidInputError, match="tallies up to 1 and 2 points"):
        Tally((0, 1), 0) + Tally((0, 1, 0), 0)
