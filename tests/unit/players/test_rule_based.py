"""What the rule-based player takes as told, in games made for the purpose."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.players import RuleBased, parse_player
from hanabi.rules import Action, Game, Rules, hint_color, hint_rank, play
from hanabi.rules.cards import Card
from hanabi.rules.deck import DeckSpec
from oracles.players import Compiled
from oracles.rule_based import SlowRuleBased

# Two colors, so that one hint excludes a color: then the other follows without having been named.
RULES = replace(Rules.bergh2016(2), spec=DeckSpec(((3, 2, 2, 2, 1), (3, 2, 2, 2, 1))), hand_size=3)


def both(player: RuleBased, game: Game, *actions: Action) -> Action:
    """Return what the player does after these actions, in Python and in compiled code."""
    compiled = Compiled(player, game, 1, 0)
    for action in actions:
        game = game.apply(action)
    decision = SlowRuleBased(player).act(game.view(game.seat_to_act), Stream(1, 0))
    compiled.follow(game)
    assert compiled.decide() == decision
    assert player.act(game.view(game.seat_to_act), Stream(1, 0)) == decision
    return decision


def start(*cards: tuple[int, int]) -> Game:
    """Return the game whose first cards are these: seat 0's hand, then seat 1's."""
    left = list(RULES.spec.cards())
    for card in cards:
        left.remove(Card(*card))
    return Game.start(RULES, [*cards, *left])


def test_a_color_that_follows_is_not_named() -> None:
    game = start((0, 5), (1, 4), (0, 4), (0, 1), (0, 2), (0, 3))
    told = hint_color(1, 1)  # touches nothing: all are of color 0
    back = hint_rank(0, 4)
    assert game.apply(told).knowledge[1][0].colors == (0,)
    # The playable card has not been touched, and its color has not been named.
    assert both(RuleBased(hint=3), game, told, back) == hint_rank(1, 1)
    assert both(RuleBased(hint=3, rank=False), game, told, back) == hint_color(1, 0)
    # Naming the color of all three tells most.
    assert both(RuleBased(hint=2), game, told, back) == hint_color(1, 0)


def test_a_card_drawn_later_was_not_touched() -> None:
    game = start((0, 5), (1, 4), (0, 4), (1, 1), (0, 3), (0, 4), (0, 1))
    # Seat 1 hears of its card 1, plays it, and draws another card 1 in its place.
    assert both(RuleBased(hint=3), game, hint_rank(1, 1), play(0)) == hint_rank(1, 1)


def test_useless_cards_are_next() -> None:
    game = start((0, 5), (1, 4), (0, 4), (1, 1), (0, 3), (0, 3), (1, 1))
    after = (hint_rank(1, 1), play(0))  # the card drawn then is useless
    assert both(RuleBased(hint=3), game, *after) == hint_rank(1, 3)
    assert both(RuleBased(hint=4), game, *after) == hint_rank(1, 1)


@pytest.mark.parametrize("value", ["hint = 0", "discard = 5", "play = 1.5", "useless = nan"])
def test_values_out_of_range_are_quoted(value: str) -> None:
    with pytest.raises(InvalidInputError, match=value):
        parse_player(f"rule-based:{value.replace(' ', '')}")
