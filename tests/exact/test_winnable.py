"""All orders of tiny decks against exhaustive search, and real decks against known answers."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import pytest

from hanabi import Deck, DeckSpec
from hanabi.rules import Rules
from hanabi.solvers.winnable import Position, refute, solve
from oracles.winnable import most_points

DATA = Path(__file__).parents[1] / "data" / "hanab_live"

FAMILIES = {
    "alone": Rules(
        spec=DeckSpec(((2, 2, 1),)), seats=1, hand_size=2, hints=1, lives=2, final_round=1
    ),
    "two seats, one hint": Rules(spec=DeckSpec(((2, 1, 1), (1, 1))), seats=2, hand_size=1, hints=1),
    "two seats, two cards": Rules(spec=DeckSpec(((2, 2, 1), (1,))), seats=2, hand_size=2, hints=2),
    "two colors of three ranks": Rules(
        spec=DeckSpec(((2, 1, 1), (1, 1, 1))), seats=2, hand_size=1, hints=1, lives=1
    ),
    "three seats": Rules(spec=DeckSpec(((2, 1), (2, 1))), seats=3, hand_size=1, hints=2, lives=1),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_every_order_of_a_tiny_deck(name: str) -> None:
    rules = FAMILIES[name]
    answers = set()
    for cards in sorted(set(permutations(rules.spec.cards()))):
        won = most_points(rules, cards) == rules.max_score
        assert solve(cards, rules).is_winnable is won, cards
        answers.add(won)
    assert answers == {True, False}


def load(name: str) -> list[tuple[str, int, Deck, bool | None]]:
    decks = json.loads((DATA / name).read_text())["decks"]
    return [
        (
            row["id"],
            row["players"],
            Deck([("rygbp".index(card[0]), int(card[1])) for card in row["deck"].split()]),
            row["winnable"],
        )
        for row in decks
    ]


def test_real_decks() -> None:
    wrong = [
        name
        for name, players, deck, winnable in load("decks.json")
        if solve(deck, Rules.hanab_live(players)).is_winnable is not winnable
    ]
    assert wrong == []


def test_hard_two_player_decks() -> None:
    """The one that was open, rama_hard_decks#31, can be won: `solve` replays its line."""
    rules = Rules.hanab_live(2)
    answers = {
        name: (winnable, solve(deck, rules)) for name, _, deck, winnable in load(
            "hard_two_player_decks.json"
        )
    }  # fmt: skip
    known = {name: pair for name, pair in answers.items() if pair[0] is not None}
    assert [name for name, (truth, v) in known.items() if v.is_winnable is not truth] == []
    assert {name: v.is_winnable for name, (truth, v) in answers.items() if truth is None} == {
        "rama_hard_decks#31": True
    }


def test_random_decks_that_need_a_formula() -> None:
    answers = {(4, 8620): False, (5, 5841): False, (5, 8620): True}
    for (seats, index), winnable in answers.items():
        rules = Rules.hanab_live(seats)
        assert solve(rules.spec.shuffle(11, index), rules).is_winnable is winnable


def test_lost_decks_have_a_proof_to_read() -> None:
    names = set()
    for name, players, deck, winnable in load("decks.json"):
        if winnable:
            continue
        refutation = refute(Position.start(Rules.hanab_live(players), deck), (5,) * 5)
        if refutation is not None:
            names.add(refutation.name)
            assert refutation.steps, name
    assert names == {"pace", "merged hands"}
