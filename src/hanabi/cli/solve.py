"""`hanabi solve` decides whether a deck can be won."""

from __future__ import annotations

import io
import json as json_module
import sys
from dataclasses import dataclass
from typing import Annotated, Literal

from cyclopts import Group, Parameter

from hanabi.cli.answer import Answer, Question
from hanabi.cli.arguments import Count, Seconds, Source
from hanabi.cli.game_question import Dealing, GameQuestion, Preset
from hanabi.cli.items import check_folder, opened_items
from hanabi.cli.load import Problem
from hanabi.cli.outputs import check_outputs, written
from hanabi.cli.report import print_answer
from hanabi.cli.task import AnyAnswer, AnyProblem, FullGame, Solitaire, Task
from hanabi.cli.terminal import Progress, Screen, complain
from hanabi.clock import Clock
from hanabi.errors import BudgetEndedError, InvalidInputError
from hanabi.verdict import Status

__all__ = ["EXIT_CODES", "Method", "solve_command"]

Method = Literal["auto", "unique", "single_color", "table", "search", "sat"]

EXIT_CODES = {Status.WINNABLE: 10, Status.UNWINNABLE: 20, Status.UNKNOWN: 30}
"""Exit statuses under --exit-code."""

_FULL = Group("Full game", sort_key=1)
_SOLITAIRE = Group("Solitaire Hanabi", sort_key=2)
_OUTPUT = Group("Limits and output", sort_key=3)

_in_full = Parameter(group=_FULL)
_in_solitaire = Parameter(group=_SOLITAIRE)
_in_output = Parameter(group=_OUTPUT)


def solve_command(
    source: Source,
    /,
    *,
    players: Annotated[Count | None, _in_full] = None,
    rules: Annotated[Preset | None, _in_full] = None,
    at: Annotated[Count | None, _in_full] = None,
    best: Annotated[bool, _in_full] = False,
    lost_at: Annotated[bool, _in_full] = False,
    link: Annotated[bool, _in_full] = False,
    solitaire: Annotated[bool, _in_solitaire] = False,
    hand_size: Annotated[Count | None, _in_solitaire] = None,
    method: Annotated[Method, _in_solitaire] = "auto",
    least_hand: Annotated[bool, _in_solitaire] = False,
    most_cards: Annotated[bool, _in_solitaire] = False,
    proof: Annotated[str | None, _in_output] = None,
    dimacs: Annotated[str | None, _in_output] = None,
    show: Annotated[bool, _in_output] = False,
    json: Annotated[bool, _in_output] = False,
    time: Annotated[Seconds, _in_output] = 60.0,
    memory: Annotated[Count | None, _in_output] = None,
    exit_code: Annotated[bool, _in_output] = False,
    workers: Annotated[Count | None, _in_output] = None,
    output: Annotated[str | None, Parameter(name=("--output", "-o"), group=_OUTPUT)] = None,
) -> int:
    """Decide whether a deck can be won, and show how.

    Real games and dealt decks are the full game with all cards face up; a stream of cards, or an
    option of Solitaire Hanabi, makes it that.

    Parameters
    ----------
    source
        A file or folder, a hanab.live replay link, or - for standard input.
    players
        Deal the deck to so many players.
    rules
        The rule set, by default hanab_live, with a game's own options.
    at
        Solve from the position after so many moves of the game.
    best
        If it cannot be won, find the best score.
    lost_at
        Find the first move of the game after which no line wins.
    link
        Print nothing but the winning line as a hanab.live replay link.
    solitaire
        Merge all hands into one: no hints, no last round.
    hand_size
        The most cards in hand; by default what the input says, or players x cards - 1.
    method
        Which solver decides; "auto" chooses by structure and cost.
    least_hand
        Also find the least hand size that wins.
    most_cards
        If it cannot be won, find the most cards that can be played.
    proof
        Write a DRAT proof here if there is no winning play.
    dimacs
        Write the question as CNF in DIMACS form here; with --proof, what the proof refutes.
    show
        Print the winning (or best) play move by move, or the proof that there is none.
    json
        Print one JSON document.
    time
        Seconds for everything (of many inputs: for each), by default 60; 0 for no limit.
    memory
        Megabytes that a solver may use.
    exit_code
        Exit with 10 if winnable, 20 if not, 30 if unknown.
    workers
        Processes for many inputs, by default one a core.
    output
        Append the answers to many inputs to this file; those it has already are skipped.
    """
    check_outputs([source], {"--proof": proof, "--dimacs": dimacs, "--output": output})
    clock = Clock(time or None)
    output_wanted = _Output(show, json, link, exit_code, proof, dimacs)
    budget = None if memory is None else memory << 20
    if proof is not None and method not in ("auto", "sat"):
        raise InvalidInputError(f"--proof is written by --method sat, not {method}")
    of_solitaire = {
        "--solitaire": solitaire,
        "--hand-size": hand_size is not None,
        "--least-hand": least_hand,
        "--most-cards": most_cards,
    }
    of_full_game = {
        "--players": players is not None,
        "--rules": rules is not None,
        "--at": at is not None,
        "--best": best,
        "--lost-at": lost_at,
        "--link": link,
    }
    question = Question(
        method if proof is None else "sat",
        least_hand,
        most_cards,
        time,
        budget,
        proof=proof is not None,
    )
    task = Task(
        Solitaire(
            question,
            hand_size,
            _first_given(of_solitaire),
            _first_given({"--method": method != "auto"}),
        ),
        FullGame(
            GameQuestion(best, lost_at, time, budget, proof=proof is not None),
            Dealing(players, rules, at),
            _first_given(of_full_game),
        ),
    )
    with opened_items(source) as given:
        if not isinstance(given, str):
            output_wanted.refuse_for_many()
            check_folder(source, output)
            from hanabi.cli.batch import solve_many

            return solve_many(given, task, workers=workers, output=output)
    if wrong := _first_given({"--workers": workers is not None, "--output": output is not None}):
        raise InvalidInputError(f"{wrong} is for many inputs, not for a single one")
    return _solve_one(task, task.read(given, source), output_wanted, clock)


