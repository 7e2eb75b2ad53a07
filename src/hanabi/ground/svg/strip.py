"""Pictures of cards in order: a line, a stream, the gadgets of a reduction; windows as arcs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from hanabi.ground.svg.cards import SMALL_HEIGHT, SMALL_WIDTH, row, shape, small
from hanabi.ground.svg.looks import SuitLook, ink_on
from hanabi.ground.svg.markup import Sheet, fitted, number, picture, text, use, wrapped
from hanabi.ground.svg.records import Arc, Arcs, Bracket, Lane, Moment, SmallCard, Strip, StripGroup

__all__ = ["draw_arcs", "draw_strip"]

_MARGIN, _GAP = 8, 10
_LETTER = 7.5  # average width of a letter in a title
_TITLE = 20


def draw_strip(
    strip: Strip,
    *,
    title: str,
    width: int = 360,
    standalone: bool = False,
    sheet: Sheet | None = None,
) -> str:
    """Return a picture of cards in rows of this width, by group, with a legend. O(cards).

    >>> from hanabi.ground.svg.looks import looks_of
    >>> card = SmallCard(look=looks_of(("Red",), "r")[0], rank="1")
    >>> strip = Strip(groups=(StripGroup(cards=(card,) * 3),), words="Three cards")
    >>> draw_strip(strip, title="Ones").count("<use")
    3
    """
    own = Sheet() if sheet is None else sheet
    cards = [card for group in strip.groups for card in group.cards]
    has_words = any(card.number or card.verb for card in cards)
    step = 49 if any(card.verb for card in cards) else SMALL_WIDTH + 2
    has_titles = any(group.title for group in strip.groups)
    height = SMALL_HEIGHT + (28 if has_words else 0) + (_TITLE if has_titles else 0) + 10
    parts, x, y = "", float(_MARGIN), float(_MARGIN)
    most = int((width - 2 * _MARGIN) // step)  # longer groups are cut
    for group in strip.groups:
        for start in range(0, len(group.cards), most):
            piece = group.cards[start : start + most]
            name = "" if start else group.title
            needed = max(step * len(piece), _LETTER * len(name) * (len(name) > 0))
            if x > _MARGIN and x + needed > width - _MARGIN:
                x, y = _MARGIN, y + height
            parts += _group(own, StripGroup(title=name, cards=piece), x, y, step, has_titles)
            x += needed + _GAP
    y += height
    legend, y = _legend(own, strip, y, width)
    return picture(
        parts + legend,
        (width, y),
        title=title,
        description=strip.words,
        defs=own.defs if sheet is None else "",
        standalone=standalone,
    )


def _group(
    sheet: Sheet, group: StripGroup, x: float, y: float, step: float, has_titles: bool
) -> str:
    parts = ""
    if has_titles:
        end = x + step * len(group.cards) - 2
        parts = text(group.title, x, y + 11) if group.title else ""
        parts += f'<path class="hb-axis" d="M{number(x)} {number(y + 18)}v-3H{number(end)}v3"/>'
        y += _TITLE
    return parts + row(sheet, group.cards, x, y, step)


def _legend(sheet: Sheet, strip: Strip, y: float, width: int) -> tuple[str, float]:
    """Return the legend of the looks, drawn from the height y on, and the height where it ends."""
    if not strip.legend:
        return "", y
    parts, x = "", float(_MARGIN)
    for look in strip.legend:
        name = fitted(look.name, 40)
        needed = SMALL_WIDTH + 6 + _LETTER * len(name)
        if x > _MARGIN and x + needed > width - _MARGIN:
            x, y = _MARGIN, y + SMALL_HEIGHT + 6
        parts += use(small(sheet, SmallCard(look=look, rank="n")), x, y)
        parts += text(name, x + SMALL_WIDTH + 6, y + 26)
        x += needed + _GAP
    return parts, y + SMALL_HEIGHT + 8


# Windows as arcs above a row of cards, and the hand below it as tracks that one arc each may take.

_NAMES = 92  # width of the column on the left
_STEP, _MISSING = SMALL_WIDTH + 2, 16  # from card to card, and more where some are left out
_LOW, _LEVEL = 26, 17  # height of the lowest arcs, and how much higher those around them are
_CHIP = 26  # width of the label on an arc
_TRACKS = ((8, 20.0), (24, 13.0))  # so many tracks have this height, and labels
_LOW_TRACKS = 240  # height of more tracks together
_LEAST_WIDTH = 340
_SHORTEST_TITLE = 8  # of a bracket, in letters; a title that is cut more than that is left out


def draw_arcs(
    arcs: Arcs, *, title: str, standalone: bool = False, sheet: Sheet | None = None
) -> str:
    """Return a picture of a stream with its windows. O(cards + arcs**2 of a color).

    Chosen arcs are filled and alternatives dashed. Each chosen arc takes a track of the hand;
    stretches over which all tracks are taken are marked "full", and arcs that find none have a
    dashed frame below the last track.

    >>> from hanabi.ground.svg.looks import looks_of
    >>> look = looks_of(("Red",), "r")[0]
    >>> cards = tuple(SmallCard(look=look, rank=rank) for rank in "21")
    >>> lane = Lane(look=look, arcs=(Arc(rank="2", opens=0, closes=1, is_chosen=True),))
    >>> arcs = Arcs(cards=cards, numbers=(1, 2), lanes=(lane,), hand_size=1, full=(1,))
    >>> draw_arcs(arcs, title="A window").count(">full<")
    1
    """
    own = Sheet() if sheet is None else sheet
    places = _Places(arcs.numbers)
    parts, feet, y = "", list[tuple[float, float, bool]](), float(_MARGIN)
    y += 14 if arcs.moments else 0
    top = y
    for lane in arcs.lanes:
        drawn, height = _lane(own, places, lane, y, feet)
        parts += drawn
        y += height
    y += 6
    lines = "".join(
        f'<path class="hb-axis" stroke-dasharray="{"4 2" if is_chosen else "1 3"}"'
        f' d="M{number(x)} {number(base)}V{number(y)}"/>'
        for x, base, is_chosen in dict.fromkeys(feet)
    )
    cards, y = _cards(own, arcs, places, y)
    parts = lines + parts + cards
    if arcs.brackets:
        parts += "".join(_bracket(places, bracket, y) for bracket in arcs.brackets)
        y += 26
    drawn, y = _hand(arcs, places, y + 14)
    parts += drawn
    moments = (_moment(places, moment, top, y) for moment in arcs.moments)
    parts = "".join(moments) + parts  # behind all labels
    width = max(places.right + _MARGIN, _LEAST_WIDTH)
    y += 10
    for note in arcs.notes:
        for line in wrapped(note, int((width - 2 * _MARGIN) / 6.8), 3):
            parts += text(line, _MARGIN, y + 12)
            y += 18
    return picture(
        parts,
        (width, y + 4),
        title=title,
        description=arcs.words,
        defs=own.defs if sheet is None else "",
        standalone=standalone,
    )


class _Places:
    """Where the cards of a row are: `middles` from left to right, between two edges."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self.middles: list[float] = []
        x = _NAMES + _STEP / 2
        for place, each in enumerate(numbers):
            x += _MISSING if place and each > numbers[place - 1] + 1 else 0
            self.middles.append(x)
            x += _STEP
        self.left, self.right = float(_NAMES), x - _STEP / 2

    def ends(self, arc: Arc) -> tuple[float, float]:
        """Return where an arc begins and ends: at an edge if it goes on beyond the row."""
        left = self.middles[arc.opens] if arc.opens >= 0 else self.left
        is_cut = self.is_cut(arc)
        return left, self.right if is_cut else self.middles[arc.closes]

    def is_cut(self, arc: Arc) -> bool:
        """Return whether an arc goes on to the right of the row."""
        return arc.closes >= len(self.middles)

    def before(self, place: int) -> float:
        """Return the middle between the card at a place and the one before it."""
        if 0 < place < len(self.middles):
            return (self.middles[place - 1] + self.middles[place]) / 2
        return self.right if place else self.left


