"""`hanabi deck` prints random decks from a seed: this program's own, or hanab.live's."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import count as numbers_from
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar

from cyclopts import Parameter, Token

from hanabi.ground import DEFAULT_SECONDS, InvalidInputError, counted, quote
from hanabi.rules import (
    STANDARD_COPIES,
    Deck,
    DeckInput,
    DeckSpec,
    GameRecord,
    SolitaireInput,
    Variant,
    deck_to_json,
    format_text,
    game_of_seed,
    game_to_json,
    is_range,
    parse_range,
    seed_of_link,
    solitaire_to_json,
)
from hanabi.shell import Count, Seconds, SiteVariant, new_seed, print_json, refuse

if TYPE_CHECKING:
    from hanabi.rules import Game

__all__ = ["deck_command"]

_LARGEST = 10_000_000

AnyDeal = TypeVar("AnyDeal", bound=SolitaireInput | DeckInput | GameRecord)
Deal: TypeAlias = "SolitaireInput | DeckInput | GameRecord"


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
    winnable: bool = False,
    time: Seconds | None = None,
    json: bool = False,
) -> int:
    """Print random decks; the same seed gives the same decks.

    Parameters
    ----------
    deals
        A seed of hanab.live such as p3v0s17, its link, or a range such as p3v0s1..1000.
    seed
        The same seed gives the same decks. Default: a random seed, printed with the deck.
    colors
        Number of colors. Default: 5.
    values
        Number of values of each color. Default: 5, or as many as --copies lists.
    copies
        Copies of each value, as in 3,2,2,2,1, or one number for all. Default: 3, 2 ... 2, 1.
    variant
        Use the cards of this hanab.live variant, by name or number, for this many --players.
    players
        Deal to this many players, 2 to 6. Without it, the deck is a stream for one player.
    count
        Number of decks. Default: 1.
    winnable
        Print only decks that can be won with all cards face up. Others are skipped and counted.
    time
        Seconds to decide whether a deck can be won. Default: 60; 0 for no limit.
    json
        Print one JSON object a line, which "hanabi solve" reads.
    """
    if not winnable:
        refuse("is for --winnable", time=time)
    limit = (DEFAULT_SECONDS if time is None else time) or None
    if deals is not None:
        refuse(
            f"does not go with {quote(deals)}, which names the deck",
            seed=seed, colors=colors, values=values, copies=copies, variant=variant,
            players=players, count=count,
        )  # fmt: skip
        for record, passed_over in _sifted(_deals(deals, goes_on=winnable), limit, winnable):
            told = f"{record.seed}{_told_of(passed_over)}"
            _print(record, told, {"seed": record.seed} | _passed(passed_over), json=json)
            if winnable and not is_range(deals):
                break
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
        # A last value without cards must be declared, since the deck does not show it.
        spec, n = DeckSpec((row,) * colors), None if row[-1] else len(row)
    if winnable and players is None:
        raise InvalidInputError("--winnable: by how many? give --players P")
    shuffled = (_given(spec.shuffle(seed, i), players, variant, n) for i in numbers_from(0))
    index = -1
    # The range comes first, so that no deck is looked for after the last one.
    for _, (given, passed_over) in zip(
        range(count), _sifted(shuffled, limit, winnable), strict=False
    ):
        index += (passed_over or 0) + 1
        of = "" if winnable else f" of {count}"
        told = f"seed {seed}, deck {index + 1}{of}"
        origin: dict[str, object] = {"seed": seed, "index": index}
        if isinstance(given, GameRecord):  # for a seed, the site would deal its own deck
            origin = {"about": told}
        head = told + _told_of(passed_over)
        _print(given, head, origin | _passed(passed_over), json=json)
    return 0


def _given(deck: Deck, players: int | None, variant: Variant | None, n: int | None) -> Deal:
    if players is None:
        return SolitaireInput(deck, n=n)
    if variant is None:
        return DeckInput(players, deck, n=n)
    return GameRecord(players, deck, variant=variant.name)


def _sifted(
    deals: Iterable[AnyDeal], seconds: float | None, winnable: bool
) -> Iterator[tuple[AnyDeal, int | None]]:
    """Yield all deals, or the winnable ones, each with the number of deals skipped before it."""
    if not winnable:
        yield from ((deal, None) for deal in deals)
        return
    from hanabi.rules import pose_deck
    from hanabi.shell import winnable_games

    kept: list[AnyDeal] = []

    def posed() -> Iterator[Game]:
        for deal in deals:
            kept[:] = [deal]
            yield pose_deck(deal).game

    yield from ((kept[0], passed) for _, passed in winnable_games(posed(), seconds=seconds))


def _told_of(passed_over: int | None) -> str:
    return f" ({counted(passed_over, 'deck')} skipped)" if passed_over else ""


def _passed(passed_over: int | None) -> dict[str, object]:
    return {} if passed_over is None else {"passed_over": passed_over}


def _deals(text: str, *, goes_on: bool) -> Iterator[GameRecord]:
    """Yield the games that a seed, its link or a range names, and perhaps those after it."""
    text = seed_of_link(text)
    if is_range(text):
        for seed, deck in parse_range(text).deals():
            yield GameRecord(seed.players, deck, variant=seed.variant.name, seed=seed.text)
    elif goes_on:
        from hanabi.shell import games_from_seed

        yield from games_from_seed(text)
    else:
        yield game_of_seed(text)


def _print(given: Deal, told: str, origin: dict[str, object], *, json: bool) -> None:
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
