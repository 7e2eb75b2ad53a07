"""Shows as HTML: the player alone, or a self-contained page."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from html import escape, unescape
from importlib.resources import files
from itertools import count
from string import Template

from hanabi.svg.board import Parts
from hanabi.svg.markup import STYLE

__all__ = [
    "PLAYER_SCRIPT",
    "PLAYER_STYLE",
    "Frame",
    "Server",
    "Show",
    "Story",
    "board_html",
    "figure_of",
    "live_parts",
    "page_of",
    "player_of",
]

# A show: pictures with captions, and facts about the whole.


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A step: its picture as SVG or HTML, the move in words, and what there is to say about it.

    Attributes
    ----------
    picture
        The picture, as SVG or as HTML.
    words
        The move.
    status
        What comes next, or how it ended.
    remark
        A few words if the step is notable.
    why
        Sentences about the step, as HTML.
    best
        The best score still reachable, as in "14 of 15", or "".
    is_loss, is_clue
        Whether the move lost points; whether it is a clue.
    """

    picture: str = ""
    words: str
    status: str = ""
    remark: str = ""
    why: str = ""
    best: str = ""
    is_loss: bool = False
    is_clue: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """What a game comes to in a sentence, as HTML, and the step to begin with.

    `kind` is "lost", "won" or "" while nothing is known.
    """

    html: str = ""
    kind: str = ""
    start: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Show:
    """A sequence of steps, beginning with the start.

    Attributes
    ----------
    title
        The title.
    facts
        Sentences about the whole show.
    frames
        The steps.
    shared
        An SVG with the definitions that the pictures refer to, or "".
    chart
        An SVG about all steps, whose links lead to addresses such as `#move-17`, or "".
    link
        The address of the game on another site, or "".
    story
        What the show comes to.
    names
        The players of a game, whose seats one can look from.
    cards
        For each card of a game, by its place in the deck: the steps in which it was drawn, clued
        and moved, the last one or None.
    notes
        Notes on steps.
    card_notes
        Notes on cards, by their places in the deck: a line for each player who wrote one.
    key
        A name under which a browser keeps notes.
    """

    title: str
    facts: tuple[str, ...]
    frames: tuple[Frame, ...]
    shared: str = ""
    chart: str = ""
    link: str = ""
    story: Story = field(default_factory=Story)
    names: tuple[str, ...] = ()
    cards: tuple[tuple[int, tuple[int, ...], int | None], ...] = ()
    notes: Mapping[int, str] = field(default_factory=dict)
    card_notes: Mapping[int, Sequence[str]] = field(default_factory=dict)
    key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """What a page with a server behind it adds to a show.

    Attributes
    ----------
    path
        The address that answers for the show: its `verdicts`, and for each position its `values`.
    query
        What the addresses have after a question mark.
    at
        The step that is shown without scripts.
    is_asked
        Whether that step was asked for, so that the script begins there too.
    is_open
        Whether more verdicts come.
    figure
        A figure to show in place of step `at`: a position that is tried, with its moves as `tried`.
    extra
        HTML beside the moves.
    here
        The address of the page, if it answers a form and so was not asked for by its address.
    """

    path: str
    query: str = ""
    at: int = 0
    is_asked: bool = False
    is_open: bool = False
    figure: str = ""
    tried: str = ""
    extra: str = ""
    here: str = ""


_ASSETS = files("hanabi.viewer") / "assets"

_MOST_OPEN = 5  # facts shown beside the moves; with more, they are folded

_MOST_STANDING = 400
"""The most steps that a page holds as elements; browsers take minutes to lay out thousands."""

_NO_SCRIPT = "<noscript><p>The pictures of so many moves need JavaScript.</p></noscript>"


def _dense(text: str) -> str:
    """Return a script or a style sheet without its indentation and whole-line comments."""
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//")) + "\n"


PLAYER_SCRIPT = _dense((_ASSETS / "player.js").read_text("utf-8"))
"""The script behind the element `hanabi-player`; it needs nothing else."""

PLAYER_STYLE = _dense((_ASSETS / "player.css").read_text("utf-8"))
"""The style sheet of the player; serve it together with `hanabi.svg.markup.STYLE`."""