@dataclass(frozen=True, slots=True)
class _Output:
    """What is printed and written of the answer to a single input."""

    show: bool
    json: bool
    link: bool
    exit_code: bool
    proof: str | None
    dimacs: str | None

    def refuse_for_many(self) -> None:
        options = {"--show": self.show, "--exit-code": self.exit_code, "--link": self.link}
        options |= {"--proof": self.proof is not None, "--dimacs": self.dimacs is not None}
        if wrong := _first_given(options):
            raise InvalidInputError(f"{wrong} is for a single input, not for many")


def _solve_one(task: Task, problem: AnyProblem, output: _Output, clock: Clock) -> int:
    if output.dimacs is not None:
        memory = task.solitaire.question.memory
        _write_dimacs(problem, output.dimacs, clock, memory, cut=output.proof is None)
    with Progress() as progress:
        answer = task.answer(problem, progress, clock)
    if output.proof is not None and answer.proof is not None:
        with written(output.proof) as stream:
            stream.write(answer.proof.rstrip("\n") + "\n")
    if output.json:
        if isinstance(answer, Answer):
            sys.stdout.writelines(answer.json_pieces())
        else:
            sys.stdout.write(json_module.dumps(answer.to_json()))
        sys.stdout.write("\n")
    elif output.link:
        _print_link(answer)
    else:
        _print(answer, show=output.show)
    return EXIT_CODES[answer.status] if output.exit_code else 0


def _first_given(options: dict[str, bool]) -> str | None:
    return next((name for name, is_given in options.items() if is_given), None)


def _print(answer: AnyAnswer, *, show: bool) -> None:
    if isinstance(answer, Answer):
        print_answer(Screen(), answer, show=show)
        return
    from hanabi.cli.game_report import print_game_answer

    print_game_answer(Screen(), answer, show=show)


def _print_link(answer: AnyAnswer) -> None:
    """Write the link alone, or nothing if no line is known."""
    if isinstance(answer, Answer):
        return
    if answer.no_link is not None:
        raise InvalidInputError(f"--link: {answer.no_link}")
    if answer.link is not None:
        sys.stdout.write(answer.link + "\n")


def _write_dimacs(
    problem: AnyProblem, path: str, clock: Clock, memory: int | None, *, cut: bool
) -> None:
    """Write the formula; that of a solitaire uncut if a proof is to be checked against it.

    No file is written if a budget ends first: the answer is then unknown.
    """
    if not isinstance(problem, Problem):
        from hanabi.winnable.sat import write_dimacs

        text = io.StringIO()  # rules that no formula states are refused before a file is made
        write_dimacs(problem.game, text)
        with written(path) as stream:
            stream.write(text.getvalue())
        return
    from hanabi.solitaire import sat

    if not problem.hand_is_given:
        raise InvalidInputError("--dimacs needs a hand size: give --hand-size H")
    try:
        with written(path) as stream:
            sat.write_dimacs(problem.instance, stream, cut=cut, seconds=clock.left, memory=memory)
    except BudgetEndedError as error:
        complain(f"the formula is not written: {error}")
