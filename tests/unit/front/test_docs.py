"""The examples in the documentation are what the program prints.

They come in two forms: commands after `$` with what they print below, all in one block, and a block
of shell or Python, to be copied, followed by a block of what it prints.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = (
    "command-line.md", "complexity.md", "notation.md", "counting.md", "hints.md", "players.md",
    "bots.md", "laboratory.md", "solitaire.md", "experiments.md",
)  # fmt: skip
LONG = "hanabi paper"
"""What takes hours as the pages show it; `test_documented` runs it with few games."""
FRONT_PAGES = ("README.md", "docs/index.md")
PAIR = re.compile(r"^```(sh|python)\n([^`]*)^```\n+^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What differs from run to run, and sentences that the solvers choose.
VOLATILE = re.compile(
    r"https://hanab.live/replay-json/\S+|"
    r'[\d.,]+ games a second|\d+\.\d+ s\b|"seconds": [-\d.e]+|[\d,]+ states?\b|"reason": ".*?"'
    r"|(?<=^winnable) +\S.*$|(?<=^unwinnable) +\S.*$|^tried +\S.*$|^ {12}\S.*\n",
    re.MULTILINE,
)


def examples() -> list[tuple[str, str]]:
    """Return (commands, what they print together), for every block that shows output."""
    found = []
    for page in PAGES:
        for block in BLOCK.findall((ROOT / "docs" / page).read_text(encoding="utf-8")):
            lines = block.splitlines(keepends=True)
            script = "".join(line[2:] for line in lines if line.startswith("$ "))
            output = "".join(line for line in lines if not line.startswith("$ "))
            if output and LONG not in script:
                found.append((script, output))
    return found


def pairs() -> list[tuple[str, str, str]]:
    """Return (language, code, what it prints) of the front pages."""
    texts = [(ROOT / page).read_text(encoding="utf-8") for page in FRONT_PAGES]
    return [found for text in texts for found in PAIR.findall(text)]


def run(command: list[str], tmp_path: Path) -> str:
    """Return what a command prints, with `hanabi` on its path."""
    hanabi = tmp_path / "hanabi"
    hanabi.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m hanabi "$@"\n', encoding="utf-8")
    hanabi.chmod(0o755)
    return subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    ).stdout


@pytest.mark.parametrize(("script", "output"), examples(), ids=lambda text: text[:40])
def test_example(script: str, output: str, tmp_path: Path) -> None:
    printed = run(["bash", "-c", script.replace("/tmp/", f"{tmp_path}/")], tmp_path)
    assert VOLATILE.sub("", printed) == VOLATILE.sub("", output)


@pytest.mark.parametrize(("language", "code", "output"), pairs(), ids=lambda text: text[:40])
def test_the_front_pages(language: str, code: str, output: str, tmp_path: Path) -> None:
    shell = {"sh": "bash", "python": sys.executable}[language]
    printed = run([shell, "-c", code], tmp_path)
    assert VOLATILE.sub("", printed) == VOLATILE.sub("", output)


def test_there_are_examples() -> None:
    assert len(examples()) >= 8
    assert {language for language, _, _ in pairs()} == {"sh", "python"}
