"""Deals of the full game, and games that players play from them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING

from hanabi.ground import DEFAULT_SECONDS, InvalidInputError, Status, counted, quote
from hanabi.rules import (
    Game,
    GameRecord,
    Rules,
    choose_rules,
    game_of_seed,
    parse_range,
    pose_deck,
    read_rules,
)
from hanabi.solvers import decide_game

if TYPE_CHECKING:
    from hanabi.lab import Summary
    from hanabi.players import Player

__all__ = [
    "MOST_PASSED_OVER",
    "deal",
    "default_seats",
    "games_from_seed",
    "parse_rules",
    "simulate",
    "winnable_games",
]

MOST_PASSED_OVER = 1_000
"""Deals in a row that may be skipped; if more are lost, there may be no winnable one to find."""

_NUMBERED = re.compile(r"(.*s)([0-9]{1,17})")
_SEATS = 3
_AT_ONCE = 1_000
"""Games between two checks for an interrupt."""


def deal(
    players: int | str | None = None,
    *,
    seed: int = 0,
    index: int = 0,
    rules: object = None,
    winnable: bool = False,
) -> Game:
    """Shuffle a deck and deal it, or deal the one that hanab.live deals from a seed.

    Parameters
    ----------
    players
        2 to 6; optional if `rules` are `Rules`. Or a seed of hanab.live such as `p3v0s17`, which
        fixes the number of players, the variant and the deck.
    seed, index
        Which deck: number `index` of this seed, as dealt to the game of that number in `simulate`.
    rules
        `Rules`; the name of a preset; or a mapping with an entry `preset` that names one and other
        entries that change attributes of `Rules`. By default hanab.live's rules.
    winnable
        Whether to skip decks until one can be won with all cards face up, by trying the next index,
        or the next number of the site's seed.

    Raises
    ------
    InvalidInputError
        If there are no such rules, or not for this many players; if there is no such seed; or if no
        winnable deck is found.

    >>> game = deal(players=3, seed=7)
    >>> game, " ".join(map(str, game.hands[0]))
    (<Game of 3 seats, turn 0, score 0>, '...')
    >>> deal(2, rules={"preset": "official", "hints": 3}).hints
    3
    >>> deal("p3v0s17").deck
    <Deck of 50 cards: b5 b2 r2 p4 r1 ...>
    >>> deal("p2v0s40", winnable=True) == deal("p2v0s41")
    True
    """
    _check_whole("seed", seed, 0)
    _check_whole("index", index, 0)
    if isinstance(players, str):
        if seed or index:
            raise InvalidInputError(f"{quote(players)} is a seed: there is no other one to give")
        records = games_from_seed(players) if winnable else [game_of_seed(players)]
        games = (pose_deck(record, rules=rules).game for record in records)
    else:
        table = choose_rules(rules, players)
        games = (Game.start(table, table.spec.shuffle(seed, i)) for i in count(index))
    return next(winnable_games(games))[0] if winnable else next(games)


def winnable_games(
    deals: Iterable[Game], *, seconds: float | None = DEFAULT_SECONDS
) -> Iterator[tuple[Game, int]]:
    """Yield the deals that can be won, each with the number of deals skipped before it.

    Parameters
    ----------
    deals
        The deals, in the order in which to try them.
    seconds
        Time limit for each deal; a deal still undecided then is skipped. None for no limit.

    Raises
    ------
    InvalidInputError
        If `MOST_PASSED_OVER` deals in a row are skipped.

    >>> from hanabi.rules.problem import pose_deck
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
    """Yield the deal of a seed of hanab.live, and the deals of the numbers after it.

    >>> games = games_from_seed("p3v0s17")
    >>> next(games).seed, next(games).seed
    ('p3v0s17', 'p3v0s18')
    """
    first = game_of_seed(text)
    numbered = _NUMBERED.fullmatch(str(first.seed))
    if numbered is None:
        raise InvalidInputError(
            f"{quote(text)} does not end with a number that another seed could follow"
        )
    last = int(numbered[2]) + 10 * MOST_PASSED_OVER
    for seed, deck in parse_range(f"{numbered[1]}{int(numbered[2])}..{last}").deals():
        yield GameRecord(
            first.players, deck, variant=first.variant, names=first.names, seed=seed.text
        )


def simulate(
    players: str | Player | Sequence[str | Player],
    *,
    seats: int | None = None,
    games: int = 1_000,
    seed: int = 0,
    rules: object = None,
) -> Summary:
    """Simulate many games in this process, and summarize their scores.

    To use more cores, or to store and resume runs, see `hanabi.lab`.

    Parameters
    ----------
    players
        One for all seats, or one for each: objects, or names with parameters as in
        `rule-based:hint=3`; `hanabi.players.PLAYERS` lists them all.
    seats
        By default the seats of `rules`, or else one for each player, or 3 for a single player.
    games
        The number of deals, at least 1.
    seed
        The same seed gives the same games.
    rules
        The same as for `deal`.

    Returns
    -------
    Summary
        The results: `score.value`, `score.standard_error`, `perfect` and more.

    Raises
    ------
    InvalidInputError
        If there is no such player, or a number does not fit.

    >>> summary = simulate("random", seats=2, games=100, seed=1)
    >>> summary.games, 0 <= summary.kept.value < 5
    (100, True)
    """
    from hanabi.lab import summarize
    from hanabi.players import outcomes, parse_player

    if isinstance(players, str) or not isinstance(players, Sequence):
        players = [players]
    team = [parse_player(each) if isinstance(each, str) else each for each in players]
    _check_whole("games", games, 1)
    _check_whole("seed", seed, 0)
    if seats is None and not isinstance(rules, Rules):
        seats = default_seats(len(team))
    table = choose_rules(rules, seats)
    if len(team) not in (1, table.seats):
        raise InvalidInputError(f"{counted(len(team), 'player')} for {table.seats} seats")
    if len(team) == 1:
        team *= table.seats
    played: list[int] = []
    for first in range(0, games, _AT_ONCE):
        count = min(_AT_ONCE, games - first)
        played += outcomes(team, table, count, seed=seed, first=first)
    return summarize([played], table)


def parse_rules(text: str, seats: int) -> Rules:
    """Return the named rule set, or the one that a JSON object describes, as in deck files.

    >>> parse_rules('{"preset": "hle", "hints": 3}', 2).hints
    3
    """
    return choose_rules(read_rules(text), seats)


def default_seats(players: int) -> int:
    """Return the default number of seats for this many named players.

    >>> default_seats(1), default_seats(4)
    (3, 4)
    """
    return players if players > 1 else _SEATS


def _check_whole(name: str, value: int, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InvalidInputError(f"{name} = {quote(value)} is not a whole number >= {least}")
