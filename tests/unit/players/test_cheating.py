from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.players import play_game, simulate
from hanabi.players.arena import decision_seed, outcome_of, outcomes
from hanabi.players.cheating import Cheating
from hanabi.rules import Game, Rules
from property.test_game import PRESETS, rule_sets


@given(rule_sets() | PRESETS, st.integers(0, 2**32))
def test_compiled_games_are_those_of_the_views(rules: Rules, seed: int) -> None:
    rules = replace(rules, open_hands=True)
    game, stream = Game.start(rules, rules.spec.shuffle(seed, 0)), Stream(decision_seed(seed))
    end = play_game([Cheating()] * rules.seats, game, stream)
    assert outcomes(Cheating(), rules, 1, seed=seed) == [outcome_of(end)]


def test_it_does_not_see_the_deck() -> None:
    rules = replace(Rules.hanab_live(3), open_hands=True)
    game = Game.start(rules, rules.spec.shuffle(1))
    while not game.is_over:
        seat = game.seat_to_act
        deck = list(game.deck)
        drawn = len(deck) - game.deck_left
        deck[drawn:] = Stream(2, game.turn).shuffled(deck[drawn:])
        other = Game.start(rules, deck)
        for action in game.actions:
            other = other.apply(action)
        action = Cheating().act(game.view(seat), Stream(3))
        assert action == Cheating().act(other.view(seat), Stream(3))
        game = game.apply(action)


@pytest.mark.parametrize(("seats", "least"), [(2, 24.8), (3, 24.96), (4, 24.95), (5, 24.93)])
def test_it_almost_always_wins(seats: int, least: float) -> None:
    rules = replace(Rules.hanab_live(seats), open_hands=True)
    tally = simulate(Cheating(), rules, 3_000, seed=4)
    assert tally.scored(rules).mean > least
    assert tally.zeroed.mean == tally.kept.mean  # no game is bombed


def test_it_needs_open_hands() -> None:
    rules = Rules.hanab_live(3)
    with pytest.raises(InvalidInputError, match="needs open_hands=True"):
        simulate(Cheating(), rules, 1, seed=1)
    with pytest.raises(InvalidInputError, match="needs open_hands=True"):
        Cheating().act(Game.start(rules, rules.spec.shuffle(1)).view(0), Stream(1))
