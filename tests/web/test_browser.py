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
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

import pytest

pytest.importorskip("starlette")

from hanabi.shell.web.offers import SAMPLES

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
BROAD = {**WIDTHS, "broad": 1920}
Open = Callable[..., "Page"]
SAMPLE = SAMPLES[1].address
LONGEST = 300_000.0
"""Milliseconds within which everything comes that is waited for, on the busiest machine."""


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


def blank(chromium: Browser, **options: Any) -> Page:
    """Return an empty page, in a context of its own with these options, which waits long."""
    context = chromium.new_context(**options)
    context.set_default_timeout(LONGEST)
    return context.new_page()


@pytest.fixture
def open_page(chromium: Browser, address: str) -> Iterator[Open]:
    """Return what opens a page in a session of its own; nothing may be complained of."""
    said: list[str] = []
    contexts = []

    def open_one(path: str, width: str = "wide", scheme: str = "light") -> Page:
        size = {"width": BROAD[width], "height": 900}
        page = blank(chromium, viewport=size, color_scheme=scheme, reduced_motion="reduce")
        contexts.append(page.context)
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


def until(page: Page, condition: str | Callable[[], bool]) -> None:
    """Wait for something to hold; the page forbids the way in which playwright would do it."""
    end = time.monotonic() + LONGEST / 1000
    while not (page.evaluate(condition) if isinstance(condition, str) else condition()):
        assert time.monotonic() < end, condition
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
    page.wait_for_selector("live-page, [data-live=story][data-open]", state="detached")


def start_game(page: Page, seed: str = "7") -> None:
    page.fill("#seed", seed)
    page.click("#deal")
    page.wait_for_selector(".hand.now")


def start_review(page: Page, number: str) -> None:
    page.set_input_files("#file", GAMES / f"{number}.json")
    page.wait_for_selector("hanabi-player .hp-controls")
    settled(page)


def at(page: Page) -> str:
    """Return which position is shown."""
    return page.inner_text("[data-count]").partition(" ·")[0]


def open_menu(page: Page) -> None:
    """Show what a review needs less often."""
    page.click("[data-menu] > summary")


def turn(moves: int, last: int) -> str:
    """Return what names the position after so many moves."""
    return f"End, after {last} moves" if moves == last else f"Turn {moves + 1} of {last}"


def start_watching(page: Page) -> None:
    page.fill("#seed", "p3v0s17")
    page.select_option("#player1", "rule-based")
    page.click("#start")
    page.wait_for_selector("#split")


def judge_games(page: Page) -> None:
    page.fill("#games", "p2v0s2 clue Bob 3, discard 4\np2v0s1 clue Bob 1, play 3, discard 5")
    page.click("#start")
    page.wait_for_selector("#by-player")
    settled(page)


def ask(page: Page) -> None:
    page.click("#start")
    settled(page)
    page.wait_for_selector("#another, table, ol")


def choose_positions(page: Page) -> None:
    """Wait for a position to practise, and open the choice of others."""
    page.wait_for_selector("#next")
    page.click("#which summary")


def nothing(_: Page) -> None:
    """Leave a page as it is opened."""


SHOWN: dict[str, tuple[str, Callable[[Page], None]]] = {
    "home": ("/", nothing),
    "new game": ("/play", nothing),
    "game": ("/play", start_game),
    "practise": ("/practise?seed=5&hints=3", choose_positions),
    "new review": ("/review", nothing),
    "review": ("/review", lambda page: start_review(page, "1885550")),
    "new games": ("/games", nothing),
    "games": ("/games", judge_games),
    "new watch": ("/watch", nothing),
    "every choice": ("/proof?small=1+2,-1+2,1+-2,-1+-2", nothing),
    "partners": ("/play", lambda page: page.click("#more summary")),
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
    page = open_page(path, width, "light")
    prepare(page)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="light" if scheme == "light" else "dark")
        assert violations(page) == [], scheme
        assert fits(page), scheme
        assert cut(page) == []
    page.click("theme-button button")  # light, while the system is dark
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
    assert violations(page) == [], "chosen"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_picture_is_read_on_a_page_that_follows_no_scheme(chromium: Browser, scheme: str) -> None:
    """Its ground is its own, the one that its words are made for."""
    page = blank(chromium, color_scheme=scheme)
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
    page.context.close()


@pytest.mark.quick
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
    page.wait_for_selector("hanabi-player .hp-controls")
    settled(page)
    assert page.locator("[data-moves] > li:not([data-best])").count() == 0


