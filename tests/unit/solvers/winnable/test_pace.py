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
    ("name", "suit"),
    [
        ("p2v0s510", "green"),
        ("p2v0s2321", "yellow"),
        ("p2v0s2464", "purple"),
        ("p2v0s2905", "red"),
        ("p2v0s3190", "purple"),
        ("p2v0s3551", "yellow"),
    ],
)
def test_a_real_deck_whose_cards_come_too_late_has_a_reason_of_one_line(
    name: str, suit: str
) -> None:
    refutation = explain(real(name), GOAL)
    assert refutation is not None
    assert (refutation.name, refutation.choices) == ("pace", 0)
    assert refutation.summary == (
        f"the first {suit} 2 is the second card from the bottom of the deck;"
        f" after it only 3 cards can be played, but 4 must be: {suit} 2-3-4-5"
    )
    color = suit[0]
    cards = " ".join(f"{color}{rank}" for rank in range(2, 6))
    assert refutation.steps == (
        f"after 49 cards: {cards} are still to be played, but only 1 + 2 turns can play one",
    )


def test_a_long_proof_is_better_than_none() -> None:
    refutation = explain(real("rama_hard_decks#13"), GOAL)
    assert refutation is not None
    assert refutation.name == "bottom deck"
    bottom = "another purple 2 is the third card from the bottom of the deck, before purple 3-4-5"
    assert refutation.summary.startswith(bottom)
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
    assert str(refutation) == "missing card: no red 3 is left"
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
        told = "2 cards (red 2-3) must still be played, but only 1 turn is left"
        assert refutation is None or refutation.summary == told
