"""The benchmark beside strangers: its means are those of a tournament."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks import ad_hoc

from hanabi.ground.errors import InvalidInputError
from hanabi.lab.stats import summarize
from hanabi.lab.tournament import Tournament
from hanabi.rules import Rules


@pytest.mark.parametrize("seats", [2, 3])
def test_the_means_are_those_of_a_tournament(seats: int) -> None:
    rules, deals, runs = Rules.hle(seats), 6, []
    row = ad_hoc.measured("random", seats, deals)
    for partner, cell in zip(ad_hoc.PARTNERS, row[2:], strict=False):
        cup = Tournament(("random", partner), rules, ad_hoc.SEED)
        beside = [np.frombuffer(work.run(0, deals), "<u2").tolist() for work in cup.works(0, 1)]
        runs += beside
        score = summarize(beside, rules).score
        assert cell == f"{score.value:.2f} ± {score.standard_error:.2f}"
    assert row[-1] == ad_hoc.told(runs, seats)


def test_a_partner_is_no_stranger() -> None:
    with pytest.raises(InvalidInputError, match=r"'piers:play=0.6' is one of the partners"):
        ad_hoc.measured("piers:play=0.6", 2, 1)
