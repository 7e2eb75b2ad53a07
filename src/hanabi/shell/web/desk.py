"""Requests and responses: what all pages share, and the endpoint of each."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from hanabi.ground import (
    HanabiError,
    InvalidInputError,
    Line,
    Report,
    SolverError,
    State,
    Workshop,
    counted,
    printable,
    quote,
)
from hanabi.rules import decode, link_note, rest_of, unpacked
from hanabi.shell.viewer.glossary import explained
from hanabi.shell.web.ahead import Ahead, Compile
from hanabi.shell.web.seal import Seal
from hanabi.shell.web.security import client_of
from hanabi.shell.web.settings import Settings
from hanabi.shell.web.visitors import Clients, SharedJobs, Visitor, Visitors

if TYPE_CHECKING:
    from starlette.requests import Request

__all__ = [
    "DOCS",
    "DOCUMENTS",
    "FILTERS",
    "Asked",
    "Desk",
    "Page",
    "answer",
    "markup",
    "render",
    "see_other",
    "sentence",
]

# Filters of the templates.


def sentence(words: str) -> str:
    """Return words with the first letter capitalized.

    >>> sentence("CaDiCaL found none"), sentence("none was found")
    ('CaDiCaL found none', 'None was found')
    """
    return words[:1].upper() + words[1:]


FILTERS: dict[str, Callable[..., Any]] = {
    "counted": counted,
    "explained": lambda words: Markup(explained(words)),  # noqa: S704 - HTML, also once it is split
    "link_note": link_note,
    "sentence": sentence,
}
"""Template filters by name."""


T = TypeVar("T")

COOKIE = "hanabi"

_KEPT_SECONDS = 30 * 24 * 3600  # that a browser keeps something
_MESSAGE_LENGTH = 1_000
_MOST_FIELDS = 100
_MOST_FILES = 300
_NAME_LENGTH = 100
_FORGOTTEN = (
    "What you had here is gone: the page was started anew, or nobody used it for too long."
    " Begin again."
)
_MANY = "too many requests at once: try again in a moment\n"
_HERE = Path(__file__).parent

DOCS = Path(__file__).parents[4] / "docs"
"""The documentation, in a copy of the repository."""

DOCUMENTS = tuple(
    name
    for name in ("complexity", "solitaire", "counting", "hints", "players")
    if (DOCS / f"{name}.md").is_file()
)
"""The pages of it that the pages link to; none if only the package is installed."""


@dataclass(frozen=True, slots=True)
class Desk:
    """The settings, sessions and workers that all pages share."""

    settings: Settings
    clients: Clients
    visitors: Visitors
    workshop: Workshop
    shared: SharedJobs
    ahead: Ahead
    seal: Seal | None = None

    @classmethod
    def open(
        cls,
        settings: Settings,
        compile_part: Compile | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> Desk:
        """Return a desk without sessions; what the pages need is compiled meanwhile."""
        workshop = Workshop(
            settings.workers,
            settings.most_waiting,
            unread=settings.unread_seconds,
            unread_if_others_wait=settings.crowded_seconds,
            clock=clock,
        )
        return cls(
            settings,
            Clients(settings),
            Visitors(settings.most_visitors, settings.most_seconds, clock),
            workshop,
            SharedJobs(workshop, settings.most_shared),
            Ahead(compile_part),
            Seal(settings.secret) if settings.secret else None,
        )

    def compiling(self, *names: str) -> tuple[tuple[str, int], ...]:
        """Return which of these parts are still being compiled; see `Ahead.want`."""
        return self.ahead.want(names)

    def close(self) -> None:
        """End all sessions and their jobs."""
        self.visitors.close()
        self.workshop.close()
        self.ahead.close()


@dataclass(slots=True)
class Asked:
    """A request, with its session and its fields.

    Attributes
    ----------
    client
        Who sent it, as `hanabi.shell.web.security.client_of` says.
    words
        The entries of the query and the fields of the form.
    is_forgotten
        Whether it names a session that no longer exists.
    queried
        The entries of the query alone.
    files
        The files of the form, in order: their names and texts.
    cookies, keeps
        What the browser keeps, by name, and what it is to keep instead, "" for nothing.
    """

    desk: Desk
    client: str
    path: str
    words: dict[str, str] = field(repr=False)
    visitor: Visitor | None = None
    is_forgotten: bool = False
    parameters: dict[str, str] = field(default_factory=dict)
    queried: dict[str, str] = field(default_factory=dict, repr=False)
    files: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    cookies: dict[str, str] = field(default_factory=dict, repr=False)
    keeps: dict[str, str] = field(default_factory=dict, repr=False)
    _reports: dict[str, Report] = field(default_factory=dict, repr=False)

    def text(self, name: str, default: str = "", *, most: int = 200) -> str:
        """Return a field as text; raise an error if it is longer than `most`."""
        text = self.words.get(name, default)
        if len(text) > most:
            raise InvalidInputError(f"{name}: {len(text):,} characters; at most {most:,}")
        return text

    def number(self, name: str, low: int, high: int, default: int | None = None) -> int:
        """Return a field as a whole number in a range; an empty field gives the default."""
        text = self.text(name, most=30).strip()
        if not text and default is not None:
            return default
        # int() accepts digits of all scripts, and underscores.
        if not (text.isascii() and text.isdigit() and low <= int(text) <= high):
            raise InvalidInputError(f"{name}: {quote(text)} is not a number from {low} to {high}")
        return int(text)

    def choice(self, name: str, choices: tuple[str, ...], default: str) -> str:
        """Return a field that must be one of these choices."""
        text = self.text(name, default)
        if text not in choices:
            raise InvalidInputError(f"{name}: {quote(text)} is none of {', '.join(choices)}")
        return text

    def room(self, page: str, kind: type[T]) -> T | None:
        """Return the session's state for a page, or None."""
        kept = None if self.visitor is None else self.visitor.rooms.get(page)
        return kept if isinstance(kept, kind) else None

    def kept(self, page: str, kind: type[T], name: str) -> T:
        """Return the session's state for a page; raise an error with this name if there is none."""
        kept = self.room(page, kind)
        if kept is None:
            raise InvalidInputError(self.lost or f"there is no {name}: begin one")
        return kept

    @property
    def lost(self) -> str:
        """The message on an empty page whose session no longer exists, or ""."""
        return _FORGOTTEN if self.is_forgotten else ""

    def keep(self, page: str, text: str) -> None:
        """Let the browser keep a text of a page sealed, for after a restart; "" to forget it."""
        self.cookies.pop(f"{COOKIE}-{page}", None)
        if (seal := self.desk.seal) is not None:
            self.keeps[f"{COOKIE}-{page}"] = seal.close(text) if text else ""

    def brought(self, page: str) -> str:
        """Return the text of a page that the browser kept, or ""."""
        seal = self.desk.seal
        return "" if seal is None else seal.open(self.cookies.get(f"{COOKIE}-{page}", ""))

    def work_out(
        self,
        page: str,
        function: Callable[..., None],
        *arguments: object,
        seconds: float,
        is_long: bool = False,
    ) -> None:
        """Submit a job for a page in place of its previous one; see `Workshop.submit`.

        Raises
        ------
        SolverError
            If too many jobs are waiting already, for this session or for all.
        """
        visitor, desk = self.enter(), self.desk
        waiting = visitor.waiting(but=page)
        if waiting >= desk.settings.most_asked:
            raise SolverError(
                f"{counted(waiting, 'question')} of yours are waiting to be worked out already:"
                " try again soon"
            )
        job = desk.workshop.submit(
            function, *arguments, seconds=seconds, line=self.line, is_long=is_long
        )
        visitor.ask(page, job)

    def share(
        self,
        key: Hashable,
        function: Callable[..., None],
        *arguments: object,
        seconds: float,
        is_long: bool = False,
    ) -> Report:
        """Return the progress of a job that belongs to a key; see `SharedJobs.ask`."""
        return self.desk.shared.ask(
            key, function, *arguments, seconds=seconds, line=self.line, is_long=is_long
        )

    def report(self, page: str) -> Report | None:
        """Return the progress of a page's job, the same throughout a request.

        A job that was cancelled because nobody read it, or to make room, is asked for again.
        """
        if page not in self._reports and self.visitor is not None and page in self.visitor.jobs:
            job = self.visitor.jobs[page]
            if job.state is State.CANCELLED:
                with suppress(SolverError):  # there is no room: the report says so
                    self.work_out(
                        page, job.function, *job.arguments,
                        seconds=job.seconds, is_long=job.is_long,
                    )  # fmt: skip
            self._reports[page] = self.visitor.jobs[page].report()
        return self._reports.get(page)

    @property
    def line(self) -> Line:
        """Where the jobs of this request wait."""
        return self.client, "" if self.visitor is None else self.visitor.key

    def enter(self) -> Visitor:
        """Return the session; start one if there is none."""
        if self.visitor is None:
            self.visitor = self.desk.visitors.enter(self.client)
        return self.visitor