def player_of(show: Show, server: Server | None = None) -> str:
    """Return the player as a piece of HTML for a page with the script and both style sheets.

    Without the script, all steps are shown one below the other. If there are more than a few
    hundred steps, only the list of moves is shown, and the script takes each picture, with its
    definitions, from a template. With a server behind the page, one step is shown, and the others
    are in the template. A page can hold only one player, which owns addresses such as `#17`.
    """
    figures = [figure_of(frame, number) for number, frame in enumerate(show.frames)]
    if server is not None:
        standing = server.figure or figures[server.at]
        pictures = f"{show.shared}\n{standing}<template data-frames>{''.join(figures)}</template>"
    elif len(figures) > _MOST_STANDING:
        kept = show.shared + "\n".join(figures)
        pictures = f"<template data-frames>{kept}</template>\n{_NO_SCRIPT}"
    else:
        pictures = f"{show.shared}\n" + "\n".join(figures)
    last = len(show.frames) - 1
    html = Template((_ASSETS / "player.html").read_text("utf-8")).substitute(
        title=escape(show.title),
        pictures=pictures,
        data=_data(show, server),
        last=last,
        at=0 if server is None else server.at,
        steps="" if server is None else _links(server, last),
        **live_parts(show, server),
        seats=_seats(show),
        note=_note(show),
        extra="" if server is None else server.extra,
    )
    return _shortened(html)


def page_of(show: Show) -> str:
    """Return a self-contained page, whose security policy forbids any network access.

    >>> show = Show(title="<b>", facts=(), frames=(Frame(picture="<svg/>", words="The deal"),))
    >>> "&lt;b&gt;</h1>" in page_of(show), "http-equiv" in page_of(show)
    (True, True)
    """
    style = STYLE + PLAYER_STYLE
    return Template((_ASSETS / "page.html").read_text("utf-8")).substitute(
        title=escape(show.title),
        policy=(
            f"default-src 'none'; base-uri 'none'; form-action 'none';"
            f" style-src '{_digest(style)}'; script-src '{_digest(PLAYER_SCRIPT)}'"
        ),
        style=style,
        script=PLAYER_SCRIPT,
        player=player_of(show),
    )


def board_html(parts: Parts, below: Sequence[str] = ()) -> str:
    """Return the parts of a board for a page to arrange; `below` is HTML for under each hand."""
    hands = "".join(
        f"<div>{hand}{below[seat]}</div>" if below else hand
        for seat, hand in enumerate(parts.hands)
    )
    return (
        f'<div class="hp-board"><div class="hp-middle">{parts.middle}</div>'
        f'<div class="hp-hands">{hands}</div><div class="hp-gone">{parts.discards}</div></div>'
    )


def figure_of(frame: Frame, number: int, *, is_tried: bool = False) -> str:
    """Return a step as a figure with its caption."""
    told = f"{frame.words}. {frame.remark}. {unescape(re.sub('<[^>]*>', '', frame.why))}"
    words = escape(re.sub(r"(\. )+", ". ", told).rstrip(". "), quote=True)
    label = "" if not number else f"Move {number}: "
    head = f"<strong>{'Tried: ' if is_tried else label}{escape(frame.words)}</strong>"
    status = f'<span class="hp-status">{escape(frame.status)}</span>' if frame.status else ""
    name = "tried" if is_tried else f"move-{number}"
    return (
        f'<figure id="{name}" data-words="{words}"><figcaption>{head}'
        f" <span data-told>{_told(frame)}</span>{status}</figcaption>{frame.picture}</figure>"
    )


def live_parts(show: Show, server: Server | None = None) -> dict[str, str]:
    """Return the parts of a player that change while verdicts come in, by name."""
    story, losses = show.story, sum(frame.is_loss for frame in show.frames)
    told = f'<p class="hp-story {story.kind}">{story.html}</p>' if story.html else ""
    start = "" if story.start is None else f' data-start="{story.start}"'
    facts = "".join(f"<p>{escape(fact)}</p>" for fact in show.facts)
    moves = "".join(_entry(n, frame, server) for n, frame in enumerate(show.frames))
    is_open = " open" if len(show.facts) <= _MOST_OPEN else ""
    more = " data-open" if server is not None and server.is_open else ""
    clues = any(frame.is_clue for frame in show.frames)
    only = '<label class="hp-only"><input type="checkbox"> clues only</label>' if clues else ""
    return {
        "story": f'<div data-live="story"{start}{more} data-losses="{losses}">{told}</div>',
        "chart": f'<div data-live="chart" class="hp-chart">{show.chart}</div>',
        "facts": f'<details data-live="facts" class="hp-facts"{is_open}><summary>About</summary>'
        f"{facts}{_link(show.link)}</details>",
        "moves": '<details data-live="moves" open class="hp-list"><summary>Moves</summary>'
        f'{only}<ol start="0" data-moves tabindex="0" aria-label="Moves">{moves}</ol></details>',
    }


