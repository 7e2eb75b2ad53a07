"""Watch: players play a deal, and every position can be viewed from every seat."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace

from starlette.responses import Response
from starlette.routing import Route

from hanabi.conventions import LEVELS, ConventionNotes, level_of, move_notes, seat_notes
from hanabi.ground import InvalidInputError, counted, quote
from hanabi.players import (
    compile_team,
    parse_player,
)
from hanabi.rules import (
    Game,
    GameProblem,
    Table,
    ending,
    find_link,
    game_of_seed,
    is_seed,
    on_site,
    pace,
    pose_deck,
    pose_game,
)
from hanabi.shell import (
    COMMON_VARIANTS,
    CONVENTIONS,
    MOST_SEATS,
    NOBODY,
    Asked,
    ByConventions,
    DealsPlayed,
    Watched,
    answer,
    ask_deals,
    ask_game,
    asked_rules,
    known_hand,
    notes_in_words,
    partition,
    players_for,
    render,
    see_other,
)
from hanabi.shell import BoardPictures as Pictures
from hanabi.solvers import reasons_in_words

__all__ = ["ROUTES"]

_SEEDS = 10**9
_SECONDS = 600.0
_PARTITION_SECONDS = 2.0
_SAME = "the first one"
_MOST_DEALS = 100_000
_MOST_SHOWN = 50


def _new(asked: Asked, problem: str = "") -> Response:
    """Return the page for choosing players and cards."""
    return render(
        "watch_new.html",
        problem=problem or asked.lost,
        words=asked.words,
        players=players_for(asked.desk.settings),
        most=MOST_SEATS,
        nobody=NOBODY,
        same=_SAME,
        variants=COMMON_VARIANTS,
    )


def _read_players(asked: Asked) -> tuple[str, ...]:
    """Return the chosen player of each seat, for the largest number of seats."""
    known = players_for(asked.desk.settings)
    first, others = asked.choice("player1", known, known[0]), []
    for n in range(2, MOST_SEATS + 1):
        name = asked.choice(f"player{n}", (_SAME, *known), _SAME)
        others.append(first if name == _SAME else name)
    return first, *others


def _read_seed(asked: Asked) -> int:
    """Return the chosen seed, or a new one."""
    return asked.number("seed", 0, 2**63 - 1, secrets.randbelow(_SEEDS))


def _start(asked: Asked) -> Response:
    text, players = asked.text("seed").strip(), _read_players(asked)
    if is_seed(text):
        game, seed, index = pose_deck(game_of_seed(text)).game, 0, 0
    else:
        seed, index = _read_seed(asked), asked.number("deal", 0, 10**9, 0)
        rules = asked_rules(asked, asked.number("seats", 2, MOST_SEATS, 3))
        game = Game.start(rules, rules.spec.shuffle(seed, index))
    team = players[: game.rules.seats]
    parsed = [parse_player(name) for name in team]
    compile_team(parsed, game.rules)  # raises for unsupported rules
    asked.work_out("watch", ask_game, team, game, seed, index, seconds=_SECONDS)
    deal = f", deal {index}" if index else ""
    source = text if is_seed(text) else f"seed {seed}{deal}"
    asked.enter().rooms["watch"] = Watched(team, source, level_of(parsed))
    return see_other("/watch")


def _watch(asked: Asked, problem: str = "") -> Response:
    watched = asked.room("watch", Watched)
    if watched is None or asked.text("new"):
        return _new(asked, problem)
    visitor = asked.enter()
    if watched.problem is None:
        job = asked.report("watch")
        if job is None or not (job.is_over or job.results):
            return _wait(asked, watched.team)
        if not job.results:
            del visitor.rooms["watch"]
            return _new(asked, job.problem or "the game was given up")
        watched = replace(watched, problem=pose_game(job.results[0]))
        visitor.rooms["watch"] = watched
    return _show(asked, watched, problem)


def _wait(asked: Asked, team: tuple[str, ...], here: str = "/watch") -> Response:
    return render(
        "watch_wait.html",
        waiting=asked.desk.workshop.n_waiting,
        compiling=asked.desk.compiling(*team),
        here=here,
    )


def _show(asked: Asked, watched: Watched, problem: str) -> Response:
    whole = watched.problem
    if whole is None:
        raise InvalidInputError("the game is not over yet")
    last, names = len(whole.moves), whole.names
    at = min(asked.number("at", 0, 10_000, 0), last)
    seat = asked.number("seat", 0, len(names), 0)
    split = asked.number("split", 0, len(names), 0)
    level = asked.number("conventions", 0, LEVELS, watched.level)
    game = whole.positions[at]
    before = whole.positions[at - 1] if at else None
    table = game.view(seat - 1) if seat else game
    seen = before.view(seat - 1) if seat and before is not None else before
    job, why = asked.report("watch"), ""
    if at and job is not None and at < len(job.results):  # the first result is the game itself
        why = job.results[at]
    pictures = Pictures()
    link, no_link = find_link(whole)
    news = "The deal."
    if before is not None:
        news = on_site(names, before, game) + "."
    return render(
        "watch.html",
        problem=problem,
        watched=watched,
        names=names,
        at=at,
        last=last,
        seat=seat,
        split=split,
        why=why,
        is_thinking=at > 0 and job is not None and not job.is_over and at >= len(job.results),
        told=news,
        level=level,
        levels=CONVENTIONS,
        by_conventions=_by_conventions(whole, at, seat, level),
        more=(f"&seat={seat}" if seat else "")
        + (f"&split={split}" if split else "")
        + (f"&conventions={level}" if level != watched.level else ""),
        game=game,
        pace=pace(game),
        strikes=game.rules.lives - game.lives,
        board=pictures.board(table, names=names, before=seen, hands=False),
        hands=pictures.hands(table, names=names, acts="nobody"),
        sheet=pictures.sheet,
        parts=_parts(game, split - 1) if split else None,
        moves=_moves(whole),
        has_run=asked.room("many", object) is not None,
        ending=ending(game) if game.is_over else "",
        link=link,
        no_link=no_link,
        news=news
        + (f" Because: {why}." if why else "")
        + (f" {ending(game)}." if game.is_over else ""),
    )


def _by_conventions(whole: GameProblem, at: int, seat: int, level: int) -> ByConventions:
    """Return what conventions say of a move, to a seat that looks on (from 1) or to its players."""
    if not at or not level:
        return ByConventions()
    before, after = whole.positions[at - 1 : at + 1]

    def notes() -> Iterator[tuple[Table, Table, ConventionNotes]]:
        if seat:
            seen, sees = before.view(seat - 1), after.view(seat - 1)
            yield seen, sees, seat_notes(seen, sees, level)
        else:
            yield before, after, move_notes(before, after, level)

    return notes_in_words(notes(), whole.names)


def _moves(whole: GameProblem) -> list[str]:
    """Return all moves in words."""
    pairs = zip(whole.positions, whole.positions[1:], strict=False)
    return [on_site(whole.names, before, after) for before, after in pairs]


def _parts(game: Game, seat: int) -> dict[str, object] | None:
    """Return the partition of the clues for a hand, in words; None if nobody can clue it."""
    if game.is_over or seat == game.seat_to_act:
        return None
    try:
        hand = known_hand(game, seat)
    except InvalidInputError:  # the clues of this variant are not supported
        return None
    found = partition(game, seat=seat, seconds=_PARTITION_SECONDS)
    table, names = hand.table("joint"), hand.names("joint")
    whys = reasons_in_words(table, found)
    return {
        "size": counted(found.size, "part"),
        "is_maximum": found.is_maximum,
        "parts": [
            (", ".join(names[hint] for hint in part), why)
            for part, why in zip(found.parts, whys, strict=True)
        ],
    }


# Many deals at once: the share that is won, and the lost deals to look at.


@dataclass(frozen=True, slots=True)
class Run:
    """A request for a run: the players, and which deals of which variant."""

    team: tuple[str, ...]
    variant: str
    seed: int
    games: int


def _start_many(asked: Asked) -> Response:
    text = asked.text("seed").strip()
    if is_seed(text):
        raise InvalidInputError(f"seed: {quote(text)} is one deal; many are those of a number")
    rules = asked_rules(asked, asked.number("seats", 2, MOST_SEATS, 3))
    team, seed = _read_players(asked)[: rules.seats], _read_seed(asked)
    games = asked.number("games", 1, _MOST_DEALS, 1000)
    compile_team([parse_player(name) for name in team], rules)  # raises for unsupported rules
    variant = asked.text("variant", "No Variant").strip()
    asked.work_out("many", ask_deals, team, rules, seed, games, _MOST_SHOWN, seconds=_SECONDS)
    asked.enter().rooms["many"] = Run(team, variant, seed, games)
    return see_other("/watch/many")


def _many(asked: Asked) -> Response:
    run, job = asked.room("many", Run), asked.report("many")
    if run is None or job is None:
        return see_other("/watch?new=1")
    if not job.is_over:
        return _wait(asked, run.team, here="/watch/many")
    if not job.results:
        return _new(asked, job.problem or "the games were given up")
    found: DealsPlayed = job.results[0]
    return render("watch_many.html", run=run, found=found, names=list(enumerate(run.team, start=1)))


ROUTES = (
    Route("/watch", answer(_watch, _new)),
    Route("/watch/new", answer(_start, _new), methods=["POST"]),
    Route("/watch/many", answer(_many, _new)),
    Route("/watch/many", answer(_start_many, _new), methods=["POST"]),
)
