from __future__ import annotations

import json
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest

from hanabi.cli.app import main
from hanabi.counting import bad, total
from hanabi.counting.digits import format_integer


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
        (["4x13", "--hand", "5"], "estimate it by simulation instead"),
        (["4x13", "--curve", "--hand", "2"], "for all hand sizes"),
        (["3", "--plot", "x.gif"], "'x.gif'"),
        (["3,2", "--samples", "0"], "samples: 0"),
        (["3,2", "--hand", "-1"], "--hand"),
    ],
)
def test_bad_input(run: Run, arguments: list[str], message: str) -> None:
    outcome = run(*arguments)
    assert outcome.status == 2
    assert outcome.out == ""
    assert outcome.err.startswith("hanabi: error: ")
    assert outcome.err.count("\n") == 1
    assert message in outcome.err
