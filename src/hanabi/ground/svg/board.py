"""Pictures of positions: a table of the game, and a moment of Solitaire Hanabi."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from hanabi.ground.svg.cards import (
    HEIGHT,
    PILE,
    SMALL_HEIGHT,
    WIDTH,
    card,
    mark,
    numbered,
    pile,
    row,
    shape,
)
from hanabi.ground.svg.markup import (
    BOLD,
    LETTERS,
    Sheet,
    fitted,
    number,
    part,
    picture,
    text,
    use,
    wrapped,
)
from hanabi.ground.svg.records import (
    Board,
    CardFace,
    HandPicture,
    PilePicture,
    SmallCard,
    SolitaireBoard,
)

__all__ = [
    "IN_A_ROW",
    "Layout",
    "Parts",
    "describe",
    "draw_board",
    "draw_parts",
    "draw_solitaire",
]

# Descriptions of boards, for screen readers.


def describe(board: Board) -> str:
    """Describe a board in sentences: the last action, the counters, piles, hands and discards."""
    sentences = [board.last, board.status, _counters(board)]
    piles = ", ".join(_pile(board, n, each) for n, each in enumerate(board.piles))
    sentences.append(f"Piles: {piles}")
    sentences += [_hand_words(board, hand) for hand in board.hands]
    if board.discards:
        gone = [
            _card(board, each.suit, each.rank) + (" (lost)" if each.is_lost else "")
            for each in board.discards
        ]
        sentences.append(f"Discards: {', '.join(gone)}")
    return " ".join(f"{each}." for each in sentences if each)


def _counters(board: Board) -> str:
    best = "" if board.best is None else f", at most {board.best} to be had"
    strikes = board.most_lives - board.lives
    return (
        f"Clues {board.hints} of {board.most_hints}, strikes {strikes} of {board.most_lives},"
        f" deck {board.deck}, score {board.score} of {board.top}{best}"
    )


def _pile(board: Board, suit: int, shown: PilePicture) -> str:
    name = board.suits[suit].name.lower()
    direction = "" if shown.direction == "up" else f" ({shown.direction})"
    return f"{name} {shown.ranks[-1] if shown.ranks else 'empty'}{direction}"


def _hand_words(board: Board, hand: HandPicture) -> str:
    cards = ", ".join(_face(board, face) for face in hand.cards)
    return f"{hand.name}, newest first: {cards or 'no card'}"


def _face(board: Board, face: CardFace) -> str:
    if face.suit is not None and face.rank is not None:
        words = _card(board, face.suit, face.rank)
    else:
        words = "hidden"
        if 0 < len(face.suits) <= 2 < len(board.suits):
            words += " " + " or ".join(board.suits[n].name.lower() for n in face.suits)
        if 0 < len(face.ranks) <= 2 < len(board.ranks):
            words += " " + " or ".join(face.ranks)
    told = [f"clued {' '.join(face.hints)}"] if face.hints else []
    told += [f"just clued {face.arrow}"] if face.arrow else []
    told += [each for each in (face.mark, face.worth) if each]
    return f"{words} ({'; '.join(told)})" if told else words


def _card(board: Board, suit: int, rank: str) -> str:
    return f"{board.suits[suit].name.lower()} {rank}"


Layout = Literal["narrow", "wide"]

_COLUMN, _MARGIN = 360, 8
_INNER = _COLUMN - 2 * _MARGIN
_LINE, _HEAD = 17, 22
_HAND = HEIGHT + 28
_NUMBERS = 12
_MOST_IN_A_ROW = 6
_CARDS_IN_A_ROW = 5
_STEP = _INNER // _CARDS_IN_A_ROW
_MOST_IN_A_GRID = 10
_LINE_OF_GRID = 19


def draw_board(
    board: Board,
    *,
    title: str = "",
    layout: Layout = "narrow",
    standalone: bool = False,
    sheet: Sheet | None = None,
) -> str:
    """Return the picture of a table; equal boards give the same text. O(cards).

    Parameters
    ----------
    title
        The name for screen readers; by default the turn.
    layout
        `narrow` is 360 units wide, for phones and columns; `wide` puts hands and piles side by
        side. Text is never smaller than 11 units.
    standalone
        Whether to include the style sheet; otherwise the page needs
        `hanabi.ground.svg.markup.STYLE`.
    sheet
        Collects definitions that many pictures share; the page must then have `sheet.svg` before
        them. By default each picture has its own.
    """
    own = Sheet() if sheet is None else sheet
    top, head = _headline(board)
    left, hands = _hands(own, board)
    right, middle = 0.0, ""
    for draw in (_figures, _piles, _discards):
        below, drawn = draw(own, board)
        middle += _moved(drawn, 0, right)
        right += below
    if layout == "wide":
        body = head + _moved(hands, 0, top) + _moved(middle, _COLUMN, top)
        size = 2.0 * _COLUMN, top + max(left, right)
    else:
        body = head + _moved(middle, 0, top) + _moved(hands, 0, top + right)
        size = float(_COLUMN), top + left + right
    return picture(
        body,
        size,
        title=title or f"Hanabi, turn {board.turn}",
        description=describe(board),
        defs=own.defs if sheet is None else "",
        standalone=standalone,
    )


@dataclass(frozen=True, slots=True)
class Parts:
    """A board as pictures that a page can arrange: the middle, each hand, and the discards.

    A row of a hand has room for `in_a_row` cards; `acting` is the place of the hand whose owner is
    to act, if there is one.
    """

    middle: str
    hands: tuple[str, ...]
    discards: str
    in_a_row: int
    acting: int | None


def draw_parts(
    board: Board, *, sheet: Sheet, backs: tuple[tuple[CardFace, ...], ...] = ()
) -> Parts:
    """Return the board of `draw_board` in parts, without its head, each described in words.

    A hand has its cards' places in the deck as `data-cards`, in the order of its `use` elements.

    Parameters
    ----------
    sheet
        Collects the definitions; the page must have `sheet.svg` before the parts.
    backs
        For each hand, the faces that its cards have for their owner; the names of their drawings
        become the hand's `data-backs`.
    """
    below, figures = _figures(sheet, board)
    height, piles = _piles(sheet, board)
    words = describe(replace(board, last="", status="", hands=()))
    middle = part(figures + _moved(piles, 0, below), (0, 0, _COLUMN, below + height), title=words)
    hands, in_a_row = [], max(1, min(board.hand_size, _CARDS_IN_A_ROW))
    width = _COLUMN - _MARGIN - _STEP * (_CARDS_IN_A_ROW - in_a_row)
    for seat, hand in enumerate(board.hands):
        height, drawn = _hand(sheet, board, hand, in_a_row, below=_NUMBERS)
        data = {"cards": " ".join(map(str, hand.places))}
        if backs:
            faces = (card(sheet, board.suits, board.ranks, face) for face in backs[seat])
            data["backs"] = " ".join(faces)
        box = (_MARGIN / 2, -_HEAD, width, height)
        hands.append(part(drawn, box, title=_hand_words(board, hand), data=data))
    height, discards = _discards(sheet, board)
    gone = part(discards, (0, 0, _COLUMN, height))
    acting = next((seat for seat, hand in enumerate(board.hands) if hand.is_to_act), None)
    return Parts(middle, tuple(hands), gone, in_a_row, acting)


def _moved(markup: str, x: float, y: float) -> str:
    return f'<g transform="translate({number(x)} {number(y)})">{markup}</g>'


def _headline(board: Board) -> tuple[float, str]:
    """Return the height and drawing of the last action and the status; always three lines."""
    head = wrapped(f"Turn {board.turn + 1}: {board.status}", BOLD, 2)
    lines = [(line, "hb-b") for line in head]
    lines += [(line, "") for line in wrapped(board.last, LETTERS, 3 - len(head))]
    parts = (text(line, _MARGIN, 17 + _LINE * n, kind) for n, (line, kind) in enumerate(lines))
    return 17 + 2 * _LINE + 9, "".join(parts)


def _figures(sheet: Sheet, board: Board) -> tuple[float, str]:
    """Return the counters in hanab.live's words: clues, strikes, deck and score."""
    shown = (
        ("clues", f"{board.hints}/{board.most_hints}", 72),
        ("strikes", f"{board.most_lives - board.lives}/{board.most_lives}", 62),
        ("deck", str(board.deck), 58),
        ("score", f"{board.score}/{board.top}", 152),
    )
    frames, values, x = "", "", float(_MARGIN)
    for label, value, width in shown:
        frame = f'x="{number(x)}" y=".5" width="{width - 4}" height="40" rx="5"'
        frames += f'<rect class="hb-panel" {frame}/>{text(label, x + 7, 14, "hb-s hb-dim")}'
        values += text(value, x + 7, 33, "hb-l")
        x += width
    if board.best is not None:
        values += text(f"at most {board.best}", x - 84, 33, "hb-s")
    return 50, use(sheet.add(frames), 0, 0) + values


