from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest

from hanabi.front.app import main
from hanabi.solitaire.counting import bad, total
from hanabi.solitaire.counting.vector import format_integer


class Outcome(NamedTuple):
    status: int
    out: str
    err: str


Run = Callable[..., Outcome]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run_it(*arguments: object) -> Outcome:
        status = main(["count", *map(str, arguments)])
        return Outcome(status, *capsys.readouterr())

    return run_it


def test_the_stable_form(run: Run) -> None:
    assert json.loads(run("3,2,2", "--json").out) == {
        "x": [3, 2, 2],
        "total": "210",
        "bad": "83",
        "good": "127",
        "probability": {"fraction": "127/210", "float": 127 / 210},
    }


@pytest.mark.parametrize("words", ["4x13", "3,2,2,2,1 --hand 1", "3,2,2,2,1 --curve"])
def test_exact_numbers_as_csv(run: Run, tmp_path: Path, words: str) -> None:
    path = tmp_path / "a.csv"
    data = json.loads(run(*words.split(), "--json", "--csv", path).out)
    points = data.get("curve", [data])
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert [row["won"] for row in rows] == [point["good"] for point in points]
    assert {row["decks"] for row in rows} == {data["total"]}
    assert [row["hand_size"] for row in rows] == [str(p.get("hand_size", 0)) for p in points]
    for row, point in zip(rows, points, strict=True):
        assert math.isclose(float(row["probability"]), point["probability"]["float"])
        assert row["low"] == row["high"] == ""


def test_estimates_as_csv(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    words = ("2,1,1", "--colors", 3, "--seed", 5, "--samples", 300, "--csv", path)
    point = json.loads(run(*words, "--json", "--hand", 2).out)
    assert path.read_text() == (
        "hand_size,decks,won,probability,low,high\n"
        f"2,300,{point['won']},{point['won'] / 300:.12g},"
        f"{point['probability']['low']},{point['probability']['high']}\n"
    )
    text = run(*words, "--hand", 2).out
    assert re.search(r"probability 0\.\d{2,3}, 95 % interval 0\.\d{2,3} \.\. 0\.\d{2,3}\n", text)


def test_text(run: Run) -> None:
    lines = run("4x13").out.splitlines()
    assert lines[0] == "x = 4x13: 52 cards, values 1 .. 13"
    assert lines[2].split() == ["bad", "91973270026324484565579418350194489655582912237019"]
    assert lines[4].split() == ["probability", "0.000553899741103"]


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_ten_thousand_digits_are_all_there(run: Run, options: list[str]) -> None:
    x = (4,) * 1000
    outcome = run("4x1000", *options)
    assert outcome.status == 0
    for number in (bad(x), total(x)):
        assert format_integer(number) in outcome.out
    if options:
        data = json.loads(outcome.out)
        numerator, denominator = data["probability"]["fraction"].split("/")
        assert len(denominator) > 4300
        # Compare without turning long strings into integers.
        exact = Fraction(total(x) - bad(x), total(x))
        assert format_integer(exact.numerator) == numerator
        assert format_integer(exact.denominator) == denominator


def test_hands_and_colors(run: Run) -> None:
    data = json.loads(run("3,2,2,2,1", "--hand", 2, "--json").out)
    assert (data["hand_size"], data["colors"], data["good"]) == (2, 1, "68100")
    data = json.loads(run("2,1", "--colors", 2, "--hand-size", 0, "--json").out)
    assert (data["total"], data["good"]) == ("180", "80")
    assert "hand 1" in run("2,1", "--colors", 2, "--hand", 1).out


def test_estimates(run: Run) -> None:
    arguments = ("3,2x3,1", "--colors", 5, "--hand", 6, "--samples", 500, "--seed", 1)
    data = json.loads(run(*arguments, "--json").out)
    assert (data["samples"], data["seed"], data["hand_size"]) == (500, 1, 6)
    p = data["probability"]
    assert p["low"] < p["float"] == data["won"] / 500 < p["high"]
    assert f"{data['won']} of 500 decks (seed 1)" in run(*arguments).out


def test_curves(run: Run, tmp_path: Path) -> None:
    exact = json.loads(run("2,1,1", "--curve", "--json").out)["curve"]
    assert [point["probability"]["fraction"] for point in exact] == ["1/4", "5/6", "1/1"]
    plot = tmp_path / "curve.svg"
    outcome = run("2,1,1", "--colors", 3, "--seed", 5, "--samples", 300, "--plot", plot)
    rows = outcome.out.splitlines()[4:]
    assert rows[0].split()[:2] == ["0", "0.015625"]
    assert float(rows[-1].split()[1]) == 1.0
    assert plot.read_text().startswith("<?xml")
    data = json.loads(
        run("2,1,1", "--colors", 3, "--seed", 5, "--samples", 300, "--curve", "--json").out
    )
    assert data["curve"][0]["probability"]["fraction"] == "1/64"
    assert math.isclose(
        data["curve"][1]["probability"]["float"], float(rows[1].split()[1]), abs_tol=1e-6
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-1,2"], "item 1: '-1'"),
        (["3,-2"], "item 2: '-2'"),
        ([""], "an empty vector"),
        (["0x0"], "no values at all"),
        (["--bogus"], "'--bogus'"),
        (["4x1000000000"], "about 517 years and"),
        (["4x99999999999999999"], "too large to count"),
        (["2x100000", "--time", "1"], "seconds and"),
        (["3", "--colors", "0"], "colors: 0"),
        (["1", "--colors", "99999999999"], "colors"),
        (["4x13", "--hand", "5"], "; --samples 10000 estimates it"),
        (["4x13", "--curve", "--hand", "2"], "for all hand sizes"),
        (["3", "--plot", "x.gif"], "'x.gif'"),
        (["3,2", "--samples", "0"], "samples: 0"),
        (["3,2", "--hand", "-1"], "--hand"),
        (["3,2", "--csv=-"], "--csv -: standard output has the answer; name a file"),
        (["3,2,2,2,1", "--colors", "5", "--hand", "9", "--time", "0.01"], "; --samples 10000"),
    ],
)
def test_bad_input(run: Run, arguments: list[str], message: str) -> None:
    outcome = run(*arguments)
    assert outcome.status == 2
    assert outcome.out == ""
    assert outcome.err.startswith("hanabi: error: ")
    assert outcome.err.count("\n") == 1
    assert message in outcome.err
