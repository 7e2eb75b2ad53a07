"""What a bot's author does first, as docs/players.md tells it."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

from ...conftest import Run

ROOT = Path(__file__).parents[4]
PAGE = ROOT / "docs" / "players.md"


def test_the_five_commands_work(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, text = PAGE.read_text(encoding="utf-8").partition("in five commands")
    block = text.split("```\n")[1]
    words = [shlex.split(line, comments=True) for line in block.splitlines()]
    assert [each[0] for each in words] == ["source", "cp", "hanabi", "hanabi", "hanabi"]
    assert words[1][1:] == ["docs/my_bot.py", "."]
    shutil.copy(ROOT / words[1][1], tmp_path)
    monkeypatch.chdir(tmp_path)
    told = []
    for _, *command in words[2:]:
        few = {"simulate": ["-n", "20", "-j", "1"], "tournament": ["-n", "20", "-j", "1"]}
        outcome = run(*command, *few.get(command[0], []))
        assert (outcome.status, outcome.err) == (0, "")
        told.append(outcome.out)
    assert "the lowest scores" in told[0]
    assert "turn 1" in told[1]
    assert "who is better alone" in told[2]
