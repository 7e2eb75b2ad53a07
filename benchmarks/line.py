"""The page of `hanabi serve` over a slow line, in Chromium: ``python -m benchmarks.line [KB]``.

The benchmark starts a server as the command does, and lets the browser read so many kilobytes a
second (50), 40 ms after it asks. Each page is opened with an empty cache, and printed are the
median seconds until its board has been drawn, until all of it is there, and the kilobytes read.
Needs playwright and Chromium, as the tests in a browser do.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from statistics import median
from typing import TYPE_CHECKING

from hanabi.shell.web.offers import SAMPLES

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_RATE, _LATENCY, _SAMPLES = 50, 40, 5  # kilobytes a second, milliseconds, visits
_PAGES = (
    ("front page", "/", "main"),
    ("review", SAMPLES[3].address, "figure svg"),
    ("review from a move on", f"{SAMPLES[3].address}?at=20", "figure svg"),
)
_WATCH = """
const look = () => {
  const found = document.querySelector(SHOWN)?.getBoundingClientRect();
  if (found?.width > 50 && found.height > 50 && document.styleSheets.length)
    requestAnimationFrame(() => (window.drawn = performance.now()));
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


def main() -> None:
    """Start a server and print the table."""
    from playwright.sync_api import sync_playwright

    rate = int(sys.argv[1]) if len(sys.argv) > 1 else _RATE
    command = [sys.executable, "-m", "hanabi", "serve", "--port", "0"]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server,
        sync_playwright() as playwright,
    ):
        try:
            line = server.stdout.readline() if server.stdout is not None else ""
            chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"))
            for name, path, shown in _PAGES:
                address = line.split()[-1].rstrip("/") + path
                visits = [_visit(chromium, address, shown, rate) for _ in range(_SAMPLES)]
                board, whole, size = (median(each) for each in zip(*visits, strict=True))
                print(f"{name:22} board {board:5.2f} s, all {whole:5.2f} s, {size:4.0f} kB")
        finally:
            server.terminate()


def _visit(chromium: Browser, address: str, shown: str, rate: int) -> tuple[float, float, float]:
    """Return the seconds until the board is drawn, and all is there, and the kilobytes read."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    page, sizes = context.new_page(), [0.0]
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    limits = {"offline": False, "latency": _LATENCY, "uploadThroughput": -1}
    line.send("Network.emulateNetworkConditions", limits | {"downloadThroughput": 1000 * rate})
    line.on("Network.loadingFinished", lambda each: sizes.append(each["encodedDataLength"]))
    page.add_init_script(_WATCH.replace("SHOWN", f"{shown!r}"))
    page.goto(address, timeout=0)
    while (drawn := page.evaluate("window.drawn")) is None:
        time.sleep(0.02)
    whole = page.evaluate("performance.timing.loadEventEnd - performance.timing.navigationStart")
    context.close()
    return drawn / 1000, whole / 1000, sum(sizes) / 1000


if __name__ == "__main__":
    main()
