from __future__ import annotations

from dataclasses import replace

import pytest

from hanabi.ground.errors import IllegalActionError, InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.players import FirstLegal, RandomLegal, RuleBased, play_game, simulate
from hanabi.rules import Action, Game, Rules, View, discard
from hanabi.rules.deck import DeckSpec


class Cheat:
    """Discards when it may not."""

    def act(self, _: View, __: Stream, /) -> Action:
        return discard(0)


def test_deals_are_those_of_the_seed() -> None:
    rules = Rules.official(2)
    tally = simulate(FirstLegal(), rules, 1, seed=5, first=3)
    game = Game.start(rules, rules.spec.shuffle(5, 3))
    end = play_game([FirstLegal()] * 2, game, Stream(0))
    assert tally.scored(rules).histogram[end.score] == 1
    assert tally.bombed[sum(end.piles)] == 1


def test_repeats_play_the_same_deals_otherwise() -> None:
    rules = Rules.bergh2016(3)
    player = RuleBased(hint=1)
    assert simulate(player, rules, 50, seed=1) == simulate(player, rules, 50, seed=1, repeat=0)
    assert simulate(player, rules, 50, seed=1) != simulate(player, rules, 50, seed=1, repeat=1)
    fixed = RuleBased()  # draws nothing
    assert simulate(fixed, rules, 50, seed=1) == simulate(fixed, rules, 50, seed=1, repeat=1)


def test_what_is_not_allowed() -> None:
    rules = Rules.official(2)
    game = Game.start(rules, rules.spec.shuffle(1))
    with pytest.raises(InvalidInputError, match="1 players for 2 seats"):
        play_game([FirstLegal()], game, Stream(1))
    with pytest.raises(IllegalActionError):
        simulate(Cheat(), rules, 1, seed=1)
    with pytest.raises(InvalidInputError, match="games = -1 is negative"):
        simulate(FirstLegal(), rules, -1, seed=1)
    large = replace(rules, spec=DeckSpec.uniform(1, 2, 1 << 14))
    with pytest.raises(InvalidInputError, match="a deck of 32,768 cards is too large"):
        simulate(RandomLegal(), large, 1, seed=1)
