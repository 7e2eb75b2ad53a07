"""The line that repeats a run has the options of the run, and each command is described once."""

from __future__ import annotations

import inspect
import shlex
import signal
from importlib import import_module
from pathlib import Path

import pytest
from docstring_parser import parse_from_object

from hanabi.front.app import app
from hanabi.front.menu import COMMANDS, help_of, module_of

from ...conftest import Run

NAMES = [name for group in COMMANDS.values() for name in group]
RUNS = {
    "simulate": 'simulate random -n 7 --seats 2 --seed 3 --variant "Rainbow (5 Suits)" --repeat 2'
    " --worst 1 --until-error 0.5 --power 0.3 -o all.csv --json --store a.db --executor threads",
    "a profile": "simulate random -n 3 --seed 4 --gain-over rule-based --orders 2 --until-clear"
    " --profile --store 'a b.db' --executor serial -j 1",
    "a part": "simulate random -n 8 --seed 3 --part 2/8 --games-out games.jsonl --store a.db",
    "tournament": "tournament random first-legal --players 3 --seed 5 --gauntlet --csv teams.csv"
    " --rules '{\"hints\": 3}' --store a.db",
    "atlas": 'atlas "No Variant" "6 Suits" -n 2 --players 2 3 --time 5 --lost a.csv --store a.db',
    "difficulty": "difficulty p2v0s1 --by random -n 3 --sample 4 --each 2 --seed 0 --store a.db",
    "paper": "paper table1 -n 1 --repeat 1 --seed 7 --out tables --store a.db -j 2",
    "count": "count 2x3 --colors 2 --curve --samples 5 --seed 1 --time 9 --store a.db -j 3",
    "env": "env expert random --games 4 --seed 2 --shard 2 --kind seer --posteriors -o games",
    "positions": "env values random --games 4 --seed 2 --left 1 --time 3.5 --format npz -o late",
}


def understood(line: str) -> dict[str, object]:
    """Return the arguments that a command line means."""
    _, bound, _ = app.parse_args(shlex.split(line), exit_on_error=False, print_error=False)
    return bound.arguments


@pytest.mark.parametrize("name", RUNS)
def test_the_line_that_repeats_a_run(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("hanabi.lab.run", interrupted)
    monkeypatch.setattr("hanabi.env.expert.write_shards", interrupted)
    outcome = run(*shlex.split(RUNS[name]))
    assert outcome.status == 130
    kept, line, end = outcome.err.splitlines()
    assert kept.endswith("to go on:")
    assert end == "hanabi: interrupted"
    again = line.removeprefix("hanabi: hanabi ")
    assert understood(again) == understood(RUNS[name])
    assert "None" not in again


def test_a_seed_that_was_drawn_is_repeated(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("hanabi.lab.run", interrupted)
    for words in ("simulate random", "tournament random first-legal", "count 2x3 --samples 9"):
        curve = ["--curve"] if words.startswith("count") else []
        line = run(*words.split(), *curve, "--store", "a.db").err.splitlines()[1]
        assert " --seed " in line
        assert line.endswith(" --store a.db") or curve


@pytest.mark.parametrize("name", NAMES)
def test_a_command_is_described_by_its_docstring(name: str) -> None:
    command = getattr(import_module(module_of(name)), f"{name}_command")
    described = (inspect.getdoc(command) or "").partition("\n\nParameters\n")[0]
    paragraphs = [" ".join(each.split()) for each in described.split("\n\n")]
    assert help_of(name).split("\n\n") == paragraphs
    assert app[name].help == help_of(name)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_docstring_says_of_an_option_is_shown(name: str) -> None:
    """No text of an option that commands share stands in front of a command's own."""
    command = getattr(import_module(module_of(name)), f"{name}_command")
    shown = {
        each.keys[-1] if each.keys else each.field_info.name: each.parameter.help
        for each in app[name].assemble_argument_collection(parse_docstring=True)
    }
    for each in parse_from_object(command).params:
        assert shown[each.arg_name.rpartition(".")[2]] == each.description
