"""The fewest turns against all lines of tiny decks, under other values of each rule."""

from __future__ import annotations

from dataclasses import fields, replace
from random import Random

import pytest

from contracts.test_understanding import OTHERS
from hanabi import Deck, DeckSpec
from hanabi.ground import InvalidInputError, SolverError
from hanabi.rules import Game, Rules
from hanabi.rules.variants import find_variant
from hanabi.solvers.winnable import Position, replay, sat
from hanabi.solvers.winnable.fewest import fewest_turns, least_schedule, turns_lost
from hanabi.solvers.winnable.position import highest_goal
from hanabi.solvers.winnable.solver import is_safe
from oracles.small_games import small_game
from oracles.winnable import Table, deal
from oracles.winnable import fewest_turns as by_all_lines

FIELDS = [field.name for field in fields(Rules)]
VARIANTS = (
    "Up or Down (5 Suits)", "Orange (5 Suits)", "Black Reversed (5 Suits)",
    "Null (6 Suits)", "Sudoku (5 Suits)", "Alternating Clues (5 Suits)", "Clue Starved (5 Suits)",
)  # fmt: skip


def small_rules(chance: Random, largest: int = 8) -> Rules:
    """Tokens, lives and last rounds of all kinds."""
    while True:
        rows = [
            tuple(chance.choice((1, 1, 2, 2, 3)) for _ in range(chance.randint(1, 4)))
            for _ in range(chance.randint(1, 3))
        ]
        spec = DeckSpec(tuple(rows))
        if 2 <= spec.size <= largest:
            break
    seats = chance.randint(1, min(3, spec.size))
    rules = Rules(
        spec=spec,
        seats=seats,
        hand_size=chance.randint(1, min(3, spec.size // seats)),
        hints=chance.randint(0, 3),
        lives=chance.randint(1, 3),
        completion_bonus=chance.random() < 0.5,
        discard_at_full_hints=chance.random() < 0.2,
        empty_hints=chance.random() < 0.5,
        half_tokens=chance.random() < 0.2,
    )
    return replace(rules, final_round=chance.choice((seats, seats, seats, 0, 1, 5, None)))


def drawn(field: str, chance: Random) -> tuple[Rules, Deck] | None:
    """A small deck under another value of a rule, or None if it does not fit."""
    if field == "variant":
        return small_game(find_variant(chance.choice(VARIANTS)), chance)
    rules = small_rules(chance)
    if field not in ("spec", "seats"):  # these are drawn anyway
        try:
            rules = replace(rules, **{field: chance.choice(OTHERS[field])})
        except InvalidInputError:
            return None
    cards = list(rules.spec.cards())
    chance.shuffle(cards)
    return rules, Deck(cards)


def wrong(rules: Rules, deck: Deck) -> str | None:
    """Return what is wrong with the fewest turns of a deck, if anything is."""
    points, turns = by_all_lines(rules, [(color, rank) for color, rank in deck])
    game = Game.start(rules, deck)
    try:
        found = fewest_turns(game)
    except SolverError as error:
        is_refused = rules.deck_plays or (points < rules.max_score and not is_safe(rules))
        return None if is_refused else str(error)
    if rules.all_or_nothing and points < rules.max_score:
        points, turns = 0, 0
    if (found.points, found.lower, found.upper) != (points, turns, turns):
        return f"{found}, but {turns} turns for {points} points"
    if found.bound is not None and found.bound.turns > turns:
        return f"the bound is {found.bound}, but {turns} turns suffice"
    return None if sum(replay(game, found.line).piles) == points else "the line has other points"


def check(field: str, decks: int) -> None:
    chance, checked = Random(f"{field} {decks}"), 0
    while checked < decks:
        deal = drawn(field, chance)
        if deal is not None:
            assert wrong(*deal) is None, deal
            checked += 1


@pytest.mark.parametrize("field", FIELDS)
def test_tiny_decks_against_all_lines(field: str) -> None:
    check(field, 40)


@pytest.mark.parametrize("field", FIELDS)
def test_two_thousand_tiny_decks_under_each_rule(field: str) -> None:
    check(field, 2_000)
