"""Moves judged by games: against all deals, and what follows from them in tables and sentences."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import hypot

import pytest

import hanabi
from hanabi.ground import Clock, Stream
from hanabi.players import Convention, play_game
from hanabi.players.partners import seat_chances
from hanabi.reviews.advice import with_error
from hanabi.reviews.decisions import EstimateRemark, estimate_decisions
from hanabi.reviews.document import ReviewDocument
from hanabi.reviews.remarks import findings, remarks
from hanabi.reviews.review import Review, review
from hanabi.reviews.rows import PLAYERS, Players, luck_of
from hanabi.rules import Game
from hanabi.rules.problem import posed
from hanabi.rules.words import PLAIN


@pytest.fixture(scope="module")
def end() -> Game:
    """A game of the convention, whose fourth move from the end is the worst one."""
    game = hanabi.deal(2, seed=3)
    for action in play_game([Convention()] * 2, game, Stream(1)).actions[:-4]:
        game = game.apply(action)
    found = seat_chances(Convention(), game.view(game.seat_to_act))
    return game.apply(min(found.actions, key=lambda each: each.points).action)


@pytest.fixture(scope="module")
def judged(end: Game) -> Review:
    """Its review, with what is known of the last six moves."""
    found = review(end)
    estimates, moves = [], len(end.actions)
    for each in estimate_decisions(posed(end), found.prospects, "convention", Clock()):
        estimates.append(each)
        if len(estimates) == 6:
            break
    assert all(each.move > moves - 20 for each in estimates)
    return replace(found, estimates=tuple(estimates), partners="convention")


def test_what_was_given_away_agrees_with_all_deals(end: Game, judged: Review) -> None:
    worst = next(each for each in judged.estimates if each.move == len(end.actions))
    before = judged.positions[worst.move - 1]
    exact = seat_chances(Convention(), before.view(before.seat_to_act))
    assert exact.is_exact
    assert worst.better is not None
    gave = exact.of(worst.better).points.low - exact.of(end.actions[-1]).points.low
    assert abs(worst.given_away - gave) <= 4 * worst.error + 1e-9
    assert worst.remark(before, PLAIN).is_mistake


def test_luck_is_what_remains_of_the_points_that_a_move_lost(judged: Review) -> None:
    document = judged.document()
    for move in document.moves:
        if move.luck is not None:
            gave, deck, luck = move.luck
            assert gave + deck - luck == pytest.approx(move.lost)
            assert min(move.luck) >= 0
            assert deck == 0 or luck == 0
    assert sum(move.luck is not None for move in document.moves) == 6
    assert ReviewDocument.from_json(document.to_json()) == document
    players = Players()
    players.add(document)
    cells = list(players.rows())
    assert sum(int(each["estimated"] or 0) for each in cells) == 6
    for name in ("given_away", "lost_by_deck", "gained_by_luck"):
        assert f"{name}_per_game" in PLAYERS
    gave = sum(float(each["given_away_per_game"] or 0) for each in cells)
    assert gave == pytest.approx(sum(move.luck[0] for move in document.moves if move.luck))


def test_sentences_name_what_was_better_and_the_players(judged: Review) -> None:
    document = judged.document()
    told = [each.text for each in findings(document, {})]
    moves = len(document.moves)
    assert f"6 of {moves} moves, by games in which all go on as convention" in told
    mistakes = [each for each in document.moves if each.estimate and each.estimate.is_mistake]
    assert mistakes
    assert {each.move for each in document.moves if each.is_notable} == {x.move for x in mistakes}
    rows = luck_of(document)
    assert [name for name, *_ in rows] == ["Alice", "Bob"]
    for name, given_away, *_ in rows:
        own = [each.estimate for each in mistakes if each.player == name and each.estimate]
        gave, error = sum(x.given_away for x in own), hypot(*(x.error for x in own))
        assert given_away == with_error(gave, error or None)
    for move in mistakes:
        assert any("an estimated mistake" in each for each in remarks(move, document.partners))
    certain = replace(mistakes[0], estimate=None)
    assert not any("estimated" in each for each in remarks(certain, document.partners))


def test_few_errors_make_no_mistake() -> None:
    assert not EstimateRemark("play card 1", 0.2, 0.1, 32).is_mistake
    assert not EstimateRemark(None, 0.0, 0.0, 32).is_mistake


def test_those_that_lost_points_come_first(end: Game, judged: Review) -> None:
    problem = posed(end)
    lost = {
        move
        for move, (one, two) in enumerate(pairwise(judged.prospects), 1)
        if two.upper < one.lower
    }
    first = next(estimate_decisions(problem, judged.prospects, "convention", Clock()))
    assert first.move in lost or not lost
    assert not list(estimate_decisions(problem, judged.prospects, "convention", Clock(0)))
