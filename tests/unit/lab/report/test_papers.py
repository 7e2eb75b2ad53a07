from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from hanabi.lab import Simulation
from hanabi.lab.papers import Experiment, figure2, figure3, table1
from hanabi.lab.report.papers import experiment_csv, experiment_text, plot_experiment
from hanabi.lab.stats import Summary

TABLE = table1().resized(deals=2)
PLANES = figure2().resized(deals=2)
CURVES = figure3().resized(deals=2)


def summaries(experiment: Experiment) -> list[Summary]:
    """Return made-up results: point number i has the scores 0 and i % 20."""
    numbers = {experiment.works(point)[0]: i for i, point in enumerate(experiment.points)}

    def read(work: Simulation) -> list[int]:
        return [0, 2 * (numbers[work] % 20)]

    return experiment.summaries(read)


@pytest.mark.parametrize("experiment", [TABLE, PLANES, CURVES])
def test_data_has_a_line_for_each_point(experiment: Experiment) -> None:
    text = experiment_csv(experiment, summaries(experiment))
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == len(experiment.points)
    for number, (row, point) in enumerate(zip(rows, experiment.points, strict=True)):
        assert {name: float(row[name]) for name in point.at} == point.at
        assert row["player"] == point.player
        assert row["printed"] == ("" if point.printed is None else str(point.printed))
        assert float(row["mean"]) == number % 20 / 2
        assert float(row["standard_error"]) == pytest.approx(number % 20 / 2)
        assert (row["games"], row["bombed"]) == ("2", "0.0")


def test_table_1_as_text() -> None:
    lines = experiment_text(TABLE, summaries(TABLE)).splitlines()
    assert max(map(len, lines)) <= 80
    first, last = lines[1].replace("( ", "(").split(), lines[12].replace("( ", "(").split()
    assert " ".join(first) == "1 0.7 0.00 (6.3) 0.50 (13.5) 1.00 (14.5) 1.50 (11.9)"
    assert " ".join(last) == "4 0.5 2.00 (6.8) 2.50 (13.5) 3.00 (14.7) 3.50 (12.2)"
    gaps = [number % 20 / 2 - (point.printed or 0) for number, point in enumerate(TABLE.points)]
    root = (sum(gap * gap for gap in gaps) / 48) ** 0.5
    assert f"48 printed numbers: root mean square difference {root:.3f}" in lines[14]


def test_figure_2_as_text() -> None:
    text = experiment_text(PLANES, summaries(PLANES))
    assert max(map(len, text.splitlines())) <= 80
    tables = text.split("\n\n")
    assert [table.splitlines()[0] for table in tables[:3]] == ["w_h = 1", "w_d = 1", "w_p = 0.6"]
    best = next(line for line in text.splitlines() if line.startswith("w_p = 0.6, w_d = 1, w_h"))
    assert best.endswith("(paper: 15.4)")
    mean = best.split(": ")[1].split()[0]
    # The best point lies in all planes: once in the last column, and at w_p = 0.6 in the others.
    rows = [table.splitlines()[2].split() for table in tables[:3]]
    short = f"{float(mean):.1f}"
    assert (rows[0][7], rows[1][7], rows[2][11]) == (short, short, short)


def test_figure_3_as_text() -> None:
    lines = experiment_text(CURVES, summaries(CURVES)).splitlines()
    assert max(map(len, lines)) <= 80
    # Point number 6 has 500 play-outs, D = 7, and made-up scores 0 and 6.
    assert lines[7].split() == ["7", "500", "3.00", "3.00", "4.24", "0", "-", "6", "2"]
    assert lines[17].split()[-2:] == ["2", "14.5"]


@pytest.mark.parametrize("experiment", [TABLE, PLANES, CURVES], ids=lambda each: each.name)
def test_pictures(experiment: Experiment, tmp_path: Path) -> None:
    plot_experiment(experiment, summaries(experiment), tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
