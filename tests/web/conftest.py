"""The page without a browser: requests as a browser sends them."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator

import pytest

pytest.importorskip("starlette")

from starlette.testclient import TestClient

from hanabi.web.app import make_app
from hanabi.web.settings import Settings

Browser = Callable[..., TestClient]
ORIGIN = "http://localhost"


@pytest.fixture
def browsers() -> Iterator[Browser]:
    """Return what opens browsers at one page; the settings are those of the first."""
    opened: list[TestClient] = []

    def open_one(**settings: object) -> TestClient:
        if opened:
            client = TestClient(opened[0].app, base_url=ORIGIN, headers={"origin": ORIGIN})
        else:
            app = make_app(Settings(**{"workers": 1, **settings}))  # type: ignore[arg-type]
            client = TestClient(app, base_url=ORIGIN, headers={"origin": ORIGIN})
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