def test_partners_move_one_by_one_and_can_be_skipped(chromium: Browser, address: str) -> None:
    page = blank(chromium, reduced_motion="no-preference")
    page.clock.install()
    page.goto(address + "/play")
    start_game(page)
    page.clock.pause_at(page.evaluate("Date.now()") + 60_000)
    page.locator(".clues button").first.click()
    page.wait_for_selector("#skip")
    assert page.locator(".table[data-play]").count() == 0
    for news in ("Cathy", "Your turn"):
        page.clock.run_for(1000)
        page.wait_for_selector(f"#news:has-text('{news}')", state="attached")
    page.wait_for_selector(".table[data-play]")  # by itself
    page.locator(".clues button").first.click()
    page.wait_for_selector("#skip")
    page.keyboard.press("Escape")
    page.wait_for_selector(".table[data-play]")
    assert page.url.endswith("/play")
    page.context.close()


def test_a_game_is_played_by_the_keys_of_the_site(open_page: Open) -> None:
    page = open_page("/play")
    start_game(page)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("q")
    assert page.evaluate("document.activeElement.closest('.hand').ariaLabel") == "Bob's hand"
    lit = page.locator(".cards li.lit").count()
    assert f"({lit} card" in page.evaluate("document.activeElement.textContent")
    page.keyboard.press(";")
    page.keyboard.press("5")
    assert page.evaluate("document.activeElement.closest('.hand').ariaLabel") == "Cathy's hand"
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".log li:nth-child(3)")
    assert "Alice (you) clues Cathy: 5" in page.inner_text(".log li:nth-child(3)")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#now")
    assert violations(page) == []
    page.keyboard.press("End")
    page.wait_for_selector(".table[data-play]")
    page.keyboard.press("d")
    assert "which card" in page.inner_text("#news")
    page.keyboard.press("2")
    page.wait_for_selector(".log li:nth-child(6)")
    assert "discards" in page.inner_text(".log li:nth-child(3)")
    page.click("#take-back")
    page.wait_for_selector(".log li:nth-child(4)", state="detached")
    assert "practice" in page.inner_text(".figures")
    # A note on a card stays with it.
    page.locator(".hand.now summary").first.click()
    page.fill(".hand.now details[open] .note", "r2?")
    page.reload()
    assert page.inner_text(".hand.now .noted:visible") == "r2?"


def test_a_game_without_scripts(chromium: Browser, address: str) -> None:
    page = blank(chromium, java_script_enabled=False)
    page.goto(address + "/play")
    start_game(page)
    page.locator(".clues button").first.click()
    page.wait_for_selector(".log li:nth-child(3)")
    page.goto(address + "/review")
    page.fill("#game", "p2v0s2 clue Bob 3, discard 4")
    page.click("#start")
    page.wait_for_selector("figure#move-0, figure#move-1, figure#move-2")
    page.click(".hp-steps >> text=First")
    page.wait_for_selector("figure#move-0:visible")
    page.click(".hp-steps >> text=Next")
    page.wait_for_selector("figure#move-1:visible")
    assert page.locator("figure").count() == 1
    page.locator("button[aria-label^='Discard card 2']").click()
    page.wait_for_selector("figure#tried:visible")
    assert "try=" in page.url
    assert page.locator("figure#tried svg[data-cards] use").count() == 10
    page.click(".hp-steps >> text=First")
    page.locator("button[aria-label^='Play card 1']").click()
    page.wait_for_selector("figure#tried:visible")
    assert page.locator(".hp-steps ol").count() == 2
    page.context.close()


@pytest.mark.parametrize("width", BROAD)
def test_the_board_is_large_and_comes_first(open_page: Open, width: str, tmp_path: Path) -> None:
    page = open_page("/review", width)
    start_review(page, "1885550")
    page.evaluate("scrollTo(0, 0)")
    check_board(page, width)
    assert violations(page) == []
    saved = tmp_path / "game.html"
    with page.expect_download() as download:
        open_menu(page)
        page.click("text=Save as one page")
    download.value.save_as(saved)
    page.goto(saved.as_uri())
    check_board(page, width)
    assert violations(page) == []


def check_board(page: Page, width: str) -> None:
    """Check the size of cards, and that board and controls can be used without scrolling."""
    page.wait_for_selector("figure#move-20:visible")
    card = page.evaluate(
        """() => {
            const card = document.querySelector("figure:not([hidden]) svg[data-cards] use");
            const { width } = card.ownerSVGElement.getBoundingClientRect();
            return 72 * width / card.ownerSVGElement.viewBox.baseVal.width;
        }"""
    )
    assert card >= (75 if width == "narrow" else 95)
    assert fits(page)
    assert cut(page) == []
    hand, controls, side = (
        page.locator(each).first.bounding_box()
        for each in (".hp-hands:visible", ".hp-controls", ".hp-side")
    )
    assert hand is not None
    assert controls is not None
    assert side is not None
    assert controls["y"] + controls["height"] <= 900
    if width == "narrow":
        assert hand["y"] < controls["y"]
        assert side["y"] > hand["y"]
    else:
        assert hand["y"] < 250
    if width == "broad":
        assert side["x"] + side["width"] - hand["x"] > 1750


