"""Reviews as data: a row for each move, a row for each player."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from heapq import nlargest
from math import sqrt
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from hanabi.ground import Cell, InvalidInputError, quote
from hanabi.reviews.advice import with_error
from hanabi.reviews.decisions import DecisionKind
from hanabi.reviews.document import Best, ReviewDocument, ReviewedMove
from hanabi.solvers import Range

__all__ = [
    "LUCK_HEADS",
    "MOVES",
    "PLAYERS",
    "Blunder",
    "Players",
    "luck_of",
    "move_rows",
    "player_rows",
    "reviewed",
    "worst_moves",
    "worst_of",
]

Document = Mapping[str, Any]
"""A line of JSON: a review with the name of its game, or an error."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A move in its game: the name of the game, its review, the move, and the best before it."""

    game: str
    document: ReviewDocument
    move: ReviewedMove
    before: Best

    def by_deck(self, best: Best) -> float | None:
        """Return 1 if all points are within reach with all cards face up, 0 if not, or None."""
        top = self.document.most
        return 1.0 if best.lower >= top else 0.0 if best.upper < top else None


def _of(part: str, path: str) -> Callable[[_Row], Cell]:
    """Return the cell of what was asked for beside the rest, such as a number of a `chance`.

    The cell is empty where there is none, or if only bounds are known of the number.
    """

    def cell(row: _Row) -> Cell:
        remark = getattr(row.move, part)
        value = None if remark is None else attrgetter(path)(remark)
        if isinstance(value, Range):
            value = value.low if value.is_exact else None
        return None if value is None else float(value)

    return cell


_COLUMNS: dict[str, tuple[str, Callable[[_Row], Cell]]] = {
    "game": ("string", lambda row: row.game),
    "id": ("int64", lambda row: row.document.id),
    "variant": ("string", lambda row: row.document.variant),
    "seats": ("int64", lambda row: row.document.seats),
    "move": ("int64", lambda row: row.move.move),
    "seat": ("int64", lambda row: row.move.seat),
    "player": ("string", lambda row: row.move.player),
    "program": ("string", lambda row: row.document.program_of(row.move)),
    "action": ("string", lambda row: row.move.words),
    "type": ("int64", lambda row: row.move.action.type),
    "target": ("int64", lambda row: row.move.action.target),
    "value": ("int64", lambda row: row.move.action.value),
    "score": ("int64", lambda row: row.move.score),
    "hints": ("int64", lambda row: row.move.hints),
    "lives": ("int64", lambda row: row.move.lives),
    "deck": ("int64", lambda row: row.move.deck),
    "best_before_low": ("int64", lambda row: row.before.lower),
    "best_before_high": ("int64", lambda row: row.before.upper),
    "best_after_low": ("int64", lambda row: row.move.best.lower),
    "best_after_high": ("int64", lambda row: row.move.best.upper),
    "lost": ("int64", lambda row: row.move.lost),
    "lost_without_bomb": ("int64", lambda row: row.move.lost_without_bomb),
    "turns_lost": ("int64", lambda row: row.move.turns_lost),
    "reason": ("string", lambda row: row.move.reason),
    "deck_best": ("double", lambda row: row.by_deck(row.before)),
    "deck_played": ("double", lambda row: row.by_deck(row.move.best)),
    "open_best": ("double", _of("chance", "best")),
    "open_played": ("double", _of("chance", "played")),
    "open_lost": ("double", _of("chance", "cost")),
    **{
        f"seat_{name}_{end}": ("double", _of("decision", f"{name}.{end}"))
        for name in ("best", "played", "lost")
        for end in ("low", "high")
    },
    "decision": ("string", lambda row: str(row.move.decision.kind) if row.move.decision else None),
    "people_share": ("double", _of("people", "share")),
    "people_first": ("string", lambda row: getattr(row.move.people_rather, "words", None)),
    "people_first_share": ("double", _of("people", "first_share")),
    "estimate_lost": ("double", _of("estimate", "given_away")),
    "estimate_error": ("double", _of("estimate", "error")),
    "estimate_games": ("int64", lambda row: row.move.estimate.games if row.move.estimate else None),
    "link": ("string", lambda row: row.document.link_before(row.move)),
}

MOVES = MappingProxyType({name: kind for name, (kind, _) in _COLUMNS.items()})
"""The columns of `move_rows`, and their types."""


LUCK = "given_away", "lost_by_deck", "gained_by_luck"
"""The columns of `ReviewedMove.luck`, summed."""

LUCK_HEADS = "player", "given away", "lost by the deck", "gained by luck"
"""The heads of `luck_of`."""


