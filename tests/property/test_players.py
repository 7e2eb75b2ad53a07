"""The rule-based player decides the same in Python and in compiled code."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi.ground.rng import Stream
from hanabi.players import RuleBased, play_game, simulate
from hanabi.players.arena import decision_seed
from hanabi.rules import Game, Rules
from oracles.players import Compiled
from oracles.rule_based import SlowRuleBased
from property.test_game import PRESETS, rule_sets

PROBABILITIES = st.sampled_from([0, 0.1, 0.3, 0.5, 0.6, 0.7, 0.9, 1])
PLAYERS = st.builds(
    RuleBased,
    hint=st.integers(1, 4),
    discard=st.integers(1, 4),
    play=PROBABILITIES,
    useless=PROBABILITIES,
    hinting=PROBABILITIES,
    safe=st.booleans(),
    best=st.booleans(),
    never=st.booleans(),
    negative=st.booleans(),
    rank=st.booleans(),
)
QUICK = settings(max_examples=80)


@QUICK
@given(PLAYERS, rule_sets() | PRESETS, st.integers(0, 2**32))
def test_compiled_decisions_are_equal(player: RuleBased, rules: Rules, seed: int) -> None:
    game, stream = Game.start(rules, rules.spec.shuffle(seed)), Stream(seed, 1)
    compiled, slow = Compiled(player, game, seed, 1), SlowRuleBased(player)
    while not game.is_over and game.turn < 100:
        view = game.view(game.seat_to_act)
        action, chances = slow.act(view, stream), slow.chances(view)
        assert compiled.decide() == action
        assert player.draws_nothing <= (player.act(view, Stream(0)) == action)
        assert chances[action] > 0
        assert sum(chances.values()) == 1
        assert len(chances) == 1 or not player.draws_nothing
        for each in view.legal_actions:
            assert compiled.chance(each) == pytest.approx(float(chances.get(each, 0)), abs=1e-12)
        game = game.apply(action)
        compiled.take(action)
    assert compiled.is_at(stream)


@QUICK
@given(PLAYERS, PRESETS, st.integers(0, 2**32), st.integers(0, 5))
def test_compiled_games_are_equal(player: RuleBased, rules: Rules, seed: int, index: int) -> None:
    game = Game.start(rules, rules.spec.shuffle(seed, index))
    end = play_game([player] * rules.seats, game, Stream(decision_seed(seed), index))
    tally = simulate(player, rules, 1, seed=seed, first=index)
    assert tally.scored(rules).histogram[end.score] == 1
    assert (tally.bombed if end.lives == 0 else tally.ended)[sum(end.piles)] == 1
