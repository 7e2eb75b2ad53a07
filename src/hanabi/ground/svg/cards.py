"""Drawings of cards: faces, backs with the possible identities, and the tops of piles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hanabi.ground.svg.looks import PATHS, SuitLook
from hanabi.ground.svg.markup import Sheet, fitted, number, text, use
from hanabi.ground.svg.records import CardFace, PilePicture, SmallCard

__all__ = [
    "HEIGHT",
    "PILE",
    "SMALL_HEIGHT",
    "SMALL_WIDTH",
    "WIDTH",
    "card",
    "mark",
    "numbered",
    "pile",
    "row",
    "shape",
    "small",
]

WIDTH, HEIGHT = 60, 72
"""Width and height of a card in a hand."""

PILE = 50
"""Side length of a pile."""

_MOST_PIPS = 8
_BAND = 28  # height of the hint information at the foot of a visible card


def card(sheet: Sheet, looks: tuple[SuitLook, ...], labels: tuple[str, ...], face: CardFace) -> str:
    """Return the name of a drawing of a card in hand; `labels` are all ranks, in order."""
    key = looks, labels, face
    known = sheet.known(key)
    if known is not None:
        return known
    if face.mark or face.arrow:
        plain = card(sheet, looks, labels, replace(face, mark="", arrow=""))
        marks = [_arrow(face.arrow)] * bool(face.arrow) + [mark(face.mark)] * bool(face.mark)
        uses = "".join(use(sheet.add(each), 0, 0) for each in marks)
        return sheet.remember(key, sheet.add(use(plain, 0, 0) + uses))
    seen = face.suit is not None and face.rank is not None
    parts = _front(sheet, looks, labels, face) if seen else _back(sheet, looks, labels, face)
    if face.hints:
        frame = f'x="-2" y="-2" width="{WIDTH + 4}" height="{HEIGHT + 4}" rx="8"'
        parts += use(sheet.add(f'<rect class="hb-touch" {frame}/>'), 0, 0)
    if face.worth:
        parts += use(sheet.add(_WORTHS[face.worth]), 0, 0)
    return sheet.remember(key, sheet.add(parts))


def pile(sheet: Sheet, look: SuitLook, shown: PilePicture) -> str:
    """Return the name of a drawing of a pile: its last card, or the place for the first."""
    if shown.ranks:
        parts = _face(sheet, look, shown.ranks[-1], PILE, PILE)
    else:
        parts = (
            f'<rect class="hb-empty" width="{PILE}" height="{PILE}" rx="5"/>'
            + shape(sheet, look, PILE / 2 - 10, 7, 20)
            + text(look.letter, PILE / 2, 43, "hb-m hb-b")
        )
    return sheet.add(parts)


def shape(sheet: Sheet, look: SuitLook, x: float, y: float, size: float) -> str:
    """Return the shape of a suit in its color, with an outline."""
    path = f'<path d="{PATHS[look.shape]}" fill="{sheet.gradient(look.colors)}" class="hb-edge"/>'
    return use(sheet.add(path), x, y, scale=size / 16)


def _face(sheet: Sheet, look: SuitLook, rank: str, width: float, height: float) -> str:
    """Return a card's color, rank, shape and letter; striped cards have a plate under the words."""
    fill, ink = sheet.gradient(look.colors), look.ink
    plate = ""
    if len(look.colors) > 1:
        ink = "#000000"
        plate = f'<rect x="4" y="4" width="{number(width - 8)}" height="36" rx="4" fill="#ffffff"/>'
    words = "hb-k" if ink == "#000000" else "hb-w"
    side = width - 13
    return (
        f'<rect class="hb-edge" width="{number(width)}" height="{number(height)}" rx="6"'
        f' fill="{fill}"/>{plate}'
        + (text(rank, (width - 16) / 2, 32, f"hb-m hb-rank {words}") if rank else "")
        + _plain_shape(look, side - 7, 8, ink)
        + text(look.letter, side, 37, f"hb-m hb-b {words}")
    )


def _plain_shape(look: SuitLook, x: float, y: float, ink: str) -> str:
    place = f"translate({number(x)} {number(y)}) scale(.88)"
    return f'<path d="{PATHS[look.shape]}" fill="{ink}" transform="{place}"/>'


def _front(
    sheet: Sheet, looks: tuple[SuitLook, ...], labels: tuple[str, ...], face: CardFace
) -> str:
    assert face.suit is not None  # noqa: S101
    assert face.rank is not None  # noqa: S101
    parts = use(sheet.add(_face(sheet, looks[face.suit], face.rank, WIDTH, HEIGHT)), 0, 0)
    if not face.suits and not face.ranks:
        return parts
    band = f'x="3" y="{HEIGHT - _BAND - 2}" width="{WIDTH - 6}" height="{_BAND - 1}" rx="4"'
    suits = f'<rect class="hb-plate" {band}/>{_suit_pips(sheet, looks, face, HEIGHT - 27, 9)}'
    return parts + use(sheet.add(suits), 0, 0) + _rank_pips(labels, face, 68)


