"""The examples in every help are commands that the command line takes."""

from __future__ import annotations

import shlex

import pytest

from hanabi.cli.app import app, main
from hanabi.cli.examples import EXAMPLES


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_understood_and_shown(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for example in EXAMPLES[name]:
        program, command, *words = shlex.split(example)
        assert (program, command) == ("hanabi", name)
        app.parse_args([command, *words], exit_on_error=False, print_error=False)
    assert main([name, "--help"]) == 0
    shown = capsys.readouterr().out
    assert all(example in shown for example in EXAMPLES[name])
    assert max(map(len, shown.splitlines())) <= 80


def test_every_command_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(f" {name} " in shown for name in EXAMPLES)
    assert "--install-completion" in shown
