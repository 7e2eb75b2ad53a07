"""How far the commands overrun `--time` on wide, long and deep inputs, within 6 GiB of memory.

Each command runs as its own process with 6 GiB of address space. "beyond" is its wall-clock time
less the budget. That includes loading Python, its packages and the compiled code, which the budget
does not cover. A run is over the line at more than 2.5 s beyond, and is killed after a minute.
Numbers as arguments are budgets in seconds. `deck`, `difficulty` and `atlas` spend `--time` on each
deck, by the same solvers.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from hanabi.cli.ahead import compile_part

_BUDGETS = (3.0,)
_MEMORY = 6 << 30
_LINE, _HANGS = 2.5, 60.0
_DECKS = {
    # suits, ranks, copies, players: at most 62 kinds of cards and suits, and 250 cards, are solved
    "wide": (10, 5, 3, 3),
    "long": (2, 29, 3, 2),
    "deep": (1, 30, 8, 2),
    "flat": (30, 1, 8, 6),
    "usual": (5, 5, 2, 5),
}


def _deck(shape: tuple[int, int, int, int]) -> dict[str, object]:
    suits, ranks, copies, players = shape
    cards = [f"{c}:{r}" for c in range(suits) for r in range(1, ranks + 1) for _ in range(copies)]
    random.Random(1).shuffle(cards)
    return {"players": players, "deck": " ".join(cards)}


def _hole(n: int) -> str:
    """Return the pigeonhole formula in DIMACS form: n + 1 pigeons in n holes."""
    pigeons, holes = range(n + 1), range(n)
    clauses = [[p * n + h + 1 for h in holes] for p in pigeons]
    clauses += [
        [-(p * n + h + 1), -(q * n + h + 1)] for h in holes for p in pigeons for q in range(p)
    ]
    lines = (f"{' '.join(map(str, clause))} 0\n" for clause in clauses)
    return f"p cnf {(n + 1) * n} {len(clauses)}\n{''.join(lines)}"


def _commands(folder: Path) -> Iterator[str]:
    for name, shape in _DECKS.items():
        path = folder / f"{name}.json"
        path.write_text(json.dumps(_deck(shape)))
        yield f"solve {path}"
        yield f"solve {path} --best"
        yield f"solve {path} --solitaire --least-hand"
        yield f"view {path} -o {folder / 'page.html'}"
    (folder / "hole.cnf").write_text(_hole(11))
    yield f"sat {folder / 'hole.cnf'}"
    yield f"solve {folder / 'usual.json'} --solitaire --hand-size 4 --method sat"
    for words in ("9x9 --colors 40 --hand 20", "9x9 --colors 5 --hand 10", "4x13 --hand 3"):
        yield f"count {words}"
    for words in ("9x9 --colors 5", "9x9 --colors 40", "4x200", "3,2,2,2,1 --colors 10"):
        yield f"count {words} --curve"
    yield "count 9x9 --colors 40 --hand 20 --samples 100"
    yield "count 4x20000"


def _run(words: str, seconds: float) -> tuple[float, int, str]:
    """Return the wall-clock time of a command, its exit code and the last line of its output."""
    command = ["sh", "-c", 'ulimit -v "$0"; exec "$@"', str(_MEMORY >> 10), sys.executable, "-P"]
    command += ["-m", "hanabi", *words.split(), "--time", f"{seconds:g}"]
    started = time.perf_counter()
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=_HANGS,
            env=os.environ | {"HANABI_QUIET": "1"},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return time.perf_counter() - started, -1, "killed"
    said = (done.stderr or done.stdout).strip().splitlines()
    return time.perf_counter() - started, done.returncode, said[-1] if said else ""


def main() -> None:
    """Print the time beyond the budget of each command, and how many are over the line."""
    for part in ("game", "solve", "solitaire", "count", "chances", "hints"):
        compile_part(part)
    n_over = n_runs = 0
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for words in _commands(folder):
            for seconds in tuple(map(float, sys.argv[1:])) or _BUDGETS:
                took, code, said = _run(words, seconds)
                is_over = took - seconds > _LINE
                n_runs, n_over = n_runs + 1, n_over + is_over
                mark = "  over the line" if is_over else ""
                shown = words.replace(f"{folder}/", "")
                print(
                    f"{took - seconds:+7.1f} s beyond {seconds:g} s, exit {code:2}: {shown}{mark}"
                )
                print(f"          {said[:90]}", flush=True)
    print(f"{n_runs} runs, {n_over} over the line")


if __name__ == "__main__":
    main()
