"""The front page."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import Route

from hanabi.web.desk import Asked, answer, render

__all__ = ["ROUTES", "refused"]


def _home(asked: Asked) -> Response:
    has = set() if asked.visitor is None else asked.visitor.rooms.keys()
    return render("home.html", has=has)


def refused(_: Asked, problem: str) -> Response:
    """Show an error on a page of its own."""
    return render("problem.html", problem=problem)


ROUTES = (Route("/", answer(_home, refused)),)
