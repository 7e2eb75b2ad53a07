"""A game under review, its address, and what has been worked out about it so far."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode
from urllib.parse import quote as percent_encoded

from hanabi.ground import InvalidInputError, Report, counted, quote
from hanabi.reviews import Explained, Judged, Late, Review
from hanabi.rules import (
    DEFAULT_NAMES,
    OPTIONS_THAT_CHANGE_PLAY,
    Action,
    Game,
    GameProblem,
    RecordedAction,
    RecordedEnd,
    follow,
    format_link,
    parse_link,
    pose_deck,
    to_record,
)
from hanabi.shell.viewer.games import worth_of_actions
from hanabi.solvers import Prospect, Refutation

__all__ = [
    "Study",
    "Tried",
    "address_of",
    "found_so_far",
    "read_address",
    "read_lines",
    "values_of",
]

_MOST_CODE = 4_000
_MOST_TRIED = 200
_MOST_LINES = 40
_MOST_NAMES = 400
_LINE = re.compile(r"(?:([0-9]{1,5}):)?([0-9]{1,10}\*?(?:\.[0-9]{1,10}\*?)*)")


@dataclass(frozen=True, slots=True)
class Study:
    """A game with all cards, and where the page finds it.

    Attributes
    ----------
    problem
        The game.
    path, query
        Its address: a path and what follows the question mark, without a position.
    unwritten
        Why the address does not hold the game, which is then kept in the session; or "".
    by
        The player that is said to have played, whose reasons are shown; or "".
    has_decisions
        Whether moves are judged by what their players knew.
    level
        The level of the conventions by which moves are read; 0 for none.
    has_people
        Whether it shows what people would do.
    """

    problem: GameProblem = field(repr=False)
    path: str
    query: str = ""
    unwritten: str = ""
    by: str = ""
    has_decisions: bool = False
    level: int = 0
    has_people: bool = False

    @property
    def key(self) -> tuple[object, ...]:
        """What distinguishes this game from others."""
        return self.problem.positions[-1], self.problem.recorded.ended_by

    def address(self, name: str = "", **places: object) -> str:
        """Return the address of the game, of a part of its page, or of a position."""
        query = "&".join(filter(None, [self.query, urlencode(places)]))
        return f"{self.path}{name}{'?' * bool(query)}{query}"

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The entries of the query, for forms that go on with this game."""
        return parse_qsl(self.query, keep_blank_values=True)

    def course(self, at: int, tried: Sequence[Action]) -> tuple[Game, ...]:
        """Return the positions from the deal to number `at`, and those after the moves tried there.

        Raises
        ------
        InvalidInputError
            If there is no such position, or too many moves are tried.
        IllegalActionError
            If a move is illegal.
        """
        if len(tried) > _MOST_TRIED:
            raise InvalidInputError(f"{len(tried)} moves tried; at most {_MOST_TRIED}")
        start = self.problem.after(at)
        return (*self.problem.positions[:at], *follow(start, tried))


# Addresses: the code of hanab.live's replay links, and in the query what that has no place for.


def address_of(problem: GameProblem) -> tuple[str, str]:
    """Return the code and the query from which `read_address` reads a game again.

    Raises
    ------
    InvalidInputError
        If the game cannot be written; the message says why.

    >>> from hanabi.rules.problem import pose_game
    >>> from hanabi import deal
    >>> code, query = address_of(pose_game(deal(2, seed=1)))
    >>> code[:6], query
    ('215ocn', '')
    """
    end = problem.positions[-1]
    if end.missing:
        raise InvalidInputError(f"{counted(end.missing, 'card')} of its deck are missing")
    record = to_record(end, names=problem.names)
    code = format_link(replace(record, options={})).rpartition("/")[2]
    entries = {name: _written(record.options[name]) for name in record.options}
    if problem.names != DEFAULT_NAMES[: len(problem.names)]:
        entries["names"] = ",".join(percent_encoded(name, safe=" ") for name in problem.names)
    if problem.recorded.ended_by is not None:
        entries["end"] = str(problem.recorded.ended_by.value)
    query = urlencode(entries)
    again = read_address(code, entries)
    if again.positions != problem.positions or again.names != problem.names:
        raise InvalidInputError("hanab.live's code has no place for something in it")
    return code, query


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_address(code: str, entries: Mapping[str, str]) -> GameProblem:
    """Read a game from the code and the query of its address.

    A flag may stand without a value. Entries that are not understood are refused.

    Raises
    ------
    InvalidInputError
        If something is wrong; the message quotes it.

    >>> read_address("215lw,00,0", {"colour": "red"})
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: 'colour' in the address is not understood
    """
    return _read(code, tuple(sorted(entries.items())))