def _piles(sheet: Sheet, board: Board) -> tuple[float, str]:
    in_a_row = min(_MOST_IN_A_ROW, len(board.suits))
    step = _INNER / in_a_row
    is_signed = any(each.direction != "up" for each in board.piles)
    height = PILE + 8 + (14 if is_signed else 0)
    parts = ""
    for n, (look, each) in enumerate(zip(board.suits, board.piles, strict=True)):
        x = _MARGIN + step * (n % in_a_row) + (step - PILE) / 2
        y = height * (n // in_a_row)
        parts += use(pile(sheet, look, each), x, y)
        if board.moved is not None and board.moved[0] == n and board.moved[2] == "play":
            parts += use(sheet.add(mark("play", PILE, PILE)), x, y)
        if each.direction != "up":
            sign = {"down": "↓", "either": "↕", "round": "↻"}[each.direction]
            told = sign + (" " + "".join(each.ranks) if each.direction == "round" else "")
            parts += text(told, x + PILE / 2, y + PILE + 13, "hb-m hb-b")
    return height * -(-len(board.suits) // in_a_row) + 2, use(sheet.add(parts), 0, 6)


def _hands(sheet: Sheet, board: Board) -> tuple[float, str]:
    parts, y = "", 0.0
    for hand in board.hands:
        height, drawn = _hand(sheet, board, hand)
        parts += _moved(drawn, 0, y + _HEAD)
        y += height
    return y, parts


def _hand(
    sheet: Sheet,
    board: Board,
    hand: HandPicture,
    in_a_row: int = _CARDS_IN_A_ROW,
    below: int = 0,
) -> tuple[float, str]:
    """Return the height of a hand and its drawing, whose cards begin at 0, below the name.

    If there is room `below` the cards, they have their numbers there.
    """
    is_now = hand.is_to_act
    letters = (BOLD - 2) * in_a_row // _CARDS_IN_A_ROW
    name = fitted(hand.name + (" (looks)" if hand.is_viewer else ""), letters)
    parts = text(name, _MARGIN + (14 if is_now else 0), -9, "hb-b" if is_now else "")
    if is_now:
        parts += f'<path class="hb-now" d="M{_MARGIN} -19l10 5.5L{_MARGIN} -8Z"/>'
    rows = range(0, max(1, len(hand.cards)), in_a_row)
    for n, first in enumerate(rows):
        faces, y = hand.cards[first : first + in_a_row], (HEIGHT + 10 + below) * n
        places = [_MARGIN + 2 + _STEP * at + (_STEP - WIDTH) / 2 for at in range(len(faces))]
        for face, x in zip(faces, places, strict=True):
            parts += use(card(sheet, board.suits, board.ranks, face), x, y)
        parts += numbered(first + 1, places, y) if below and places else ""
    return _HAND + below + (HEIGHT + 10 + below) * (len(rows) - 1), parts


def _discards(sheet: Sheet, board: Board) -> tuple[float, str]:
    """Return the discards as a grid by suit and rank.

    A rank is repeated for each discarded copy, and underlined if no copy is left. Cards that can
    never be played any more are struck through.
    """
    columns = min(len(board.ranks), _MOST_IN_A_GRID)
    wide = _MARGIN + 44
    step = (_COLUMN - _MARGIN - wide) / columns
    # Ranks beyond the last column share it, in games larger than any of the box.
    column = {label: min(n, columns - 1) for n, label in enumerate(board.ranks)}
    heads = text("discards", _MARGIN, 12, "hb-s hb-dim")
    gone: dict[tuple[int, int], list[str]] = {}
    for each in board.discards:
        rank = f'<tspan class="hb-lost">{each.rank}</tspan>' if each.is_lost else each.rank
        gone.setdefault((each.suit, column[each.rank]), []).append(rank)
    parts = ""
    for n, look in enumerate(board.suits):
        y = 18 + _LINE_OF_GRID * n
        heads += shape(sheet, look, _MARGIN, y, 13) + text(
            look.letter, _MARGIN + 19, y + 11.5, "hb-b"
        )
        for place in range(columns):
            box = (
                f'x="{number(wide + step * place)}" y="{number(y - 2)}" width="{number(step - 3)}"'
            )
            heads += f'<rect class="hb-panel" {box} height="17" rx="3"/>'
    for (suit, place), words in gone.items():
        x, y = wide + step * (place + 0.5) - 1.5, 18 + _LINE_OF_GRID * suit
        shown = " ".join(words) if len(words) * 11 < step else f"{words[0]} ×{len(words)}"
        parts += f'<text class="hb-m" x="{number(x)}" y="{number(y + 11.5)}">{shown}</text>'
    crosses = "".join(
        f"M{number(wide + step * place + 3)} {18 + _LINE_OF_GRID * suit + 1}l{number(step - 9)} 11"
        for suit, place in sorted((suit, column[rank]) for suit, rank in board.dead)
    )
    parts += f'<path class="hb-gone" d="{crosses}"/>' if crosses else ""
    parts = use(sheet.add(parts), 0, 0) if parts else ""  # it stays the same for many moves
    if board.moved is not None and board.moved[2] != "play":
        suit, rank, how = board.moved
        kind = "hb-wrong" if how == "error" else "hb-fresh"
        x, y = wide + step * column[rank], 18 + _LINE_OF_GRID * suit - 2
        box = f'x="{number(x)}" y="{number(y)}" width="{number(step - 3)}" height="17" rx="3"'
        parts += f'<rect class="{kind}" {box}/>'
    height = 18 + _LINE_OF_GRID * len(board.suits) + 4
    return height, use(sheet.add(heads), 0, 0) + parts


# Solitaire Hanabi: the stream around the last card, the hand, and the piles.

IN_A_ROW = 11
"""The number of cards in a row."""

_STREAM_STEP = (_COLUMN - 2 * _MARGIN) / IN_A_ROW
_STREAM_ROW = SMALL_HEIGHT + 8


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
        y += 16 + _STREAM_ROW * rows + 6
    return picture(
        parts,
        (_COLUMN, y),
        title=title or f"Solitaire Hanabi, move {board.move}",
        description=_moment_words(board),
        defs=own.defs if sheet is None else "",
        standalone=standalone,
    )


def _rows(sheet: Sheet, cards: Sequence[SmallCard], y: float, *, is_shared: bool) -> str:
    parts = ""
    for n in range(0, len(cards), IN_A_ROW):
        line, top = tuple(cards[n : n + IN_A_ROW]), y + _STREAM_ROW * (n // IN_A_ROW)
        if is_shared:
            key = "row", line
            name = sheet.known(key)
            if name is None:
                name = sheet.remember(key, sheet.add(row(sheet, line, _MARGIN, 0, _STREAM_STEP)))
            parts += use(name, 0, top)
        else:
            parts += row(sheet, line, _MARGIN, top, _STREAM_STEP)
    return parts


def _moment_words(board: SolitaireBoard) -> str:
    hand = ", ".join(map(_small_name, board.hand)) or "empty"
    piles = ", ".join(map(_small_name, board.piles))
    counters = f"{board.drawn} of {board.length} cards drawn, {board.played} of {board.goal} played"
    sentences = (board.last, board.note, counters, f"Hand: {hand}", f"Piles: {piles}")
    return " ".join(f"{each}." for each in sentences if each)


def _small_name(card: SmallCard) -> str:
    name = "" if card.look is None else card.look.name.lower()
    return f"{name} {card.rank or 'empty'}".strip()
