"""Tables of every size in a real browser: what is needed is seen at once, and can be pressed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from web.test_browser import Open, address, chromium, fits, open_page, settled, start_game

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "chromium", "open_page"]

TABLES = {2: "level-5", 3: "level-5", 4: "level-5", 5: "level-5", 6: ""}
"""The partners at tables of so many; none are offered for six."""


def sit_down(page: Page, seats: int) -> None:
    if TABLES[seats]:
        page.check(f"#table-{seats}-{TABLES[seats]}")
    else:
        page.click("#more summary")
        for n in range(1, seats):
            page.select_option(f"#partner{n}", "rule-based")
    start_game(page)
    page.locator(".clues button").last.click()
    page.wait_for_selector(f".log li:nth-child({seats})")
    settled(page)


def bottom(page: Page, selector: str) -> float:
    """Return how far down the lowest of some elements reaches in the window."""
    return float(
        page.evaluate(
            """(selector) => Math.max(...[...document.querySelectorAll(selector)]
                .map((each) => each.getBoundingClientRect().bottom))""",
            selector,
        )
    )


@pytest.mark.parametrize("seats", TABLES)
def test_nothing_that_is_needed_is_below_the_fold(open_page: Open, seats: int) -> None:
    page = open_page("/play")
    page.set_viewport_size({"width": 1280, "height": 800})
    sit_down(page, seats)
    needed = ".hand, .hand button:not(.menu *), .middle > svg, #look-back, #stop, #by-conventions"
    assert bottom(page, needed) <= 800
    columns = page.evaluate(
        """new Set([...document.querySelectorAll(".hand")]
            .map((each) => Math.round(each.getBoundingClientRect().left))).size"""
    )
    assert columns == (2 if seats > 3 else 1)
    # Hands are at the left of the piles, as in a review.
    left, middle = (page.locator(each).first.bounding_box() for each in (".hand", ".middle"))
    assert left is not None
    assert middle is not None
    assert left["x"] + left["width"] <= middle["x"]
    card = page.locator(".cards svg").first
    small = card.bounding_box()
    for width, height in ((820, 1180), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        assert fits(page)
        assert bottom(page, needed) <= height
    large = card.bounding_box()
    assert small is not None
    assert large is not None
    assert large["width"] > 1.2 * small["width"]


@pytest.mark.parametrize("seats", [3, 5])
def test_a_phone_has_the_own_hand_and_the_piles_first(open_page: Open, seats: int) -> None:
    page = open_page("/play", "narrow")
    page.set_viewport_size({"width": 375, "height": 740})
    sit_down(page, seats)
    assert fits(page)
    assert bottom(page, ".hand.viewer, .hand.viewer button, .middle > svg") <= 740
    told = page.locator("#by-conventions")
    assert told.locator("p").first.is_hidden()
    low = page.evaluate(
        """[...document.querySelectorAll("main :is(button, a.button, summary, select)")]
            .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 44)
            .map((each) => each.outerHTML)"""
    )
    assert low == []
    # What is unfolded stays so, and a word's meaning is shown to whoever touches it.
    told.locator("summary").click()
    term = told.locator("dfn").first
    term.focus()
    shown = "getComputedStyle(document.activeElement, '::after').content"
    assert (term.get_attribute("title") or "?") in page.evaluate(shown)
    assert fits(page)
    page.keyboard.press("Escape")
    assert told.get_attribute("open") is not None
    page.locator(".hand.viewer button:has-text('Discard')").last.click()
    page.wait_for_selector(f".log li:nth-child({seats + 1})")
    settled(page)
    assert told.locator("p").first.is_visible()


def test_tones_are_heard_only_if_they_are_switched_on(open_page: Open) -> None:
    page = open_page("/play")
    heard = """window.heard = [];
        const start = OscillatorNode.prototype.start;
        OscillatorNode.prototype.start = function () {
            heard.push(this.frequency.value);
            start.call(this);
        };
        null"""
    start_game(page)
    page.evaluate(heard)
    page.locator(".clues button").first.click()
    page.wait_for_selector(".log li:nth-child(3)")
    settled(page)
    assert page.evaluate("heard") == []
    page.check("#sound")
    assert page.evaluate("heard") == [660]
    page.locator(".clues button").first.click()
    page.wait_for_selector(".log li:nth-child(6)")
    settled(page)
    assert page.evaluate("heard") == [660, 660]
    # A strike sounds otherwise, and the switch is remembered.
    page.locator(".hand.now button:has-text('Play')").last.click()
    page.wait_for_selector(".log li:nth-child(9), #sure")
    if page.locator("#sure").count():
        page.click("#sure")
        page.wait_for_selector(".log li:nth-child(9)")
    settled(page)
    is_strike = "misplays" in page.inner_text(".log")
    assert page.evaluate("heard")[2:] == [165 if is_strike else 660]
    page.reload()
    assert page.is_checked("#sound")