Page: TypeAlias = Callable[[Asked], Response]


def answer(page: Page, problem_page: Callable[[Asked, str], Response]) -> Any:
    """Return the endpoint of a page.

    The page runs in a thread, so it may take its time. Requests of one session run one at a time,
    and so do those of a client for this page without a session. If it raises an error,
    `problem_page` shows the message, with status 400.
    """

    async def endpoint(request: Request) -> Response:
        asked = await _read(request)
        is_new = asked.visitor is None
        with asked.desk.clients.asking(asked.client, page, asked.visitor) as held:
            if held is None:
                # A browser loads it again by itself; it cannot so send a form.
                again = {"refresh": "2"} if request.method == "GET" else {}
                return PlainTextResponse(_MANY, 429, headers={"retry-after": "2"} | again)
            turn, threads = held
            async with turn, threads:
                if request.method == "GET" and await request.is_disconnected():
                    return Response(status_code=503)  # the client is gone
                response = await run_in_threadpool(_answered, page, problem_page, asked)
        if is_new and asked.visitor is not None:
            response.set_cookie(COOKIE, asked.visitor.key, httponly=True, samesite="strict")
        for name, sealed in asked.keeps.items():
            age = _KEPT_SECONDS if sealed else 0
            response.set_cookie(name, sealed, max_age=age, httponly=True, samesite="strict")
        return response

    return endpoint