def test_a_review_is_stepped_through_in_every_way(open_page: Open) -> None:
    page = open_page("/")
    page.click("nav >> text=Review")
    page.wait_for_url("**/review")
    start_review(page, "1885550")
    entries = page.evaluate("history.length")
    # It opens before the first loss, with the reason.
    assert at(page) == "Turn 21 of 27"
    assert page.url.endswith("#21")
    assert "Playing o3 by a discard (card 2) kept 15" in page.inner_text("figcaption")
    assert "Why: " in page.inner_text("figcaption")
    for key, move in (
        ("n", 23), ("n", 26), ("n", 20), ("p", 26), ("p", 23), ("[", 20), ("]", 23), ("Home", 0),
        ("End", 27), ("ArrowLeft", 26), ("ArrowRight", 27), ("ArrowRight", 27),
    ):  # fmt: skip
        page.keyboard.press(key)
        assert at(page) == turn(move, 27), key
    for move in (3, 17, 0):
        page.locator("[data-slider]").evaluate(
            """(slider, move) => {
                slider.value = move;
                slider.dispatchEvent(new Event("input", { bubbles: true }));
            }""",
            move,
        )
        assert at(page) == turn(move, 27)
    page.locator("[data-stage]").hover()
    page.mouse.wheel(0, 120)
    until(page, "document.querySelector('[data-slider]').value === '2'")
    page.click("[data-moves] a[data-move='5']")
    assert at(page) == "Turn 6 of 27"
    page.click(".hp-chart a >> nth=8")
    assert at(page) == "Turn 9 of 27"
    assert page.url.endswith("#9")
    page.check(".hp-only input")
    assert 0 < page.locator("[data-moves] > li:visible").count() < 15
    page.keyboard.press("?")
    assert page.locator("[data-help]").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("[data-help]").is_visible()
    assert page.evaluate("history.length") == entries
    page.go_back()
    page.wait_for_selector("h1:has-text('Review a game')")


def test_no_key_is_lost_while_arrows_are_held(open_page: Open) -> None:
    page = open_page("/review")
    start_review(page, "2906")
    page.keyboard.press("Home")
    for key, count in (("ArrowRight", 30), ("ArrowLeft", 8)):
        for _ in range(count):
            page.keyboard.down(key)  # again and again, as a key that is held repeats
            page.wait_for_timeout(30)
        page.keyboard.up(key)
    assert at(page) == "Turn 23 of 55"
    page.route("**", lambda route: route.abort())
    page.keyboard.press("ArrowLeft")  # a step needs nobody's answer
    assert at(page) == "Turn 22 of 55"


def test_swiping_steps_on_a_phone(chromium: Browser, address: str) -> None:
    page = blank(chromium, viewport={"width": 390, "height": 800}, has_touch=True)
    page.goto(address + "/review/215ocn,00,0")
    page.goto(address + SAMPLE + "#4")
    page.wait_for_selector("figure#move-3")
    page.evaluate(
        """() => {
            const stage = document.querySelector("[data-stage]");
            const send = (kind, x) => {
                const at = { identifier: 1, target: stage, clientX: x, clientY: 300 };
                const all = [new Touch(at)], touches = kind === "touchend" ? [] : all;
                stage.dispatchEvent(
                    new TouchEvent(kind, { bubbles: true, touches, changedTouches: all }));
            };
            send("touchstart", 300);
            send("touchend", 200);
        }"""
    )
    assert at(page) == "Turn 5 of 27"
    page.context.close()


def test_every_action_is_judged_and_can_be_tried(open_page: Open) -> None:
    page = open_page("/review")
    start_review(page, "1885550")
    best = page.locator("figure .hp-best")
    best.wait_for()
    assert (best.count(), best.inner_text().split()) == (1, ["Discard", "15", "·", "75", "%"])
    assert best.get_attribute("aria-label") == "Discard card 2: keeps 15 · 75 %"
    played = page.locator("figure .hp-played.hp-worse")
    assert played.get_attribute("aria-label") == "Clue player 1 5: keeps 14, played"
    shown = page.locator("figure [data-value]").all_inner_texts()
    assert all(each[:2].isdigit() for each in shown)
    assert len(shown) == 22
    best.click()
    page.wait_for_selector("figure#tried:has-text('All 15 points can still be scored.')")
    assert page.url.endswith("&try=20:769*")
    assert page.locator("form:has(#advise) input[name=try]").input_value() == "20:769*"
    page.click("[data-follow]")
    page.wait_for_selector("text=Tried 2 of")
    page.keyboard.press("End")
    page.wait_for_selector("figure#tried:has-text('15 of 15 points')")
    page.reload()  # what is tried is in the address, too
    page.wait_for_selector("figure#tried:has-text('15 of 15 points')")
    page.keyboard.press("Home")
    assert at(page) == "Turn 21 of 27"
    page.locator("button[aria-label^='Play card 2:']").click()
    page.wait_for_selector("figure#tried:has-text('this move lost 3 points')")
    page.keyboard.press("ArrowLeft")
    assert at(page) == "Turn 21 of 27"


