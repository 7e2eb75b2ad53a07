"""`hanabi paper` reproduces a published table or figure, or the laws of random streams."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from hanabi.ground import InvalidInputError, MissingPackageError, quote
from hanabi.lab.papers import Experiment, parse_experiment
from hanabi.shell import (
    Screen,
    carry_out,
    check_figure,
    check_games,
    check_outputs,
    complain,
    open_store,
    options,
    replaced,
)

__all__ = ["PaperOptions", "paper_command"]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class PaperOptions:
    """How large the experiment of `hanabi paper` is, and where its files go.

    Parameters
    ----------
    full
        Play as many games as the paper did, or several times as many streams. Without it, the run
        takes some minutes.
    deals
        Number of deals or streams for each number of the table.
    repeat
        Number of times to play each deal; not for streams.
    seed
        Seed of the deals and decisions. Default: 2016.
    out
        The folder to write to. Default: the current one.
    """

    full: bool = False
    deals: Annotated[options.Count | None, Parameter(name=("-n", "--deals"))] = None
    repeat: options.Count | None = None
    seed: options.Count | None = None
    out: str = "."


def paper_command(
    name: str, /, *, asked: PaperOptions = PaperOptions(), run: options.Run = options.Run()
) -> int:
    """Reproduce a published table or figure, or measure laws of random streams.

    Writes NAME.csv and NAME.svg, and prints a table; least-hand and threshold also write NAME.json
    and NAME.pdf. The pictures need matplotlib.

    Parameters
    ----------
    name
        table1, figure2 or figure3 of van den Bergh, Kosters & Spieksma (2016); least-hand, the hand
        that random streams of the solitaire need, beside its limit law; or threshold, the share of
        streams with repeated cards that can be won.
    """
    experiment = parse_experiment(name, full=asked.full)
    experiment = experiment.resized(deals=asked.deals, repeats=asked.repeat, seed=asked.seed)
    if isinstance(experiment, Experiment):
        check_games(experiment.deals, repeat=experiment.repeats, teams=len(experiment.points))
    files = [_folder(asked.out) / f"{name}.{ending}" for ending in experiment.endings]
    check_outputs([], {f"--out: {each.name}": str(each) for each in files}, store=run.store)
    for picture in [each for each in files if each.suffix in (".svg", ".pdf")]:
        try:
            check_figure(picture)
        except MissingPackageError as error:
            complain(f"note: {picture} is not drawn: {error}")
            files.remove(picture)
    from hanabi.lab.report.papers import report_of

    again = options.typed("paper", name, groups=[asked, run])
    with open_store(run.store) as kept:
        carry_out(experiment.plan(), kept, run, again)
        report = report_of(experiment, kept)
    is_written = False
    try:
        for each in files:
            with replaced(str(each)) as path:
                report.write(path)
        is_written = True
    finally:  # a full disk must not lose hours of games
        screen = Screen()
        screen.line(experiment.title)
        screen.line(experiment.size)
        screen.line()
        screen.text(report.text)
        if is_written:
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
