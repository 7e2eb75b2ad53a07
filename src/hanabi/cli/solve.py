"""`hanabi solve` decides whether a deck can be won."""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Iterator
from typing import Literal

from hanabi.cli.answer import Question, ask
from hanabi.cli.arguments import Count, Seconds, Source
from hanabi.cli.load import Problem, items_of, to_problem, written
from hanabi.cli.report import print_answer
from hanabi.cli.terminal import BAD_INPUT, Progress, Screen, complain
from hanabi.errors import HanabiError, InvalidInputError
from hanabi.notation import decode
from hanabi.verdict import Status

__all__ = ["EXIT_CODES", "Method", "solve_command"]

Method = Literal["auto", "unique", "single_color", "table", "search", "sat"]

EXIT_CODES = {Status.WINNABLE: 10, Status.UNWINNABLE: 20, Status.UNKNOWN: 30}
"""Exit statuses under --exit-code."""


def solve_command(
    source: Source,
    /,
    *,
    hand_size: Count | None = None,
    method: Method = "auto",
    least_hand: bool = False,
    json: bool = False,
    show: bool = False,
    time: Seconds = 60.0,
    memory: Count | None = None,
    exit_code: bool = False,
    proof: str | None = None,
    dimacs: str | None = None,
) -> int:
    """Decide whether a deck can be won, and show how.

    A real game is solved as a solitaire with all its hands merged: all cards face up, no hints, no
    last round. A .jsonl file, or several JSON objects one a line, gives one JSON line an item.

    Parameters
    ----------
    source
        A file, a hanab.live replay link, or - for standard input.
    hand_size
        The most cards in hand; by default what the input says, or players x cards - 1.
    method
        Which solver decides; "auto" chooses by structure and cost.
    least_hand
        Also find the least hand size that wins.
    json
        Print one JSON document.
    show
        Print the winning (or best) play, move by move.
    time
        Seconds for everything, by default 60; 0 for no limit.
    memory
        Megabytes that a solver may use.
    exit_code
        Exit with 10 if winnable, 20 if not, 30 if unknown.
    proof
        Solve by SAT, and write a DRAT proof here if there is no winning play.
    dimacs
        Write the question as CNF in DIMACS form here; with --proof, what the proof refutes.
    """
    if proof is not None and method not in ("auto", "sat"):
        raise InvalidInputError(f"--proof is written by --method sat, not {method}")
    question = Question(
        "sat" if proof is not None else method,
        least_hand,
        time,
        None if memory is None else memory << 20,
        proof=proof is not None,
    )
    single = {"--show": show, "--exit-code": exit_code, "--proof": proof, "--dimacs": dimacs}
    with items_of(source) as given:
        if not isinstance(given, str):
            for name, value in single.items():
                if value:
                    raise InvalidInputError(f"{name} is for a single input, not for JSON lines")
            return _solve_lines(given, hand_size, question)
    problem = to_problem(given, source=source, hand_size=hand_size, hand_is_needed=not least_hand)
    if dimacs is not None:
        _write_dimacs(problem, dimacs, cut=proof is None)
    with Progress() as progress:
        answer = ask(problem, question, progress)
    if proof is not None and answer.proof is not None:
        with written(proof) as stream:
            stream.write(answer.proof.rstrip("\n") + "\n")
    if json:
        sys.stdout.write(json_module.dumps(answer.to_json()) + "\n")
    else:
        print_answer(Screen(), answer, show=show)
    return EXIT_CODES[answer.verdict.status] if exit_code else 0


def _write_dimacs(problem: Problem, path: str, *, cut: bool) -> None:
    """Write the formula; uncut if a proof is to be checked against it."""
    from hanabi.solitaire import sat

    if not problem.hand_is_given:
        raise InvalidInputError("--dimacs needs a hand size: give --hand-size H")
    with written(path) as stream:
        sat.write_dimacs(problem.instance, stream, cut=cut)


def _solve_lines(lines: Iterator[bytes], hand_size: int | None, question: Question) -> int:
    """Answer each line in its place, the bad ones too; return the exit status."""
    answered = bad = 0
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            data = _solve_line(line, number, hand_size, question)
            answered += 1
        except HanabiError as error:
            data = {"error": str(error), "line": number}
            bad += 1
        sys.stdout.write(json_module.dumps(data) + "\n")
        sys.stdout.flush()
    if bad:
        complain(f"error: {bad} of {answered + bad} lines could not be answered")
    return BAD_INPUT if bad else 0


def _solve_line(
    line: bytes, number: int, hand_size: int | None, question: Question
) -> dict[str, object]:
    problem = to_problem(
        decode(line).rstrip(),
        source="",
        hand_size=hand_size,
        hand_is_needed=not question.least_hand,
    )
    with Progress(f"line {number}: ") as progress:
        return ask(problem, question, progress).to_json()
