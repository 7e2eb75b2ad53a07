"""The page for many: nobody's requests, questions or connections keep the others out."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, suppress
from http.cookiejar import CookieJar
from itertools import islice
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

import pytest
from starlette.testclient import TestClient

import hanabi
from hanabi.front.site import make_app
from hanabi.ground.errors import SolverError
from hanabi.ground.workers.workshop import Job, State, Workshop
from hanabi.lab.pages import watch
from hanabi.lab.pages.watch import Run
from hanabi.players import Tally
from hanabi.players.pages import play
from hanabi.reviews.pages import review
from hanabi.rules import Rules
from hanabi.rules.problem import pose_game
from hanabi.shell.web import connections
from hanabi.shell.web.connections import Connection
from hanabi.shell.web.desk import Asked
from hanabi.shell.web.offers import SAMPLES
from hanabi.shell.web.questions import DealsPlayed
from hanabi.shell.web.settings import Settings
from hanabi.shell.web.study import address_of
from hanabi.shell.web.visitors import SharedJobs, Visitor, Visitors
from processes import only_on_linux, wait_until
from web.conftest import LONGEST, Browser, StoppedClock, at_last, desk_of, problem_of

GAME = {"partner1": "random", "seed": "1"}
LONG = {"copies": "9x9", "colors": "3", "hand": "9"}
STYLE = b"GET /static/page.css HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Serve the page with the connections of `hanabi serve`, in a thread, and return its port.

    They wait for longer than any test takes, unless it shortens that.
    """
    import uvicorn

    monkeypatch.setattr(connections, "_SECONDS", 10 * LONGEST)
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


def reach(port: int, source: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), LONGEST, (source, 0))


def is_served(port: int) -> bool:
    """Whether a browser gets the front page."""
    with reach(port) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return line.recv(1000).startswith(b"HTTP/1.1 200 ")


def is_ended_by(line: socket.socket, asks: bytes, pause: float) -> bool:
    """Whether the page ends a connection that sends on and reads nothing."""
    line.settimeout(1)
    end = time.monotonic() + LONGEST
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


@only_on_linux  # where all of 127.0.0.0/8 is this machine
def test_connections_of_one_client_leave_those_of_others_alone(port: int) -> None:
    with ExitStack() as lines:
        first = lines.enter_context(reach(port, "127.0.0.2"))
        first.sendall(b"GET / HTTP/1.1\r\nHost: local")
        wait_until(lambda: is_served(port), LONGEST)  # so that it is the oldest
        many = []
        for _ in range(connections.MOST_CONNECTIONS + 50):
            line = lines.enter_context(reach(port))
            line.sendall(b"GET / HTTP/1.1\r\nHost: local")
            many.append(line)
        assert is_served(port)
        assert is_ended(many[0])
        first.sendall(b"host\r\n\r\n")
        assert first.recv(1000).startswith(b"HTTP/1.1 200 ")


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
        end = time.monotonic() + LONGEST
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
    monkeypatch.setattr(connections, "_SECONDS", LONGEST)
    assert is_served(port)


def test_requests_that_come_too_early_are_not_kept(port: int) -> None:
    with reach(port) as line:
        assert is_ended_by(line, STYLE * 50, 0)


