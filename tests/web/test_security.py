"""What the page refuses, and what it says to the browser."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from hanabi.ground.errors import SolverError
from hanabi.shell.web.offers import SAMPLES
from hanabi.shell.web.security import client_of
from hanabi.shell.web.visitors import Visitors
from web.conftest import ORIGIN, Browser, StoppedClock, desk_of, problem_of

PAGES = (
    "/",
    "/play",
    "/practise?seed=5",
    "/review",
    "/games",
    "/watch",
    "/proof",
    "/solitaire",
    "/count",
    "/partition",
)
GAME = {"partner1": "random", "seed": "1"}
DEEP = {"copies": "9x9", "colors": "3", "hand": "9"}


@pytest.mark.parametrize("page", [*PAGES, "/static/page.js", "/static/board.css", "/nothing"])
def test_every_answer_says_what_a_browser_may_do(browser: TestClient, page: str) -> None:
    headers = browser.get(page).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"


def test_pages_are_compressed_for_browsers_that_ask(browser: TestClient) -> None:
    plain = browser.get(REVIEW, headers={"accept-encoding": "identity"})
    packed = browser.get(REVIEW, headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["content-security-policy"] == plain.headers["content-security-policy"]
    assert 5 * int(packed.headers["content-length"]) < int(plain.headers["content-length"])
    assert "content-encoding" not in browser.get("/static/icon.svg").headers  # it is small


def test_the_board_comes_before_all_others(browser: TestClient) -> None:
    text = browser.get(SAMPLES[0].address).text
    assert 0 < text.index("<figure") < text.index("data-moves") < text.index("<template")


@pytest.mark.parametrize("page", PAGES)
def test_pages_hold_no_script_or_style_of_their_own(browser: TestClient, page: str) -> None:
    text = browser.get(page).text
    assert "<style" not in text
    assert " style=" not in text
    assert text.count("<script") == text.count('<script src="/static/') == 4
    assert not re.search(r"<[^>]*\son[a-z]+\s*=", text.lower())
    # The theme is there before anything is painted.
    assert text.index('<script src="/static/theme.js"></script>') < text.index(
        '<link rel="stylesheet'
    )


def test_the_front_page_is_small(browser: TestClient) -> None:
    files = (
        "/",
        "/static/theme.js",
        "/static/page.js",
        "/static/page.css",
        "/static/board.css",
        "/static/icon.svg",
    )
    answers = [browser.get(each) for each in files]
    assert all(answer.status_code == 200 for answer in answers)
    assert sum(len(answer.content) for answer in answers) < 100_000
    assert all(f'href="{page.partition("?")[0]}"' in answers[0].text for page in PAGES)


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example", "127.0.0.2", "", "localhost@evil.example", "[::2]",
     "localhost/x", "[", "127.0.0.1.nip.io:80"],
)  # fmt: skip
def test_foreign_names_are_no_way_in(browser: TestClient, host: str) -> None:
    assert browser.get("/", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost:8765", "127.0.0.1", "[::1]:80", "LOCALHOST"])
def test_the_names_of_this_machine_are(browser: TestClient, host: str) -> None:
    assert browser.get("/", headers={"host": host}).status_code == 200


def test_a_name_that_is_given_is_taken(browsers: Browser) -> None:
    browser = browsers(hosts=("board.example",))
    assert browser.get("/", headers={"host": "board.example:1"}).status_code == 200
    assert browser.get("/").status_code == 421


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "https://localhost"},
        {"origin": "http://localhost:1234"},
        {"origin": ORIGIN, "sec-fetch-site": "cross-site"},
        {"origin": ORIGIN, "sec-fetch-site": "same-site"},
    ],
)
def test_other_sites_cannot_send_forms(browser: TestClient, headers: dict[str, str]) -> None:
    answer = browser.post("/play/new", data=GAME, headers=headers)
    assert answer.status_code == 403
    assert not browser.cookies
    assert len(desk_of(browser).visitors) == 0


REVIEW = "/review/215fvaydxrvulljkorbm-kghqpuscdfhuickeabgs-wpinwxnqpfmat,00,0"


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize(
    "more",
    [
        {"sec-fetch-dest": "image"},
        {"sec-fetch-dest": "iframe"},
        {"sec-fetch-dest": "script"},
        {"sec-fetch-dest": "empty"},
        {},
    ],
)
def test_other_sites_can_load_nothing(browser: TestClient, site: str, more: dict[str, str]) -> None:
    for path in (REVIEW, "/", "/static/page.js"):
        answer = browser.get(path, headers={"sec-fetch-site": site, **more})
        assert (answer.status_code, answer.text) == (
            403, "this was loaded by another site: refused\n",
        )  # fmt: skip
    assert desk_of(browser).workshop.n_waiting == len(desk_of(browser).shared._jobs) == 0


@pytest.mark.parametrize("site", ["cross-site", "none"])
@pytest.mark.parametrize("purpose", ["prefetch", "prefetch;prerender"])
def test_nothing_is_fetched_before_it_is_opened(
    browser: TestClient, site: str, purpose: str
) -> None:
    """Chromium says "none" for what another site has it fetch."""
    headers = {"sec-fetch-site": site, "sec-fetch-dest": "document", "sec-purpose": purpose}
    assert browser.get(REVIEW, headers=headers).status_code == 403
    assert len(desk_of(browser).shared._jobs) == 0


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site", "sec-fetch-dest": "document"},
        {"sec-fetch-site": "same-site", "sec-fetch-dest": "document"},
        {"sec-fetch-site": "none", "sec-fetch-dest": "document"},
        {"sec-fetch-site": "same-origin", "sec-fetch-dest": "image"},
        {"sec-fetch-site": "same-origin", "sec-fetch-dest": "empty"},
        {},
    ],
    ids=["a link", "a link beside", "typed", "its own picture",
         "its own script", "a browser that says nothing"],
)  # fmt: skip
def test_links_of_other_sites_open(browser: TestClient, headers: dict[str, str]) -> None:
    assert browser.get(REVIEW, headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("client", "name"),
    [
        (("192.0.2.7", 1), "192.0.2.7"),
        (("::ffff:192.0.2.7", 1), "192.0.2.7"),
        (("2001:db8::1:2:3:4", 1), "2001:db8::/64"),
        (("2001:db8:0:0:ffff::", 1), "2001:db8::/64"),
        (("2001:db8:0:1::1", 1), "2001:db8:0:1::/64"),
        (("fe80::1%eth0", 1), "fe80::/64"),
        (("a name that a proxy gave", 1), "a name that a proxy gave"),
        (None, ""),
    ],
)
def test_clients_are_told_apart_by_their_addresses(client: Any, name: str) -> None:
    assert client_of({"client": client}) == name


def test_a_form_from_nowhere_is_refused(browser: TestClient) -> None:
    del browser.headers["origin"]
    assert browser.post("/play/new", data=GAME).status_code == 403
    answer = browser.post("/play/new", data=GAME, headers={"sec-fetch-site": "same-origin"})
    assert answer.status_code == 200


def test_sessions_are_kept_from_scripts_and_other_sites(browser: TestClient) -> None:
    assert not browser.get("/play").headers.get("set-cookie")
    answer = browser.post("/play/new", data=GAME, follow_redirects=False)
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert len(browser.cookies["hanabi"]) > 40


def test_sessions_are_separate(browsers: Browser) -> None:
    one, other = browsers(), browsers()
    one.post("/play/new", data=GAME)
    assert "A new game" in other.get("/play").text
    other.post("/play/new", data=GAME | {"seed": "2"})
    assert "seed 1" in one.post("/play/stop").text
    assert one.cookies["hanabi"] != other.cookies["hanabi"]
    stranger = browsers()
    stranger.cookies.set("hanabi", "guessed")
    assert "A new game" in stranger.get("/play").text


def test_long_bodies_are_refused_before_they_are_read(browsers: Browser) -> None:
    browser = browsers(most_bytes=1000)
    answer = browser.post("/review/new", data={"game": "x" * 2000})
    assert answer.status_code == 413
    assert answer.headers["content-security-policy"]
    assert browser.post("/review/new", data={"game": "x" * 500}).status_code == 400


def test_long_bodies_in_pieces_are_refused_too(browsers: Browser) -> None:
    browser, sent = browsers(most_bytes=10_000), 0

    def pieces() -> Iterator[bytes]:
        nonlocal sent
        for _ in range(1000):
            sent += 1000
            yield b"x" * 1000

    kind = {"content-type": "application/x-www-form-urlencoded"}
    answer = browser.post("/review/new", content=pieces(), headers=kind)
    assert answer.status_code == 413
    assert "too long" in answer.text


@pytest.mark.parametrize("length", ["-1", "abc", "1e3", "９"])
def test_absurd_lengths_are_refused(browser: TestClient, length: str) -> None:
    headers = {"content-length": length.encode(), "content-type": "text/plain"}
    answer = browser.request("POST", "/play/new", content=b"", headers=headers)  # type: ignore[arg-type]
    assert answer.status_code == 400


@pytest.mark.parametrize(
    "path",
    ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2f..%2fapp.py", "/static/%00",
     "/static//etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/static/..\\app.py", "/static/"],
)  # fmt: skip
def test_paths_lead_nowhere_else(browser: TestClient, path: str) -> None:
    answer = browser.get(path)
    assert answer.status_code == 404
    assert "import" not in answer.text


@pytest.mark.parametrize(
    ("page", "data"),
    [
        ("/play/new", {"partner1": "random", "seed": "-1"}),
        ("/play/new", {"partner1": "random", "seed": "9" * 29}),
        ("/play/new", {"partner1": "random", "seed": "١"}),
        ("/play/new", {"partner1": "random", "seat": "7"}),
        ("/play/new", {"partner1": "./docs/my_bot.py:MyPlayer"}),
        ("/play/new", {"partner1": "os:system"}),
        ("/play/new", {"partner1": "process:touch made"}),
        ("/watch/new", {"player1": "process:touch made"}),
        ("/play/new", {"partner1": "uct:playouts=1000000000"}),
        ("/play/new", {"partner1": "cheating"}),
        ("/play/new", {"partner1": "random", "variant": "x" * 10_000}),
        ("/play/new", {"partner1": "information", "variant": "White (5 Suits)"}),
        ("/play/new", {"partner1": "hgroup", "variant": "Orange (5 Suits)"}),
        ("/play/new", {"table": "7-easy"}),
        ("/games/new", {}),
        ("/games/new", {"games": "{" * 10_000}),
        ("/play/act", {"action": "0", "turn": "0"}),
        ("/review/new", {"game": "/etc/passwd"}),
        ("/review/new", {"game": "file:///etc/passwd"}),
        ("/review/new", {"game": "https://evil.example/replay-json/215lw,00,0"}),
        ("/review/new", {"game": "{" * 10_000}),
        ("/review/new", {"game": "hand 1 r2 r1"}),
        ("/review/new", {"game": "\x00"}),
        ("/review/new", {}),
        ("/review/kept/page", {}),
        ("/review/215lw,00,0/page", {"notes": "[" * 10_000}),
        ("/review/215lw,00,0/page?colour=red", {}),
    ],
)
def test_absurd_requests_get_one_line(browser: TestClient, page: str, data: dict[str, str]) -> None:
    answer = browser.post(page, data=data)
    assert answer.status_code == 400
    problem = problem_of(answer.text) or answer.text.strip()
    assert problem
    assert "\n" not in problem
    assert "Traceback" not in answer.text
    assert "root:" not in answer.text


def test_many_fields_are_not_read(browser: TestClient) -> None:
    answer = browser.post("/play/new", data={f"f{n}": "" for n in range(5000)})
    assert answer.status_code == 400


def test_what_is_typed_is_shown_as_it_is(browser: TestClient) -> None:
    script = '"><script>alert(1)</script>'
    answer = browser.post("/play/new", data={"partner1": script, "variant": script})
    assert "<script>alert" not in answer.text
    assert "&lt;script&gt;" in answer.text


def test_other_methods_are_refused(browser: TestClient) -> None:
    assert browser.put("/play/new").status_code == 405
    assert browser.delete("/review/new").status_code == 405
    assert browser.get("/no/such/page").status_code == 404


@pytest.mark.parametrize(
    ("address", "page"),
    [
        ("/play/act", "/play"),
        ("/play/new", "/play"),
        ("/watch/new?at=2", "/watch?at=2"),
        ("/review/new", "/review"),
        ("/watch/new", "/watch"),
        ("/count/new", "/count"),
    ],
)
def test_where_a_form_is_sent_the_page_is_shown_when_it_is_loaded_again(
    browser: TestClient, address: str, page: str
) -> None:
    answer = browser.get(address, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, page)


@pytest.mark.parametrize(
    "page", ["/play", "/review", "/watch?at=2", "/watch/many", "/proof?at=1",
             "/solitaire?at=1", "/count", "/partition"]
)  # fmt: skip
def test_what_is_gone_is_said_to_be(browser: TestClient, page: str) -> None:
    assert problem_of(browser.get(page).text) == ""
    browser.cookies.set("hanabi", "of-a-server-that-was-ended")
    answer = browser.get(page)
    assert answer.status_code == 200
    assert "What you had here is gone" in problem_of(answer.text)
    assert problem_of(browser.get("/").text) == ""


@pytest.mark.parametrize(
    ("page", "data"),
    [("/play/act", {"action": "1", "turn": "1"}), ("/review/kept/page", {}), ("/play/stop", {})],
)  # fmt: skip
def test_forms_of_what_is_gone_are_answered_so(
    browser: TestClient, page: str, data: dict[str, str]
) -> None:
    browser.cookies.set("hanabi", "of-a-server-that-was-ended")
    answer = browser.post(page, data=data)
    assert answer.status_code == 400
    assert "What you had here is gone" in html.unescape(answer.text)
    browser.post("/play/new", data=GAME)
    assert problem_of(browser.get("/play").text) == ""


def test_the_addresses_of_the_machine_are_taken_when_all_are_listened_at(
    browsers: Browser,
) -> None:
    browser = browsers(has_own_addresses=True)
    for arrival, host, status in (
        ("192.0.2.7", "192.0.2.7:8765", 200), ("192.0.2.7", "192.0.2.8", 421),
        ("192.0.2.7", "evil.example", 421), ("192.0.2.7", "localhost", 200),
        ("fd00::7", "[fd00::7]:8765", 200), ("fd00::7", "[fd00::8]", 421),
        ("::ffff:192.0.2.7", "192.0.2.7", 200), ("/a/socket", "", 421), ("/a/socket", "x", 421),
    ):  # fmt: skip

        async def arrive(scope: Any, receive: Any, send: Any, at: str = arrival) -> None:
            await browser.app(scope | {"server": (at, 8765)}, receive, send)

        client = TestClient(arrive, base_url=ORIGIN)
        assert client.get("/nothing", headers={"host": host}).status_code == (
            404 if status == 200 else status
        ), (arrival, host)


def test_there_is_room_for_so_many_sessions(browsers: Browser) -> None:
    one, other = browsers(most_visitors=1), browsers()
    one.post("/play/new", data=GAME)
    for _ in range(5):
        one.get("/play")
    answer = other.post("/play/new", data=GAME)
    assert answer.status_code == 400
    assert "1 people are here already" in problem_of(answer.text)
    assert "seed 1" in one.post("/play/stop").text


def test_sessions_end_when_nobody_uses_them(clock: StoppedClock) -> None:
    visitors = Visitors(2, 3600, clock)
    first, second = visitors.enter("a"), visitors.enter("a")
    for _ in range(5):
        assert visitors.find(first.key) is first
        assert visitors.find(second.key) is second
    with pytest.raises(SolverError):
        visitors.enter("a")
    clock.now = 601
    assert visitors.find(second.key) is second
    third = visitors.enter("a")  # in the place of the one that has rested longest
    assert visitors.find(first.key) is None
    assert visitors.find(third.key) is third
    clock.now = 5000
    assert visitors.find(third.key) is None
    assert len(visitors) == 0


def test_only_so_many_questions_wait(browsers: Browser) -> None:
    browser = browsers(workers=0, most_waiting=1)
    others = [browsers() for _ in range(4)]
    answers = [each.post("/count/new", data=DEEP) for each in (browser, *others)]
    refused = [problem_of(each.text) for each in answers if each.status_code == 400]
    assert refused
    assert all("waiting to be worked out already" in each for each in refused)
    # A review is shown all the same, and asks again.
    answer = browser.get(REVIEW)
    assert answer.status_code == 200
    assert "Waiting for other questions" in answer.text
    assert "data-open" in answer.text


def test_what_is_worked_out_ends_with_the_session(browsers: Browser) -> None:
    browser = browsers()
    browser.post("/count/new", data=DEEP)
    visitors = desk_of(browser).visitors
    (visitor,) = visitors._all.values()
    visitors.close()
    assert visitor.jobs["count"].is_over
    assert visitors.find(visitor.key) is None
    assert "What you had here is gone" in problem_of(browser.get("/count").text)
