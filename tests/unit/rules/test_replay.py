"""Recorded games."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi import read
from hanabi.ground.errors import IllegalActionError, InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.rules import (
    Action,
    EndReason,
    Game,
    Kind,
    Rules,
    discard,
    discard_deck,
    hint_rank,
    play,
    play_deck,
)
from hanabi.rules.deck import Deck
from hanabi.rules.notation.hanab_live import game_from_json
from hanabi.rules.notation.record import GameRecord, RecordedAction
from hanabi.rules.replay import find_action, record_action, replay, rules_of, to_record

DATA = Path(__file__).parents[2] / "data" / "hanab_live"
REAL, SITE = DATA / "games" / "2906.json", DATA / "site"


def real_game() -> GameRecord:
    return game_from_json(json.loads(REAL.read_text(encoding="utf-8")))


def test_a_real_game_to_its_recorded_end() -> None:
    games = replay(real_game())
    assert games[-1].end_reason is EndReason.COMPLETED
    assert (games[-1].turn, games[-1].score, games[-1].lives) == (55, 25, 3)
    tokens = "".join(str(game.hints) for game in games)
    assert tokens == "87765443332212111210001100110100001000101212122122332323"
    points = [
        games[turn].turn for turn in range(1, 56) if games[turn].score > games[turn - 1].score
    ]
    assert points[:12] == [2, 6, 8, 9, 11, 15, 16, 20, 21, 23, 25, 27]
    assert points[12:] == [31, 32, 33, 34, 36, 37, 41, 46, 49, 50, 51, 53, 55]


def test_a_real_game_is_recorded_as_it_was() -> None:
    record = real_game()
    again = to_record(replay(record)[-1], names=record.names)
    assert (again.deck, again.variant, again.options, again.names) == (
        record.deck,
        record.variant,
        record.options,
        record.names,
    )
    # The site writes 0 as the value of a play or discard.
    assert [replace(action, value=action.value or 0) for action in again.actions] == list(
        record.actions
    )


@pytest.mark.parametrize("path", sorted(REAL.parent.glob("*.json")), ids=lambda p: p.name)
def test_real_games_of_many_variants_are_recorded_as_they_were(path: Path) -> None:
    record = game_from_json(json.loads(path.read_text(encoding="utf-8")))
    games = replay(record)
    again = to_record(games[-1], names=record.names)
    taken = [action for action in record.actions if not action.is_end]
    assert len(games) == len(taken) + 1
    assert (again.deck, again.variant) == (record.deck, record.variant)
    assert [replace(action, value=action.value or 0) for action in again.actions] == [
        replace(action, value=action.value or 0) for action in taken
    ]


@settings(max_examples=30)
@given(st.integers(2, 6), st.integers(3, 6), st.booleans(), st.integers(0, 2**32))
def test_games_survive_recording(seats: int, colors: int, extras: bool, seed: int) -> None:
    rules = Rules.hanab_live(seats, colors)
    if extras:
        rules = replace(rules, hand_size=rules.hand_size - 1, deck_plays=True, empty_hints=True)
    stream = Stream(seed)
    games = [Game.start(rules, stream.shuffled(rules.spec.cards()))]
    while legal := [a for a in games[-1].legal_actions if a.kind is not Kind.PLAY or a.target]:
        games.append(games[-1].apply(legal[stream.below(len(legal))]))
    record = to_record(games[-1])
    assert rules_of(record) == rules
    assert replay(record) == tuple(games)


def start(**changes: bool) -> Game:
    rules = replace(Rules.hanab_live(2), **changes)  # type: ignore[arg-type]
    return Game.start(rules, rules.spec.shuffle(seed=1))


def test_recorded_cards_are_deck_indices() -> None:
    game = start().apply(play(0))
    assert record_action(game, discard(4)) == RecordedAction(1, 9)
    assert find_action(game, RecordedAction(1, 9)) == discard(4)
    assert find_action(game.apply(play(0)), RecordedAction(0, 10)) == play(4)


def test_the_deck_may_be_played_from() -> None:
    game = start(deck_plays=True)
    while game.deck_left > 1:
        legal = game.legal_actions
        game = game.apply(next((a for a in legal if a.kind is Kind.DISCARD), legal[-1]))
    assert find_action(game, RecordedAction(0, 49)) == play_deck()
    assert record_action(game, play_deck()) == RecordedAction(0, 49)
    over = game.apply(play_deck())
    assert replay(to_record(over))[-1] == over
    with pytest.raises(IllegalActionError, match="card 49 of the deck is not in the hand"):
        find_action(game, RecordedAction(1, 49))


@pytest.mark.parametrize(
    ("name", "action"),
    [("site", play_deck()), ("ours", discard_deck())],
)
def test_an_inverted_card_from_the_deck(name: str, action: Action) -> None:
    """The site records what becomes of it: a discard (type 1) if it was to be played."""
    record = read(SITE / f"deckplay_inverted_{name}.json")
    assert isinstance(record, GameRecord)
    games = replay(record)
    assert [game.actions[-1] for game in games[1:] if game.actions[-1].is_from_deck] == [action]
    again = to_record(games[-1], names=record.names)
    assert (again.actions, again.options) == (record.actions, record.options)
    number = next(n for n, game in enumerate(games[1:]) if game.actions[-1] == action)
    assert record.actions[number].type == (action == play_deck())
    # What they record differs: the card, out of turn, was an error where it was played.
    assert games[-1].lives == (3 if action == play_deck() else 2)


@pytest.mark.parametrize(
    ("recorded", "message"),
    [
        (RecordedAction(0, 7), "turn 1: card 7 of the deck is not in the hand of seat 0"),
        (RecordedAction(0, 49), "turn 1: card 49 of the deck is not in the hand of seat 0"),
        (RecordedAction(1, 0), "no discards while all 8 hint tokens are there"),
        (RecordedAction(3, 1, 5), "these rules forbid a hint that touches no card"),
        (RecordedAction(2, 0, 1), "a hint goes to another seat"),
        (RecordedAction(2, 1), "a hint without a value"),
    ],
)
def test_a_broken_rule_is_named_with_its_place(recorded: RecordedAction, message: str) -> None:
    record = to_record(start())
    with pytest.raises((IllegalActionError, InvalidInputError), match=message) as caught:
        replay(replace(record, actions=(recorded,)))
    assert str(caught.value).startswith("actions[0]: ")
    told = RecordedAction(3, 1, 3), RecordedAction(3, 0, 1)
    with pytest.raises(IllegalActionError, match=r"^actions\[2\]: turn 3: card 9 of the deck"):
        replay(replace(record, actions=(*told, RecordedAction(0, 9))))


def test_ends_are_no_actions() -> None:
    with pytest.raises(InvalidInputError, match="type 4 is not an action of a seat"):
        find_action(start(), RecordedAction(4, 1))


def test_recorded_ends_are_not_played() -> None:
    record = replace(to_record(start()), actions=(RecordedAction(0, 0), RecordedAction(10, -1)))
    assert [game.turn for game in replay(record)] == [0, 1]


def test_an_option_that_is_not_played_is_named() -> None:
    record = replace(to_record(start()), options={"detrimentalCharacters": True})
    with pytest.raises(InvalidInputError, match=r"options\.detrimentalCharacters"):
        replay(record)


def test_options_that_are_played() -> None:
    record, site = to_record(start()), Rules.hanab_live(2)
    expected: list[tuple[dict[str, object], Rules]] = [
        ({"timed": True, "startingPlayer": 0, "cardCycle": False}, site),
        ({"cardCycle": True}, site),
        ({"allOrNothing": True}, replace(site, final_round=None, all_or_nothing=True)),
        ({"emptyClues": True}, replace(site, empty_hints=True)),
        ({"oneLessCard": True}, replace(site, hand_size=4)),
        ({"deckPlays": True}, replace(site, deck_plays=True)),
    ]
    for options, rules in expected:
        assert rules_of(replace(record, options=options)) == rules


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ([(0, 5)] * 49, r"deck\[1\]: r5 is one too many"),
        ([(0, 5)] * 51, "a deck of 51 cards; the rules have 50"),
        ([(0, 1)] * 3 + [(0, 2)], "a deck of 4 cards; the rules have 50"),
        ([(5, 1)] * 50, r"deck\[0\]: t1 is one too many"),
    ],
)
def test_decks_that_cannot_be_the_variants(cards: list[tuple[int, int]], message: str) -> None:
    record = replace(to_record(start()), deck=Deck(cards))
    with pytest.raises(InvalidInputError, match=message):
        replay(record)


def test_games_that_the_site_would_not_have_let_go_so() -> None:
    alone = Rules.official(1)
    with pytest.raises(InvalidInputError, match="no table for 1 seats"):
        to_record(Game.start(alone, alone.spec.shuffle(1)))
    large = replace(Rules.official(2), hand_size=7)
    with pytest.raises(InvalidInputError, match="no hands of 7 cards"):
        to_record(Game.start(large, large.spec.shuffle(1)))
    free = start(discard_at_full_hints=True).apply(discard(0))
    with pytest.raises(InvalidInputError, match="would not let this game go on: actions"):
        to_record(free)
    few = replace(Rules.hanab_live(2), lives=2)
    with pytest.raises(InvalidInputError, match="lives would be 3 there, not 2"):
        to_record(Game.start(few, few.spec.shuffle(1)))


def test_other_rules_are_recorded_if_they_did_not_matter() -> None:
    rules = Rules.bergh2016()
    game = Game.start(rules, rules.spec.shuffle(seed=1)).apply(hint_rank(1, 3)).apply(play(0))
    theirs = replay(to_record(game))[-1]
    assert theirs.piles == game.piles
    assert [sorted(hand) for hand in theirs.hand_indices] == [
        sorted(hand) for hand in game.hand_indices
    ]
