"""hanab.live's replay links, which hold a whole game: `https://hanab.live/replay-json/DATA`.

DATA is `P DECK , ACTIONS , VARIANT` (newer links append `, SEED`), with dashes that only let the
text wrap. P is the number of players. DECK is the lowest and the highest rank, then one letter a
card; ACTIONS is the lowest and the highest type (`00` if there are none), then two letters an
action. VARIANT is a number. A START card is rank 7.

The site's links have no place for table options. Here they follow a question mark, as in
`?deckPlays=true`, which the site's viewer ignores.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from json import dumps

from hanabi.ground import InvalidInputError, naming, printable, quote
from hanabi.rules.deck import Deck
from hanabi.rules.notation.hanab_live import (
    DEFAULT_NAMES,
    OPTIONS_THAT_CHANGE_PLAY,
    actions_from_json,
    check_action,
    check_options,
    check_seed,
    game_of_seed,
    options_that_change_play,
    rank_from_site,
    rank_to_site,
)
from hanabi.rules.notation.record import PLAYER_COUNTS, GameRecord, RecordedAction
from hanabi.rules.notation.strict_json import load, refuse_other_spellings
from hanabi.rules.variants import Variant, find_variant

__all__ = [
    "export_needed",
    "format_link",
    "format_options",
    "is_link",
    "link_note",
    "parse_actions",
    "parse_link",
    "seed_of_link",
    "stored_game",
]

_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_INDEX = {letter: index for index, letter in enumerate(_ALPHABET)}
_NUMBER = re.compile("[0-9]{1,9}")
_VALUE = re.compile("true|false|[0-9]{1,9}")
_WRAP = 20

_SITE = re.compile(r"(?:https?://)?(?:www\.)?hanabi?\.live/", re.IGNORECASE)
_GAME_NUMBER = re.compile(r"(?:(?:game|replay)[\s/]*)?#?([0-9]{1,9})(?:#[0-9]*)?", re.IGNORECASE)
_STORED = re.compile(r"(?:(?:shared-)?(?:replay|game)|export)/([0-9]+)(?:[/?#].*)?", re.DOTALL)
_SEED = re.compile(r"seed/([^/?#]+)(?:[/?#].*)?", re.DOTALL)
_REPLAY = re.compile(r"(?:shared-)?replay-json/([^#?]*)(?:\?([^#]*))?(?:#.*)?", re.DOTALL)


def is_link(text: str) -> bool:
    """Return whether `text` starts like a link, to any site.

    >>> is_link("https://hanab.live/replay/2906"), is_link("r1 r2")
    (True, False)
    """
    start = text[:40].lower()
    return start.startswith(("http://", "https://")) or _SITE.match(start) is not None


def seed_of_link(text: str) -> str:
    """Return the seed in a link to one, and any other text as it is.

    >>> seed_of_link("https://hanab.live/seed/p3v0s17"), seed_of_link("p3v0s17")
    ('p3v0s17', 'p3v0s17')
    """
    site = _SITE.match(text)
    seed = None if site is None else _SEED.fullmatch(text, site.end())
    return text if seed is None else seed[1]


def stored_game(text: str) -> str | None:
    """Return the number of the game that a link, or a number alone, names but does not hold.

    >>> stored_game("hanab.live/shared-replay/2906#5"), stored_game("2906"), stored_game("p3v0s17")
    ('2906', '2906', None)
    """
    text = text.strip()
    site = _SITE.match(text)
    number = _STORED.fullmatch(text, site.end()) if site else _GAME_NUMBER.fullmatch(text)
    return None if number is None else number[1][:12]


def export_needed(text: str) -> str:
    """Return how to get the game that a text names but does not hold, or "".

    >>> export_needed("p3v0s17"), export_needed("2906").partition(";")[0]
    ('', "'2906' names a game that only hanab.live holds")
    """
    if (number := stored_game(text)) is None:
        return ""
    kept = f"{quote(text)} names a game that only hanab.live holds; the network is never used here"
    return f"{kept}: save https://hanab.live/export/{number} to a file and give that file"


def parse_link(link: str) -> GameRecord:
    """Read a replay link, or the link of a seed. O(length).

    Raises
    ------
    InvalidInputError
        If the link is damaged (the message gives the 1-based character); if there is no such
        variant; if its seed deals a different deck; if an option has an invalid value; or if the
        link holds only the number of a game stored on the site.

    >>> game = parse_link("https://hanab.live/replay-json/215lw,00,0")
    >>> game.players, str(game.deck)
    (2, 'g2 p3')
    >>> dict(parse_link("https://hanab.live/replay-json/215lw,00,0?deckPlays=true").options)
    {'deckPlays': True}
    """
    site = _SITE.match(link)
    if site is None:
        raise InvalidInputError(f"{quote(link)} is not a hanab.live link; no others are read")
    if needed := export_needed(link):
        raise InvalidInputError(needed)
    path = link[site.end() :]
    seed = _SEED.fullmatch(path)
    if seed is not None:
        return game_of_seed(seed[1])
    match = _REPLAY.fullmatch(path)
    if match is None:
        raise InvalidInputError(
            f"{quote(link)} is not a replay link (replay-json/...), seed or game"
        )
    game = _game(match[1], site.end() + match.start(1))
    options = _options(match[2] or "", game.players)
    return replace(game, options=options) if options else game


def _options(query: str, players: int) -> dict[str, object]:
    """Read the options at the end of a link; ignore other entries, which shared links may have."""
    entries = dict(pair.partition("=")[::2] for pair in query.split("&") if pair)
    refuse_other_spellings(entries, OPTIONS_THAT_CHANGE_PLAY)
    options = {
        name: load(value) if _VALUE.fullmatch(value) else value
        for name, value in entries.items()
        if name in OPTIONS_THAT_CHANGE_PLAY
    }
    check_options(options, players)
    return options


def format_options(options: Mapping[str, object]) -> str:
    """Return the end of a link that lists the options that change play and are on.

    >>> format_options({"deckPlays": True, "timed": True, "emptyClues": False})
    '?deckPlays=true'
    """
    on = {name: options[name] for name in OPTIONS_THAT_CHANGE_PLAY if options.get(name)}
    return "?" * bool(on) + "&".join(f"{name}={dumps(value)}" for name, value in on.items())


def parse_actions(text: str, record: GameRecord) -> tuple[RecordedAction, ...]:
    """Read a game's actions for this table: the second part of a link, or hanab.live's JSON.

    Raises InvalidInputError if no such game can have an action; the message gives the character or
    the entry.

    >>> parse_actions("00ab", GameRecord(2, Deck([(2, 2), (4, 3)])))
    (RecordedAction(type=0, target=1, value=None),)
    """
    variant = record.variant_data
    if text.lstrip().startswith(("[", "{")):
        return actions_from_json(load(text), record.players, len(record.deck), variant)
    field = _Field(text.strip(), 0)
    return tuple(_actions(field, record.players, len(record.deck), variant))


class _Field:
    """A part of a link without its dashes, and each letter's position in the link."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text.replace("-", "")
        self._places = [start + i for i, letter in enumerate(text, start=1) if letter != "-"]
        self._places.append(start + len(text) + 1)

    def where(self, index: int) -> str:
        return f"character {self._places[index]}"

    def error(self, index: int, message: str) -> InvalidInputError:
        return InvalidInputError(f"{self.where(index)}: {message}")

    def digit(self, index: int, what: str) -> int:
        if index >= len(self.text):
            raise self.error(len(self.text), f"the link ends before {what}")
        if self.text[index] not in "0123456789":
            raise self.error(index, f"{quote(self.text[index])} is not a digit: {what}")
        return int(self.text[index])

    def range(self, index: int, what: str) -> tuple[int, int]:
        """Return the lowest number of a range, and its length."""
        low = self.digit(index, f"the lowest {what}")
        high = self.digit(index + 1, f"the highest {what}")
        if low > high:
            raise self.error(index, f"the lowest {what} {low} is above the highest {high}")
        return low, high - low + 1

    def letter(self, index: int) -> int:
        letter = self.text[index]
        if letter not in _INDEX:
            raise self.error(index, f"{quote(letter)} is not in the alphabet of links")
        return _INDEX[letter]


