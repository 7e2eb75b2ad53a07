"""Answers of `hanabi solve` as text and as JSON, and where games were lost."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Any

from hanabi.ground import GAP, InvalidInputError, Status, counted, printable
from hanabi.rules import Audience, GameProblem, RecordedAction, ending, record_action, told
from hanabi.shell.command import plays as solitaire
from hanabi.shell.command.moves import show_line
from hanabi.shell.command.terminal import VERDICT_STYLES, Screen, StyledCell
from hanabi.shell.session.answer import Answer
from hanabi.shell.session.problem import Question
from hanabi.solvers import Lost, Refutation

__all__ = [
    "LostTable",
    "action_json",
    "because_json",
    "document",
    "is_open",
    "json_pieces",
    "link_of_answer",
    "print_answer",
]

_NAME = 16
_WIDTHS = _NAME, 5, 10, 4, 0  # of the columns: game, score, verdict, move, what was done
_LEFT = 0, 2, 4
_COUNTED = ("lost by us", "by the deck", "won", "not lost so far", "undecided", "not answered")


def action_json(action: RecordedAction) -> dict[str, object]:
    """Return an action in hanab.live's encoding."""
    return {"type": action.type, "target": action.target, "value": action.value or 0}


def because_json(refutation: Refutation) -> dict[str, object]:
    """Return a reason, and the size of its proof."""
    return {
        "name": refutation.name,
        "sentence": refutation.summary,
        "choices": refutation.choices,
        "steps": len(refutation.steps),
    }


def link_of_answer(answer: Answer) -> tuple[str | None, str | None]:
    """Return the replay link of the line found, or None and the reason why there is no link."""
    if not answer.games:
        return None, None
    try:
        return answer.link, None
    except InvalidInputError as error:
        return None, str(error)


def _lost_json(problem: GameProblem, answer: Answer, lost: Lost) -> dict[str, object]:
    """Return the entries about the recorded game: its course, the losing move, and the reason."""
    most = problem.game.rules.max_score
    data: dict[str, object] = {
        "as_played": {
            "moves": len(problem.moves),
            "score": problem.score,
            "most": most,
            "end": str(problem.end),
        },
        "lost_at": lost.move,
    }
    if not lost.is_exact:
        data["lost_at_bounds"] = {"lower": lost.lower, "upper": lost.lost_from}
    elif lost.move:
        before, after = problem.positions[lost.move - 1 : lost.move + 1]
        why = answer.lost_because
        data["lost_by"] = {
            "move": lost.move,
            "seat": before.seat_to_act,
            "player": problem.names[before.seat_to_act],
            "action": action_json(record_action(before, after.known_actions[-1])),
            "words": told(problem.names, before, after),
            "because": None if why is None else because_json(why),
            "link": answer.lost_link,
        }
    return data


def _print_lost(
    screen: Screen, problem: GameProblem, lost: Lost, because: Refutation | None
) -> None:
    """Write the losing move, who made it, and why it loses."""
    if lost.move is None:
        text = "never: the game was won" if problem.positions[-1].is_over else "not so far"
        if not lost.is_exact:
            text = _between(lost.lower, lost.lost_from)
        screen.entry("lost at", text)
        return
    if lost.move == 0:
        screen.entry("lost at", "the deal: no line wins this deck")
        return
    before, after = problem.positions[lost.move - 1 : lost.move + 1]
    name, words = problem.names[before.seat_to_act], told(problem.names, before, after)
    screen.entry("lost at", f"move {lost.move} of {lost.moves}: {name} {words}", "bold")
    if because is not None:
        sentence = because.summary.to(Audience(problem.names))
        screen.entry("because", f"{because.name}: {sentence}")


def _between(lower: int, upper: int | None) -> str:
    if upper is not None:
        return f"between move {lower} and move {upper}; the rest is undecided"
    start = f"not before move {lower}" if lower else "not known"
    return f"{start}, perhaps not at all; the rest is undecided"


class LostTable:
    """A table with a row for each game, made from its JSON: its score and its losing move."""

    def __init__(self, *, has_links: bool) -> None:
        self._screen, self._has_links = Screen(), has_links
        self._found: Counter[str] = Counter()
        self._row(*((name, "dim") for name in ("game", "score", "verdict", "move", "")))

    def _row(self, *cells: StyledCell) -> None:
        self._screen.rows([cells], left=_LEFT, widths=_WIDTHS)

    def add(self, name: str, data: Mapping[str, Any]) -> None:
        """Write the row of a game, with the link of the losing move on a line of its own."""
        group, verdict, style, move, texts = _told_of(data)
        self._found[group] += 1
        played = data.get("as_played")
        score = f"{played['score']}/{played['most']}" if played else ""
        name = printable(name)
        name = name if len(name) <= _NAME else f"...{name[3 - _NAME :]}"
        width = self._screen.width - sum(_WIDTHS) - len(GAP) * (len(_WIDTHS) - 1)
        first, *others = [line for text in texts for line in wrap(text, width)] or [""]
        self._row(name, score, (verdict, style), move, first)
        for line in others:
            self._row("", "", "", "", line)
        link = data.get("lost_by", {}).get("link")
        if self._has_links and link is not None:
            self._screen.line((link, "cyan"))

    def finish(self) -> None:
        """Write the number of games with each outcome."""
        found = [f"{self._found[what]:,} {what}" for what in _COUNTED if self._found[what]]
        self._screen.line()
        self._screen.line((", ".join(found) or "no games", "bold"))


