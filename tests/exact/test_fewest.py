"""The fewest turns against all lines of tiny decks, under other values of each rule."""

from __future__ import annotations

from dataclasses import fields, replace
from random import Random
from typing import Any

import pytest

from contracts.test_understanding import OTHERS
from hanabi import Deck, DeckSpec
from hanabi.ground import InvalidInputError, SolverError
from hanabi.rules import Game, Rules
from hanabi.rules.seeds import parse_seed
from hanabi.rules.variants import find_variant
from hanabi.solitaire import Instance, fewest_cards, verify_play
from hanabi.solvers.winnable import Position, replay, sat, solve_game
from hanabi.solvers.winnable.fewest import fewest_turns, least_schedule, turns_lost
from hanabi.solvers.winnable.position import highest_goal
from hanabi.solvers.winnable.solver import is_safe
from oracles.small_games import small_game
from oracles.solitaire import is_winnable
from oracles.winnable import Table
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
            other: dict[str, Any] = {field: chance.choice(OTHERS[field])}
            rules = replace(rules, **other)
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
    # A variant may refuse all lines that the solver finds for some number of turns.
    is_right = found.lower <= turns <= found.upper if rules.variant else found.is_exact
    if found.points != points or not is_right or (found.is_exact and found.upper != turns):
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


def face_up(game: Game) -> Table:
    """The position as the oracle has it."""
    hands = tuple(tuple(sorted(game.deck[i] for i in hand)) for hand in game.hand_indices)
    drawn = game.rules.deck_size - game.deck_left
    return Table(
        game.piles, hands, drawn, game.hint_credit, game.lives, game.seat_to_act, game.turns_left
    )


def test_positions_of_games_and_what_each_action_costs() -> None:
    """Games played at random; in the last action of each all points are on the piles."""
    chance, checked = Random(2), 0
    while checked < 150:
        rules = small_rules(chance)
        cards = list(rules.spec.cards())
        chance.shuffle(cards)
        games = [Game.start(rules, cards)]
        while not games[-1].is_over and games[-1].legal_actions and len(games) < 25:
            games.append(games[-1].apply(chance.choice(games[-1].legal_actions)))
        if len(games) < 2 or games[-1].score < rules.max_score:
            continue
        checked += 1
        plain = [(color, rank) for color, rank in games[0].deck]
        for game, found in zip(games, turns_lost(games), strict=True):
            truth = (rules.max_score, 0)
            if game.score < rules.max_score:
                truth = by_all_lines(rules, plain, face_up(game))
            assert (found.points, found.lower, found.upper) == (truth[0], truth[1], truth[1])
            assert replay(game, found.line).score == rules.max_score


def test_every_horizon_of_a_formula() -> None:
    """Also those below the bound, and with far more turns than there are cards."""
    chance, checked = Random(3), 0
    while checked < 100:
        rules = small_rules(chance, 7)
        cards = list(rules.spec.cards())
        chance.shuffle(cards)
        points, fewest = by_all_lines(rules, [(color, rank) for color, rank in cards])
        game = Game.start(rules, cards)
        if points < rules.max_score or not game.can_act:
            continue
        checked += 1
        schedule = least_schedule(Position.of_game(game), highest_goal(rules))
        assert schedule is not None
        assert schedule.turns <= fewest
        for turns in (*range(1, fewest + 2), fewest + 20):
            verdict = sat.solve(game, turns=turns, conflicts_here=1_000_000)
            assert verdict.is_winnable is (turns >= fewest)
            assert len(verdict.witness or ()) <= turns


def test_the_four_deals_of_three_seats() -> None:
    """Lines of 48, 52, 41 and 41 turns were printed before; counting alone says 39, 41, 33, 33."""
    found = [
        fewest_turns(Game.start(Rules.hanab_live(3), parse_seed(f"p3v0s{number}").deck))
        for number in (1, 2, 17, 5)
    ]
    assert [(each.lower, each.upper) for each in found] == [(n, n) for n in (42, 43, 35, 35)]


def test_less_than_all_points() -> None:
    """A deck that nobody wins: the fewest turns for the most points, in a line with no more."""
    rules = Rules.hanab_live(2)
    found = fewest_turns(Game.start(rules, parse_seed("p2v0s40").deck))
    assert found.points < 25
    assert found.is_exact
    assert replay(Game.start(rules, parse_seed("p2v0s40").deck), found.line).score == found.points


def test_what_is_refused() -> None:
    game = Game.start(Rules.hanab_live(2), parse_seed("p2v0s40").deck)
    with pytest.raises(SolverError, match="no line with 25 points is known"):
        fewest_turns(game, points=25)
    rules = replace(Rules.hanab_live(2), deck_plays=True)
    with pytest.raises(SolverError, match="does not know the rule deck_plays = True"):
        fewest_turns(Game.start(rules, game.deck))
    with pytest.raises(InvalidInputError, match="turns: 0 is not 1 or more"):
        sat.encode(Position.of_game(game), (5,) * 5, turns=0)


def test_a_budget_of_nothing_leaves_bounds() -> None:
    game = Game.start(Rules.hanab_live(3), parse_seed("p3v0s1").deck)
    line = fewest_turns(game).line
    longer = solve_game(game).witness
    found = fewest_turns(game, points=25, line=longer, seconds=0)
    assert found.lower <= len(line) <= found.upper == len(longer or ())


def test_the_shortest_beginning_of_a_stream_that_wins() -> None:
    """Every beginning is decided by brute force: none that is too short, and all others, win."""
    chance, found_some = Random(5), 0
    for _ in range(400):
        colors, values = chance.choice(((1, 4), (2, 2), (2, 3), (3, 2)))
        cards = [
            (chance.randrange(colors), chance.randint(1, values))
            for _ in range(chance.randint(colors * values, 10))
        ]
        stream = Instance(chance.randint(0, 3), cards, n=values, c=colors)
        wins = [is_winnable(stream.first(number)) for number in range(stream.N + 1)]
        assert wins == sorted(wins)
        found = fewest_cards(stream)
        assert found.is_exact
        assert found.upper == (wins.index(True) if wins[-1] else None)
        if found.upper is not None:
            found_some += 1
            assert found.verdict.witness is not None
            verify_play(stream.first(found.upper), found.verdict.witness)
    assert found_some > 50


def test_a_play_that_goes_on_longer_than_it_needs() -> None:
    """All is decided by the first two cards, whatever the solver does with the rest."""
    found = fewest_cards(Instance(1, [(0, 2), (0, 1), *[(0, 1)] * 5]))
    assert (found.lower, found.upper) == (2, 2)
