"""Table 1 of [Bergh2016, section 4]: the rule-based player's average scores."""

from __future__ import annotations

import math
from functools import cache

import pytest

from hanabi.players import RuleBased, Scores, simulate
from hanabi.rules import Rules
from vectors import load_vectors

VECTORS = load_vectors("rule_players_table1")
CELLS = VECTORS["cells"]
GAMES = 10_000


@cache
def play(hint: int, discard: int, wp: float) -> Scores:
    # Deals of its own for every cell: one unlucky deck must not count 48 times.
    player = RuleBased(hint=hint, discard=discard, play=wp)
    seed = 1000 * hint + 100 * discard + round(10 * wp)
    rules = Rules.bergh2016(3)
    return simulate(player, rules, GAMES, seed=seed).scored(rules)


@pytest.mark.parametrize("cell", CELLS, ids=lambda c: f"{c['hint']}-{c['discard']}-{c['wp']}")
def test_every_cell(cell: dict[str, float]) -> None:
    tally = play(int(cell["hint"]), int(cell["discard"]), cell["wp"])
    error = math.hypot(tally.standard_error, cell["se"])
    assert abs(tally.mean - cell["mean"]) < 4 * error
    # Printed to one decimal, from a sample of 10,000 deals.
    assert abs(tally.mean - cell["paper"]) < 0.12 + 4 * tally.standard_error


def test_the_cells_together() -> None:
    """Independent cells tell a common shift that no single one can show."""
    means = [play(int(cell["hint"]), int(cell["discard"]), cell["wp"]).mean for cell in CELLS]
    assert len(CELLS) == 48
    differences = [mean - cell["paper"] for mean, cell in zip(means, CELLS, strict=True)]
    assert abs(sum(differences) / 48) < 0.04
    assert math.sqrt(sum(d * d for d in differences) / 48) < 0.08
    # What follows from excluded colors or ranks is not told: else this is 0.025.
    shifts = [
        mean - cell["mean"] for mean, cell in zip(means, CELLS, strict=True) if cell["hint"] > 2
    ]
    assert abs(sum(shifts) / 24) < 0.016


def test_the_best_point_and_what_the_text_says_of_it() -> None:
    rules = Rules.bergh2016(3)
    best = simulate(RuleBased(), rules, GAMES, seed=1)
    # E21: as the probability of a swap, w_h = 1 would be hinting = 0.
    swapped = simulate(RuleBased(hinting=0), rules, GAMES, seed=1)
    unsafe = simulate(RuleBased(safe=False), rules, GAMES, seed=1)
    bold = simulate(RuleBased(safe=False, play=0.5), rules, GAMES, seed=1)
    for tally, mean in ((best, 15.4), (swapped, 13.3), (unsafe, 11.8), (bold, 3.0)):
        scores = tally.scored(rules)
        assert abs(scores.mean - mean) < 0.12 + 4 * scores.standard_error
    assert best.n_bombed == 0
    assert bold.n_bombed > unsafe.n_bombed > 0
