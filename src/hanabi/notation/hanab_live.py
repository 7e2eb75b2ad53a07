"""hanab.live's JSON: whole games, read and written.

Only its four plain variants have the rules of this package; every other one is refused by name.
Table options are carried along verbatim: whoever replays a game honours or refuses them.
"""

from __future__ import annotations

from collections.abc import Mapping

from hanabi.deck import Deck
from hanabi.errors import InvalidInputError, counted, quote
from hanabi.notation.record import PLAYER_COUNTS, GameRecord, RecordedAction
from hanabi.notation.strict_json import (
    as_integer,
    as_items,
    as_object,
    as_text,
    refuse_missing,
    refuse_other_spellings,
    show,
)

__all__ = [
    "COLORS_OF_VARIANT",
    "DEFAULT_NAMES",
    "HINTS",
    "OPTIONS_THAT_CHANGE_PLAY",
    "RANKS",
    "actions_from_json",
    "check_action",
    "game_from_json",
    "game_to_json",
    "options_that_change_play",
]

COLORS_OF_VARIANT: Mapping[str, int] = {"No Variant": 5, "6 Suits": 6, "4 Suits": 4, "3 Suits": 3}
"""The variants that can be read, with their number of colors."""

RANKS = 5
"""Ranks of every color in these variants."""

HINTS = {2: "color hint", 3: "rank hint"}
"""The types of action whose value means something; 0 and 1 play and discard."""

_TYPES = (0, 1, *HINTS, 4, 5, 10)

OPTIONS_THAT_CHANGE_PLAY = (
    "allOrNothing",
    "cardCycle",
    "deckPlays",
    "detrimentalCharacters",
    "emptyClues",
    "oneExtraCard",
    "oneLessCard",
    "startingPlayer",
)
"""Options under which the same actions may be illegal or have another effect."""

DEFAULT_NAMES = ("Alice", "Bob", "Cathy", "Donald", "Emily", "Frank")
"""The names that the site gives to players without names."""

_KEYS = ("players", "deck", "actions", "options", "variant", "notes", "id", "seed")
_FLAGS = (*OPTIONS_THAT_CHANGE_PLAY[:-1], "speedrun", "timed")
_OPTIONS = (*OPTIONS_THAT_CHANGE_PLAY, "variant", "variantName")


def options_that_change_play(record: GameRecord) -> tuple[str, ...]:
    """Return the names of the record's options that are switched on and change play.

    >>> record = GameRecord(2, Deck([]), options={"deckPlays": True, "timed": True})
    >>> options_that_change_play(record)
    ('deckPlays',)
    """
    return tuple(name for name in OPTIONS_THAT_CHANGE_PLAY if record.options.get(name))


def game_from_json(data: dict[str, object]) -> GameRecord:
    """Read a game as hanab.live exports it. O(cards + actions).

    Raises
    ------
    InvalidInputError
        If an entry is missing or wrong, named by its path as in `actions[7].target`; or if the
        variant is not one of `COLORS_OF_VARIANT`, named.

    >>> deck = [{"suitIndex": 3, "rank": 5}, {"suitIndex": 4, "rank": 4}]
    >>> game_from_json({"players": ["a", "b"], "deck": deck}).deck
    <Deck of 2 cards: b5 p4>
    """
    refuse_missing(data, "players", "deck")
    refuse_other_spellings(data, _KEYS)
    options = dict(as_object(data.get("options", {}), "options"))
    refuse_other_spellings(options, _OPTIONS, "options.")
    variant = _variant(data, options)
    colors = COLORS_OF_VARIANT[variant]
    names = tuple(as_text(*name) for name in as_items(data["players"], "players"))
    if len(names) not in PLAYER_COUNTS:
        raise InvalidInputError(f"players: {counted(len(names), 'name')}; there are 2 .. 6 players")
    _check_options(options, len(names))
    deck = _deck(data["deck"], colors)
    return GameRecord(
        players=len(names),
        deck=deck,
        actions=actions_from_json(data.get("actions", []), len(names), len(deck), colors),
        variant=variant,
        colors=colors,
        names=names,
        options=options,
        notes=_notes(data.get("notes")),
        id=as_integer(data["id"], "id") if data.get("id") is not None else None,
        seed=as_text(data["seed"], "seed") if data.get("seed") is not None else None,
        extra={key: value for key, value in data.items() if key not in _KEYS},
    )


def _variant(data: dict[str, object], options: dict[str, object]) -> str:
    """Take the variant's name out of `options`; it may stand in three places, which must agree."""
    given = [("variant", data["variant"])] if "variant" in data else []
    given += [
        (f"options.{key}", options.pop(key)) for key in ("variant", "variantName") if key in options
    ]
    path, first = given[0] if given else ("options.variant", "No Variant")
    for other_path, other in given:
        if as_text(other, other_path) != first:
            raise InvalidInputError(
                f"{other_path}: {quote(other)} contradicts {quote(first)} in {path}"
            )
    name = as_text(first, path)
    if name not in COLORS_OF_VARIANT:
        *most, last = map(quote, COLORS_OF_VARIANT)
        raise InvalidInputError(
            f"{path}: {quote(name)} is not a supported variant;"
            f" only {', '.join(most)} and {last} are"
        )
    return name