def _game(data: str, start: int) -> GameRecord:
    """Return the game of the text that follows `replay-json/`."""
    parts = data.split(",", 3)
    if len(parts) < 3:
        raise InvalidInputError(
            f"character {start + len(data) + 1}: the link ends too early:"
            " expected players and deck, actions, variant"
        )
    dealt, taken, number = (
        _Field(part, start + sum(len(other) + 1 for other in parts[:index]))
        for index, part in enumerate(parts[:3])
    )
    variant = _variant(number)  # first, since the other parts depend on it
    players = dealt.digit(0, "the number of players")
    if players not in PLAYER_COUNTS:
        raise dealt.error(0, f"{players} players: there are 2 .. 6")
    deck = Deck(_cards(dealt, variant))
    record = GameRecord(
        players=players,
        deck=deck,
        actions=tuple(_actions(taken, players, len(deck), variant)),
        variant=variant.name,
        names=DEFAULT_NAMES[:players],
        # Unlike in the other fields, dashes are part of a seed.
        seed=parts[3] or None if len(parts) == 4 else None,
    )
    return check_seed(record)


def _variant(field: _Field) -> Variant:
    if not _NUMBER.fullmatch(field.text):
        raise field.error(0, f"{quote(field.text)} is not the number of a variant")
    with naming(field.where(0)):
        return find_variant(int(field.text))


