"""Actions, events and views survive JSON, and hidden cards do not enter it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.rules import Event, Game, Rules, hint_rank, play
from hanabi.rules.cards import Card
from hanabi.rules.config import rules_from_json, rules_to_json
from hanabi.rules.wire import (
    Rebuilder,
    action_from_json,
    action_to_json,
    event_from_json,
    event_text,
    event_to_json,
    text_of_json,
    view_from_json,
    view_to_json,
)
from property.test_game import ANY, SEEDS, hide_otherwise, play_some


@settings(max_examples=60)
@given(ANY, SEEDS, st.integers(0, 80))
def test_views_survive_json(rules: Rules, seed: int, turns: int) -> None:
    if rules.variant is not None and rules.variant.id is None:
        with pytest.raises(InvalidInputError, match="not a named variant"):
            rules_to_json(rules, is_full=True)
        return
    game = play_some(rules, seed, turns)
    stream = Stream(seed, index=1)
    assert rules_from_json(json.loads(json.dumps(rules_to_json(rules, is_full=True)))) == rules
    for seat in range(rules.seats):
        view = game.view(seat)
        text = json.dumps(view_to_json(view))
        assert view_from_json(json.loads(text)) == view
        for action in view.legal_actions:
            assert action_from_json(json.loads(json.dumps(action_to_json(action)))) == action
        for event in view.events:
            assert event_from_json(json.loads(json.dumps(event_to_json(event)))) == event
            assert event_text(event) == text_of_json(event_to_json(event))
        other = Game.start(rules, hide_otherwise(game, seat, stream))
        for action in game.actions:
            other = other.apply(action)
        assert json.dumps(view_to_json(other.view(seat))) == text


GAME = Game.start(Rules.hanab_live(2), Rules.hanab_live(2).spec.shuffle(1))
LATER = GAME.apply(hint_rank(1, 3)).apply(play(2))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seat": 2}, "view: seat 2 is not in 0 .. 1"),
        ({"seat": True}, "view.seat: true is not an integer"),
        ({"end": "won"}, "view.end: 'won' is not one of bombed, completed"),
        ({"deal": []}, "view: deal: not 2 hands of 5 cards"),
        ({"deal": [[None] * 5] * 2}, "view: deal: seat 0 sees all hands except its own"),
        ({"events": {}}, "view.events: {} is not an array"),
        ({"events": [{}]}, "view.events[0].turn: missing"),
    ],
)
def test_what_is_no_view_is_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        view_from_json(view_to_json(LATER.view(0)) | change)
    assert str(caught.value).startswith(message)


def test_events_must_fit_each_other() -> None:
    for number, entry, value, message in (
        (0, "touched", [0], "view: turn 0: the event does not follow from those before it"),
        (0, "action", {"type": "hint_rank", "seat": 1, "rank": 9}, "view: turn 0: hint 9 to seat"),
        (1, "card", {"color": 9, "rank": 1}, "view: card 7 of the deck: 9:1 is not one of the"),
        (1, "outcome", "misplay", "view: turn 1: the event does not follow"),
        (1, "outcome", "lost", "view.events[1].outcome: 'lost' is not one of play, discard"),
        (1, "seat", 0, "view: turn 1: the event does not follow"),
        (1, "card_index", 8, "view: turn 1: the event does not follow"),
        (1, "card", {"color": 0, "rank": 1}, "view: turn 1: the event does not follow"),
        (1, "card", None, "view: turn 1: the event does not follow"),
        (1, "drawn_card", None, "view: turn 1: the event does not follow"),
        (1, "drawn_index", 99, "view: card 99 of the deck"),
    ):
        data = view_to_json(LATER.view(0))
        data["events"][number][entry] = value
        with pytest.raises(InvalidInputError) as caught:
            view_from_json(data)
        assert str(caught.value).startswith(message), str(caught.value)


def test_what_hints_exclude_cannot_come_up() -> None:
    """Hints to the seat that sees the events, which no card of its own would explain."""

    def hinted() -> Rebuilder:
        rebuilder = Rebuilder(LATER.rules, 1, [LATER.view(1).deck[:5], [None] * 5])
        rebuilder.add(Event(0, 0, hint_rank(1, 3), touched=(0,)))
        return rebuilder

    rebuilder, other = hinted(), hint_rank(0, 1)
    rebuilder.add(Event(1, 1, other, touched=GAME.touched(other)))
    with pytest.raises(InvalidInputError, match="turn 2: the event does not follow"):
        rebuilder.add(Event(2, 0, hint_rank(1, 4), touched=(0,)))  # it is a 3
    for slot, card in ((0, Card(0, 4)), (1, Card(0, 3))):
        with pytest.raises(InvalidInputError, match="turn 1: the event does not follow"):
            hinted().add(Event(1, 1, play(slot), (), 5 + slot, card, "misplay", 10))
    rebuilder = hinted()
    rebuilder.add(Event(1, 1, play(0), (), 5, Card(0, 3), "misplay", 10))
    assert rebuilder.view().discards == (Card(0, 3),)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "action: null is not an object"),
        ({}, "action.type: missing"),
        ({"type": "pass"}, "action.type: 'pass' is not one of play, discard, hint_color"),
        ({"type": ["play"]}, "action.type: ['play'] is not a string"),
        ({"type": "play"}, "action.slot: missing"),
        ({"type": "play", "slot": 1.5}, "action.slot: 1.5 is not an integer"),
        ({"type": "play", "slot": -1}, "action.slot: -1 is not in 0 .. 31"),
        ({"type": "hint_rank", "seat": 1, "color": 1}, "action.rank: missing"),
    ],
)
def test_what_is_no_action_is_named(data: object, message: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        action_from_json(data)
    assert str(caught.value).startswith(message)