def _cards(sheet: Sheet, arcs: Arcs, places: _Places, y: float) -> tuple[str, float]:
    """Return the row of cards with their numbers, and the height where it ends."""
    parts = text("stream", _MARGIN, y + 26, "hb-s hb-dim")
    numbers, has_gaps, start = arcs.numbers, False, 0
    for place in range(1, len(numbers) + 1):
        if place < len(numbers) and numbers[place] == numbers[place - 1] + 1:
            continue
        run = arcs.cards[start:place]
        parts += row(sheet, run, places.middles[start] - _STEP / 2, y, _STEP)
        if place < len(numbers):
            has_gaps = True
            parts += text("…", places.before(place), y + 26, "hb-m hb-dim")
        start = place
    y += SMALL_HEIGHT + 13
    is_long = has_gaps and len(str(max(numbers, default=0))) > 4
    for place, at in enumerate(numbers):
        if has_gaps or place == 0 or at % 5 == 0:
            low = 12 * (place % 2) * is_long
            parts += text(str(at), places.middles[place], y + low, "hb-m hb-s hb-dim")
    return parts, y + 8 + 12 * is_long


def _lane(
    sheet: Sheet, places: _Places, lane: Lane, y: float, feet: list[tuple[float, float, bool]]
) -> tuple[str, float]:
    """Return the arcs of a color and their height; narrow ones lie below wide ones."""
    levels: list[tuple[Arc, int]] = []
    for arc in sorted(lane.arcs, key=lambda arc: arc.closes - arc.opens):
        below = (
            level
            for other, level in levels
            if arc.opens < other.closes and other.opens < arc.closes
        )
        levels.append((arc, max(below, default=-1) + 1))
    height = 22 + _LOW + _LEVEL * max((level for _, level in levels), default=0)
    base = y + height - 6
    right = number(places.right)
    parts = f'<path class="hb-axis" d="M{number(places.left)} {number(base)}H{right}"/>'
    parts += shape(sheet, lane.look, _MARGIN, base - 15, 14) if lane.look.shape else ""
    parts += text(fitted(lane.look.name, 9), _MARGIN + 19, base - 4, "hb-b")
    if lane.note:
        parts += text(fitted(lane.note, 14), _MARGIN, base - 21, "hb-s hb-dim")
    for is_chosen in (False, True):  # chosen ones lie above
        some = [(arc, level) for arc, level in levels if arc.is_chosen == is_chosen]
        for arc, level in reversed(some):
            parts += _arc(places, lane.look, arc, base, base - _LOW - _LEVEL * level)
            start, end = places.ends(arc)
            feet += [(start, base, is_chosen)] * (arc.opens >= 0)
            feet += [(end, base, is_chosen)] * (not places.is_cut(arc))
    return parts, height


