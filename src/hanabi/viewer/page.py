"""Shows as HTML: the player alone, or a self-contained page."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from importlib.resources import files
from itertools import count
from string import Template

from hanabi.svg.markup import STYLE

__all__ = ["PLAYER_SCRIPT", "PLAYER_STYLE", "Frame", "Show", "page_of", "player_of"]

# A show: pictures with captions, and facts about the whole.


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A step: its picture as SVG, the move in words, and a remark if the step is notable."""

    svg: str
    words: str
    remark: str = ""


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
    """

    title: str
    facts: tuple[str, ...]
    frames: tuple[Frame, ...]
    shared: str = ""
    chart: str = ""
    link: str = ""


_ASSETS = files("hanabi.viewer") / "assets"

_MOST_OPEN = 5  # facts shown beside the moves; with more, they are folded

_MOST_STANDING = 400
"""The most steps that a page holds as elements; browsers take minutes to lay out thousands."""

_NO_SCRIPT = "<noscript><p>The pictures of so many moves need JavaScript.</p></noscript>"

PLAYER_SCRIPT = (_ASSETS / "player.js").read_text("utf-8")
"""The script that steps through every `section` with `data-player`; it needs nothing else."""

PLAYER_STYLE = (_ASSETS / "player.css").read_text("utf-8")
"""The style sheet of the player; serve it together with `hanabi.svg.markup.STYLE`."""


def player_of(show: Show) -> str:
    """Return the player as a piece of HTML for a page with the script and both style sheets.

    Without the script, all steps are shown one below the other. If there are more than a few
    hundred steps, only the list of moves is shown, and the script takes each picture, with its
    definitions, from a template. A page can hold only one player, which owns addresses such as
    `#move-17`.
    """
    pictures = f"{show.shared}\n" + "\n".join(map(_figure, count(), show.frames))
    if len(show.frames) > _MOST_STANDING:
        pictures = f"<template data-frames>{pictures}</template>\n{_NO_SCRIPT}"
    return Template((_ASSETS / "player.html").read_text("utf-8")).substitute(
        title=escape(show.title),
        pictures=pictures,
        last=len(show.frames) - 1,
        facts="".join(f"<p>{escape(fact)}</p>" for fact in show.facts),
        open=" open" if len(show.facts) <= _MOST_OPEN else "",
        chart=f'<div class="hp-chart">{show.chart}</div>' if show.chart else "",
        moves="".join(_entry(n, frame) for n, frame in enumerate(show.frames)),
        link=_link(show.link),
    )


def page_of(show: Show) -> str:
    """Return a self-contained page, whose security policy forbids any network access.

    >>> show = Show(title="<b>", facts=(), frames=(Frame(svg="<svg></svg>", words="The deal"),))
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


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _figure(number: int, frame: Frame) -> str:
    words = escape(f"{frame.words}. {frame.remark}".rstrip(". "), quote=True)
    return f'<figure id="move-{number}" data-words="{words}">{frame.svg}</figure>'


def _entry(number: int, frame: Frame) -> str:
    remark = f" <strong>{escape(frame.remark)}</strong>" if frame.remark else ""
    return f'<li><a href="#move-{number}">{escape(frame.words)}</a>{remark}</li>'


def _link(address: str) -> str:
    if not address.startswith("https://"):
        return ""
    return f'<p><a href="{escape(address)}" rel="noreferrer">Open on hanab.live</a></p>'
