"""`hanabi partition` splits the hints for a hand into sets that each contain a legal hint."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from json import dumps
from typing import Annotated, TypeAlias

from cyclopts import Parameter

from hanabi.ground import InvalidInputError, counted, naming, short_name
from hanabi.shell import (
    Items,
    LineWriter,
    Marks,
    Question,
    Screen,
    check_document,
    check_folder,
    check_outputs,
    known_hand,
    opened_items,
    options,
    outputs_of_lines,
    pose_position,
    print_json,
    seat_after,
    table_of,
    write_document,
)
from hanabi.solvers.hints import Partition, PossibilityTable, find_partition
from hanabi.solvers.hints.partition import Method
from hanabi.solvers.hints.picture import reasons_in_words

__all__ = ["partition_command"]

_NAME_LENGTH = 30

Split: TypeAlias = Callable[[PossibilityTable], Partition]


def partition_command(
    source: options.Source,
    /,
    *,
    joint: bool = False,
    rows: bool = False,
    seat: options.Count | None = None,
    method: Method = "search",
    seconds: Annotated[options.Seconds | None, Parameter(name=("--time", "--seconds"))] = None,
    json: options.Json = False,
    workers: options.Workers = None,
    output: options.Output = None,
) -> int:
    """Split the hints for a hand into sets, each certain to contain a legal hint.

    There are as many sets as possible.

    Parameters
    ----------
    source
        A table of possibilities (text or JSON) in a file or a folder of them, - for standard input,
        or GAME@MOVES: a hand as it is publicly known after so many moves of a game; card 1 is then
        the newest.
    joint
        Split the color and rank hints of a game together, not each kind by itself.
    rows
        Consider each card by itself: ignore how many copies are unseen.
    seat
        The seat whose hand to use in a game, from 0. Default: the seat after the one to act.
    method
        Branch and bound, or OR-Tools for large tables (needs the extra `packing`). Default:
        search.
    seconds
        Stop after this many seconds for each kind of hints. The partition found by then is valid;
        a bound on the maximum comes with it. Default: stop after a fixed amount of work, which
        does not depend on the machine.
    output
        Append the answers to many tables to this file, and skip those that it already has. A file
        that ends in .csv or .parquet holds the same lines as a table. For a single input, write its
        JSON document to this file (.json).
    """
    check_outputs([source], outputs_of_lines(output))
    recorded, turn = options.at_turn(source)
    about: dict[str, object] = {}
    title = ""
    split: partial[Partition] = partial(
        find_partition, by_rows=rows, seconds=seconds, method=method
    )
    if turn is not None:
        given = options.read_input(recorded)
        with naming(options.name_of(recorded)):
            problem = pose_position(given, Question())
            game = problem.after(turn)
        seat = seat_after(game) if seat is None else seat
        hand, split = known_hand(game, seat), partial(split, empty_hints=game.rules.empty_hints)
        name = problem.names[seat] if seat < len(problem.names) else f"seat {seat}"
        cards, moves = counted(len(hand.cards), "card"), counted(turn, "move")
        title = f"{name}'s {cards} after {moves}, as everyone knows them."
        about = {"turn": turn, "seat": seat, "hints": list(hand.names("joint"))}
        shown = [hand.projection("colors"), hand.projection("ranks")]
        tables = [hand.table("joint")] if joint else [hand.table("colors"), hand.table("ranks")]
    elif seat is not None:
        raise InvalidInputError("--seat is for a hand in a game: give GAME@MOVES")
    else:
        with opened_items(source) as text:
            if not isinstance(text, str):
                check_folder(source, output)
                return _split_many(text, split, workers=workers, output=output)
        with naming(options.name_of(source)):
            table = table_of(text)
        names = tuple(short_name(name, _NAME_LENGTH) for name in table.names)
        tables = shown = [replace(table, names=names)]
    options.refuse("is for many tables, not for a single one", workers=workers)
    check_document(output, "tables")
    found = [(table, split(table)) for table in tables]
    if output is not None:
        write_document(output, [dumps(_document(found) | about)])
    elif json:
        print_json(_document(found) | about)
    if not json:
        _print(title, shown, found)
    return 0


def _split_many(
    items: Items, split: partial[Partition], *, workers: int | None, output: str | None
) -> int:
    from hanabi.shell import answer_many

    asked = {**split.keywords}
    seconds = asked.pop("seconds")
    budget = {} if seconds is None else {"seconds": seconds}  # else a fixed amount of work
    writer = LineWriter(output, Marks("partition", asked, budget, _is_open))
    return answer_many(items, partial(_split_text, split), writer, workers=workers)


def _is_open(document: Mapping[str, object]) -> bool:
    return "upper" in document


def _split_text(split: Split, text: str) -> dict[str, object]:
    table = table_of(text)
    return _document([(table, split(table))])


def _document(found: Sequence[tuple[PossibilityTable, Partition]]) -> dict[str, object]:
    parts: list[list[int]] = []
    why: list[str] = []
    first = 0
    for table, partition in found:
        parts += [[first + hint for hint in part] for part in partition.parts]
        why += reasons_in_words(table, partition)
        first += table.hints
    data: dict[str, object] = {"size": len(parts), "parts": parts, "why": why}
    if not all(partition.is_maximum for _, partition in found):
        data["upper"] = sum(partition.upper for _, partition in found)
    return data


def _print(
    title: str,
    shown: Sequence[PossibilityTable],
    found: Sequence[tuple[PossibilityTable, Partition]],
) -> None:
    screen = Screen()
    if title:
        screen.entry("", title)
        screen.line()
    for table in shown:
        _print_table(screen, table)
        screen.line()
    for table, partition in found:
        proved = "no split has more" if partition.is_maximum else f"at most {partition.upper}"
        screen.line((counted(partition.size, "part"), "bold"), f" ({proved})")
        for part, why in zip(partition.parts, reasons_in_words(table, partition), strict=True):
            names = ", ".join(table.names[hint] for hint in part)
            screen.entry("", f"  ({names}): {why}")


def _print_table(screen: Screen, table: PossibilityTable) -> None:
    widths = [max(len(name), 3) for name in table.names]
    lines = [("", table.names)]
    lines += [
        (f"card {card}", tuple("1" if hint in row else "." for hint in range(table.hints)))
        for card, row in sorted((table.number(card), row) for card, row in enumerate(table.rows))
    ]
    if table.unseen is not None:
        lines.append(("unseen", tuple(map(str, table.unseen))))
    label = max(len(name) for name, _ in lines)
    for name, marks in lines:
        cells = (f"{mark:>{width}}" for mark, width in zip(marks, widths, strict=True))
        screen.line(f"{name:{label}}  {' '.join(cells)}")
