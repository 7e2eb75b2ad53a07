"""Deals that can be won: of a row of deals, those that `hanabi.winnable` finds a line for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from hanabi.errors import InvalidInputError, quote
from hanabi.game import Game
from hanabi.notation import GameRecord
from hanabi.notation.hanab_live import game_of_seed
from hanabi.seeds import parse_range
from hanabi.session.question import DEFAULT_SECONDS
from hanabi.verdict import Status
from hanabi.winnable.solver import decide_game

__all__ = ["MOST_PASSED_OVER", "games_from_seed", "winnable_games"]

MOST_PASSED_OVER = 1_000
"""Deals in a row that may be passed over: where more are lost, none may be there to be found."""

_NUMBERED = re.compile(r"(.*s)([0-9]{1,17})")


def winnable_games(
    deals: Iterable[Game], *, seconds: float | None = DEFAULT_SECONDS
) -> Iterator[tuple[Game, int]]:
    """Yield the deals that can be won, each with how many were passed over before it.

    Parameters
    ----------
    deals
        In the order in which they shall be tried.
    seconds
        For each deal; one that is undecided then is passed over. None: no limit.

    Raises
    ------
    InvalidInputError
        If `MOST_PASSED_OVER` deals in a row are passed over.

    >>> from hanabi.session.game import pose_deck
    >>> deals = (pose_deck(record).game for record in games_from_seed("p2v0s40"))
    >>> game, passed_over = next(winnable_games(deals))
    >>> game.deck == game_of_seed("p2v0s41").deck, passed_over
    (True, 1)
    """
    passed_over = 0
    for game in deals:
        if decide_game(game, seconds=seconds).status is Status.WINNABLE:
            yield game, passed_over
            passed_over = 0
            continue
        passed_over += 1
        if passed_over >= MOST_PASSED_OVER:
            raise InvalidInputError(
                f"none of {MOST_PASSED_OVER:,} decks in a row was found to be winnable"
            )


def games_from_seed(text: str) -> Iterator[GameRecord]:
    """Yield the deal of a seed of hanab.live, and those of the numbers after it.

    >>> games = games_from_seed("p3v0s17")
    >>> next(games).seed, next(games).seed
    ('p3v0s17', 'p3v0s18')
    """
    first = game_of_seed(text)
    numbered = _NUMBERED.fullmatch(str(first.seed))
    if numbered is None:
        raise InvalidInputError(f"{quote(text)} ends with no number that another seed could follow")
    last = int(numbered[2]) + 10 * MOST_PASSED_OVER
    for seed, deck in parse_range(f"{numbered[1]}{int(numbered[2])}..{last}").deals():
        yield GameRecord(
            first.players, deck, variant=first.variant, names=first.names, seed=seed.text
        )