def _arc(places: _Places, look: SuitLook, arc: Arc, base: float, peak: float) -> str:
    """Return an arch with a label on its top, open at a side where the row is cut."""
    left, right = places.ends(arc)
    bend = min((right - left) / 2, base - peak)
    low, high, start, end = map(number, (base, peak, left, right))
    path, closing = f"M{start} {low}Q{start} {high} {number(left + bend)} {high}", "Z"
    if arc.opens < 0:
        path, closing = f"M{start} {high}", f"H{start}Z"
    if places.is_cut(arc):
        path, closing = path + f"H{end}", f"V{low}{closing}"
    else:
        path += f"H{number(right - bend)}Q{end} {high} {end} {low}"
    middle, words = (left + right) / 2, _label(look, arc.rank)
    width = max(_CHIP, 12 + 6.5 * len(words)) if arc.is_chosen else 7 * len(words) + 4
    chip = f'x="{number(middle - width / 2)}" y="{number(peak - 8)}"'
    chip += f' width="{number(width)}" height="16" rx="8"'
    if arc.is_chosen:
        return (
            f'<path d="{path}{closing}" fill="{look.colors[0]}" fill-opacity=".45"/>'
            f'<path class="hb-edge" d="{path}" fill="none" stroke-width="2"/>'
            f'<rect class="hb-plate hb-edge" {chip}/>'
            + text(words, middle, peak + 4, "hb-m hb-s hb-b")
        )
    return f'<path class="hb-empty" d="{path}"/><rect class="hb-ground" {chip}/>' + text(
        words, middle, peak + 4, "hb-m hb-s hb-dim"
    )


def _label(look: SuitLook, rank: str) -> str:
    return f"{look.letter}:{rank}" if look.letter[-1:].isdigit() else look.letter + rank


def _bracket(places: _Places, bracket: Bracket, y: float) -> str:
    first, last = max(bracket.first, 0), min(bracket.last, len(places.middles) - 1)
    left, right = places.middles[first] - SMALL_WIDTH / 2, places.middles[last] + SMALL_WIDTH / 2
    style = "hb-line" if bracket.is_lit else "hb-axis"
    line = f'<path class="{style}" d="M{number(left)} {number(y)}v4H{number(right)}v-4"/>'
    room = int((right - left) / 6)
    if room < min(_SHORTEST_TITLE, len(bracket.title)):
        return line
    bold = " hb-b" * bracket.is_lit
    return line + text(fitted(bracket.title, room), (left + right) / 2, y + 17, f"hb-m hb-s{bold}")


