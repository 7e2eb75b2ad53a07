"""The convention player from views: what it decides, and that it sees no hidden card."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.players import play_game
from hanabi.players.arena import decision_seed, outcomes, simulate
from hanabi.players.convention import Convention
from hanabi.rules import Game, Rules
from hanabi.rules.deck import DeckSpec
from oracles.convention import SlowConvention
from property.test_game import WHOLE_TOKENS, hide_otherwise

QUICK = settings(max_examples=30)
PLAYERS = st.builds(
    Convention,
    plays=st.booleans(),
    discards=st.booleans(),
    saves=st.booleans(),
    newest=st.booleans(),
    aside=st.booleans(),
)


@QUICK
@given(PLAYERS, WHOLE_TOKENS, st.integers(0, 2**32))
def test_it_decides_as_its_slow_twin(player: Convention, rules: Rules, seed: int) -> None:
    game, stream = Game.start(rules, rules.spec.shuffle(seed)), Stream(seed)
    twin = SlowConvention(player, game)
    while not game.is_over and game.turn < 80:
        action = player.act(game.view(game.seat_to_act), stream)
        assert action == twin.decide(game)
        assert action in game.legal_actions
        twin.advance(game, action)
        game = game.apply(action)


@settings(max_examples=20)
@given(PLAYERS, WHOLE_TOKENS, st.integers(0, 2**32))
def test_it_does_not_depend_on_hidden_cards(player: Convention, rules: Rules, seed: int) -> None:
    rules = replace(rules, open_hands=False)
    game = Game.start(rules, rules.spec.shuffle(seed))
    while not game.is_over and game.turn < 80:
        seat = game.seat_to_act
        other = Game.start(rules, hide_otherwise(game, seat, Stream(seed, game.turn)))
        for action in game.actions:
            other = other.apply(action)
        views = game.view(seat), other.view(seat)
        decisions = [player.act(view, Stream(seed, 1)) for view in views]
        assert decisions[0] == decisions[1]
        game = game.apply(decisions[0])


@pytest.mark.parametrize("rules", [Rules.hanab_live(2), Rules.bergh2016(3), Rules.official(1)])
def test_compiled_games_are_those_of_the_views(rules: Rules) -> None:
    player = Convention()
    for index in range(3):
        game = Game.start(rules, rules.spec.shuffle(7, index))
        stream = Stream(decision_seed(7), index)
        end = play_game([player] * rules.seats, game, stream)
        code = outcomes(player, rules, 1, seed=7, first=index)[0]
        assert code == sum(end.piles) << 1 | (end.lives == 0)


def test_stand_ins_do_not_end_the_game() -> None:
    """A position of the last round in which the cards that stand in leave no point to score."""
    rules, player = Rules.hanab_live(4), Convention(plays=False, saves=False)
    for seed in range(150, 180):
        game = Game.start(rules, rules.spec.shuffle(seed))
        twin = SlowConvention(player, game)
        while not game.is_over:
            action = player.act(game.view(game.seat_to_act), Stream(seed))
            if game.turns_left is not None:
                assert action == twin.decide(game)
            twin.advance(game, action)
            game = game.apply(action)


def test_it_is_strong_with_two_seats() -> None:
    tally = simulate(Convention(), Rules.hanab_live(2), 2000, seed=11)
    assert tally.zeroed.mean > 23.95


@pytest.mark.parametrize("part", ["plays", "discards", "saves", "newest", "aside"])
def test_each_part_helps_two_seats(part: str) -> None:
    whole = simulate(Convention(), Rules.hanab_live(2), 2000, seed=13)
    without = simulate(Convention(**{part: False}), Rules.hanab_live(2), 2000, seed=13)
    assert whole.zeroed.perfect > without.zeroed.perfect


def test_it_refuses_more_cards_than_a_word_holds() -> None:
    rules = replace(Rules.official(2), spec=DeckSpec.uniform(colors=7, ranks=9, copies=1))
    with pytest.raises(InvalidInputError, match=r"63 kinds of cards .* at most 60"):
        simulate(Convention(), rules, 1, seed=1)
    game = Game.start(rules, rules.spec.shuffle(1))
    with pytest.raises(InvalidInputError, match=r"63 kinds of cards .* at most 60"):
        Convention().act(game.view(0), Stream(1))
