from __future__ import annotations

import csv
import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from hanabi.lab import Store
from hanabi.lab.store import sealed
from hanabi.lab.work import canonical, key_of_text

from ...conftest import Run


@pytest.fixture
def store(run: Run, tmp_path: Path) -> Path:
    path = tmp_path / "runs.db"
    run("simulate", "random", "-n", 30, "--seed", 1, "--store", path, "--repeat", 2)
    run("simulate", "random", "first-legal", "-n", 5, "--seed", 1, "--store", path)
    return path


def keys(path: Path) -> list[str]:
    with Store(path) as store:
        return [work.key for work in store.works()]


def test_list(run: Run, store: Path) -> None:
    out = run("results", "--store", store).out
    assert out == run("results", "list", "--store", store).out
    lines = out.splitlines()
    assert lines[0] == f"3 results in {store}"
    assert [line.split()[0] for line in lines[3:]] == [key[:8] for key in keys(store)]
    assert max(map(len, lines[1:])) <= 80
    assert "random; first-legal" in out
    data = json.loads(run("results", "--store", store, "--json").out)
    assert [each["items"] for each in data] == [30, 30, 5]
    assert data[2]["config"]["players"] == ["random", "first-legal"]


def test_show(run: Run, store: Path) -> None:
    first, second, _ = keys(store)
    out = run("results", "show", second, "--store", store).out
    assert out.splitlines()[0] == f"key         {second}"
    assert "3 players, hanab_live rules, seed 1, repeat 1" in out
    assert "if a bombed game keeps its points" in out
    assert run("results", "show", "--store", store).out.count("key  ") == 3
    (data,) = json.loads(run("results", "show", first, "--store", store, "--json").out)
    assert (data["players"], data["games"]) == ("random", 30)
    simulated = run("simulate", "random", "-n", 30, "--seed", 1, "--json").out
    assert data["mean_kept"] == pytest.approx(json.loads(simulated)["kept"]["mean"], abs=1e-6)


def test_export(run: Run, store: Path, tmp_path: Path) -> None:
    text = run("results", "export", "--store", store).out
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["games"] for row in rows] == ["30", "30", "5"]
    page = run("results", "export", "--store", store, "--format", "markdown").out
    assert page.splitlines()[0].startswith("| key | players |")
    assert len(page.splitlines()) == 5
    for name in ("a.csv", "a.md", "a.parquet"):
        assert run("results", "export", "--store", store, "-o", tmp_path / name).out == ""
    assert (tmp_path / "a.csv").read_text() == text
    assert (tmp_path / "a.md").read_text() == page
    assert parquet.read_table(tmp_path / "a.parquet").num_rows == 3


def test_export_of_games(run: Run, store: Path) -> None:
    key = keys(store)[0]
    text = run("results", "export", key[:10], "--games", "--store", store).out
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [int(row["deal"]) for row in rows] == list(range(30))
    assert {row["key"] for row in rows} == {key}


def test_an_empty_store(run: Run, tmp_path: Path) -> None:
    Store(tmp_path / "e.db").close()
    assert run("results", "--store", tmp_path / "e.db").out.startswith("0 results in ")
    assert run("results", "show", "--store", tmp_path / "e.db").out == ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["burn"], "'burn' is neither an action (list, show, export, merge) nor a file"),
        (["show", "zzz"], "no results have the key 'zzz'"),
        (["export", "--format", "xls"], "--format 'xls': there are csv, markdown, parquet"),
        (["export", "-o", "a.xls"], "--output 'a.xls' ends in none of .csv, .md"),
        (["export", "--format", "parquet"], "give -o FILE.parquet"),
        (["export", "-o", "no/such/a.csv"], "no/such/a.csv"),
        (["export", "-o", "no/such/a.parquet"], "no/such/a.parquet"),
        (["export", "-o", ""], "--output: the name of the file is empty"),
        (["export", "--output=-", "--format", "parquet"], "give -o FILE.parquet"),
        (["export", "--json"], "results export takes no --json"),
        (["list", "-o", "a.csv"], "results list takes no --output"),
        (["list", "--format", "csv"], "results list takes no --format"),
        (["--games"], "results list takes no --games"),
        (["show", "-o", "a.csv"], "results show takes no --output"),
        (["show", "--format", ""], "results show takes no --format"),
        (["show", "--games"], "results show takes no --games"),
    ],
)
def test_bad_options(run: Run, store: Path, words: list[object], message: str) -> None:
    outcome = run("results", *words, "--store", store)
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


