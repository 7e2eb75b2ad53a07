"""The page without a browser: requests as a browser sends them."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator

import pytest

pytest.importorskip("starlette")

from starlette.testclient import TestClient

from hanabi.front.site import make_app
from hanabi.shell.web.desk import Desk
from hanabi.shell.web.settings import Settings

Browser = Callable[..., TestClient]
ORIGIN = "http://localhost"
LONGEST = 300.0
"""Seconds within which everything ends that a test waits for, on the busiest machine."""

_MOST_ROUNDS = 20


class StoppedClock:
    """A clock that stands still until a test moves it."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> StoppedClock:
    """Return the clock of the page, by which sessions and jobs end that nobody uses."""
    return StoppedClock()


@pytest.fixture
def browsers(clock: StoppedClock) -> Iterator[Browser]:
    """Return what opens browsers at one page; the settings are those of the first."""
    opened: list[TestClient] = []

    def open_one(address: str = "192.0.2.1", **settings: object) -> TestClient:
        given: dict[str, object] = {"workers": 1} | settings
        app = opened[0].app if opened else make_app(Settings(**given), clock=clock)  # type: ignore[arg-type]
        client = TestClient(
            app, base_url=ORIGIN, headers={"origin": ORIGIN}, client=(address, 50_000)
        )
        if opened:
            client.portal = opened[0].portal  # one server for all
        else:
            client.__enter__()
        opened.append(client)
        return client

    yield open_one
    if opened:
        opened[0].__exit__(None, None, None)


@pytest.fixture
def browser(browsers: Browser) -> TestClient:
    """Return a browser at a page of its own."""
    return browsers()


def desk_of(browser: TestClient) -> Desk:
    """Return what all pages share."""
    desk: Desk = browser.app.state.desk  # type: ignore[attr-defined]
    return desk


def work_ends(browser: TestClient) -> None:
    """Wait until nothing is being worked out."""
    desk = desk_of(browser)
    visitors = list(desk.visitors._all.values())
    own = [job for each in visitors for job in each.jobs.values()]
    assert all(job.wait(LONGEST) for job in (*own, *desk.shared._jobs.values()))


def at_last(browser: TestClient, address: str, mark: str = "<live-page") -> str:
    """Return a page once it says no more, by this mark, that it is being worked out."""
    for _ in range(_MOST_ROUNDS):  # one thing may be asked after another
        text = browser.get(address).text
        if mark not in text:
            return text
        work_ends(browser)
    raise AssertionError(text)


def problem_of(text: str) -> str:
    """Return what a page says is wrong."""
    found = re.search(r'role="alert">(.*?)</p>', text, re.DOTALL)
    return html.unescape(found[1]) if found else ""


def turn_of(text: str) -> str:
    """Return the turn that the forms of a page are for."""
    found = re.search(r'name="turn" value="(\d+)"', text)
    assert found is not None
    return found[1]


def codes_of(text: str) -> list[int]:
    """Return the actions that a page offers, each once."""
    return sorted(set(map(int, re.findall(r'name="action" value="(\d+)"', text))))


def unexplained(text: str) -> str:
    """Return a page without the meanings of its words."""
    return html.unescape(re.sub(r"</?dfn[^>]*>", "", text))
