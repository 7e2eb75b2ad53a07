"""The JSON that commands print, without what may differ between two runs of the same program.

`ASKED` has every command that prints JSON, with the options that change its document. The tests
hold it complete. `python -m benchmarks.fingerprint printed` hashes the documents.
"""

from __future__ import annotations

import json
import shlex
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

from hanabi.front.app import main as run_command

__all__ = ["ASKED", "DRAWN", "LEFT_OUT", "documents", "drawn", "printed", "without_left_out"]

ROOT = Path(__file__).parents[1]
STREAM = '"hand 2  r2 r4 r1 y1 y2 r3 g1 y3 g4 g2 y4 g3 r4 b1 b2 b3 b4"'
LOST = '"hand 1  r3 r2 y3 y2 r1 y1 y2 r2"'

MADE = MappingProxyType(
    {
        "game.json": "play convention --players 3 --seed 2 --json",
        "two.json": "play information --players 2 --seed 3 --json",
        "won.json": "play information --players 5 --seed 1 --json",
        "cards.json": "reduce formula.cnf",
        "play.json": f"solve {STREAM} --json",
        "line.json": "solve p3v0s17 --json",
    }
)
"""Files that the commands read, each printed by another command."""

ASKED = (
    "solve p3v0s17 --json",
    "solve p3v0s17 --fewest-turns --time 0 --json",
    "solve p2v0s40 --best --time 0 --json",
    "solve site/2906.json --at 20 --time 0 --json",
    "solve game.json two.json --lost-at --workers 1 --time 0 --json",
    "solve site/1888951.json --best --time 0 --json",
    f"solve {STREAM} --json",
    f"solve {STREAM} --method table --least-hand --json",
    f"solve {STREAM} --fewest-cards --json",
    f"solve {LOST} --most-cards --least-hand --json",
    "solve cards.json --method search --json",
    "review site/2906.json --time 0 --json",
    "review game.json --chances --time 0 --json",
    "review won.json --fewest-turns --time 0 --json",
    "review two.json --decisions --time 0 --json",
    "review two.json --conventions level=5 --time 0 --json",
    "review site/1888951.json site/1884410.json --workers 1 --time 0 --json",
    "advise two.json@66 --time 0 --json",
    "advise two.json@20 --seed 1 --time 0 --json",
    "chances game.json@54 --time 0 --json",
    "chances two.json@62 --seat --time 0 --json",
    "chances game.json@54 --partners convention --time 0 --json",
    "chances two.json@20 --partners information --games 40 --seed 1 --time 0 --json",
    "verify p3v0s17 line.json --json",
    f"verify {STREAM} play.json --json",
    f"verify {LOST} play.json --json",
    'atlas "Rainbow (5 Suits)" -n 20 --players 2 --json',
    "deck --players 3 --seed 4 --count 3 --json",
    "deck p4v12s7 --json",
    "difficulty p2v0s1 --by rule-based -n 40 --sample 5 --each 4 --json",
    "partition game.json@10 --json",
    "partition two.json@25 --rows --json",
    "players --json",
    "practise hgroup:level=2 -n 3 --seed 1 --json",
    "practise hgroup:level=11 -n 2 --seed 5 --players 4 --json",
    "conventions check conventions.jsonl --json",
    "people check two.json --player hgroup:level=1 --player rule-based --workers 1 --json",
    "play convention --players 3 --seed 2 --json",
    "play hgroup:level=3 --variant 'Pink (5 Suits)' --players 3 --seed 2 --json",
    "simulate rule-based --repeat 2 --worst 2 --power 0.5 -n 100 --seed 1 --json",
    "simulate rule-based convention -n 60 --seed 1 --json",
    "simulate rule-based --gain-over convention --orders 5 -n 20 --seed 1 --json",
    "simulate smart --until-error 0.2 -n 2000 --seed 1 --players 2 --json",
    "tournament rule-based convention --players 3 -n 50 --seed 1 --store runs.db --json",
    "tournament rule-based smart --beside piers --players 3 -n 20 --seed 1 --json",
    "people manner game.json two.json --workers 1 --json",
    "results --store runs.db --json",
    "env check my_env.py --steps 300 --seed 1 --players 2 --json",
    "reduce formula.cnf --variant compact",
    "reduce formula.cnf --variant two_colors",
    "convert game.json",
    "sat formula.cnf --json",
    "sat unsat.cnf --json",
    "complexity --hand-size 1 --multiplicity 2 --values 4 --json",
    "complexity --json",
    "complexity --most-cards --hand-size 1 --values 3 --json",
    "complexity --parameter h --colors 2 --json",
    "count 3,2,2,2,1 --hand 1 --json",
    "count 2,2,1 --colors 3 --hand 1 --json",
    "count 3,2,2,2,1 --colors 5 --curve --samples 200 --seed 1 --json",
)
"""The commands whose documents are compared."""

