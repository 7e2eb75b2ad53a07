"""Where games were lost: of one game as entries, of many as a table, and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from textwrap import wrap
from typing import Any

from hanabi.cli.output.terminal import VERDICT_STYLES, Screen
from hanabi.errors import counted, printable
from hanabi.game.replay import record_action
from hanabi.game.telling import told
from hanabi.notation import RecordedAction
from hanabi.session.game_answer import GameAnswer
from hanabi.verdict import Status
from hanabi.winnable import Refutation
from hanabi.winnable.lost import Lost

__all__ = ["LostTable", "action_json", "because_json", "lost_json", "print_lost"]

_NAME, _SCORE, _VERDICT, _MOVE = 16, 7, 11, 6
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


def lost_json(answer: GameAnswer, lost: Lost) -> dict[str, object]:
    """Return how the game went, at which move it was lost, by whom and why."""
    problem = answer.problem
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
            "action": action_json(record_action(before, after.actions[-1])),
            "words": told(problem.names, before, after),
            "because": None if why is None else because_json(why),
            "link": answer.lost_link,
        }
    return data


def print_lost(screen: Screen, answer: GameAnswer, lost: Lost) -> None:
    """Write at which move the game was lost, by whom and why."""
    problem, refutation = answer.problem, answer.lost_because
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
    if refutation is not None:
        screen.entry("because", f"{refutation.name}: {refutation.summary}")


def _between(lower: int, upper: int | None) -> str:
    if upper is not None:
        return f"between move {lower} and move {upper}; the rest is undecided"
    start = f"not before move {lower}" if lower else "not known"
    return f"{start}, perhaps not at all; the rest is undecided"


class LostTable:
    """A row for each game, read from its JSON: how it went, and where it was lost."""

    def __init__(self, *, has_links: bool) -> None:
        self._screen, self._has_links = Screen(), has_links
        self._found: Counter[str] = Counter()
        head = f"{'game':{_NAME}}{'score':>{_SCORE}}  {'verdict':{_VERDICT}}{'move':>{_MOVE - 2}}"
        self._screen.line((head, "dim"))

    def add(self, name: str, data: Mapping[str, Any]) -> None:
        """Write the row of a game, with the link of the losing move on a line of its own."""
        group, verdict, style, move, texts = _told_of(data)
        self._found[group] += 1
        played = data.get("as_played")
        score = f"{played['score']}/{played['most']}" if played else ""
        name = printable(name)
        name = name if len(name) <= _NAME else f"...{name[3 - _NAME :]}"
        indent = _NAME + _SCORE + 2 + _VERDICT + _MOVE
        lines = [line for text in texts for line in wrap(text, self._screen.width - indent)]
        self._screen.line(
            f"{name:{_NAME}}{score:>{_SCORE}}  ",
            (f"{verdict:{_VERDICT}}", style),
            f"{move:>{_MOVE - 2}}  ",
            *lines[:1],
        )
        for line in lines[1:]:
            self._screen.line(" " * indent + line)
        link = data.get("lost_by", {}).get("link")
        if self._has_links and link is not None:
            self._screen.line((link, "cyan"))

    def finish(self) -> None:
        """Write how many games were lost by whom."""
        found = [f"{self._found[what]:,} {what}" for what in _COUNTED if self._found[what]]
        self._screen.line()
        self._screen.line((", ".join(found) or "no games", "bold"))


def _told_of(data: Mapping[str, Any]) -> tuple[str, str, str, str, list[str]]:
    """Return the group of a game, its verdict with a style, the losing move, and what was done."""
    if "error" in data:
        return "not answered", "error", "bold", "", [data["error"]]
    if "lost_at_bounds" in data:
        text = _between(**data["lost_at_bounds"])
        return "undecided", "unknown", VERDICT_STYLES[Status.UNKNOWN], "", [text]
    lost_style = VERDICT_STYLES[Status.UNWINNABLE]
    if data["lost_at"]:
        by = data["lost_by"]
        texts = [f"{by['player']} {by['words']}", *_reason(by)]
        return "lost by us", "lost", lost_style, str(data["lost_at"]), texts
    if data["lost_at"] == 0:
        return "by the deck", "unwinnable", lost_style, "", _reason(data)
    if data["as_played"]["score"] == data["as_played"]["most"]:
        return "won", "won", VERDICT_STYLES[Status.WINNABLE], "", []
    moves = counted(data["as_played"]["moves"], "move")
    return "not lost so far", "winnable", VERDICT_STYLES[Status.WINNABLE], "", [f"after {moves}"]


def _reason(data: Mapping[str, Any]) -> list[str]:
    because = data.get("because")
    return [] if because is None else [f"{because['name']}: {because['sentence']}"]
