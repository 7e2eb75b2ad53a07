"""hanab.live's JSON: reads and writes whole games of all its variants.

Table options are kept verbatim; the code that replays a game honours or refuses them. A START card
is rank 7 on the site, and the rank after the last one here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hanabi.ground import InvalidInputError, counted, naming, quote
from hanabi.rules.deck import Deck
from hanabi.rules.notation.record import PLAYER_COUNTS, GameRecord, RecordedAction
from hanabi.rules.notation.strict_json import (
    as_integer,
    as_items,
    as_object,
    as_text,
    refuse_missing,
    refuse_other_spellings,
    show,
)
from hanabi.rules.seeds import is_seed, parse_seed
from hanabi.rules.variants import Variant, find_variant

__all__ = [
    "DEFAULT_NAMES",
    "HINTS",
    "OPTIONS_THAT_CHANGE_PLAY",
    "actions_from_json",
    "check_action",
    "check_options",
    "check_seed",
    "game_from_json",
    "game_of_seed",
    "game_to_json",
    "options_that_change_play",
    "rank_from_site",
    "rank_to_site",
]

HINTS = {2: "color hint", 3: "rank hint"}
"""The types of action that carry a value; types 0 and 1 are plays and discards."""

_TYPES = (0, 1, *HINTS, 4, 5, 10)

OPTIONS_THAT_CHANGE_PLAY = (
    "allOrNothing",
    "deckPlays",
    "detrimentalCharacters",
    "emptyClues",
    "oneExtraCard",
    "oneLessCard",
    "speedrun",
    "startingPlayer",
)
"""Options under which the same actions may be illegal or have another effect."""

_HARMLESS = (
    *("cardCycle", "timed", "timeBase", "timePerTurn", "tableName", "maxPlayers"),
    *("numPlayers", "variant", "variantID", "variantName"),
)
"""The site's options that do not change play. An option in neither list may change it."""

DEFAULT_NAMES = ("Alice", "Bob", "Cathy", "Donald", "Emily", "Frank")
"""The site's default player names."""

_KEYS = ("players", "deck", "actions", "options", "variant", "notes", "id", "seed", "rules")
_FLAGS = (*OPTIONS_THAT_CHANGE_PLAY[:-1], "cardCycle", "timed")
_OPTIONS = (*OPTIONS_THAT_CHANGE_PLAY, "cardCycle", "variant", "variantName")
_START = 7


def options_that_change_play(record: GameRecord) -> tuple[str, ...]:
    """Return the names of the options that are on and may change play.

    Any option that hanab.live did not have in August 2026 counts as one that may.

    >>> record = GameRecord(2, Deck([]), options={"deckPlays": True, "timed": True})
    >>> options_that_change_play(record)
    ('deckPlays',)
    """
    known = [name for name in OPTIONS_THAT_CHANGE_PLAY if record.options.get(name)]
    others = record.options.keys() - {*OPTIONS_THAT_CHANGE_PLAY, *_HARMLESS}
    return (*known, *sorted(name for name in others if record.options[name]))


def game_from_json(data: dict[str, object]) -> GameRecord:
    """Read a game as hanab.live exports it. O(cards + actions).

    With a seed, the deck may be omitted, and then also the players and the variant: all are taken
    from the site's own deal of the seed.

    Raises InvalidInputError if an entry is missing or wrong (the message gives its path, as in
    `actions[7].target`); if the site has no such variant; if the seed deals this table a different
    deck; or, without a deck, if the seed belongs to a different table.

    >>> deck = [{"suitIndex": 3, "rank": 5}, {"suitIndex": 4, "rank": 4}]
    >>> game_from_json({"players": ["a", "b"], "deck": deck}).deck
    <Deck of 2 cards: b5 p4>
    >>> game_from_json({"seed": "p3v0s17", "actions": []}).deck
    <Deck of 50 cards: b5 b2 r2 p4 r1 ...>
    """
    refuse_other_spellings(data, _KEYS)
    _refuse_old_export(data)
    if "deck" not in data and data.get("seed") is not None:
        data = _with_deck(data)
    refuse_missing(data, "players", "deck")
    options = dict(as_object(data.get("options", {}), "options"))
    refuse_other_spellings(options, _OPTIONS, "options.")
    variant = _variant(data, options)
    names = tuple(as_text(*name) for name in as_items(data["players"], "players"))
    if len(names) not in PLAYER_COUNTS:
        raise InvalidInputError(f"players: {counted(len(names), 'name')}; there are 2 .. 6 players")
    check_options(options, len(names))
    deck = _deck(data["deck"], variant)
    record = GameRecord(
        players=len(names),
        deck=deck,
        actions=actions_from_json(data.get("actions", []), len(names), len(deck), variant),
        variant=variant.name,
        names=names,
        options=options,
        notes=_notes(data.get("notes")),
        id=as_integer(data["id"], "id") if data.get("id") is not None else None,
        seed=as_text(data["seed"], "seed") if data.get("seed") is not None else None,
        extra={key: value for key, value in data.items() if key not in _KEYS},
        rules=data.get("rules"),
    )
    return check_seed(record)