DRAWN = (
    "explain formula.cnf --svg",
    "explain formula.cnf --variant three_values --windows --svg",
    f"explain {STREAM} --svg",
    f"explain {STREAM} --tikz",
    f"solve {LOST} --svg",
    "solve p3v0s17 --svg",
    "solve p3v0s17 --tikz",
    "show site/1888951.json --at 20 --svg",
    "show game.json --at 30 --tikz",
)
"""Commands that draw into the file that follows them."""

LEFT_OUT: Mapping[str, str] = MappingProxyType(
    {
        "seconds": "wall-clock time",
        "games_per_second": "wall-clock time",
        "created": "the time of day",
        "version": "the number of the release",
        "revision": "is raised when answers change",
        "key": "a hash that the version and the revision are part of",
        "hash": "a hash that the version and the revision are part of",
        "reason": "a sentence",
        "sentence": "a sentence",
        "words": "a sentence",
        "why": "sentences",
        "says": "sentences",
        "notes": "sentences",
        "about": "the first line of a docstring",
        "solution": "sentences",
        "verify rule": "a sentence",
        "practise hints": "sentences; elsewhere the tokens that are left",
    }
)
"""The keys whose values are not compared, and why; those of one command alone follow its name."""


@contextmanager
def _folder() -> Iterator[None]:
    """Work in a new folder with the files that the commands read."""
    with TemporaryDirectory() as name, chdir(name):
        shutil.copytree(ROOT / "tests/data/hanab_live/games", "site")
        shutil.copy(ROOT / "docs/figures/example.cnf", "formula.cnf")
        shutil.copy(ROOT / "docs/conformance/vector_env.py", "my_env.py")
        shutil.copy(ROOT / "docs/conventions/level-06.jsonl", "conventions.jsonl")
        Path("unsat.cnf").write_text("p cnf 1 2\n1 0\n-1 0\n", encoding="utf-8")
        for path, command in MADE.items():
            _, text = printed(command)
            Path(path).write_text(text, encoding="utf-8")
        yield


def printed(command: str) -> tuple[int, str]:
    """Return the exit status of a command, and what it prints on standard output."""
    out = TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True)
    with redirect_stdout(out), redirect_stderr(StringIO()):
        status = run_command(shlex.split(command))
    out.seek(0)
    return status, out.read()


def without_left_out(document: object, command: str) -> object:
    """Return a JSON document in which `None` stands for every value that is left out."""
    if isinstance(document, list):
        return [without_left_out(each, command) for each in document]
    if not isinstance(document, dict):
        return document
    return {
        key: None
        if key in LEFT_OUT or f"{command} {key}" in LEFT_OUT
        else without_left_out(value, command)
        for key, value in document.items()
    }


def documents(divisor: int = 1) -> Iterator[tuple[str, int, list[object]]]:
    """Yield commands, their statuses and documents; of each kind of command one in `divisor`."""
    seen: Counter[str] = Counter()
    with _folder():
        for command in ASKED:
            name = command.partition(" ")[0]
            seen[name] += 1
            if seen[name] % divisor != 1 % divisor and name != "tournament":
                continue
            status, text = printed(command)
            found = [without_left_out(json.loads(line), name) for line in text.splitlines()]
            yield command, status, found


def drawn(divisor: int = 1) -> Iterator[tuple[str, str]]:
    """Yield commands that draw, and the text of their pictures."""
    with _folder():
        for command in DRAWN[:: min(divisor, 3)]:
            printed(f"{command} drawn")
            yield command, Path("drawn").read_text(encoding="utf-8")