LINES = "20:769.267.547~20:768~3:0"


def lines_shown(page: Page) -> list[str]:
    """Return the first words of each line in the list of moves, with the move above it."""
    words: list[str] = page.evaluate(
        """[...document.querySelectorAll(".hp-line")].map((line) => {
            const above = line.parentNode.querySelector("a, button").textContent;
            return `${above} > ${line.querySelector("button").textContent}`;
        })"""
    )
    return words


def test_lines_are_a_tree_beside_the_moves_and_in_the_address(open_page: Open) -> None:
    page = open_page(f"{SAMPLE}?try={LINES}")
    page.wait_for_selector("figure#tried")
    assert at(page) == "Tried 3 of 3 from turn 21"
    assert violations(page) == []
    page.keyboard.press("ArrowLeft")
    until(page, "location.search.endsWith('try=3:0~20:769.267*.547~20:768')")
    assert page.inner_text(".hp-line [aria-current]") == "Alice clues Bob: 1 (1 card)"
    # A second try from here branches, and the first one stays.
    page.locator("figure button[aria-label^='Play card 1']").click()
    until(page, "location.search.includes('~20:769.267.1024*~')")
    until(page, "!document.querySelector('[data-moves]').textContent.includes('…')")
    assert lines_shown(page) == [
        "Cathy plays b1 > Alice plays r2",
        "Bob discards o3 by a play > Cathy plays o3 by a discard",
        "Alice clues Bob: 1 (1 card) > Bob misplays r4: a life is lost",
        "Bob discards o3 by a play > Cathy discards o3 by a play",
    ]
    assert violations(page) == []
    assert fits(page)
    # Keys change to what stands beside it, and back to the game.
    for key, end in (
        ("Shift+ArrowUp", "20:769.267.547*"), ("Shift+ArrowDown", "20:769.267.1024*"),
        ("Shift+ArrowDown", "20:768*"), ("Shift+ArrowDown", "20:768*"),
        ("Shift+ArrowUp", "20:769*"), ("Shift+ArrowUp", "at=20"), ("Shift+ArrowDown", "20:769*"),
    ):  # fmt: skip
        page.keyboard.press(key)
        until(page, f"location.search.includes('{end}')")
    assert at(page) == "Tried 1 of 3 from turn 21"
    page.keyboard.press("End")  # by the way that was taken last
    until(page, "location.search.includes('20:769.267.1024*')")
    page.reload()
    page.wait_for_selector("figure#tried")
    assert len(lines_shown(page)) == 4
    assert at(page) == "Tried 3 of 3 from turn 21"
    page.click(".hp-line button:has-text('Alice plays r2')")
    until(page, "location.search.includes('3:0*')")
    page.locator("[data-drop]").first.click()
    until(page, "location.search.includes('at=3&') && !location.search.includes('3:0')")
    assert at(page) == "Turn 4 of 27"
    page.click("[data-moves] a[data-move='9']")
    assert "at=9&try=20:769" in page.url
    for _ in range(2):  # with the line that branches from the first
        page.locator("[data-drop]").first.click()
    assert page.url.endswith("#10")
    assert lines_shown(page) == []


def test_a_line_that_no_address_can_hold_is_not_kept(open_page: Open) -> None:
    page = open_page(f"{SAMPLE}#21")
    page.wait_for_selector("figure#move-20")
    page.route("**/lines*", lambda route: route.fulfill(status=400, body="try: too long"))
    page.locator("figure button[data-action='769']").click()
    page.wait_for_selector("#news:has-text('try: too long')", state="attached")
    until(page, "location.hash === '#21'")
    assert lines_shown(page) == []
    assert at(page) == "Turn 21 of 27"


def test_a_link_of_a_line_opens_where_it_was_copied(open_page: Open) -> None:
    page = open_page(f"{SAMPLE}?try=20:769.267*.547")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.wait_for_selector("figure#tried")
    page.click("[data-copy]")
    page.wait_for_selector("[data-copy]:has-text('Copied')")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.endswith("#23")
    page.goto(page.url.partition("/review/")[0] + "/review")
    page.fill("#game", link)
    page.click("#start")
    page.wait_for_selector("hanabi-player .hp-controls")
    assert at(page) == "Turn 23 of 23"
    assert page.inner_text("[data-moves] [aria-current]") == "Alice clues Bob: 1 (1 card)"
    page.click("[data-copy]")
    page.wait_for_selector("[data-copy]:has-text('Copied')")
    assert page.evaluate("navigator.clipboard.readText()") == link


