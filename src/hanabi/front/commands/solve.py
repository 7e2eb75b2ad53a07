"""`hanabi solve` decides whether a deck can be won."""

from __future__ import annotations

import io
from collections.abc import Callable
from json import dumps
from typing import Annotated

from cyclopts import Group, Parameter

from hanabi.ground import BudgetEndedError, Clock, InvalidInputError, Status
from hanabi.rules import GameProblem, read_rules
from hanabi.shell import (
    PICTURES,
    STDOUT,
    Answer,
    Form,
    LostTable,
    Pictures,
    Problem,
    ProgressLine,
    Question,
    answer_of,
    check_document,
    check_folder,
    check_has_hand,
    check_outputs,
    complain,
    json_pieces,
    link_of_answer,
    opened_items,
    options,
    outputs_of_lines,
    print_answer,
    read_problem,
    write_document,
    write_each,
    written,
)
from hanabi.solitaire import Method

__all__ = ["EXIT_CODES", "solve_command"]

EXIT_CODES = {Status.WINNABLE: 10, Status.UNWINNABLE: 20, Status.UNKNOWN: 30}
"""Exit statuses under --exit-code."""

_in_full = Parameter(group=Group("Full game", sort_key=1))
_in_solitaire = Parameter(group=Group("Solitaire Hanabi", sort_key=2))
_in_output = Parameter(group=Group("Limits and output", sort_key=3))


def solve_command(
    source: options.Source,
    /,
    *more: options.More,
    players: Annotated[options.DealTo, _in_full] = None,
    rules: Annotated[options.RuleSet | None, _in_full] = None,
    at: Annotated[options.Count | None, _in_full] = None,
    best: Annotated[bool, _in_full] = False,
    fewest_turns: Annotated[bool, _in_full] = False,
    lost_at: Annotated[bool, _in_full] = False,
    link: Annotated[bool, _in_full] = False,
    solitaire: Annotated[bool, _in_solitaire] = False,
    hand_size: Annotated[options.Count | None, _in_solitaire] = None,
    method: Annotated[Method, _in_solitaire] = "auto",
    least_hand: Annotated[bool, _in_solitaire] = False,
    most_cards: Annotated[bool, _in_solitaire] = False,
    fewest_cards: Annotated[bool, _in_solitaire] = False,
    proof: Annotated[options.File | None, _in_output] = None,
    certificate: Annotated[options.File | None, _in_output] = None,
    dimacs: Annotated[options.File | None, _in_output] = None,
    pictures: Annotated[Pictures, _in_output] = Pictures(),
    show: Annotated[bool, _in_output] = False,
    json: Annotated[options.Json, _in_output] = False,
    budget: Annotated[options.Budget, _in_output] = options.Budget(),
    exit_code: Annotated[bool, _in_output] = False,
    workers: Annotated[options.Count | None, _in_output] = None,
    output: Annotated[options.Output, _in_output] = None,
) -> int:
    """Decide whether a deck can be won, and show how.

    Real games and dealt decks are solved as the full game, all cards face up. A stream of cards, or
    any option of Solitaire Hanabi, is solved as a solitaire. Many inputs (a folder, several files,
    a .jsonl file, JSON objects one a line, an array of them, or {"decks": [...]}) give one JSON
    line each, in order.

    Parameters
    ----------
    source
        A file or folder, a hanab.live replay link, or - for standard input.
    at
        Solve from the position after this many moves of the game.
    best
        If it cannot be won, find the best score.
    fewest_turns
        Find the fewest turns in which all points, or the most that can be had, are reached; or
        bounds if the time ends. The line is then a shortest one.
    lost_at
        Find the first move of the game after which no line wins.
    link
        Print only the winning line, as a hanab.live replay link. With --lost-at and many games, add
        links to the table (lines of JSON have them anyway).
    solitaire
        Merge all hands into one: no hints, no last round.
    hand_size
        The most cards in hand. Default: as in the input, or players x cards - 1.
    method
        The solver. "auto" chooses by structure and cost.
    least_hand
        Also find the least hand size that wins.
    most_cards
        If it cannot be won, find the most cards that can be played.
    fewest_cards
        Also find the fewest cards of the stream after which everything can have been played.
    proof
        Write a DRAT proof here if there is no winning play.
    certificate
        Write a certificate of Solitaire Hanabi here if there is no winning play.
    dimacs
        Write the question as CNF in DIMACS form here; with --proof, the formula that it refutes.
    pictures.svg
        Draw the line, or the windows of a stream as arcs, to this file, as SVG.
    show
        Print the winning (or best) play move by move, or the proof that there is none.
    budget.time
        Seconds for everything, or for each of many inputs. Default: 60; 0 for no limit.
    exit_code
        Exit with 10 if winnable, 20 if not, 30 if unknown.
    workers
        Processes for many inputs. Default: one for each core.
    output
        Append the answers to many inputs to this file, and skip inputs that it already has. A file
        that ends in .csv or .parquet is a table of these lines. For a single input, write its JSON
        document to this file (.json).
    """
    drawn = pictures.files()
    check_outputs(
        [source, *more],
        outputs_of_lines(output)
        | {"--proof": proof, "--certificate": certificate, "--dimacs": dimacs}
        | drawn,
        forms={"--proof": Form.DRAT, "--dimacs": Form.CNF, **PICTURES},
    )
    clock = Clock(budget.seconds)
    if proof is not None and method not in ("auto", "sat"):
        raise InvalidInputError(f"--proof is written by --method sat, not {method}")
    if certificate is not None and (proof is not None or method not in ("auto", "paths")):
        other = "sat" if proof is not None else method
        raise InvalidInputError(f"--certificate is written by --method paths, not {other}")
    question = Question(
        players=players,
        rules=None if rules is None else read_rules(rules),
        at=at,
        best=best,
        fewest_turns=fewest_turns,
        lost_at=lost_at,
        solitaire=solitaire,
        hand_size=hand_size,
        least_hand=least_hand,
        most_cards=most_cards,
        fewest_cards=fewest_cards,
        method=method,
        proof=proof is not None,
        certificate=certificate is not None,
        seconds=budget.seconds,
        memory=budget.bytes,
        full_game_for="--link" if link else None,
    )
    with opened_items(source, *more) as given:
        if not isinstance(given, str):
            has_table = lost_at and not json and output is None
            options.refuse(
                "is for a single input, not for many",
                show=show, exit_code=exit_code, proof=proof, certificate=certificate, dimacs=dimacs,
                svg=pictures.svg, tikz=pictures.tikz, pdf=pictures.pdf, link=link and not lost_at,
            )  # fmt: skip
            check_folder(source, output)
            from hanabi.shell import solve_many

            table = LostTable(has_links=link) if has_table else None
            return solve_many(given, question, workers=workers, output=output, table=table)
    options.refuse("is for many inputs, not for a single one", workers=workers)
    check_document(output, "inputs")
    with ProgressLine() as progress:
        problem = read_problem(given, question, options.name_of(source))
        if dimacs is not None:
            _write_dimacs(problem, dimacs, clock, question)
        if certificate is not None:
            check_has_hand(problem, "{certificate}")
        answer = answer_of(problem, question, progress, clock)
    _write(answer, output, certificate, proof, pictures)
    if link and not json:
        _print_link(answer)
    elif not json:
        print_answer(answer, show=show)
    elif output is None:
        write_document(STDOUT, json_pieces(answer))
    return EXIT_CODES[answer.status] if exit_code else 0


