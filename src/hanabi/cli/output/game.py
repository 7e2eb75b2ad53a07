"""The answer of `hanabi solve` on the full game: as JSON, and for people."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from hanabi.cli.output.line_table import show_line
from hanabi.cli.output.lost import action_json, because_json, lost_json, print_lost
from hanabi.cli.output.terminal import VERDICT_STYLES, Screen
from hanabi.errors import counted
from hanabi.game.telling import ending
from hanabi.session.game import GameProblem
from hanabi.session.game_answer import GameAnswer
from hanabi.verdict import Status
from hanabi.winnable import Refutation

__all__ = ["document", "print_answer"]


def document(answer: GameAnswer) -> dict[str, object]:
    """Return the documented JSON document."""
    verdict, lost, actions = answer.verdict, answer.lost, answer.actions
    data: dict[str, object] = {
        "status": str(verdict.status),
        "best": {"lower": verdict.lower, "upper": verdict.upper},
        "reason": answer.reason,
        "method": verdict.method,
        "actions": None if actions is None else [action_json(action) for action in actions],
        "link": answer.link,
        "seconds": round(answer.seconds, 6),
    }
    if answer.refutation is not None:
        data["because"] = because_json(answer.refutation)
    if answer.certificate is not None and answer.proof is not None:
        cnf, steps = answer.certificate.encoding.cnf, len(answer.proof.splitlines())
        data["proof"] = {"variables": cnf.n_vars, "clauses": cnf.n_clauses, "steps": steps}
    elif answer.no_proof is not None:
        data["proof"] = None
    if lost is not None:
        data |= lost_json(answer, lost)
    return data


def print_answer(screen: Screen, answer: GameAnswer, *, show: bool) -> None:
    """Write the answer; with `show` also the moves of the line, or the proof that there is none."""
    problem = answer.problem
    for text in (_described(problem), *problem.remarks):
        screen.entry("", text)
    screen.line()
    screen.entry(str(answer.status), _reason(answer), VERDICT_STYLES[answer.status])
    for label, text in _facts(answer):
        screen.entry(label, text)
    if answer.lost is not None:
        print_lost(screen, answer, answer.lost)
    if show:
        _print_details(screen, answer)
    if answer.lost_link is not None:
        screen.line()
        screen.entry("", "The game as it was played, where it was lost:")
        screen.link(answer.lost_link)
    if answer.link is not None:
        screen.line()
        screen.link(answer.link)


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
        yield "as played", f"{counted(len(problem.moves), 'move')}, {problem.ending}"
    is_told = answer.status is Status.UNKNOWN or verdict.lower == verdict.upper
    if answer.status is not Status.WINNABLE and (is_told or answer.question.best):
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
    return f"between {lower} and {upper}"


def _print_details(screen: Screen, answer: GameAnswer) -> None:
    lost, why = answer.lost, answer.lost_because
    if lost is not None and why is not None and answer.problem.at != lost.move:
        _print_proof(screen, why, f"Proof that it is lost after move {lost.move}")
    if answer.refutation is not None:
        _print_proof(screen, answer.refutation, "Proof")
    if answer.games is not None and answer.verdict.witness:
        games = answer.games[answer.problem.at :]
        screen.line()
        show_line(screen, answer.problem.names, games)
        screen.line(("      " + ending(games[-1]), "bold"))


def _print_proof(screen: Screen, refutation: Refutation, title: str) -> None:
    """Write the steps, if there are any; cards counted there include those of the deal."""
    if not refutation.steps:
        return
    screen.line()
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
