"""The page in a real browser: each tool from end to end, by mouse and by keyboard.

Needs Chromium, as `apt-get install chromium` brings it, and the package playwright; without them
these tests are skipped, and say so.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

GAMES = Path(__file__).parents[1] / "data/hanab_live/games"
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
if CHROMIUM is None:
    pytest.skip("no Chromium here: the page is not tested in a browser", allow_module_level=True)
if find_spec("playwright") is None or find_spec("axe_core_python") is None:
    pytest.skip("playwright or axe-core-python is not installed", allow_module_level=True)

WIDTHS = {"wide": 1280, "narrow": 390}
Open = Callable[..., "Page"]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Serve the page as the command does, on any free port."""
    command = [sys.executable, "-m", "hanabi", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert "http://" in line
        yield line.split()[-1].rstrip("/")
        process.terminate()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Browser, address: str) -> Iterator[Open]:
    """Return what opens a page in a session of its own; nothing may be complained of."""
    said: list[str] = []
    contexts = []

    def open_one(path: str, width: str = "wide", scheme: str = "light") -> Page:
        context = chromium.new_context(
            viewport={"width": WIDTHS[width], "height": 900},
            color_scheme=scheme,  # type: ignore[arg-type]
            reduced_motion="reduce",
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(address + path)
        return page

    yield open_one
    for context in contexts:
        context.close()
    # A browser tells of every answer 400, which a page that refuses something has, and of those
    # that a test keeps from it.
    known = ("400 (Bad Request)", "net::ERR_FAILED")
    assert [each for each in said if not any(words in each for words in known)] == []


def violations(page: Page) -> list[Any]:
    """Return what axe finds, in short; the script is put in as the test's, not the page's."""
    from axe_core_python.sync_playwright import Axe

    source = Path(sys.modules[Axe.__module__].__file__ or "").parent / "axe.min.js"
    page.evaluate(source.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        (each["id"], node["html"][:200], node["failureSummary"])
        for each in found["violations"]
        for node in each["nodes"]
    ]


def until(page: Page, script: str) -> None:
    """Wait for something to hold; the page forbids the way in which playwright would do it."""
    end = time.monotonic() + 20
    while not page.evaluate(script):
        assert time.monotonic() < end, script
        page.wait_for_timeout(50)


def fits(page: Page) -> bool:
    """Whether nothing sticks out to the right."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def cut(page: Page) -> list[str]:
    """Return the words that stick out of their picture."""
    found: list[str] = page.evaluate(
        """[...document.querySelectorAll("svg[role] > text, svg[role] > g text")].filter((each) => {
            const words = each.getBoundingClientRect();
            const all = each.ownerSVGElement.getBoundingClientRect();
            return words.right > all.right + 1 || words.bottom > all.bottom + 1;
        }).map((each) => each.textContent)"""
    )
    return found


def settled(page: Page) -> None:
    """Wait until nothing is being turned or worked out."""
    page.wait_for_selector("page-turner:not([aria-busy])")
    page.wait_for_selector("live-part[src], live-page", state="detached")


def start_game(page: Page, seed: str = "7") -> None:
    page.fill("#seed", seed)
    page.click("#deal")
    page.wait_for_selector(".hand.now")


def start_review(page: Page, number: str) -> None:
    page.set_input_files("#file", GAMES / f"{number}.json")
    page.click("#start")
    page.wait_for_selector(".timeline")
    settled(page)


def start_watching(page: Page) -> None:
    page.fill("#seed", "p3v0s17")
    page.select_option("#player1", "rule-based")
    page.click("#start")
    page.wait_for_selector("#split")


def ask(page: Page) -> None:
    page.click("#start")
    settled(page)
    page.wait_for_selector("#another, table, ol")


def nothing(_: Page) -> None:
    """Leave a page as it is opened."""


SHOWN: dict[str, tuple[str, Callable[[Page], None]]] = {
    "home": ("/", nothing),
    "new game": ("/play", nothing),
    "game": ("/play", start_game),
    "new review": ("/review", nothing),
    "review": ("/review", lambda page: start_review(page, "1885550")),
    "new watch": ("/watch", nothing),
    "watch": ("/watch", start_watching),
    "new proof": ("/proof", nothing),
    "proof": ("/proof", ask),
    "new solitaire": ("/solitaire", nothing),
    "solitaire": ("/solitaire", ask),
    "count": ("/count", ask),
    "partition": ("/partition", ask),
}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", SHOWN)
def test_pages_fit_and_can_be_used_by_everybody(open_page: Open, name: str, width: str) -> None:
    path, prepare = SHOWN[name]
    for scheme in ("light", "dark"):
        page = open_page(path, width, scheme)
        prepare(page)
        assert violations(page) == [], scheme
        assert fits(page), scheme
        assert cut(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_picture_is_read_on_a_page_that_follows_no_scheme(chromium: Browser, scheme: str) -> None:
    """Its ground is its own, the one that its words are made for."""
    context = chromium.new_context(color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    shown = Path(__file__).parents[2] / "docs/figures"
    for name in ("board.svg", "table1.svg"):
        data = b64encode((shown / name).read_bytes()).decode()
        page.set_content(f'<canvas></canvas><img src="data:image/svg+xml;base64,{data}">')
        page.wait_for_function("document.querySelector('img').complete")
        color = page.evaluate("""() => {
            const canvas = document.querySelector("canvas").getContext("2d");
            canvas.fillStyle = "#ffffff";
            canvas.fillRect(0, 0, 300, 150);
            canvas.drawImage(document.querySelector("img"), 0, 0);
            return [...canvas.getImageData(2, 2, 1, 1).data];
        }""")
        assert color == ([255, 255, 255, 255] if scheme == "light" else [22, 22, 26, 255]), name
    context.close()


@pytest.mark.parametrize("width", WIDTHS)
def test_a_game_from_the_deal_to_its_review(open_page: Open, width: str) -> None:
    page = open_page("/play", width)
    start_game(page)
    # A clue by a partner's card, which opens by a click and closes by Escape.
    partner = page.locator(".hand:not(.now) summary").first
    partner.click()
    assert page.locator("details[open] .menu button").count() >= 1
    page.keyboard.press("Escape")
    assert page.locator(".cards details[open]").count() == 0
    partner.click()
    page.locator("details[open] .menu button").first.click()
    page.wait_for_selector(".log li:nth-child(3)")
    assert "Your turn." in page.inner_text("#news")
    assert page.evaluate("document.activeElement !== document.body")
    # What an own card can be, on demand.
    page.locator(".hand.now summary").first.click()
    assert "can be:" in page.inner_text(".hand.now details[open] .menu")
    # The rest with the keyboard alone.
    for _ in range(3):
        if page.locator(".hand.now button").count() == 0:
            break
        moves = page.locator(".log li").count()
        button = page.locator(".hand.now button:has-text('Discard'), .clues button").first
        button.focus()
        page.keyboard.press("Enter")
        until(page, f"document.querySelectorAll('.log li').length > {moves}")
        settled(page)
    if page.locator("#stop").count():
        page.click("#stop")
    page.wait_for_selector("#the-end")
    assert "hanab.live/replay-json" in page.content()
    assert violations(page) == []
    page.click("#review")
    page.wait_for_selector(".timeline")
    settled(page)
    assert page.locator(".cell.waiting").count() == 0


def test_a_game_without_scripts(chromium: Browser, address: str) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address + "/play")
    start_game(page)
    page.locator(".clues button").first.click()
    page.wait_for_selector(".log li:nth-child(3)")
    page.goto(address + "/review")
    page.fill("#game", "p2v0s2 clue Bob 3, discard 4")
    page.click("#start")
    page.wait_for_selector(".timeline")
    page.click("#back")
    assert page.url.endswith("/review?at=1")
    context.close()


@pytest.mark.parametrize("width", WIDTHS)
def test_a_review_by_keys_slider_and_links(open_page: Open, width: str) -> None:
    page = open_page("/review", width)
    start_review(page, "1883676")
    last = int(page.get_attribute("#at", "max") or 0)
    page.keyboard.press("Home")
    page.wait_for_selector("#t0[aria-current]")
    for place in (1, 2):
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(f"#t{place}[aria-current]")
        assert page.url.endswith(f"?at={place}")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#t1[aria-current]")
    page.keyboard.press("End")
    page.wait_for_selector(f"#t{last}[aria-current]")
    page.focus("#at")
    page.keyboard.press("Home")
    page.wait_for_selector("#t0[aria-current]")
    page.click("#t3")
    page.wait_for_selector("#t3[aria-current]")
    assert page.inner_text("#news")
    page.fill("#note", "<b>why?</b>")
    page.click("#keep-note")
    page.wait_for_selector(".notes li")
    assert "<b>why?</b>" in page.inner_text(".notes")


@pytest.mark.parametrize("delay", [0, 50])
def test_no_key_is_lost_and_no_step_is_one_to_go_back_to(open_page: Open, delay: int) -> None:
    page = open_page("/")
    page.click("nav >> text=Review")
    start_review(page, "2906")
    entries = page.evaluate("history.length")
    page.keyboard.press("Home")
    for _ in range(25):
        page.keyboard.press("ArrowRight", delay=delay)
    for _ in range(5):
        page.keyboard.press("ArrowLeft", delay=delay)
    page.wait_for_selector("#t20[aria-current]")
    settled(page)
    assert page.url.endswith("?at=20")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#t0[aria-current]")
    page.click("#t3")
    page.wait_for_selector("#t3[aria-current]")
    assert page.evaluate("history.length") == entries
    page.go_back()
    page.wait_for_selector("h1:has-text('An analysis board')")


def test_a_click_elsewhere_ends_the_steps(open_page: Open) -> None:
    page = open_page("/review")
    start_review(page, "2906")
    page.keyboard.press("Home")
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    page.click("#another")
    page.wait_for_selector("#game")
    page.wait_for_timeout(500)
    assert page.locator("#game").count() == 1


def test_enter_pressed_thrice_plays_one_card(open_page: Open) -> None:
    page = open_page("/play")
    page.select_option("#partner2", "nobody")
    start_game(page)
    moves = page.locator(".log li").count()
    page.focus("#c0-1-play")
    for _ in range(3):
        page.keyboard.press("Enter")
        page.wait_for_timeout(300)
    settled(page)
    assert page.locator(".log li").count() == moves + 2  # and the partner's answer
    assert page.evaluate("document.activeElement.id") == "main"


def test_what_is_copied_is_said_where_it_is_looked_for(open_page: Open) -> None:
    page = open_page("/review")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.fill("#game", "p2v0s2 clue Bob 3")
    page.click("#start")
    page.wait_for_selector(".timeline")
    settled(page)
    page.click("copy-button button")
    page.wait_for_selector("copy-button button:has-text('Copied')")
    assert page.evaluate("navigator.clipboard.readText()") == page.input_value("#link")
    page.wait_for_selector("copy-button button:text-is('Copy')")
    # Without the clipboard of secure pages, as on another machine.
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.click("copy-button button")
    page.wait_for_selector("copy-button button:has-text('Copied')")


def test_a_move_that_is_refused_leaves_the_address_that_can_be_loaded_again(
    open_page: Open,
) -> None:
    page = open_page("/play")
    start_game(page)
    other = page.context.new_page()
    other.goto(page.url)
    page.locator(".clues button").first.click()
    page.wait_for_selector(".log li:nth-child(3)")
    other.locator(".clues button").first.click()
    other.wait_for_selector("[role=alert]:has-text('moved on')")
    assert other.url.endswith("/play")
    other.reload()
    other.wait_for_selector(".log li:nth-child(3)")


@pytest.mark.parametrize("is_working", [False, True])
def test_a_review_that_is_gone_is_said_to_be(open_page: Open, is_working: bool) -> None:
    page = open_page("/review")
    if is_working:
        page.route("**/review/verdicts*", lambda route: route.abort())
        page.set_input_files("#file", GAMES / "2906.json")
        page.click("#start")
        page.wait_for_selector("#news:not(.unseen):has-text('does not answer')")
    else:
        start_review(page, "2906")
    # As after the server was started anew.
    for each in page.context.cookies():
        page.context.add_cookies([{**each, "value": "forgotten"}])  # type: ignore[typeddict-item]
    if is_working:
        page.unroute_all()
    else:
        page.keyboard.press("ArrowLeft")
    page.wait_for_selector("[role=alert]:has-text('What you had here is gone')")


@pytest.mark.parametrize("width", WIDTHS)
def test_the_chances_of_a_late_move(open_page: Open, width: str) -> None:
    page = open_page("/review", width)
    start_review(page, "1892115")
    page.click("#worst-chance a")
    page.wait_for_selector("#t57[aria-current]")
    page.click("#chances summary")
    played = page.inner_text("table.chances tr[aria-current] td:first-child")
    assert played.endswith("(played)")
    assert "100 %" in page.inner_text("table.chances tbody tr:first-child")
    assert fits(page)
    assert violations(page) == []


def test_a_move_is_tried_and_judged_while_the_page_stays(open_page: Open) -> None:
    page = open_page("/review")
    page.fill("#game", "p2v0s2 clue Bob 3")
    page.click("#start")
    page.wait_for_selector(".timeline")
    settled(page)
    cards = page.locator(".hand.now .cards li")
    cards.nth(3).get_by_text("Discard").click()  # the only purple 5
    page.wait_for_selector(".verdict.less")
    assert "lost 1 point" in page.inner_text(".verdict")
    page.click("#leave-try")
    page.wait_for_selector(".verdict.winnable")
    page.click("#follow")
    page.wait_for_selector("text=tried 1 of")
    page.keyboard.press("End")
    page.wait_for_selector("text=over with 25 of 25")
    assert page.input_value("#link").startswith("https://hanab.live/replay-json/2")


def test_players_are_watched_from_a_seat(open_page: Open) -> None:
    page = open_page("/watch")
    start_watching(page)
    page.keyboard.press("ArrowRight")
    until(page, "document.getElementById('at').value === '1'")
    page.select_option("#seat", "3")
    page.wait_for_selector("text=Cathy (looks)")
    hidden = page.locator('section[aria-label="Cathy\'s hand"] summary[aria-label*=hidden]')
    assert hidden.count() == 5
    page.select_option("#split", "3")
    page.wait_for_selector("#parts")
    page.click("#review")
    page.wait_for_selector(".timeline")


def test_the_lost_games_of_a_run_are_a_click_away(open_page: Open) -> None:
    page = open_page("/watch")
    page.fill("#seed", "1")
    page.fill("#games", "100")
    page.select_option("#player1", "rule-based")
    page.click("#many")
    page.wait_for_selector(".lost")
    assert violations(page) == []
    assert fits(page)
    page.locator(".lost button").first.click()
    page.wait_for_selector("#split")
    page.click("#run")
    page.wait_for_selector(".lost")


def test_a_formula_and_its_proof(open_page: Open) -> None:
    page = open_page("/proof")
    ask(page)
    page.keyboard.press("ArrowRight")
    until(page, "document.getElementById('at').value === '1'")
    assert page.inner_text("h1") == "Satisfiable"
    page.click("#another")
    page.click("text=not satisfiable")
    until(page, "document.getElementById('formula').value.startsWith('p cnf 2')")
    ask(page)
    with page.expect_download() as download:
        page.click("text=Download the proof")
    assert Path(download.value.path()).read_text().rstrip().endswith("0")


def test_a_problem_is_told_and_read_out(open_page: Open) -> None:
    page = open_page("/solitaire")
    page.fill("#hand", "")
    page.click("#start")
    page.wait_for_selector("[role=alert]")
    assert "how large is the hand" in page.inner_text("[role=alert]")
    assert page.input_value("#cards").startswith("r2")


def test_the_page_says_when_nobody_answers(chromium: Browser, address: str) -> None:
    page = chromium.new_page()
    page.goto(address + "/play")
    page.route("**/play/new", lambda route: route.abort())
    page.click("#deal")
    page.wait_for_selector("text=does not answer")
    page.close()


def test_ports_that_are_taken_are_told() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "hanabi", "serve", "--port", port]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert port in done.stderr


def test_it_ends_with_an_interrupt() -> None:
    import signal

    command = [sys.executable, "-m", "hanabi", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as it:
        assert it.stdout is not None
        assert it.stderr is not None
        address = it.stdout.readline().split()[-1]
        try:
            with urlopen(address) as answer:
                assert answer.status == 200
            it.send_signal(signal.SIGINT)
            assert it.wait(20) in (0, 130)
        finally:
            it.kill()
        assert "Traceback" not in it.stderr.read()


def test_a_page_of_many_moves_holds_one_picture_at_a_time(
    chromium: Browser, tmp_path: Path
) -> None:
    path = tmp_path / "play.html"
    cards = " ".join(f"{color}{value}" for value in range(1, 151) for color in "rygb")
    command = [sys.executable, "-m", "hanabi", "view", f"hand 1 {cards}", "-o", str(path)]
    subprocess.run(command, check=True)
    page = chromium.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(path.as_uri())
    for key, move in (("End", 600), ("ArrowLeft", 599), ("Home", 0), ("ArrowRight", 1)):
        page.keyboard.press(key)
        assert page.inner_text("[data-count]") == f"Move {move} of 600"
        figures = page.locator("figure")
        assert (figures.count(), figures.get_attribute("id")) == (1, f"move-{move}")
        assert figures.is_visible()
        held = page.evaluate(
            "Array.from(document.querySelectorAll('use')).every("
            "each => document.querySelector(each.getAttribute('href')))"
        )
        assert held
    page.click('a[href="#move-300"]')
    assert page.locator("figure").get_attribute("id") == "move-300"
    assert complaints == []
