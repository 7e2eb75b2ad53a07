"""Many games: what each lost and by which move, with its review a click away, and the sums."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath
from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from hanabi.ground import HanabiError, InvalidInputError, naming
from hanabi.rules import GameProblem, lines_of, on_site
from hanabi.shell import (
    Asked,
    GameJudged,
    address_of,
    answer,
    ask_games,
    read_game,
    render,
    see_other,
)

__all__ = ["ROUTES"]

_MOST_TEXT = 1 << 20
_MOST_GAMES = 300
_LINES = (".jsonl", ".ndjson")
_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Collection:
    """Games to review, each with its file or line, and what is wrong with others."""

    games: tuple[tuple[str, GameProblem], ...]
    refused: tuple[str, ...]


@dataclass(slots=True)
class Row:
    """The sums of a row of a table."""

    name: str
    games: int = 0
    moves: int = 0
    score: int = 0
    best: int = 0
    losing: int = 0
    lost: int = 0


def _games(asked: Asked, problem: str = "") -> Response:
    given, job = asked.room("games", Collection), asked.report("games")
    if given is None or job is None or asked.text("new"):
        return render(
            "games_new.html",
            status=400 if problem else 200,
            problem=problem or asked.lost,
            words=asked.words,
            most=_MOST_GAMES,
        )
    found: tuple[GameJudged, ...] = job.results
    players, variants = _tables(given, found)
    rows = [_row(*game, judged) for game, judged in zip(given.games, found, strict=False)]
    n_open = sum(not judged.is_decided for judged in found)
    return render(
        "games.html",
        problem=problem or job.problem,
        given=given,
        n_found=len(found),
        n_open=n_open,
        is_open=not job.is_over,
        compiling=() if job.is_over else asked.desk.compiling("solve"),
        players=players,
        variants=variants,
        rows=sorted(rows, key=lambda row: -row["lost"]),
        news=f"{len(found)} of {len(given.games)} games reviewed.",
    )


def _tables(given: Collection, found: Sequence[GameJudged]) -> tuple[list[Row], list[Row]]:
    """Return a row for each player and for each variant, those that lost most a game first."""
    players, variants = dict[str, Row](), dict[str, Row]()
    for (_, problem), judged in zip(given.games, found, strict=False):
        rules, costs = problem.game.rules, dict(judged.lost)
        score = problem.score
        variant = rules.variant.name if rules.variant else "No Variant"
        rows: list[tuple[Row, int | None]] = [(variants.setdefault(variant, Row(variant)), None)]
        for seat, name in enumerate(problem.names):
            rows.append((players.setdefault(name, Row(name)), seat))
        for row, own_seat in rows:
            own = [
                n
                for n, game in enumerate(problem.positions[:-1], start=1)
                if own_seat is None or game.seat_to_act == own_seat
            ]
            row.games += 1
            row.moves += len(own)
            row.score += score
            row.best += judged.best
            row.losing += sum(n in costs for n in own)
            row.lost += sum(costs.get(n, 0) for n in own)

    def order(row: Row) -> tuple[float, str]:
        return -row.lost / row.games, row.name

    return sorted(players.values(), key=order), sorted(variants.values(), key=order)


def _row(name: str, problem: GameProblem, judged: GameJudged) -> dict[str, Any]:
    """Return a game with its losing moves: words, points, and an address that opens before it."""
    address, positions = "", problem.positions
    with suppress(HanabiError):  # its review has no address
        code, query = address_of(problem)
        address = f"/review/{code}?{query}{'&' * bool(query)}at="
    losses = [
        (
            f"Turn {move}: {on_site(problem.names, *positions[move - 1 : move + 1])}",
            cost,
            address and f"{address}{move - 1}",
        )
        for move, cost in judged.lost
    ]
    first = losses[0][-1] if losses else address.removesuffix("at=").rstrip("?&")
    lost = sum(cost for _, cost in judged.lost)
    game = {"name": name, "problem": problem, "judged": judged}
    return game | {"lost": lost, "losses": losses, "address": first}


def _start(asked: Asked) -> Response:
    limits, games, refused = asked.desk.settings, list[tuple[str, GameProblem]](), list[str]()
    read = partial(read_game, most_cards=limits.most_cards, most_hand=limits.most_hand)
    for name, text in _texts(asked, read):
        if len(games) == _MOST_GAMES:
            raise InvalidInputError(f"more than {_MOST_GAMES} games; hanabi review takes more")
        try:
            with naming(name):
                problem = read(text)
                if not problem.moves:
                    raise InvalidInputError("a deck without moves")
            games.append((name, problem))
        except HanabiError as error:
            refused.append(str(error))
    if not games:
        raise InvalidInputError(refused[0] if refused else "give games, one a line")
    problems = [problem for _, problem in games]
    seconds = asked.desk.settings.solve_seconds
    asked.work_out(
        "games", ask_games, problems, seconds, _SECONDS, seconds=2 * _SECONDS, is_long=True
    )
    asked.enter().rooms["games"] = Collection(tuple(games), tuple(refused))
    return see_other("/games")


def _texts(asked: Asked, read: Callable[[str], GameProblem]) -> Iterator[tuple[str, str]]:
    """Yield the games that were sent, with the names of their files or the numbers of their lines.

    A text file is one game if it can be read so, and otherwise a game in each line.
    """
    for name, text in asked.files or (("", asked.text("games", most=_MOST_TEXT)),):
        ending = PurePath(name).suffix.lower()
        if name and ending not in _LINES and (ending != ".txt" or _is_game(text, read)):
            yield name, text
            continue
        start = f"{name}, " * bool(name)
        for number, line in enumerate(lines_of(text), start=1):
            if line.strip():
                yield f"{start}line {number}", line


def _is_game(text: str, read: Callable[[str], GameProblem]) -> bool:
    try:
        read(text)
    except HanabiError:
        return False
    return True


ROUTES = (
    Route("/games", answer(_games, _games)),
    Route("/games/new", answer(_start, _games), methods=["POST"]),
)
