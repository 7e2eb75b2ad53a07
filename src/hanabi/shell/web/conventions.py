"""The moves of a game by the H-Group's conventions, in the words of the pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hanabi.conventions import LEVELS, ConventionNotes
from hanabi.ground import InvalidInputError
from hanabi.rules import Table, on_site, site
from hanabi.shell.web.desk import sentence

__all__ = ["CONVENTIONS", "ByConventions", "notes_in_words"]

CONVENTIONS = tuple((level, f"level {level}" if level else "none") for level in range(LEVELS + 1))
"""The choices of a level, 0 for none, with their labels."""


@dataclass(frozen=True, slots=True)
class ByConventions:
    """Moves by the conventions of a level: a line each, and what to expect, or a problem."""

    moves: tuple[str, ...] = ()
    ahead: str = ""
    problem: str = ""


def notes_in_words(
    notes: Iterable[tuple[Table, Table, ConventionNotes]], names: Sequence[str]
) -> ByConventions:
    """Return notes in words, given with the position or view before and after each move.

    Skips moves without a remark. Expectations are those after the last move. A line counts cards as
    they lay before its move, and says so if the hands have changed since.
    """
    lines, ahead = [], ""
    try:
        known = list(notes)
        for before, after, each in known:
            about = [sentence(said.to(site(names, before))) for said in each.of_move()]
            if about:
                move = on_site(names, before, after)
                has_moved = known[-1][1].hand_indices != after.hand_indices
                then = " (Cards as they lay then.)" if has_moved else ""
                lines.append(f"{move}. {'. '.join(about)}.{then}")
            ahead = "; ".join(said.to(site(names, after)) for said in each.ahead())
    except InvalidInputError as error:
        return ByConventions(problem=f"No conventions: {error}.")
    return ByConventions(tuple(lines), f"Then {ahead}." if ahead else "")
