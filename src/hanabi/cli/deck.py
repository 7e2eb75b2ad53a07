"""`hanabi deck` prints random decks, each determined by a seed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated, Any

from cyclopts import Parameter, Token

from hanabi.cli.input.options import Count, new_seed
from hanabi.cli.output.terminal import print_json
from hanabi.deck import STANDARD_COPIES, DeckSpec
from hanabi.errors import InvalidInputError, quote
from hanabi.notation import (
    DeckInput,
    SolitaireInput,
    deck_to_json,
    format_text,
    solitaire_to_json,
)

__all__ = ["deck_command"]

_LARGEST = 10_000_000


def _copies(_: Any, tokens: Sequence[Token]) -> tuple[int, ...]:
    text = tokens[0].value
    words = text.split(",")
    if not all(word.isascii() and word.isdigit() and len(word) <= 8 for word in words):
        raise ValueError(f"{quote(text)} is neither a number nor a list such as 3,2,2,2,1.")
    return tuple(map(int, words))


Copies = Annotated[tuple[int, ...], Parameter(converter=_copies, n_tokens=1, accepts_keys=False)]


def deck_command(
    *,
    seed: Count | None = None,
    colors: Count = 5,
    values: Count | None = None,
    copies: Copies | None = None,
    players: Count | None = None,
    count: Count = 1,
    json: bool = False,
) -> int:
    """Print shuffled decks in the text form, or as JSON lines.

    Parameters
    ----------
    seed
        The same seed gives the same decks; by default a random one, printed with the deck.
    colors
        Number of colors, by default 5.
    values
        Number of values of each color; by default 5, or as many as --copies lists.
    copies
        Copies of each value, as in 3,2,2,2,1, or one number for all; by default 3, 2 ... 2, 1.
    players
        Deal to this many players, 2 to 6; otherwise the deck is a stream for one.
    count
        How many decks, by default 1.
    json
        One JSON object a line, which "hanabi solve" reads back.
    """
    row = _copies_of_a_color(colors, values, copies)
    spec = DeckSpec((row,) * colors)
    seed = new_seed(seed)
    # A last value without cards must be declared: it cannot be seen in the deck.
    n = None if row[-1] else len(row)
    for index in range(count):
        deck = spec.shuffle(seed, index)
        given: SolitaireInput | DeckInput
        given = SolitaireInput(deck, n=n) if players is None else DeckInput(players, deck, n=n)
        if json:
            data = deck_to_json(given) if isinstance(given, DeckInput) else solitaire_to_json(given)
            print_json(data | {"seed": seed, "index": index})
        else:
            sys.stdout.write(f"# seed {seed}, deck {index + 1} of {count}\n{format_text(given)}\n")
    return 0


def _copies_of_a_color(
    colors: int, values: int | None, copies: tuple[int, ...] | None
) -> tuple[int, ...]:
    """Return the copies of each value that the options describe."""
    listed = len(copies) if copies is not None and len(copies) > 1 else None
    if values is not None and listed not in (None, values):
        raise InvalidInputError(f"--copies lists {listed} values, --values says {values}")
    n = values or listed or len(STANDARD_COPIES)
    row: tuple[int, ...] = ()
    if values != 0 and n <= _LARGEST and colors <= _LARGEST:
        # The printed game's 3, 2, 2, 2, 1, made longer or shorter in the middle.
        first, middle, last = STANDARD_COPIES[0], STANDARD_COPIES[1], STANDARD_COPIES[-1]
        row = copies or (first, *(middle,) * (n - 2), last)[:n]
        row = row if len(row) > 1 else row * n
    if not 0 < colors * sum(row) <= _LARGEST:
        raise InvalidInputError(f"a deck must have 1 .. {_LARGEST:,} cards")
    return row
