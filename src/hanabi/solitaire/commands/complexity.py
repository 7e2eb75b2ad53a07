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
from hanabi.solitaire.hardness.approximation import (
    Approximation,
    approximation_table,
    classify_least_hand,
    classify_most_cards,
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
    parameter: str | None = None,
    most_cards: bool = False,
    least_hand: bool = False,
    json: Json = False,
) -> int:
    """Report how hard Solitaire Hanabi is for given parameters, and what decides it.

    A number that is not given is part of the input. Without any, prints the tables of all cases.

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
    parameter
        Letters of numbers that are parameters: c, h, n, or N for the number of cards.
    most_cards
        Report how well the most cards that can be played can be approximated.
    least_hand
        Report how well the least hand that wins can be approximated.
    """
    screen = Screen()
    approximates = most_cards or least_hand
    if most_cards and least_hand:
        raise InvalidInputError("--most-cards and --least-hand: one of them")
    if approximates or source is not None:
        refuse("is for the decision, of given numbers", parameter=parameter)
    if least_hand:
        refuse("is what is asked for", hand_size=hand_size)
    problem = "least hand" if least_hand else "most cards" if most_cards else ""
    if source is not None:
        refuse("is part of the source", multiplicity=multiplicity, values=values, colors=colors)
        _classify_source(screen, source, hand_size, problem, json=json)
        return 0
    _check(multiplicity=multiplicity, values=values, colors=colors)
    if hand_size is multiplicity is values is colors is None and not parameter:
        _print_tables(screen, problem, json=json)
        return 0
    numbers = {"hand_size": hand_size, "multiplicity": multiplicity, "values": values}
    found = _classify(problem, numbers | {"colors": colors}, parameter or "")
    if json:
        print_json(found.to_json())
    else:
        _print(screen, found)
    return 0


def _classify(
    problem: str, numbers: dict[str, int | None], parameters: str = ""
) -> Complexity | Approximation:
    if problem == "least hand":
        return classify_least_hand(**{x: y for x, y in numbers.items() if x != "hand_size"})
    if problem:
        return classify_most_cards(**numbers)
    return classify(**numbers, parameters=parameters)


def _check(**numbers: int | None) -> None:
    for name, number in numbers.items():
        if number == 0:
            raise InvalidInputError(f"--{name} 0: at least 1")


def _classify_source(
    screen: Screen, source: str, hand_size: int | None, problem: str, *, json: bool
) -> None:
    question = Question(solitaire=True, hand_size=hand_size)
    given = read_problem(read_text(source), question, name_of(source))
    if not isinstance(given, SolitaireProblem):
        raise InvalidInputError(f"{name_of(source)}: not a stream of Solitaire Hanabi")
    stream = given.instance
    h, r, n = stream.hand_size, stream.r, stream.n
    numbers: dict[str, int | None] = {"hand_size": h, "multiplicity": r, "values": n}
    found = [_classify(problem, numbers | {"colors": c}) for c in (None, stream.c)]
    if json:
        sizes = {"N": stream.N} | numbers | {"colors": stream.c}
        print_json({"instance": sizes, "classes": [each.to_json() for each in found]})
        return
    for remark in given.remarks:
        screen.entry("", remark)
    screen.entry("", f"N = {stream.N:,}, h = {h}, r = {r}, n = {n}, c = {stream.c:,}")
    for each in found:
        screen.line()
        _print(screen, each)
    screen.line()
    option = f" --{problem.replace(' ', '-')}" if problem else ""
    screen.line(f"{'decide it':12}hanabi solve {shlex.quote(source)}{option}")


def _print(screen: Screen, found: Complexity | Approximation) -> None:
    is_easy = found.complexity in ("P", "FPT")
    screen.entry("streams", found.described)
    style = "bold green" if is_easy else "bold red"
    screen.entry("class", f"{found.complexity} (theorem {found.theorem})", style)
    screen.entry("because", found.reason)
    method = [found.method] if found.method else []
    if isinstance(found, Complexity):
        method.append(f"{found.size} [{found.source}]")
    else:
        if found.barrier:
            screen.entry("barrier", f"{found.barrier}, unless P = NP")
        if found.complexity != "P":
            screen.entry("guarantee", _GUARANTEES[found.problem].format(found.guarantee))
    if method:
        screen.entry("algorithm" if is_easy else "reduction", ", ".join(method))
    screen.line(f"{'run':12}{found.command}")  # on one line, to be copied


_GUARANTEES = {
    "most cards": "a factor of {}",
    "least hand": "a hand of {}, where h is the least",
}


def _print_tables(screen: Screen, problem: str, *, json: bool) -> None:
    tables = list(complexity_tables())
    if problem:
        name = f"Theorem {4 if problem == 'most cards' else 5}: the {problem}, unless P = NP"
        tables = [(name, tuple(approximation_table(problem)))]
    if json:
        print_json(
            [{"title": title, "rows": [list(row) for row in rows]} for title, rows in tables]
        )
        return
    for i, (title, rows) in enumerate(tables):
        if i:
            screen.line()
        screen.line((title, "bold"))
        screen.table(rows[0], rows[1:], left=range(5))
