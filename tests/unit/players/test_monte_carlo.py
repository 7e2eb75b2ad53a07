from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.players import RuleBased, play_game
from hanabi.players.arena import decision_seed, outcomes, simulate
from hanabi.players.monte_carlo import MonteCarlo, Rollouts
from hanabi.players.protocol import Player
from hanabi.rules import Game, Rules
from oracles import monte_carlo as slow
from property.test_game import ANY, hide_otherwise, play_some

QUICK = settings(max_examples=40)
PLAYERS = st.builds(
    MonteCarlo,
    playouts=st.integers(1, 4),
    turns=st.integers(1, 6),
    favour=st.integers(0, 4),
    narrow=st.booleans(),
    redraw=st.booleans(),
    cumulative=st.booleans(),
    linear=st.booleans(),
    since=st.booleans(),
)


@QUICK
@given(PLAYERS, ANY, st.integers(0, 2**32), st.integers(0, 30))
def test_it_decides_like_the_slow_twin(
    player: MonteCarlo, rules: Rules, seed: int, turns: int
) -> None:
    game = play_some(rules, seed, turns)
    if not game.can_act:
        return
    view = game.view(game.seat_to_act)
    assert player.act(view, Stream(seed)) == slow.choose(player, view, Stream(seed))


def check_compiled_games(player: Player, rules: Rules, seed: int) -> None:
    for index in range(2):
        game = Game.start(rules, rules.spec.shuffle(seed, index))
        end = play_game([player] * rules.seats, game, Stream(decision_seed(seed), index))
        (outcome,) = outcomes(player, rules, 1, seed=seed, first=index)
        assert outcome == sum(end.piles) << 1 | (end.lives == 0)


def check_no_leak(player: Player, rules: Rules, seed: int) -> None:
    game = Game.start(rules, rules.spec.shuffle(seed))
    while not game.is_over and game.turn < 30:
        seat = game.seat_to_act
        other = Game.start(rules, hide_otherwise(game, seat, Stream(seed, game.turn)))
        for action in game.actions:
            other = other.apply(action)
        action = player.act(game.view(seat), Stream(1, game.turn))
        assert action == player.act(other.view(seat), Stream(1, game.turn))
        game = game.apply(action)


@pytest.mark.parametrize("rules", [Rules.bergh2016(3), Rules.hanab_live(4), Rules.official(1)])
@pytest.mark.parametrize("player", [MonteCarlo(playouts=20), Rollouts(playouts=40, caution=0.5)])
def test_compiled_games_and_leaks(player: Player, rules: Rules) -> None:
    check_compiled_games(player, rules, 5)
    if not rules.open_hands:
        check_no_leak(player, rules, 6)


def test_favouring_known_cards_is_what_makes_it_play() -> None:
    """The paper: 14 to 14.5 points; without favour it hardly beats random play."""
    rules = Rules.bergh2016(3)
    favoured = simulate(MonteCarlo(playouts=100), rules, 25, seed=3).kept
    plain = simulate(MonteCarlo(playouts=100, favour=0), rules, 25, seed=3).kept
    assert 12.5 < favoured.mean < 16.5
    assert plain.mean < favoured.mean - 3


def test_rollouts_beat_who_plays_them() -> None:
    rules = Rules.bergh2016(3)
    better = simulate(Rollouts(playouts=300), rules, 25, seed=4).scored(rules)
    usual = simulate(RuleBased(), rules, 25, seed=4).scored(rules)
    assert better.mean > 17.5 > usual.mean


def test_endless_caution_is_the_rule_based_player() -> None:
    rules = Rules.hanab_live(3)
    player = Rollouts(playouts=1, caution=1000)
    assert outcomes(player, rules, 5, seed=5) == outcomes(RuleBased(), rules, 5, seed=5)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: MonteCarlo(playouts=0), "playouts = 0 is not in 1 .. 1,000,000"),
        (lambda: MonteCarlo(turns=1001), "turns = 1001 is not in 1 .. 1,000"),
        (lambda: MonteCarlo(favour=-1), "favour = -1 is not in 0 .. 1,000,000"),
        (lambda: Rollouts(caution=float("nan")), "caution = nan is not in 0 .. 1,000"),
        (lambda: Rollouts(play=2), "play = 2 is not in 0 .. 1"),
    ],
)
def test_what_is_not_allowed(make: type[MonteCarlo], message: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        make()
    assert message in str(caught.value)