def _refuse_old_export(data: dict[str, object]) -> None:
    """Refuse the site's old export format and moves given by slot; say how to fix them."""
    number = data["id"] if type(data.get("id")) is int else "NUMBER"
    anew = f"an old export: save https://hanab.live/export/{number} anew"
    for what, old, told in (
        ("deck", "suit", f"in place of 'suitIndex' is {anew}"),
        ("actions", "clue", f"as an object is {anew}"),
        ("actions", "slot", "is not the card: give its place in the deck, from 0, as 'target'"),
    ):
        entries = data.get(what)
        for index, entry in enumerate(entries if isinstance(entries, list) else ()):
            if isinstance(entry, dict) and old in entry and not {"suitIndex"} & entry.keys():
                raise InvalidInputError(f"{what}[{index}]: {quote(old)} {told}")


def _with_deck(data: dict[str, object]) -> dict[str, object]:
    """Return the game with its deck, and any missing players or variant, taken from the seed."""
    text = as_text(data["seed"], "seed")
    with naming("seed"):
        dealt = game_of_seed(text)
    options = dict(as_object(data.get("options", {}), "options"))
    if not any(key in given for key in ("variant", "variantName") for given in (data, options)):
        options["variant"] = dealt.variant
    names = [as_text(*name) for name in as_items(data.get("players", list(dealt.names)), "players")]
    site = game_to_json(dealt)
    data = {**data, "players": names, "options": options, "deck": site["deck"]}
    variant = _variant(data, dict(options)).name
    for what, given, told in (
        ("players", counted(len(names), "name"), len(names) == dealt.players),
        ("options.variant", quote(variant), variant == dealt.variant),
    ):
        if not told:
            raise InvalidInputError(
                f"{what}: {given}, but seed {quote(dealt.seed)} is for {dealt.players} players of"
                f" {quote(dealt.variant)}"
            )
    return data


def game_of_seed(text: str) -> GameRecord:
    """Return the game that the site deals from a seed, before the first action.

    >>> game_of_seed("p2v16s5").variant
    'Rainbow (5 Suits)'
    """
    seed = parse_seed(text)
    names = DEFAULT_NAMES[: seed.players]
    return GameRecord(
        seed.players, seed.deck, variant=seed.variant.name, names=names, seed=seed.text
    )


def check_seed(record: GameRecord) -> GameRecord:
    """Refuse a game whose seed is for its variant and players, but deals a different deck.

    If only the first cards of the deck are listed, the game is returned with the whole deck.

    >>> check_seed(GameRecord(2, Deck([(0, 1)]), seed="p2v0s1"))
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: seed: 'p2v0s1' deals another deck
    """
    if record.seed is None or not is_seed(record.seed):
        return record
    try:
        seed = parse_seed(record.seed)
    except InvalidInputError:  # the seed names a table that does not exist
        return record
    if (seed.players, seed.variant.name) != (record.players, record.variant):
        return record
    deck = seed.deck
    dealt = record.players * record.hand_size
    is_start = len(record.deck) >= dealt and deck[: len(record.deck)] == tuple(record.deck)
    if not is_start:
        raise InvalidInputError(f"seed: {quote(record.seed)} deals another deck")
    return record if len(record.deck) == len(deck) else replace(record, deck=deck)


def _variant(data: dict[str, object], options: dict[str, object]) -> Variant:
    """Remove the variant's name from `options`; it may be in three places, which must agree."""
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
    with naming(path):
        return find_variant(as_text(first, path))


def check_options(options: Mapping[str, object], players: int) -> None:
    """Refuse table options with invalid values.

    >>> check_options({"deckPlays": 1}, 2)
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: options.deckPlays: 1 is not true or false
    """
    for name in _FLAGS:
        if name in options and not isinstance(options[name], bool):
            raise InvalidInputError(f"options.{name}: {show(options[name])} is not true or false")
    if "startingPlayer" in options:
        as_integer(options["startingPlayer"], "options.startingPlayer", 0, players - 1)


