"""The ASGI application that serves all pages."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from hanabi.ground import STYLE
from hanabi.shell import (
    DOCS,
    DOCUMENTS,
    PLAYER_SCRIPT,
    PLAYER_STYLE,
    SAMPLES,
    Asked,
    Compile,
    Desk,
    Guard,
    Settings,
    answer,
    render,
    see_other,
)

__all__ = ["make_app"]

PAGES = (
    "hanabi.players.pages.play",
    "hanabi.conventions.pages.practise",
    "hanabi.reviews.pages.review",
    "hanabi.reviews.pages.games",
    "hanabi.lab.pages.watch",
    "hanabi.solitaire.pages.proof",
    "hanabi.solitaire.pages.solitaire",
    "hanabi.solitaire.pages.count",
    "hanabi.solvers.pages.partition",
)
"""The modules of the pages of all rooms; each has its `ROUTES`."""

_STATIC = Path(__file__).parents[1] / "shell/web/static"


def make_app(
    settings: Settings | None = None,
    *,
    compile_part: Compile | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Starlette:
    """Return the pages as an ASGI application.

    Parameters
    ----------
    settings
        Limits and names.
    compile_part
        What compiles a part that pages need, in the background; None: nothing is compiled ahead.
    clock
        A function that returns the time in seconds, by which sessions and jobs end that nobody
        uses.

    >>> [route.path for route in make_app().routes][:3]
    ['/', '/play', '/play/new']
    """
    settings = Settings() if settings is None else settings
    desk = Desk.open(settings, compile_part, clock)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        desk.close()

    app = Starlette(
        routes=[
            Route("/", answer(_home, _refused)),
            *(route for page in PAGES for route in import_module(page).ROUTES),
            _served("board.css", STYLE, "text/css"),
            _served("player.css", PLAYER_STYLE, "text/css"),
            _served("player.js", PLAYER_SCRIPT, "text/javascript"),
            *(_served(f"{name}.md", text, "text/plain", at="docs") for name, text in _documents()),
            Mount("/static", StaticFiles(directory=_STATIC)),
        ],
        # Compression would show, by the length, whether words that a request brings are also a
        # secret of the page (BREACH). Pages hold none: keys of sessions and games are in cookies,
        # which other sites cannot send along, and headers are not compressed.
        middleware=[
            Middleware(Guard, settings=settings),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=6),
        ],
        exception_handlers={HTTPException: _http_problem, 500: _own_problem},
        lifespan=lifespan,
    )
    app.state.desk = desk
    return app


def _home(asked: Asked) -> Response:
    has = set() if asked.visitor is None else set(asked.visitor.rooms)
    if asked.brought("play"):
        has.add("play")
    return render("home.html", has=has, samples=SAMPLES)


def _refused(_: Asked, problem: str) -> Response:
    return render("problem.html", problem=problem)


def _documents() -> Iterator[tuple[str, str]]:
    """Yield the pages of the documentation that pages link to, as they are written."""
    for name in DOCUMENTS:
        yield name, (DOCS / f"{name}.md").read_text(encoding="utf-8")


def _served(name: str, text: str, kind: str, at: str = "static") -> Route:
    """Return the route of a file that another room holds."""

    def respond(_: Request) -> Response:
        return PlainTextResponse(text, media_type=kind, headers={"cache-control": "max-age=600"})

    return Route(f"/{at}/{name}", respond)


async def _http_problem(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    if status == 405 and request.method == "GET":
        # This address takes a form: a browser that loads it again is sent to the form's page.
        query = f"?{request.url.query}" if request.url.query else ""
        return see_other(f"/{request.url.path.split('/')[1]}{query}")
    words = {404: "There is no such page.", 405: "This page does not take that."}
    return render("problem.html", status=status, problem=words.get(status, "This cannot be read."))


async def _own_problem(_: Request, __: Exception) -> Response:
    told = "Something went wrong here; the terminal says what. Your game is kept."
    return render("problem.html", status=500, problem=told)
