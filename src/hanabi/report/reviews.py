"""Reviews as data, from their JSON documents: a row for each move, a row for each player."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import nlargest
from math import sqrt
from types import MappingProxyType
from typing import Any

from hanabi.errors import InvalidInputError, quote
from hanabi.report.tables import Cell

__all__ = [
    "MOVES",
    "PLAYERS",
    "Blunder",
    "Players",
    "move_rows",
    "player_rows",
    "worst_moves",
    "worst_of",
]

Document = Mapping[str, Any]

MOVES = MappingProxyType(
    {
        "game": "string",
        "id": "int64",
        "variant": "string",
        "seats": "int64",
        "move": "int64",
        "seat": "int64",
        "player": "string",
        "program": "string",
        "action": "string",
        "type": "int64",
        "target": "int64",
        "value": "int64",
        "score": "int64",
        "hints": "int64",
        "lives": "int64",
        "deck": "int64",
        "best_before_low": "int64",
        "best_before_high": "int64",
        "best_after_low": "int64",
        "best_after_high": "int64",
        "lost": "int64",
        "lost_without_bomb": "int64",
        "reason": "string",
        "deck_best": "double",
        "deck_played": "double",
        "open_best": "double",
        "open_played": "double",
        "open_lost": "double",
        "seat_best_low": "double",
        "seat_best_high": "double",
        "seat_played_low": "double",
        "seat_played_high": "double",
        "seat_lost_low": "double",
        "seat_lost_high": "double",
        "decision": "string",
        "link": "string",
    }
)
"""The columns of `move_rows`, and their types."""

PLAYERS = MappingProxyType(
    {
        "player": "string",
        "games": "int64",
        "moves": "int64",
        "plays": "int64",
        "discards": "int64",
        "hints": "int64",
        "errors": "int64",
        "losing_moves": "int64",
        "lost": "int64",
        "lost_per_game": "double",
        "lost_per_game_error": "double",
        "lost_without_bombs": "int64",
        "lost_without_bombs_per_game": "double",
        "lost_without_bombs_per_game_error": "double",
        "open_moves": "int64",
        "open_decisions": "int64",
        "open_right": "int64",
        "open_not_decided": "int64",
        "open_lost": "double",
        "open_lost_per_game": "double",
        "open_lost_per_game_error": "double",
        "decisions": "int64",
        "right": "int64",
        "mistakes": "int64",
        "good_luck": "int64",
        "bad_luck": "int64",
        "not_decided": "int64",
        "seat_lost_low_per_game": "double",
        "seat_lost_low_per_game_error": "double",
        "seat_lost_high_per_game": "double",
        "seat_lost_high_per_game_error": "double",
        "deck_lost_per_game": "double",
        "deck_lost_per_game_error": "double",
    }
)
"""The columns of `player_rows`, and their types."""

_TYPES = ("plays", "discards", "hints", "hints")
"""What hanab.live's types of actions are counted as."""

_KINDS = {
    "right": "right",
    "mistake": "mistakes",
    "good luck": "good_luck",
    "bad luck": "bad_luck",
    "not decided": "not_decided",
}


def _answered(documents: Iterable[Document]) -> Iterator[tuple[str, Document]]:
    """Yield the documents of games that could be reviewed, with their names.

    Raises InvalidInputError for documents of versions that wrote no actions.
    """
    for number, document in enumerate(documents, start=1):
        if "error" in document:
            continue
        parts = [str(document[key]) for key in ("item", "line") if key in document]
        name = ":".join(parts or [str(number)])
        if "replay" not in document:
            raise InvalidInputError(
                f"{quote(name)} was reviewed by an earlier version, without what tables need:"
                " review the games again, to another file"
            )
        yield name, document


def move_rows(documents: Iterable[Document]) -> Iterator[list[Cell]]:
    """Yield a row for each move of the reviewed games, in the columns of `MOVES`. O(moves).

    What was not asked for, or is not known, is an empty cell.
    """
    for name, document in _answered(documents):
        best = document["best"]
        for move in document["moves"]:
            values = _values(document, move, best) | {"game": name}
            yield [values.get(column) for column in MOVES]
            best = move["best"]


def _values(document: Document, move: Document, before: Document) -> dict[str, Cell]:
    """Return the cells of a move, by column."""
    after, top = move["best"], document["most"]
    encoded = move["action"]
    values: dict[str, Cell] = {
        "id": document.get("id"),
        "variant": document.get("variant"),
        "seats": document.get("seats"),
        "action": move["words"],
        "best_before_low": before["lower"],
        "best_before_high": before["upper"],
        "best_after_low": after["lower"],
        "best_after_high": after["upper"],
        "deck_best": _by_deck(before, top),
        "deck_played": _by_deck(after, top),
        "link": _link(document, move),
    }
    values |= {name: encoded[name] for name in ("type", "target", "value")}
    for name in ("move", "seat", "player", "score", "hints", "lives", "deck", "lost"):
        values[name] = move[name]
    values["program"] = _program(document, move)
    values["lost_without_bomb"] = move["lost_without_bomb"]
    values["reason"] = move.get("reason")
    if "chance" in move:
        chance = move["chance"]
        for name, key in (("best", "best"), ("played", "played"), ("lost", "cost")):
            values[f"open_{name}"] = _decimal(chance[key])
    if "decision" in move:
        decision = move["decision"]
        values["decision"] = decision["kind"]
        for name in ("best", "played", "lost"):
            for end in ("low", "high"):
                values[f"seat_{name}_{end}"] = _decimal(decision[name][end])
    return values