def _ints(*names: str) -> dict[str, str]:
    return dict.fromkeys(names, "int64")


def _mean(name: str) -> dict[str, str]:
    return {f"{name}_per_game": "double", f"{name}_per_game_error": "double"}


PLAYERS = MappingProxyType(
    {"player": "string"}
    | _ints("games", "moves", "plays", "discards", "hints", "errors", "losing_moves", "lost")
    | _mean("lost")
    | _ints("lost_without_bombs")
    | _mean("lost_without_bombs")
    | _ints("open_moves", "open_decisions", "open_right", "open_not_decided")
    | {"open_lost": "double"}
    | _mean("open_lost")
    | _ints("decisions", "right", "mistakes", "good_luck", "bad_luck", "not_decided")
    | _mean("seat_lost_low")
    | _mean("seat_lost_high")
    | _mean("deck_lost")
    | _ints("estimated", "estimated_mistakes")
    | _mean(LUCK[0])
    | _mean(LUCK[1])
    | _mean(LUCK[2])
)
"""The columns of `player_rows`, and their types."""

_TYPES = ("plays", "discards", "hints", "hints")
"""What hanab.live's types of actions are counted as."""

_KINDS = {
    DecisionKind.RIGHT: "right",
    DecisionKind.MISTAKE: "mistakes",
    DecisionKind.GOOD_LUCK: "good_luck",
    DecisionKind.BAD_LUCK: "bad_luck",
    DecisionKind.NOT_DECIDED: "not_decided",
}


def reviewed(documents: Iterable[Document]) -> Iterator[tuple[str, ReviewDocument]]:
    """Yield the reviews of games that could be reviewed, with their names.

    Raises InvalidInputError for reviews that an earlier version wrote without what this one needs.
    """
    for number, document in enumerate(documents, start=1):
        if "error" in document:
            continue
        parts = [str(document[key]) for key in ("item", "line") if key in document]
        name = ":".join(parts or [str(number)])
        try:
            yield name, ReviewDocument.from_json(document)
        except InvalidInputError:
            raise InvalidInputError(
                f"{quote(name)} was reviewed by an earlier version, without what tables need:"
                " review the games again, to another file"
            ) from None


def move_rows(documents: Iterable[Document]) -> Iterator[list[Cell]]:
    """Yield a row for each move of the reviewed games, in the columns of `MOVES`. O(moves).

    What was not asked for, or is not known, is an empty cell.
    """
    for name, document in reviewed(documents):
        before = document.best
        for move in document.moves:
            row = _Row(name, document, move, before)
            yield [cell(row) for _, cell in _COLUMNS.values()]
            before = move.best


# Sums for each player, with standard errors over games.


@dataclass(slots=True)
class _Sums:
    """The counts of a player, and the sums of each of its games."""

    counts: dict[str, int] = field(default_factory=dict)
    per_game: dict[str, list[Fraction]] = field(default_factory=dict)
    squares: dict[str, float] = field(default_factory=lambda: defaultdict(float))  # of errors

    def count(self, name: str, number: int = 1) -> None:
        """Add to a count."""
        self.counts[name] = self.counts.get(name, 0) + number

    def add(self, name: str, value: Fraction | int, error: float = 0.0) -> None:
        """Add to a sum of the last game an estimate with its standard error."""
        self.squares[name] += error**2
        self.per_game.setdefault(name, [])
        while len(self.per_game[name]) < self.counts["games"]:
            self.per_game[name].append(Fraction(0))
        self.per_game[name][-1] += value

    def mean(self, name: str) -> tuple[float | None, float | None]:
        """Return the mean over games, and its standard error; None if nothing was judged.

        A single game has only the error of its estimates.
        """
        games = self.counts["games"]
        if name not in self.per_game:
            return None, None
        values = [float(value) for value in self.per_game[name]]
        values += [0.0] * (games - len(values))
        mean = sum(values) / games
        if games < 2:
            return mean, sqrt(self.squares[name]) or None
        spread = sum((value - mean) ** 2 for value in values) / (games - 1)
        return mean, sqrt(spread / games)


