"""The page for many: nobody's requests, questions or connections keep the others out."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.cookiejar import CookieJar
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

import pytest
from starlette.testclient import TestClient

from hanabi.errors import SolverError
from hanabi.web import connections
from hanabi.web.app import make_app
from hanabi.web.connections import Connection
from hanabi.web.desk import Asked
from hanabi.web.pages import play
from hanabi.web.settings import Settings
from hanabi.web.visitors import SharedJobs, Visitors
from hanabi.workers.workshop import Workshop
from web.conftest import Browser, problem_of

GAME = {"partner1": "random", "seed": "1"}
LONG = {"copies": "9x9", "colors": "3", "hand": "9"}
STYLE = b"GET /static/page.css HTTP/1.1\r\nHost: localhost\r\n\r\n"


def desk_of(browser: TestClient) -> Any:
    return browser.app.state.desk  # type: ignore[attr-defined]


@pytest.fixture
def port() -> Iterator[int]:
    """Serve the page with the connections of `hanabi serve`, in a thread, and return its port."""
    import uvicorn

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        config = uvicorn.Config(
            make_app(Settings(workers=1)), http=Connection, ws="none", log_level="error"
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield listener.getsockname()[1]
        server.should_exit = True
        thread.join()


def reach(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=20)


def is_served(port: int) -> bool:
    """Whether a browser gets the front page."""
    with reach(port) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return line.recv(1000).startswith(b"HTTP/1.1 200 ")


def is_ended_by(line: socket.socket, asks: bytes, pause: float) -> bool:
    """Whether the page ends a connection that sends on and reads nothing."""
    line.settimeout(1)
    end = time.monotonic() + 30
    while time.monotonic() < end:
        with suppress(TimeoutError):  # the page reads no more of them
            try:
                line.sendall(asks)
            except ConnectionError:
                return True
        time.sleep(pause)
    return False


def is_ended(line: socket.socket) -> bool:
    """Whether the page ends a connection without an answer."""
    try:
        return line.recv(1000) == b""
    except ConnectionResetError:
        return True


def test_connections_that_send_nothing_make_room(port: int) -> None:
    lines = []
    try:
        for _ in range(connections.MOST_CONNECTIONS + 50):
            line = reach(port)
            line.sendall(b"GET / HTTP/1.1\r\nHost: local")
            lines.append(line)
        assert is_served(port)
        assert is_ended(lines[0])
        lines[-1].sendall(b"host\r\n\r\n")
        assert lines[-1].recv(1000).startswith(b"HTTP/1.1 200 ")
    finally:
        for line in lines:
            line.close()


FORM = (
    b"POST /count/new HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n"
)
BEGUN = (
    b"",
    b"GET / HTTP/1.1\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ",
    FORM % 100 + b"copies=",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HTTP/1.1\r\n",
)


@pytest.mark.parametrize("begun", BEGUN)
def test_requests_that_are_never_sent_whole_are_given_up(
    port: int, monkeypatch: pytest.MonkeyPatch, begun: bytes
) -> None:
    monkeypatch.setattr(connections, "_SECONDS", 0.3)
    with reach(port) as line:
        line.sendall(begun)
        end = time.monotonic() + 15
        is_over = False
        while not is_over and time.monotonic() < end:
            time.sleep(0.05)
            try:
                line.sendall(b"x")  # a byte now and then gains no time
                line.setblocking(False)
                is_over = line.recv(100_000) == b""
            except BlockingIOError:
                pass
            except (ConnectionResetError, BrokenPipeError):
                is_over = True
            line.setblocking(True)
        assert is_over


def test_answers_that_nobody_reads_are_given_up(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_SECONDS", 0.3)
    monkeypatch.setattr(connections, "_MOST_AHEAD", 1 << 30)
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(("127.0.0.1", port))
        assert is_ended_by(line, STYLE, 0.002)
    assert is_served(port)


def test_requests_that_come_too_early_are_not_kept(port: int) -> None:
    with reach(port) as line:
        assert is_ended_by(line, STYLE * 50, 0)


def test_a_page_that_takes_its_time_is_waited_for(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "_SECONDS", 0.2)
    read = Asked.number

    def slow(*arguments: Any) -> int:
        time.sleep(0.5)
        return read(*arguments)

    monkeypatch.setattr(Asked, "number", slow)
    with reach(port) as line:
        body = b"copies=&colors=1&hand=1"
        line.sendall(FORM % len(body) + body)
        assert line.recv(1000).startswith(b"HTTP/1.1 400 ")


def test_upgrades_are_answered_as_if_nothing_was_asked_and_nothing_is_logged(
    port: int, capfd: pytest.CaptureFixture[str]
) -> None:
    with reach(port) as line:
        line.sendall(
            b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        assert line.recv(1000).startswith(b"HTTP/1.1 200 ")
    assert capfd.readouterr() == ("", "")


def test_strangers_make_room_for_others(browsers: Browser) -> None:
    browser, person = browsers(most_visitors=5), browsers()
    person.post("/play/new", data=GAME)
    for _ in range(20):
        answer = browser.post("/play/new", data=GAME, follow_redirects=False)
        assert answer.status_code == 303
        browser.cookies.clear()  # as somebody does who takes none
    assert len(desk_of(browser).visitors) == 5
    assert "data-play" in person.get("/play").text
    assert browsers().post("/play/new", data=GAME).status_code == 200


def test_strangers_are_soon_forgotten() -> None:
    now = [0.0]
    visitors = Visitors(10, 3600, lambda: now[0])
    stranger, person = visitors.enter(), visitors.enter()
    assert visitors.find(person.key) is person
    now[0] = 60
    assert visitors.find(stranger.key) is None
    assert visitors.find(person.key) is person


def test_questions_of_strangers_make_room(browsers: Browser) -> None:
    browser = browsers(most_waiting=3)
    for _ in range(8):
        browser.post("/count/new", data=LONG, follow_redirects=False)
        browser.cookies.clear()
    assert desk_of(browser).workshop.n_waiting <= 3
    assert browsers().post("/count/new", data=LONG).status_code == 200


def test_one_visitor_has_a_share_of_the_questions(browsers: Browser) -> None:
    one = browsers(most_waiting=6, most_asked=2)
    split = {"table": "r y g\n1 1 0\n0 0 1\n"}
    text = ""
    for page, data in (
        ("count", LONG), ("solitaire", {"cards": "r1 r2 " * 12, "hand": "1"}),
        ("partition", split), ("proof", {"formula": "p cnf 1 1\n1 0\n", "variant": "paper"}),
    ):  # fmt: skip
        text += problem_of(one.post(f"/{page}/new", data=data).text)
    assert "of yours are waiting" in text
    visitors = desk_of(one).visitors
    assert all(each.waiting() <= 2 for each in visitors._all.values())
    assert browsers().post("/count/new", data=LONG).status_code == 200


def _asleep(_: Any, seconds: float) -> None:
    time.sleep(seconds)


def test_shared_jobs_that_nobody_looks_at_make_room() -> None:
    now, shop = [0.0], Workshop(1, 2)
    shared = SharedJobs(shop, 10, lambda: now[0])
    try:
        for name in "abc":
            shared.ask(name, _asleep, 60.0, seconds=60)
            end = time.monotonic() + 60
            while shop.n_waiting > "abc".index(name) and time.monotonic() < end:
                time.sleep(0.01)  # the first one is taken from the queue
        with pytest.raises(SolverError, match="waiting to be worked out already"):
            shared.ask("d", _asleep, 60.0, seconds=60)
        now[0] = 1.5
        assert not shared.ask("b", _asleep, 60.0, seconds=60).is_over  # the same job
        now[0] = 3.0
        assert not shared.ask("d", _asleep, 60.0, seconds=60).is_over
        seen = {name: shared.look(name) for name in "abcd"}
        assert [each and each.is_over for each in seen.values()] == [True, False, True, False]
        now[0] = 9.0
        assert not shared.ask("a", _asleep, 0.0, seconds=60).is_over  # it is asked anew
    finally:
        shop.close()


def test_the_results_of_shared_jobs_are_kept_until_others_need_the_room() -> None:
    shop = Workshop(1, 10)
    shared = SharedJobs(shop, 2)
    try:
        for name in "abc":
            end = time.monotonic() + 60
            while not shared.ask(name, _asleep, 0.0, seconds=60).is_over:
                assert time.monotonic() < end
        assert [shared.look(name) is None for name in "abc"] == [True, False, False]
    finally:
        shop.close()


def status_of(port: int, path: str, cookie: str = "") -> int:
    """Return how the page answers a browser."""
    request = Request(
        f"http://127.0.0.1:{port}{path}", headers={"Cookie": cookie} if cookie else {}
    )
    try:
        with urlopen(request, timeout=60) as answer:
            return int(answer.status)
    except HTTPError as error:
        return error.code


def test_requests_of_one_session_wait_in_no_thread(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    origin = f"http://127.0.0.1:{port}"
    opener = build_opener(HTTPCookieProcessor(jar := CookieJar()))
    with opener.open(Request(origin + "/play/new", urlencode(GAME).encode(), {"Origin": origin})):
        cookie = f"hanabi={next(iter(jar)).value}"
    go_on, entered, show = threading.Event(), threading.Semaphore(0), play._show

    def slow(*arguments: Any) -> Any:
        entered.release()
        go_on.wait(60)
        return show(*arguments)

    monkeypatch.setattr(play, "_show", slow)
    most = Settings().most_at_once
    with ThreadPoolExecutor(most + 60) as pool:
        asked = [pool.submit(status_of, port, "/play", cookie) for _ in range(most + 60)]
        assert entered.acquire(timeout=60)
        end = time.monotonic() + 60
        while sum(each.done() for each in asked) < 60 and time.monotonic() < end:
            time.sleep(0.05)
        assert status_of(port, "/play") == 200  # all threads of the page would be taken
        assert not entered.acquire(blocking=False)  # the others of the session are not begun
        go_on.set()
        answers = sorted(each.result() for each in asked)
    assert answers == [200] * most + [429] * 60


@pytest.mark.parametrize(
    ("cards", "hand", "words"),
    [(200, 5, ""), (9600, 5, "9,600 cards; at most 200"), (100, 21, "21 cards; at most 20")],
)
@pytest.mark.parametrize("page", ["/review/new", "/partition/new"])
def test_large_decks_are_refused(
    browser: TestClient, page: str, cards: int, hand: int, words: str
) -> None:
    deck = [[1 + n % 5, n // 5 % 5] for n in range(cards)]
    game = json.dumps({"players": 2, "deck": deck, "rules": {"hand_size": hand}})
    start = time.perf_counter()
    answer = browser.post(page, data={"game": game})
    assert answer.status_code == (400 if words else 200)
    assert words in problem_of(answer.text)
    assert time.perf_counter() - start < 20  # far from the minutes that such a deck would take


def test_many_play_at_once(browsers: Browser) -> None:
    people = [browsers() for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda each: each.post("/play/new", data=GAME), people))
    assert [each.status_code for each in answers] == [200] * 8
