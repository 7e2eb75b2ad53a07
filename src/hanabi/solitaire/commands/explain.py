"""`hanabi explain` explains the cards of a reduced formula or graph, or the windows of a stream."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from hanabi.ground import (
    DEFAULT_SECONDS,
    Arcs,
    BudgetEndedError,
    Clock,
    InvalidInputError,
    Strip,
    draw_arcs,
    draw_strip,
    naming,
)
from hanabi.rules import is_dimacs, is_graph, parse_play
from hanabi.shell import (
    PICTURES,
    VERDICT_STYLES,
    Explanation,
    Pictures,
    Piece,
    ProgressLine,
    Question,
    Screen,
    SolitaireProblem,
    answer_of,
    check_outputs,
    color_style,
    complain,
    described,
    explain_answer,
    explain_play,
    options,
    read_problem,
    read_reduction,
    reading_facts,
    write_each,
)
from hanabi.solitaire.hardness import read_play
from hanabi.solitaire.hardness.explain import (
    Cell,
    Column,
    columns,
    describe,
    gadgets_of,
    looks_of_reduction,
    title_of,
    title_of_cards,
)
from hanabi.solitaire.hardness.reduction import ReductionName
from hanabi.solitaire.play import Play, find_broken_rule, n_played

__all__ = ["explain_command"]

_MOST_SHOWN = 400
_WIDTH = 460
_COLORS = 6  # styles that a terminal can tell apart


def explain_command(
    source: options.Source,
    /,
    *,
    variant: ReductionName = "paper",
    first: options.Count | None = None,
    last: options.Count | None = None,
    play: options.Source | None = None,
    hand_size: options.Count | None = None,
    windows: bool = False,
    time: options.Seconds = DEFAULT_SECONDS,
    pictures: Pictures = Pictures(),
) -> int:
    """Explain the cards of a reduced formula, or the windows of a stream.

    Explains them in words, and draws them. Of a stream for Solitaire Hanabi it lists the windows
    over which cards wait in hand: the colors that have a choice, in how many ways they can be
    played, and where a play fills the hand, or why none fits. The picture has an arc for each
    window above the cards, and the hand below them.

    The picture of a reduced formula has one gadget a line: the values of its cards, and below them
    their colors, as "hanabi solve --show" names them; "d" is the dummy color. In a terminal each
    variable has its own color, and the cards of negated literals are underlined.

    Parameters
    ----------
    source
        Output of "hanabi reduce", a DIMACS file, or a stream of cards; - for standard input.
    variant
        The reduction to explain, if the input is a formula; "clique", for example, for a graph.
        Default: paper.
    first
        The first card to draw. Default: 1.
    last
        The last card to draw. Default: the last of all, but at most 400 cards. Of a stream of more
        than 32 cards, the cards where the windows of one moment begin and end.
    play
        Print the assignment, or the clique, that this winning play gives ("hanabi solve --json"
        prints plays), or the independent set that any play gives; draw its windows.
    hand_size
        The most cards in hand of a stream, if the input does not say it or shall not.
    windows
        Explain the windows of a reduced formula, too, and draw them.
    time
        Seconds for solving a stream whose windows are explained. Default: 60; 0 for no limit.
    """
    files = pictures.files()
    check_outputs([source, play], files, forms=PICTURES)
    text, clock = options.read_text(source), Clock(time or None)
    if not _is_reduced(text):
        question = Question(hand_size=hand_size, solitaire=True, seconds=time or None)
        problem = read_problem(text, question, options.name_of(source))
        assert isinstance(problem, SolitaireProblem)  # noqa: S101
        given = None if play is None else _read_play(play)
        entries, explained = _explain_windows(problem, question, given, clock)
        if files:
            if explained is None:
                complain("no picture is drawn of windows that are not known")
            else:
                with naming(options.name_of(source)):
                    arcs = explained.arcs(first=first, last=last)
                _draw(arcs, "A stream and its windows", pictures)
        screen = Screen()
        for entry in entries:
            screen.entry(*entry)
        return 0
    options.refuse("is for streams, not for a reduced formula", hand_size=hand_size)
    with naming(options.name_of(source)):
        instance, annotation = read_reduction(text, variant=variant)
    begin = 1 if first is None else first
    end = min(instance.N, begin + _MOST_SHOWN - 1) if last is None else last
    shown = columns(instance, annotation, begin, end)
    facts: Iterable[tuple[str, str]] = ()
    winning = None
    if play is not None:
        winning = _read_play(play)
        with naming(options.name_of(play)):
            if annotation.asks_for_set:
                n_played(instance, winning)  # follows the rules
            elif (broken := find_broken_rule(instance, winning)) is not None:
                raise InvalidInputError(f"the play does not win: {broken}")
        facts = reading_facts(read_play(instance, annotation, winning))
    entries, explained = list[_Entry](), None
    if windows:
        problem = SolitaireProblem(instance, annotation=annotation)
        question = Question(solitaire=True, seconds=time or None)
        entries, explained = _explain_windows(problem, question, winning, clock)
    if files:
        title = title_of_cards(annotation)
        if explained is not None:
            looks = looks_of_reduction(instance, annotation).__getitem__
            titles = [(title_of(span), span.first, span.last) for span in annotation.spans]
            _draw(
                explained.arcs(first=first, last=last, looks=looks, titles=titles), title, pictures
            )
        else:
            _draw(gadgets_of(instance, annotation, first=begin, last=end), title, pictures)
    screen = Screen()
    for sentence in describe(instance, annotation):
        screen.entry("", sentence)
    for label, told in facts:
        screen.entry(label, told)
    if windows:
        screen.line()
        for entry in entries:
            screen.entry(*entry)
    for column in shown:
        screen.line()
        screen.line((column.title, "bold"))
        for row in _rows(column, screen.width):
            screen.line(*(_piece(cell, cell.value, width) for cell, width in row))
            screen.line(*(_piece(cell, cell.color, width) for cell, width in row))
    if end < instance.N and last is None:
        screen.line()
        screen.entry("", f"... and {instance.N - end:,} more cards (--first, --last).")
    return 0


def _is_reduced(text: str) -> bool:
    """Return whether a text is a formula, a graph, or cards with the roles from `reduce`."""
    return (
        is_dimacs(text)
        or is_graph(text)
        or (text.lstrip().startswith("{") and '"annotation"' in text)
    )


def _read_play(source: str) -> Play:
    given = options.read_text(source)
    with naming(options.name_of(source)):
        return Play(parse_play(given))


_Entry: TypeAlias = tuple[str, str] | tuple[str, str, str]


def _explain_windows(
    problem: SolitaireProblem, question: Question, play: Play | None, clock: Clock
) -> tuple[list[_Entry], Explanation | None]:
    """Return what to print of the windows of a stream, None if a budget ends before it is known."""
    entries: list[_Entry] = [("", text) for text in (*problem.remarks, described(problem))]
    try:
        if play is not None:
            explained = explain_play(problem.instance, play, clock=clock)
        else:
            with ProgressLine() as progress:
                answer = answer_of(problem, question, progress, clock)
                explained = explain_answer(answer, clock=clock)
            style = VERDICT_STYLES[answer.status]
            entries.append((str(answer.status), explained.reason or answer.reason, style))
    except BudgetEndedError as error:
        entries.append(("unknown", f"the windows are not listed: {error}"))
        return entries, None
    return entries + [("", sentence) for sentence in explained.sentences()], explained


def _draw(shown: Strip | Arcs, title: str, pictures: Pictures) -> None:
    if isinstance(shown, Strip):
        drawing = draw_strip(shown, title=title, width=_WIDTH, standalone=True)
    else:
        drawing = draw_arcs(shown, title=title, standalone=True)
    write_each(pictures.writes(drawing))


def _rows(column: Column, width: int) -> list[list[tuple[Cell, int]]]:
    """Cut a gadget into lines; each card gets the width that its value and color need."""
    rows: list[list[tuple[Cell, int]]] = [[]]
    used = 0
    for cell in column.cells:
        needed = 1 + max(len(cell.value), len(cell.color))
        if used + needed > width and rows[-1]:
            rows.append([])
            used = 0
        rows[-1].append((cell, needed))
        used += needed
    return rows


def _piece(cell: Cell, text: str, width: int) -> Piece:
    if isinstance(cell.meaning, str):
        return f"{text:>{width}}", "dim"
    style = color_style((abs(cell.meaning) - 1) % _COLORS)
    padding = " " * (width - len(text))
    return padding + text, style if cell.meaning > 0 else f"{style} underline"
