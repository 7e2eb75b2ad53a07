"""What a program at a seat costs beside a bare echo of the same lines: the table of docs/bots.md.

Run with ``python -m benchmarks.programs [GAMES]``. The program takes the last legal action and
answers at once, without a JSON library. Rows are measured in turns, several times, and the fastest
time of each counts. "Our time" is the processor time of this process, without the program's.

Where the system allows it, this process keeps to one core, and the programs to another: a pipe
between processes on the same core is ten times as fast, and the system changes its mind about it.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

from hanabi.ground.rng import Stream
from hanabi.players import Player, outcomes
from hanabi.players import process as processes
from hanabi.players.process import process_player
from hanabi.rules import Action, Event, Rules, View

DEFAULT_GAMES = 40
ROUNDS = 7
PROGRAM = """
import sys

lines, answers = sys.stdin.buffer, sys.stdout.buffer
for line in lines:
    if line.startswith(b'{"type":"turn"'):
        turn = line.split(b'"turn":', 1)[1].split(b",", 1)[0]
        last = line[line.rindex(b"{") : line.rindex(b"}") - 1].rstrip(b"]")
        answers.write(b'{"type":"action","turn":' + turn + b',"action":' + last + b"}\\n")
    elif line.startswith(b'{"type":"hello"'):
        view = b',"view":true' if sys.argv[1:] else b""
        answers.write(b'{"type":"hello","protocol":1' + view + b"}\\n")
    answers.flush()
"""


class Last:
    """The program's decisions in Python."""

    def act(self, view: View, rng: Stream, /) -> Action:
        """Return the last legal action."""
        rng.below(processes.RANDOM)
        return view.legal_actions[-1]


class RememberingLast(Last):
    """The same, with all events observed."""

    def start(self, _: Rules, __: int, /) -> None:
        """Begin a game."""

    def observe(self, _: Event, /) -> None:
        """Take notice of an action."""


@contextmanager
def on_core(place: int) -> Iterator[None]:
    """Keep to one of the cores of this process, and let programs that are started inherit it."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[place % len(cores)]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def timed(run: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds that a call takes, and its processor time in this process."""
    wall, own = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - wall, time.process_time() - own


def record(run: Callable[[], object]) -> list[tuple[bytes, bool]]:
    """Return what is sent to programs: the bytes, and whether they have an answer."""
    sent: list[tuple[bytes, bool]] = []
    exchange = processes._Link._exchange

    def keep(
        link: processes._Link, messages: list[str], seconds: float | None, *, is_asked: bool
    ) -> None:
        sent.append(("\n".join([*messages, ""]).encode(), is_asked))
        exchange(link, messages, seconds, is_asked=is_asked)

    with mock.patch.object(processes._Link, "_exchange", keep):
        run()
    return sent


def echo(words: list[str], sent: list[tuple[bytes, bool]]) -> tuple[float, float]:
    """Return the time to send lines to a program over a pipe, and to read its answers."""
    pipe = subprocess.PIPE
    with on_core(1):
        started = subprocess.Popen(words, stdin=pipe, stdout=pipe, bufsize=0)
    with started as bare:
        assert bare.stdin is not None
        assert bare.stdout is not None
        writes, reads = bare.stdin.write, bare.stdout.read

        def run() -> None:
            for data, is_asked in sent:
                writes(data)
                while is_asked and not reads(1 << 16).endswith(b"\n"):
                    pass

        writes(sent[0][0])
        reads(1 << 16)  # its first answer waits for the interpreter
        with on_core(0):
            taken = timed(run)
        bare.stdin.close()
    return taken


def main(arguments: list[str] | None = None) -> None:
    games = int(arguments[0]) if arguments else DEFAULT_GAMES
    print("milliseconds a turn\n")
    print("| seats | | all | our time | beside the echo |")
    print("| --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "last.py"
        file.write_text(PROGRAM, encoding="utf-8")
        words = [sys.executable, "-S", str(file)]
        for seats in (2, 3, 5):
            measure(words, Rules.hanab_live(seats), games)


def measure(words: list[str], rules: Rules, games: int) -> None:
    player, viewing = process_player(shlex.join(words)), process_player(shlex.join([*words, "v"]))
    # This starts the programs, and checks that all decide alike.
    players = (player, viewing, Last(), RememberingLast())
    with on_core(1):
        assert len({tuple(outcomes(each, rules, 2, seed=1)) for each in players}) == 1
    sent = record(lambda: outcomes(player, rules, games, seed=1))
    turns = sum(is_asked for _, is_asked in sent)

    def play(each: Player) -> tuple[float, float]:
        with on_core(0):
            return timed(lambda: outcomes(each, rules, games, seed=1))

    rows: dict[str, Callable[[], tuple[float, float]]] = {
        "a bare echo of the same lines": lambda: echo(words, sent),
        "the program as a player": lambda: play(player),
        "the same, with whole views": lambda: play(viewing),
        "the same in Python": lambda: play(Last()),
        "the same in Python, observing all events": lambda: play(RememberingLast()),
    }
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in rows}
    for _ in range(ROUNDS):
        for name, run in rows.items():
            found[name].append(run())
    best = {name: [min(times) for times in zip(*each, strict=True)] for name, each in found.items()}
    base = best["a bare echo of the same lines"][0]
    for name, (wall, own) in best.items():
        told = f"{1e3 * wall / turns:.3f} | {1e3 * own / turns:.3f} | {wall / base:.1f}"
        print(f"| {rules.seats} | {name} | {told} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
