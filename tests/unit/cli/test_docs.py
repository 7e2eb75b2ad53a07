"""The examples in the documentation of the command line are what the program prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = ("command-line.md", "notation.md", "counting.md", "hints.md")
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What differs from run to run, and sentences that the solvers choose.
VOLATILE = re.compile(
    r"https://hanab.live/replay-json/\S+|"
    r'\d+\.\d+ s\b|"seconds": [-\d.e]+|[\d,]+ states?\b|"reason": ".*?"'
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
            if output:
                found.append((script, output))
    return found


@pytest.mark.parametrize(("script", "output"), examples(), ids=lambda text: text[:40])
def test_example(script: str, output: str, tmp_path: Path) -> None:
    command = tmp_path / "hanabi"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m hanabi "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    done = subprocess.run(
        ["bash", "-c", script.replace("/tmp/", f"{tmp_path}/")],
        cwd=ROOT,
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert VOLATILE.sub("", done.stdout) == VOLATILE.sub("", output)


def test_there_are_examples() -> None:
    assert len(examples()) >= 8
