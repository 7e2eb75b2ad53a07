from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from pyarrow import parquet

from hanabi.lab import Store

from .conftest import Run


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
    assert "3 seats, hanab_live rules, seed 1, repeat 1" in out
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
        (["burn"], "'burn': results can list, show, export"),
        (["show", "zzz"], "no results have the key 'zzz'"),
        (["export", "--format", "xls"], "--format 'xls': there are csv, markdown, parquet"),
        (["export", "-o", "a.xls"], "-o 'a.xls': a file ends in .csv, .md, .parquet"),
        (["export", "--format", "parquet"], "give -o FILE.parquet"),
        (["export", "-o", "no/such/a.csv"], "no/such/a.csv"),
        (["export", "-o", "no/such/a.parquet"], "no/such/a.parquet"),
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
