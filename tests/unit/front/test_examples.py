"""The examples in every help are commands that the command line takes."""

from __future__ import annotations

import shlex
from itertools import pairwise

import pytest

from hanabi.front.app import app, main
from hanabi.front.menu import COMMANDS

EACH = {name: command for group in COMMANDS.values() for name, command in group.items()}


@pytest.mark.parametrize("name", EACH)
def test_examples_are_understood_and_shown(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for example in EACH[name].examples:
        for part in example.split(" > ")[0].split(" | "):
            program, *words = shlex.split(part)
            assert program == "hanabi"
            app.parse_args(words, exit_on_error=False, print_error=False)
    assert main([name, "--help"]) == 0
    shown = capsys.readouterr().out
    assert all(example in shown for example in EACH[name].examples)
    assert max(map(len, shown.splitlines())) <= 80


def test_the_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(f" {name} " in shown for name in EACH)
    assert all(title in shown for title in COMMANDS)
    assert "--install-completion" in shown


def test_a_description_flows(capsys: pytest.CaptureFixture[str]) -> None:
    """No line of a description ends before the next word would not fit."""
    assert main(["convert", "--help"]) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("\u2502")]
    told = [(row.rstrip("\u2502 "), row[1:-1].split()) for row in rows]
    for (line, _), (_, words) in pairwise(told):
        if words and not words[0].startswith("-") and not words[0].isupper():
            assert len(line) + 1 + len(words[0]) > 78
