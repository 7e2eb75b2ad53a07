import json
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from hanabi import Deck, DeckSpec
from hanabi.rules import Game, Rules
from hanabi.solvers.winnable import Position, explain, refute, solve
from hanabi.solvers.winnable.pace import comes_late, refute_points
from hanabi.solvers.winnable.reasons import refute_distribution, what_is_short
from oracles.winnable import deal, most_points

DATA = Path(__file__).parents[3] / "data" / "hanab_live"
GOAL = (5,) * 5

UP = "card from the bottom of the deck"
PROOFS = {
    "p2v0s2604": ("another red 4 is the bottom card of the deck, before red 5", 10),
    "p2v0s4973": (f"the first yellow 2 is the third {UP}, before yellow 3-4-5", 50),
    "p3v0s4848": (f"the first purple 3 is the second {UP}, before purple 4-5", 4),
    "hand_dist_decks#1": (f"the first red 3 is the second {UP}, before red 4-5", 3),
    "hand_dist_decks#5": (f"the first red 3 is the second {UP}, before red 4-5", 11),
    "hand_dist_decks#9": (f"the first red 3 is the second {UP}, before red 4-5", 6),
    "rama_hard_decks#11": ("another blue 4 is the bottom card of the deck, before blue 5", 25),
    "rama_hard_decks#51": ("another blue 4 is the bottom card of the deck, before blue 5", 227),
    "rama_hard_decks#107": ("another blue 4 is the bottom card of the deck, before blue 5", 42),
}
"""Lost decks that the merged hand does not refute: why, and in how many choices at most."""


def lost_decks() -> dict[str, Position]:
    found = {}
    for file in ("decks.json", "hard_two_player_decks.json"):
        for row in json.loads((DATA / file).read_text())["decks"]:
            if row["winnable"] is False:
                cards = [("rygbp".index(card[0]), int(card[1])) for card in row["deck"].split()]
                rules = Rules.hanab_live(row["players"])
                found[row["id"]] = Position.start(rules, cards)
    return found


def test_every_lost_real_deck_has_a_proof_to_read() -> None:
    positions = lost_decks()
    merged = {name for name, position in positions.items() if refute(position, GOAL) is not None}
    assert positions.keys() - merged == PROOFS.keys()
    for name, (summary, choices) in PROOFS.items():
        refutation = explain(positions[name], GOAL)
        assert refutation is not None, name
        assert refutation.name == "bottom deck"
        assert refutation.summary.startswith(summary), name
        assert 0 < refutation.choices <= choices, name
    for name in sorted(merged)[:5]:
        assert explain(positions[name], GOAL) == refute(positions[name], GOAL)
        assert refute_distribution(positions[name], GOAL) is None


def test_a_proof_can_be_read() -> None:
    refutation = explain(lost_decks()["hand_dist_decks#1"], GOAL)
    assert str(refutation).splitlines() == [
        (
            "bottom deck: the first red 3 is the second card from the bottom of the deck, before"
            " red 4-5; seat 0 holds red 4-5: no order of turns plays all 25 needed cards in time"
        ),
        "[1] after 48 cards, 22 played, seat 0 has r4 r5",
        "- seat 0 discards trash and draws r3:",
        "  [2] after 49 cards, 22 played, seat 0 has r3 r4 r5",
        (
            "  - seat 1 discards trash and draws r3 or seat 0 discards trash and draws r3:"
            " after 50 cards: 3 cards are still to be played, but only 0 + 2 turns can play one"
        ),
        (
            "  - seat 0 plays r3: last round: seat 1 (none), seat 0 (r4 r5)"
            " cannot play the 2 missing cards in turn"
        ),
        "- seat 1 discards trash and draws r3:",
        "  [3] after 49 cards, 22 played, seat 0 has r4 r5, seat 1 has r3",
        (
            "  - seat 0 discards trash and draws r3 or seat 1 discards trash and draws r3:"
            " after 50 cards: 3 cards are still to be played, but only 0 + 2 turns can play one"
        ),
        (
            "  - seat 1 plays r3: last round: seat 0 (r4 r5), seat 1 (none)"
            " cannot play the 2 missing cards in turn"
        ),
    ]


def test_few_steps_prove_nothing() -> None:
    position = lost_decks()["p2v0s4973"]
    assert refute_distribution(position, GOAL, most_steps=20) is None
    assert refute_distribution(position, GOAL) is not None


