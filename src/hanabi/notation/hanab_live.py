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
    as_array,
    as_integer,
    as_object,
    as_text,
    refuse_other_spellings,
    show,
)

__all__ = [
    "ACTION_TYPES",
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

ACTION_TYPES = {
    0: "play",
    1: "discard",
    2: "color hint",
    3: "rank hint",
    4: "end",
    5: "end",
    10: "end",
}
"""What the numbers of hanab.live's action types mean."""

HINTS = (2, 3)
"""The types of action whose value means something."""

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
    <Deck of 2 cards: b5 p4 ...>
    """
    for key in ("players", "deck"):
        if key not in data:
            raise InvalidInputError(f"{key}: missing")
    refuse_other_spellings(data, _KEYS)
    options = dict(as_object(data.get("options", {}), "options"))
    refuse_other_spellings(options, _OPTIONS, "options.")
    variant = _variant(data, options)
    colors = COLORS_OF_VARIANT[variant]
    names = tuple(
        as_text(name, f"players[{seat}]")
        for seat, name in enumerate(as_array(data["players"], "players"))
    )
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


_KEYS = ("players", "deck", "actions", "options", "variant", "notes", "id", "seed")


def _variant(data: dict[str, object], options: dict[str, object]) -> str:
    """Take the variant's name out of `options`; it may stand in three places, which must agree."""
    given = []
    if "variant" in data:
        given.append(("variant", data["variant"]))
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
        raise InvalidInputError(
            f"{path}: {quote(name)} is not a supported variant;"
            f" only {_listed(COLORS_OF_VARIANT)} are"
        )
    return name


def _listed(names: Mapping[str, int]) -> str:
    quoted = [quote(name) for name in names]
    return f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _check_options(options: dict[str, object], players: int) -> None:
    for name in _FLAGS:
        if name in options and not isinstance(options[name], bool):
            raise InvalidInputError(f"options.{name}: {show(options[name])} is not true or false")
    if "startingPlayer" in options:
        as_integer(options["startingPlayer"], "options.startingPlayer", 0, players - 1)


def _deck(value: object, colors: int) -> Deck:
    cards = []
    for index, card in enumerate(as_array(value, "deck")):
        path = f"deck[{index}]"
        entry = as_object(card, path)
        for key in ("suitIndex", "rank"):
            if key not in entry:
                raise InvalidInputError(f"{path}.{key}: missing")
        cards.append(
            (
                as_integer(entry["suitIndex"], f"{path}.suitIndex", 0, colors - 1),
                as_integer(entry["rank"], f"{path}.rank", 1, RANKS),
            )
        )
    return Deck(cards)


def actions_from_json(
    value: object, players: int, cards: int, colors: int
) -> tuple[RecordedAction, ...]:
    """Read `[{"type", "target", "value"}, ...]` for a table of this size. O(actions).

    Raises
    ------
    InvalidInputError
        Names the path of the wrong entry, as in `actions[7].target`.

    >>> actions_from_json([{"type": 0, "target": 7}], players=2, cards=50, colors=5)
    (RecordedAction(type=0, target=7, value=None),)
    """
    result = []
    for index, item in enumerate(as_array(value, "actions")):
        path = f"actions[{index}]"
        entry = as_object(item, path)
        for key in ("type", "target"):
            if key not in entry:
                raise InvalidInputError(f"{path}.{key}: missing")
        action = RecordedAction(
            as_integer(entry["type"], f"{path}.type"),
            as_integer(entry["target"], f"{path}.target", -1),
            as_integer(entry["value"], f"{path}.value", -1)
            if entry.get("value") is not None
            else None,
        )
        check_action(action, path, players, cards, colors)
        result.append(action)
    return tuple(result)


def check_action(action: RecordedAction, path: str, players: int, cards: int, colors: int) -> None:
    """Refuse an action that cannot belong to any game of this size, naming `path`.

    >>> check_action(RecordedAction(3, 1, 6), "actions[0]", players=2, cards=50, colors=5)
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: actions[0].value: 6 is not in 1 .. 5
    """
    kind = ACTION_TYPES.get(action.type)
    if kind is None:
        raise InvalidInputError(f"{path}.type: {action.type} is no type of action")
    if action.type <= 1:
        as_integer(action.target, f"{path}.target", 0, cards - 1)
    elif action.type <= 3:
        as_integer(action.target, f"{path}.target", 0, players - 1)
        low, high = (0, colors - 1) if action.type == 2 else (1, RANKS)
        if action.value is None:
            raise InvalidInputError(f"{path}.value: missing in a {kind}")
        as_integer(action.value, f"{path}.value", low, high)


def _notes(value: object) -> tuple[tuple[str, ...], ...]:
    rows = []
    for seat, row in enumerate(as_array([] if value is None else value, "notes")):
        notes = as_array([] if row is None else row, f"notes[{seat}]")
        rows.append(
            tuple(as_text(note, f"notes[{seat}][{index}]") for index, note in enumerate(notes))
        )
    return tuple(rows)


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