def _back(
    sheet: Sheet, looks: tuple[SuitLook, ...], labels: tuple[str, ...], face: CardFace
) -> str:
    parts = f'<rect class="hb-back" width="{WIDTH}" height="{HEIGHT}" rx="6"/>'
    one_rank = face.ranks[0] if len(face.ranks) == 1 and len(labels) > 1 else ""
    if len(face.suits) == 1:  # colored above, but not below like a visible card
        colored = _face(sheet, looks[face.suits[0]], one_rank, WIDTH - 6, 42)
        parts += use(sheet.add(colored), 3, 3)
    elif one_rank:
        parts += text(one_rank, 22, 38, "hb-m hb-rank")
        parts += use(sheet.add(_suit_pips(sheet, looks, face, HEIGHT - 22, 9)), 0, 0)
    else:
        parts += use(sheet.add(_suit_grid(sheet, looks, face)), 0, 0)
    return parts if one_rank else parts + _rank_pips(labels, face, 64)


def _suit_grid(sheet: Sheet, looks: tuple[SuitLook, ...], face: CardFace) -> str:
    """Return the suits that a back can still have, as shapes at fixed places in two rows."""
    if len(looks) > _MOST_PIPS:
        return text(f"{len(face.suits)} suits", WIDTH / 2, 30, "hb-m hb-s")
    columns = max(3, (len(looks) + 1) // 2)
    step = (WIDTH - 8) / columns
    return "".join(
        shape(sheet, looks[n], 5.5 + step * (n % columns), 8 + 19 * (n // columns), min(14, step))
        for n in face.suits
    )


def _suit_pips(
    sheet: Sheet, looks: tuple[SuitLook, ...], face: CardFace, y: float, size: float
) -> str:
    """Return the suits that hints allow, in one row."""
    if len(looks) > _MOST_PIPS:
        return text(f"{len(face.suits)} suits", WIDTH / 2, y + 9, "hb-m hb-s")
    step = (WIDTH - 8) / len(looks)
    size = min(size, step - 1)
    left = 4 + (step - size) / 2
    return "".join(shape(sheet, looks[n], left + step * n, y, size) for n in face.suits)


def _rank_pips(labels: tuple[str, ...], face: CardFace, y: float) -> str:
    """Return the ranks that hints allow, each at its own place."""
    if len(labels) > _MOST_PIPS:
        return text(f"{len(face.ranks)} ranks", WIDTH / 2, y, "hb-m hb-s")
    step = (WIDTH - 8) / len(labels)
    places = [number(4 + step * (n + 0.5)) for n, label in enumerate(labels) if label in face.ranks]
    shown = "".join(label for label in labels if label in face.ranks)
    if all(len(label) == 1 for label in labels):  # one element, with a position for each letter
        return f'<text class="hb-m hb-s hb-b" x="{" ".join(places)}" y="{number(y)}">{shown}</text>'
    return text(" ".join(face.ranks), WIDTH / 2, y, "hb-m hb-s hb-b")


_WORTHS = {
    "dead": "".join(
        f'<path class="hb-cross" d="M4 68 56 6" stroke="{ink}" stroke-width="{width}"/>'
        for ink, width in (("#000000", 4), ("#ffffff", 2))
    ),
    "critical": '<circle class="hb-critical" cx="4" cy="4" r="7"/>'
    + text("!", 4, 8, "hb-badge-text"),
}
"""What is drawn over a card that can never be played any more, and over the last copy of one."""


def mark(word: str, width: float = WIDTH, height: float = HEIGHT) -> str:
    """Return a ring around a card of this size, with a word in a badge on its upper edge."""
    kind = word if word in ("play", "error") else "note"
    size = 8 + 6.5 * len(word)
    return (
        f'<g class="hb-{kind}">'
        f'<rect class="hb-ring" x="-2" y="-2" width="{number(width + 4)}"'
        f' height="{number(height + 4)}" rx="8"/>'
        f'<rect class="hb-badge" x="{number((width - size) / 2)}" y="-8" width="{number(size)}"'
        f' height="15" rx="7"/>{text(word, width / 2, 3.5, "hb-badge-text")}</g>'
    )


def numbered(first: int, places: Sequence[float], y: float = 0) -> str:
    """Return the numbers under a row of cards at these places, which need 17 units below them.

    Digits share an element: each has its place in a list.
    """
    style, bottom = "hb-m hb-s hb-b hb-dim", y + HEIGHT + 14
    middles = [x + WIDTH / 2 for x in places]
    if first + len(places) > 10:
        return "".join(text(str(n), x, bottom, style) for n, x in enumerate(middles, start=first))
    digits = "".join(map(str, range(first, first + len(places))))
    where = " ".join(map(number, middles))
    return f'<text x="{where}" y="{number(bottom)}" class="{style}">{digits}</text>'


def _arrow(hint: str) -> str:
    """Return an arrow from above that points at a card, with the hint in its tail."""
    words = fitted(hint, 8)
    width = max(18.0, 8 + 6.5 * len(words))
    left, middle = number((WIDTH - width) / 2), WIDTH / 2
    tip = f"M{number(middle - 7)} 5H{number(middle + 7)}L{number(middle)} 13Z"
    return (
        f'<g class="hb-note">'
        f'<rect class="hb-ring" x="-2" y="-2" width="{WIDTH + 4}" height="{HEIGHT + 4}" rx="8"/>'
        f'<path class="hb-badge" d="{tip}"/>'
        f'<rect class="hb-badge" x="{left}" y="-8" width="{number(width)}" height="15" rx="7"/>'
        f"{text(words, middle, 3.5, 'hb-badge-text')}</g>"
    )


# Small cards, in long rows: rank above, suit below.

SMALL_WIDTH, SMALL_HEIGHT = 28, 44
"""Width and height of a small card."""

_LETTERS = 8  # of the label below a card


def small(sheet: Sheet, card: SmallCard) -> str:
    """Return the name of a drawing of a small card, without the labels below it."""
    key = card.look, card.rank, card.mark
    return sheet.known(key) or sheet.remember(key, sheet.add(_drawn(sheet, card)))


def row(sheet: Sheet, cards: Sequence[SmallCard], x: float, y: float, step: float) -> str:
    """Return cards side by side, with numbers and verbs below them."""
    parts = ""
    for n, card in enumerate(cards):
        left = x + step * n + (step - SMALL_WIDTH) / 2
        parts += use(small(sheet, card), left, y)
        middle = left + SMALL_WIDTH / 2
        for words, line in ((card.verb, 12), (card.number, 24)):
            if words:
                parts += text(words[:_LETTERS], middle, y + SMALL_HEIGHT + line, "hb-m hb-s")
    return parts


def _drawn(sheet: Sheet, card: SmallCard) -> str:
    look, middle = card.look, SMALL_WIDTH / 2
    frame = f'width="{SMALL_WIDTH}" height="{SMALL_HEIGHT}" rx="4"'
    ink = ""
    if look is None or not card.rank or card.mark == "past":
        parts = f'<rect class="hb-empty" {frame}/>'
    else:
        parts = f'<rect class="hb-edge" {frame} fill="{sheet.gradient(look.colors)}"/>'
        ink = "#000000" if len(look.colors) > 1 else look.ink
        if len(look.colors) > 1:
            parts += (
                f'<rect x="3" y="3" width="{SMALL_WIDTH - 6}" height="{SMALL_HEIGHT - 6}"'
                ' rx="3" fill="#ffffff"/>'
            )
    words = {"#000000": " hb-k", "#ffffff": " hb-w"}.get(ink, "")
    size = "hb-rank-s" if len(card.rank) <= 2 else "hb-m hb-s hb-b"
    y = 27 if look is None else 19
    parts += text(card.rank[:5], middle, y, size + words) if card.rank else ""
    if look is None:
        return _marked(parts, card)
    if look.is_barred and card.rank:
        stroke = f'stroke="{ink}"' if ink else 'class="hb-edge"'
        parts += f'<path d="M8 4.5H20" {stroke} stroke-width="1.5"/>'
    is_short = len(look.letter) == 1
    if look.shape and is_short:
        place = f'transform="translate(4 {SMALL_HEIGHT - 14}) scale(.6)"'
        fill = f'fill="{ink or sheet.gradient(look.colors)}"'
        edge = "" if ink else ' class="hb-edge"'
        parts += f'<path d="{PATHS[look.shape]}" {fill}{edge} {place}/>'
    x = middle + 6 if look.shape and is_short else middle
    parts += text(look.letter[:4], x, SMALL_HEIGHT - 6, f"hb-m hb-s hb-b{words}")
    return _marked(parts, card)


def _marked(parts: str, card: SmallCard) -> str:
    if card.mark == "now":
        side = f'width="{number(SMALL_WIDTH + 4)}" height="{number(SMALL_HEIGHT + 4)}"'
        return f'{parts}<rect class="hb-current" x="-2" y="-2" {side} rx="6"/>'
    return parts