def _check_options(options: dict[str, object], players: int) -> None:
    for name in _FLAGS:
        if name in options and not isinstance(options[name], bool):
            raise InvalidInputError(f"options.{name}: {show(options[name])} is not true or false")
    if "startingPlayer" in options:
        as_integer(options["startingPlayer"], "options.startingPlayer", 0, players - 1)


def _deck(value: object, colors: int) -> Deck:
    cards = []
    for card, path in as_items(value, "deck"):
        entry = as_object(card, path, "suitIndex", "rank")
        suit = as_integer(entry["suitIndex"], f"{path}.suitIndex", 0, colors - 1)
        cards.append((suit, as_integer(entry["rank"], f"{path}.rank", 1, RANKS)))
    return Deck(cards)


def actions_from_json(
    value: object, players: int | None = None, cards: int = 0, colors: int = 0
) -> tuple[RecordedAction, ...]:
    """Read `[{"type", "target", "value"}, ...]` for a table of this size. O(actions).

    Without a table they are actions of seats, to be checked by the rules; of what is no hint the
    value is dropped, which answers write as 0.

    Raises
    ------
    InvalidInputError
        Names the path of the wrong entry, as in `actions[7].target`.

    >>> actions_from_json([{"type": 0, "target": 7}], players=2, cards=50, colors=5)
    (RecordedAction(type=0, target=7, value=None),)
    >>> actions_from_json([{"type": 0, "target": 7, "value": 0}])
    (RecordedAction(type=0, target=7, value=None),)
    """
    result = []
    for item, path in as_items(value, "actions"):
        keys = ("type", "target") if players is not None else ()
        entry = as_object(item, path, *keys)
        hint = entry.get("value")
        if players is None:
            kind = as_integer(entry.get("type"), f"{path}.type", 0, 3)
            target = as_integer(entry.get("target"), f"{path}.target")
            hint = as_integer(hint, f"{path}.value") if kind in HINTS else None
            result.append(RecordedAction(kind, target, hint))
            continue
        kind = as_integer(entry["type"], f"{path}.type")
        target = as_integer(entry["target"], f"{path}.target", -1)
        hint = None if hint is None else as_integer(hint, f"{path}.value", -1)
        result.append(RecordedAction(kind, target, hint))
        check_action(result[-1], path, players, cards, colors)
    return tuple(result)


def check_action(action: RecordedAction, path: str, players: int, cards: int, colors: int) -> None:
    """Refuse an action that cannot belong to any game of this size, naming `path`.

    >>> check_action(RecordedAction(3, 1, 6), "actions[0]", players=2, cards=50, colors=5)
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: actions[0].value: 6 is not in 1 .. 5
    """
    if action.type not in _TYPES:
        raise InvalidInputError(f"{path}.type: {action.type} is no type of action")
    if action.type in HINTS:
        as_integer(action.target, f"{path}.target", 0, players - 1)
        if action.value is None:
            raise InvalidInputError(f"{path}.value: missing in a {HINTS[action.type]}")
        low, high = (0, colors - 1) if action.type == 2 else (1, RANKS)
        as_integer(action.value, f"{path}.value", low, high)
    elif not action.is_end:
        as_integer(action.target, f"{path}.target", 0, cards - 1)


def _notes(value: object) -> tuple[tuple[str, ...], ...]:
    rows = as_items([] if value is None else value, "notes")
    return tuple(
        tuple(as_text(*note) for note in as_items([] if row is None else row, path))
        for row, path in rows
    )


def game_to_json(record: GameRecord) -> dict[str, object]:
    """Return the game in hanab.live's form, ready for `json.dumps`.

    `game_from_json` reads it back, but for the seed, which is left out: the site would deal the
    seed's deck in place of the one written.

    >>> game_to_json(GameRecord(2, Deck([(3, 5)]), names=("a", "b")))["deck"]
    [{'suitIndex': 3, 'rank': 5}]
    """
    data: dict[str, object] = {} if record.id is None else {"id": record.id}
    data["players"] = list(record.names) or list(DEFAULT_NAMES[: record.players])
    data["deck"] = [{"suitIndex": card.color, "rank": card.rank} for card in record.deck]
    data["actions"] = [
        {"type": action.type, "target": action.target}
        | ({} if action.value is None else {"value": action.value})
        for action in record.actions
    ]
    data["options"] = {"variant": record.variant, **record.options}
    if record.notes:
        data["notes"] = [list(row) for row in record.notes]
    return data | dict(record.extra)
