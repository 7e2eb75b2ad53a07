"""Solitaire: whether one player can play a stream of cards."""

from __future__ import annotations

from itertools import islice

from starlette.responses import Response
from starlette.routing import Route

from hanabi.errors import InvalidInputError
from hanabi.notation import SolitaireInput, parse_input
from hanabi.session.answer import Answer
from hanabi.session.problem import pose_solitaire
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.picture import boards_of, strip_of
from hanabi.web.boards import Pictures
from hanabi.web.desk import Asked, answer, render, see_other
from hanabi.web.questions import ask_solitaire

__all__ = ["ROUTES"]

_MOST_TEXT = 40_000
_MOST_CARDS = 2_000
_MOST_HAND = 1_000
_MOST_SHOWN = 200
_EXAMPLE = "r2 y1 r1 y3 r3 y2 r2 y1"


def _solitaire(asked: Asked, problem: str = "") -> Response:
    job = asked.report("solitaire")
    if job is None or asked.text("new") or (job.is_over and not job.results):
        words = {"cards": _EXAMPLE} | asked.words
        problem = problem or (asked.lost if job is None else job.problem)
        return render("solitaire_new.html", problem=problem, words=words)
    if not job.results:
        return render(
            "wait.html", title="Solitaire", path="/solitaire", words="Looking for a play …"
        )
    found = job.results[0]
    return _show(asked, found, found.instance, problem)


def _start(asked: Asked) -> Response:
    text = asked.text("cards", most=_MOST_TEXT)
    hand = asked.number("hand", 0, _MOST_HAND, -1)
    given = parse_input(text)
    if isinstance(given, SolitaireInput) and given.hand_size is None and hand < 0:
        raise InvalidInputError("how large is the hand?")
    posed = pose_solitaire(given, None if hand < 0 else hand)
    if posed.instance.N > _MOST_CARDS:
        raise InvalidInputError(
            f"{posed.instance.N:,} cards: the page takes {_MOST_CARDS:,}; hanabi solve takes more"
        )
    seconds = asked.desk.settings.solve_seconds
    asked.work_out("solitaire", ask_solitaire, posed.instance, seconds, seconds=2 * seconds)
    return see_other("/solitaire")


def _show(asked: Asked, found: Answer, instance: Instance, problem: str) -> Response:
    play, pictures = found.best_play, Pictures()
    last = 0 if play is None else len(play)
    at = min(asked.number("at", 0, 10**6, 0), last)
    board, news = None, ""
    if play is not None:
        shown = next(islice(boards_of(instance, play), at, None))
        board, news = pictures.solitaire(shown), shown.last
    stream = pictures.strip(strip_of(instance, last=_MOST_SHOWN), "The stream")
    return render(
        "solitaire.html",
        problem=problem,
        found=found,
        instance=instance,
        board=board,
        stream=stream,
        at=at,
        last=last,
        sheet=pictures.sheet,
        news=news,
    )


ROUTES = (
    Route("/solitaire", answer(_solitaire, _solitaire)),
    Route("/solitaire/new", answer(_start, _solitaire), methods=["POST"]),
)
