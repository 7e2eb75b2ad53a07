"""Beliefs against Bayes: every deal of the hidden cards, and what the others would do in it."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import pytest

from hanabi.ground.rng import Stream
from hanabi.players import Belief, Convention, Information
from hanabi.players.belief import Agreement, draw_beliefs
from hanabi.players.protocol import CompiledPlayer
from hanabi.rules import Game, Rules, View
from hanabi.rules.deck import Deck, DeckSpec
from oracles.belief import is_conventional, list_beliefs
from oracles.players import Compiled

EVEN = Rules(
    spec=DeckSpec.uniform(colors=2, ranks=2, copies=2),
    seats=2,
    hand_size=2,
    hints=3,
    empty_hints=False,
)
RAGGED = Rules(
    spec=DeckSpec(((3, 2, 1), (3, 1, 1))), seats=2, hand_size=3, hints=4, lives=2, final_round=3
)
THREE = Rules(spec=DeckSpec(((3, 2, 1), (2, 1, 1))), seats=3, hand_size=2, hints=3, keep_slots=True)
WORLDS = 2000


@pytest.mark.parametrize(
    ("player", "rules", "least"),
    [
        (Convention(), EVEN, 50),
        (Information(), EVEN, 20),
        (Convention(), RAGGED, 1000),
        (Information(), RAGGED, 500),
        (Information(), THREE, 50),
    ],
    ids=["convention", "information", "convention, ragged", "information, ragged", "3 seats"],
)
def test_beliefs_are_those_of_bayes(player: CompiledPlayer, rules: Rules, least: int) -> None:
    n_excluded = 0
    for index in range(4):
        game, stream = Game.start(rules, rules.spec.shuffle(21, index)), Stream(22, index)
        while not game.is_over:
            view = game.view(game.seat_to_act)
            action = player.act(view, stream)
            if view.seat == 0:
                believed = list_beliefs(player, view)
                assert game.deck in [each.deck for each in believed]
                n_excluded += len(list_beliefs(player, view, searching={1, 2})) - len(believed)
                believed = [each for each in believed if is_conventional(player, each, 0)]
                check_draws(player, game, {each.deck for each in believed}, stream)
                compiled = Compiled(player, Game.start(rules, game.deck))
                compiled.follow(game)
                open_actions = [each for each in view.legal_actions if compiled.is_truthful(each)]
                if index % 2:  # a seat that searches does not always do what the player would
                    action = open_actions[stream.below(len(open_actions))]
            game = game.apply(action)
    assert n_excluded > least  # deals that hints leave, and the others' decisions do not


def check_draws(player: CompiledPlayer, game: Game, decks: set[Deck], stream: Stream) -> None:
    """All of these decks are drawn, equally often as far as chance goes, and no others."""
    drawn = draw_beliefs(Belief(player, worlds=WORLDS, seats=1), game.view(0), stream)
    assert drawn.agreement is Agreement.EXACT
    assert len(drawn.decks) == WORLDS
    counts, mean = Counter(drawn.decks), WORLDS / len(decks)
    assert set(counts) <= decks
    for deck in decks:
        assert abs(counts[deck] - mean) < 6 * sqrt(mean) + 6


def test_what_who_searches_did_tells_less() -> None:
    """With all mismatches forgiven, the deals are those that hints and conventions leave."""
    player, game = Convention(), Game.start(RAGGED, RAGGED.spec.shuffle(21))
    for _ in range(4):
        game = game.apply(player.act(game.view(game.seat_to_act), Stream(1)))
    view = game.view(0)
    exact = {each.deck for each in list_beliefs(player, view)}
    every = {each.deck for each in list_beliefs(player, view, searching={1})}
    drawn = [
        draw_beliefs(Belief(player, worlds=5000, seats=seats, slack=slack), view, Stream(2)).decks
        for seats, slack in ((2, 0), (2, 0.5), (2, 1), (1, 1))
    ]
    shares = [sum(deck in exact for deck in decks) / len(decks) for decks in drawn]
    assert exact < every
    assert set(drawn[2]) <= every
    assert not set(drawn[2]) <= exact
    assert shares[0] == 1 > shares[1] > shares[2]
    assert shares[3] == 1  # the other seat does not search: it is forgiven nothing


@pytest.mark.parametrize("slack", [0.02, 0.3])
def test_decisions_of_who_searches_count_by_slack(slack: float) -> None:
    """Deals are drawn as often as their mismatches say, however they are given up on the way."""
    player, game = Convention(), Game.start(RAGGED, RAGGED.spec.shuffle(21, 1))
    for _ in range(5):
        game = game.apply(player.act(game.view(game.seat_to_act), Stream(1)))
    view, weights = game.view(game.seat_to_act), Counter[int]()
    n_mismatches = {}
    for each in list_beliefs(player, view, searching={1 - view.seat}):
        if is_conventional(player, each, view.seat):
            n_mismatches[each.deck] = count_mismatches(player, view, each.deck)
            weights[n_mismatches[each.deck]] += 1
    expected = {number: n * round(slack, 3) ** number for number, n in weights.items()}
    assert len(expected) > 2
    belief = Belief(player, worlds=4000, slack=slack)
    drawn = Counter(n_mismatches[each] for each in draw_beliefs(belief, view, Stream(3)).decks)
    for number, weight in expected.items():
        share = weight / sum(expected.values())
        assert abs(drawn[number] / drawn.total() - share) < 0.03


def count_mismatches(player: Convention, view: View, deck: Deck) -> int:
    """Count the others' decisions that the player would not have taken in this deal."""
    game, n = Game.start(view.rules, deck), 0
    for action in view.actions:
        seat = game.seat_to_act
        n += seat != view.seat and player.act(game.view(seat), Stream(0)) != action
        game = game.apply(action)
    return n
