"""Every command that a page or a help shows is run; numbers of games are made small for that.

Those whose output a page shows, too, are run by `test_docs`.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from hanabi.front.app import main
from hanabi.front.menu import COMMANDS

from .test_docs import LONG, ROOT
from .test_docs import PAGES as WITH_OUTPUT

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_RUN = {
    "hanabi bot information": "it waits for messages; test_process.py sends some",
    "network.py:Imitator": "`test_bot_author.py` trains the network first",
    "LANGUAGE_MODEL_URL": "it needs a model; `tests/unit/players/test_adapters.py` makes one up",
    "hanabi people fit": "it needs more games; `test_people.py` has some",
    "people:weights=us.json": "`test_people.py` fits some first",
    "three_seats": "games that are not here",
    "GAME.json": "a name to be filled in",
    "RUN hanabi": "a line of a Dockerfile, whose command is run",
    "hanabi serve": "it serves until it is ended; `tests/web` does that",
    "hanabi compile": "`tests/unit/front/test_ahead.py` compiles everything",
    "paper least-hand": "streams of ten million cards; `test_paper.py` draws short ones",
    "dask://": "a cluster; `tests/unit/lab` has one",
    "2_players_games": "a data set that is not here; `tests/unit/rules/notation/test_data_sets.py`",
    "HanabiData": "a data set that is not here",
    "iggi_2": "a data set that is not here",
    "episode.json": "a replay of Kaggle's; `tests/unit/rules/notation/test_data_sets.py`",
}
FEW = {"-n": "4", "--games": "4", "--decks": "2", "--samples": "20", "--repeat": "2",
       "--sample": "3", "--each": "4", "--count": "2"}  # fmt: skip
"""What replaces the numbers behind options."""
SMALL = {
    "atlas": ["-n", "1", "--players", "2"], "paper": ["-n", "1", "--repeat", "1"],
    "simulate": ["-n", "6"], "tournament": ["-n", "4"],
    "chances": ["--time", "2"], "advise": ["--time", "2"],
    "env golden": ["--steps", "300"], "env check": ["--steps", "300"],
    "difficulty": ["-n", "4", "--sample", "3", "--each", "4", "--by", "rule-based"],
}  # fmt: skip
"""What is added to a command that has no such option."""
STATUSES = {"sat": {10, 20}, "conventions": {0, 1}}


def commands() -> dict[str, str]:
    """Return all commands, and where each stands."""
    found = {
        example: f"hanabi {name} --help"
        for group in COMMANDS.values()
        for name, command in group.items()
        for example in command.examples
    }
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for kind, block in BLOCK.findall(page.read_text(encoding="utf-8")):
            if kind not in ("", "sh", "console", "dockerfile"):
                continue
            lines = block.splitlines()
            is_console = kind == "console" and LONG not in block
            if is_console and page.name in WITH_OUTPUT and not all(
                line.startswith("$ ") for line in lines
            ):  # fmt: skip
                continue
            for line in lines:
                command = re.sub(r"\s+#.*", "", line.removeprefix("$ ")).strip()
                if re.search(r"\bhanabi ", command):
                    found.setdefault(command, page.name)
    return found


ALL = commands()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files that the commands name."""
    here = tmp_path_factory.mktemp("documented")
    games = ROOT / "tests/data/hanab_live/games"
    for name in ("docs", "tests"):
        (here / name).symlink_to(ROOT / name)
    (here / "games").mkdir()
    for number in ("2906", "1889209"):
        shutil.copy(games / f"{number}.json", here / "games")
    for name in ("my_bot.py", "my_net.py"):
        shutil.copy(ROOT / "docs" / name, here)
    shutil.copy(ROOT / "docs/conformance/vector_env.py", here / "my_env.py")
    shutil.copy(ROOT / "docs/figures/example.cnf", here / "formula.cnf")
    (here / "graph.col").write_text("p edge 3 2\ne 1 2\ne 2 3\n")
    for command, name in (
        ("simulate random -n 5 --seed 1 --store runs.db", "runs.txt"),
        ("reduce formula.cnf", "cards.json"),
        ("play convention --players 3 --seed 2 --json", "game.json"),
    ):
        words = [sys.executable, "-m", "hanabi", *command.split()]
        printed = subprocess.run(words, cwd=here, check=True, stdout=subprocess.PIPE).stdout
        (here / name).write_bytes(printed)
    return here


def made_small(command: str) -> list[str]:
    """Return the words of a command after `hanabi`, with few games."""
    words = shlex.split(command)
    words = words[words.index("hanabi") + 1 :] if "hanabi" in words else words[1:]
    words = ["random" if word == "rollouts" else word for word in words if word != "--full"]
    for at, (option, value) in enumerate(pairwise(words), start=1):
        if option in FEW and value.isdecimal():
            words[at] = str(min(int(value), int(FEW[option])))
    has_number = any(word in FEW for word in words)
    added = SMALL.get(words[0], []) or SMALL.get(" ".join(words[:2]), [])
    return words if has_number else words + added


@pytest.mark.parametrize("command", ALL, ids=lambda command: command[:60])
def test_a_documented_command_runs(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if any(part in command for part in NOT_RUN):
        return
    monkeypatch.chdir(folder)
    if re.search(r"[|<>]", command):
        hanabi = folder / "hanabi"
        hanabi.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m hanabi "$@"\n')
        hanabi.chmod(0o755)
        if command.startswith("xargs"):  # the names of two variants
            command = f"head -2 docs/data/played-variants.txt | {command.partition(' <')[0]}"
            command = command.replace("-n 1000", "-n 1 --players 2")
        path = f"{folder}:{os.environ['PATH']}"
        run = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command], env={**os.environ, "PATH": path},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (run.returncode, "error" in run.stderr) == (0, False), run.stderr
        return
    words = made_small(command)
    monkeypatch.setattr("sys.stdin", io.StringIO())  # a command that asks gets no answer
    status, told = main(words), capsys.readouterr()
    assert status in STATUSES.get(words[0], {0}), told.err
    assert "error" not in told.err
    for option, path in pairwise(words):
        if option in ("-o", "--html", "--svg", "--csv", "--lost", "--plot", "--store"):
            assert Path(path).stat().st_size


def test_what_is_not_run_is_documented_somewhere() -> None:
    """No entry outlives its command, and few commands are not run."""
    for part in NOT_RUN:
        assert any(part in command for command in ALL)
    assert sum(any(part in command for part in NOT_RUN) for command in ALL) < len(ALL) / 3
