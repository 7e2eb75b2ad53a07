"""The answer of `hanabi solve` on Solitaire Hanabi: as JSON, and for people."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hanabi.cli.output.play_table import card_name, show_play
from hanabi.cli.output.terminal import VERDICT_STYLES, Screen
from hanabi.errors import counted
from hanabi.session.solitaire import SolitaireAnswer, SolitaireProblem
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.play import DrawAction, Play
from hanabi.verdict import Status

__all__ = ["document", "json_pieces", "print_answer", "reading_document", "reading_facts"]

if TYPE_CHECKING:
    from hanabi.hardness import Reading

_MOST_NAMED = 10
_LONG_PLAY = 20_000  # moves


def document(answer: SolitaireAnswer) -> dict[str, object]:
    """Return the documented JSON document."""
    head, tail = _document_parts(answer)
    play = answer.winning_play
    return {**head, "play": None if play is None else play.to_json(), **tail}


def json_pieces(answer: SolitaireAnswer) -> Iterator[str]:
    """Yield the text of the JSON document; a long play is written in bulk."""
    play = answer.winning_play
    if play is None or len(play) < _LONG_PLAY:
        yield json.dumps(document(answer))
        return
    from hanabi.notation.bulk import move_pieces

    head, tail = (json.dumps(part) for part in _document_parts(answer))
    yield head[:-1] + ', "play": '
    names = tuple(str(action) for action in sorted(DrawAction))
    yield from move_pieces(play.positions, play.actions, names)
    yield ", " + tail[1:]


def _document_parts(answer: SolitaireAnswer) -> tuple[dict[str, object], dict[str, object]]:
    """Return what stands before the play and after it."""
    verdict, least = answer.verdict, answer.least
    head: dict[str, object] = {
        "status": str(verdict.status),
        "method": verdict.method,
        "reason": verdict.reason,
    }
    if least is not None:
        head["least_hand"] = least.upper if least.is_exact else None
    tail: dict[str, object] = {
        "most_cards": answer.most_cards,
        "seconds": round(answer.seconds, 6),
        "states": verdict.states,
    }
    lower, upper = answer.bounds
    if answer.problem.hand_is_given and lower != upper:
        tail["bounds"] = {"lower": lower, "upper": upper}
    if least is not None and not least.is_exact:
        tail["least_hand_bounds"] = {"lower": least.lower, "upper": least.upper}
    tail |= reading_document(answer.problem.reading(answer.winning_play))
    return head, tail


def print_answer(screen: Screen, answer: SolitaireAnswer, *, show: bool) -> None:
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


def _described(problem: SolitaireProblem) -> str:
    instance = problem.instance
    parts = [
        counted(instance.N, "card"),
        f"{counted(instance.c, 'color')} of {counted(instance.n, 'value')}",
        f"at most {instance.r} alike",
    ]
    if problem.hand_is_given:
        parts.append(f"hand {instance.hand_size}")
    return ", ".join(parts) + "."


def _facts(answer: SolitaireAnswer) -> Iterator[tuple[str, str]]:
    verdict, least, goal = answer.verdict, answer.least, answer.problem.instance.goal
    if least is not None:
        yield "least hand", _least_hand(least.lower, least.upper, is_exact=least.is_exact)
    lower, upper = answer.bounds
    is_told = verdict.status is Status.UNKNOWN or lower == upper or answer.question.most_cards
    if verdict.status is not Status.WINNABLE and answer.problem.hand_is_given and is_told:
        reached = f"{lower:,}" if lower == upper else f"between {lower:,} and {upper:,}"
        yield "most cards", f"{reached} of {goal:,}{_left_out(answer)}"
    yield from reading_facts(answer.problem.reading(answer.winning_play))
    states = f", {counted(verdict.states, 'state')}" if verdict.states else ""
    yield "method", f"{verdict.method}, {answer.seconds:.2f} s{states}"
    if answer.proof is not None:
        yield "proof", counted(len(answer.proof.splitlines()), "step") + " of DRAT written"
    if verdict.trail:
        yield "tried", "; ".join(verdict.trail)


def reading_document(reading: Reading | None) -> dict[str, object]:
    """Return the entries of a JSON document: the literals, and the first clause without one."""
    if reading is None:
        return {}
    entries: dict[str, object] = {"assignment": reading.literals}
    return entries if reading.missed is None else entries | {"missed_clause": reading.missed}


def reading_facts(reading: Reading | None) -> Iterator[tuple[str, str]]:
    """Yield what a play of cards that came from a formula says of it."""
    if reading is None:
        return
    found = " ".join(map(str, reading.literals)) or "any values do"
    if reading.missed is None:
        yield "assignment", found
    else:
        told = f"none of these literals is in clause {reading.missed}"
        yield "assignment", f"{found}: {told}, so the cards are no sound reduction of the formula"


def _least_hand(lower: int, upper: int | None, *, is_exact: bool) -> str:
    if upper is None:
        return "none: no hand is large enough"
    return str(upper) if is_exact else f"between {lower} and {upper}"


def _left_out(answer: SolitaireAnswer) -> str:
    """Name the cards that the best known play leaves out, if they are few."""
    instance, play = answer.problem.instance, answer.best_play
    if play is None or instance.goal - answer.bounds[0] > _MOST_NAMED:
        return ""
    cards = _unplayed(instance, play)
    return f", without {' '.join(cards)}" if 0 < len(cards) <= _MOST_NAMED else ""


def _unplayed(instance: Instance, play: Play) -> list[str]:
    piles = [0] * instance.c
    for position, action in play:
        if action is DrawAction.PLAY:
            piles[instance.colors[position - 1]] = instance.values[position - 1]
    return [
        card_name(instance, color, value)
        for color, pile in enumerate(piles)
        for value in range(pile + 1, instance.n + 1)
    ]
