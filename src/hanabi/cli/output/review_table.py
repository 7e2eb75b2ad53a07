"""Many reviewed games as a table, a row or more for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Any

from hanabi.cli.output.terminal import VERDICT_STYLES, Piece, Screen
from hanabi.errors import counted, printable
from hanabi.verdict import Status

__all__ = ["ReviewTable"]

_NAME, _SCORE, _BEST, _LOST = 16, 7, 7, 11
_COUNTED = ("lost by us", "by the deck", "nothing lost", "undecided", "not answered")
_LOSS = VERDICT_STYLES[Status.UNWINNABLE]


class ReviewTable:
    """A row for each game, read from its JSON: its score, the best one, and who lost what."""

    def __init__(self, *, has_links: bool) -> None:
        self._screen, self._has_links = Screen(), has_links
        self._found: Counter[str] = Counter()
        head = f"{'game':{_NAME}}{'score':>{_SCORE}}{'best':>{_BEST}}  {'lost':{_LOST}}by"
        self._screen.line((head, "dim"))

    def add(self, name: str, data: Mapping[str, Any]) -> None:
        """Write the rows of a game: one for the deck or each losing move; and the link."""
        name = printable(name)
        name = name if len(name) <= _NAME else f"...{name[3 - _NAME :]}"
        played, best = "", ""
        if "error" not in data:
            played, best = f"{data['score']}/{data['most']}", _range(data["best"])
        start = f"{name:{_NAME}}{played:>{_SCORE}}{best:>{_BEST}}  "
        group, rows = _told_of(data)
        self._found[group] += 1
        indent = len(start) + _LOST
        for (what, style), text in rows:
            first, *others = wrap(text, self._screen.width - indent) or [""]
            self._screen.line(start, (f"{what:{_LOST}}", style), first)
            for line in others:
                self._screen.line(" " * indent + line)
            start = " " * len(start)
        if self._has_links and data.get("link") is not None:
            self._screen.link(data["link"])

    def finish(self) -> None:
        """Write how many games were lost by whom."""
        found = [f"{self._found[what]:,} {what}" for what in _COUNTED if self._found[what]]
        self._screen.line()
        self._screen.line((", ".join(found) or "no games", "bold"))


def _told_of(data: Mapping[str, Any]) -> tuple[str, list[tuple[Piece, str]]]:
    """Return who lost a game first, and its rows: what was lost, with a style, and by whom."""
    if "error" in data:
        return "not answered", [(("error", "bold"), data["error"])]
    moves = [move for move in data["moves"] if move["lost"]]
    rows = [*_deck_row(data), *map(_move_row, moves)]
    if rows:
        return ("lost by us" if len(rows) == len(moves) else "by the deck"), rows
    if data["best"]["lower"] < data["most"] or data["moves"][-1]["best"]["lower"] < data["most"]:
        why = "; ".join(filter(None, [*data["unusual"], data["undecided"]]))
        return "undecided", [(("unknown", VERDICT_STYLES[Status.UNKNOWN]), why)]
    what = "nothing" if data["score"] == data["most"] else "not so far"
    return "nothing lost", [((what, VERDICT_STYLES[Status.WINNABLE]), "")]


def _deck_row(data: Mapping[str, Any]) -> Iterator[tuple[Piece, str]]:
    if data["best"]["upper"] < data["most"]:
        why = "" if data["because"] is None else f": {data['because']['sentence']}"
        cost = counted(data["most"] - data["best"]["upper"], "point")
        yield (cost, _LOSS), f"the deck{why}"


def _move_row(move: Mapping[str, Any]) -> tuple[Piece, str]:
    cost = counted(move["lost"], "point")
    return (cost, _LOSS), f"move {move['move']}, {move['player']} {move['words']}"


def _range(best: Mapping[str, int]) -> str:
    lower, upper = best["lower"], best["upper"]
    return str(lower) if lower == upper else f"{lower}-{upper}"
