"""The player that sees all hands: blind to the deck, exact at the end, better than cheating."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hanabi import DeckSpec
from hanabi.ground.errors import InvalidInputError, SolverError
from hanabi.ground.rng import Stream
from hanabi.players import Cheating, OpenHands, parse_player, play_game, simulate
from hanabi.players.arena import outcomes
from hanabi.rules import Game, Rules
from hanabi.solvers.draws import open_chances


def open_rules(seats: int, **changes: object) -> Rules:
    return replace(Rules.hanab_live(seats), open_hands=True, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_at_the_end_no_action_has_a_better_chance(seats: int) -> None:
    rules, player, checked = open_rules(seats), OpenHands(samples=8, deck=5), 0
    for index in range(8):
        start = Game.start(rules, rules.spec.shuffle(21, index))
        game = play_game([Cheating()] * seats, start, Stream(1, index))
        for length in range(len(game.actions) - 14, len(game.actions)):
            late = start
            for action in game.actions[:length]:
                late = late.apply(action)
            if late.deck_left > 5:
                continue
            chances = open_chances(late, points=False)
            taken = player.act(late.view(late.seat_to_act), Stream(2))
            assert chances.of(taken).perfect == chances.perfect
            checked += 1
    assert checked > 20


def test_it_does_not_see_the_deck() -> None:
    rules, player = open_rules(2), OpenHands(samples=16, deck=5)
    game = Game.start(rules, rules.spec.shuffle(1))
    while not game.is_over:
        deck = list(game.deck)
        drawn = len(deck) - game.deck_left
        deck[drawn:] = Stream(2, game.turn).shuffled(deck[drawn:])
        other = Game.start(rules, deck)
        for action in game.actions:
            other = other.apply(action)
        seat = game.seat_to_act
        action = player.act(game.view(seat), Stream(3))
        assert action == player.act(other.view(seat), Stream(3))
        game = game.apply(action)


def test_it_wins_more_than_without_a_search() -> None:
    rules = open_rules(2)
    searching, plain = (
        sum(each == 25 << 1 for each in outcomes(player, rules, 60, seed=3))
        for player in (OpenHands(samples=32), Cheating())
    )
    assert searching > plain


def test_without_samples_it_only_searches_the_end() -> None:
    rules = open_rules(3)
    before = outcomes(Cheating(), rules, 40, seed=9)
    assert outcomes(OpenHands(samples=0, deck=0), rules, 40, seed=9) == before
    after = outcomes(OpenHands(samples=0, deck=6), rules, 40, seed=9)
    assert after.count(50) >= before.count(50)


def test_variants_are_played_too() -> None:
    rules = replace(Rules.hanab_live(2, variant="Orange (5 Suits)"), open_hands=True)
    tally = simulate(OpenHands(samples=8, deck=3), rules, 5, seed=1)
    assert tally.games == 5
    assert tally.n_bombed == 0


def test_it_needs_open_hands_and_numbers_in_range() -> None:
    with pytest.raises(InvalidInputError, match="needs open_hands=True"):
        simulate(OpenHands(), Rules.hanab_live(3), 1, seed=1)
    for text in ("samples=-1", "deck=16", "positions=10"):
        with pytest.raises(InvalidInputError, match=text.split("=")[0]):
            parse_player(f"open-hands:{text}")
    many = Rules(spec=DeckSpec.uniform(9, 9, 1), seats=2, hand_size=2, open_hands=True)
    with pytest.raises(SolverError, match="81 kinds of cards"):
        OpenHands().compiled(many)
