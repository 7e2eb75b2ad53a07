"""Watch many deals at once: the share that is won, and the lost deals to look at."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.responses import Response
from starlette.routing import Route

from hanabi.errors import InvalidInputError, quote
from hanabi.players.registry import compile_team, parse_player
from hanabi.seeds import is_seed
from hanabi.web.desk import Asked, answer, render, see_other
from hanabi.web.pages.play import MOST_SEATS, read_rules
from hanabi.web.pages.watch import new_page, read_players, read_seed
from hanabi.web.questions import DealsPlayed, ask_deals

__all__ = ["ROUTES"]

_MOST_DEALS = 100_000
_MOST_SHOWN = 50
_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class Run:
    """A request for a run: the players, and which deals of which variant."""

    team: tuple[str, ...]
    variant: str
    seed: int
    games: int


def _start(asked: Asked) -> Response:
    text = asked.text("seed").strip()
    if is_seed(text):
        raise InvalidInputError(f"seed: {quote(text)} is one deal; many are those of a number")
    rules = read_rules(asked, asked.number("seats", 2, MOST_SEATS, 3))
    team, seed = read_players(asked)[: rules.seats], read_seed(asked)
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
        return render("watch_wait.html", waiting=asked.desk.workshop.n_waiting, here="/watch/many")
    if not job.results:
        return new_page(asked, job.problem or "the games were given up")
    found: DealsPlayed = job.results[0]
    return render("watch_many.html", run=run, found=found, names=list(enumerate(run.team, start=1)))


ROUTES = (
    Route("/watch/many", answer(_many, new_page)),
    Route("/watch/many", answer(_start, new_page), methods=["POST"]),
)
