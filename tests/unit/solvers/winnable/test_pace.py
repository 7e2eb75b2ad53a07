"""Cards that come too late: the reason that takes one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hanabi import Card, Deck, DeckSpec
from hanabi.rules import Rules
from hanabi.solvers.winnable import Position, explain
from hanabi.solvers.winnable.pace import refute_by_pace, waits

DATA = Path(__file__).parents[3] / "data" / "hanab_live" / "lost_decks.json"
GOAL = (5,) * 5


def real(name: str) -> Position:
    rows = {row["id"]: row for row in json.loads(DATA.read_text())["decks"]}
    cards = [("rygbp".index(card[0]), int(card[1])) for card in rows[name]["deck"].split()]
    return Position.start(Rules.hanab_live(rows[name]["players"]), cards)


@pytest.mark.parametrize(
    ("name", "late"),
    [
        ("p2v0s510", "g2 comes first as card 49 of 50, before g3 g4 g5"),
        ("p2v0s2321", "y2 comes first as card 49 of 50, before y3 y4 y5"),
        ("p2v0s2464", "p2 comes first as card 49 of 50, before p3 p4 p5"),
        ("p2v0s2905", "r2 comes first as card 49 of 50, before r3 r4 r5"),
        ("p2v0s3190", "p2 comes first as card 49 of 50, before p3 p4 p5"),
        ("p2v0s3551", "y2 comes first as card 49 of 50, before y3 y4 y5"),
    ],
)
def test_a_real_deck_whose_cards_come_too_late_has_a_reason_of_one_line(
    name: str, late: str
) -> None:
    refutation = explain(real(name), GOAL)
    assert refutation is not None
    assert (refutation.name, refutation.choices) == ("pace", 0)
    assert refutation.summary == f"{late}: 4 cards for 3 turns"
    color = late[0]
    cards = " ".join(f"{color}{rank}" for rank in range(2, 6))
    assert refutation.steps == (
        f"after 49 cards: {cards} are still to be played, but only 1 + 2 turns can play one",
    )


def test_a_long_proof_is_better_than_none() -> None:
    refutation = explain(real("rama_hard_decks#13"), GOAL)
    assert refutation is not None
    assert refutation.name == "bottom deck"
    assert refutation.summary.startswith("p2 comes again as card 48 of 50, before p3 p4 p5")
    assert 100 < refutation.choices <= 250


def test_no_time_gives_no_reason() -> None:
    assert explain(real("rama_hard_decks#13"), GOAL, seconds=0.0) is None


def position(
    deck: str, *, copies: tuple[int, ...], seats: int = 2, last: int | None = 2
) -> Position:
    rules = Rules(spec=DeckSpec((copies,)), seats=seats, hand_size=1, final_round=last)
    return Position.start(rules, [(0, int(rank)) for rank in deck])


def test_one_turn_more_is_enough() -> None:
    for last, lost in ((2, True), (3, False), (None, False)):
        start = position("1432", copies=(1, 1, 1, 1), last=last)
        assert (refute_by_pace(start, (4,)) is not None) is lost


def test_a_first_copy_in_time_is_no_reason() -> None:
    assert refute_by_pace(position("123442", copies=(1, 2, 1, 2)), (4,)) is None


def test_a_card_that_is_gone() -> None:
    deck = Deck([(0, 1), (0, 3), (0, 2), (0, 4)])
    rules = Rules(spec=DeckSpec(((1, 1, 1, 1),)), seats=2, hand_size=1)
    later = Position(
        rules=rules, deck=deck, hands=((0,), (2,)), piles=(0,), drawn=3, hints=8, lives=3, seat=0,
        turns_left=None,
    )  # fmt: skip
    assert waits(later, (4,))[Card(0, 3)] == 5
    refutation = refute_by_pace(later, (4,))
    assert refutation is not None
    assert str(refutation) == "missing card: no copy of r3 is left"
    assert refute_by_pace(later, (2,)) is None


def test_in_the_last_round_the_turns_that_are_left_count() -> None:
    deck = Deck([(0, 1), (0, 3), (0, 2)])
    rules = Rules(spec=DeckSpec(((1, 1, 1),)), seats=2, hand_size=1)
    for turns, lost in ((2, False), (1, True)):
        end = Position(
            rules=rules, deck=deck, hands=((2,), (1,)), piles=(1,), drawn=3, hints=8, lives=3,
            seat=0, turns_left=turns,
        )  # fmt: skip
        refutation = refute_by_pace(end, (3,))
        assert (refutation is not None) is lost
        assert refutation is None or refutation.summary == "2 cards for 1 turn"