@lru_cache(maxsize=64)
def _read(code: str, entries: tuple[tuple[str, str], ...]) -> GameProblem:
    options: dict[str, str] = {}
    names: tuple[str, ...] = ()
    end: int | None = None
    for name, value in entries:
        if name in OPTIONS_THAT_CHANGE_PLAY:
            options[name] = value or "true"
        elif name == "names" and len(value) <= _MOST_NAMES:
            names = tuple(map(unquote, value.split(",")))
        elif name == "end" and value.isascii() and value.isdigit():
            end = int(value[:3])
        else:
            raise InvalidInputError(f"{quote(name)} in the address is not understood")
    if len(code) > _MOST_CODE:
        raise InvalidInputError(f"a code of {len(code):,} characters; at most {_MOST_CODE:,}")
    record = parse_link(f"https://hanab.live/replay-json/{code}?{urlencode(options)}")
    if names:
        if len(names) != record.players:
            raise InvalidInputError(f"names: {len(names)} for {counted(record.players, 'player')}")
        record = replace(record, names=names)
    if end is not None:
        if end not in [each.value for each in RecordedEnd]:
            raise InvalidInputError(f"end: {quote(end)} is no end of a game")
        record = replace(record, actions=(*record.actions, RecordedAction(4, 0, end)))
    return pose_deck(record)


@dataclass(frozen=True, slots=True)
class Tried:
    """Moves tried from position `at`, of which `shown` lead to the position that is shown."""

    at: int
    moves: tuple[Action, ...]
    shown: int = 0


def read_lines(text: str, at: int | None) -> tuple[Tried, ...]:
    """Read the lines that an address has, such as `20:769*.267~20:768`.

    A line is the number of moves after which it leaves the game, a colon, and the codes of its
    actions. A star marks the move after which the position is shown. Codes alone, as `769.267`, are
    a line from position `at` that is shown to its end; without `at` and a star the first line is.

    Raises
    ------
    InvalidInputError
        If something is not understood; the message quotes it.

    >>> lines = [*read_lines("20:769.267*.547~20:768", None), *read_lines("769.267", 20)]
    >>> [(each.at, len(each.moves), each.shown) for each in lines]
    [(20, 3, 2), (20, 1, 0), (20, 2, 2)]
    """
    lines = list[Tried]()
    if text.count("*") > 1:
        raise InvalidInputError(f"try: {quote(text)} marks two positions")
    for number, each in enumerate(text.split("~") if text else ()):
        found = _LINE.fullmatch(each)
        if found is None:
            raise InvalidInputError(f"try: {quote(each)} is no line of moves, as 20:769.267 is")
        codes = found[2].split(".")
        shown = next((n for n, code in enumerate(codes, start=1) if code.endswith("*")), 0)
        if "*" not in text and (found[1] is None or (at is None and not number)):
            shown = len(codes)
        moves = tuple(Action.from_code(int(code.rstrip("*"))) for code in codes)
        lines.append(Tried(int(found[1] or at or 0), moves, shown))
    if len(lines) > _MOST_LINES:
        raise InvalidInputError(f"try: {len(lines)} lines; at most {_MOST_LINES}")
    return tuple(lines)


# What jobs have found so far.


def found_so_far(
    study: Study,
    job: Report,
    decided: Report | None = None,
    noted: Report | None = None,
    people: Report | None = None,
) -> tuple[Review, int]:
    """Return a review with the results of its jobs so far, and how many positions are decided.

    Positions that are not decided yet have the widest bounds. `decided` is the job that judges the
    decisions, `noted` the one that reads the moves by conventions, and `people` the one that finds
    what people would do, if that was asked for.
    """
    problem, results = study.problem, job.results
    prospects = [each for each in results if isinstance(each, Prospect)]
    top, n = problem.positions[0].rules.max_score, len(problem.by_rules)
    explained = [each for each in results if isinstance(each, Explained)]
    because = results[-1] if results and isinstance(results[-1], Refutation) else None
    review = Review(
        problem=problem,
        prospects=(*prospects, *(Prospect(0, top, None),) * (n - len(prospects)))[:n],
        because=because,
        link=None,
        seconds=0.0,
        late=tuple(each for each in results if isinstance(each, Late)),
        reasons=tuple((each.move, each.reason) for each in explained),
        judged=tuple((each.move, each.judged) for each in explained),
        conventions=() if noted is None else tuple(noted.results),
        people=() if people is None else tuple(people.results),
    )
    return review.with_decisions(() if decided is None else decided.results), len(prospects)


def values_of(job: Report, top: int) -> dict[str, Any]:
    """Return what each action of a position is worth, by `worth_of_actions`, as far as known.

    `top` is the best score of the rules.
    """
    late = next((each for each in job.results if isinstance(each, Late)), None)
    found = next((each for each in job.results if isinstance(each, Prospect)), None)
    judged = [each for each in job.results if isinstance(each, Judged)]
    people = next((each for each in job.results if isinstance(each, dict)), None)
    worth = worth_of_actions(judged, found, late, top, people)
    return worth | {"open": not job.is_over, "told": job.problem}
