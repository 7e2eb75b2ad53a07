"""No command writes over what it reads: every option that names a file is tried."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hanabi.front.app import app, main
from options import options_of

FORMULA = "p cnf 3 1\n1 -2 3 0\n"
TABLES = '{"colors": 1, "rows": [[0]]}\n' * 2
STREAM = "hand 2\nr1 r2 r3\n"
GAME = '{"players": 2, "deck": [[1, 0]]}\n' * 2

# Command and option -> an input, the command to be given it, and how the option is spelled.
WRITES: dict[tuple[str, str], tuple[str, str]] = {
    ("solve", "proof"): (STREAM, "solve {file} --proof {file}"),
    ("solve", "certificate"): (STREAM, "solve {file} --certificate {file}"),
    ("solve", "dimacs"): (STREAM, "solve {file} --dimacs {file}"),
    ("solve", "svg"): (STREAM, "solve {file} --svg {file}"),
    ("solve", "tikz"): (STREAM, "solve {file} --tikz {file}"),
    ("solve", "pdf"): (STREAM, "solve {file} --pdf {file}"),
    ("solve", "output"): (GAME, "solve {file} -o {file}"),
    ("review", "output"): (GAME, "review {file} -o {file}"),
    ("review", "html"): (GAME, "review {file} --html {file}"),
    ("review", "moves"): (GAME, "review {file} --moves {file}"),
    ("review", "by_player"): (GAME, "review {file} --by-player {file}"),
    ("show", "svg"): (GAME, "show {file} --svg {file}"),
    ("show", "tikz"): (GAME, "show {file} --tikz {file}"),
    ("show", "pdf"): (GAME, "show {file} --pdf {file}"),
    ("convert", "output"): (GAME, "convert {file} -o {file}"),
    ("partition", "output"): (TABLES, "partition {file} -o {file}"),
    ("reduce", "output"): (FORMULA, "reduce {file} -o {file}"),
    ("view", "output"): (STREAM, "view {file} -o {file}"),
    ("explain", "svg"): (FORMULA, "explain {file} --svg {file}"),
    ("explain", "tikz"): (FORMULA, "explain {file} --tikz {file}"),
    ("explain", "pdf"): (STREAM, "explain {file} --pdf {file}"),
    ("count", "plot"): ("", "count 3,2 --samples 5 --curve --store {file} --plot {file}"),
    ("count", "csv"): ("", "count 3,2 --samples 5 --curve --store {file} --csv {file}"),
    ("atlas", "lost"): ("", "atlas -n 1 --players 2 --store {file} --lost {file}"),
    ("atlas", "plot"): ("", "atlas -n 1 --players 2 --store {file} --plot {file}"),
    ("tournament", "plot"): ("", "tournament random first-legal --store {file} --plot {file}"),
    ("tournament", "csv"): ("", "tournament random first-legal --store {file} --csv {file}"),
    ("tournament", "output"): ("", "tournament random first-legal --store {file} -o {file}"),
    ("simulate", "output"): ("", "simulate random -n 1 --store {file} -o {file}"),
    ("simulate", "games_out"): ("", "simulate random -n 1 --store {file} --games-out {file}"),
    ("tournament", "games_out"): (
        "",
        "tournament random first-legal --store {file} --games-out {file}",
    ),
    ("atlas", "output"): ("", "atlas -n 1 --players 2 --store {file} -o {file}"),
    ("difficulty", "output"): (GAME, "difficulty {file} -o {file}"),
    ("people", "output"): (GAME, "people fit {file} -o {file}"),
}

TEXTS = ("str", "Source", "Text", "Path", "File", "Output", "GamesOut")
# What others of a text type mean; a new one has to be put here or above.
NO_OUTPUTS = {"source", "formula", "instance", "play", "x", "name", "player", "players", "rules",
              "executor", "action", "keys", "form", "method", "variant", "copies", "reduction_by",
              "store", "game", "deals", "parts", "variants", "deck", "by", "actions",
               "host", "known", "parameter", "partners", "words", "kind", "kit", "gain_over",
               "convention", "conventions", "command", "more", "files", "beside",
               "games", "only", "about"}  # fmt: skip
# What names a folder is tried with the command's own tests, as is what only reads a store.
ELSEWHERE = {("paper", "out"), ("results", "output"), ("env", "output")}
# Files that are read although other commands write what is called so.
READ = {("verify", "proof")}


def commands() -> dict[str, Callable[..., object]]:
    names = [name for name in app if not name.startswith("-")]
    return {name: app[name].default_command for name in names}  # type: ignore[misc]


def test_every_option_that_takes_text_is_known() -> None:
    found = {
        (command, option)
        for command, function in commands().items()
        for option, annotation in options_of(function).items()
        if any(word in annotation for word in TEXTS)
        if option not in NO_OUTPUTS
    }
    assert found == WRITES.keys() | ELSEWHERE | READ


@pytest.mark.parametrize(("text", "command"), WRITES.values(), ids=map("-".join, WRITES))
@pytest.mark.parametrize("kind", ["same", "symbolic", "hard", "missing folder", "empty"])
def test_no_command_writes_over_its_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, command: str, kind: str
) -> None:
    ending = ".svg" if "--plot" in command else ".txt"
    given, link = tmp_path / f"in{ending}", tmp_path / f"link{ending}"
    given.write_text(text, encoding="utf-8")
    target = str(given)
    if kind in ("symbolic", "hard"):
        (link.symlink_to if kind == "symbolic" else link.hardlink_to)(given)
        target = str(link)
    elif kind != "same":
        target = "" if kind == "empty" else str(tmp_path / f"no/a{ending}")
    words = command.split()
    words = [str(given) if word == "{file}" else word for word in words[:-1]] + [target]
    before = sorted(tmp_path.iterdir())
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    expected = {"missing folder": "No such file", "empty": "is empty"}
    assert expected.get(kind, " is the ") in err
    assert given.read_text(encoding="utf-8") == text
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    "command",
    [
        "solve {} --proof {} --dimacs {}",
        "tournament random first-legal --store {}.store --csv {}.svg --plot {}.svg",
    ],
)
def test_two_outputs_of_a_command_are_two_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    given, out = tmp_path / "in.txt", tmp_path / "out"
    given.write_text(STREAM, encoding="utf-8")
    assert main(command.format(given, out, out).split()) == 2
    assert "is the file of --p" in capsys.readouterr().err
    assert [each.name for each in tmp_path.iterdir()] == ["in.txt"]
