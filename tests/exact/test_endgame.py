"""The search against every permutation of the hidden cards."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest

from hanabi.ground.rng import Stream
from hanabi.players import RuleBased, play_game
from hanabi.players.endgame import Endgame
from hanabi.rules import Action, Game, Rules
from hanabi.rules.cards import Card
from hanabi.rules.deck import DeckSpec
from hanabi.rules.view import View

PLAYER = RuleBased()
TABLES = [
    Rules(spec=DeckSpec.uniform(colors=2, ranks=2, copies=2), seats=2, hand_size=2, hints=2),
    Rules(
        spec=DeckSpec(((2, 2, 1), (2, 1, 1))),
        seats=2,
        hand_size=2,
        hints=2,
        lives=1,
        empty_hints=False,
    ),
    Rules(
        spec=DeckSpec.uniform(colors=3, ranks=2, copies=2),
        seats=3,
        hand_size=2,
        hints=3,
        bombed_scores_zero=False,
        keep_slots=True,
    ),
]


def indistinguishable(game: Game, view: View) -> list[Game]:
    """Every order of the cards that the seat has not seen that gives it the same view."""
    hidden = [index for index, card in enumerate(view.deck) if card is None]
    games = []
    for order in permutations(hidden):
        deck: list[Card] = list(game.deck)
        for index, source in zip(hidden, order, strict=True):
            deck[index] = game.deck[source]
        other = Game.start(game.rules, deck)
        for action in game.actions:
            if not other.is_legal(action):
                break
            other = other.apply(action)
        else:
            if other.view(view.seat) == view:
                games.append(other)
    return games


def average(games: list[Game], action: Action) -> Fraction:
    team = [PLAYER] * games[0].rules.seats
    ends = [play_game(team, game.apply(action), Stream(1)) for game in games]
    return Fraction(sum(end.score for end in ends), len(ends))


@pytest.mark.parametrize("rules", TABLES, ids=["2 x 2", "ragged", "3 x 2"])
def test_it_takes_the_best_of_all_actions(rules: Rules) -> None:
    player = Endgame(PLAYER, budget=1000, deck=1)
    n_better = 0
    for index in range(5):
        game = Game.start(rules, rules.spec.shuffle(11, index))
        while not game.is_over:
            view = game.view(game.seat_to_act)
            own = PLAYER.act(view, Stream(1))
            action = player.act(view, Stream(1))
            if view.deck_left > 1:
                assert action == own
            else:
                games = indistinguishable(game, view)
                averages = {each: average(games, each) for each in view.legal_actions}
                best = max(averages.values())
                assert averages[action] == best
                assert action == own or averages[own] < best
                n_better += averages[own] < best
            game = game.apply(action)
    assert n_better > 0
