"""`hanabi verify` decides whether a play wins, or whether a proof shows that none does."""

from __future__ import annotations

import json as json_module
import sys

from hanabi.cli.arguments import Count, Source
from hanabi.cli.game_question import Dealing, GameQuestion, Preset
from hanabi.cli.load import STDIN, Problem, name_of, read_text
from hanabi.cli.task import AnyProblem, FullGame, Solitaire, Task
from hanabi.cli.terminal import Screen
from hanabi.errors import InvalidInputError, counted

__all__ = ["verify_command"]

_BROKEN = 1


def verify_command(
    instance: Source,
    play: Source | None = None,
    /,
    *,
    proof: str | None = None,
    players: Count | None = None,
    rules: Preset | None = None,
    at: Count | None = None,
    solitaire: bool = False,
    hand_size: Count | None = None,
    json: bool = False,
) -> int:
    """Check that a play wins, or with --proof that no play does.

    Exits with 0 if so, and with 1 and the first broken rule if not. The input is read as "hanabi
    solve" reads it. A proof is checked against the formula of the input, which is made anew.

    Parameters
    ----------
    instance
        A file, a hanab.live replay link, or - for standard input.
    play
        A JSON file, as printed by "hanabi solve --json", or - for standard input.
    proof
        A DRAT proof, as written by "hanabi solve --proof", or - for standard input.
    players
        Deal the deck to so many players.
    rules
        The rule set of the full game, by default hanab_live, with a game's own options.
    at
        Look at the position after so many moves of the game.
    solitaire
        Merge all hands into one: no hints, no last round.
    hand_size
        The most cards in hand; by default what the instance says, or players x cards - 1.
    json
        Print one JSON document.
    """
    if (play is None) == (proof is None):
        raise InvalidInputError("give either a play or --proof, to be checked")
    given = play if play is not None else proof
    if given is None or instance == given == STDIN:
        raise InvalidInputError("only one of the two can be standard input")
    task = _Reader(Dealing(players, rules, at), hand_size, solitaire=solitaire)
    text = read_text(given)
    if proof is not None:
        return _verify_proof(task.problem(instance), text, name_of(given), json=json)
    from hanabi.cli.game_verify import is_game_line

    if is_game_line(text):
        problem = task.problem(instance, of_game="an answer with actions")
        return _verify_line(problem, text, name_of(given), json=json)
    return _verify_play(task.problem(instance, of_solitaire="a play"), text, given, json=json)


class _Reader:
    """Reads the instance as `hanabi solve` does, or as what is checked asks for."""

    def __init__(self, dealing: Dealing, hand_size: int | None, *, solitaire: bool) -> None:
        self.dealing, self.hand_size = dealing, hand_size
        self.of_solitaire = "--solitaire" if solitaire else None
        if self.of_solitaire is None and hand_size is not None:
            self.of_solitaire = "--hand-size"
        given = {"--players": dealing.players, "--rules": dealing.rules, "--at": dealing.at}
        self.of_game = next((name for name, value in given.items() if value is not None), None)

    def problem(
        self, source: str, *, of_solitaire: str | None = None, of_game: str | None = None
    ) -> AnyProblem:
        from hanabi.cli.answer import Question

        task = Task(
            Solitaire(Question(), self.hand_size, self.of_solitaire or of_solitaire),
            FullGame(GameQuestion(), self.dealing, self.of_game or of_game),
        )
        return task.read(read_text(source), source)


def _verify_play(problem: AnyProblem, text: str, source: str, *, json: bool) -> int:
    from hanabi.notation import parse_play
    from hanabi.solitaire.play import Play, find_broken_rule

    if not isinstance(problem, Problem):
        raise InvalidInputError("a play is for Solitaire Hanabi")
    moves = Play(parse_play(text, source=name_of(source)))
    broken = find_broken_rule(problem.instance, moves)
    told = None if broken is None else {"move": broken.move, "rule": broken.message}
    goal = problem.instance.goal
    said = f"the play wins with {goal:,} of {counted(goal, 'card')}"
    return _print(told, said if broken is None else str(broken), json=json)


def _verify_line(problem: AnyProblem, text: str, name: str, *, json: bool) -> int:
    from hanabi.cli.game_verify import find_broken, parse_game_line

    try:
        line = parse_game_line(text)
    except InvalidInputError as error:
        raise InvalidInputError(f"{name}: {error}") from None
    if isinstance(problem, Problem):
        raise InvalidInputError(f"{name}: actions are for the full game")
    broken, score = find_broken(problem, line)
    most = problem.game.rules.max_score
    if broken is not None:
        told = {"move": broken.move, "rule": broken.message}
        return _print(told, f"move {broken.move}: {broken.message}", json=json)
    what = "the line wins: all" if score == most else f"the line ends with {score} of"
    return _print(None, f"{what} {most} points, in {len(line.actions)} moves", json=json)


def _verify_proof(problem: AnyProblem, text: str, name: str, *, json: bool) -> int:
    from hanabi.sat.check import check_proof

    if isinstance(problem, Problem):
        from hanabi.solitaire.sat import encode as encode_solitaire

        if not problem.hand_is_given:
            raise InvalidInputError("--proof needs a hand size: give --hand-size H")
        cnf = encode_solitaire(problem.instance, cut=False).cnf
    else:
        from hanabi.winnable import Position
        from hanabi.winnable.sat import encode

        game = problem.game
        cnf = encode(Position.of_game(game), tuple(map(len, game.rules.spec.copies))).cnf
    try:
        checked = check_proof(cnf, text)
    except InvalidInputError as error:
        raise InvalidInputError(f"{name}: {error}") from None
    told: dict[str, object] | None = None if checked.broken is None else {"rule": checked.broken}
    said = f"no play wins: {checked.steps:,} steps, checked by {checked.checker}"
    return _print(told, checked.broken or said, json=json, checker=checked.checker)


def _print(
    broken: dict[str, object] | None, said: str, *, json: bool, checker: str | None = None
) -> int:
    if json:
        data: dict[str, object] = {"ok": broken is None}
        data |= broken or {}
        data |= {} if checker is None else {"checker": checker}
        sys.stdout.write(json_module.dumps(data) + "\n")
    elif broken is None:
        Screen().entry("ok", said, "bold green")
    else:
        Screen().entry("not ok", said, "bold red")
    return 0 if broken is None else _BROKEN
