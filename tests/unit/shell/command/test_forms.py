"""The ending of a file chooses its form, or is refused: for every option that writes one."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from hanabi.front.app import app
from hanabi.front.menu import COMMANDS
from hanabi.ground.errors import InvalidInputError
from hanabi.shell.command.files import Form, form_of

from ...conftest import Run

DATA = Path(__file__).parents[3] / "data"
GAMES = DATA / "hanab_live" / "games"
GAME, FORMULA = GAMES / "2906.json", DATA / "satlib" / "uf20-01.cnf"
NAMES = [name for group in COMMANDS.values() for name in group]

WRITES: dict[str, tuple[list[object], list[str]]] = {
    "solve": ([GAMES], ["--output", "--proof", "--dimacs", "--svg", "--tikz", "--pdf"]),
    "review": ([GAMES], ["--output", "--html", "--moves", "--by-player"]),
    "view": ([GAME], ["--output"]),
    "show": ([GAME], ["--svg", "--tikz", "--pdf"]),
    "convert": ([GAME], ["--output"]),
    "atlas": (["-n", 1], ["--output", "--lost", "--plot"]),
    "difficulty": (["p2v0s1"], ["--output"]),
    "partition": ([GAMES], ["--output"]),
    "simulate": (["random", "-n", 1], ["--output", "--games-out"]),
    "tournament": (
        ["random", "first-legal", "-n", 1],
        ["--output", "--csv", "--plot", "--games-out"],
    ),
    "results": (["export"], ["--output"]),
    "reduce": ([FORMULA], ["--output"]),
    "explain": ([FORMULA], ["--svg", "--tikz", "--pdf"]),
    "count": (["2,1"], ["--csv", "--plot"]),
}
"""What each command is given, and its options that name a file to write."""


def test_every_option_that_writes_a_file_is_known_here() -> None:
    """An option whose help speaks of a file to write is in `WRITES`; so a new one is tried, too."""
    for name in NAMES:
        listed = WRITES.get(name, ([], []))[1]
        for argument in app[name].assemble_argument_collection():
            told = str(argument.parameter.help or "").lower()
            if "this file" in told or "to this file" in told or "csv file" in told:
                names = argument.parameter.name or ()
                assert set(names) & {*listed, "--store"}, (name, names)


@pytest.mark.parametrize("ending", [".xlsx", ".gz"])
@pytest.mark.parametrize(
    ("name", "option"), [(name, option) for name in WRITES for option in WRITES[name][1]]
)
def test_an_ending_of_another_form_is_refused_before_the_work(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, option: str, ending: str
) -> None:
    monkeypatch.chdir(tmp_path)
    words = [*WRITES[name][0]]
    if name == "results":
        run("simulate", "random", "-n", 1, "--store", "runs.db")
        words += ["--store", "runs.db"]
    target = f"out{ending}"
    outcome = run(name, *words, option, target)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    assert f"'{target}'" in outcome.err
    assert {path.suffix for path in tmp_path.iterdir()} <= {".db"}


@pytest.mark.parametrize(
    ("words", "refused"),
    [
        (["explain", FORMULA, "--svg", "c.pdf"], "--svg 'c.pdf' does not end in .svg"),
        (["explain", FORMULA, "--tikz", "c.pdf"], "--tikz 'c.pdf' does not end in .tex"),
        (["solve", GAME, "--pdf", "c.tex"], "--pdf 'c.tex' does not end in .pdf"),
        (["review", GAME, "--html", "r.svg"], "--html 'r.svg' does not end in .html"),
        (["convert", f"{GAME}@3", "-o", "p.csv"], "--output 'p.csv' does not end in .json"),
        (["view", GAME, "-o", "g.pdf"], "--output 'g.pdf' does not end in .html"),
        (["reduce", FORMULA, "-o", "c.cnf"], "--output 'c.cnf' does not end in .json"),
        (["solve", GAME, "--proof", "p.cnf"], "--proof 'p.cnf' does not end in .drat"),
        (["solve", GAME, "--dimacs", "p.drat"], "--dimacs 'p.drat' does not end in .cnf"),
        (["count", "2,1", "--csv", "c.parquet"], "--csv 'c.parquet' does not end in .csv"),
        (["solve", GAMES, "-o", "a.json"], "ends in none of .jsonl, .csv, .parquet"),
        (["simulate", "random", "-n", 1, "-o", "a.svg"], "ends in none of .json, .csv, .md"),
        (["simulate", "random", "-n", 1, "--store", "a.csv"], "--store 'a.csv' does not end in"),
    ],
    ids=str,
)  # fmt: skip
def test_forms_of_ours_do_not_stand_for_each_other(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[object], refused: str
) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = run(*words)
    assert (outcome.status, outcome.out) == (2, "")
    assert refused in outcome.err
    assert not [*tmp_path.iterdir()]


def test_endings_that_stand_for_nothing_choose_nothing() -> None:
    assert form_of("-o", "answers.txt", Form.LINES, Form.CSV, default=Form.LINES) is Form.LINES
    assert form_of("-o", None, Form.LINES, Form.CSV) is Form.LINES
    with pytest.raises(InvalidInputError, match=r"-o 'games' ends in none of \.jsonl, \.csv"):
        form_of("-o", "games", Form.LINES, Form.CSV)


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a table as text, from CSV or Parquet."""
    if path.suffix == ".csv":
        with path.open(newline="") as stream:
            return [*csv.DictReader(stream)]
    parquet = pytest.importorskip("pyarrow.parquet")
    rows: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
    return rows


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
@pytest.mark.parametrize("command", ["solve", "review"])
def test_a_table_of_answers_is_that_of_the_lines(
    run: Run, tmp_path: Path, command: str, ending: str
) -> None:
    games = tmp_path / "games"
    games.mkdir()
    for number in ("2906", "1889209"):
        (games / f"{number}.json").write_bytes((GAMES / f"{number}.json").read_bytes())
    (games / "bad.txt").write_text("players 2 r1 q7")
    table, lines = tmp_path / f"a{ending}", tmp_path / "a.jsonl"
    for target in (table, lines):
        outcome = run(command, games, "-o", target)
        assert (outcome.status, outcome.out) == (2, "")
    rows = rows_of(table)
    documents = [json.loads(line) for line in lines.read_text().splitlines()]
    assert [row["item"] for row in rows] == [each["item"] for each in documents]
    assert [row["error"] or None for row in rows] == [each.get("error") for each in documents]
    assert [document["item"] for document in documents if "error" in document] == ["bad.txt"]
    for row, document in zip(rows, documents, strict=True):
        if "error" in document:
            continue
        assert [int(row[f"best.{end}"]) for end in ("lower", "upper")] == [
            *document["best"].values()
        ]
        assert row["link"] == (document["link"] or row["link"])
    assert "hash" not in rows[0]