def _told_of(data: Mapping[str, Any]) -> tuple[str, str, str, str, list[str]]:
    """Return the group of a game, its verdict with a style, the losing move, and its words."""
    if "error" in data:
        return "not answered", "error", "bold", "", [data["error"]]
    if "lost_at_bounds" in data:
        text = _between(**data["lost_at_bounds"])
        return "undecided", "unknown", VERDICT_STYLES[Status.UNKNOWN], "", [text]
    lost_style = VERDICT_STYLES[Status.UNWINNABLE]
    if data["lost_at"]:
        by = data["lost_by"]
        texts = [f"{by['player']} {by['words']}", *_loss_reason(by)]
        return "lost by us", "lost", lost_style, str(data["lost_at"]), texts
    if data["lost_at"] == 0:
        return "by the deck", "unwinnable", lost_style, "", _loss_reason(data)
    if data["as_played"]["score"] == data["as_played"]["most"]:
        return "won", "won", VERDICT_STYLES[Status.WINNABLE], "", []
    moves = counted(data["as_played"]["moves"], "move")
    return "not lost so far", "winnable", VERDICT_STYLES[Status.WINNABLE], "", [f"after {moves}"]


def _loss_reason(data: Mapping[str, Any]) -> list[str]:
    because = data.get("because")
    return [] if because is None else [f"{because['name']}: {because['sentence']}"]


# The answer of `hanabi solve` on the full game: as JSON, and for people.


def _game_document(problem: GameProblem, answer: Answer) -> dict[str, object]:
    verdict, lost, actions = answer.verdict, answer.lost, answer.actions
    data: dict[str, object] = {
        "status": str(verdict.status),
        "best": {"lower": verdict.lower, "upper": verdict.upper},
        "reason": answer.reason,
        "method": verdict.method,
        "actions": None if actions is None else [action_json(action) for action in actions],
        "link": link_of_answer(answer)[0],
        "seconds": round(answer.seconds, 6),
    }
    if answer.refutation is not None:
        data["because"] = because_json(answer.refutation)
    certificate = answer.certificate
    if certificate is not None and certificate.proof is not None and certificate.cnf is not None:
        cnf, steps = certificate.cnf, len(certificate.proof.splitlines())
        data["proof"] = {"variables": cnf.n_vars, "clauses": cnf.n_clauses, "steps": steps}
    elif answer.no_proof is not None:
        data["proof"] = None
    if (fewest := answer.fewest_turns) is not None:
        data["fewest_turns"] = {
            "points": fewest.points,
            "lower": fewest.lower,
            "upper": fewest.upper,
            "reason": fewest.reason,
        }
    elif answer.question.fewest_turns:
        data["fewest_turns"] = None
    if lost is not None:
        data |= _lost_json(problem, answer, lost)
    return data


def _print_game_answer(problem: GameProblem, answer: Answer, *, show: bool) -> None:
    screen, (link, no_link) = Screen(), link_of_answer(answer)
    for text in (_described(problem), *problem.remarks):
        screen.entry("", text)
    screen.line()
    screen.entry(str(answer.status), _reason(problem, answer), VERDICT_STYLES[answer.status])
    for label, text in _facts(problem, answer, no_link):
        screen.entry(label, text)
    if answer.lost is not None:
        _print_lost(screen, problem, answer.lost, answer.lost_because)
    if show:
        _print_details(screen, problem, answer)
    if answer.lost_link is not None:
        screen.line()
        screen.entry("", "The game as it was played, where it was lost:")
        screen.link(answer.lost_link)
    if link is not None:
        screen.line()
        screen.link(link)


def _described(problem: GameProblem) -> str:
    rules = problem.game.rules
    moves = counted(len(problem.moves), "move")
    where = f", after {problem.at} of {moves}" if problem.at else ""
    return (
        f"{rules.seats} players with {counted(rules.hand_size, 'card')} each, a deck of"
        f" {rules.deck_size} in {counted(rules.colors, 'color')}, all cards face up;"
        f" {problem.preset} rules{where}."
    )


