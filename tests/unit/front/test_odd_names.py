"""Names that no text can hold, and that a spreadsheet computes, in every form of output.

The name of a file may have bytes that are no UTF-8; JSON may name halves of surrogate pairs.
"""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any

import pytest

from ..conftest import Run

DATA = Path(__file__).parents[2] / "data"
NAMES = ["=cmd|' /C calc'!A0", "\ud800tab\there", "-1+2"]
ODD = os.fsdecode(b"\xffgame.json")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a game whose file and players have odd names."""
    monkeypatch.chdir(tmp_path)
    games = tmp_path / "games"
    games.mkdir()
    data = json.loads((DATA / "hanab_live/games/2906.json").read_text(encoding="utf-8"))
    try:
        (games / ODD).write_text(json.dumps({**data, "players": NAMES}))
    except OSError:
        pytest.skip("this file system refuses such names")
    return games


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a table; the file is UTF-8, with a line for each row."""
    if path.suffix == ".parquet":
        parquet = pytest.importorskip("pyarrow.parquet")
        rows: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
        return rows
    text = path.read_bytes().decode()
    found = [*csv.DictReader(text.splitlines())]
    assert len(found) == text.count("\n") - 1
    assert "\t" not in text
    for row in found:
        for cell in row.values():
            assert len(cell) < 2_000
            assert cell[:1] not in {*"=+@"}
    return found


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
@pytest.mark.parametrize("command", ["solve", "review"])
def test_answers_are_written(run: Run, folder: Path, command: str, ending: str) -> None:
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    out = Path(f"out.{ending}")
    for _ in range(2):  # the second run finds the answers of the first
        outcome = run(command, folder, "-o", out)
        assert (outcome.status, outcome.out, outcome.err) == (0, "", "")
    if ending == "jsonl":
        [line] = [json.loads(line) for line in out.read_text("ascii").splitlines()]
        assert line["item"] == ODD
    else:
        [row] = rows_of(out)
        assert row["item"] == r"\udcffgame.json"


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_tables_of_reviews_are_written(run: Run, folder: Path, ending: str) -> None:
    moves, players = Path(f"m.{ending}"), Path(f"p.{ending}")
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    for source in (folder, folder / ODD):
        words = ("-o", "r.jsonl") if source == folder else ()
        assert run("review", source, *words, "--moves", moves, "--by-player", players).status == 0
        names = {row["player"] for row in rows_of(players)}
        if ending == "csv":
            assert names == {"'=cmd|' /C calc'!A0", r"\ud800tab\there", "'-1+2"}
        else:
            assert names == {NAMES[0], r"\ud800tab\there", "-1+2"}
        assert len(rows_of(moves)) == 55


def test_converted_games_have_their_names(run: Run, folder: Path) -> None:
    assert run("convert", folder, "-o", "c.csv").status == 0
    [row] = rows_of(Path("c.csv"))
    assert row["names"] == json.dumps([NAMES[0], r"\ud800tab\there", NAMES[2]]).replace(r"\\", "\\")
    assert row["id"] == r"\udcffgame.json"
    [game] = [json.loads(line) for line in run("convert", folder).out.splitlines()]
    assert game["players"] == NAMES


def test_pages_and_pictures_are_written(run: Run, folder: Path) -> None:
    for words in (
        ("review", "--html", "a.html", "-o", "a.json"),
        ("view", "-o", "b.html"),
        ("show", "--svg", "c.svg", "--tikz", "d.tex"),
        ("solve", "--svg", "e.svg", "-o", "e.json"),
    ):
        command, *options = words
        assert run(command, folder / ODD, *options).status == 0
        for name in options[1::2]:
            assert Path(name).read_bytes().decode()


def test_an_odd_name_may_be_an_output_and_a_store(run: Run, folder: Path) -> None:
    odd = os.fsdecode(b"\xffout")
    assert run("solve", folder, "-o", f"{odd}.csv").status == 0
    assert rows_of(Path(f"{odd}.csv"))[0]["status"] == "winnable"
    words = ("random", "-n", 2, "--seed", 1, "--store", f"{odd}.db")
    assert run("simulate", *words, "-o", f"{odd}1.csv").status == 0
    assert len(rows_of(Path(f"{odd}1.csv"))) == 2


def test_a_player_with_an_odd_name_plays_and_is_stored(run: Run, folder: Path) -> None:
    """Its name is in the store, in tables and in the games that it played."""
    source = "class P:\n    def act(self, view, rng):\n        return view.legal_actions[0]\n"
    odd = os.fsdecode(b"./b\xff.py")
    Path(odd).write_text(source)
    words = ("--players", 2, "-n", 2, "--seed", 1)
    store = ("--store", "s.db", "-o", "s.csv", "--games-out", "g.jsonl")
    assert run("simulate", f"{odd}:P", *words, *store).status == 0
    assert rows_of(Path("s.csv"))[0]["players"].startswith(r"./b\udcff.py:P")
    assert "udcff" in run("results", "list", "--store", "s.db").out
    assert run("results", "export", "--store", "s.db", "-o", "e.csv").status == 0
    assert rows_of(Path("e.csv"))
    assert run("review", "g.jsonl", "-o", "r.csv", "--by-player", "p.csv").status == 0
    assert "udcff" in rows_of(Path("p.csv"))[0]["player"]
    if pytest.importorskip("matplotlib"):
        picture = ("--csv", "t.csv", "--plot", "t.svg")
        assert run("tournament", f"{odd}:P", "random", *words, *picture).status == 0
        assert "udcff" in rows_of(Path("t.csv"))[0]["team"]


def test_no_cell_of_csv_holds_the_moves_of_a_game(run: Run, folder: Path) -> None:
    """Arrays of moves are in the lines beside the table; Parquet has them, too."""
    for command, name in (("solve", "actions"), ("review", "moves")):
        assert run(command, folder, "-o", f"{command}.csv").status == 0
        [row] = rows_of(Path(f"{command}.csv"))
        assert name not in row
        [line] = Path(f"{command}.csv.jsonl").read_text().splitlines()
        assert json.loads(line)[name]
        pytest.importorskip("pyarrow")
        assert run(command, folder, "-o", f"{command}.parquet").status == 0
        [row] = rows_of(Path(f"{command}.parquet"))
        assert json.loads(row[name])