def _by_deck(best: Document, top: int) -> float | None:
    """Return 1 if all points are within reach with all cards face up, 0 if not, or None."""
    if best["lower"] >= top:
        return 1.0
    return 0.0 if best["upper"] < top else None


def _decimal(text: str) -> float | None:
    """Return a fraction of a document as a number; bounds of a chance are none."""
    return None if " " in text else float(Fraction(text))


def _program(document: Document, move: Document) -> str | None:
    """Return the program that made a move of a simulated game; None in other games."""
    team = document.get("team")
    return None if team is None else str(team[move["seat"]])


def _link(document: Document, move: Document) -> str | None:
    """Return a link that opens before a move that gave something away."""
    gave_away = (
        move["lost"]
        or Fraction(move.get("chance", {}).get("cost", 0))
        or Fraction(move.get("decision", {}).get("lost", {}).get("low", 0))
    )
    replay = document.get("replay")
    return f"{replay}#{move['move']}" if replay and gave_away else None


# Sums for each player, with standard errors over games.


@dataclass(slots=True)
class _Sums:
    """The counts of a player, and the sums of each of its games."""

    counts: dict[str, int] = field(default_factory=dict)
    per_game: dict[str, list[Fraction]] = field(default_factory=dict)

    def count(self, name: str, number: int = 1) -> None:
        """Add to a count."""
        self.counts[name] = self.counts.get(name, 0) + number

    def add(self, name: str, value: Fraction | int) -> None:
        """Add to a sum of the last game."""
        self.per_game.setdefault(name, [])
        while len(self.per_game[name]) < self.counts["games"]:
            self.per_game[name].append(Fraction(0))
        self.per_game[name][-1] += value

    def mean(self, name: str) -> tuple[float | None, float | None]:
        """Return the mean over games, and its standard error; None if nothing was judged."""
        games = self.counts["games"]
        if name not in self.per_game:
            return None, None
        values = [float(value) for value in self.per_game[name]]
        values += [0.0] * (games - len(values))
        mean = sum(values) / games
        if games < 2:
            return mean, None
        spread = sum((value - mean) ** 2 for value in values) / (games - 1)
        return mean, sqrt(spread / games)


class Players:
    """The players of reviewed games, known by their names alone; in simulated games, the programs.

    A program in several seats is one player, and its game counts once. Means are over the games
    that a player played; their standard errors need two games. Chances and decisions are None where
    none were judged.
    """

    def __init__(self) -> None:
        self._found: dict[str, _Sums] = {}

    def add(self, document: Document) -> None:
        """Add a game's document; one that says why it could not be reviewed adds nothing."""
        for _, answered in _answered([document]):
            moves = answered["moves"]
            names = [_program(answered, move) or move["player"] for move in moves]
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


def player_rows(documents: Iterable[Document]) -> Iterator[list[Cell]]:
    """Yield a row for each player of the reviewed games, in the columns of `PLAYERS`."""
    players = Players()
    for document in documents:
        players.add(document)
    return (list(cells.values()) for cells in players.rows())


def _add(sums: _Sums, move: Document) -> None:
    sums.count("moves")
    sums.count(_TYPES[move["action"]["type"]])
    lost, kept = move["lost"], move["lost_without_bomb"]
    sums.count("errors", int(move["is_error"]))
    sums.count("losing_moves", int(lost > 0))
    sums.count("lost", lost)
    sums.count("lost_without_bombs", kept)
    sums.add("lost", lost)
    sums.add("lost_without_bombs", kept)
    if "chance" in move:
        best, played, cost = (move["chance"][key] for key in ("best", "played", "cost"))
        is_exact = _decimal(best) is not None and _decimal(played) is not None
        sums.count("open_moves")
        sums.count("open_decisions", int(best != "0"))
        sums.count("open_right", int(best != "0" and is_exact and cost == "0"))
        sums.count("open_not_decided", int(not is_exact))
        sums.add("open_lost", Fraction(cost))
    if "decision" in move:
        decision = move["decision"]
        sums.count("decisions")
        sums.count(_KINDS[decision["kind"]])
        sums.add("seat_lost_low", Fraction(decision["lost"]["low"]))
        sums.add("seat_lost_high", Fraction(decision["lost"]["high"]))
        sums.add("deck_lost", int(decision["lost_by_deck"] or 0))


# The moves that gave away the most.


@dataclass(frozen=True, slots=True)
class Blunder:
    """A move that gave away points, or a chance of all points by its seat's view.

    Attributes
    ----------
    game
        The name of the game.
    move
        The move's entry in the game's document.
    link
        A link that opens before the move, or None.
    """

    game: str
    move: Document
    link: str | None

    @property
    def order(self) -> tuple[Fraction, ...]:
        """What blunders are ordered by: points without and with a bomb, then chances."""
        move = self.move
        return (
            Fraction(move["lost_without_bomb"]),
            Fraction(move["lost"]),
            Fraction(move.get("decision", {}).get("lost", {}).get("low", 0)),
            Fraction(move.get("chance", {}).get("cost", 0)),
        )


def worst_of(moves: Iterable[Blunder], most: int) -> list[Blunder]:
    """Return at most so many moves, the worst first."""
    return nlargest(most, moves, key=lambda each: each.order)


def worst_moves(documents: Iterable[Document], most: int) -> list[Blunder]:
    """Return the moves that gave away the most, at most so many, the worst first."""
    moves = (
        Blunder(name, move, _link(document, move))
        for name, document in _answered(documents)
        for move in document["moves"]
    )
    return worst_of((each for each in moves if any(each.order)), most)
