"""Games that break the conventions: what the others truly did is always explained.

One seat makes odd moves, and the others play on by conventions. The seat is then asked what it can
conclude. `make kernels` runs these tests as plain Python with poison in all new arrays, too
(`tests/poison.py`): an element that is read before it is written would change the answers.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

import poison
from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.players import (
    Belief,
    Convention,
    Endgame,
    Information,
    Player,
    RuleBased,
    Smart,
    play_game,
)
from hanabi.players.belief import draw_beliefs
from hanabi.players.partners import seat_chances, weigh_hands
from hanabi.players.partners.playouts import play_outs
from hanabi.rules import Game, Rules
from hanabi.rules.cards import Card
from hanabi.rules.deck import DeckSpec
from hanabi.rules.view import View
from hanabi.solvers.draws import Range
from hanabi.worlds import Hidden

IS_COMPILED = os.environ.get("NUMBA_DISABLE_JIT") != "1"
PLAYERS: dict[str, Player] = {
    "convention": Convention(),
    "information": Information(),
    "rule-based": RuleBased(),
    "smart": Smart(),
}
TABLES = [("convention", 2), ("information", 3), ("rule-based", 2), ("smart", 3)]
SPEC = DeckSpec(((3, 2, 2, 1),) * 3)  # 24 cards


def rules_of(seats: int) -> Rules:
    return Rules(
        spec=SPEC, seats=seats, hand_size=4 if seats == 2 else 3, hints=6, empty_hints=False
    )


def odd_game(player: Player, seats: int, index: int, left: int, *, odd: int) -> Game:
    """Play until few cards are left; the seat that is then to act has made some odd moves."""
    rules, draw = rules_of(seats), random.Random(index)
    game = Game.start(rules, rules.spec.shuffle(17, index))
    asker, rounds = index % seats, draw.sample(range(5), odd)
    while not game.is_over and (game.deck_left > left or game.seat_to_act != asker):
        view = game.view(game.seat_to_act)
        action = player.act(view, Stream(1))
        if view.seat == asker and game.turn // seats in rounds:
            others = [each for each in view.legal_actions if each != action]
            action = draw.choice([each for each in others if each.is_hint] or others)
        game = game.apply(action)
    return game


def odd_games(name: str, seats: int, n: int, left: int, *, odd: int = 2) -> Iterator[Game]:
    for index in range(n):
        game = odd_game(PLAYERS[name], seats, index, left, odd=odd)
        if not game.is_over:
            yield game


def deals_of(player: Player, view: View) -> list[Game]:
    """Return every deal that hints leave in which the others act as they did, asked from views."""
    hidden = Hidden.of(view)
    worlds = hidden.worlds(100_000)
    assert worlds is not None
    kept, known = [], dict[tuple[Card, ...], bool]()
    own = len(hidden.slots)
    for world in worlds:
        game = Game.start(view.rules, hidden.deck(world))
        hand = world[:own]
        is_kept, asked = True, hand not in known
        for action in view.actions:
            seat = game.seat_to_act
            if asked and seat != view.seat and is_kept:
                is_kept = player.act(game.view(seat), Stream(0)) == action
            game = game.apply(action)
        known.setdefault(hand, is_kept)
        if known[hand]:
            kept.append(game)
    return kept


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_what_the_others_did_is_explained(name: str, seats: int) -> None:
    """No decision is contradicted, and the true hand is among those that are found."""
    player, explained = PLAYERS[name], 0
    for game in odd_games(name, seats, 24 if IS_COMPILED else 5, 2):
        view = game.view(game.seat_to_act)
        hand, others = tuple(game.hands[view.seat]), others_moves(game)
        found = seat_chances(player, view, seconds=0)
        assert (found.is_believed, found.decisions, found.contradicted) == (True, others, 0)
        assert hand in found.hands
        weighed = weigh_hands(player, view, Stream(2))
        assert not weighed.is_sample
        assert (weighed.agrees, weighed.decisions, weighed.contradicted) == (True, others, 0)
        assert hand in weighed.hands
        drawn = play_outs(player, view, Stream(3), most=2)
        assert (drawn.agrees, drawn.decisions, drawn.contradicted) == (True, others, 0)
        explained += 1
    assert explained > (4 if IS_COMPILED else 0)


def others_moves(game: Game) -> int:
    return sum((turn - game.turn) % game.rules.seats != 0 for turn in range(game.turn))


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_sample_claims_nothing_of_hands_that_were_not_tried(name: str, seats: int) -> None:
    player = PLAYERS[name]
    for game in odd_games(name, seats, 3, 10):
        found = weigh_hands(
            player, game.view(game.seat_to_act), Stream(1), most=1, samples=20, tries=10
        )
        assert found.is_sample
        assert found.contradicted == 0


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_deals_and_values_are_those_of_views(name: str, seats: int) -> None:
    """Each seat is asked by what it saw, in every deal that hints leave."""
    player, misled = PLAYERS[name], 0
    for game in odd_games(name, seats, 6 if IS_COMPILED else 2, 1, odd=3):
        view = game.view(game.seat_to_act)
        deals, found = deals_of(player, view), seat_chances(player, view)
        own = {tuple(deal.hands[view.seat]) for deal in deals}
        weighed = weigh_hands(player, view, Stream(1))
        assert set(weighed.hands) == own
        if found.hands != own:  # conventions leave less than hints, as none of its moves misled
            assert found.hands < own
            continue
        misled += 1
        assert found.cases == len(deals)
        for each in found.actions[:3]:
            ends = [
                play_game([player] * seats, deal.apply(each.action), Stream(0)) for deal in deals
            ]
            top = view.rules.max_score
            perfect = Fraction(sum(end.score == top for end in ends), len(deals))
            points = Fraction(sum(end.score for end in ends), len(deals))
            assert (each.perfect, each.points) == (Range(perfect, perfect), Range(points, points))
    assert misled > 0 or not IS_COMPILED


def answers(player: Player, view: View) -> list[Any]:
    """Return all that is concluded from a view by what a player would have done."""
    found: list[Any] = []
    try:
        by_deals = seat_chances(player, view)
        found += [by_deals.actions, by_deals.cases, by_deals.is_believed, by_deals.contradicted]
        found += [by_deals.misread, by_deals.hands]
        assert all(set(hand) <= set(view.unseen) for hand in by_deals.hands)
    except InvalidInputError as error:
        found.append(str(error))
    found.append(weigh_hands(player, view, Stream(1), most=300, samples=10, tries=3))
    games = play_outs(player, view, Stream(2), most=2)
    found += [games.actions, games.agrees, games.contradicted]
    search = Belief(player, worlds=4, deals=2, tries=5)
    found += [draw_beliefs(search, view, Stream(3)), search.act(view, Stream(4))]
    found.append(Endgame(player, budget=20, samples=5, deck=3).act(view, Stream(5)))
    return found


@pytest.mark.skipif(IS_COMPILED, reason="compiled code is not poisoned: `make kernels` runs this")
@pytest.mark.parametrize("asked", PLAYERS)
@pytest.mark.parametrize("name", PLAYERS)
def test_a_game_of_one_player_is_asked_about_every_other(name: str, asked: str) -> None:
    """Whether they agree or not, no answer depends on what was in memory before."""
    for seats, odd in ((2, 0), (3, 1)):
        for game in odd_games(name, seats, 1, 2, odd=odd):
            view = game.view(game.seat_to_act)
            found = answers(PLAYERS[asked], view)
            with poison.clean_arrays():
                assert answers(PLAYERS[asked], view) == found
