"""The answer of `hanabi solve` on the full game for people: verdict, reasons, moves, link."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from hanabi.cli.game_answer import GameAnswer
from hanabi.cli.game_line import show_line, steps_of
from hanabi.cli.game_moves import Table, ending
from hanabi.cli.terminal import VERDICT_STYLES, Screen
from hanabi.errors import counted
from hanabi.session.problem import GameProblem
from hanabi.verdict import Status
from hanabi.winnable import Refutation
from hanabi.winnable.lost import Lost

__all__ = ["print_game_answer"]


def print_game_answer(screen: Screen, answer: GameAnswer, *, show: bool) -> None:
    """Write the answer; with `show` also the moves of the line, or the proof that there is none."""
    problem = answer.problem
    for text in (_described(problem), *problem.remarks):
        screen.entry("", text)
    screen.line()
    screen.entry(str(answer.status), _reason(answer), VERDICT_STYLES[answer.status])
    for label, text in _facts(answer):
        screen.entry(label, text)
    if answer.lost is not None:
        _print_lost(screen, problem, answer.lost, answer.lost_because, show=show)
    if show:
        _print_details(screen, answer)
    if answer.link is not None:
        screen.line()
        screen.line((answer.link, "cyan"))


def _described(problem: GameProblem) -> str:
    rules = problem.game.rules
    moves = counted(len(problem.moves), "move")
    where = f", after {problem.at} of {moves}" if problem.at else ""
    return (
        f"{rules.seats} players with {counted(rules.hand_size, 'card')} each, a deck of"
        f" {rules.deck_size} in {counted(rules.colors, 'color')}, all cards face up;"
        f" {problem.preset} rules{where}."
    )


def _reason(answer: GameAnswer) -> str:
    witness = answer.verdict.witness
    if answer.status is Status.WINNABLE and witness:
        points = counted(answer.problem.game.rules.max_score, "point")
        return f"all {points} in {counted(len(witness), 'move')}, replayed by the rules"
    return answer.reason


def _facts(answer: GameAnswer) -> Iterator[tuple[str, str]]:
    problem, verdict = answer.problem, answer.verdict
    if problem.moves:
        end = problem.positions[-1]
        yield "as played", f"{counted(len(problem.moves), 'move')}, {ending(end)}"
    if answer.status is not Status.WINNABLE:
        yield "best score", f"{_best(answer)} of {problem.game.rules.max_score}"
    tried = f", {counted(verdict.states, 'state')}" if verdict.states else ""
    yield "method", f"{verdict.method}, {answer.seconds:.2f} s{tried}"
    if answer.proof is not None:
        yield "proof", counted(len(answer.proof.splitlines()), "step") + " of DRAT written"
    elif answer.no_proof is not None:
        yield "no proof", answer.no_proof
    if answer.no_link is not None:
        yield "no link", answer.no_link


def _best(answer: GameAnswer) -> str:
    lower, upper = answer.verdict.lower, answer.verdict.upper
    if lower == upper:
        return str(lower)
    is_searched = answer.status is Status.UNKNOWN or answer.verdict.witness is not None
    return f"between {lower} and {upper}" if is_searched else f"at most {upper}"


def _print_lost(
    screen: Screen, problem: GameProblem, lost: Lost, refutation: Refutation | None, *, show: bool
) -> None:
    index = lost.move
    if index is None:
        if lost.is_exact:
            text = "never: the game was won" if problem.positions[-1].is_over else "not so far"
        else:
            start = f"not before move {lost.lower}" if lost.lower else "not known"
            text = f"{start}, perhaps not at all; the rest is undecided"
            if lost.lost_from is not None:
                text = f"between move {lost.lower} and move {lost.lost_from}; the rest is undecided"
        screen.entry("lost at", text)
        return
    if index == 0:
        screen.entry("lost at", "the deal: no line wins this deck")
        return
    table = Table(problem.names)
    before, after = problem.positions[index - 1], problem.positions[index]
    move = "".join(text for text, _ in table.sentence(before, after.actions[-1], after))
    name = problem.names[before.seat_to_act]
    screen.entry("lost at", f"move {index} of {lost.moves}: {name} {move}", "bold")
    if refutation is not None:
        screen.entry("because", f"{refutation.name}: {refutation.summary}")
        if show and problem.at != index and refutation.steps:
            screen.line()
            _print_proof(screen, refutation, f"Proof that it is lost after move {index}")


def _print_details(screen: Screen, answer: GameAnswer) -> None:
    witness = answer.verdict.witness
    if answer.refutation is not None and answer.refutation.steps:
        screen.line()
        _print_proof(screen, answer.refutation, "Proof")
    if witness:
        steps = steps_of(answer.problem.game, witness)
        screen.line()
        show_line(screen, Table(answer.problem.names), steps)
        screen.line(("      " + ending(steps[-1][2]), "bold"))


def _print_proof(screen: Screen, refutation: Refutation, title: str) -> None:
    """Write the steps; cards counted there include those of the deal."""
    screen.line((f"{title}:", "bold"))
    depths = [len(step) - len(step.lstrip()) for step in refutation.steps]
    # Two blanks a choice, less if there are so many that the text would be squeezed out.
    scale = min(1.0, screen.width / 3 / max(1, *depths))
    for depth, step in zip(depths, refutation.steps, strict=True):
        indent = " " * (2 + int(depth * scale))
        for line in wrap(
            step.lstrip(), screen.width, initial_indent=indent, subsequent_indent=indent + "  "
        ):
            screen.line(line)