def _answered(page: Page, problem_page: Callable[[Asked, str], Response], asked: Asked) -> Response:
    try:
        return page(asked)
    except HanabiError as error:
        response = problem_page(asked, printable(str(error), _MESSAGE_LENGTH))
        response.status_code = 400
        return response


async def _read(request: Request) -> Asked:
    desk: Desk = request.app.state.desk
    queried = dict(request.query_params)
    words, files = dict(queried), list[tuple[str, str]]()
    if request.method == "POST":
        async with request.form(
            max_files=_MOST_FILES, max_fields=_MOST_FIELDS, max_part_size=desk.settings.most_bytes
        ) as form:
            for name, value in form.multi_items():
                if isinstance(value, UploadFile):
                    content = await value.read()
                    if value.filename:  # else none was chosen
                        text = _decoded(content, desk.settings.most_bytes) if content else ""
                        words[name] = text
                        files.append((printable(value.filename, _NAME_LENGTH), text))
                else:
                    words[name] = value
    cookies = request.cookies
    key = cookies.get(COOKIE)
    visitor = desk.visitors.find(key)
    parameters = {name: str(value) for name, value in request.path_params.items()}
    return Asked(
        desk, client_of(request.scope), request.url.path, words, visitor,
        bool(key) and visitor is None, parameters, queried, tuple(files), cookies,
    )  # fmt: skip


def _decoded(content: bytes, most: int) -> str:
    """Return a file as text, decompressed if need be."""
    try:
        return decode(rest_of(unpacked(BytesIO(content), "the file"), "the file", most=most))
    except InvalidInputError:
        return "\ufffd"  # the reader of the text reports the error


@lru_cache(maxsize=1)
def _templates() -> Environment:

    environment = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(FILTERS)
    environment.globals["docs"] = DOCUMENTS
    return environment


def markup(template: str, **values: object) -> Markup:
    """Return HTML rendered from a template; all values are escaped."""
    rendered = _templates().get_template(template).render(values)
    return Markup(rendered)  # noqa: S704 - the template escapes


def render(template: str, *, status: int = 200, **values: object) -> HTMLResponse:
    """Return a page rendered from a template; all values are escaped."""
    values = {"problem": "", "news": "", "sheet": ""} | values
    return HTMLResponse(markup(template, **values), status)


def see_other(path: str) -> RedirectResponse:
    """Redirect the browser after a form, so that reloading does not send the form again."""
    return RedirectResponse(path, 303)
