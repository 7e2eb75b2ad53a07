"""From nothing to a row in a tournament beside ours, by the commands of the pages for bot authors.

`test_first_bot.py` does the same with the player that keeps nothing, and `test_documented.py` runs
each command by itself.
"""

from __future__ import annotations

import re
import runpy
import shlex
import shutil
from pathlib import Path

import pytest

from ...conftest import Run

DOCS = Path(__file__).parents[4] / "docs"
SHORT = ["-n", "2", "--seed", "1", "-j", "1"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(DOCS / "bots", tmp_path / "docs" / "bots")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def command(page: str, beginning: str) -> list[str]:
    """Return the words of the only command of a page that begins so, without its run's length."""
    text = (DOCS / page).read_text(encoding="utf-8")
    [line] = re.findall(rf"(?m)^(?:\$ )?({re.escape(beginning)}.*?)(?: -n .*| \|.*)?$", text)
    return shlex.split(line)


def check_rows(run: Run, words: list[str], *names: str) -> None:
    outcome = run(*words[1:], *SHORT)
    assert (outcome.status, outcome.err) == (0, "")
    for number, name in enumerate(names, 1):
        assert f"  {number}  {name}\n" in outcome.out
    rows = re.findall(r"(?m)^  \d+ ( +\d+\.\d\d)+$", outcome.out)
    n_scorings = 1 + ("bombed" in outcome.out)
    assert len(rows) == n_scorings * len(names)


def test_a_bot_that_remembers(run: Run, folder: Path) -> None:
    """It is a copy of the page's, with another name."""
    words = command("players.md", "hanabi tournament docs/bots/obeying.py")
    text = (folder / words[2].partition(":")[0]).read_text(encoding="utf-8")
    (folder / "mine.py").write_text(text.replace("Obeying", "Mine"), encoding="utf-8")
    words[2] = "./mine.py:Mine"
    check_rows(run, words, *words[2:])


def test_bots_in_python_and_in_javascript(run: Run, folder: Path) -> None:
    assert folder.is_dir()
    words = command("bots.md", "hanabi tournament")
    if shutil.which("node") is None:
        pytest.skip("node is not installed, which docs/bots/bot.js needs")
    check_rows(run, words, *words[2:])
    assert [each.split()[-1] for each in words[2:]] == [
        "docs/bots/first_bot.py",
        "docs/bots/bot.js",
        "rule-based",
    ]


def test_a_network(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It learns from few games, in one pass."""
    words = command("adapters.md", "hanabi tournament docs/bots/network.py")
    missing = run(*words[1:], *SHORT)
    assert missing.status == 2
    assert "network.npz" in missing.err
    _, program = command("adapters.md", "python docs/bots/network.py")
    monkeypatch.setattr("sys.argv", [program, "10", "1"])
    runpy.run_path(program, run_name="__main__")
    assert (folder / "docs" / "bots" / "network.npz").is_file()
    check_rows(run, words, "docs/bots/network.py:Imitator", "rule-based")
