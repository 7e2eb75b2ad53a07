"""Figures that players count, where hanab.live counts them in a way of its own."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanabi import GameRecord, read
from hanabi.rules import Game, Rules, discard, hint_rank, play
from hanabi.rules.cards import Card
from hanabi.rules.figures import efficiencies, efficiency, pace, pace_risk
from hanabi.rules.replay import follow, replay
from hanabi.rules.table import grow_apart

SITE = Path(__file__).parents[2] / "data" / "hanab_live" / "site"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("efficiency", Fraction(25, 18)),  # a suit was completed at 8 clues; 25 cards at most
        ("efficiency_full_tokens", Fraction(5, 2)),
        ("efficiency_clue_starved", Fraction(2, 3)),  # an error costs half a clue
    ],
)
def test_efficiency_is_that_of_hanab_live(name: str, expected: Fraction) -> None:
    record = read(SITE / f"{name}.json")
    assert isinstance(record, GameRecord)
    assert efficiency(replay(record)) == expected


def complete(rules: Rules) -> tuple[Game, ...]:
    """A game in which a suit is completed with all tokens there, and then a hint is given."""
    cards = list(rules.spec.cards())
    first = [cards.index(Card(0, rank)) for rank in range(1, 6)]
    others = [n for n in range(len(cards)) if n not in first]
    order = [first[0], *others[:4], first[1], *others[4:8], first[2], first[3], first[4]]
    deck = [cards[n] for n in order + others[8:]]
    slots = [play(0), play(0), play(4), play(4), play(4)]
    games = follow(Game.start(rules, deck), slots)
    hint = next(each for each in games[-1].legal_actions if each.is_hint)
    return follow(games[0], [*slots, hint])


@pytest.mark.parametrize(
    ("rules", "spent"),
    [
        (Rules.hanab_live(2), Fraction(2)),
        (Rules.hanab_live(2, variant="Throw It in a Hole (5 Suits)"), Fraction(1)),
        (Rules.hanab_live(2, variant="Clue Starved (5 Suits)"), Fraction(3, 2)),
        (replace(Rules.hanab_live(2), completion_bonus=False), Fraction(1)),
    ],
)
def test_a_suit_completed_with_all_tokens_loses_what_it_would_give(
    rules: Rules, spent: Fraction
) -> None:
    assert efficiencies(complete(rules))[-1].spent == spent


@pytest.mark.parametrize(
    ("seats", "variant", "least"),
    [
        (2, "No Variant", Fraction(25, 29)),
        (4, "No Variant", Fraction(25, 25)),
        (2, "Black (6 Suits)", Fraction(30, 30)),
        (4, "Black (6 Suits)", Fraction(30, 26)),
        (2, "Clue Starved (6 Suits)", Fraction(30, 21)),
        (4, "Clue Starved (6 Suits)", Fraction(30, 19)),
    ],
)
def test_the_least_efficiency_of_a_deal(seats: int, variant: str, least: Fraction) -> None:
    rules = Rules.hanab_live(seats, variant=variant)
    deal = Game.start(rules, rules.spec.shuffle(seed=1))
    assert efficiencies([deal])[0].required == least


@pytest.mark.parametrize(
    ("seats", "by_pace"),
    [
        (2, {0: "zero", 1: "medium", 2: "low"}),
        (3, {0: "zero", 1: "high", 2: "medium", 3: "low"}),
        (5, {0: "zero", 1: "high", 2: "high", 3: "medium", 4: "medium", 5: "low"}),
    ],
)
def test_the_risk_of_a_discard(seats: int, by_pace: dict[int, str]) -> None:
    rules = replace(Rules.hanab_live(seats), discard_at_full_hints=True, stop_when_stuck=False)
    game, found = Game.start(rules, rules.spec.shuffle(seed=1)), {}
    while game.deck_left > 1:
        left = pace(game)
        assert left is not None
        found[max(left, 0)] = pace_risk(game)
        # A discard costs one, unless it takes the last copy of a card.
        safe = (s for s, c in enumerate(game.hands[game.seat_to_act]) if game.copies_left(c) > 1)
        game = game.apply(discard(next(safe, 0)))
    assert by_pace.items() <= found.items()
    over = follow(game, [discard(0)])[-1]
    assert (pace(over), pace_risk(over)) == (None, "low")


def test_a_lost_game_has_no_pace() -> None:
    rules = replace(Rules.hanab_live(2), lives=1)
    game = Game.start(rules, rules.spec.shuffle(seed=1)).apply(play(0))
    assert (str(game.end_reason), pace(game)) == ("bombed", None)


def test_without_a_last_round_nothing_is_required() -> None:
    rules = replace(Rules.hanab_live(2), final_round=None)
    game = Game.start(rules, rules.spec.shuffle(seed=1))
    games = follow(game, [hint_rank(1, 3)])
    assert [each.required for each in efficiencies(games)] == [None, None]
    assert efficiency(games) == 2


orders = st.lists(st.integers(0, 5), min_size=5, max_size=5)


@given(st.lists(orders, min_size=1, max_size=5), st.integers(0, 2))
def test_piles_that_begin_differently(cards: list[list[int]], n_begun: int) -> None:
    """Against all ways to give each empty pile a rank of its own."""
    begun = min(n_begun, len(cards))
    piles = [1] * begun + [0] * (len(cards) - begun)
    growth = [[[rank] * n for rank, n in enumerate(row, start=1)] for row in cards]
    growth[:begun] = [[[2] * min(row[0], 4)] for row in cards[:begun]]
    fixed = [1 + min(row[0], 4) for row in cards[:begun]]
    ways = [
        [*fixed, *(row[start] for row, start in zip(cards[begun:], starts, strict=True))]
        for starts in permutations(range(5), len(cards) - begun)
    ]
    most = max(map(sum, ways))
    best = min(sorted(way) for way in ways if sum(way) == most)
    found = grow_apart(piles, growth)
    assert (sum(found), sorted(found)) == (most, best)
