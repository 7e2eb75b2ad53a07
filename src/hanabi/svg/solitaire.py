"""Pictures of Solitaire Hanabi: the stream around the last card, the hand, and the piles."""

from __future__ import annotations

from collections.abc import Sequence

from hanabi.svg.cards import SMALL_HEIGHT, row
from hanabi.svg.markup import BOLD, LETTERS, Sheet, picture, text, use, wrapped
from hanabi.svg.records import SmallCard, SolitaireBoard

__all__ = ["IN_A_ROW", "draw_solitaire"]

IN_A_ROW = 11
"""The number of cards in a row."""

_WIDTH, _MARGIN = 360, 8
_STEP = (_WIDTH - 2 * _MARGIN) / IN_A_ROW
_ROW = SMALL_HEIGHT + 8


def draw_solitaire(
    board: SolitaireBoard,
    *,
    title: str = "",
    standalone: bool = False,
    sheet: Sheet | None = None,
) -> str:
    """Return the picture of one position of a play; all of a play's pictures have the same height.

    With a sheet, whole rows of cards are shared, too, as most of them do not change in a move.
    """
    own = Sheet() if sheet is None else sheet
    head = f"Move {board.move} of {board.moves}" + (f": {board.last}" if board.last else "")
    heads = wrapped(head, BOLD, 2)
    lines = [(line, "hb-b") for line in heads]
    lines += [(line, "") for line in wrapped(board.note, LETTERS, 3 - len(heads))]
    parts = "".join(text(line, _MARGIN, 17 + 17 * n, kind) for n, (line, kind) in enumerate(lines))
    y = 66.0
    held = f"hand: {board.held} of {board.hand_size}"
    sections = (
        (f"stream: {board.drawn} of {board.length} drawn", board.stream, IN_A_ROW, 0),
        (held, board.hand, board.hand_size, board.hidden_hand),
        (
            f"piles: {board.played} of {board.goal} cards",
            board.piles,
            len(board.piles),
            board.hidden_piles,
        ),
    )
    for label, cards, room, hidden in sections:
        more = f", {hidden} more not drawn" if hidden else ""
        parts += text(label + more, _MARGIN, y + 10, "hb-s hb-dim")
        parts += _rows(own, cards, y + 16, is_shared=sheet is not None)
        rows = max(1, -(-min(room, max(len(cards), 3 * IN_A_ROW)) // IN_A_ROW))
        y += 16 + _ROW * rows + 6
    return picture(
        parts,
        (_WIDTH, y),
        title=title or f"Solitaire Hanabi, move {board.move}",
        description=_described(board),
        defs=own.defs if sheet is None else "",
        standalone=standalone,
    )


def _rows(sheet: Sheet, cards: Sequence[SmallCard], y: float, *, is_shared: bool) -> str:
    parts = ""
    for n in range(0, len(cards), IN_A_ROW):
        line, top = tuple(cards[n : n + IN_A_ROW]), y + _ROW * (n // IN_A_ROW)
        if is_shared:
            key = "row", line
            name = sheet.known(key)
            if name is None:
                name = sheet.remember(key, sheet.add(row(sheet, line, _MARGIN, 0, _STEP)))
            parts += use(name, 0, top)
        else:
            parts += row(sheet, line, _MARGIN, top, _STEP)
    return parts


def _described(board: SolitaireBoard) -> str:
    hand = ", ".join(map(_name, board.hand)) or "empty"
    piles = ", ".join(map(_name, board.piles))
    counters = f"{board.drawn} of {board.length} cards drawn, {board.played} of {board.goal} played"
    sentences = (board.last, board.note, counters, f"Hand: {hand}", f"Piles: {piles}")
    return " ".join(f"{each}." for each in sentences if each)


def _name(card: SmallCard) -> str:
    name = "" if card.look is None else card.look.name.lower()
    return f"{name} {card.rank or 'empty'}".strip()