def test_a_saved_page_shows_what_its_sender_saw(open_page: Open, tmp_path: Path) -> None:
    page = open_page(f"{SAMPLE}?try=20:768*")
    settled(page)
    page.wait_for_selector("figure#tried .hp-best, figure#tried .hp-worse")
    until(
        page, "![...document.querySelectorAll('[data-value]')].some((e) => e.textContent === '…')"
    )
    shown = page.locator("figure [data-value]").all_inner_texts()
    saved = tmp_path / "game.html"
    open_menu(page)
    with page.expect_download() as download:
        page.click("text=Save as one page")
    download.value.save_as(saved)
    page.goto(saved.as_uri() + "#21")
    page.wait_for_selector("figure#move-20:visible")
    assert violations(page) == []
    best = page.locator("figure:visible .hp-best")
    assert best.inner_text().split() == ["Discard", "15", "·", "75", "%"]
    assert page.locator("figure:visible button:not([disabled])").count() == 2
    page.keyboard.press("Shift+ArrowDown")
    assert at(page) == "Tried 1 of 9 from turn 21"
    page.keyboard.press("End")
    assert "15 of 15 points" in page.inner_text("figure:visible figcaption")
    page.keyboard.press("Home")
    page.locator("figure:visible button[data-action='768']").click()
    assert "this move lost" in page.inner_text("figure:visible figcaption")
    assert page.locator("figure:visible [data-value]").all_inner_texts() == shown
    assert page.locator("figure:visible").count() == 1
    page.keyboard.press("ArrowLeft")
    assert at(page) == "Turn 21 of 27"
    assert page.locator("[data-drop]").count() == 0


def test_mistakes_are_listed_and_the_winning_line_is_played(open_page: Open) -> None:
    page = open_page("/review")
    start_review(page, "1885550")
    rows = page.locator("[data-mistakes] > li")
    assert "3 moves lost 3 points: player 3 −3" in page.inner_text(".hp-mistakes")
    assert rows.nth(0).inner_text().split("\n")[0] == "Turn 21"
    assert page.locator("[data-mistakes] [aria-current]").inner_text().startswith("Turn 21")
    assert page.inner_text("[data-moves] > .hp-next").startswith("player 3 clues player 1")
    rows.nth(1).locator("a").click()
    assert at(page) == "Turn 24 of 27"
    assert page.inner_text(".hp-head") == "Turn 24: player 3 to act"
    page.wait_for_selector("[data-follow]:has-text('Play the best line')")
    rows.nth(0).locator("a").click()
    page.click("[data-follow]:has-text('Play the winning line')")
    page.wait_for_selector("[data-go=play][aria-pressed=true]")
    page.wait_for_selector("figure#tried .hp-head:has-text('15 of 15 points')")
    page.wait_for_selector("[data-go=play][aria-pressed=false]")
    page.keyboard.press("Home")
    assert at(page) == "Turn 21 of 27"


def test_hands_are_seen_as_their_owners_know_them(open_page: Open) -> None:
    page = open_page(SAMPLE + "#21")
    page.wait_for_selector("figure#move-20")
    settled(page)
    faces = """[...document.querySelectorAll("figure svg[data-cards]")].map((hand) =>
        [...hand.querySelectorAll("use")].map((card) => card.getAttribute("href")))"""
    backs = page.evaluate(
        """[...document.querySelectorAll("figure svg[data-cards]")].map((hand) =>
            hand.dataset.backs.split(" ").map((name) => `#${name}`))"""
    )
    up = page.evaluate(faces)
    page.keyboard.down(" ")
    assert page.evaluate(faces) == backs
    page.keyboard.up(" ")
    assert page.evaluate(faces) == up
    open_menu(page)
    page.select_option("[data-seat]", "2")
    assert page.evaluate(faces) == [up[0], backs[1], up[2]]
    page.focus("[data-seat]")
    page.keyboard.press("End")  # a control that has the focus keeps its keys
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    page.select_option("[data-seat]", "2")
    assert at(page) == "Turn 21 of 27"
    page.locator("[data-stage]").focus()
    page.keyboard.down(" ")
    assert page.evaluate(faces) == [up[0], backs[1], up[2]]
    page.keyboard.up(" ")
    page.focus("[data-go=next]")
    page.keyboard.press(" ")  # presses the button
    assert at(page) == "Turn 22 of 27"
    open_menu(page)  # the button closed it
    page.check("[data-chop]")
    assert page.locator("figure .hb-chop").count() == 3


def test_a_card_leads_to_where_it_was_drawn_clued_and_played(open_page: Open) -> None:
    page = open_page(SAMPLE + "#21")
    page.wait_for_selector("figure#move-20")
    card = page.locator("figure svg[data-cards]").nth(0).locator("use").nth(2)
    card.click()
    assert page.inner_text("[data-card-box]").split("\n") == ["Dealt", "Clued: move 9"]
    page.click("[data-card-box] >> text=Clued")
    assert at(page) == "Turn 10 of 27"
    page.locator("figure svg[data-cards]").nth(1).locator("use").nth(0).focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-card-box]:visible")
    assert page.evaluate("document.activeElement.closest('[data-card-box]') !== null")
    page.keyboard.press("Escape")
    assert not page.locator("[data-card-box]").is_visible()


