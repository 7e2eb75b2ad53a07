"""The information player as a player: parameters, errors, and games against its views."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.players import play_game
from hanabi.players.compiled import play_deals, recall
from hanabi.players.information import Information
from hanabi.rules import Action, Game, Kind, Rules, hint_rank
from hanabi.rules import layout as k
from hanabi.rules.cards import Card
from hanabi.rules.deck import DeckSpec
from hanabi.worlds import complete_deck


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_compiled_games_are_those_of_the_views(seats: int) -> None:
    player, rules = Information(), Rules.hanab_live(seats)
    outcomes = play_deals(player.compiled(rules), rules, (1, 2), 5, 2)
    for index, outcome in zip((5, 6), outcomes.tolist(), strict=True):
        game = Game.start(rules, rules.spec.shuffle(1, index))
        end = play_game([player] * seats, game, Stream(2, index))
        assert outcome == sum(end.piles) << 1 | (end.lives == 0)


@pytest.mark.parametrize(("seats", "least"), [(2, 22.5), (3, 24.8), (4, 24.8), (5, 24.8)])
def test_it_is_strong_and_does_not_bomb(seats: int, least: float) -> None:
    rules = Rules.hanab_live(seats)
    outcomes = play_deals(Information().compiled(rules), rules, (3, 4), 0, 400)
    assert (outcomes >> 1).mean() > least
    assert not (outcomes & 1).any()


@pytest.mark.parametrize(
    "weaker",
    [
        Information(messages=1),
        Information(exact=False),
        Information(discards=False),
        Information(partition=2),
    ],
)
def test_each_part_helps(weaker: Information) -> None:
    rules = Rules.hanab_live(3)
    full, less = (
        (play_deals(player.compiled(rules), rules, (5, 6), 0, 2000) >> 1).mean()
        for player in (Information(), weaker)
    )
    assert full > less


@pytest.mark.parametrize(
    ("parameters", "error"),
    [
        ({"likely": 1.5}, "likely = 1.5 is not in 0 .. 1"),
        ({"full": -0.1}, "full = -0.1 is not in 0 .. 1"),
        ({"full": float("nan")}, "full = nan is not in 0 .. 1"),
        ({"messages": 0}, "messages = 0 is not 1 or more"),
        ({"partition": 3}, "partition = 3 is not in 0 .. 2"),
    ],
)
def test_parameters_are_checked(parameters: dict[str, float], error: str) -> None:
    with pytest.raises(InvalidInputError, match=re.escape(error)):
        Information(**parameters)  # type: ignore[arg-type]


def test_sets_of_cards_must_fit_a_word() -> None:
    rules = Rules(spec=DeckSpec.uniform(colors=9, ranks=7, copies=2), seats=3, hand_size=4)
    game = Game.start(rules, rules.spec.shuffle(1))
    with pytest.raises(InvalidInputError, match="63 kinds of cards"):
        Information().act(game.view(0), Stream(1))
    with pytest.raises(InvalidInputError, match="63 kinds of cards"):
        play_deals(Information().compiled(rules), rules, (1, 2), 0, 1)


def test_all_seats_know_the_same() -> None:
    player, rules = Information(), Rules.hanab_live(4)
    game = Game.start(rules, rules.spec.shuffle(7))
    for _ in range(20):
        policy = player.compiled(rules)
        memories = [recall(game.view(seat), policy)[1].tolist() for seat in range(4)]
        assert all(memory == memories[0] for memory in memories)
        game = game.apply(player.act(game.view(game.seat_to_act), Stream(1)))
    assert any(word.bit_count() == 1 for word in memories[0])


def test_a_hint_at_the_start_tells_every_other_seat_something() -> None:
    player, rules = Information(), Rules.hanab_live(5)
    for seed in range(5):
        game = Game.start(rules, rules.spec.shuffle(seed))
        action = player.act(game.view(0), Stream(1))
        assert action.kind in (Kind.HINT_COLOR, Kind.HINT_RANK)
        _, memory = recall(game.apply(action).view(0), player.compiled(rules))
        hands = memory[:20].reshape(5, 4).tolist()
        assert all(mask.bit_count() == 25 for mask in hands[0])
        assert all(min(mask.bit_count() for mask in hand) < 25 for hand in hands[1:])


def test_cards_of_a_hand_are_exchanged_if_hints_need_it() -> None:
    # Both copies of the 2 are unseen, one card is a 2 and the other may be anything.
    rules = Rules(spec=DeckSpec(((1, 2), (1,))), seats=2, hand_size=2)
    deck = [Card(1, 1), Card(0, 1), Card(0, 1 + 1), Card(0, 2)]
    game = Game.start(rules, deck).apply(hint_rank(1, 2))
    assert complete_deck(game.view(1)) == deck


def test_odd_histories_are_followed_too() -> None:
    # Others may do what the player would not: what is known then may be false, never an error.
    rules, stream = Rules.hanab_live(3), Stream(11)
    for index in range(5):
        game = Game.start(rules, rules.spec.shuffle(12, index))
        while not game.is_over:
            seat = game.seat_to_act
            assert Information().act(game.view(seat), stream) in game.legal_actions
            legal = game.legal_actions
            game = game.apply(legal[stream.below(len(legal))])


def test_actions_round_trip() -> None:
    rules = Rules.hanab_live(3)
    view = Game.start(rules, rules.spec.shuffle(1)).view(0)
    action = Information().act(view, Stream(1))
    assert Action.from_code(action.code) == action


def test_stand_ins_do_not_end_the_game() -> None:
    # That rule set stops when no point is left, which depends on hands in the last round.
    rules, player, n = Rules.hanab_live(3), Information(), 0
    assert rules.stop_when_stuck
    for seed in range(6):
        game = Game.start(rules, rules.spec.shuffle(seed))
        while not game.is_over:
            if game.deck_left == 0:
                n += 1
                for seat in range(3):
                    position, _ = recall(game.view(seat), player.compiled(rules))
                    assert position.state[k.END] == k.IN_PROGRESS
            game = game.apply(player.act(game.view(game.seat_to_act), Stream(1)))
    assert n > 0


def test_hands_that_cannot_be_partitioned_have_pivots() -> None:
    too_many = Rules(spec=DeckSpec.uniform(colors=7, ranks=6, copies=2), seats=3, hand_size=4)
    large_hands = replace(Rules.hanab_live(2), hand_size=9)
    for rules in (too_many, Rules.official(3), large_hands):
        pivots, parts = (
            play_deals(player.compiled(rules), rules, (8, 9), 0, 50).tolist()
            for player in (Information(), Information(partition=2))
        )
        assert parts == pivots
    largest = Rules.hanab_live(3, colors=6)
    pivots, parts = (
        play_deals(player.compiled(largest), largest, (8, 9), 0, 50).tolist()
        for player in (Information(), Information(partition=2))
    )
    assert parts != pivots
