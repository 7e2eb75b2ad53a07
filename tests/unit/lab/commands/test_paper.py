from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from hanabi.lab import Store
from hanabi.lab.least_hand import LeastHandLaw, Threshold
from hanabi.lab.report import charts as canvas
from hanabi.players import RuleBased, simulate
from hanabi.rules import Rules

from ...conftest import Run


def test_table_1(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    words = ("paper", "table1", "-n", 20, "--seed", 5, "--repeat", 2, "--out", folder)
    outcome = run(*words, "--store", tmp_path / "t.db")
    assert (outcome.status, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[1] == "20 deals 2 times a number, seed 5"
    assert lines[-1] == f"written: {folder}/table1.csv, {folder}/table1.svg"
    assert max(map(len, lines[:-1])) <= 80
    assert (folder / "table1.svg").read_text().startswith("<?xml")
    rows = list(csv.DictReader((folder / "table1.csv").read_text().splitlines()))
    assert len(rows) == 48
    best = next(row for row in rows if row["printed"] == "15.4")
    rules, player = Rules.bergh2016(3), RuleBased(hint=3, discard=2, play=0.6)
    tallies = [simulate(player, rules, 20, seed=5, repeat=repeat) for repeat in range(2)]
    assert float(best["mean"]) == pytest.approx((tallies[0] + tallies[1]).zeroed.mean)
    with Store(tmp_path / "t.db") as store:
        assert sum(work.items for work in store.works()) == 48 * 2 * 20


def test_figure_2(run: Run, tmp_path: Path) -> None:
    outcome = run("paper", "figure2", "-n", 2, "--out", tmp_path)
    assert outcome.status == 0
    assert max(map(len, outcome.out.splitlines()[:-1])) <= 80
    assert len((tmp_path / "figure2.csv").read_text().splitlines()) == 332
    assert (tmp_path / "figure2.svg").stat().st_size > 10_000


def test_without_matplotlib_there_is_everything_but_the_picture(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(canvas, "find_spec", lambda _: None)
    outcome = run("paper", "table1", "-n", 1, "--out", tmp_path)
    assert outcome.status == 0
    assert outcome.err == (
        f"hanabi: note: {tmp_path}/table1.svg is not drawn: plots need matplotlib:"
        " pip install '.[plots]' in a checkout of hanabi\n"
    )
    assert "printed numbers" in outcome.out
    assert outcome.out.endswith(f"\nwritten: {tmp_path}/table1.csv\n")
    assert [each.name for each in tmp_path.iterdir()] == ["table1.csv"]


def test_files_are_replaced_when_they_are_whole(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("hanabi.lab.report.papers.plot_experiment", interrupted)
    picture = tmp_path / "table1.svg"
    picture.write_text("old")
    outcome = run("paper", "table1", "-n", 1, "--out", tmp_path)
    assert (outcome.status, outcome.err) == (130, "hanabi: interrupted\n")
    assert "printed numbers" in outcome.out
    assert picture.read_text() == "old"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["table1.csv", "table1.svg"]


SMALL = {
    "least-hand": lambda **_: LeastHandLaw(lengths=(60, 240), few_values=((2, 50),)),
    "threshold": lambda **_: Threshold(shapes=((2, 6, 2), (5, 4, 2), (5, 5, 2), (3, 5, 2))),
}


@pytest.mark.parametrize("name", SMALL)
def test_random_streams(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("hanabi.lab.papers.EXPERIMENTS", SMALL)
    outcome = run("paper", name, "-n", 20, "--seed", 5, "--out", tmp_path)
    assert (outcome.status, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert max(map(len, lines[:-1])) <= 80
    assert lines[1].endswith("seed 5")
    assert lines[-1].split()[1:] == [
        f"{tmp_path}/{name}.{ending}{comma}"
        for ending, comma in (("csv", ","), ("json", ","), ("svg", ","), ("pdf", ""))
    ]
    data = json.loads((tmp_path / f"{name}.json").read_text())
    assert (data["experiment"], data["streams"], data["seed"]) == (name, 20, 5)
    rows = list(csv.DictReader((tmp_path / f"{name}.csv").read_text().splitlines()))
    if name == "threshold":
        assert len(rows) == sum(len(row["points"]) for row in data["rows"])
        assert [row["share"] for row in rows if row["n"] == "2"][-1] == "1.0"
    else:
        assert [float(row["mean"]) for row in rows] == [row["mean"] for row in data["rows"]]
    assert (tmp_path / f"{name}.svg").read_text().startswith("<?xml")
    assert (tmp_path / f"{name}.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["table2"],
            "did you mean 'table1'? There are table1, figure2, figure3, least-hand, threshold",
        ),
        (["threshold", "--repeat", 2], "repeats = 2: a stream has one least hand"),
        (["least-hand", "-n", 1], "deals = 1 is not in 2 .. 1,000,000"),
        (["table1", "-n", 0], "deals = 0 is less than 1"),
        (["table1", "--repeat", 0], "repeats = 0 is less than 1"),
        (["table1", "--out", "README.md"], "--out 'README.md'"),
        (["table1", "-n", 10**8], "4,800,000,000 games in all; at most 100,000,000"),
        (["table1", "--repeat", 10**12], "repeats of 48 teams; at most 100,000 in all"),
        (["table1", "--out", ""], "--out: the name of the folder is empty"),
        (["table1", "--store", "table1.svg"], "--out: table1.svg 'table1.svg' is the store"),
        (["table1", "--executor", "x"], "executor 'x'"),
    ],
)
def test_bad_options(
    run: Run, words: list[object], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "README.md").touch()
    outcome = run("paper", *words)
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
