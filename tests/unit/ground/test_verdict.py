"""What answers look like when they are printed: one line, however much they hold."""

from __future__ import annotations

import pytest

import hanabi
from hanabi import solitaire
from hanabi.ground.verdict import Status, Verdict
from hanabi.solitaire import hardness, sat
from hanabi.solvers import winnable
from hanabi.solvers.winnable.sat import certify

GAME = hanabi.deal(3, seed=7)
STREAM = hanabi.Instance(3, hanabi.DeckSpec.standard().shuffle(seed=1))
FORMULA = hardness.random_formula(20, ratio=4.0, seed=1)
RECORD = hanabi.GameRecord(3, GAME.deck, hanabi.read(hanabi.solve(GAME).link).actions)  # type: ignore[union-attr]
LATE = hanabi.Rules(spec=hanabi.DeckSpec(((1, 1, 1),)), seats=1, hand_size=1)
LOST = hanabi.Game.start(LATE, [(0, 3), (0, 1), (0, 2)])


@pytest.mark.parametrize(
    ("bounds", "witness", "told"),
    [
        ((25, 25), "ab", "25 in 2 moves"),
        ((0, 0), None, "0"),
        ((0, 24), None, "at most 24"),
        ((3, 24), "a", "3 to 24 in 1 move"),
    ],
)
def test_a_verdict_is_one_line(bounds: tuple[int, int], witness: str | None, told: str) -> None:
    verdict = Verdict(Status.UNKNOWN, "m", "why", witness, *bounds, trail=("x" * 1000,))
    assert str(verdict) == f"unknown by m: {told} (why)"
    assert repr(verdict) == f"<Verdict {verdict}>"


@pytest.mark.parametrize(
    "record",
    [
        winnable.solve_game(GAME),
        certify(LOST),
        winnable.explain(winnable.Position.of_game(LOST), (3,)),
        hanabi.solve(GAME),
        hanabi.solve(FORMULA),
        RECORD,
        hanabi.read("hand 1 " + "r1 " * 500),
        solitaire.solve(STREAM),
        solitaire.least_hand(STREAM),
        solitaire.most_cards(STREAM),
        sat.certify(STREAM),
        sat.encode(STREAM),
        FORMULA,
        hardness.to_three_sat(FORMULA),
        hardness.reduce(FORMULA).annotation,
        hardness.decide_by_cards(FORMULA),
    ],
    ids=lambda record: type(record).__name__,
)
def test_no_record_is_a_wall(record: object) -> None:
    assert len(repr(record)) < 400
    assert "\n" not in repr(record)


def test_small_formulas_are_shown() -> None:
    assert repr(hardness.Formula(2, ((1, -2),))) == "Formula(n_vars=2, clauses=((1, -2),))"
