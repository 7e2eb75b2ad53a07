"""Damaged dialogues with `hanabi bot`: answered, or refused in one line, and always to the end."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from functools import lru_cache
from random import Random
from typing import Any, TypeAlias

import pytest

from fuzz.rounds import rounds
from hanabi.front.app import main
from hanabi.ground.rng import Stream
from hanabi.players import parse_player, play_game
from hanabi.rules import Game, Rules
from hanabi.rules.deck import DeckSpec
from hanabi.rules.wire import view_to_json

Dialogue: TypeAlias = list[dict[str, Any]]
Place: TypeAlias = tuple[int | str, ...]
"""The keys and indices that lead to a piece of a dialogue."""

RULES = {
    "plain": Rules.hanab_live(2),
    "deck plays": Rules(
        spec=DeckSpec(((3, 2, 1), (2, 1))),
        seats=2,
        hand_size=2,
        hints=3,
        keep_slots=True,
        deck_plays=True,
    ),
    "open": Rules(spec=DeckSpec.uniform(2, 3, 2), seats=3, hand_size=2, open_hands=True),
    "variant": Rules.hanab_live(2, variant="Rainbow (3 Suits)"),
}
PLAYERS = {
    "plain": ("rule-based", "information", "convention", "smart", "hgroup", "piers", "outer"),
    "deck plays": ("rule-based", "random"),
    "open": ("cheating", "rule-based"),
    "variant": ("rule-based", "hgroup"),
}
SEARCHES = (
    "monte-carlo:playouts=5",
    "rollouts:playouts=5",
    "uct:playouts=5",
    "belief:worlds=5/rule-based",
    "endgame:budget=5/rule-based",
    "open-hands:samples=4,positions=1000",
)

_GONE = object()
BAD: tuple[object, ...] = (
    _GONE, None, True, False, -1, 0, 1, 2, 7, 31, 99, 0.0, 1.0, 0.5, 1e308, 2**31 - 1, 2**31, 10**9,
    2**53, 2**63, -(2**63), 10**30, "", "0", "red", "play", "\ud800", "\x1b[2J", "x" * 10_000, [],
    [[]], [None], [[1]], [[10**9]], [[[[[[]]]]]], {}, {"": 0}, {"type": "play"},
)  # fmt: skip

MARK = re.compile(r"hanabi: error: line [0-9]+: [^\n]+\n")
OBEYED = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
LONGEST_ERROR = 1300


@lru_cache
def dialogue(name: str, seat: int) -> Dialogue:
    """Return all messages of a game to a seat, as the protocol documents them."""
    rules = RULES[name]
    team = [parse_player("random"), *[parse_player("rule-based")] * (rules.seats - 1)]
    end = play_game(team, Game.start(rules, rules.spec.shuffle(3)), Stream(2))
    whole = view_to_json(end.view(seat))
    start = {key: whole[key] for key in ("rules", "seat", "first_seat", "deal")}
    messages: Dialogue = [
        {"type": "hello", "protocol": 1, "program": "a test"},
        {"type": "start", **start},
    ]
    for event in whole["events"]:
        if event["seat"] == seat:
            messages.append(turn_of(event["turn"]))
        messages.append({"type": "event", **event})
    return [*messages, {"type": "over", "score": end.score, "end": whole["end"]}]


def turn_of(turn: int) -> dict[str, Any]:
    """Return the message of a turn, without what our players do not read."""
    return {"type": "turn", "turn": turn, "random": 5, "seconds": None, "legal": []}


def places(value: object, here: Place = ()) -> Iterator[Place]:
    """Yield the place of each piece of some JSON, except the whole."""
    items: Iterator[tuple[int | str, object]] = iter(())
    if isinstance(value, dict):
        items = iter(value.items())
    elif isinstance(value, list):
        items = iter(enumerate(value))
    for key, piece in items:
        yield (*here, key)
        yield from places(piece, (*here, key))


def put(whole: Any, place: Place, value: object) -> None:
    """Replace a piece, or remove it."""
    for key in place[:-1]:
        whole = whole[key]
    if value is _GONE:
        del whole[place[-1]]
    else:
        whole[place[-1]] = value


def misordered(messages: Dialogue) -> Iterator[Dialogue]:
    """Yield a dialogue without each message, with each twice, and with each two exchanged."""
    for at, message in enumerate(messages):
        before, after = messages[:at], messages[at + 1 :]
        yield before + after
        yield [*before, message, message, *after]
        yield messages[:at] + after[:1] + [message] + after[1:]
        yield [*before, turn_of(sum(each["type"] == "event" for each in before)), message, *after]


def answered(player: str, messages: Dialogue, monkeypatch: pytest.MonkeyPatch) -> str:
    """Send a dialogue to a player, check how that ends, and return the error, if any."""
    sent = "".join(json.dumps(each) + "\n" for each in messages).encode()
    out, err = io.StringIO(), io.StringIO()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(sent)))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        try:
            status = main(["bot", player, "--why"])
        except BaseException as error:
            raise AssertionError(f"{player}: {sent!r}") from error
    told = err.getvalue()
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    if status == 0:
        asked = [each for each in messages if each["type"] in ("hello", "turn")]
        assert not told, told
        assert len(answers) == len(asked), sent
    else:
        assert status == 2, (player, sent, told)
        assert MARK.fullmatch(told), (player, sent, told)
        assert len(told) <= LONGEST_ERROR, told
        assert not OBEYED.search(told), told
    return told


@pytest.mark.parametrize("name", RULES)
def test_whole_dialogues_are_answered(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for seat in range(RULES[name].seats):
        for player in PLAYERS[name]:
            assert answered(player, dialogue(name, seat), monkeypatch) == ""


@pytest.mark.parametrize("name", RULES)
def test_messages_lost_doubled_or_exchanged(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    messages = dialogue(name, 1)
    events = [at for at, each in enumerate(messages) if each["type"] == "event"]
    for damaged in misordered(messages):
        answered(PLAYERS[name][0], damaged, monkeypatch)
    for at in events[:-1]:
        told = answered(PLAYERS[name][0], messages[:at] + messages[at + 1 :], monkeypatch)
        assert re.search("turn [0-9]+: ", told), told
        told = answered(PLAYERS[name][0], [*messages[: at + 1], *messages[at:]], monkeypatch)
        assert f"turn {messages[at]['turn'] + 1}: the event does not follow" in told, told


@pytest.mark.parametrize("name", RULES)
def test_every_entry_with_every_bad_value(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for player, messages in damaged_dialogues(name, PLAYERS[name], rounds(400)):
        answered(player, messages, monkeypatch)


def test_searches_answer_or_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    for player, messages in damaged_dialogues("deck plays", SEARCHES, rounds(100)):
        answered(player, messages, monkeypatch)


def damaged_dialogues(
    name: str, players: tuple[str, ...], n: int
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield players and damaged dialogues, the same in every run."""
    messages = dialogue(name, 1)
    spots = [*places(messages)]
    of_start = [each for each in spots if each[0] == 1 and len(each) > 1]
    for seed in range(n):
        random = Random(f"{name} {players[0]} {seed}")
        damaged: Any = deepcopy(messages)
        for _ in range(random.choice((1, 1, 1, 2))):
            with suppress(LookupError, TypeError):  # the place may have gone with another one
                put(damaged, random.choice(random.choice((spots, of_start))), random.choice(BAD))
        yield random.choice(players), damaged