def test_a_page_that_takes_its_time_is_waited_for(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, wait, there, timers = Asked.number, Connection._wait, list[Connection](), list[Any]()

    def waiting(connection: Connection) -> None:
        wait(connection)
        there.append(connection)
        timers.append(connection._timer)

    def slow(*arguments: Any) -> int:
        # The request may be here whole before the server's thread has come to stop the clock.
        wait_until(lambda: there[0]._timer is None, LONGEST)
        return read(*arguments)

    monkeypatch.setattr(Connection, "_wait", waiting)
    monkeypatch.setattr(Asked, "number", slow)
    with reach(port) as line:
        body = b"copies=&colors=1&hand=1"
        line.sendall(FORM % len(body) + body)
        assert line.recv(1000).startswith(b"HTTP/1.1 400 ")
    assert timers[0] is not None  # it ran until then


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


def test_strangers_are_soon_forgotten(clock: StoppedClock) -> None:
    visitors = Visitors(10, 3600, clock)
    stranger, person = visitors.enter("a"), visitors.enter("a")
    assert visitors.find(person.key) is person
    clock.now = 60
    assert visitors.find(stranger.key) is None
    assert visitors.find(person.key) is person


@pytest.mark.parametrize("address", ["192.0.2.1", "198.51.100.7"], ids=["the same", "another"])
def test_visitors_who_return_once_keep_nobody_out(browsers: Browser, address: str) -> None:
    most = 8
    crowd = [browsers(most_visitors=most) for _ in range(most)]
    for each in crowd:
        assert each.post("/play/new", data=GAME).status_code == 200  # its cookie comes back
    assert len(desk_of(crowd[0]).visitors) == most
    person = browsers(address)
    assert "data-play" in person.post("/play/new", data=GAME).text
    for _ in range(5):
        assert "data-play" in person.get("/play").text
    for _ in range(3 * most):  # nor do they put anybody out
        assert browsers().post("/play/new", data=GAME).status_code == 200
    assert "data-play" in person.get("/play").text
    assert len(desk_of(person).visitors) == most


def test_sessions_of_the_client_that_has_most_end_for_others(clock: StoppedClock) -> None:
    visitors = Visitors(200, 3600, clock)

    def enter(client: str, times: int) -> Visitor:
        found = visitors.enter(client)
        for _ in range(times):
            clock.now += 0.001
            visitors.find(found.key)
        return found

    person = enter("person", 5)
    greedy = [enter("greedy", 9) for _ in range(199)]
    with pytest.raises(SolverError, match="200 people are here already"):
        visitors.enter("greedy")  # all of its sessions are in use
    for n in range(100):
        enter(f"newcomer {n}", 5)
    # Those that did as much end in the order in which they rested.
    left = [each for each in greedy if each.key in visitors._all]
    assert left == greedy[100:]
    other = [enter("other", 9) for _ in range(49)]
    # Clients that have as many as each other take nothing from each other.
    left = [each for each in greedy if each.key in visitors._all]
    assert len(left) == 50
    with pytest.raises(SolverError):
        visitors.enter("other")
    with pytest.raises(SolverError):
        visitors.enter("greedy")
    assert visitors.find(person.key) is person
    assert all(each.key in visitors._all for each in other)
    # Whoever did little makes room first, then whoever rests, and did least.
    assert visitors._all.pop(other[0].key) is other[0]
    little = enter("little", 1)
    enter("greedy", 9)
    assert visitors.find(little.key) is None
    clock.now += 601
    for each in visitors._all.values():
        if each.client != "person":
            visitors.find(each.key)
    enter("greedy", 9)
    assert visitors.find(person.key) is None


def test_questions_of_strangers_make_room(browsers: Browser) -> None:
    browser = browsers(workers=0, most_waiting=3)
    for _ in range(8):
        browser.post("/count/new", data=LONG, follow_redirects=False)
        browser.cookies.clear()
    assert desk_of(browser).workshop.n_waiting == 3
    assert browsers().post("/count/new", data=LONG).status_code == 200


def test_one_visitor_has_a_share_of_the_questions(browsers: Browser) -> None:
    one = browsers(workers=0, most_waiting=6, most_asked=2)
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


def reviews(number: int) -> list[str]:
    """Return the addresses of different games."""
    deals = (hanabi.deal(2, seed=seed) for seed in range(number))
    games = (pose_game(deal.apply(deal.legal_actions[-1])) for deal in deals)
    return ["/review/" + "?".join(filter(None, address_of(each))) for each in games]


def test_reviews_that_one_client_asks_for_let_that_of_another_be_next(browsers: Browser) -> None:
    crowd, person = browsers(workers=0, most_waiting=4), browsers("198.51.100.7")
    *many, one = reviews(9)
    for each in many:
        assert crowd.get(each).status_code == 200
    desk = desk_of(crowd)
    assert desk.workshop.n_waiting == 4
    assert person.get(one).status_code == 200  # it asks for the review, and for a position
    order = list(iter(lambda: desk.workshop._queue.take(lambda _: True), None))
    assert [job.line[0] for job in order] == ["192.0.2.1", "198.51.100.7"] * 2


def test_what_nobody_reads_ends_and_begins_anew_for_whoever_returns(
    browsers: Browser, clock: StoppedClock
) -> None:
    browser = browsers()
    assert "<live-page" in browser.post("/count/new", data=LONG).text
    (visitor,) = desk_of(browser).visitors._all.values()
    job = visitor.jobs["count"]
    for clock.now in (100.0, 200.0, 300.0):
        assert "<live-page" in browser.get("/count").text
    assert visitor.jobs["count"] is job  # it is read
    assert not job.is_over
    clock.now = 421.0
    assert job.wait(LONGEST)
    assert (job.state, job.results) == (State.CANCELLED, [])
    assert "<live-page" in browser.get("/count").text
    assert visitor.jobs["count"] is not job
    assert not visitor.jobs["count"].is_over


def play_one(
    tell: Callable[[Any], None], team: Any, rules: Rules, seed: int, deals: tuple[int, int], _: Any
) -> None:
    """Report one deal, which was won, in place of a part of a run."""
    tell(DealsPlayed(Tally.of(rules, [rules.max_score << 1]), (), 1.0))


def play_forever(tell: Callable[[Any], None], *arguments: Any) -> None:
    """Report one deal, and never another."""
    play_one(tell, *arguments)
    time.sleep(10 * LONGEST)


def refuse(*_: Any) -> None:
    """Fail as players may."""
    raise SolverError("these players do not play")


def many_of(browser: TestClient) -> tuple[Run, Job | None]:
    """Return the run of a browser's session, and the job of its present part."""
    visitor = desk_of(browser).visitors.find(browser.cookies["hanabi"])
    assert visitor is not None
    return visitor.rooms["many"], visitor.jobs.get("many")


def test_a_run_of_slow_players_keeps_no_question_waiting(
    browsers: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "ask_deals", play_forever)
    crowd, person = browsers(workers=1), browsers("198.51.100.7")
    crowd.post("/watch/many", data={"seed": "1"})
    _, running = many_of(crowd)
    assert running is not None
    wait_until(lambda: running.results, LONGEST)
    for browser, address in zip((crowd, person), reviews(2), strict=True):
        assert browser.get(address).status_code == 200
    jobs = list(desk_of(crowd).shared._jobs.values())
    assert jobs
    assert all(job.wait(LONGEST) for job in jobs)
    assert running.state is State.RUNNING


def test_a_run_that_is_stopped_keeps_what_is_done_and_can_go_on(
    browser: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "ask_deals", play_forever)
    browser.post("/watch/many", data={"seed": "1", "seats": "2", "games": "7"})
    _, first = many_of(browser)
    assert first is not None
    wait_until(lambda: first.results, LONGEST)
    text = browser.get("/watch/many").text
    assert "<h1>1 deal of seed 1</h1>" in text
    assert "1 of at most 7 deals, 6 s left: about 60 deals a minute" in text
    assert '<noscript><meta http-equiv="refresh" content="1"></noscript>' in text
    for _ in range(2):
        text = browser.post("/watch/many/stop").text
        assert first.state is State.CANCELLED
        assert "<live-page" not in text
        assert "<h1>1 deal of seed 1</h1>" in text
        assert "1 deal won, 0 deals lost" in text
    assert many_of(browser)[1] is None
    monkeypatch.setattr(watch, "ask_deals", play_one)
    browser.post("/watch/many/more")
    run, job = many_of(browser)
    assert job is not None
    assert (run.games, job.arguments[3]) == (7, (1, 7))  # from the next one on
    job.cancel()  # as if to make room: the page asks again
    text = at_last(browser, "/watch/many")
    assert "7 deals won, 0 deals lost" in text
    browser.post("/watch/many/more")
    assert "14 deals won, 0 deals lost" in at_last(browser, "/watch/many")


def test_a_run_whose_players_fail_says_why(
    browser: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "ask_deals", refuse)
    browser.post("/watch/many", data={"seed": "1"})
    assert problem_of(at_last(browser, "/watch/many")) == "these players do not play"


def test_a_run_ends_with_its_tab(browser: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "ask_deals", play_one)
    browser.post("/watch/many", data={"seed": "1", "seats": "2"})
    _, job = many_of(browser)
    assert job is not None
    assert job.wait(LONGEST)
    assert many_of(browser)[1] is job  # nobody looks, and so no part follows
    browser.get("/watch/many")
    assert many_of(browser)[1] is not job
    # Nothing was said of how many: it ends after so many seconds.
    assert "20 deals won" in at_last(browser, "/watch/many")


def test_a_page_whose_question_makes_room_says_so(browsers: Browser) -> None:
    one, other = browsers(workers=0, most_waiting=2), browsers("198.51.100.7")
    split = {"table": "r y g\n1 1 0\n0 0 1\n"}
    one.post("/count/new", data=LONG)
    one.post("/partition/new", data=split)
    # The one whose page was read longest ago makes room, and finds none in its turn.
    other.post("/count/new", data=LONG)
    assert "made room for others: ask again" in problem_of(one.get("/count").text)
    assert problem_of(one.get("/partition").text) == ""
    assert problem_of(other.get("/count").text) == ""


def _nothing(_: Any) -> None:
    pass


def test_shared_jobs_that_nobody_looks_at_make_room(clock: StoppedClock) -> None:
    shop = Workshop(0, 2, unread_if_others_wait=5.0, clock=clock)
    shared = SharedJobs(shop, 10)

    def ask(name: str) -> bool:
        return shared.ask(name, _nothing, seconds=60, line=("a", "")).is_over

    assert [ask(name) for name in "abab"] == [False] * 4
    with pytest.raises(SolverError, match="waiting to be worked out already"):
        ask("c")
    clock.now = 3.0
    assert not ask("b")  # the same job
    clock.now = 6.0
    assert not ask("c")
    seen = {name: shared.look(name) for name in "abc"}
    assert [each and each.is_over for each in seen.values()] == [True, False, False]
    clock.now = 12.0
    assert not ask("a")  # it is asked anew


def test_the_results_of_shared_jobs_are_kept_until_others_need_the_room() -> None:
    shop = Workshop(1, 10)
    shared = SharedJobs(shop, 2)
    try:
        for name in "abc":
            shared.ask(name, _nothing, seconds=60, line=("a", ""))
            assert shared._jobs[name].wait(LONGEST)
        assert [shared.look(name) is None for name in "abc"] == [True, False, False]
    finally:
        shop.close()


def test_requests_without_a_session_wait_for_those_of_their_client_alone(
    browsers: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowd, person, other = browsers(), browsers(), browsers("198.51.100.7")
    person.post("/play/new", data=GAME)
    go_on, entered, show = threading.Event(), threading.Semaphore(0), review._shown

    def slow(asked: Asked, *arguments: Any) -> Any:
        if asked.client == "192.0.2.1" and asked.visitor is None:
            entered.release()
            go_on.wait(LONGEST)
        return show(asked, *arguments)

    monkeypatch.setattr(review, "_shown", slow)
    most, n = Settings().most_without_session, 60
    try:
        with ThreadPoolExecutor(n) as pool:
            asked = [pool.submit(crowd.get, SAMPLES[1].address) for _ in range(n)]
            assert entered.acquire(timeout=LONGEST)
            refused = [each.result() for each in islice(as_completed(asked), n - most)]
            assert {each.status_code for each in refused} == {429}
            # Everybody else is answered, while one of them is being answered and the others wait.
            for browser, path in (
                (other, SAMPLES[2].address), (other, "/"), (person, "/play"),
                (person, SAMPLES[2].address), (browsers(), "/"), (browsers(), "/review"),
            ):  # fmt: skip
                assert browser.get(path).status_code == 200
            assert not entered.acquire(blocking=False)
            go_on.set()
            assert sorted(each.result().status_code for each in asked) == [200] * most + [429] * (
                n - most
            )
    finally:
        go_on.set()
    assert desk_of(crowd).clients._all == {}


def test_one_client_does_not_take_all_threads(
    browsers: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    most, at_once = 12, 3
    people = [browsers(most_threads=at_once, most_of_client=most) for _ in range(most + 4)]
    for each in people:
        each.post("/play/new", data=GAME)
    go_on, entered, show = threading.Event(), threading.Semaphore(0), play._show

    def slow(*arguments: Any) -> Any:
        entered.release()
        go_on.wait(LONGEST)
        return show(*arguments)

    monkeypatch.setattr(play, "_show", slow)
    try:
        with ThreadPoolExecutor(len(people)) as pool:
            asked = [pool.submit(each.get, "/play") for each in people]
            refused = [each.result().status_code for each in islice(as_completed(asked), 4)]
            assert refused == [429] * 4
            for _ in range(at_once):
                assert entered.acquire(timeout=LONGEST)
            assert browsers("198.51.100.7").get("/").status_code == 200
            assert not entered.acquire(blocking=False)
            go_on.set()
            answers = sorted(each.result().status_code for each in asked)
            assert answers == [200] * most + [429] * 4
    finally:
        go_on.set()


def status_of(port: int, path: str, cookie: str = "") -> int:
    """Return how the page answers a browser."""
    request = Request(
        f"http://127.0.0.1:{port}{path}", headers={"Cookie": cookie} if cookie else {}
    )
    try:
        with urlopen(request, timeout=LONGEST) as answer:
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
        go_on.wait(LONGEST)
        return show(*arguments)

    monkeypatch.setattr(play, "_show", slow)
    most = Settings().most_at_once
    with ThreadPoolExecutor(most + 60) as pool:
        asked = [pool.submit(status_of, port, "/play", cookie) for _ in range(most + 60)]
        assert entered.acquire(timeout=LONGEST)
        assert [each.result() for each in islice(as_completed(asked), 60)] == [429] * 60
        assert status_of(port, "/play") == 200  # all threads of the page would be taken
        assert not entered.acquire(blocking=False)  # the others of the session are not begun
        go_on.set()
        answers = sorted(each.result() for each in asked)
    assert answers == [200] * most + [429] * 60


def test_clients_behind_a_proxy_on_this_machine_are_told_apart(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    origin, seen, enter = f"http://127.0.0.1:{port}", list[str](), Visitors.enter

    def watched(visitors: Visitors, client: str) -> Visitor:
        seen.append(client)
        return enter(visitors, client)

    monkeypatch.setattr(Visitors, "enter", watched)
    addresses = ["203.0.113.5", "203.0.113.6"]
    for each in addresses:
        headers = {"Origin": origin, "X-Forwarded-For": each}
        with urlopen(Request(origin + "/play/new", urlencode(GAME).encode(), headers)) as answer:
            assert answer.status == 200
    assert seen == addresses


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
    answer = browser.post(page, data={"game": game})
    assert answer.status_code == (400 if words else 200)
    assert words in problem_of(answer.text)


def test_many_play_at_once(browsers: Browser) -> None:
    people = [browsers() for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda each: each.post("/play/new", data=GAME), people))
    assert [each.status_code for each in answers] == [200] * 8
