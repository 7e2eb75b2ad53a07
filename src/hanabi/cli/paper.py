"""`hanabi paper` reproduces a published table or figure."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from hanabi.cli import options
from hanabi.cli.files import check_figure, check_outputs, replaced, written
from hanabi.cli.games import carry_out, check_games, open_store, reader
from hanabi.cli.terminal import Screen, complain
from hanabi.errors import InvalidInputError, MissingPackageError, quote
from hanabi.lab import Job
from hanabi.lab.papers import parse_experiment

__all__ = ["paper_command"]


def paper_command(
    name: str,
    /,
    *,
    full: bool = False,
    deals: Annotated[options.Count | None, Parameter(name=("-n", "--deals"))] = None,
    repeat: options.Count | None = None,
    seed: options.Count | None = None,
    out: str = ".",
    store: options.StoreFile = None,
    workers: options.Workers = None,
    executor: options.Executor = None,
) -> int:
    """Reproduce a published table or figure beside the printed numbers.

    Writes NAME.csv and NAME.svg, and prints a table. The picture needs matplotlib.

    Parameters
    ----------
    name
        table1, figure2 or figure3 of van den Bergh, Kosters & Spieksma (2016).
    full
        Play as many games as the paper did. Without it, the run takes some minutes.
    deals
        Number of deals for each number of the table.
    repeat
        Number of times to play each deal.
    seed
        Seed of the deals and decisions. Default: 2016.
    out
        The folder to write to. Default: the current one.
    """
    experiment = parse_experiment(name, full=full)
    experiment = experiment.resized(deals=deals, repeats=repeat, seed=seed)
    check_games(experiment.deals, repeat=experiment.repeats, teams=len(experiment.points))
    data, picture = (_folder(out) / f"{name}.{ending}" for ending in ("csv", "svg"))
    check_outputs([], {f"--out: {each.name}": str(each) for each in (data, picture)}, store=store)
    files = [data, picture]
    try:
        check_figure(picture)
    except MissingPackageError as error:
        complain(f"note: {picture} is not drawn: {error}")
        files.remove(picture)
    from hanabi.report.papers import experiment_csv, experiment_text, plot_experiment

    plan = [Job(work, experiment.deals) for work in experiment.all_works()]
    command = (
        "paper", name, "-n", experiment.deals, "--repeat", experiment.repeats, "--seed",
        experiment.seed, "--out", out,
    )  # fmt: skip
    with open_store(store) as kept:
        carry_out(plan, kept, workers=workers, executor=executor, command=command)
        summaries = experiment.summaries(reader(kept, experiment.deals))
    screen = Screen()
    times = "" if experiment.repeats == 1 else f" {experiment.repeats} times"
    screen.line(experiment.title)
    screen.line(f"{experiment.deals:,} deals{times} a number, seed {experiment.seed}")
    screen.line()
    screen.text(experiment_text(experiment, summaries))
    sys.stdout.flush()  # hours of games are not lost to a full disk
    with written(str(data)) as stream:
        stream.write(experiment_csv(experiment, summaries))
    if picture in files:
        with replaced(str(picture)) as path:
            plot_experiment(experiment, summaries, path)
    screen.line()
    screen.line(f"written: {', '.join(map(str, files))}")
    return 0


def _folder(out: str) -> Path:
    """Return the folder to write to, made if there was none."""
    if not out:
        raise InvalidInputError("--out: the name of the folder is empty")
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInputError(f"--out {quote(out)}: {error.strerror}") from None
    return folder