def _reason(problem: GameProblem, answer: Answer) -> str:
    witness = answer.verdict.witness
    if answer.status is Status.WINNABLE and witness:
        points = counted(problem.game.rules.max_score, "point")
        return f"all {points} in {counted(len(witness), 'move')}, replayed by the rules"
    return answer.reason


def _facts(problem: GameProblem, answer: Answer, no_link: str | None) -> Iterator[tuple[str, str]]:
    verdict = answer.verdict
    if problem.moves:
        yield "as played", f"{counted(len(problem.moves), 'move')}, {problem.ending}"
    is_told = answer.status is Status.UNKNOWN or verdict.lower == verdict.upper
    if answer.status is not Status.WINNABLE and (is_told or answer.question.best):
        yield "best score", f"{_best(answer)} of {problem.game.rules.max_score}"
    if (fewest := answer.fewest_turns) is not None:
        yield "fewest", str(fewest)
    elif answer.question.fewest_turns:
        yield "fewest", "turns unknown: no line with the most points that can be had is known"
    tried = f", {counted(verdict.states, 'state')}" if verdict.states else ""
    yield "method", f"{verdict.method}, {answer.seconds:.2f} s{tried}"
    if answer.proof is not None:
        yield "proof", counted(len(answer.proof.splitlines()), "step") + " of DRAT written"
    elif answer.no_proof is not None:
        yield "no proof", answer.no_proof
    if no_link is not None:
        yield "no link", no_link


def _best(answer: Answer) -> str:
    lower, upper = answer.verdict.lower, answer.verdict.upper
    if lower == upper:
        return str(lower)
    return f"between {lower} and {upper}"


def _print_details(screen: Screen, problem: GameProblem, answer: Answer) -> None:
    lost, why = answer.lost, answer.lost_because
    if lost is not None and why is not None and problem.at != lost.move:
        _print_proof(screen, why, f"Proof that it is lost after move {lost.move}")
    if answer.refutation is not None:
        _print_proof(screen, answer.refutation, "Proof")
    if answer.verdict.witness:
        games = answer.games[problem.at :]
        screen.line()
        show_line(screen, problem.names, games)
        screen.line(("      " + ending(games[-1]), "bold"))


def _print_proof(screen: Screen, refutation: Refutation, title: str) -> None:
    """Write the steps, if there are any; their card numbers count the dealt cards, too."""
    if not refutation.steps:
        return
    screen.line()
    screen.line((f"{title}:", "bold"))
    depths = [len(step) - len(step.lstrip()) for step in refutation.steps]
    # Two blanks a choice; fewer if deep choices would leave no room for the text.
    scale = min(1.0, screen.width / 3 / max(1, *depths))
    for depth, step in zip(depths, refutation.steps, strict=True):
        indent = " " * (2 + int(depth * scale))
        for line in wrap(
            step.lstrip(), screen.width, initial_indent=indent, subsequent_indent=indent + "  "
        ):
            screen.line(line)


# Answers of either game.


def document(answer: Answer) -> dict[str, object]:
    """Return the documented JSON document."""
    if isinstance(answer.problem, GameProblem):
        return _game_document(answer.problem, answer)
    return solitaire.document(answer.problem, answer)


def is_open(question: Question, document: Mapping[str, Any]) -> bool:
    """Return whether something that was asked is not known: a larger budget may decide it.

    >>> is_open(Question(), {"status": "unwinnable", "best": {"lower": 0, "upper": 24}})
    False
    >>> is_open(Question(best=True), {"status": "unwinnable", "best": {"lower": 0, "upper": 24}})
    True
    """
    best = document.get("best", {"lower": 0, "upper": 0})
    fewest = document.get("fewest_turns", {})
    return (
        document["status"] == Status.UNKNOWN
        or (question.best and best["lower"] < best["upper"])
        or (question.most_cards and "bounds" in document)
        or "least_hand_bounds" in document
        or "lost_at_bounds" in document
        or fewest is None
        or fewest.get("lower") != fewest.get("upper")
        or "fewest_cards_bounds" in document
    )


def json_pieces(answer: Answer) -> Iterator[str]:
    """Yield the text of the JSON document; a long play is written in bulk."""
    if isinstance(answer.problem, GameProblem):
        yield json.dumps(document(answer))
    else:
        yield from solitaire.json_pieces(answer.problem, answer)


def print_answer(answer: Answer, *, show: bool) -> None:
    """Write the answer as text; with `show` also the best line known, or the proof of a loss."""
    if isinstance(answer.problem, GameProblem):
        _print_game_answer(answer.problem, answer, show=show)
    else:
        solitaire.print_answer(Screen(), answer.problem, answer, show=show)
