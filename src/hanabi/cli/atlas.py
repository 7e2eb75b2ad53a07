"""`hanabi atlas` counts the winnable deals of hanab.live's variants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, NamedTuple

from cyclopts import Parameter

from hanabi.cli import options
from hanabi.cli.files import (
    Form,
    check_figure,
    check_outputs,
    form_of,
    replaced,
    write_each,
    write_result,
    write_table,
)
from hanabi.cli.games import carry_out, open_store
from hanabi.cli.terminal import Screen, print_json
from hanabi.errors import InvalidInputError, printable, quote
from hanabi.game.config import DEFAULT_PRESET
from hanabi.lab import Job
from hanabi.lab.decks import DeckCounts, OpenSeeds, SeedWinnability, deck_counts
from hanabi.lab.stats import wilson
from hanabi.report.charts import plot_matrix
from hanabi.report.results import table_of_documents

__all__ = ["CLASSES", "atlas_command"]

CLASSES = (
    "3 Suits", "4 Suits", "No Variant", "6 Suits", "Black (5 Suits)", "Black (6 Suits)",
    "Black & Gray (6 Suits)",
)  # fmt: skip
"""One variant of each of seven kinds of decks: 3 to 6 suits, up to two of one copy a card.

With all cards face up nearly all public games are of these kinds.
"""

_DECKS = 200
_PATIENCE = 10  # times the limit for deals left open
_MOST_DECKS = 10_000_000
_SECONDS = 60.0
_PLAYERS = (2, 3, 4, 5)
_LOST = {"variant": "string", "players": "int64", "seed": "string"}


def atlas_command(
    *variants: str,
    decks: Annotated[options.Count, Parameter(name=("--decks", "-n"))] = _DECKS,
    players: Annotated[tuple[options.Count, ...], Parameter(consume_multiple=True)] = _PLAYERS,
    rules: options.RuleSet = DEFAULT_PRESET,
    time: options.Seconds = _SECONDS,
    store: options.StoreFile = None,
    workers: options.Workers = None,
    executor: options.Executor = None,
    lost: options.File | None = None,
    plot: options.File | None = None,
    output: options.Output = None,
    json: options.Json = False,
) -> int:
    """Solve the first deals of variants of hanab.live, and count those that can be won.

    Deal number i is the seed p{players}v{variant}s{i}, the one that the site deals.

    Parameters
    ----------
    variants
        Names of variants. Default: one of each of seven kinds of decks.
    decks
        Deals of each variant and number of players. Default: 200.
    players
        Numbers of players. Default: 2 3 4 5.
    time
        Seconds for each deal. Default: 60. Deals that are still open are tried again at the end,
        with ten times as many.
    lost
        Write the seeds that cannot be won into this CSV file.
    plot
        Draw the shares of lost deals here: variants by numbers of players, .svg, .png or .pdf.
    output
        Write the result to this file: .json as --json prints it; .csv, .md or .parquet with a line
        for each variant and number of players.
    """
    if not 0 < decks <= _MOST_DECKS:
        raise InvalidInputError(f"--decks {quote(decks)} is not in 1 .. {_MOST_DECKS:,}")
    outputs = {"--lost": lost, "--plot": plot, "--output": output}
    check_outputs([], outputs, store=store, forms={"--lost": Form.CSV})
    form = form_of("--output", output, Form.JSON, Form.CSV, Form.MARKDOWN, Form.PARQUET)
    check_figure(plot)
    works = [
        SeedWinnability(name, seats, time, rules)
        for name in variants or CLASSES
        for seats in players
    ]
    plan = [Job(work, decks) for work in works]
    command: list[object] = ["atlas", *variants, "-n", decks, "--players", *players]
    command += ["--time", time] if time != _SECONDS else []
    command += ["--rules", rules] if rules != DEFAULT_PRESET else []
    for option, path in outputs.items():
        command += [option, path] if path is not None else []
    with open_store(store) as kept:
        carry_out(plan, kept, workers=workers, executor=executor, command=command)
        rows = [_Row(work, deck_counts(kept, job)) for work, job in zip(works, plan, strict=True)]
        retrials = {
            row.work: Job(_longer(row), len(row.counts.open), 1) for row in rows if row.counts.open
        }
        if retrials:
            jobs = [*retrials.values()]
            carry_out(jobs, kept, workers=workers, executor=executor, command=command)
            rows = [
                _Row(row.work, row.counts.settled(deck_counts(kept, retrials[row.work])))
                if row.work in retrials
                else row
                for row in rows
            ]
    documents = [_document(row) for row in rows]
    table = table_of_documents(lambda: documents)
    write_each(
        [
            (lost, lambda path: _write_lost(path, rows)),
            (plot, lambda path: _plot(path, rows, players)),
            (output, lambda path: write_result(path, form, documents, *table)),
        ]
    )
    if json:
        print_json(documents)
    else:
        _print(rows, rules)
    return 0


class _Row(NamedTuple):
    work: SeedWinnability
    counts: DeckCounts


def _longer(row: _Row) -> OpenSeeds:
    """Return the work that tries the open deals of a table again."""
    table = replace(row.work, seconds=_PATIENCE * row.work.seconds)
    return OpenSeeds(table, row.counts.open)


def _write_lost(path: str, rows: Sequence[_Row]) -> None:
    lines = (
        (row.work.variant, row.work.players, row.work.seed(i))
        for row in rows
        for i in row.counts.lost
    )
    write_table(path, Form.CSV, _LOST, lines)


def _plot(path: str, rows: Sequence[_Row], players: Sequence[int]) -> None:
    shares = [100 * len(row.counts.lost) / row.counts.decks for row in rows]
    starts = range(0, len(rows), len(players))
    with replaced(path) as beside:
        plot_matrix(
            [shares[start : start + len(players)] for start in starts],
            beside,
            rows=[rows[start].work.variant for start in starts],
            columns=[str(number) for number in players],
            row_label="variant",
            column_label="players",
            value_label="lost, %",
            texts=[[f"{x:.1f}" for x in shares[start : start + len(players)]] for start in starts],
        )


def _document(row: _Row) -> dict[str, object]:
    work, counts = row
    low, high = wilson(len(counts.lost), counts.decks)
    return {
        "variant": work.variant,
        "players": work.players,
        "decks": counts.decks,
        "lost": len(counts.lost),
        "open": len(counts.open),
        "share_lost": len(counts.lost) / counts.decks,
        "confidence_interval": [low, high],
        "methods": dict(counts.methods.most_common()),
        **({} if work.rules == DEFAULT_PRESET else {"rules": work.rules}),
    }


def _print(rows: Sequence[_Row], rules: str) -> None:
    cells = []
    for work, counts in rows:
        n_lost = len(counts.lost)
        low, high = wilson(n_lost, counts.decks)
        cells.append(
            [
                work.variant,
                str(work.players),
                f"{counts.decks:,}",
                f"{n_lost:,}",
                str(len(counts.open)),
                f"{n_lost / counts.decks:.2%}",
                f"{low:.2%} - {high:.2%}",
            ]
        )
    header = ["variant", "players", "decks", "lost", "open", "share", "95 % interval"]
    screen = Screen()
    under = "" if rules == DEFAULT_PRESET else f", under the rules {printable(rules)}"
    screen.entry("", f"The first seeds of hanab.live, all cards face up{under}.")
    screen.line()
    screen.table(header, cells)