def test_notes_are_kept_in_the_browser_and_in_the_file(open_page: Open, tmp_path: Path) -> None:
    page = open_page(SAMPLE + "#21")
    page.wait_for_selector("figure#move-20")
    settled(page)
    open_menu(page)
    page.fill("[data-note]", "<b>why?</b>")
    page.keyboard.press("Escape")
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector("figure#move-20")
    assert other.input_value("[data-note]") == "<b>why?</b>"
    assert other.locator("[data-moves] > li.hp-noted").count() == 1
    open_menu(other)
    with other.expect_download() as download:
        other.click("text=Save as one page")
    download.value.save_as(tmp_path / "game.html")
    other.goto((tmp_path / "game.html").as_uri() + "#21")
    other.wait_for_selector("figure#move-20:visible")
    assert other.input_value("[data-note]") == "<b>why?</b>"


def test_tabs_are_apart(open_page: Open) -> None:
    page = open_page(SAMPLE + "#4")
    page.wait_for_selector("figure#move-3")
    other = page.context.new_page()
    other.goto(page.url.partition("#")[0] + "#10")
    other.wait_for_selector("figure#move-9")
    other.keyboard.press("ArrowRight")
    assert (at(page), at(other)) == ("Turn 4 of 27", "Turn 11 of 27")


