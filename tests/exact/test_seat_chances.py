"""Chances of a seat with given partners, held against every deal played out from views."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.players import Convention, Information, Player, RuleBased, play_game
from hanabi.players.compiled import recall
from hanabi.players.partners import seat_chances
from hanabi.reviews.chances import beside
from hanabi.rules import Action, Game, Rules
from hanabi.rules.view import View
from hanabi.solvers.draws import Range
from hanabi.worlds import Hidden

Deterministic: TypeAlias = Convention | Information | RuleBased


def late_games(player: Player, seats: int, deck: int, games: int) -> list[Game]:
    rules, found = Rules.hanab_live(seats), []
    for index in range(games):
        start = Game.start(rules, rules.spec.shuffle(31, index))
        end = play_game([player] * seats, start, Stream(1, index))
        game = start
        for action in end.actions:
            if game.deck_left <= deck:
                found.append(game)
                break
            game = game.apply(action)
    return found


def deals_of(player: Deterministic, game: Game) -> list[Game]:
    """Every deal that the seat to act holds possible, replayed to the position."""
    view = game.view(game.seat_to_act)
    hidden = Hidden.of(view)
    worlds = hidden.worlds(100_000)
    assert worlds is not None
    kept = []
    for world in worlds:
        dealt = Game.start(view.rules, hidden.deck(world))
        if _would_have(player, dealt, view):
            kept.append(dealt)
    return [_after(dealt, view.actions) for dealt in kept]


def others_moves(game: Game) -> int:
    """Count the moves of the seats that do not act now."""
    seats = game.rules.seats
    return sum((turn - game.turn) % seats != 0 for turn in range(game.turn))


def _after(game: Game, actions: tuple[Action, ...]) -> Game:
    for action in actions:
        game = game.apply(action)
    return game


def _would_have(player: Deterministic, game: Game, view: View) -> bool:
    for action in view.actions:
        seat = game.seat_to_act
        if seat != view.seat and player.act(game.view(seat), Stream(0)) != action:
            return False
        game = game.apply(action)
    return _is_possible(player, game, view)


def _is_possible(player: Deterministic, game: Game, view: View) -> bool:
    """Whether the cards in the seat's hand are among those that the conventions leave."""
    from hanabi.players.kernels.policy import possible

    policy = player.compiled(view.rules)
    position, memory = recall(view, policy)
    for slot, card in enumerate(game.hands[view.seat]):
        cards = possible(policy, position, memory, view.seat, slot)
        if not cards >> (card.color * view.rules.ranks + card.rank - 1) & 1:
            return False
    return True


@pytest.mark.parametrize(
    ("player", "seats"),
    [(Convention(), 2), (Information(), 3), (RuleBased(), 2)],
    ids=["convention", "information", "rule-based"],
)
def test_every_deal_played_out(player: Deterministic, seats: int) -> None:
    compared = 0
    for game in late_games(player, seats, 1, 6):
        found = seat_chances(player, game.view(game.seat_to_act))
        deals = deals_of(player, game)
        assert found.is_exact
        assert found.is_believed
        assert (found.decisions, found.contradicted) == (others_moves(game), 0)
        assert found.cases == len(deals)
        assert {each.action for each in found.actions} | set(found.misread) == set(
            game.legal_actions
        )
        for each in found.actions[:6]:
            ends = [
                play_game([player] * seats, dealt.apply(each.action), Stream(0)) for dealt in deals
            ]
            perfect = Fraction(sum(end.score == 25 for end in ends), len(deals))
            points = Fraction(sum(end.score for end in ends), len(deals))
            assert (each.perfect, each.points) == (Range(perfect, perfect), Range(points, points))
            compared += 1
    assert compared > 10


def test_bounds_when_the_time_is_over() -> None:
    game = late_games(Convention(), 2, 1, 1)[0]
    view = game.view(game.seat_to_act)
    exact, cut = seat_chances(Convention(), view), seat_chances(Convention(), view, seconds=0)
    assert not cut.is_exact
    for known, bounds in zip(exact.actions, cut.actions, strict=True):
        assert bounds.perfect.low <= known.perfect.low <= bounds.perfect.high
        assert bounds.points.low <= known.points.low <= bounds.points.high


def test_who_cannot_be_a_partner_is_told() -> None:
    rules = Rules.hanab_live(2)
    game = Game.start(rules, rules.spec.shuffle(1))
    with pytest.raises(InvalidInputError, match="deterministic player, not 'RuleBased'"):
        seat_chances(RuleBased(hint=1), game.view(0))
    with pytest.raises(InvalidInputError, match="seat 0 is to act, not 1"):
        seat_chances(Convention(), game.view(1))
    with pytest.raises(InvalidInputError, match="more than 1,000 deals"):
        seat_chances(Convention(), game.view(0), most=1_000)


@pytest.mark.parametrize(("player", "seats"), [(Convention(), 2), (Information(), 3)])
def test_partners_are_never_better_than_open_hands_in_their_deals(
    player: Convention | Information, seats: int
) -> None:
    for game in late_games(player, seats, 2, 4):
        found = beside(game, player, seconds=2)
        for each in found.partners.actions:
            above = found.above.of(each.action)
            assert each.perfect.low <= above.perfect.high, (game, each)
            assert each.points.low <= above.points.high, (game, each)
            bracket = found.judged.of(each.action)
            assert bracket.perfect.low <= bracket.perfect.high
        assert found.above.cases <= found.judged.cases
