"""`hanabi deck` prints random decks, each determined by a seed: our own, or hanab.live's."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from cyclopts import Parameter, Token

from hanabi.cli.input.options import Count, SiteVariant, new_seed, refuse
from hanabi.cli.output.terminal import print_json
from hanabi.deck import STANDARD_COPIES, DeckSpec
from hanabi.errors import InvalidInputError, quote
from hanabi.notation import (
    DeckInput,
    GameRecord,
    SolitaireInput,
    deck_to_json,
    format_text,
    game_to_json,
    solitaire_to_json,
)
from hanabi.notation.hanab_live import game_of_seed
from hanabi.seeds import is_range, parse_range

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
    deals: str | None = None,
    /,
    *,
    seed: Count | None = None,
    colors: Count | None = None,
    values: Count | None = None,
    copies: Copies | None = None,
    variant: SiteVariant | None = None,
    players: Count | None = None,
    count: Count | None = None,
    json: bool = False,
) -> int:
    """Print shuffled decks in the text form, or as JSON lines.

    Parameters
    ----------
    deals
        A seed of hanab.live such as p3v0s17, or a range such as p3v0s1..1000: the site's decks.
    seed
        The same seed gives the same decks; by default a random one, printed with the deck.
    colors
        Number of colors, by default 5.
    values
        Number of values of each color; by default 5, or as many as --copies lists.
    copies
        Copies of each value, as in 3,2,2,2,1, or one number for all; by default 3, 2 ... 2, 1.
    variant
        The cards of this variant of hanab.live, by its name or number, for so many --players.
    players
        Deal to this many players, 2 to 6; otherwise the deck is a stream for one.
    count
        How many decks, by default 1.
    json
        One JSON object a line, which "hanabi solve" reads back.
    """
    if deals is not None:
        refuse(
            f"does not go with {quote(deals)}, which tells the deck",
            seed=seed, colors=colors, values=values, copies=copies, variant=variant,
            players=players, count=count,
        )  # fmt: skip
        for record in _deals(deals):
            _print(record, str(record.seed), {"seed": record.seed}, json=json)
        return 0
    count, seed = 1 if count is None else count, new_seed(seed)
    if variant is not None:
        refuse("does not go with --variant", colors=colors, values=values, copies=copies)
        if players is None:
            raise InvalidInputError("--variant: to how many? give --players P")
        spec, n = variant.spec, None
    else:
        colors = 5 if colors is None else colors
        row = _copies_of_a_color(colors, values, copies)
        # A last value without cards must be declared: it cannot be seen in the deck.
        spec, n = DeckSpec((row,) * colors), None if row[-1] else len(row)
    for index in range(count):
        deck = spec.shuffle(seed, index)
        given: SolitaireInput | DeckInput | GameRecord
        if players is None:
            given = SolitaireInput(deck, n=n)
        elif variant is None:
            given = DeckInput(players, deck, n=n)
        else:
            given = GameRecord(players, deck, variant=variant.name)
        told = f"seed {seed}, deck {index + 1} of {count}"
        origin: dict[str, object] = {"seed": seed, "index": index}
        if isinstance(given, GameRecord):  # the site would deal its own deck of a seed
            origin = {"about": told}
        _print(given, told, origin, json=json)
    return 0


def _deals(text: str) -> Iterator[GameRecord]:
    """Yield the games that a seed, or a range of them, names."""
    if not is_range(text):
        yield game_of_seed(text)
        return
    for seed, deck in parse_range(text).deals():
        yield GameRecord(seed.players, deck, variant=seed.variant.name, seed=seed.text)


def _print(
    given: SolitaireInput | DeckInput | GameRecord,
    told: str,
    origin: dict[str, object],
    *,
    json: bool,
) -> None:
    if not json:
        sys.stdout.write(f"# {told}\n{format_text(given)}\n")
    elif isinstance(given, GameRecord):
        print_json(game_to_json(given) | origin)
    elif isinstance(given, DeckInput):
        print_json(deck_to_json(given) | origin)
    else:
        print_json(solitaire_to_json(given) | origin)


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