class Players:
    """The players of reviewed games, known by their names alone; in simulated games, the programs.

    A program in several seats is one player, and its game counts once. Means are over the games
    that a player played; their standard errors need two games, except those of estimates. Chances
    and decisions are None where none were judged.
    """

    def __init__(self) -> None:
        self._found: dict[str, _Sums] = {}

    def add(self, document: ReviewDocument) -> None:
        """Add a reviewed game."""
        moves = document.moves
        names = [document.program_of(move) or move.player for move in moves]
        for name in dict.fromkeys(names):
            self._found.setdefault(name, _Sums()).count("games")
        for name, move in zip(names, moves, strict=True):
            _add(self._found[name], move)

    def rows(self) -> Iterator[dict[str, Cell]]:
        """Yield the cells of each player, sorted by name, by the columns of `PLAYERS`."""
        for name, sums in sorted(self._found.items()):
            values: dict[str, Cell] = {"player": name} | dict(sums.counts)
            for kind in ("plays", "discards", "hints"):
                values.setdefault(kind, 0)
            if "open_moves" in sums.counts:
                values["open_lost"] = float(sum(sums.per_game["open_lost"]))
            if "decisions" in sums.counts:
                for kind in _KINDS.values():
                    values.setdefault(kind, 0)
            for column in PLAYERS:
                if column.endswith("_per_game"):
                    mean_of = column.removesuffix("_per_game")
                    values[column], values[f"{column}_error"] = sums.mean(mean_of)
            yield {column: values.get(column) for column in PLAYERS}

    def luck(self) -> list[list[str]]:
        """Return a row for each player with judged moves: games, moves, and means of `LUCK`."""
        return [
            [name, str(sums.counts["games"]), str(sums.counts["estimated"])]
            + [with_error(mean or 0.0, error) for mean, error in map(sums.mean, LUCK)]
            for name, sums in sorted(self._found.items())
            if "estimated" in sums.counts
        ]


def player_rows(documents: Iterable[Document]) -> Iterator[list[Cell]]:
    """Yield a row for each player of the reviewed games, in the columns of `PLAYERS`."""
    players = Players()
    for _, document in reviewed(documents):
        players.add(document)
    return (list(cells.values()) for cells in players.rows())


def luck_of(document: ReviewDocument) -> list[list[str]]:
    """Return a row for each player of a game, as `LUCK_HEADS` has it; none if no move is judged."""
    players = Players()
    players.add(replace(document, team=None))  # by the names at the table
    return [[name, *cells] for name, _, _, *cells in players.luck()]


def _add(sums: _Sums, move: ReviewedMove) -> None:
    sums.count("moves")
    sums.count(_TYPES[move.action.type])
    sums.count("errors", int(move.is_error))
    sums.count("losing_moves", int(move.lost > 0))
    sums.count("lost", move.lost)
    sums.count("lost_without_bombs", move.lost_without_bomb)
    sums.add("lost", move.lost)
    sums.add("lost_without_bombs", move.lost_without_bomb)
    if move.chance is not None:
        chance = move.chance
        is_exact = chance.best.is_exact and chance.played.is_exact
        sums.count("open_moves")
        sums.count("open_decisions", int(chance.best.high > 0))
        sums.count("open_right", int(chance.best.high > 0 and is_exact and not chance.cost))
        sums.count("open_not_decided", int(not is_exact))
        sums.add("open_lost", chance.cost)
    if move.decision is not None:
        decision = move.decision
        sums.count("decisions")
        sums.count(_KINDS[decision.kind])
        sums.add("seat_lost_low", decision.lost.low)
        sums.add("seat_lost_high", decision.lost.high)
        sums.add("deck_lost", int(decision.lost_by_deck or 0))
    if move.estimate is not None and move.luck is not None:
        sums.count("estimated")
        sums.count("estimated_mistakes", int(move.estimate.is_mistake))
        for name, points in zip(LUCK, move.luck, strict=True):
            is_estimate = move.estimate.is_mistake and points > 0
            sums.add(name, Fraction(points), is_estimate * move.estimate.error)


# The moves that gave up the most.


@dataclass(frozen=True, slots=True)
class Blunder:
    """A move that gave up points, or a chance of all points.

    Attributes
    ----------
    game
        The name of the game.
    move
        The move.
    link
        A link that opens before the move, or None.
    """

    game: str
    move: ReviewedMove
    link: str | None


def worst_of(moves: Iterable[Blunder], most: int) -> list[Blunder]:
    """Return at most so many moves, the worst first."""
    return nlargest(most, moves, key=lambda each: each.move.given_up)


def worst_moves(reviews: Iterable[tuple[str, ReviewDocument]], most: int) -> list[Blunder]:
    """Return the moves of named games that gave up the most, at most so many, the worst first."""
    moves = (
        Blunder(name, move, document.link_before(move))
        for name, document in reviews
        for move in document.moves
        if any(move.given_up)
    )
    return worst_of(moves, most)