def test_a_deck_that_a_public_tool_calls_lost_is_not_refuted() -> None:
    """Two copies of y2 and then y5 at the bottom: two seats can play them."""
    rules = Rules.hanab_live(2)
    won = 0
    for seed in range(10):
        cards = list(rules.spec.shuffle(seed=seed))
        bottom = [(1, 2), (1, 2), (1, 5)]
        deck = [card for card in cards if card not in set(bottom)] + bottom
        position = Position.start(rules, deck)
        verdict = solve(deck, rules, seconds=600)
        if verdict.is_winnable:
            won += 1
            assert explain(position, GOAL) is None
    assert won > 0


def test_the_solver_says_which_cards_come_late() -> None:
    position = lost_decks()["p3v0s4848"]
    verdict = solve(position.deck, position.rules)
    assert verdict.method == "last round"
    assert comes_late(position, GOAL) in verdict.reason
    assert f"the first purple 3 is the second {UP}, before purple 4-5" in verdict.reason


@pytest.mark.parametrize(
    "rules",
    [
        Rules(spec=DeckSpec(((2, 1, 1), (1, 1))), seats=2, hand_size=1),
        Rules(spec=DeckSpec(((1, 2, 1), (1, 1))), seats=3, hand_size=1),
        Rules(spec=DeckSpec(((2, 2, 1), (1,))), seats=2, hand_size=2),
    ],
)
def test_every_order_of_a_tiny_deck(rules: Rules) -> None:
    goal = tuple(map(len, rules.spec.copies))
    refuted = 0
    for cards in sorted(set(permutations(rules.spec.cards()))):
        if refute_distribution(Position.start(rules, cards), goal) is not None:
            refuted += 1
            assert most_points(rules, cards) < rules.max_score, cards
    assert refuted > 0


def test_the_score_is_bounded_by_pace_in_every_order_of_a_tiny_deck() -> None:
    rules = Rules(spec=DeckSpec(((1, 1, 1), (1, 1, 1))), seats=2, hand_size=1, final_round=1)
    refuted = tight = 0
    for cards in sorted(set(permutations(rules.spec.cards())))[::7]:
        start, most = Position.start(rules, cards), most_points(rules, cards)
        bounds = [n for n in range(1, 7) if refute_points(start, n) is not None]
        assert all(most < n for n in bounds), cards
        refuted += bool(bounds)
        tight += bounds[:1] == [most + 1]
    assert refuted > tight > 0


@pytest.mark.parametrize("copies", [((1, 1, 1),), ((1, 1), (1, 1))])
def test_one_more_turn_is_enough_if_exhaustive_search_says_so(
    copies: tuple[tuple[int, ...], ...],
) -> None:
    rules = Rules(spec=DeckSpec(copies), seats=2, hand_size=1)
    longer, enough = replace(rules, final_round=3), 0
    for cards in sorted(set(permutations(rules.spec.cards()))):
        points = most_points(rules, cards) + 1
        if points <= rules.max_score:
            short = what_is_short(Game.start(rules, cards), points, 60.0)
            assert (short == "one more turn") == (most_points(longer, cards) >= points)
            assert short in (None, "one more turn")  # all hint tokens are there
            enough += short is not None
    assert enough > 0


def test_one_more_hint_token_is_enough_if_exhaustive_search_says_so() -> None:
    rules = Rules(spec=DeckSpec(((1, 1, 1), (1, 1))), seats=2, hand_size=1, hints=1)
    enough = 0
    for cards in sorted(set(permutations(rules.spec.cards())))[::3]:
        hint = next(each for each in Game.start(rules, cards).legal_actions if each.is_hint)
        game, start = Game.start(rules, cards).apply(hint), deal(rules, cards)
        few, many = (
            most_points(rules, cards, replace(start, seat=1, hints=hints)) for hints in (0, 1)
        )
        if few < rules.max_score:
            short = what_is_short(game, few + 1, 60.0) or ""
            assert ("one more hint token" in short) == (many > few), cards
            enough += many > few
    assert enough > 0


def test_in_the_last_round_the_order_of_turns_decides() -> None:
    rules = Rules(spec=DeckSpec(((1, 1, 1),)), seats=2, hand_size=1)
    deck = Deck([(0, 1), (0, 3), (0, 2)])
    start = Position.start(rules, deck)
    for hands, lost in ((((2,), (1,)), False), (((1,), (2,)), True)):
        position = Position(
            rules=rules, deck=deck, hands=hands, piles=(1,), drawn=3, hints=8, lives=3, seat=0,
            turns_left=2,
        )  # fmt: skip
        assert refute(position, (3,)) is None
        assert (refute_distribution(position, (3,)) is not None) is lost
    assert most_points(rules, deck) == 2
    assert explain(start, (3,)) is not None
