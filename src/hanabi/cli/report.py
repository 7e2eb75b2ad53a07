"""The answer of `hanabi solve` for people: the verdict, why, what else was asked, the play."""

from __future__ import annotations

from collections.abc import Iterator

from hanabi.cli.answer import Answer
from hanabi.cli.load import Problem
from hanabi.cli.show import Look, show_play
from hanabi.cli.terminal import VERDICT_STYLES, Screen
from hanabi.errors import counted
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.play import Action, Play
from hanabi.verdict import Status

__all__ = ["print_answer"]

_MOST_NAMED = 10


def print_answer(screen: Screen, answer: Answer, *, show: bool) -> None:
    """Write the answer; with `show` also the winning play, or the best one known."""
    problem, verdict = answer.problem, answer.verdict
    for text in (*problem.remarks, _described(problem)):
        screen.entry("", text)
    screen.line()
    screen.entry(str(verdict.status), verdict.reason, VERDICT_STYLES[verdict.status])
    for label, text in _facts(answer):
        screen.entry(label, text)
    play = answer.best_play
    if show and play is not None:
        screen.line()
        show_play(screen, problem.instance, play)


def _described(problem: Problem) -> str:
    instance = problem.instance
    parts = [
        counted(instance.N, "card"),
        f"{counted(instance.c, 'color')} of {counted(instance.n, 'value')}",
        f"at most {instance.r} alike",
    ]
    if problem.hand_is_given:
        parts.append(f"hand {instance.hand_size}")
    return ", ".join(parts) + "."


def _facts(answer: Answer) -> Iterator[tuple[str, str]]:
    verdict, least, goal = answer.verdict, answer.least, answer.problem.instance.goal
    if least is not None:
        yield "least hand", _least_hand(least.lower, least.upper, is_exact=least.is_exact)
    if verdict.status is not Status.WINNABLE and answer.problem.hand_is_given:
        lower, upper = answer.bounds
        reached = f"{lower:,}" if lower == upper else f"between {lower:,} and {upper:,}"
        yield "most cards", f"{reached} of {goal:,}{_left_out(answer)}"
    states = f", {counted(verdict.states, 'state')}" if verdict.states else ""
    yield "method", f"{verdict.method}, {answer.seconds:.2f} s{states}"
    if answer.proof is not None:
        yield "proof", counted(len(answer.proof.splitlines()), "step") + " of DRAT written"
    if verdict.trail:
        yield "tried", "; ".join(verdict.trail)


def _least_hand(lower: int, upper: int | None, *, is_exact: bool) -> str:
    if upper is None:
        return "none: no hand is large enough"
    return str(upper) if is_exact else f"between {lower} and {upper}"


def _left_out(answer: Answer) -> str:
    """Name the cards that the best known play leaves out, if they are few."""
    instance, play = answer.problem.instance, answer.best_play
    if play is None or instance.goal - answer.bounds[0] > _MOST_NAMED:
        return ""
    cards = _unplayed(instance, play)
    return f", without {' '.join(cards)}" if 0 < len(cards) <= _MOST_NAMED else ""


def _unplayed(instance: Instance, play: Play) -> list[str]:
    piles = [0] * instance.c
    for position, action in play:
        if action is Action.PLAY:
            piles[instance.colors[position - 1]] = instance.values[position - 1]
    look = Look(instance)
    return [
        look.card(value, color)
        for color, pile in enumerate(piles)
        for value in range(pile + 1, instance.n + 1)
    ]
