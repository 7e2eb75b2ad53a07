"""The program's own JSON forms: a solitaire stream, a deck dealt to players, and a play."""

from __future__ import annotations

from collections.abc import Iterator

from hanabi.ground import InvalidInputError, naming, quote
from hanabi.rules.deck import Deck
from hanabi.rules.notation.record import MOST, PLAYER_COUNTS, DeckInput, SolitaireInput
from hanabi.rules.notation.strict_json import (
    as_array,
    as_integer,
    as_items,
    load,
    refuse_missing,
    refuse_typos,
    show,
)
from hanabi.rules.notation.text import parse_cards

__all__ = [
    "deck_from_json",
    "deck_to_json",
    "parse_play",
    "solitaire_from_json",
    "solitaire_to_json",
]

# Kept for other commands, or for human readers; no solver reads them.
_REMARKS = ("annotation", "about", "id", "seed", "index")
_SOLITAIRE_KEYS = ("hand_size", "cards", "n", "c", *_REMARKS)
_DECK_KEYS = ("players", "deck", "n", "c", "rules", *_REMARKS)
_WHAT_CAN_BE_DONE = ("store", "discard", "play")


def _pairs(value: object, path: str, names: tuple[str, str], n: int | None, c: int | None) -> Deck:
    """Return an array of pairs [value, color] as cards, each within 1 .. n and 0 .. c - 1."""
    n, c = MOST if n is None else n, MOST if c is None else c
    cards = []
    for index, card in enumerate(as_array(value, path)):
        # One test for the common case, since a large instance holds millions of cards.
        if (
            isinstance(card, list)
            and len(card) == 2
            and type(card[0]) is int
            and type(card[1]) is int
            and 1 <= card[0] <= n
            and 0 <= card[1] < c
        ):
            cards.append((card[1], card[0]))
            continue
        where = f"{path}[{index}]"
        if not isinstance(card, list) or len(card) != 2:
            raise InvalidInputError(f"{where}: {show(card)} is not [{names[0]}, {names[1]}]")
        as_integer(card[0], f"{where}: {names[0]}", 1, n)
        as_integer(card[1], f"{where}: {names[1]}", 0, c - 1 if c < MOST else MOST)
    return Deck(cards)


def _optional(data: dict[str, object], *keys: str) -> Iterator[int | None]:
    return (as_integer(data[key], key) if key in data else None for key in keys)


def solitaire_from_json(data: dict[str, object]) -> SolitaireInput:
    """Read `{"hand_size": h, "cards": [[value, color], ...], "n": n, "c": c}`. O(cards).

    Everything except `cards` is optional. An `annotation` is kept, but not interpreted. Other keys
    are ignored unless they look like one of these.

    Raises InvalidInputError if a piece is wrong; the message gives its path, as in `cards[12]`.

    >>> solitaire_from_json({"hand_size": 1, "cards": [[2, 0], [1, 0]]})
    SolitaireInput(cards=<Deck of 2 cards: r2 r1>, hand_size=1, n=None, c=None)
    """
    refuse_typos(data, _SOLITAIRE_KEYS)
    refuse_missing(data, "cards")
    hand_size, n, c = _optional(data, "hand_size", "n", "c")
    cards = _pairs(data["cards"], "cards", ("value", "color"), n, c)
    return SolitaireInput(cards, hand_size, n, c, data.get("annotation"))


def deck_from_json(data: dict[str, object]) -> DeckInput:
    """Read `{"players": p, "deck": [[rank, color], ...], "rules": ...}`. O(cards).

    The deck may also be text, as in `"b5 p4 r1"`; `n` and `c` declare ranks and colors.

    Raises InvalidInputError if a piece is wrong; the message gives its path, as in `deck[12]`.

    >>> deck_from_json({"players": 2, "deck": "b5 p4"}).deck
    <Deck of 2 cards: b5 p4>
    """
    refuse_typos(data, _DECK_KEYS)
    if "players" not in data:
        raise InvalidInputError("players: missing (a number of players, 2 .. 6)")
    players = as_integer(data["players"], "players", PLAYER_COUNTS[0], PLAYER_COUNTS[-1])
    n, c = _optional(data, "n", "c")
    given = data["deck"]
    if isinstance(given, str):
        with naming("deck"):
            cards = parse_cards(given)
        # The text reader does not check limits, so this form's own check does.
        given = _written(cards)
    deck = _pairs(given, "deck", ("rank", "color"), n, c)
    return DeckInput(players, deck, n, c, data.get("rules"))


def solitaire_to_json(given: SolitaireInput) -> dict[str, object]:
    """Return a solitaire stream ready for `json.dumps`; `solitaire_from_json` reads it back.

    >>> solitaire_to_json(SolitaireInput(Deck([(0, 2), (0, 1)]), hand_size=1))
    {'hand_size': 1, 'cards': [[2, 0], [1, 0]]}
    """
    cards = _written(given.cards)
    return _without_none(
        hand_size=given.hand_size, cards=cards, n=given.n, c=given.c, annotation=given.annotation
    )


def deck_to_json(given: DeckInput) -> dict[str, object]:
    """Return a dealt deck ready for `json.dumps`; `deck_from_json` reads it back.

    >>> deck_to_json(DeckInput(2, Deck([(3, 5), (4, 4)])))
    {'players': 2, 'deck': [[5, 3], [4, 4]]}
    """
    deck = _written(given.deck)
    return _without_none(players=given.players, deck=deck, n=given.n, c=given.c, rules=given.rules)


def _written(cards: Deck) -> list[list[int]]:
    return [[card.rank, card.color] for card in cards]


def _without_none(**entries: object) -> dict[str, object]:
    return {key: value for key, value in entries.items() if value is not None}


def parse_play(text: str, *, source: str = "") -> tuple[tuple[int, str], ...]:
    """Read a play: `[[position, "store" | "discard" | "play"], ...]`, or an object with "play".

    The output of `hanabi solve --json` can thus be read as a play. Positions count from 1.

    Raises
    ------
    InvalidInputError
        If the text is not such JSON; the message gives the move, as in `play[3]`.

    >>> parse_play('{"play": [[1, "store"], [2, "play"]]}')
    ((1, 'store'), (2, 'play'))
    """
    with naming(source):
        if not text.strip():
            raise InvalidInputError("it is empty: expected a play in JSON")
        data = load(text)
        if isinstance(data, dict):
            if data.get("play") is None:
                status = data.get("status")
                why = f" (its status is {quote(status)})" if isinstance(status, str) else ""
                raise InvalidInputError(f"play: missing{why}")
            data = data["play"]
        moves = []
        for move, path in as_items(data, "play"):
            if not isinstance(move, list) or len(move) != 2:
                raise InvalidInputError(f"{path}: {show(move)} is not [position, action]")
            position, action = move
            if action not in _WHAT_CAN_BE_DONE:
                raise InvalidInputError(
                    f'{path}: action {show(action)} is not "store", "discard" or "play"'
                )
            moves.append((as_integer(position, f"{path}: position", 1), action))
        return tuple(moves)
