"""The page of `hanabi serve` over loopback HTTP: ``python -m benchmarks.web [PEOPLE] [GAMES]``.

The benchmark starts a server as the command does. Times are of whole requests as a person waits for
them, redirects included, without a browser. "soak" plays games one after another, in ten sessions
in turn, and prints how the server's memory grows (on Linux).
"""

from __future__ import annotations

import html
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from http.cookiejar import CookieJar
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, sleep
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

from hanabi.ground.rng import Stream

_PEOPLE, _GAMES, _SAMPLES, _SESSIONS = 20, 60, 50, 10
_LOOK = 0.1  # seconds
_PARTS = (
    *("/", "/static/page.js", "/static/page.css", "/static/board.css", "/static/icon.svg"),
    *("/static/theme.js", "/static/player.js", "/static/player.css"),
)
_GAMES_THERE = Path(__file__).parents[1] / "tests/data/hanab_live/games"
_PARTNERS = {"partner1": "rule-based", "partner2": "endgame/rule-based"}
_MEGABYTE = 1024  # in units of /proc, 1,024 bytes


class Person:
    """Somebody at the page, with cookies."""

    def __init__(self, address: str) -> None:
        self._address = address.rstrip("/")
        self._opener = build_opener(HTTPCookieProcessor(CookieJar()))
        self.times: list[float] = []

    def get(self, path: str) -> bytes:
        """Return the bytes of a path."""
        with self._opener.open(self._address + path, timeout=120) as answer:
            data: bytes = answer.read()
        return data

    def post(self, path: str, data: dict[str, str]) -> str:
        """Send a form and return the page that follows."""
        request = Request(
            self._address + path,
            urlencode(data).encode(),
            {"Origin": self._address, "Sec-Fetch-Site": "same-origin"},
        )
        start = perf_counter()
        while True:
            try:
                with self._opener.open(request, timeout=120) as answer:
                    text: str = answer.read().decode()
            except HTTPError as error:
                if error.code != HTTPStatus.TOO_MANY_REQUESTS:
                    raise
                sleep(_LOOK)  # as the script of the page does: all are one client here
            else:
                self.times.append(perf_counter() - start)
                return text

    def play(self, seed: int) -> int:
        """Play a game to its end, and return the number of this person's moves."""
        text = self.post("/play/new", _PARTNERS | {"seed": str(seed)})
        rng, moves = Stream(seed), 0
        while 'name="turn"' not in text:  # the first partners are still being loaded
            sleep(_LOOK)
            text = self.get("/play").decode()
        self.times.clear()
        while 'id="the-end"' not in text:
            turn = re.search(r'name="turn" value="(\d+)"', text)
            codes = re.findall(r'name="action" value="(\d+)"', text)
            careful = [code for code in codes if int(code) & 7] or codes  # no blind plays
            code = careful[rng.below(len(careful))]
            text = self.post("/play/act", {"turn": turn[1] if turn else "", "action": code})
            moves += 1
        return moves


def main(arguments: list[str] | None = None) -> None:
    """Start a server and print the table."""
    given = sys.argv[1:] if arguments is None else arguments
    numbers = [int(each) for each in given if each.isdigit()]
    people, games = (*numbers, *(_PEOPLE, _GAMES)[len(numbers) :])[:2]
    command = [sys.executable, "-m", "hanabi", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            line = server.stdout.readline() if server.stdout is not None else ""
            _measure(line.split()[-1], server.pid, people, games)
        finally:
            server.terminate()


def _measure(address: str, pid: int, people: int, games: int) -> None:
    one = Person(address)
    size = sum(len(one.get(path)) for path in _PARTS)
    print(f"front page, {len(_PARTS)} files   {size:>9,} bytes  {_best(one, '/')}")
    one.play(1)  # so that compiling and loading is over
    one.play(2)
    print(f"a move, two partners answer  {_spread(one.times)}")
    _review(Person(address), "2906", "first, solver loaded")
    for number in ("1892115", "1892259"):
        _review(Person(address), number, f"then game {number}")
    start = perf_counter()
    crowd = [Person(address) for _ in range(people)]
    with ThreadPoolExecutor(people) as pool:
        moves = sum(pool.map(lambda pair: pair[1].play(10 + pair[0]), enumerate(crowd)))
    took = perf_counter() - start
    print(f"{people} people at once: {moves:,} moves in {took:.1f} s, {moves / took:.0f} a second")
    print(f"  each move                  {_spread([t for each in crowd for t in each.times])}")
    before = _memory(pid)
    print(f"soak: {games} games in {_SESSIONS} sessions; memory {before} before")
    players = [Person(address) for _ in range(_SESSIONS)]
    for done in range(1, games + 1):
        players[done % _SESSIONS].play(1000 + done)
        if done % max(1, games // 3) == 0:
            print(f"  after {done:5} games          {_memory(pid)}")


def _review(person: Person, number: str, label: str) -> None:
    """Print the time of a review, until its last verdict."""
    start = perf_counter()
    text = person.post(
        "/review/new", {"game": (_GAMES_THERE / f"{number}.json").read_text("utf-8")}
    )
    first, address = perf_counter() - start, _attribute(text, "server")
    query = _attribute(text, "query")
    while "data-open" in text:
        sleep(0.02)
        text = person.get(f"{address}/verdicts?{query}").decode()
    took, moves = perf_counter() - start, max(map(int, re.findall(r' data-move="(\d+)"', text)))
    print(f"a review of {moves} moves, {label}: page after {first:.3f} s, all after {took:.2f} s")
    for at in (moves // 2, moves - 4):
        start, text = perf_counter(), '"open":true'
        while '"open":true' in text:
            text = person.get(f"{address}/values?{query}&at={at}").decode()
        print(f"  all actions after move {at} judged in {perf_counter() - start:.2f} s")


def _attribute(text: str, name: str) -> str:
    found = re.search(f' data-{name}="([^"]*)"', text)
    return html.unescape(found[1]) if found else ""


def _best(person: Person, path: str) -> str:
    return _spread([_timed(lambda: person.get(path)) for _ in range(_SAMPLES)])


def _timed(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def _spread(times: list[float]) -> str:
    high = quantiles(times, n=20)[-1]
    return f"{1000 * median(times):6.1f} ms median, {1000 * high:6.1f} ms for 19 of 20"


def _memory(pid: int) -> str:
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return "unknown here"
    found = re.search(r"VmRSS:\s+(\d+)", status)
    return f"{int(found[1]) / _MEGABYTE:.0f} MB" if found else "unknown"


if __name__ == "__main__":
    main()
