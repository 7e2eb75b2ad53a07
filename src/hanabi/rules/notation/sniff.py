"""One reader for any input, which recognises the form by its content."""

from __future__ import annotations

import re

from hanabi.ground import InvalidInputError, naming, quote
from hanabi.rules.notation.datasets import is_study_log, parse_study_log
from hanabi.rules.notation.files import game_of_row, is_row
from hanabi.rules.notation.hanab_live import game_from_json, game_of_seed
from hanabi.rules.notation.json_forms import deck_from_json, solitaire_from_json
from hanabi.rules.notation.kaggle import is_kaggle, kaggle_game
from hanabi.rules.notation.links import is_link, parse_link
from hanabi.rules.notation.position import is_position, parse_position, position_from_json
from hanabi.rules.notation.record import DeckInput, GameRecord, PositionInput, SolitaireInput
from hanabi.rules.notation.strict_json import COMMENTS, as_object, load, refuse_typos, show
from hanabi.rules.notation.text import parse_text
from hanabi.rules.seeds import is_range, is_seed

__all__ = ["decode", "is_dimacs", "is_graph", "parse_input"]

_DIMACS = re.compile(
    r"\ufeff?(?:[^\S\n]*(?:c(?:[^\S\n][^\n]*)?)?\n)*[^\S\n]*p[^\S\n]+(cnf|edge|col)\b"
)
"""Blank and comment lines, then the header."""

_EXPORT = "a game is what https://hanab.live/export/NUMBER shows"


def decode(data: bytes) -> str:
    """Return UTF-8 bytes (with or without a byte order mark) as text.

    Raises
    ------
    InvalidInputError
        If they are not UTF-8, or hold a NUL; the message quotes the first wrong byte and its place.

    >>> decode(b"r1 r2")
    'r1 r2'
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        byte = data[error.start : error.start + 1]
        raise InvalidInputError(
            f"byte {error.start + 1}: {quote(byte)} is not UTF-8 text"
        ) from None
    if b"\0" in data:  # as in UTF-16 without a mark, which is valid UTF-8
        raise InvalidInputError(f"byte {data.index(0) + 1}: a NUL is not text; is it UTF-16?")
    return text


def is_dimacs(text: str) -> bool:
    r"""Return whether a text begins with the header of a DIMACS formula.

    >>> is_dimacs("c two clauses\n\np cnf 3 2\n1 -3 0 2 0"), is_dimacs("p1 c: r2")
    (True, False)
    """
    found = _DIMACS.match(text)
    return found is not None and found[1] == "cnf"


def is_graph(text: str) -> bool:
    r"""Return whether a text begins with the header of a DIMACS graph.

    >>> is_graph("c one edge\np edge 2 1\ne 1 2"), is_graph("p cnf 2 1\n1 2 0")
    (True, False)
    """
    found = _DIMACS.match(text)
    return found is not None and found[1] != "cnf"


def parse_input(
    text: str, *, source: str = ""
) -> SolitaireInput | GameRecord | DeckInput | PositionInput:
    r"""Read any supported form: text, JSON, a link or seed, a log, a replay. O(length).

    Parameters
    ----------
    text
        The whole input.
    source
        The input's origin; error messages begin with it.

    Raises
    ------
    InvalidInputError
        If the input is invalid; the message is one line with the place, the piece and the error.

    >>> parse_input("hand 1\nr2 r1")
    SolitaireInput(cards=<Deck of 2 cards: r2 r1>, hand_size=1, n=None, c=None)
    >>> parse_input("[1, 2]", source="deck.json")
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: deck.json: [1, 2] is not an object: expected {"cards":
        [...]} (a game is what https://hanab.live/export/NUMBER shows)
    """
    with naming(source):
        text = text.removeprefix("\ufeff")
        start = text.lstrip()
        if not start:
            raise InvalidInputError("it is empty: expected cards, JSON or a hanab.live link")
        if is_dimacs(start):
            raise InvalidInputError(
                'it is a formula, not cards: "hanabi sat" decides it, and "hanabi reduce" makes'
                " cards of it"
            )
        if is_graph(start):
            raise InvalidInputError(
                'it is a graph, not cards: "hanabi reduce --variant clique" makes cards of it'
            )
        if start[0] == "<":
            raise InvalidInputError(f"{quote(start)} is HTML, not a game ({_EXPORT})")
        if start[0] in "{[" or start.startswith(COMMENTS):
            return _parse_json(text)
        if is_study_log(start):
            return parse_study_log(start)
        if is_position(text):
            return parse_position(text)
        word = start.rstrip()
        if is_seed(word):
            return game_of_seed(word)
        if is_seed(word.split(maxsplit=1)[0]):
            raise InvalidInputError(f"{quote(word)}: only the page reads moves after a seed")
        if is_range(word):
            raise InvalidInputError(f"{quote(word)} names many decks; only one is allowed here")
        if not is_link(start):
            return parse_text(text)
        link, *more = start.split(maxsplit=1)
        if more:
            raise InvalidInputError(f"{quote(more[0])} follows the link")
        return parse_link(link)


def _parse_json(text: str) -> SolitaireInput | GameRecord | DeckInput | PositionInput:
    data = load(text)
    if not isinstance(data, dict):
        raise InvalidInputError(
            f'{show(data)} is not an object: expected {{"cards": [...]}} ({_EXPORT})'
        )
    if is_kaggle(data):
        return kaggle_game(data)
    if "hands" in data and "actions" not in data and "players" not in data:
        return position_from_json(data)
    # If an object had keys of two forms, one form would be ignored in silence.
    for one, other in (("cards", "deck"), ("cards", "players"), ("hand_size", "deck")):
        if one in data and other in data:
            raise InvalidInputError(
                f'"{one}" and "{other}" do not go together: write {{"hand_size", "cards"}} for one'
                ' player, {"players", "deck"} for several'
            )
    if "cards" in data:
        return solitaire_from_json(data)
    if is_row(data):
        return game_from_json(as_object(game_of_row(data), "a row"))
    deck = data.get("deck")
    if (
        isinstance(data.get("players"), list)
        or (isinstance(deck, list) and deck and isinstance(deck[0], dict))
        or (isinstance(data.get("seed"), str) and "deck" not in data)
    ):
        return game_from_json(data)
    if "deck" in data:
        return deck_from_json(data)
    if isinstance(data.get("rows"), list):
        raise InvalidInputError('"rows" is a list of games; only one is allowed here')
    refuse_typos(data, ("hand_size", "cards", "players", "deck"))
    raise InvalidInputError(
        f'{show(data)} has neither "cards" nor "deck": it is not a stream, deck or game ({_EXPORT})'
    )
