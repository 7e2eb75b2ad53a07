"""`hanabi complexity` reports how hard Solitaire Hanabi is, for parameters or for a stream."""

from __future__ import annotations

import shlex

from hanabi.ground import InvalidInputError
from hanabi.shell import (
    Count,
    Json,
    Question,
    Screen,
    SolitaireProblem,
    Source,
    name_of,
    print_json,
    read_problem,
    read_text,
    refuse,
)
from hanabi.solitaire.hardness.complexity import Complexity, classify, complexity_tables

__all__ = ["complexity_command"]


def complexity_command(
    source: Source | None = None,
    /,
    *,
    hand_size: Count | None = None,
    multiplicity: Count | None = None,
    values: Count | None = None,
    colors: Count | None = None,
    json: Json = False,
) -> int:
    """Report how hard Solitaire Hanabi is for given parameters, and what decides it.

    A parameter that is not given is part of the input. Without any, prints the tables of all cases.

    Parameters
    ----------
    source
        A stream of cards or a deck, or - for standard input: classify the streams with its hand,
        copies and values, and those with its colors as well.
    hand_size
        The cards in hand; with a source, in place of what the input says.
    multiplicity
        The most copies of a card.
    values
        The number of values of each color.
    colors
        The number of colors.
    """
    screen = Screen()
    if source is not None:
        refuse("is part of the source", multiplicity=multiplicity, values=values, colors=colors)
        _classify_source(screen, source, hand_size, json=json)
        return 0
    _check(multiplicity=multiplicity, values=values, colors=colors)
    if hand_size is multiplicity is values is colors is None:
        _print_tables(screen, json=json)
        return 0
    found = classify(hand_size=hand_size, multiplicity=multiplicity, values=values, colors=colors)
    if json:
        print_json(found.to_json())
    else:
        _print(screen, found)
    return 0


def _check(**numbers: int | None) -> None:
    for name, number in numbers.items():
        if number == 0:
            raise InvalidInputError(f"--{name} 0: at least 1")


def _classify_source(screen: Screen, source: str, hand_size: int | None, *, json: bool) -> None:
    question = Question(solitaire=True, hand_size=hand_size)
    problem = read_problem(read_text(source), question, name_of(source))
    if not isinstance(problem, SolitaireProblem):
        raise InvalidInputError(f"{name_of(source)}: not a stream of Solitaire Hanabi")
    stream = problem.instance
    h, r, n = stream.hand_size, stream.r, stream.n
    found = [classify(hand_size=h, multiplicity=r, values=n, colors=c) for c in (None, stream.c)]
    if json:
        numbers = {
            "N": stream.N,
            "hand_size": h,
            "multiplicity": r,
            "values": n,
            "colors": stream.c,
        }
        print_json({"instance": numbers, "classes": [each.to_json() for each in found]})
        return
    for remark in problem.remarks:
        screen.entry("", remark)
    screen.entry("", f"N = {stream.N:,}, h = {h}, r = {r}, n = {n}, c = {stream.c:,}")
    for each in found:
        screen.line()
        _print(screen, each)
    screen.line()
    screen.line(f"{'decide it':12}hanabi solve {shlex.quote(source)}")


def _print(screen: Screen, found: Complexity) -> None:
    style = "bold green" if found.complexity == "P" else "bold red"
    screen.entry("streams", found.described)
    screen.entry("class", f"{found.complexity} (theorem {found.theorem})", style)
    screen.entry("because", found.reason)
    what = "algorithm" if found.complexity == "P" else "reduction"
    screen.entry(what, f"{found.method}, {found.size} [{found.source}]")
    screen.line(f"{'run':12}{found.command}")  # on one line, to be copied


def _print_tables(screen: Screen, *, json: bool) -> None:
    tables = list(complexity_tables())
    if json:
        print_json(
            [{"title": title, "rows": [list(row) for row in rows]} for title, rows in tables]
        )
        return
    for i, (title, rows) in enumerate(tables):
        if i:
            screen.line()
        screen.line((title, "bold"))
        screen.table(rows[0], rows[1:], left=range(4))
