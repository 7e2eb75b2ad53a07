"""What `hanabi paper` reproduces: as text, as data, as charts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from hanabi.ground import Cell, csv_table, rounded, text_table
from hanabi.lab.least_hand import LeastHandLaw, Threshold
from hanabi.lab.papers import BEST, PLANES, TABLE1, AnyExperiment, Experiment, PaperPoint
from hanabi.lab.report import least_hand as laws
from hanabi.lab.report.charts import Panel, Surface, plot_matrix, plot_panels, plot_surfaces
from hanabi.lab.report.results import SCORES, estimate_cells, score_cells
from hanabi.lab.stats import Comparison, Summary
from hanabi.lab.store import Store
from hanabi.lab.tournament import OpenTeam, Results, TeamGains

__all__ = [
    "OPEN",
    "TEAMS",
    "Report",
    "experiment_csv",
    "experiment_text",
    "open_rows",
    "plot_experiment",
    "plot_tournament",
    "report_of",
    "team_rows",
    "teams_of",
]

_COLUMNS = (
    "player", "printed", "mean", "standard_error", "low", "high", "deviation", "perfect", "bombed",
    "mean_kept", "mean_zeroed", "games", "deals",
)  # fmt: skip
_LABELS = {"play": "w_p", "useless": "w_d", "hinting": "w_h"}


@dataclass(frozen=True, slots=True)
class Report:
    """The results of an experiment: a text, and what writes them to a file, by its ending."""

    text: str
    data: Mapping[str, str]
    plot: Callable[[Path], None]

    def write(self, path: Path) -> None:
        """Write the file that the ending asks for: data, or else a chart."""
        data = self.data.get(path.suffix)
        if data is None:
            self.plot(path)
        else:
            path.write_text(data, encoding="utf-8", newline="\n")


def report_of(experiment: AnyExperiment, store: Store) -> Report:
    """Return the report on a finished experiment.

    Raises
    ------
    StoreError
        If the store lacks some of its results.
    """
    if isinstance(experiment, LeastHandLaw):
        law = experiment.results(store)
        data = {".csv": laws.law_csv(law), ".json": laws.law_json(experiment, law)}
        return Report(laws.law_text(law), data, lambda path: laws.plot_law(law, path))
    if isinstance(experiment, Threshold):
        rows = experiment.results(store)
        data = {".csv": laws.threshold_csv(rows), ".json": laws.threshold_json(experiment, rows)}
        return Report(laws.threshold_text(rows), data, lambda path: laws.plot_threshold(rows, path))
    summaries = experiment.results(store)
    data = {".csv": experiment_csv(experiment, summaries)}
    text = experiment_text(experiment, summaries)
    return Report(text, data, lambda path: plot_experiment(experiment, summaries, path))


def experiment_csv(experiment: Experiment, summaries: Sequence[Summary]) -> str:
    """Return all results as comma-separated values, one line per point.

    The columns are the coordinates of the point, the player, the printed mean, our mean with
    standard error and 95 % confidence interval, the standard deviation of single games, the shares
    of perfect and of bombed games, and the means if a bombed game keeps its points or scores 0.

    >>> from hanabi.lab.papers import table1
    >>> few = table1().resized(deals=2)
    >>> text = experiment_csv(few, few.summaries(lambda work: [20, 40]))
    >>> print(text.splitlines()[1][:60])
    1,0.7,1,"rule-based:hint=1,discard=1,play=0.7",6.3,15.0,5.0,
    """
    names = list(experiment.points[0].at)
    rows: list[list[Cell]] = []
    for point, summary in zip(experiment.points, summaries, strict=True):
        numbers = (
            summary.score.value, summary.score.standard_error, summary.score.low,
            summary.score.high, summary.deviation, summary.perfect, summary.bombed,
            summary.kept.value, summary.zeroed.value,
        )  # fmt: skip
        places = [f"{point.at[name]:g}" for name in names]
        sizes = [summary.games, summary.deals]
        rows.append([*places, point.player, point.printed, *map(rounded, numbers), *sizes])
    return csv_table([*names, *_COLUMNS], rows)


def experiment_text(experiment: Experiment, summaries: Sequence[Summary]) -> str:
    """Return the results and the printed numbers side by side, as tables in 80 columns.

    >>> from hanabi.lab.papers import table1
    >>> few = table1().resized(deals=2)
    >>> print(experiment_text(few, few.summaries(lambda work: [20, 40])).splitlines()[1])
          1  0.7   15.00  ( 6.3)   15.00  (13.5)   15.00  (14.5)   15.00  (11.9)
    """
    texts = {"table1": _table1_text, "figure2": _figure2_text, "figure3": _figure3_text}
    return texts[experiment.name](experiment, summaries)


def plot_experiment(experiment: Experiment, summaries: Sequence[Summary], path: str | Path) -> None:
    """Draw the results; the errors are those of `hanabi.lab.report.charts.plot_matrix`.

    >>> import tempfile
    >>> from hanabi.lab.papers import table1
    >>> few = table1().resized(deals=2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plot_experiment(few, few.summaries(lambda work: [20, 40]), f"{folder}/t.svg")
    """
    plots = {"table1": _plot_table1, "figure2": _plot_figure2, "figure3": _plot_figure3}
    plots[experiment.name](experiment, summaries, path)


def _means(experiment: Experiment, summaries: Sequence[Summary]) -> dict[tuple[float, ...], float]:
    """Return the mean scores by coordinates."""
    return {
        tuple(point.at.values()): summary.score.value
        for point, summary in zip(experiment.points, summaries, strict=True)
    }


def _agreement(experiment: Experiment, summaries: Sequence[Summary]) -> str:
    """Return a text about the differences from the printed numbers, and the errors of ours."""
    gaps = [
        summary.score.value - point.printed
        for point, summary in zip(experiment.points, summaries, strict=True)
        if point.printed is not None
    ]
    root = math.sqrt(sum(gap * gap for gap in gaps) / len(gaps))
    error = max(summary.score.standard_error for summary in summaries)
    return (
        f"{len(gaps)} printed numbers: root mean square difference {root:.3f}, largest"
        f" {max(map(abs, gaps)):.3f}\nstandard errors up to {error:.3f}"
    )


def _table1_text(experiment: Experiment, summaries: Sequence[Summary]) -> str:
    means = _means(experiment, summaries)
    header = ["discard", "w_p"]
    for hint in range(1, 5):
        header += [f"hint {hint}", "paper"]
    rows: list[list[Cell]] = []
    for (discard, play), printed in TABLE1.items():
        row: list[Cell] = [discard, play]
        for hint, number in enumerate(printed, start=1):
            row += [f"{means[discard, play, hint]:.2f}", f"({number:4.1f})"]
        rows.append(row)
    table = text_table(header, rows, left=())
    return f"{table}\n\n{_agreement(experiment, summaries)}"


def _plot_table1(experiment: Experiment, summaries: Sequence[Summary], path: str | Path) -> None:
    means = _means(experiment, summaries)
    values = [[means[discard, play, hint] for hint in range(1, 5)] for discard, play in TABLE1]
    texts = [
        [f"{mean:.2f}  ({number:.1f})" for mean, number in zip(row, printed, strict=True)]
        for row, printed in zip(values, TABLE1.values(), strict=True)
    ]
    plot_matrix(
        values,
        path,
        rows=[f"{discard},  {play}" for discard, play in TABLE1],
        columns=["1", "2", "3", "4"],
        row_label="discard rule,  $w_p$",
        column_label="hint rule: mean score (as printed)",
        value_label="mean score",
        texts=texts,
    )


def _planes(
    experiment: Experiment, summaries: Sequence[Summary], sign: str = ""
) -> Iterator[Surface]:
    """Yield the mean scores with one threshold at its best; `sign` encloses the labels."""
    for x, y in PLANES:
        (fixed,) = BEST.keys() - {x, y}
        found = {
            (point.at[x], point.at[y]): summary.score.value
            for point, summary in zip(experiment.points, summaries, strict=True)
            if point.at[fixed] == BEST[fixed]
        }
        xs, ys = (sorted({place[axis] for place in found}) for axis in (0, 1))
        labels = {name: f"{sign}{label}{sign}" for name, label in _LABELS.items()}
        title = f"{labels[fixed]} = {BEST[fixed]:g}"
        heights = [[found[a, b] for a in xs] for b in ys]
        yield Surface(title, labels[x], labels[y], xs, ys, heights)


def _figure2_text(experiment: Experiment, summaries: Sequence[Summary]) -> str:
    parts = []
    for plane in _planes(experiment, summaries):
        header = [f"{plane.y_label} \\ {plane.x_label}", *(f"{a:g}" for a in plane.x)]
        rows = [
            [f"{b:g}", *(f"{height:.1f}" for height in row)]
            for b, row in zip(plane.y, plane.z, strict=True)
        ]
        parts.append(f"{plane.title}\n{text_table(header, rows[::-1])}")
    ranked = sorted(
        zip(experiment.points, summaries, strict=True), key=lambda pair: -pair[1].score.value
    )
    lines = [_place(point, summary) for point, summary in ranked if point.at == BEST]
    lines += [_place(point, summary, "highest: ") for point, summary in ranked[:1]]
    return "\n\n".join([*parts, "\n".join(lines), _agreement(experiment, summaries)])


def _place(point: PaperPoint, summary: Summary, label: str = "") -> str:
    at = ", ".join(f"{_LABELS[name]} = {value:g}" for name, value in point.at.items())
    printed = "" if point.printed is None else f" (paper: {point.printed})"
    return f"{label}{at}: {summary.score.value:.2f}{printed}"


def _plot_figure2(experiment: Experiment, summaries: Sequence[Summary], path: str | Path) -> None:
    plot_surfaces([*_planes(experiment, summaries, "$")], path, z_label="mean score")


_CURVES = (
    ("turns", "D, the turns that count", "playouts", 500, "500 play-outs for each action"),
    ("playouts", "play-outs for each action", "turns", 5, "D = 5"),
)


def _figure3_text(experiment: Experiment, summaries: Sequence[Summary]) -> str:
    rows: list[list[Cell]] = []
    for point, summary in zip(experiment.points, summaries, strict=True):
        scores = [score for score, n in enumerate(summary.scores.histogram) if n]
        rows.append(
            [
                f"{point.at['turns']:g}", f"{point.at['playouts']:g}",
                f"{summary.score.value:.2f}", f"{summary.score.standard_error:.2f}",
                f"{summary.deviation:.2f}", f"{scores[0]} - {scores[-1]}", summary.games,
                point.printed,
            ]
        )  # fmt: skip
    header = ["D", "play-outs", "mean", "+-", "deviation", "scores", "games", "paper"]
    note = "The paper prints the highest mean only, and says that the others are about 14."
    return f"{text_table(header, rows, left=())}\n\n{note}"


def _plot_figure3(experiment: Experiment, summaries: Sequence[Summary], path: str | Path) -> None:
    panels = []
    highest = max(point.printed for point in experiment.points if point.printed is not None)
    levels = {f"highest of the paper, {highest}": highest}
    for name, label, other, value, note in _CURVES:
        spots = sorted(
            (point.at[name], summary.score.value, summary.score.standard_error, summary.deviation)
            for point, summary in zip(experiment.points, summaries, strict=True)
            if point.at[other] == value
        )
        panels.append(Panel(label, {"ours": spots}, note, levels))
    plot_panels(
        panels,
        path,
        y_label="score",
        y_range=(0, experiment.rules.max_score),
    )


# Tables and charts of a tournament.

TEAMS = MappingProxyType(
    {
        "stranger": "string",
        "team": "string",
        **SCORES,
        "change": "double",
        "change_standard_error": "double",
        "gain": "double",
        "gain_standard_error": "double",
    }
)
"""The columns of `team_rows`, and their types."""

OPEN = MappingProxyType(
    {"player": "string", "beside": "string", "partners": "int64", **SCORES, "median": "double"}
)
"""The columns of `open_rows`, and their types."""

_LONGEST_NAME = 36


def teams_of(results: Results) -> Iterator[tuple[int, int, Summary, Comparison | None]]:
    """Yield the stranger, the host, the score of their team, and its gain over self-play."""
    for a, (cells, welcome) in enumerate(zip(results.cells, results.welcome, strict=True)):
        for b, (cell, change) in enumerate(zip(cells, welcome, strict=True)):
            if cell is not None:
                yield a, b, cell, change


def team_rows(
    players: Sequence[str], results: Results, gains: TeamGains | None = None
) -> Iterator[list[Cell]]:
    """Yield a row for each team, with the columns `TEAMS`."""
    for a, b, cell, welcome in teams_of(results):
        change = estimate_cells(None if welcome is None else welcome.difference)
        gain = None if gains is None else gains.cells[a][b]
        own = estimate_cells(None if gain is None else gain.points)
        yield [players[a], players[b], *score_cells(cell), *change, *own]


def open_rows(players: Sequence[str], teams: Iterable[OpenTeam]) -> Iterator[list[Cell]]:
    """Yield a row for each team of an open table, with the columns `OPEN`."""
    for player, partner, count, cell in teams:
        name = players[partner] if count else None
        yield [players[player], name, count, *score_cells(cell), cell.scores.median]


def plot_tournament(players: Sequence[str], results: Results, path: Path) -> None:
    """Draw the mean scores to a file (.svg, .png or .pdf)."""
    from hanabi.lab.report.charts import plot_matrix

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