def test_what_is_no_store(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.db").write_text("garbage " * 1000)
    for path, message in (("x.db", "not a database"), ("none.db", "there is no store")):
        outcome = run("results", "--store", tmp_path / path)
        assert (outcome.status, outcome.out) == (2, "")
        assert message in outcome.err


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("kind", ["same", "symbolic", "hard", "log"])
def test_no_store_is_written_over(run: Run, store: Path, ending: str, kind: str) -> None:
    target = store
    if kind in ("symbolic", "hard"):
        target = store.with_name("link.db")
        (target.symlink_to if kind == "symbolic" else target.hardlink_to)(store)
    elif kind == "log":
        target = store.with_name("runs.db-wal")
    before = store.read_bytes()
    outcome = run("results", "export", "--store", store, "-o", target, "--format", ending)
    assert (outcome.status, outcome.out) == (2, "")
    assert "the store" in outcome.err
    assert outcome.err.count("\n") == 1
    assert store.read_bytes() == before


@pytest.mark.parametrize("ending", ["csv", "md", "parquet"])
def test_an_export_that_fails_leaves_the_old_file(
    run: Run, store: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    target = store.with_name(f"old.{ending}")
    target.write_text("old")

    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("hanabi.lab.commands.results.kept_games", fail)
    assert run("results", "export", "--store", store, "-o", target).status == 130
    assert target.read_text() == "old"
    assert sorted(each.name for each in store.parent.iterdir() if each.name[0] == ".") == []


def test_standard_output_has_a_name(run: Run, store: Path) -> None:
    out = run("results", "export", "--store", store).out
    assert run("results", "export", "--store", store, "--output=-").out == out


@pytest.mark.parametrize(
    "words",
    [["results"], ["simulate", "random"], ["tournament", "random", "rule-based"]],
)
def test_a_store_without_a_name_is_refused(run: Run, words: list[str]) -> None:
    outcome = run(*words, "--store", "")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err == "hanabi: error: the name of the store is empty\n"


def test_damaged_rows_are_named_and_played_again(run: Run, store: Path) -> None:
    command = ("simulate", "random", "-n", 30, "--seed", 1, "--repeat", 2, "--json")
    whole = json.loads(run(*command).out)
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("UPDATE chunks SET payload = zeroblob(length(payload))")
        connection.commit()
    listed = run("results", "--store", store)
    assert [line.split()[-3:] for line in listed.out.splitlines()[3:]] == [["0", "0.0", "s"]] * 3
    notes = listed.err.splitlines()
    assert 1 < len(notes) <= 6
    assert all(note.startswith("hanabi: note: ") and "damaged" in note for note in notes)
    again = run(*command, "--store", store)
    assert "is damaged and left out" in again.err
    again_data = json.loads(again.out)
    assert {**again_data, "games_per_second": 0} == {**whole, "games_per_second": 0}
    assert run(*command, "--store", store).err == ""


def forge(path: Path, players: Any, kind: str = "games") -> None:
    """Put work that nobody can have done into a store."""
    config = canonical({"players": players, "rules": {"\x1b[2J": 1}, "seed": 1, "repeat": 0})
    row = sealed((key_of_text(kind, 1, config), kind, 1, config, 1e9))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO works VALUES (?, ?, ?, ?, ?, ?)", row)
        connection.commit()


@pytest.mark.parametrize("players", [None, 7, [7], ["no-such"], ["x" * 5000], []])
def test_nonsense_in_a_store_is_told(run: Run, store: Path, players: Any) -> None:
    forge(store, players)
    for words in (["list"], ["show"], ["show", "--json"], ["export"], ["export", "--games"]):
        outcome = run("results", *words, "--store", store)
        assert outcome.status == 0
        assert outcome.err.startswith("hanabi: note: work ")
        assert outcome.err.endswith("; its games are left out\n")
        assert outcome.err.count("\n") == 1
