"""Plays of Solitaire Hanabi and of reduced formulas, move by move."""

from __future__ import annotations

from collections.abc import Sequence

from hanabi.errors import InvalidInputError
from hanabi.hardness import Annotation
from hanabi.hardness.picture import gadget_at, looks_of_reduction
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.picture import boards_of
from hanabi.solitaire.play import Play
from hanabi.svg.markup import Sheet
from hanabi.svg.solitaire import draw_solitaire
from hanabi.viewer.show import Frame, Show

__all__ = ["MOST_MOVES", "show_of_play"]

MOST_MOVES = 20_000
"""Moves of a play that a page can show, of two to three kilobytes each."""


def show_of_play(
    instance: Instance,
    play: Play,
    *,
    title: str,
    facts: Sequence[str] = (),
    annotation: Annotation | None = None,
) -> Show:
    """Return a legal play as a show; of a reduction each step names its gadget. O(moves).

    Raises
    ------
    InvalidInputError
        If there are more than `MOST_MOVES` moves.
    IllegalActionError
        If a move breaks a rule.

    >>> play = Play([(1, "store"), (2, "play"), (1, "play")])
    >>> show = show_of_play(Instance(1, [(0, 2), (0, 1)]), play, title="Two cards")
    >>> [frame.words for frame in show.frames]
    ['The start', 'stores r2', 'plays r1', 'plays r2 from the hand']
    """
    if len(play) > MOST_MOVES:
        raise InvalidInputError(
            f"a play of {len(play):,} moves: a page shows {MOST_MOVES:,} at most;"
            ' "hanabi solve --show" prints them all'
        )
    sheet = Sheet()
    looks = None
    if annotation is not None:
        looks = looks_of_reduction(instance, annotation).__getitem__

    def note(position: int) -> str:
        if annotation is None or looks is None:
            return ""
        literal = looks(instance.colors[position - 1]).name
        return f"{gadget_at(annotation, position)}: a card of {literal}"

    frames = tuple(
        Frame(svg=draw_solitaire(board, sheet=sheet), words=board.last or "The start")
        for board in boards_of(instance, play, looks=looks, note=note)
    )
    return Show(title=title, facts=tuple(facts), frames=frames, shared=sheet.svg)
