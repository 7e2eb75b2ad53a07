"""The wrapper: its limits, and that views, arrays and plain Python agree."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.players import Convention, FirstLegal, Information, Rollouts, RuleBased, play_game
from hanabi.players.arena import outcomes
from hanabi.players.compiled import recall
from hanabi.players.endgame import Endgame
from hanabi.players.protocol import Player
from hanabi.rules import Game, Rules
from hanabi.rules.deck import DeckSpec
from property.test_game import hide_otherwise

SMALL = Rules(
    spec=DeckSpec.uniform(colors=2, ranks=3, copies=2), seats=2, hand_size=2, hints=3, lives=2
)
TABLES = [SMALL, replace(SMALL, seats=3, keep_slots=True, empty_hints=False, final_round=3)]


class OnlyViews:
    """Hides that a player has a compiled policy, or plays compiled games."""

    def __init__(self, player: Player) -> None:
        self.act = player.act


@pytest.mark.parametrize("rules", TABLES, ids=["2 seats", "3 seats"])
@pytest.mark.parametrize(
    "player",
    [
        Endgame(RuleBased(), budget=8, deck=0),
        Endgame(RuleBased(hint=1, discard=1, hinting=0.5), budget=6, samples=3, deck=1, caution=1),
        Endgame(Rollouts(playouts=6), budget=6, deck=0),
    ],
    ids=["all deals", "some deals", "of who searches"],
)
def test_compiled_and_plain_games_are_equal(player: Endgame, rules: Rules) -> None:
    compiled = outcomes(player, rules, 3, seed=3)
    assert compiled == outcomes(OnlyViews(player), rules, 3, seed=3)
    plain = replace(player, player=OnlyViews(player.player))
    assert compiled == outcomes(plain, rules, 3, seed=3)


def test_it_gains() -> None:
    rules = Rules.bergh2016(3)
    before, after = (
        sum(outcome >> 1 for outcome in outcomes(player, rules, 200, seed=4))
        for player in (RuleBased(), Endgame(RuleBased(), budget=30))
    )
    assert after > before + 100


def see_otherwise(game: Game, seat: int, seed: int) -> Game:
    """Return a game that looks the same to a seat, with the cards that it does not see moved."""
    other = Game.start(game.rules, hide_otherwise(game, seat, Stream(seed, game.turn)))
    for action in game.actions:
        other = other.apply(action)
    return other


@pytest.mark.parametrize(
    ("base", "rules"),
    [
        (RuleBased(), Rules.bergh2016(3)),
        pytest.param(Information(), Rules.hanab_live(2), marks=pytest.mark.thorough),
        pytest.param(Convention(), Rules.hanab_live(2), marks=pytest.mark.thorough),
    ],
    ids=["rule-based", "information", "convention"],
)
def test_it_does_not_see_hidden_cards(base: Player, rules: Rules) -> None:
    player = Endgame(base, budget=30, samples=10, deck=4)
    game, n_searched = Game.start(rules, rules.spec.shuffle(seed=5)), 0
    while not game.is_over:
        seat = game.seat_to_act
        if game.deck_left <= 4:
            n_searched += 1
            action = player.act(game.view(seat), Stream(7, game.turn))
            other = see_otherwise(game, seat, 6)
            assert action == player.act(other.view(seat), Stream(7, game.turn))
        else:
            action = base.act(game.view(seat), Stream(7, game.turn))
        game = game.apply(action)
    assert n_searched > 3


def test_a_view_is_enough_to_recall_the_position() -> None:
    rules = Rules.hanab_live(3)
    game = Game.start(rules, rules.spec.shuffle(seed=8))
    player = RuleBased()
    policy = player.compiled(rules)
    while not game.is_over:
        views = [game.view(seat) for seat in range(3)]
        for view in views:
            position, _ = recall(view, policy)
            assert position.state.tolist() == game.packed.state.tolist()
        game = game.apply(player.act(views[game.seat_to_act], Stream(1)))
    with pytest.raises(InvalidInputError, match="the game is over"):
        recall(game.view(0), policy)


def test_any_player_can_be_improved() -> None:
    player = Endgame(FirstLegal(), budget=8, deck=0)
    game = Game.start(SMALL, SMALL.spec.shuffle(seed=9))
    assert play_game([player] * 2, game, Stream(1)).is_over


@pytest.mark.parametrize(
    "bad",
    [{"budget": -1}, {"samples": 10**7}, {"deck": -1}, {"caution": math.nan}, {"caution": 101}],
)
def test_numbers_are_checked(bad: dict[str, float]) -> None:
    with pytest.raises(InvalidInputError, match=next(iter(bad))):
        Endgame(RuleBased(), **bad)  # type: ignore[arg-type]


def test_too_many_kinds_of_cards_are_refused() -> None:
    spec = DeckSpec.uniform(colors=13, ranks=5, copies=1)
    rules = replace(SMALL, spec=spec)
    with pytest.raises(InvalidInputError, match="65 kinds of cards"):
        outcomes(Endgame(RuleBased()), rules, 1, seed=1)
