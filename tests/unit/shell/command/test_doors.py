"""What the command line takes for an input, and what it says where it takes none."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import hanabi
from hanabi.front.menu import COMMANDS

from ...conftest import Run

DATA = Path(__file__).parents[3] / "data"
GAME = DATA / "hanab_live" / "games" / "2906.json"
FORMULA = DATA / "satlib" / "uf20-01.cnf"


def test_text_is_read_as_in_python(run: Run) -> None:
    text = "hand 1  r2 r1 y1 y2 y1"
    answer = json.loads(run("solve", text, "--json").out)
    assert answer["status"] == str(hanabi.solve(text).status) == "winnable"
    assert json.loads(run("solve", '{"hand_size": 1, "cards": [[2, 0], [1, 0]]}', "--json").out)[
        "play"
    ] == [[1, "store"], [2, "play"], [1, "play"]]
    assert run("verify", "hand 1 r2 r1", '[[1, "store"], [2, "play"], [1, "play"]]').status == 0


@pytest.mark.parametrize("text", ["hand 1 r2 q1", "my game.json", "[1, 2", '{"deck": 1}'])
@pytest.mark.parametrize("command", ["solve", "show", "link", "view", "review", "difficulty"])
def test_text_that_is_no_input_is_quoted(run: Run, command: str, text: str) -> None:
    outcome = run(command, text)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    assert outcome.err.startswith("hanabi: error: ")
    assert f"{text!r} is not a file, and as text: " in outcome.err


def test_a_file_of_such_a_name_is_that_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("hand 1 r2 r1").write_text("hand 1 r1")
    assert "1 card," in run("solve", "hand 1 r2 r1").out


@pytest.mark.parametrize(
    "command", ["solve", "show", "link", "review", "verify", "difficulty", "convert", "chances"]
)
def test_a_formula_is_no_deck(run: Run, tmp_path: Path, command: str) -> None:
    words = [FORMULA] if command != "verify" else [FORMULA, GAME]
    outcome = run(command, *words)
    assert outcome.status == 2
    assert 'it is a formula, not cards: "hanabi sat" decides it' in outcome.err
    folder = tmp_path / "inputs"
    folder.mkdir()
    shutil.copy(FORMULA, folder / "f.txt")
    if command == "solve":
        assert "hanabi sat" in json.loads(run("solve", folder).out)["error"]


SINGLE = (
    "show", "link", "view", "chances", "complexity", "explain", "reduce", "sat", "verify",
    "conventions", "advise",
)  # fmt: skip


@pytest.mark.parametrize("command", SINGLE)
def test_a_folder_is_not_one_input(run: Run, command: str) -> None:
    action = ["check"] if command == "conventions" else []
    outcome = run(command, *action, DATA, *([DATA] if command == "verify" else []))
    assert (outcome.status, outcome.out) == (2, "")
    assert "it is a folder, not a single input" in outcome.err


def test_every_command_that_reads_takes_a_folder_or_says_so() -> None:
    many = {"solve", "review", "difficulty", "partition", "convert", "people"}
    reads_none = {
        "atlas", "deck", "players", "play", "simulate", "tournament", "paper", "results", "count",
        "serve", "compile", "bot", "env", "practise",
    }  # fmt: skip
    names = {name for group in COMMANDS.values() for name in group}
    assert names == many | reads_none | set(SINGLE)


def test_a_store_may_be_named_without_its_option(run: Run, tmp_path: Path) -> None:
    store = tmp_path / "runs.store"
    run("simulate", "random", "-n", 3, "--seed", 1, "--store", store)
    for words in ([], ["list"], ["show"], ["export"], ["export", "--games"], ["list", "--json"]):
        assert run("results", *words, store).out == run("results", *words, "--store", store).out
    key = json.loads(run("results", store, "--json").out)[0]["key"]
    assert run("results", "show", store, key[:6]).out == run("results", "show", store).out
    assert "no file of results: give --store FILE" in run("results").err
    assert "nor a file" in run("results", tmp_path / "other.store").err


@pytest.mark.parametrize("words", [("play",), ("simulate", "-n", 3), ("tournament", "-n", 3)])
def test_players_play_variants(run: Run, words: tuple[object, ...]) -> None:
    command, *others = words
    players = ["random", "first-legal"] if command == "tournament" else ["random"]
    base = [command, *players, *others, "--seed", 1, "--players", 2, "--json"]
    rules = '{"preset": "hanab_live", "variant": "Rainbow (5 Suits)"}'
    shown = [run(*base, *more) for more in (
        ("--variant", "16"), ("--variant", "Rainbow (5 Suits)"), ("--rules", rules)
    )]  # fmt: skip
    documents = [json.loads(outcome.out) for outcome in shown]
    for document in documents:
        document.pop("games_per_second", None)
    assert documents[0] == documents[1] == documents[2]
    assert "is not a variant of hanab.live" in run(*base, "--variant", "Rainboww").err
    assert "the rules have a variant already" in run(*base, "--variant", 1, "--rules", rules).err
    assert "a variant goes with hanab_live" in run(*base, "--variant", 1, "--rules", "hle").err