def _data(show: Show, server: Server | None) -> str:
    """Return what the script needs, as attributes."""
    values: dict[str, str] = {"key": show.key} if show.key else {}
    if show.cards:
        values["cards"] = json.dumps(show.cards, separators=(",", ":"))
    if show.names:
        values["seats"] = str(len(show.names))
    if show.link.startswith("https://"):
        values["link"] = show.link
    if show.notes:
        values["notes"] = json.dumps({str(n): text for n, text in show.notes.items()})
    if show.card_notes:
        values["card-notes"] = json.dumps({str(n): list(x) for n, x in show.card_notes.items()})
    if server is not None:
        values |= {"server": server.path, "query": server.query, "at": str(server.at)}
        if server.is_asked:
            values["asked"] = "1"
        if server.tried:
            values["tried"] = server.tried
        if server.here:
            values["here"] = server.here
    return "".join(f' data-{name}="{escape(value)}"' for name, value in values.items())


def _links(server: Server, last: int) -> str:
    """Return links to other steps, for browsers without scripts."""
    places = (("First", 0), ("Back", server.at - 1), ("Next", server.at + 1), ("Last", last))
    links = " ".join(
        f'<a class="button" href="{_address(server, place)}" rel="nofollow">{name}</a>'
        for name, place in places
        if 0 <= place <= last
    )
    return f'<nav class="hp-steps" aria-label="Steps">{links} Move {server.at} of {last}</nav>'


def _address(server: Server, number: int) -> str:
    query = f"{server.query}&at={number}" if server.query else f"at={number}"
    return escape(f"{server.path}?{query}")


def _seats(show: Show) -> str:
    if not show.names:
        return ""
    options = "".join(
        f'<option value="{seat}">{escape(name)}</option>'
        for seat, name in enumerate(show.names, start=1)
    )
    return (
        '<div class="hp-look" data-look hidden><label>Seen by <select data-seat>'
        f'<option value="0">all cards up</option>{options}</select></label>'
        '<label><input type="checkbox" data-chop> chop</label></div>'
    )


def _note(show: Show) -> str:
    if not show.key:
        return ""
    return (
        '<label class="hp-note" data-note-field hidden>Note on'
        " <span data-note-place>the deal</span>"
        '<textarea data-note rows="2" maxlength="2000"></textarea></label>'
        '<p class="hp-note" data-card-notes-told hidden></p>'
    )


def _told(frame: Frame) -> str:
    remark = f"<strong>{escape(frame.remark)}.</strong> " if frame.remark else ""
    return f"{remark}{frame.why}".strip()


def _entry(number: int, frame: Frame, server: Server | None) -> str:
    kinds = " ".join(("hp-lost",) * frame.is_loss + ("hp-clue",) * frame.is_clue)
    attributes = f' class="{kinds}"' if kinds else ""
    attributes += f' data-best="{escape(frame.best)}"' if frame.best else ""
    href = f"#move-{number}" if server is None else _address(server, number)
    told = _told(frame)
    said = f" <span data-told>{told}</span>" if told else ""
    words = escape(frame.words)
    return f'<li{attributes}><a href="{href}" data-move="{number}">{words}</a>{said}</li>'


def _link(address: str) -> str:
    if not address.startswith("https://"):
        return ""
    return f'<p><a href="{escape(address)}" rel="noreferrer">Open on hanab.live</a></p>'


_NAME = re.compile(r'(?<=[#" ])h[0-9a-f]{7,}\b')
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def _shortened(html: str) -> str:
    """Return a page with short names for its definitions, of which it has many thousand uses."""
    defined = dict.fromkeys(re.findall(r'id="(h[0-9a-f]{7,})"', html))
    short = {name: _short(number) for number, name in zip(count(), defined, strict=False)}
    return _NAME.sub(lambda found: short.get(found[0], found[0]), html)


def _short(number: int) -> str:
    digits = ""
    while number or not digits:
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return f"h{digits}"


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
