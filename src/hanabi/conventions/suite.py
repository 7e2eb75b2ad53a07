"""The suite: positions with what each seat should think and do there, for any program.

A position is a game of hanab.live from its deal, and what is expected after its last action
(docs/conventions-suite.md). Cards are named by their deck numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hanabi.conventions.conventions import CONVENTIONS, LEVELS, Convention
from hanabi.conventions.player import mind_of
from hanabi.conventions.table import bits
from hanabi.conventions.variants import refuse_variant
from hanabi.ground import IllegalActionError, InvalidInputError, naming, quote
from hanabi.rules import (
    DEFAULT_NAMES,
    Action,
    Card,
    Game,
    GameRecord,
    View,
    actions_from_json,
    as_array,
    as_integer,
    as_items,
    as_object,
    as_text,
    card_name,
    clue_colors,
    find_action,
    hinted,
    lines_of,
    parse_input,
    replay_of,
    show,
)  # fmt: skip

__all__ = ["QUESTIONS", "SCHEMA", "Position", "Question", "answer", "difference", "read_suite"]

SCHEMA = 1
"""The version of the documents."""

QUESTIONS = ("identities", "plays", "discards")
"""What a seat can be asked about its cards; a program says in its `hello` which it answers."""

_KEYS = ("schema", "name", "convention", "page", "expect", "note")
_EXPECT = ("levels", "may_be", "plays", "discards", "asks", "forbids")
_HEADS = {
    "identities": "{}'s {} may be",
    "plays": "{} should play",
    "discards": "{} should discard",
    "asks": "{} should",
    "forbids": "{} should not",
}


class Question(NamedTuple):
    """What a seat is asked at some levels, and the right answers in words.

    `what` is one of `QUESTIONS`, or for the seat to act `asks` or `forbids`. `right` are all
    identities of the card; or what the first card, or the action, that the seat names should be one
    of, and for `forbids` none of.
    """

    seat: int
    what: str
    card: int
    right: tuple[str, ...]
    levels: range


class Position(NamedTuple):
    """A position of the suite; `where` names its file and line."""

    where: str
    name: str
    convention: Convention
    game: Game
    names: tuple[str, ...]
    questions: tuple[Question, ...]


def answer(view: View, level: int, what: str, card: int = -1) -> list[Card] | list[int]:
    """Return our answer to one of the `QUESTIONS` about the viewing seat's hand, at a level.

    It is all identities of a card; or the cards that the seat would play or discard next, the first
    one first.
    """
    mind = mind_of(view, level)
    if what == "identities":
        return [mind.deal.cards[kind] for kind in bits(mind.belief(card))]
    if what == "plays":
        return mind.plays(view.seat)
    chop = mind.chop(view.seat)
    return mind.useless(view.seat) or ([] if chop is None else [chop])


def difference(
    position: Position, asked: Question, found: list[Card] | list[int] | Action
) -> str | None:
    """Return a sentence about an answer that is not right, or None."""
    words, right = _words(position, found) or ("nothing",), asked.right
    if asked.what == "identities":
        is_right = set(words) == set(right)
    else:
        words = words[:1]
        is_right = (words[0] in right) is (asked.what != "forbids")
    if is_right:
        return None
    head = _HEADS[asked.what].format(position.names[asked.seat], f"card {asked.card}")
    told = f"{head} {' or '.join(right)}"
    return told if asked.what == "forbids" else f"{told}, not {' or '.join(words)}"


def _words(position: Position, found: list[Card] | list[int] | Action) -> tuple[str, ...]:
    game, rules = position.game, position.game.rules
    if not isinstance(found, Action):
        return tuple(
            card_name(each, rules) if isinstance(each, Card) else f"card {each}" for each in found
        )
    if found.is_hint:
        said = hinted(found, clue_colors(rules))
        return (f"clue {position.names[found.target]} {said}",)
    order = game.hand_indices[game.seat_to_act][found.target]
    return (f"{found.kind.name.lower()} card {order}",)


def read_suite(text: str, source: str) -> Iterator[Position]:
    """Yield the positions of a file, one JSON document in each line.

    Raises InvalidInputError, which quotes the first wrong value, if a position is not one by
    `docs/conventions-suite.schema.json`, or if its game breaks a rule.

    >>> list(read_suite('{"players": [], "deck": []}', "a.jsonl"))
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: a.jsonl: line 1: players: 0 names; there are 2 .. 6
    players
    """
    for number, line in enumerate(lines_of(text), 1):
        if line.strip():
            with naming(source), naming(f"line {number}"):
                yield _position(line, f"{source}:{number}")


def _position(text: str, where: str) -> Position:
    record = parse_input(text)
    if not isinstance(record, GameRecord):
        raise InvalidInputError("not a game of hanab.live, with players, deck and actions")
    given = _checked(dict(record.extra), "position", _KEYS, _KEYS[:-1])
    as_integer(given["schema"], "schema", SCHEMA, SCHEMA)
    convention = {each.name: each for each in CONVENTIONS}.get(as_text(given["convention"], ""))
    if convention is None:
        raise InvalidInputError(f"convention: {show(given['convention'])} is not in our table")
    if given["page"] != convention.link:
        raise InvalidInputError(f"page: {show(given['page'])} is not {quote(convention.link)}")
    game = replay_of(record).positions[-1]
    refuse_variant(game.rules)
    names = record.names or DEFAULT_NAMES[: record.players]
    bare = Position(where, as_text(given["name"], "name"), convention, game, names, ())
    expect = as_items(given["expect"], "expect")
    return bare._replace(questions=tuple(each for at in expect for each in _questions(bare, *at)))


def _checked(
    data: object, path: str, known: tuple[str, ...], needed: tuple[str, ...]
) -> dict[str, object]:
    """Return an object that has the needed keys, and no unknown ones."""
    given = as_object(data, path, *needed)
    if unknown := [key for key in given if key not in known]:
        raise InvalidInputError(f"{path}: unknown key {quote(unknown[0])}")
    return given


def _questions(position: Position, data: object, path: str) -> Iterator[Question]:
    """Yield what is asked at some levels."""
    given, game = _checked(data, path, _EXPECT, _EXPECT[:1]), position.game
    at = f"{path}.levels"
    levels = [as_integer(*each, 1, LEVELS) for each in as_items(given["levels"], at)]
    if len(levels) != 2 or levels[0] > levels[1]:
        raise InvalidInputError(f"{at}: {show(given['levels'])} is not the first and last level")
    asked = range(levels[0], levels[1] + 1)
    cards = {card_name(card, game.rules) for card in game.rules.spec.counts()}
    hands = dict(enumerate(game.hand_indices))
    holder = {order: seat for seat, hand in hands.items() for order in hand}
    for key, what in zip(_EXPECT[1:4], QUESTIONS, strict=True):
        for number, value in as_object(given.get(key, {}), f"{path}.{key}").items():
            at, card = f"{path}.{key}.{number}", int(number) if number.isdecimal() else -1
            seat = holder.get(card, -1) if key == "may_be" else card
            if seat not in hands:
                raise InvalidInputError(f"{path}.{key}: {quote(number)} is not in the game")
            known = cards if key == "may_be" else {f"card {order}" for order in hands[seat]}
            said = [as_text(*each) if key == "may_be" else f"card {as_integer(*each)}"
                    for each in as_items(value, at)]  # fmt: skip
            if wrong := [each for each in said if each not in known]:
                raise InvalidInputError(f"{at}: {quote(wrong[0])} is not one of {len(known)} cards")
            yield Question(seat, what, card, tuple(said) or ("nothing",), asked)
    for what in _EXPECT[4:]:
        with naming(f"{path}.{what}"):
            rows = actions_from_json(as_array(given.get(what, []), "actions"))
            try:
                actions = [find_action(game, each) for each in rows]
                for action in actions:
                    game.apply(action)
            except IllegalActionError as error:
                raise InvalidInputError(f"{error}") from None
        if actions:
            right = tuple(words for each in actions for words in _words(position, each))
            yield Question(game.seat_to_act, what, -1, right, asked)
