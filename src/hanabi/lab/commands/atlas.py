"""`hanabi atlas` counts the winnable deals of hanab.live's variants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

from cyclopts import Parameter

from hanabi.ground import DEFAULT_SECONDS, InvalidInputError, printable, quote
from hanabi.lab.decks import DeckCounts, OpenSeeds, SeedWinnability, deck_counts
from hanabi.lab.report.charts import plot_matrix
from hanabi.lab.report.results import table_of_documents
from hanabi.lab.stats import wilson
from hanabi.lab.work import Job
from hanabi.rules import DEFAULT_PRESET
from hanabi.shell import (
    Form,
    Screen,
    carry_out,
    check_figure,
    check_outputs,
    form_of,
    open_store,
    options,
    print_json,
    replaced,
    write_each,
    write_result,
    write_table,
)

__all__ = ["CLASSES", "AtlasOptions", "atlas_command"]

CLASSES = (
    "3 Suits", "4 Suits", "No Variant", "6 Suits", "Black (5 Suits)", "Black (6 Suits)",
    "Black & Gray (6 Suits)",
)  # fmt: skip
"""One variant of each of seven kinds of decks: 3 to 6 suits, up to two of one copy a card.

With all cards face up nearly all public games are of these kinds.
"""

_PATIENCE = 10  # times the limit for deals left open
_MOST_DECKS = 10_000_000
_LOST = {"variant": "string", "players": "int64", "seed": "string"}


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class AtlasOptions:
    """What `hanabi atlas` counts and writes.

    Parameters
    ----------
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

    decks: Annotated[options.Count, Parameter(name=("--decks", "-n"))] = 200
    players: Annotated[tuple[options.Count, ...], Parameter(consume_multiple=True)] = (2, 3, 4, 5)
    rules: options.RuleSet = DEFAULT_PRESET
    time: options.Seconds = DEFAULT_SECONDS
    lost: options.File | None = None
    plot: options.File | None = None
    output: options.Output = None
    json: options.Json = False


def atlas_command(
    *variants: str, asked: AtlasOptions = AtlasOptions(), run: options.Run = options.Run()
) -> int:
    """Count how many deals of hanab.live's variants can be won.

    Deal number i is the seed p{players}v{variant}s{i}, the one that the site deals.

    Parameters
    ----------
    variants
        Names of variants. Default: one of each of seven kinds of decks.
    """
    if not 0 < asked.decks <= _MOST_DECKS:
        raise InvalidInputError(f"--decks {quote(asked.decks)} is not in 1 .. {_MOST_DECKS:,}")
    outputs = {"--lost": asked.lost, "--plot": asked.plot, "--output": asked.output}
    check_outputs([], outputs, store=run.store, forms={"--lost": Form.CSV})
    form = form_of("--output", asked.output, Form.JSON, Form.CSV, Form.MARKDOWN, Form.PARQUET)
    check_figure(asked.plot)
    works = [
        SeedWinnability(name, seats, asked.time, asked.rules)
        for name in variants or CLASSES
        for seats in asked.players
    ]
    plan = [Job(work, asked.decks) for work in works]
    again = options.typed("atlas", *variants, groups=[asked, run])
    with open_store(run.store) as kept:
        carry_out(plan, kept, run, again)
        rows = [_Row(work, deck_counts(kept, job)) for work, job in zip(works, plan, strict=True)]
        retrials = {
            row.work: Job(_longer(row), len(row.counts.open), 1) for row in rows if row.counts.open
        }
        if retrials:
            carry_out([*retrials.values()], kept, run, again)
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
            (asked.lost, lambda path: _write_lost(path, rows)),
            (asked.plot, lambda path: _plot(path, rows, asked.players)),
            (asked.output, lambda path: write_result(path, form, documents, *table)),
        ]
    )
    if asked.json:
        print_json(documents)
    else:
        _print(rows, asked.rules)
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
