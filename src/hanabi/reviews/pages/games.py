"""Many games: what each player and variant lost, and the costliest moves with links to reviews."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

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
_MOST_SHOWN, _MOST_REFUSED = 20, 10
_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Collection:
    """Games to review, each with the number of its line, and what is wrong with other lines."""

    games: tuple[tuple[int, GameProblem], ...]
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


@dataclass(frozen=True, slots=True)
class Blunder:
    """A move that lost points: how many, in which line, at which move, in words, and its review."""

    cost: int
    line: int
    move: int
    words: str
    address: str = field(repr=False)


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
    blunders = sorted(_blunders(given, found), key=lambda each: (-each.cost, each.line, each.move))
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
        blunders=blunders[:_MOST_SHOWN],
        n_blunders=len(blunders),
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


def _blunders(given: Collection, found: Sequence[GameJudged]) -> Iterator[Blunder]:
    for (line, problem), judged in zip(given.games, found, strict=False):
        if not judged.lost:
            continue
        try:
            code, query = address_of(problem)
            address = f"/review/{code}{'?' * bool(query)}{query}"
        except HanabiError:
            address = ""
        for move, cost in judged.lost:
            before, after = problem.positions[move - 1], problem.positions[move]
            words = on_site(problem.names, before, after)
            yield Blunder(cost, line, move, words, address and f"{address}#{move}")


def _start(asked: Asked) -> Response:
    text = asked.text("file", most=_MOST_TEXT) or asked.text("games", most=_MOST_TEXT)
    limits, games, refused = asked.desk.settings, list[tuple[int, GameProblem]](), list[str]()
    for number, line in enumerate(lines_of(text), start=1):
        if not line.strip():
            continue
        if len(games) == _MOST_GAMES:
            raise InvalidInputError(f"more than {_MOST_GAMES} games; hanabi review takes more")
        try:
            with naming(f"line {number}"):
                problem = read_game(line, most_cards=limits.most_cards, most_hand=limits.most_hand)
                if not problem.moves:
                    raise InvalidInputError("a deck without moves")
            games.append((number, problem))
        except HanabiError as error:
            refused.append(str(error))
    if not games:
        raise InvalidInputError(refused[0] if refused else "give games, one a line")
    problems = [problem for _, problem in games]
    seconds = asked.desk.settings.solve_seconds
    asked.work_out(
        "games", ask_games, problems, seconds, _SECONDS, seconds=2 * _SECONDS, is_long=True
    )
    asked.enter().rooms["games"] = Collection(tuple(games), tuple(refused[:_MOST_REFUSED]))
    return see_other("/games")


ROUTES = (
    Route("/games", answer(_games, _games)),
    Route("/games/new", answer(_start, _games), methods=["POST"]),
)
