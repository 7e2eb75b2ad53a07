"""Files that were asked for are written, though nobody reads standard output (`... | head`)."""

from __future__ import annotations

import io
import os
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from hanabi.front.app import PIPE_CLOSED, main

DATA = Path(__file__).parents[2] / "data"
GAME, PLAIN = (DATA / f"hanab_live/games/{name}.json" for name in ("1889209", "2906"))
FORMULA = DATA / "satlib/uf20-01.cnf"
STREAM = "hand 1  3 2 1"


def run_unread(words: list[object]) -> int:
    """Run a command; every write to standard output fails, as into a pipe without a reader."""
    reader, writer = os.pipe()
    os.close(reader)
    unread = io.TextIOWrapper(io.FileIO(writer, "w"), "utf-8", write_through=True)
    with unread, redirect_stdout(unread):
        return main([*map(str, words)])


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["explain", FORMULA, "--svg", "a.svg"], ["a.svg"]),
        (
            ["explain", FORMULA, "--windows", "--svg", "a.svg", "--tikz", "a.tex"],
            ["a.svg", "a.tex"],
        ),
        (["explain", "hand 2  1 3 2", "--svg", "a.svg"], ["a.svg"]),
        (["explain", "hand 2  1 3 2", "--svg", "-", "--tikz", "a.tex"], ["a.tex"]),
        (["show", GAME, "--svg", "a.svg"], ["a.svg"]),
        (["show", GAME, "--svg", "-", "--tikz", "a.tex"], ["a.tex"]),
        (["solve", GAME, "--svg", "a.svg", "-o", "a.json"], ["a.json", "a.svg"]),
        (["solve", STREAM, "--proof", "a.drat", "--dimacs", "a.cnf"], ["a.cnf", "a.drat"]),
        (["solve", STREAM, "--proof", "-", "--svg", "a.svg", "-o", "a.json"], ["a.json", "a.svg"]),
        (["solve", STREAM, "--certificate", "a.json"], ["a.json"]),
        (
            ["review", GAME, "--html", "a.html", "--moves", "a.csv", "-o", "a.json"],
            ["a.csv", "a.html", "a.json"],
        ),
        (["review", GAME, "--moves", "-", "--by-player", "b.csv"], ["b.csv"]),
        (["partition", f"{PLAIN}@10", "-o", "a.json"], ["a.json"]),
        (
            ["difficulty", "p2v0s1", "--by", "random", "-n", 4, "--each", 4, "-o", "a.json"],
            ["a.json"],
        ),
        (
            ["simulate", "random", "-n", 2, "--seed", 1, "-o", "a.csv", "--games-out", "g.jsonl"],
            ["a.csv", "g.jsonl"],
        ),
        (
            ["tournament", "random", "first-legal", "-n", 2, "--seed", 1, "-o", "a.csv"],
            ["a.csv"],
        ),
        (
            ["tournament", "random", "first-legal", "-n", 2, "--csv", "a.csv", "-o", "-"],
            ["a.csv"],
        ),
        (["atlas", "No Variant", "-n", 2, "--players", 2, "-o", "a.csv"], ["a.csv"]),
        (["atlas", "No Variant", "-n", 2, "--players", 2, "--lost", "-", "-o", "a.csv"], ["a.csv"]),
        (["count", "2,1", "--csv", "a.csv"], ["a.csv"]),
    ],
    ids=lambda given: " ".join(map(str, given)),
)
def test_files_are_written_before_anything_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[object], names: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_unread(words) == PIPE_CLOSED
    found = sorted(path.name for path in Path().iterdir())
    assert found == names
    assert all(Path(name).stat().st_size for name in found)


def test_a_paper_is_written_before_it_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_unread(["paper", "table1", "-n", 2, "--repeat", 1, "--seed", 1]) == PIPE_CLOSED
    assert Path("table1.csv").stat().st_size
