"""Answers of either game; what writes those of the full game is imported when there is one."""

from __future__ import annotations

import json
from collections.abc import Iterator

from hanabi.cli.output import solitaire
from hanabi.cli.output.terminal import Screen
from hanabi.session.problem import AnyAnswer
from hanabi.session.solitaire import SolitaireAnswer

__all__ = ["document", "json_pieces", "print_answer"]


def document(answer: AnyAnswer) -> dict[str, object]:
    """Return the documented JSON document."""
    if isinstance(answer, SolitaireAnswer):
        return solitaire.document(answer)
    from hanabi.cli.output import game

    return game.document(answer)


def json_pieces(answer: AnyAnswer) -> Iterator[str]:
    """Yield the text of the JSON document; a long play is written in bulk."""
    if isinstance(answer, SolitaireAnswer):
        yield from solitaire.json_pieces(answer)
    else:
        yield json.dumps(document(answer))


def print_answer(answer: AnyAnswer, *, show: bool) -> None:
    """Write the answer for people; with `show` the best line known, or why there is none."""
    if isinstance(answer, SolitaireAnswer):
        solitaire.print_answer(Screen(), answer, show=show)
        return
    from hanabi.cli.output import game

    game.print_answer(Screen(), answer, show=show)