def _write(
    answer: Answer,
    output: str | None,
    certificate: str | None,
    proof: str | None,
    pictures: Pictures,
) -> None:
    """Write the files that were asked for, as far as there is something to write."""
    weights, steps = answer.weights, answer.proof
    writes: list[tuple[str | None, Callable[[str], object]]] = [
        (output, lambda path: write_document(path, json_pieces(answer)))
    ]
    if weights is not None:
        writes.append((certificate, lambda path: write_document(path, [dumps(weights.to_json())])))
    if steps is not None:
        writes.append((proof, lambda path: write_document(path, [steps.rstrip("\n")])))
    if pictures != Pictures():
        from hanabi.shell import svg_of

        writes += pictures.writes(svg_of(answer))
    write_each(writes)


def _print_link(answer: Answer) -> None:
    """Write the link alone, or nothing if no line is known."""
    from hanabi.shell import print_link

    link, no_link = link_of_answer(answer)
    if no_link is not None:
        raise InvalidInputError(f"--link: {no_link}")
    if link is not None:
        print_link(link, answer.games[0].rules)


def _write_dimacs(problem: Problem, path: str, clock: Clock, question: Question) -> None:
    """Write the formula; that of a solitaire in full if a proof refers to it.

    No file is written if a budget ends first: the answer is then unknown.
    """
    if isinstance(problem, GameProblem):
        from hanabi.solvers import write_dimacs

        text = io.StringIO()  # unsupported rules are refused before a file is made
        write_dimacs(problem.game, text)
        with written(path) as stream:
            stream.write(text.getvalue())
        return
    from hanabi.solitaire import sat

    check_has_hand(problem, "{dimacs}")
    cut, memory = not question.proof, question.memory
    try:
        with written(path) as stream:
            sat.write_dimacs(problem.instance, stream, cut=cut, seconds=clock.left, memory=memory)
    except BudgetEndedError as error:
        complain(f"the formula is not written: {error}")
