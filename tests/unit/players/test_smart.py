"""The smart player: equal to a plain twin, and to the public player that it follows."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.players import Player, RandomLegal, Smart, play_game, simulate
from hanabi.players.arena import decision_seed, outcomes
from hanabi.rules import Game, Rules
from hanabi.rules.deck import DeckSpec
from hanabi.rules.notation.links import parse_link
from hanabi.rules.replay import replay
from oracles.players import Compiled
from oracles.smart import SlowSmart
from property.test_game import PRESETS, rule_sets

GAMES = Path(__file__).parents[2] / "data" / "smartbot" / "games.txt"


@settings(max_examples=25)
@given(st.integers(1, 3), rule_sets() | PRESETS, st.integers(0, 2**32), st.sampled_from([0, 2, 5]))
def test_every_seat_decides_as_its_plain_twin(
    lives: int, rules: Rules, seed: int, often: int
) -> None:
    """Beside others, too: one action in `often` is any legal one."""
    player, stream = Smart(lives), Stream(seed, 1)
    try:
        player.compiled(rules)
    except InvalidInputError:
        reject()
    game = Game.start(rules, rules.spec.shuffle(seed))
    twins = [SlowSmart(player, game, seat) for seat in range(rules.seats)]
    compiled = Compiled(player, game)
    while game.can_act and game.turn < 60:
        seat = game.seat_to_act
        action = player.act(game.view(seat), stream)
        assert action == twins[seat].decide(game)
        assert action in game.legal_actions
        if not often:
            assert compiled.decide() == action
            compiled.take(action)
        elif stream.below(often) == 0:
            action = game.legal_actions[stream.below(len(game.legal_actions))]
        game = [twin.advance(game, action) for twin in twins][-1]


def test_it_plays_the_games_of_the_public_program() -> None:
    """Those end later: hanab.live's rules stop a game in which no further point is possible."""
    decisions = 0
    for link in GAMES.read_text().splitlines():
        games = replay(parse_link(link))
        compiled = Compiled(Smart(), games[0])
        for before, after in pairwise(games):
            if before.can_act:
                assert compiled.decide() == after.actions[-1]
                compiled.take(after.actions[-1])
                decisions += 1
    assert decisions > 1300


@pytest.mark.parametrize(("seats", "published"), [(2, 23.09), (3, 23.31), (4, 22.44), (5, 20.68)])
def test_it_is_as_strong_as_published(seats: int, published: float) -> None:
    """By the program's rules, in which a bombed game keeps its points."""
    kept = simulate(Smart(), Rules.hanab_live(seats), 2000, seed=21).kept
    assert abs(kept.mean - published) < 4 * kept.standard_error


def test_it_can_keep_its_last_life() -> None:
    rules = Rules.hanab_live(5)
    careful = simulate(Smart(lives=2), rules, 1000, seed=22)
    assert careful.n_bombed == 0
    assert careful.zeroed.mean > simulate(Smart(), rules, 1000, seed=22).zeroed.mean + 1


def finesse(seed: int = 0) -> tuple[Game, Compiled]:
    """Return a position in which the player shows the next seat its newest card by a discard."""
    while True:
        rules = Rules.hanab_live(3)
        game = Game.start(rules, rules.spec.shuffle(seed))
        compiled = Compiled(Smart(), game)
        while game.can_act:
            action = compiled.decide()
            if "shows another seat" in Smart().why(game.view(game.seat_to_act), action):
                return game, compiled
            compiled.take(action)
            game = game.apply(action)
        seed += 1


def test_a_discard_of_a_playable_card_shows_who_has_it_too() -> None:
    game, compiled = finesse()
    action = compiled.decide()
    card = game.hands[game.seat_to_act][action.target]
    assert card is not None
    bit = 1 << card.color * 5 + card.rank - 1
    [seat] = [s for s, hand in enumerate(game.hands) if s != game.seat_to_act and hand[-1] == card]
    slot = len(game.hands[seat]) - 1
    assert compiled.is_truthful(action)
    index = game.hand_indices[seat][slot]
    compiled.take(action)
    game = game.apply(action)
    assert compiled.possible(seat, game.hand_indices[seat].index(index)) == bit
    assert not compiled.memory[-1]


