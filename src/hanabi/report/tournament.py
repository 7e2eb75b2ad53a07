"""Tables and pictures of a tournament."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import MappingProxyType

from hanabi.lab.stats import Comparison, Estimate, Summary
from hanabi.lab.tournament import Results
from hanabi.report.tables import Cell

__all__ = ["TEAMS", "plot_tournament", "team_rows", "teams_of"]

TEAMS = MappingProxyType(
    {
        "stranger": "string",
        "team": "string",
        "games": "int64",
        "mean": "double",
        "standard_error": "double",
        "perfect": "int64",
        "bombed": "int64",
        "mean_kept": "double",
        "mean_zeroed": "double",
        "change": "double",
        "change_standard_error": "double",
    }
)
"""The columns of `team_rows`, and their types."""

_LONGEST_NAME = 36


def teams_of(results: Results) -> Iterator[tuple[int, int, Summary, Comparison | None]]:
    """Yield who is a stranger in whose team, how they score, and whether they are welcome."""
    for a, (cells, welcome) in enumerate(zip(results.cells, results.welcome, strict=True)):
        for b, (cell, change) in enumerate(zip(cells, welcome, strict=True)):
            if cell is not None:
                yield a, b, cell, change


def team_rows(players: Sequence[str], results: Results) -> Iterator[list[Cell]]:
    """Yield a row for each team, with the columns `TEAMS`."""
    for a, b, cell, welcome in teams_of(results):
        change = [None, None] if welcome is None else _rounded(welcome.difference)
        means = [*_rounded(cell.score), cell.scores.perfect, cell.tally.n_bombed]
        means += [round(cell.kept.value, 6), round(cell.zeroed.value, 6)]
        yield [players[a], players[b], cell.games, *means, *change]


def _rounded(estimate: Estimate) -> list[float | None]:
    error = estimate.standard_error
    return [round(estimate.value, 6), None if math.isnan(error) else round(error, 6)]


def plot_tournament(players: Sequence[str], results: Results, path: Path) -> None:
    """Draw the mean scores into a file (.svg, .png or .pdf)."""
    from hanabi.report.charts import plot_matrix

    numbers = [str(number) for number in range(1, len(players) + 1)]
    plot_matrix(
        [[math.nan if cell is None else cell.score.value for cell in row] for row in results.cells],
        path,
        rows=[f"{_shortened(name)}  {n}" for name, n in zip(players, numbers, strict=True)],
        columns=numbers,
        row_label="one stranger",
        column_label="in a team of",
        value_label="mean score",
        texts=[
            ["" if cell is None else f"{cell.score.value:.2f}" for cell in row]
            for row in results.cells
        ],
    )


def _shortened(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 3]}..."
