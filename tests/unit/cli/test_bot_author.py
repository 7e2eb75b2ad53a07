"""From nothing to a row beside ours, by the commands of the documentation alone.

The commands are those of the pages, in a folder that has only the files that the pages name; runs
are made short by more options.
"""

from __future__ import annotations

import re
import runpy
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from hanabi.cli.app import main

DOCS = Path(__file__).parents[3] / "docs"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LONG = re.compile(r" -n [0-9]+| --until-clear| --seed [0-9]+")
SHORT = {"simulate": "-n 2 --seed 1 -j 1", "tournament": "-n 2 --seed 1 -j 1", "play": "--seed 1"}
SERVER = "LANGUAGE_MODEL_URL"  # needs a model; tests/unit/players/test_adapters.py makes one up


def commands() -> list[list[str]]:
    """Return the commands of the pages that are to be copied, without comments."""
    found = []
    for page in ("players.md", "bots.md", "adapters.md"):
        for language, block in BLOCK.findall((DOCS / page).read_text(encoding="utf-8")):
            lines = block.splitlines()
            if not language and all(
                re.match(r"(hanabi|python|source|cp|\w+=) ?", line) for line in lines
            ):
                found += [shlex.split(line, comments=True) for line in lines]
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(DOCS / "bots", tmp_path / "docs" / "bots")
    shutil.copy(DOCS / "my_bot.py", tmp_path / "docs")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Run a command; each player that it names is in what it prints."""
    program, name, *rest = shlex.split(LONG.sub("", shlex.join(words)))
    assert program == "hanabi"
    assert main([name, *rest, *SHORT[name].split()]) == 0, words
    told = capsys.readouterr().out
    if name == "tournament":
        players = rest[: next((i for i, word in enumerate(rest) if word[0] == "-"), None)]
        assert len(players) > 1
        for number, player in enumerate(players, 1):
            assert f"  {number}  {player}" in told
        assert "mean score" in told
    elif name == "simulate":
        assert "2 games" in told or "of 2 games" in told


def test_all_commands_of_the_pages(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A player in Python, programs in Python and JavaScript, and a network, in this order."""
    ran, skipped = [], []
    for words in commands():
        told = shlex.join(words)
        if words[0] == "source" or SERVER in told or "hanab_live.py" in told:
            continue
        if "node" in told and shutil.which("node") is None:
            skipped.append(told)
            continue
        if words[0] == "cp":
            shutil.copy(folder / words[1], folder / words[2])
        elif words[0] == "python":
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(sys, "argv", [words[1], "10", "1"])  # few games, one pass
                runpy.run_path(words[1], run_name="__main__")
        else:
            run(words, capsys)
        ran.append(told)
    for needed in ("my_bot.py:MyPlayer", "first_bot.py", "network.py:Network"):
        assert any(needed in each and "tournament" in each for each in ran), needed
    if skipped:
        pytest.skip(f"node is not installed: {'; '.join(skipped)}")
    assert any("bot.js" in each and "tournament" in each for each in ran)


def test_a_bot_that_remembers(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command that the page shows with its output, from a copy that its author changes."""
    assert folder.is_dir()
    page = (DOCS / "players.md").read_text(encoding="utf-8")
    [line] = re.findall(r"(?m)^\$ (hanabi tournament docs/bots/obeying.py\S+ .*?) -n ", page)
    file = folder / "mine.py"
    text = (folder / "docs" / "bots" / "obeying.py").read_text(encoding="utf-8")
    file.write_text(text.replace("Obeying", "Mine"), encoding="utf-8")
    run(shlex.split(line.replace("docs/bots/obeying.py:Obeying", "./mine.py:Mine")), capsys)