def test_seats_differ_about_a_discard_that_nobody_explains() -> None:
    """Each seat then believes that it has the card, which is false for all of them."""
    game, compiled = finesse()
    actor, action = game.seat_to_act, compiled.decide()
    card, deck = game.hands[actor][action.target], list(game.deck)
    newest = [hand[-1] for seat, hand in enumerate(game.hand_indices) if seat != actor]
    [held] = [index for index in newest if deck[index] == card]
    other = next(n for n in range(len(deck) - 1, 0, -1) if deck[n] != card)
    assert other >= len(deck) - game.deck_left
    deck[held], deck[other] = deck[other], deck[held]
    packed = Game.start(game.rules, deck).packed
    compiled.position = packed._replace(state=compiled.position.state)
    assert not compiled.is_truthful(action)
    compiled.take(action)
    assert compiled.memory[-1] == 1


def test_a_mixed_team_plays_as_its_views() -> None:
    rules = Rules.hanab_live(2)
    team: list[Player] = [Smart(), RandomLegal()]
    for index in range(6):
        game = Game.start(rules, rules.spec.shuffle(5, index))
        end = play_game(team, game, Stream(decision_seed(5), index))
        code = outcomes(team, rules, 1, seed=5, first=index)[0]
        assert code == sum(end.piles) << 1 | (end.lives == 0)


def test_what_everyone_believes_is_so() -> None:
    for seats in (2, 4):
        rules = Rules.hanab_live(seats)
        for seed in range(8):
            game = Game.start(rules, rules.spec.shuffle(seed))
            compiled = Compiled(Smart(), game)
            while not game.is_over:
                for seat, hand in enumerate(game.hands):
                    for slot, card in enumerate(hand):
                        assert card is not None
                        bit = card.color * 5 + card.rank - 1
                        assert compiled.possible(seat, slot) >> bit & 1
                action = compiled.decide()
                game = game.apply(action)
                compiled.take(action)


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (Rules.hanab_live(3, variant="Rainbow (5 Suits)"), "smart player does not play Rainbow"),
        (replace(Rules.official(2), open_hands=True), "does not know the rule open_hands = True"),
        (
            replace(Rules.official(2), spec=DeckSpec.uniform(colors=7, ranks=9, copies=1)),
            "63 kinds of cards are too many for the smart player: at most 62",
        ),
    ],
    ids=["variant", "open hands", "kinds"],
)
def test_it_refuses_by_name_what_it_does_not_play(rules: Rules, words: str) -> None:
    with pytest.raises(InvalidInputError, match=words):
        Smart().compiled(rules)


def test_its_parameter_has_a_range() -> None:
    with pytest.raises(InvalidInputError, match="lives = 0 is not in 1"):
        Smart(lives=0)


def test_it_says_why() -> None:
    """All its sentences occur in the games of the public program, and no other ones."""
    told, numbers = set(), re.compile(r"slots? [\d, and]*\d|\d+ cards?|\d+")
    for link in GAMES.read_text().splitlines():
        games = replay(parse_link(link))
        for before, after in pairwise(games):
            if before.can_act:
                sentence = Smart().why(before.view(before.seat_to_act), after.actions[-1])
                told.add(numbers.sub("N", sentence))
    warned = "; otherwise the next seat would discard a last copy"
    assert told == {
        "certain to be playable",
        "few cards left to draw; it can be N, N of them playable",
        "shows another seat that its newest card is the same playable one",
        *("calls N to be played", "shows N to be playable", "calls no card"),
        *("calls N to be played" + warned, "shows N to be playable" + warned),
        *("warns of discarding N" + warned, "calls no card" + warned),
        "calls no card; nobody may discard",
        "certain to be useless",
        "the next discard; it can be N, N of them useless",
        "all cards are known to be last copies, and none has a higher rank",
    }