def _deck(value: object, variant: Variant) -> Deck:
    cards = []
    for card, path in as_items(value, "deck"):
        entry = as_object(card, path, "suitIndex", "rank")
        suit = as_integer(entry["suitIndex"], f"{path}.suitIndex", 0, len(variant.suits) - 1)
        rank = rank_from_site(as_integer(entry["rank"], f"{path}.rank"), variant)
        if rank is None:
            rank = as_integer(entry["rank"], f"{path}.rank", 1, variant.ranks)
        cards.append((suit, rank))
    return Deck(cards)


def rank_from_site(rank: int, variant: Variant) -> int | None:
    """Convert a rank of the site, or return None if the variant has no such rank."""
    if rank == _START and variant.start_rank is not None:
        return variant.start_rank
    return rank if 1 <= rank <= variant.ranks else None


def rank_to_site(rank: int, variant: Variant) -> int:
    """Return the site's number for a rank.

    >>> rank_to_site(6, find_variant("Up or Down (5 Suits)"))
    7
    """
    return _START if rank == variant.start_rank else rank


def actions_from_json(
    value: object, players: int | None = None, cards: int = 0, variant: Variant | None = None
) -> tuple[RecordedAction, ...]:
    """Read `[{"type", "target", "value"}, ...]` for a table of this size. O(actions).

    Without a table, the rules check the actions later, and the value of a play or discard (0 in
    some output) is dropped.

    Raises InvalidInputError if an entry is wrong; the message gives its path, as in
    `actions[7].target`.

    >>> actions_from_json([{"type": 0, "target": 7}], 2, 50, find_variant("No Variant"))
    (RecordedAction(type=0, target=7, value=None),)
    >>> actions_from_json([{"type": 0, "target": 7, "value": 0}])
    (RecordedAction(type=0, target=7, value=None),)
    """
    result = []
    for item, path in as_items(value, "actions"):
        has_table = players is not None and variant is not None
        entry = as_object(item, path, *(("type", "target") if has_table else ()))
        hint = entry.get("value")
        if players is None or variant is None:
            kind = as_integer(entry.get("type"), f"{path}.type", 0, 3)
            target = as_integer(entry.get("target"), f"{path}.target")
            hint = as_integer(hint, f"{path}.value") if kind in HINTS else None
            result.append(RecordedAction(kind, target, hint))
            continue
        kind = as_integer(entry["type"], f"{path}.type")
        target = as_integer(entry["target"], f"{path}.target", -1)
        hint = None if hint is None else as_integer(hint, f"{path}.value", -1)
        result.append(RecordedAction(kind, target, hint))
        check_action(result[-1], path, players, cards, variant)
    return tuple(result)


def check_action(
    action: RecordedAction, path: str, players: int, cards: int, variant: Variant
) -> None:
    """Refuse an action that no game of this size and variant can have; the error names `path`.

    >>> check_action(RecordedAction(3, 1, 6), "actions[0]", 2, 50, find_variant("No Variant"))
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: actions[0].value: 6 is not in 1 .. 5
    """
    if action.type not in _TYPES:
        raise InvalidInputError(f"{path}.type: {action.type} is no type of action")
    if action.type in HINTS:
        as_integer(action.target, f"{path}.target", 0, players - 1)
        if action.value is None:
            raise InvalidInputError(f"{path}.value: missing in a {HINTS[action.type]}")
        names = range(len(variant.clue_colors)) if action.type == 2 else variant.clue_ranks
        if action.value not in names:
            which = f"one of {', '.join(map(str, names))}"
            if not names:
                which = f"anything: {variant.name} has no {HINTS[action.type]}s"
            elif names[-1] - names[0] == len(names) - 1:
                which = f"in {names[0]} .. {names[-1]}"
            raise InvalidInputError(f"{path}.value: {show(action.value)} is not {which}")
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

    `game_from_json` reads it back, except for the seed. The seed is omitted because the site would
    deal its deck instead of the one written.

    >>> game_to_json(GameRecord(2, Deck([(3, 5)]), names=("a", "b")))["deck"]
    [{'suitIndex': 3, 'rank': 5}]
    """
    data: dict[str, object] = {} if record.id is None else {"id": record.id}
    data["players"] = list(record.names) or list(DEFAULT_NAMES[: record.players])
    variant = record.variant_data
    data["deck"] = [
        {"suitIndex": card.color, "rank": rank_to_site(card.rank, variant)} for card in record.deck
    ]
    data["actions"] = [
        {"type": action.type, "target": action.target}
        | ({} if action.value is None else {"value": action.value})
        for action in record.actions
    ]
    data["options"] = {"variant": record.variant, **record.options}
    if record.notes:
        data["notes"] = [list(row) for row in record.notes]
    if record.rules is not None:
        data["rules"] = record.rules
    return data | dict(record.extra)