def paste(page: Page, text: str) -> None:
    """Paste a text wherever the focus is."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("(text) => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+V")


@pytest.mark.parametrize("path", ["/", "/review"])
@pytest.mark.parametrize("place", ["body", "#game"])
def test_a_stored_game_comes_by_two_pastes(open_page: Open, path: str, place: str) -> None:
    page = open_page(path)
    if place == "#game":
        page.focus(place)
    paste(page, "1885550")
    page.wait_for_selector("#export[href='https://hanab.live/export/1885550']")
    paste(page, (GAMES / "1885550.json").read_text())
    page.wait_for_selector("hanabi-player .hp-controls")
    settled(page)
    assert at(page) == "Turn 21 of 27"


def test_a_paste_that_is_no_game_is_answered_and_the_next_one_replaces_it(open_page: Open) -> None:
    page = open_page("/")
    paste(page, "hello world")
    page.wait_for_selector("[role=alert]:has-text(\"'hello world' is not a game\")")
    assert page.input_value("#game") == "hello world"
    paste(page, "p2v0s1 clue Bob 1, play 3")
    page.wait_for_selector("hanabi-player .hp-controls")
    page.goto("about:blank")
    page = open_page("/review")
    page.fill("#game", "p2v0s1 ")
    paste(page, "clue Bob 1")  # in the box that holds something, as everywhere else
    assert page.input_value("#game") == "p2v0s1 clue Bob 1"
    page = open_page("/count")
    paste(page, "p2v0s1")  # where there is no box
    assert page.url.endswith("/count")


def test_the_theme_is_chosen_kept_and_there_from_the_first_paint(open_page: Open) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    of_cards = "getComputedStyle(document.querySelector('.hb')).color"
    light, dark = "rgb(246, 246, 248)", "rgb(22, 22, 26)"
    page = open_page("/solitaire", scheme="dark")
    button = page.locator("theme-button button")
    assert button.get_attribute("aria-label") == "Colors: Auto"
    assert (page.evaluate(ground), page.evaluate(of_cards)) == (dark, "rgb(236, 236, 241)")
    button.click()
    assert button.get_attribute("aria-label") == "Colors: Light"
    assert (page.evaluate(ground), page.evaluate(of_cards)) == (light, "rgb(27, 27, 32)")
    assert violations(page) == []
    other = page.context.new_page()
    other.goto(page.url)
    assert other.evaluate(ground) == light
    button.click()
    assert (page.evaluate(ground), page.evaluate(of_cards)) == (dark, "rgb(236, 236, 241)")
    until(other, f"{ground} === '{dark}'")  # other tabs follow
    page.emulate_media(color_scheme="light")
    assert page.evaluate(ground) == dark
    assert violations(page) == []
    button.click()
    assert page.evaluate(ground) == light
    page.reload()
    assert button.get_attribute("aria-label") == "Colors: Auto"


def test_a_file_can_be_dropped_anywhere(open_page: Open) -> None:
    page = open_page("/")
    page.evaluate(
        """(text) => {
            const data = new DataTransfer();
            data.items.add(new File([text], "game.json"));
            document.body.dispatchEvent(
                new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }""",
        (GAMES / "1885550.json").read_text(),
    )
    page.wait_for_selector("hanabi-player .hp-controls")
    settled(page)
    assert at(page) == "Turn 21 of 27"


def test_several_files_are_judged_together(open_page: Open) -> None:
    page = open_page("/")
    texts = [(GAMES / f"{number}.json").read_text(encoding="utf-8") for number in (1885550, 2906)]
    page.evaluate(
        """(texts) => {
            const data = new DataTransfer();
            texts.forEach((text, n) => data.items.add(new File([text], `${n}.json`)));
            document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true}));
        }""",
        texts,
    )
    page.wait_for_selector("h1:has-text('2 games')")
    page.wait_for_selector("#by-game a:text-is('0.json')")
    settled(page)
    link = page.locator("#by-game td a").first
    words = link.inner_text()
    link.click()
    page.wait_for_selector("hanabi-player .hp-controls")
    turn = words.partition(":")[0]
    assert at(page).startswith(f"{turn} ")


def test_a_page_of_many_games_opens_each_before_its_first_loss(
    chromium: Browser, tmp_path: Path
) -> None:
    path = tmp_path / "games.html"
    files = [str(GAMES / f"{number}.json") for number in (2906, 1885550, 1889209)]
    command = [sys.executable, "-m", "hanabi", "review", *files, "--html", str(path)]
    subprocess.run(command, check=True)
    page = blank(chromium, viewport={"width": 375, "height": 740}, reduced_motion="reduce")
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(path.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    assert violations(page) == []
    assert page.locator("tbody th[scope=row] > a").all_inner_texts() == [
        "1885550.json", "1889209.json", "2906.json",
    ]  # fmt: skip
    page.click("text=1889209.json")
    page.get_by_role("heading", name="1889209.json", exact=True).wait_for()
    assert page.locator(".hm-games").is_hidden()
    assert at(page).startswith("Turn 7 of ")  # when the move is to be made that lost two points
    assert page.locator("figure:visible .hb").first.is_visible()
    assert violations(page) == []
    page.keyboard.press("ArrowRight")
    assert page.url.endswith("#game-2/8")
    page.reload()
    assert (page.inner_text("h1"), at(page)[:8]) == ("1889209.json", "End, aft"[:8])
    page.keyboard.press("<")
    page.get_by_role(
        "heading", name="1885550.json", exact=True
    ).wait_for()  # a key does not wait for it
    assert at(page).startswith("Turn 21 of ")
    page.go_back()
    page.get_by_role("heading", name="Reviewed games", exact=True).wait_for()
    assert page.locator(".hm-games").is_visible()
    assert page.locator("hanabi-player").count() == 0
    page.goto(f"{path.as_uri()}#game-1/24")
    assert at(page).startswith("Turn 24 of ")
    page.click("text=All games")
    page.locator(".hm-games").wait_for()
    assert complaints == []


def test_a_review_outlives_the_server(open_page: Open, chromium: Browser) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = [sys.executable, "-m", "hanabi", "serve", "--port", port]
    page = blank(chromium)
    for start in (True, False):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            server.stdout.readline()
            if start:
                page.goto(f"http://127.0.0.1:{port}{SAMPLE}#6")
                page.wait_for_selector("figure#move-5")
            else:
                page.reload()
                page.wait_for_selector("figure#move-6")
            server.terminate()
        if start:
            page.keyboard.press("ArrowRight")  # steps need no server
            assert at(page) == "Turn 7 of 27"
            page.wait_for_selector("#news:not(.unseen):has-text('does not answer')")
    page.context.close()


def test_links_and_pictures_are_copied(open_page: Open) -> None:
    page = open_page(SAMPLE + "#21")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.wait_for_selector("figure#move-20")
    page.click("[data-copy]")
    page.wait_for_selector("[data-copy]:has-text('Copied')")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith("https://hanab.live/replay-json/3")
    assert link.endswith("#21")  # on hanab.live, too, turn 21 is the position after 20 moves
    open_menu(page)
    page.click("[data-picture]")
    page.wait_for_selector("[data-picture]:has-text('Copied')")
    kinds = page.evaluate("navigator.clipboard.read().then((items) => items.map((i) => i.types))")
    assert kinds == [["image/png"]]
    # Without the clipboard of secure pages, as on another machine.
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.click("[data-copy]")
    page.wait_for_selector("[data-copy]:has-text('Copied')")


def test_nothing_lost_is_celebrated(open_page: Open) -> None:
    page = open_page("/review")
    start_review(page, "2906")
    assert at(page) == "End, after 55 moves"
    assert "25 of 25! No move lost a point." in page.inner_text(".hp-perfect")
    assert not page.locator("[data-go=worse-next]").is_visible()


def test_enter_pressed_thrice_plays_one_card(open_page: Open) -> None:
    page = open_page("/play")
    page.check("#table-2-easy")
    start_game(page)
    moves = page.locator(".log li").count()
    page.focus("#c0-1-play")
    for _ in range(3):
        page.keyboard.press("Enter")
        page.wait_for_timeout(300)
    settled(page)
    assert page.locator(".log li").count() == moves + 2  # and the partner's answer
    assert page.evaluate("document.activeElement.id") == "main"


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
    page.wait_for_selector("hanabi-player .hp-controls")


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
    assert page.locator(".clause.good").count() == 3
    page.click("#first")
    until(page, "document.getElementById('at').value === '0'")
    assert page.locator(".clause.good").count() == 0
    page.keyboard.press("ArrowRight")
    until(page, "document.getElementById('at').value === '1'")
    assert "the 2 of x1" in page.inner_text("#now-line")
    page.click("#l1-1")
    page.wait_for_selector("#l1-1:has-text('not x1')")
    page.click("#example-2")
    page.wait_for_selector("h2:has-text('every play gets stuck')")
    assert page.locator("#choices li").count() == 4
    page.click("#certify")
    settled(page)
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


@pytest.mark.parametrize("width", WIDTHS)
def test_examples_are_changed_by_a_click(open_page: Open, width: str) -> None:
    page = open_page("/solitaire", width)
    page.click("#example-2")
    page.wait_for_selector("#verdict:has-text('Unwinnable')")
    page.click("#hand-2")
    page.wait_for_selector("#verdict:has-text('Winnable')")
    page.click("#card-2")
    page.wait_for_selector("#card-1[aria-label^=y2]")
    assert fits(page)
    page.goto(page.url.partition("/solitaire")[0] + "/count")
    page.click("#hand-1")
    page.wait_for_selector("#hand-1[aria-current]")
    page.click("#known")
    page.wait_for_selector("#counts tr:nth-child(13)")
    assert fits(page)
    assert violations(page) == []
    page.goto(page.url.partition("/count")[0] + "/partition")
    page.click("#more-card")
    page.wait_for_selector("#m5-1")
    page.click("#m5-1")
    page.wait_for_selector("#m5-1:not(.on)")
    assert page.evaluate("document.activeElement.id") == "m5-1"


@pytest.fixture
def elsewhere() -> Iterator[tuple[int, list[str]]]:
    """Serve one page, at a port of its own; return the port, and what to put into the page."""
    words: list[str] = []

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_found = self.path == "/"
            self.send_response(200 if is_found else 404)
            self.send_header("content-type", "text/html")
            self.end_headers()
            if is_found:
                self.wfile.write("".join(words).encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port, words
        server.shutdown()
        thread.join()


LOADS = """<img src="{0}?at=1"><iframe src="{0}?at=2"></iframe><object data="{0}?at=3"></object>
<script src="{0}?at=4"></script><link rel="stylesheet" href="{0}?at=5">
<script>fetch("{0}?at=6", {{mode: "no-cors"}})</script>"""


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"], ids=["another site", "another port"])
def test_other_origins_can_link_and_load_nothing(
    chromium: Browser, address: str, elsewhere: tuple[int, list[str]], host: str
) -> None:
    port, words = elsewhere
    words.append(f'<a href="{address + SAMPLE}">a review</a>{LOADS.format(address + SAMPLE)}')
    page = blank(chromium)
    # Most of what is refused is kept from the page: only the network part of the browser has it.
    session, statuses = page.context.new_cdp_session(page), list[int]()
    session.send("Network.enable")
    session.on(
        "Network.responseReceivedExtraInfo", lambda event: statuses.append(event["statusCode"])
    )
    page.goto(f"http://{host}:{port}/")
    until(page, lambda: len([each for each in statuses if each != 404]) > LOADS.count("{0}"))
    assert sorted(each for each in statuses if each != 404) == [200] + [403] * LOADS.count("{0}")
    statuses.clear()
    page.click("a")
    page.wait_for_selector("hanabi-player .hp-controls")
    assert page.url.startswith(address + SAMPLE)
    assert 200 in statuses
    page.context.close()


def test_what_is_refused_as_too_much_is_asked_again(chromium: Browser, address: str) -> None:
    page, asked = blank(chromium), list[str]()

    def refuse_once(route: Any) -> None:
        asked.append(route.request.url)
        if asked.count(route.request.url) > 1:
            route.continue_()
        else:
            route.fulfill(status=429, content_type="text/plain", body="too many requests")

    page.route("**/values*", refuse_once)
    page.route("**/count/new", refuse_once)
    page.goto(address + SAMPLE + "#5")
    until(page, lambda: any(asked.count(each) > 1 for each in asked))
    page.goto(address + "/count")
    page.click("#start")
    page.wait_for_selector("#another, table, ol")
    assert asked.count(address + "/count/new") == 2
    page.context.close()


def test_the_page_says_when_nobody_answers(chromium: Browser, address: str) -> None:
    page = blank(chromium)
    page.goto(address + "/play")
    page.route("**/play/new", lambda route: route.abort())
    page.click("#deal")
    page.wait_for_selector("text=does not answer")
    page.context.close()


def test_ports_that_are_taken_are_told() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "hanabi", "serve", "--port", port]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
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
            assert it.wait(LONGEST / 1000) in (0, 130)
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
    page = blank(chromium)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(path.as_uri())
    for key, move in (("End", 600), ("ArrowLeft", 599), ("Home", 0), ("ArrowRight", 1)):
        page.keyboard.press(key)
        assert page.inner_text("[data-count]") == turn(move, 600)
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