def _moment(places: _Places, moment: Moment, top: float, bottom: float) -> str:
    x = places.before(moment.place)
    line = f'x="{number(x - 1)}" y="{number(top)}" width="2" height="{number(bottom - top)}"'
    flag = f"M{number(x - 5)} {number(top - 4)}h10l-5 7Z"
    words = text(moment.label, x + 8, top + 2, "hb-s hb-b")
    return f'<rect class="hb-fall" {line}/><path class="hb-fall" d="{flag}"/>{words}'


def _hand(arcs: Arcs, places: _Places, y: float) -> tuple[str, float]:
    """Return the tracks of the hand with the chosen arcs in them, and the height where they end."""
    taken: list[int] = []  # the place up to which each track is taken
    bars: list[tuple[int, SuitLook, Arc]] = []
    chosen = [(arc, lane.look) for lane in arcs.lanes for arc in lane.arcs if arc.is_chosen]
    for arc, look in sorted(chosen, key=lambda pair: (pair[0].opens, pair[0].closes)):
        track = next((n for n, end in enumerate(taken) if end <= arc.opens), len(taken))
        taken[track:] = [arc.closes, *taken[track + 1 :]]
        bars.append((track, look, arc))
    hand = arcs.hand_size
    n_tracks = max(len(taken), hand if hand <= _TRACKS[0][0] else 1)
    usual = min(n_tracks, hand)
    low = max(4.0, _LOW_TRACKS / max(1, n_tracks))
    height = next((height for most, height in _TRACKS if n_tracks <= most), low)
    width = number(places.right - places.left)
    parts = text(f"hand: {hand}", _MARGIN, y + 14, "hb-s hb-dim")
    if usual < hand:
        parts += text(f"{usual} at once", _MARGIN, y + 29, "hb-s hb-dim")
    frames = (
        [(n, height) for n in range(usual)] if usual <= _TRACKS[0][0] else [(0, height * usual)]
    )
    parts += "".join(
        f'<rect class="hb-panel" x="{number(places.left)}" y="{number(y + height * n)}"'
        f' width="{width}" height="{number(high)}"/>'
        for n, high in frames
    )
    for track, look, arc in bars:
        is_beyond = track >= hand
        parts += _bar(places, look, arc, y + height * track, height, is_beyond=is_beyond)
    if n_tracks > usual:
        line = y + height * hand
        parts += f'<path class="hb-line" d="M{number(places.left)} {number(line)}h{width}"/>'
        parts += text("no place", _MARGIN, max(line + 14, y + 30), "hb-s hb-b")
    return _full(arcs, places, y) + parts, max(y + height * n_tracks, y + 34)


def _bar(
    places: _Places, look: SuitLook, arc: Arc, y: float, height: float, *, is_beyond: bool
) -> str:
    left, right = places.ends(arc)
    gap = min(2.0, height / 5)
    box = f'x="{number(left)}" y="{number(y + gap)}" width="{number(right - left)}"'
    box += f' height="{number(height - 2 * gap)}" rx="{number(min(6, height / 3))}"'
    dashes = ' stroke-dasharray="4 3"' if is_beyond else ""
    color = look.colors[0]
    parts = f'<rect class="hb-edge" {box} fill="{color}"{dashes}/>'
    if height < _TRACKS[-1][1]:
        return parts
    ink = "hb-k" if ink_on(color) == "#000000" else "hb-w"
    words = _label(look, arc.rank)
    return parts + text(words, (left + right) / 2, y + height / 2 + 4, f"hb-m hb-s hb-b {ink}")


def _full(arcs: Arcs, places: _Places, y: float) -> str:
    """Return a line with the word "full" over each stretch in which all tracks are taken."""
    parts, middles = "", [places.left, *places.middles, places.right]
    runs = groupby(enumerate(arcs.full), key=lambda pair: pair[1] - pair[0])
    for _, group in runs:
        run = [place for _, place in group]
        left, right = middles[run[0]], middles[run[-1] + 1]
        parts += f'<path class="hb-line" d="M{number(left)} {number(y - 3)}H{number(right)}"/>'
        parts += text("full", (left + right) / 2, y - 6, "hb-m hb-s hb-b")
    return parts
