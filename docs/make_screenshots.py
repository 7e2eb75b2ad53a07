"""Take the pictures of the page in docs/figures: `python docs/make_screenshots.py`.

Needs Chromium and what the tests of the page in a browser need. Look at them before they are kept.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parent.parent
FIGURES = ROOT / "docs" / "figures"
EXERCISE = "/practise?level=1&seats=3&seed=8&convention=2+Save"
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


def play(page: Page) -> None:
    """Give a clue to partners by conventions."""
    page.click("#table-3-level-1")
    page.fill("#seed", "5")
    page.click("#deal")
    for clue in ("1",):
        page.wait_for_selector(".hand.now")
        page.locator(".hand button:visible", has_text=clue).first.click()
        page.wait_for_selector("page-turner:not([aria-busy])")
        page.wait_for_timeout(500)


def review(page: Page) -> None:
    """Wait for the position before the first lost point, where the review opens, to be judged."""
    page.locator("#samples a").first.click()
    page.wait_for_selector("[data-live=story][data-start]", timeout=120_000)
    page.wait_for_selector("[data-live=story][data-open]", state="detached", timeout=120_000)
    page.wait_for_selector("figure .hp-best", timeout=60_000)
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(500)


def practise(page: Page) -> None:
    """Give a wrong answer, which is then explained."""
    page.wait_for_selector("#give-up", timeout=120_000)
    page.locator(".hand button:visible", has_text="Discard").first.click()
    page.wait_for_selector("#verdict")
    page.wait_for_timeout(500)


def still(_: Page) -> None:
    """Leave a page as it is opened."""


PICTURES = (
    ("page-play.png", "/play", play, 1280, 800, "light"),
    ("page-practise.png", EXERCISE, practise, 1280, 860, "light"),
    ("page-review.png", "/", review, 1280, 800, "light"),
    ("page-proof.png", "/proof?small=1+2+3,-1+2+-3,-1+-2+3&at=20", still, 1280, 1060, "light"),
    ("page-phone.png", "/", review, 390, 844, "dark"),
)


def main() -> None:
    """Serve the page on any free port, and take all pictures."""
    command = [sys.executable, "-m", "hanabi", "serve", "--port", "0"]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server,  # noqa: S603
        sync_playwright() as playwright,
    ):
        told = server.stdout.readline() if server.stdout is not None else ""
        address = told.split()[-1].rstrip("/")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            take(browser, address)
        finally:
            browser.close()
            server.terminate()


def take(browser: Browser, address: str) -> None:
    """Take all pictures of the page at an address."""
    for name, path, arrange, width, height, scheme in PICTURES:
        page = browser.new_page(
            viewport={"width": width, "height": height},
            color_scheme=scheme,  # type: ignore[arg-type]
            reduced_motion="reduce",
        )
        page.goto(address + path)
        arrange(page)
        page.screenshot(path=FIGURES / name)
        page.close()
        sys.stdout.write(f"taken: {name}\n")


if __name__ == "__main__":
    main()
