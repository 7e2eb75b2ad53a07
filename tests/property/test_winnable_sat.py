"""The formula against exhaustive search and the search, on small random rules and decks."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi import Deck
from hanabi.ground.sat import Satisfiability, solve_here
from hanabi.rules import Game, Rules
from hanabi.rules.variants import find_variant
from hanabi.solvers.winnable import Position, replay
from hanabi.solvers.winnable.images import only_image
from hanabi.solvers.winnable.sat import encode, line_of_acts
from oracles.sat import satisfies
from oracles.small_games import small_game
from oracles.winnable import Table, most_points
from property.test_winnable import deals


def face_up(game: Game) -> Table:
    hands = tuple(tuple(sorted(game.deck[i] for i in hand)) for hand in game.hand_indices)
    drawn = game.rules.deck_size - game.deck_left
    return Table(
        game.piles, hands, drawn, game.hint_credit, game.lives, game.seat_to_act, game.turns_left
    )


def is_reached(game: Game, points: int) -> bool:
    """Whether a model of some goal's formula exists; every model is replayed to its goal."""
    if sum(game.piles) >= points:
        return True
    if game.is_over:
        return False
    position, reached = Position.of_game(game), False
    for goal in position.goals(points):
        encoding = encode(position, goal)
        answer = solve_here(encoding.cnf)
        if answer.model is not None:
            assert satisfies(encoding.cnf, answer.model)
            end = replay(game, line_of_acts(game, encoding.decode(answer.model)))
            assert end.piles == goal
        reached |= answer.status is Satisfiability.SATISFIABLE
    return reached


@settings(max_examples=300)
@given(deals())
def test_a_model_exists_exactly_for_what_can_be_reached(deal: tuple[Rules, Deck]) -> None:
    rules, deck = deal
    game, truth = Game.start(rules, deck), most_points(rules, deck)
    assert is_reached(game, truth)
    assert truth == rules.max_score or not is_reached(game, truth + 1)


@settings(max_examples=300)
@given(deals(), st.data())
def test_positions_in_the_middle_of_a_game(deal: tuple[Rules, Deck], data: st.DataObject) -> None:
    rules, deck = deal
    game = Game.start(rules, deck)
    for _ in range(data.draw(st.integers(1, 6))):
        if game.is_over:
            break
        actions = game.legal_actions
        game = game.apply(actions[data.draw(st.integers(0, len(actions) - 1))])
    if sum(game.piles) < rules.max_score:
        truth = most_points(rules, deck, face_up(game))
        assert is_reached(game, truth)
        assert truth == rules.max_score or not is_reached(game, truth + 1)


ONE_COPY = ("Black (5 Suits)", "Black (6 Suits)", "Black & Gray (6 Suits)", "Gray (6 Suits)")
"""Variants with suits of one copy a card, where pace decides most."""


@settings(max_examples=300)
@given(st.sampled_from(ONE_COPY), st.randoms(use_true_random=False))
def test_suits_of_one_copy_against_all_lines(name: str, chance: Random) -> None:
    rules, deck = small_game(find_variant(name), chance)
    game = only_image(Game.start(rules, deck)).game
    truth = most_points(game.rules, deck)
    assert is_reached(game, truth)
    assert truth == rules.max_score or not is_reached(game, truth + 1)
