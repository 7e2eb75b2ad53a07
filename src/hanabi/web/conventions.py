"""What the H-Group's conventions say of a game's moves, in the words of the pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hanabi.errors import InvalidInputError
from hanabi.game import Table
from hanabi.game.telling import told
from hanabi.players.hgroup.conventions import LEVELS
from hanabi.session.conventions import ConventionNotes
from hanabi.viewer.games import in_site_words
from hanabi.web.desk import said, sentence

__all__ = ["CONVENTIONS", "ByConventions", "notes_in_words"]

CONVENTIONS = tuple((level, f"level {level}" if level else "none") for level in range(LEVELS + 1))
"""The choices of a level, 0 for none, with their labels."""


@dataclass(frozen=True, slots=True)
class ByConventions:
    """Moves by the conventions of a level: a line each, what is expected, or why there is none."""

    moves: tuple[str, ...] = ()
    ahead: str = ""
    problem: str = ""


def notes_in_words(
    notes: Iterable[tuple[Table, Table, ConventionNotes]], names: Sequence[str]
) -> ByConventions:
    """Return notes in words, each with the position or view before and after its move.

    Moves of which nothing is to be said are left out. What is expected is that after the last move.
    A line says so if hands have changed since, as it counts cards as they lay before its move.
    """
    lines, ahead = [], ""
    try:
        known = list(notes)
        for before, after, each in known:
            about = [sentence(in_site_words(text, before)) for text in each.of_move(names)]
            if about:
                move = said(names[before.seat_to_act], told(names, before, after))
                has_moved = known[-1][1].hand_indices != after.hand_indices
                then = " (Cards as they lay then.)" if has_moved else ""
                lines.append(f"{move}. {'. '.join(about)}.{then}")
            ahead = "; ".join(in_site_words(text, after) for text in each.ahead(names))
    except InvalidInputError as error:
        return ByConventions(problem=f"No conventions: {error}.")
    return ByConventions(tuple(lines), f"Then {ahead}." if ahead else "")