def _cards(field: _Field, variant: Variant) -> Iterator[tuple[int, int]]:
    low, ranks = field.range(1, "rank")
    for index in range(3, len(field.text)):
        color, step = divmod(field.letter(index), ranks)
        rank = rank_from_site(low + step, variant)
        if rank is None or color >= len(variant.suits):
            raise field.error(index, f"suit {color}, rank {low + step} is not in {variant.name}")
        yield color, rank


def _actions(field: _Field, players: int, cards: int, variant: Variant) -> Iterator[RecordedAction]:
    low, types = field.range(0, "type of action")
    if len(field.text) % 2:
        raise field.error(len(field.text), "the last action is cut in half")
    for index in range(2, len(field.text), 2):
        value, step = divmod(field.letter(index), types)
        target = field.letter(index + 1)
        action = RecordedAction(low + step, target, value - 1 if value else None)
        where = f"{field.where(index)}: actions[{index // 2 - 1}]"
        check_action(action, where, players, cards, variant)
        yield action


def format_link(record: GameRecord) -> str:
    """Write a replay link that opens the game on hanab.live.

    A link has no place for names, notes, the game's number or its seed. Actions that end the game
    (types 4, 5 and 10) are dropped: the site finds the end itself.

    Raises
    ------
    InvalidInputError
        If an option that changes play is on (the site would replay under other rules), or an
        action's target is beyond the 62 letters of a link.

    >>> format_link(GameRecord(2, Deck([(2, 2), (4, 3)])))
    'https://hanab.live/replay-json/215lw,00,0'
    """
    changed = options_that_change_play(record)
    if changed:
        name = printable(changed[0], 40)
        raise InvalidInputError(f"options.{name}: a link has no place for it; write JSON")
    variant = record.variant_data
    deck, actions = _deck_letters(record, variant), _action_letters(record, variant)
    data = f"{record.players}{deck},{actions},{variant.id}"
    wrapped = "-".join(data[i : i + _WRAP] for i in range(0, len(data), _WRAP))
    return f"https://hanab.live/replay-json/{wrapped}"


def link_note(link: str | None) -> str:
    """Return a warning, as a sentence, for someone who opens a replay link, or "".

    The site does not open links to its Scarce Ones variants: it expects their decks to be as large
    as those of other variants.

    >>> link_note("https://hanab.live/replay-json/215lw,00,0"), link_note(None)
    ('', '')
    >>> link_note("https://hanab.live/replay-json/215lw,00,2393")[:50]
    'hanab.live does not open links to Scarce Ones (6 S'
    """
    number = [] if link is None else re.split("[?#]", link)[0].split(",")[2:3]
    variant = find_variant(int(number[0].replace("-", ""))) if number else None
    if variant is None or not variant.scarce_ones:
        return ""
    return (
        f"hanab.live does not open links to {variant.name}: its server expects a larger deck than"
        " it deals."
    )


def _deck_letters(record: GameRecord, variant: Variant) -> str:
    # Always start at rank 1: the site's own reader assumes that the lowest rank is 1.
    highest = rank_to_site(variant.start_rank or variant.ranks, variant)
    letters = []
    for index, card in enumerate(record.deck):
        if not variant.has_card(*card):
            raise InvalidInputError(f"deck[{index}]: {card} is not in {quote(record.variant)}")
        letters.append(_ALPHABET[card.color * highest + rank_to_site(card.rank, variant) - 1])
    return f"1{highest}{''.join(letters)}"


def _action_letters(record: GameRecord, variant: Variant) -> str:
    actions = [(index, action) for index, action in enumerate(record.actions) if not action.is_end]
    types = [action.type for _, action in actions] or [0]
    low, high = min(types), max(types)
    letters = []
    for index, action in actions:
        path = f"actions[{index}]"
        check_action(action, path, record.players, len(record.deck), variant)
        value = 0 if action.value is None else action.value + 1
        first = value * (high - low + 1) + action.type - low
        for what, code in (("value", first), ("target", action.target)):
            if code >= len(_ALPHABET):
                raise InvalidInputError(f"{path}.{what} does not fit into a letter of a link")
            letters.append(_ALPHABET[code])
    return f"{low}{high}{''.join(letters)}"
