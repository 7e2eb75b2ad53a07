"""Shows as HTML: the player alone, or a self-contained page."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import count

from hanabi.ground import STYLE, Parts, counted
from hanabi.reviews import Emphasis, Mistake, losses_words, lost_by_player
from hanabi.shell.viewer.glossary import explained
from hanabi.shell.viewer.html import (
    Html,
    asset_text,
    attributes_of,
    filled,
    joined,
    parts_of,
    template,
)

__all__ = [
    "PLAYER_SCRIPT",
    "PLAYER_STYLE",
    "Ahead",
    "Frame",
    "Line",
    "Server",
    "Show",
    "Story",
    "address_of_lines",
    "board_html",
    "button_of",
    "buttons_of",
    "figure_of",
    "lines_json",
    "live_parts",
    "page_of",
    "page_with",
    "player_of",
]

# A show: pictures with captions, and facts about the whole.


@dataclass(frozen=True, slots=True, kw_only=True)
class Ahead:
    """The next move of a game, which lost points, and what there is to say of it.

    Attributes
    ----------
    mistake
        The move, what it lost, and what would have kept that, as for a list.
    kept
        A sentence that names the moves that would have kept the points, in parts; empty if none is
        known.
    why
        Sentences about the move, each in parts.
    """

    mistake: Mistake
    kept: tuple[str, ...] = ()
    why: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A step: its picture as SVG or HTML, the move in words, and what there is to say about it.

    Attributes
    ----------
    picture
        The picture, as SVG or as HTML.
    words
        The move that led to it.
    head
        Where the show is, such as whose turn it is; or "" for the move in its place.
    status
        Further figures.
    remark
        A few words if the step is notable.
    why
        Sentences about the step, each in parts, of which some may be `Emphasis`.
    best
        The best score still reachable, as in "14 of 15", or "".
    is_loss, is_clue
        Whether the move lost points; whether it is a clue.
    ahead
        The move that follows, if it lost points.
    values
        What each action is worth here, as the script reads it, if that is known from the start.
    """

    picture: str = ""
    words: str
    head: str = ""
    status: str = ""
    remark: str = ""
    why: tuple[tuple[str, ...], ...] = ()
    best: str = ""
    is_loss: bool = False
    is_clue: bool = False
    ahead: Ahead | None = None
    values: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Moves that are tried from a step of a show.

    Attributes
    ----------
    at
        The step.
    codes, words
        The moves, as the server reads them and as the list of moves has them.
    link
        The address on another site of the game up to there and these moves, or "".
    shown
        How many of the moves lead to what is shown; 0 if the line is not shown.
    frames
        The step after each move, in a page without a server.
    """

    at: int
    codes: tuple[str, ...]
    words: tuple[str, ...]
    link: str = ""
    shown: int = 0
    frames: tuple[Frame, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """What a game comes to, and the step to begin with.

    Attributes
    ----------
    head, text
        The first words, emphasized, and the rest.
    kind
        The classes of its style: "hp-bad", "hp-good", or "" while nothing is known.
    start
        The number of the step, if there is one.
    note
        A sentence below the story, or below the list of mistakes that stands in its place.
    table
        A table below the note: its head, then its rows.
    moves
        Further moves to look at: number, words, and a sentence on each.
    """

    head: str = ""
    text: str = ""
    kind: str = ""
    start: int | None = None
    note: str = ""
    table: tuple[Sequence[str], ...] = ()
    moves: tuple[tuple[int, str, str], ...] = ()


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
    lines
        The lines that are tried.
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
    lines: tuple[Line, ...] = ()


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
        A figure to show in place of step `at`, such as a position that is tried from there.
    tried
        The lines that are tried, as `address_of_lines` has them.
    extra
        HTML for the menu of what is needed less often.
    here
        The address of the page, if it answers a form and so was not asked for by its address.
    beside
        HTML that stands beside that menu.
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
    beside: str = ""


_MOST_OPEN = 5  # facts shown beside the moves; with more, they are folded

_MOST_STANDING = 400
"""The most steps that a page holds as elements; browsers take minutes to lay out thousands."""

# HTML.

_part = parts_of("parts.html")
_PAGE, _PLAYER = template("page.html"), template("player.html")

PLAYER_SCRIPT = "".join(asset_text(name) for name in ("lines.js", "player.js"))
"""The script behind the element `hanabi-player`; it needs nothing else."""

PLAYER_STYLE = "".join(asset_text(name) for name in ("player.css", "lines.css"))
"""The style sheet of the player; serve it together with `hanabi.ground.svg.markup.STYLE`."""


def player_of(show: Show, server: Server | None = None) -> Html:
    """Return the player as a piece of HTML for a page with the script and both style sheets.

    Without the script, all steps are shown one below the other. If there are more than a few
    hundred steps, only the list of moves is shown, and the script takes each picture, with its
    definitions, from a template. With a server behind the page, one step is shown, and the others
    are in the template. A page can hold only one player, which owns addresses such as `#17`.
    """
    figures = [figure_of(frame, number) for number, frame in enumerate(show.frames)]
    shared = Html(show.shared)
    kept = Html("")
    if server is not None:
        standing = Html(server.figure) or figures[server.at]
        pictures, kept = [shared, "\n", standing], _part("kept", figures=joined(figures))
    elif len(figures) > _MOST_STANDING:
        pictures = [_part("no_script")]
        kept = _part("kept", figures=joined([shared, joined(figures, "\n")]))
    else:
        pictures = [shared, "\n", joined(figures, "\n")]
    tried = {
        address_of_lines([replace(line, codes=line.codes[:n])]): frame
        for line in show.lines
        for n, frame in enumerate(line.frames, start=1)
    }
    if tried:
        figures = [
            _part("kept_line", line=line, figure=figure_of(frame, number, is_tried=True))
            for number, (line, frame) in enumerate(tried.items())
        ]
        pictures.append(_part("kept_lines", figures=joined(figures)))
    last, at = len(show.frames) - 1, 0 if server is None else server.at
    live = live_parts(show, server)
    html = filled(
        _PLAYER,
        title=show.title,
        pictures=joined(pictures),
        kept=kept,
        data=_data(show, server),
        last=last,
        at=at,
        place=_place(at, last),
        steps="" if server is None else joined([_links(server, last), _lines(show, server)]),
        **live,
        tools=_tools(show, server, live["facts"]),
    )
    return Html(_shortened(html))


def page_of(show: Show) -> str:
    """Return a self-contained page, whose security policy forbids any network access.

    >>> show = Show(title="<b>", facts=(), frames=(Frame(picture="<svg/>", words="The deal"),))
    >>> "&lt;b&gt;</h1>" in page_of(show), "http-equiv" in page_of(show)
    (True, True)
    """
    return page_with(player_of(show), show.title)


def page_with(main: Html, title: str, *, asset: str = "") -> str:
    """Return a self-contained page with players in it, whose policy forbids any network access.

    An `asset` names a style sheet and a script that the page needs beside the player's.
    """
    style, script = STYLE + PLAYER_STYLE, PLAYER_SCRIPT
    if asset:
        style += asset_text(f"{asset}.css")
        script += asset_text(f"{asset}.js")
    policy = (
        f"default-src 'none'; base-uri 'none'; form-action 'none';"
        f" style-src '{_digest(style)}'; script-src '{_digest(script)}'"
    )
    return filled(
        _PAGE,
        title=title,
        policy=Html(policy),
        style=Html(style),
        script=Html(script),
        main=main,
    )


def board_html(parts: Parts, below: Sequence[str] = ()) -> Html:
    """Return the parts of a board for a page to arrange; `below` is HTML for under each hand."""
    hands = [
        _part(
            "hand",
            hand=Html(hand),
            below=Html(below[seat] if below else ""),
            kind=attributes_of({"class": "hp-now"} if seat == parts.acting else {}),
        )
        for seat, hand in enumerate(parts.hands)
    ]
    return _part(
        "board",
        size=parts.in_a_row,
        middle=Html(parts.middle),
        hands=joined(hands),
        discards=Html(parts.discards),
    )


def button_of(words: str, worth: str, people: str, attributes: Mapping[str, str]) -> Html:
    """Return the button of an action, with what it is worth, and the share of people."""
    share = attributes_of({"data-people": people} if people else {})
    given = attributes_of(attributes)
    return _part("button", attributes=given, words=words, worth=worth, share=share)


def buttons_of(columns: Sequence[Sequence[Html]], others: Sequence[Html]) -> Html:
    """Return what is below a hand: a column of buttons for each card, and other buttons."""
    acts = joined(_part("column", buttons=joined(each)) for each in columns)
    return joined(
        [
            _part("acts", columns=acts) if columns else "",
            _part("clues", buttons=joined(others)) if others else "",
        ]
    )


def address_of_lines(lines: Sequence[Line], shown: Line | None = None, step: int = 0) -> str:
    """Return lines as an address has them, with a star behind the move that is shown.

    >>> line = Line(at=20, codes=("5", "7"), words=("plays", "clues"))
    >>> address_of_lines([line, line], line, 1)
    '20:5*.7~20:5*.7'
    """
    texts = []
    for line in lines:
        star = step - 1 if line is shown else None
        codes = (f"{code}*" if n == star else code for n, code in enumerate(line.codes))
        texts.append(f"{line.at}:{'.'.join(codes)}")
    return "~".join(texts)


def lines_json(lines: Sequence[Line]) -> str:
    """Return lines as the script reads them, with what is known after each move as `found`."""
    names = ("at", "codes", "words", "link", "shown")
    data = [
        {name: getattr(line, name) for name in names}
        | {"found": [frame.values for frame in line.frames]}
        for line in lines
    ]
    return json.dumps(data, separators=(",", ":"))


def figure_of(frame: Frame, number: int, *, is_tried: bool = False, shared: str = "") -> Html:
    """Return a step as a figure with its caption.

    A step that is tried is kept in the page with others, or has definitions of its own, `shared`.
    """
    ahead = frame.ahead
    sentences = frame.why
    if ahead is not None:
        sentences = (*sentences, (" ".join(_played(ahead)),), ahead.kept, *ahead.why)
    why = " ".join("".join(sentence) for sentence in sentences)
    words = re.sub(r"(\. )+", ". ", f"{frame.words}. {frame.remark}. {why}").rstrip(". ")
    label = "Tried: " if is_tried else f"Move {number}: " if number else ""
    figure = _part(
        "figure",
        name=("tried" if shared else f"tried-{number}") if is_tried else f"move-{number}",
        words=words,
        head=_part("head", words=frame.head) if frame.head else "",
        move=_part("move" if frame.head else "strong", words=f"{label}{frame.words}"),
        told=_told(frame),
        ahead=_ahead(ahead),
        status=_part("status", words=explained(frame.status)) if frame.status else "",
        picture=Html(frame.picture),
    )
    if not shared:
        return figure
    own = joined([_part("own", shared=Html(shared)), figure])
    return Html(_NAME.sub(r"tried-\g<0>", own))  # the page may define the same pieces


def live_parts(show: Show, server: Server | None = None) -> dict[str, Html]:
    """Return the parts of a player that change while verdicts come in, by name."""
    start = show.story.start
    data: dict[str, object] = {} if start is None else {"data-start": start}
    data |= {"data-open": True} if server is not None and server.is_open else {}
    data["data-losses"] = sum(frame.is_loss for frame in show.frames)
    is_linked = show.link.startswith("https://")
    return {
        "story": _part("story", data=attributes_of(data), told=_story(show, server)),
        "chart": _part("chart", chart=Html(show.chart)),
        "facts": _part(
            "facts",
            open=attributes_of({"open": True} if len(show.facts) <= _MOST_OPEN else {}),
            facts=joined(_part("paragraph", words=fact) for fact in show.facts),
            link=_part("link", address=show.link) if is_linked else "",
        ),
        "moves": _part(
            "moves",
            only=_part("only") if any(frame.is_clue for frame in show.frames) else "",
            moves=joined(_entry(n, frame, server) for n, frame in enumerate(show.frames)),
        ),
    }


def _data(show: Show, server: Server | None) -> Html:
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
    if show.lines:
        values["lines"] = lines_json(show.lines)
    if server is not None:
        values |= {"server": server.path, "query": server.query, "at": str(server.at)}
        if server.is_asked:
            values["asked"] = "1"
        if server.here:
            values["here"] = server.here
    return attributes_of({f"data-{name}": value for name, value in values.items()})


def _story(show: Show, server: Server | None) -> Html:
    """Return what a show comes to: the list of its mistakes, or else a sentence."""
    story, told = show.story, _mistakes(show.frames, server)
    if not told and (story.head or story.text):
        head = _part("strong", words=story.head) if story.head else ""
        told = _part("story_told", kind=story.kind, words=joined([head, story.text]))
    note = _part("judged", words=story.note) if story.note else ""
    return joined([told, note, _table(story.table), _further(story, server)])


def _table(rows: Sequence[Sequence[str]]) -> Html:
    """Return a table of numbers, whose first row is the head, with names in the first column."""
    if not rows:
        return Html()
    heads = joined(_part("table_head", words=each) for each in rows[0])
    return _part(
        "table",
        heads=heads,
        rows=joined(
            _part("table_row", name=name, cells=joined(_part("cell", words=x) for x in cells))
            for name, *cells in rows[1:]
        ),
    )


def _further(story: Story, server: Server | None) -> Html:
    """Return the list of further moves to look at."""
    rows = [_listed(n, said, Html(explained(told)), "", server) for n, said, told in story.moves]
    head = f"{counted(len(rows), 'decision')} to look at"
    return _part("further", head=head, rows=joined(rows)) if rows else Html()


def _mistakes(frames: Sequence[Frame], server: Server | None) -> Html:
    """Return the list of the moves that lost points, with what each player lost in all."""
    found = [frame.ahead.mistake for frame in frames if frame.ahead is not None]
    if not found:
        return Html()
    rows = []
    for each in found:
        kept = _part("instead", words=each.kept) if each.kept else Html()
        rows.append(_listed(each.turn, each.said, kept, f"−{each.lost}", server))
    return _part(
        "mistakes",
        head=losses_words([each.lost for each in found]),
        sums=", ".join(f"{who} −{lost}" for who, lost in lost_by_player(found).items()),
        rows=joined(rows),
    )


def _listed(turn: int, said: str, told: Html, lost: str, server: Server | None) -> Html:
    """Return a move in a list, which leads to the position before it."""
    address = f"#move-{turn - 1}" if server is None else _address(server, turn - 1)
    return _part(
        "mistake", address=address, before=turn - 1, turn=turn, words=said, kept=told, lost=lost
    )


def _tools(show: Show, server: Server | None, facts: Html) -> Html:
    """Return what is needed less often: of a game in a menu, beside a button that copies a link."""
    if not show.key:
        return facts
    can_copy = server is not None or show.link.startswith("https://")
    beside = [_part("copy") if can_copy else "", "" if server is None else Html(server.beside)]
    inner = [_seats(show), "" if server is None else Html(server.extra), _part("note"), facts]
    return _part("tools", copy=joined(beside), inner=joined(inner))


def _links(server: Server, last: int) -> Html:
    """Return links to other steps, for browsers without scripts."""
    places = (("First", 0), ("Back", server.at - 1), ("Next", server.at + 1), ("Last", last))
    links = [
        _part("step", address=_address(server, place), words=name)
        for name, place in places
        if 0 <= place <= last
    ]
    return _part("steps", links=joined(links, " "), place=_place(server.at, last))


def _place(at: int, last: int) -> str:
    """Return the name of a position: after 20 moves it is turn 21, as on hanab.live."""
    if last and at == last:
        return f"End, after {counted(last, 'move')}"
    return f"Turn {at + 1}{f' of {last}' if last else ''}"


def _lines(show: Show, server: Server) -> Html:
    """Return the lines that are tried, with a link to each of their moves."""
    lists = []
    for line in show.lines:
        moves = [
            _part(
                "line_move",
                address=_linked(server, f"try={address_of_lines(show.lines, line, n)}"),
                current=attributes_of({"aria-current": "step"} if n == line.shown else {}),
                words=words,
            )
            for n, words in enumerate(line.words, start=1)
        ]
        lists.append(_part("line", start=line.at + 1, moves=joined(moves)))
    return _part("lines", lists=joined(lists)) if lists else Html()


def _address(server: Server, number: int) -> str:
    """Return the address of a step, which keeps the lines that are tried."""
    return _linked(server, f"at={number}", f"try={server.tried}" if server.tried else "")


def _linked(server: Server, *places: str) -> str:
    return f"{server.path}?{'&'.join(filter(None, [server.query, *places]))}"


def _seats(show: Show) -> Html:
    options = [_part("seat", seat=n, name=name) for n, name in enumerate(show.names, start=1)]
    return _part("seats", options=joined(options)) if options else Html()


def _told(frame: Frame) -> Html:
    """Return the remark and the sentences of a step."""
    told = [_part("strong", words=f"{frame.remark}.")] if frame.remark else []
    return joined([*told, _rest("Remarks", frame.why)], " ")


def _rest(name: str, sentences: Sequence[Sequence[str]]) -> Html:
    """Return sentences that can be folded, if there are any."""
    return _part("rest", name=name, words=_sentences(sentences)) if sentences else Html()


def _sentences(sentences: Iterable[Sequence[str]]) -> Html:
    """Return sentences in parts, of which some are emphasized."""
    parts = (
        (_part("em", words=p) if isinstance(p, Emphasis) else explained(p) for p in s)
        for s in sentences
    )
    return joined(map(joined, parts), " ")


def _played(ahead: Ahead) -> tuple[str, ...]:
    """Return a sentence, in parts, that says what was played and what it cost."""
    return f"Played: {ahead.mistake.said}.", f"{counted(ahead.mistake.lost, 'point')} lost."


def _ahead(ahead: Ahead | None) -> Html:
    """Return what was played next and cost points, and what would have kept them."""
    if ahead is None:
        return Html()
    played, cost = _played(ahead)
    parts = [played, _part("strong", words=cost), _sentences([ahead.kept]), _rest("Why", ahead.why)]
    return joined(parts, " ")


def _entry(number: int, frame: Frame, server: Server | None) -> Html:
    kinds = " ".join(("hp-lost",) * frame.is_loss + ("hp-clue",) * frame.is_clue)
    attributes: dict[str, object] = {"class": kinds, "data-best": frame.best}
    if frame.values is not None:
        attributes["data-values"] = json.dumps(frame.values, separators=(",", ":"))
    told, ahead = _told(frame), _ahead(frame.ahead)
    return _part(
        "entry",
        attributes=attributes_of({name: value for name, value in attributes.items() if value}),
        address=f"#move-{number}" if server is None else _address(server, number),
        number=number,
        words=frame.words,
        told=_part("told", words=told) if told else "",
        ahead=_part("ahead", words=ahead) if ahead else "",
    )


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