def test_a_table_that_was_interrupted_goes_on(run: Run, tmp_path: Path) -> None:
    """Its lines are kept beside it; what is torn there is done again."""
    seeds, table = "p2v0s1..4", tmp_path / "a.csv"
    assert run("solve", seeds, "-o", table).status == 0
    whole = table.read_text()
    kept = tmp_path / "a.csv.jsonl"
    first, second, *_ = kept.read_text().splitlines(keepends=True)
    table.unlink()
    kept.write_text(first + second[:50])
    assert run("solve", seeds, "-o", table).status == 0
    assert kept.read_text().startswith(first)
    assert [row["item"] for row in rows_of(table)] == ["p2v0s1", "p2v0s2", "p2v0s3", "p2v0s4"]
    assert whole.splitlines()[:2] == table.read_text().splitlines()[:2]


def test_simulate_writes_its_games_and_its_document(run: Run, tmp_path: Path) -> None:
    words = ("simulate", "rule-based", "-n", 4, "--seed", 1, "--repeat", 2)
    shown = json.loads(run(*words, "--json", "-o", tmp_path / "a.json").out)
    assert json.loads((tmp_path / "a.json").read_text()) == shown
    assert "mean" in run(*words, "-o", tmp_path / "a.csv").out
    rows = rows_of(tmp_path / "a.csv")
    assert [(row["repeat"], row["deal"]) for row in rows] == [
        (repeat, deal) for repeat in "01" for deal in "0123"
    ]
    points = [int(row["points"]) for row in rows]
    assert sum(points) / len(points) == pytest.approx(shown["kept"]["mean"])
    store = tmp_path / "runs.db"
    run(*words, "--store", store)
    exported = run("results", "export", "--store", store, "--games").out
    assert sorted(exported.splitlines()) == sorted((tmp_path / "a.csv").read_text().splitlines())


def test_tournaments_and_difficulties_write_files(run: Run, tmp_path: Path) -> None:
    words: tuple[object, ...] = ("tournament", "random", "first-legal", "-n", 3, "--seed", 1)
    shown = json.loads(run(*words, "--json", "-o", tmp_path / "t.json").out)
    assert json.loads((tmp_path / "t.json").read_text()) == shown
    run(*words, "-o", tmp_path / "t.csv", "--csv", tmp_path / "u.csv")
    assert (tmp_path / "t.csv").read_text() == (tmp_path / "u.csv").read_text()
    assert len(rows_of(tmp_path / "t.csv")) == len(shown["teams"]) == 4
    run(*words, "-o", tmp_path / "t.md")
    assert (tmp_path / "t.md").read_text().startswith("| stranger | team | games |")

    words = ("difficulty", "p2v0s1", "--by", "random", "-n", 5, "--each", 4, "--sample", 3)
    shown = json.loads(run(*words, "--json", "-o", tmp_path / "d.json").out)
    assert json.loads((tmp_path / "d.json").read_text()) == shown
    run(*words, "-o", tmp_path / "d.csv")
    [row] = rows_of(tmp_path / "d.csv")
    assert (row["player"], row["percentile.decks"], row["points.most"]) == ("random", "3", "25")


def test_many_decks_have_their_difficulties(run: Run, tmp_path: Path) -> None:
    decks = tmp_path / "decks"
    decks.mkdir()
    for name in ("a", "b"):
        run("deck", "--seed", 1, "--players", 2)
        (decks / f"{name}.txt").write_text(run("deck", "--seed", 1, "--players", 2).out)
    (decks / "c.txt").write_text("r1 q7")
    by = ("--by", "random", "-n", 5, "--each", 4, "--sample", 3)
    lines = tmp_path / "d.jsonl"
    outcome = run("difficulty", decks, *by, "-o", lines)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err == "hanabi: error: 1 of 3 files could not be answered\n"
    first, second, bad = map(json.loads, lines.read_text().splitlines())
    assert first.pop("hash") == second.pop("hash") != bad["hash"]
    assert (first.pop("item"), second.pop("item"), bad["item"]) == ("a.txt", "b.txt", "c.txt")
    assert first == second == json.loads(run("difficulty", decks / "a.txt", *by, "--json").out)
    (decks / "c.txt").write_bytes((decks / "a.txt").read_bytes())
    assert run("difficulty", decks, *by, "-o", lines).status == 0
    assert len(lines.read_text().splitlines()) == 3
