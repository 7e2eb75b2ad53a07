"""Review: a game move by move, judged, at an address that holds it; and moves to try."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape
from typing import Any
from urllib.parse import parse_qsl, urlencode

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from hanabi.errors import HanabiError, InvalidInputError, SolverError, quote
from hanabi.game import Action, Game, Kind
from hanabi.game.picture import board_of, status_of
from hanabi.game.telling import clue_colors, hinted, site_words, told
from hanabi.notation import GameRecord, parse_input
from hanabi.notation.links import link_note, stored_game
from hanabi.notation.strict_json import load
from hanabi.players.hgroup.conventions import LEVELS
from hanabi.players.parameters import refuse_rules
from hanabi.session.game import GameProblem, find_link
from hanabi.svg.board import draw_board
from hanabi.svg.markup import Sheet
from hanabi.viewer.games import (
    board_of_game,
    card_notes_of,
    in_site_words,
    show_of_games,
    told_of_games,
)
from hanabi.viewer.page import Frame, Server, Show, Story, figure_of, live_parts, page_of, player_of
from hanabi.viewer.view import title_of
from hanabi.web.desk import Asked, answer, render, see_other
from hanabi.web.match import Match
from hanabi.web.moves import read_game
from hanabi.web.pages.play import players_for
from hanabi.web.pages.watch import Watched
from hanabi.web.questions import ask_conventions, ask_decisions, ask_reasons, ask_review, ask_values
from hanabi.web.security import PICTURE_POLICY
from hanabi.web.study import Study, address_of, found_so_far, judge, read_address, values_of
from hanabi.winnable.timeline import Prospect
from hanabi.workers.workshop import Report, State

__all__ = ["ROUTES", "SAMPLES"]

_MOST_TEXT = 1 << 17
_MOST_MOVES = 10_000
_MOST_NOTES = 100_000
_VALUE_SECONDS = 20.0
_KEPT = "kept"
"""The path of a game that only the session holds."""
_LINK_TO_MOVE = re.compile(r"\S*hanab\.live/\S+#([0-9]{1,4})")
_NOT_OF_THE_GAME = ("at", "try", "notes", "by", "decisions", "conventions")
_REASON_SECONDS = 300.0


CardNotes = Mapping[int, Sequence[str]]
"""Notes on cards, by their places in the deck."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A game to begin with."""

    address: str
    title: str
    about: str


SAMPLES = (
    Sample(
        "/review/"
        "315bdjoaafkminnfilha-kmcgkbfldgche,03lcaf-amlcahbqkbbrlaaaoaao-kcatobabtclbaubi1"
        "atb-apanacxcbv,2133",
        "Three points lost late",
        "Orange (3 Suits): all 15 points were there until move 21.",
    ),
    Sample(
        "/review/"
        "315odedpxlblikthjsaa-byn2mf1uwhzpmgic0gnk-vfcrqswqvx3ur,03kcbi-akscbpaqwcagxbaea"
        "rbo-1cavawscbhwbbdatlbaa-a1ayb2xaa4a0kab6a7tc-obactctb,2418",
        "The last red 5",
        "Scarce Ones & Gray (6 Suits): one misplay, and a color can never be completed.",
    ),
    Sample(
        "/review/"
        "315mmphexkydblirwuap-fnuqcfvaxchpfktvkdsi-saggqwlrjobnu,03obag-sagbwcaoocapakoca"
        "r1b-bctcaqaubfpbxbajamba-axtaabbtaswcbygaa0ai-anaexaaza9b11bbwa5ka-b2pablaDkcbva"
        "dahaA1b-aK1aaJ,0",
        "25 of 25",
        "No Variant: 55 moves, and nothing was lost.",
    ),
)
"""Games that were played on hanab.live, to look at before one has one's own."""


def _new(asked: Asked, problem: str = "") -> Response:
    words = dict(asked.words)
    number = stored_game(words.get("game", ""))
    if number is not None:
        words["game"], problem = "", ""
    return render(
        "review_new.html",
        problem=problem or asked.lost,
        words=words,
        number=number,
        samples=SAMPLES,
    )


def _start(asked: Asked) -> Response:
    problem, at, notes = _given(asked)
    study = _kept_somewhere(asked, problem)
    places = {} if at is None else {"at": min(at, len(problem.moves))}
    if not notes:
        return see_other(study.address("", **places))
    # The address has no place for notes: they come with this answer, and the browser keeps them.
    asked.words = {name: str(place) for name, place in places.items()}
    return _shown(asked, study, notes, here=study.address())


def _kept_somewhere(asked: Asked, problem: GameProblem) -> Study:
    """Return a game with an address that holds it, or kept in the session if none can."""
    try:
        code, query = address_of(problem)
    except HanabiError as error:
        study = Study(problem, f"/review/{_KEPT}", unwritten=str(error))
        asked.enter().rooms["review"] = study
        return study
    return Study(problem, f"/review/{code}", query)


def _given(asked: Asked) -> tuple[GameProblem, int | None, CardNotes]:
    """Return the game, from this session or pasted, its opening move, and its notes on cards."""
    if asked.text("from") == "play" and (match := asked.room("play", Match)) is not None:
        if not match.is_over:
            raise InvalidInputError("the game goes on: its cards are turned up when it is over")
        return match.problem, None, {}
    watched = asked.room("watch", Watched)
    if asked.text("from") == "watch" and watched is not None and watched.problem is not None:
        return watched.problem, None, {}
    text = asked.text("file", most=_MOST_TEXT) or asked.text("game", most=_MOST_TEXT)
    if not text.strip():
        raise InvalidInputError("paste a game, or choose a file")
    limits, named = asked.desk.settings, _LINK_TO_MOVE.fullmatch(text.strip())
    problem = read_game(text, most_cards=limits.most_cards, most_hand=limits.most_hand)
    record = parse_input(text) if text.lstrip().startswith("{") else None
    notes = card_notes_of(record.notes, problem.names) if isinstance(record, GameRecord) else {}
    return problem, None if named is None else int(named[1]), notes


def _study(asked: Asked) -> Study:
    """Return the game that an address holds, or that it names in the session."""
    code, has_decisions = asked.parameters["code"], bool(asked.text("decisions"))
    level = asked.number("conventions", 0, LEVELS, 0)
    wanted = ({"decisions": "1"} if has_decisions else {}) | (
        {"conventions": str(level)} if level else {}
    )
    entries = {k: v for k, v in asked.queried.items() if k not in _NOT_OF_THE_GAME}
    if code == _KEPT:  # only the session has it
        kept = asked.kept("review", Study, "review")
        return replace(kept, query=urlencode(wanted), has_decisions=has_decisions, level=level)
    if "," not in code:
        raise HTTPException(404)
    by = asked.choice("by", ("", *players_for(asked.desk.settings)), "")
    asked_for = ({"by": by} if by else {}) | wanted
    query, problem = urlencode(entries | asked_for), read_address(code, entries)
    return Study(problem, f"/review/{code}", query, by=by, has_decisions=has_decisions, level=level)


def _place(asked: Asked, study: Study, default: int = 0) -> tuple[int, tuple[Action, ...]]:
    """Return the position that a request names, and the moves tried from there."""
    at = asked.number("at", 0, _MOST_MOVES, default)
    text = asked.text("try", most=2_000)
    for code in filter(None, text.split(".")):
        if not (code.isascii() and code.isdigit()):
            raise InvalidInputError(f"try: {quote(code)} is no move")
    tried = tuple(Action.from_code(int(code)) for code in filter(None, text.split(".")))
    study.course(at, tried)
    return at, tried


# What the jobs of a game have found.


def _reviewed(asked: Asked, study: Study) -> Report | None:
    """Return the progress of a game's review, which begins when somebody first looks at it."""
    seconds = asked.desk.settings.solve_seconds
    try:
        return asked.share(
            ("review", study.key), ask_review, study.problem, seconds, seconds=4 * seconds
        )
    except SolverError:
        return None  # too many wait: the page asks again


def _reasoned(asked: Asked, study: Study) -> Report | None:
    """Return the progress of the reasons of the player that is said to have played, if any."""
    if not study.by:
        return None
    try:
        return asked.share(
            ("why", study.key, study.by), ask_reasons, study.problem, study.by,
            seconds=_REASON_SECONDS,
        )  # fmt: skip
    except SolverError:
        return None


def _decided(asked: Asked, study: Study, job: Report | None) -> Report | None:
    """Return the progress of the decisions, which are judged once the review is done."""
    if not study.has_decisions or job is None or job.state is not State.DONE:
        return None
    prospects = tuple(each for each in job.results if isinstance(each, Prospect))
    seconds = asked.desk.settings.solve_seconds
    key = ("decisions", study.key)
    try:
        return asked.share(
            key, ask_decisions, study.problem, prospects, seconds, seconds=4 * seconds
        )
    except SolverError:
        return None


def _noted(asked: Asked, study: Study) -> Report | None:
    """Return the progress of reading the moves by conventions, if that was asked for."""
    if not study.level or not study.problem.moves:
        return None
    key, seconds = ("conventions", study.key, study.level), asked.desk.settings.solve_seconds
    try:
        return asked.share(key, ask_conventions, study.problem, study.level, seconds=seconds)
    except SolverError:
        return None


def _known(job: Report | None, at: int) -> Prospect | None:
    found = [] if job is None else [each for each in job.results if isinstance(each, Prospect)]
    return found[at] if at < len(found) else None


def _valued(
    asked: Asked, study: Study, at: int, tried: tuple[Action, ...], game: Game
) -> Report | None:
    """Return the progress of the judgement of a position's actions."""
    if not game.can_act:
        return None
    known = None if tried else _known(_reviewed(asked, study), at)
    seconds = min(_VALUE_SECONDS, asked.desk.settings.solve_seconds)
    key = ("values", study.key, at, tried)
    try:
        return asked.share(key, ask_values, game, known, seconds, seconds=3 * seconds)
    except SolverError:
        return None


# The page.


def _review(asked: Asked) -> Response:
    if asked.parameters["code"] == "new":  # a form's address, loaded again
        return see_other("/review")
    return _shown(asked, _study(asked), {})


def _shown(asked: Asked, study: Study, notes: CardNotes, here: str = "") -> Response:
    """Return the page of a game; `here` is its address, if the browser came by a form."""
    job = _reviewed(asked, study)
    reasons, decided = _reasoned(asked, study), _decided(asked, study, job)
    noted = _noted(asked, study)
    show = replace(_told(study, job, reasons, decided, noted), card_notes=notes)
    is_asked = bool(asked.text("at"))
    at, tried = _place(asked, study, show.story.start or 0)
    standing = _standing(asked, study, at, tried, show)
    server = Server(
        path=study.path,
        query=study.query,
        at=at,
        is_asked=is_asked,
        is_open=_is_open(study, job, reasons, decided, noted),
        figure=standing,
        tried=asked.text("try", most=2_000),
        extra=_extra(study, at, players_for(asked.desk.settings)),
        here=here,
    )
    player = player_of(show, server)
    return render(
        "review.html",
        title=title_of(study.problem),
        player=Markup(player),  # noqa: S704 - made by the viewer, which escapes
    )


def _problem_of(job: Report) -> str:
    return job.problem if job.state is State.FAILED else ""


@lru_cache(maxsize=8)
def _drawn(study: Study) -> Show:
    """Return the show of a game before anything is known of it, with buttons for all actions."""
    problem = study.problem
    link, _ = find_link(replace(problem, at=len(problem.positions) - 1))
    return show_of_games(
        problem.positions,
        title=title_of(problem),
        names=problem.names,
        recorded=problem.recorded,
        link=link or "",
        below=lambda game: _buttons(game, {}, ""),
    )


def _is_open(
    study: Study,
    job: Report | None,
    reasons: Report | None,
    decided: Report | None,
    noted: Report | None,
) -> bool:
    """Whether more is to come: verdicts, reasons if a player is named, decisions if asked for."""
    if job is None or not job.is_over:
        return True
    is_thinking = bool(study.by) and (reasons is None or not reasons.is_over)
    is_thinking |= bool(study.level and study.problem.moves) and (
        noted is None or not noted.is_over
    )
    is_judging = study.has_decisions and job.state is State.DONE
    return is_thinking or (is_judging and (decided is None or not decided.is_over))


def _told(
    study: Study,
    job: Report | None,
    reasons: Report | None = None,
    decided: Report | None = None,
    noted: Report | None = None,
) -> Show:
    """Return the show of a game with all that is known of it by now."""
    show, problem = _drawn(study), study.problem
    if job is None:
        return replace(show, story=Story(html="Waiting for other questions …"))
    review, known = found_so_far(study, job, decided, noted)
    told_so_far = told_of_games(
        problem.positions,
        names=problem.names,
        review=review,
        recorded=problem.recorded,
        n_known=known,
    )
    frames = tuple(
        replace(
            step,
            picture=frame.picture,
            why=" ".join(filter(None, [step.why, _reason(study, n, reasons)])),
        )
        for n, (step, frame) in enumerate(zip(told_so_far.frames, show.frames, strict=True))
    )
    notes = [note] if (note := link_note(show.link)) else []
    if decided is not None and decided.is_over and not decided.results:
        notes.append(_problem_of(decided) or "There is no late move to judge a decision of.")
    if noted is not None and (failed := _problem_of(noted)):
        notes.append(f"No conventions: {failed}.")
    return replace(
        show,
        frames=frames,
        facts=(*told_so_far.facts, *notes),
        chart=told_so_far.chart,
        story=_story(told_so_far.story, job, known, len(problem.by_rules)),
    )


def _reason(study: Study, number: int, reasons: Report | None) -> str:
    """Return why the named player made a move, as HTML, or what is wrong with the question."""
    if reasons is None or not number:
        return ""
    if number <= len(reasons.results):
        before = study.problem.positions[number - 1]
        words = in_site_words(reasons.results[number - 1], before)
        return f"<em>{escape(study.by)}</em>: {escape(words)}." if words else ""
    return escape(_problem_of(reasons)) if number == 1 else ""


def _story(found: Story, job: Report, known: int, positions: int) -> Story:
    """Return the story of a game, or how far its review is."""
    if found.html:
        return found
    if job.is_over:
        return Story(html=escape(_problem_of(job)) or "Not all could be decided in time.")
    if job.state is State.WAITING:
        return Story(html="Waiting for other questions …")
    return Story(html=f"Judging the moves: {known} of {positions} …")


def _standing(asked: Asked, study: Study, at: int, tried: tuple[Action, ...], show: Show) -> str:
    """Return the figure that is shown without scripts, in a form whose buttons try actions."""
    course = study.course(at, tried)
    game = course[-1]
    job = _valued(asked, study, at, tried, game)
    values = {} if job is None else values_of(job)["values"]
    figure, own = _figure(study, at, tried, values, show, job)
    fields = [("at", str(at)), *parse_qsl(study.query, keep_blank_values=True)]
    hidden = "".join(
        f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">'
        for name, value in fields
    )
    inner = figure.replace("</figcaption>", f'</figcaption><form action="{study.path}">{hidden}', 1)
    return own + inner.replace("</figure>", "</form></figure>", 1)


def _figure(
    study: Study,
    at: int,
    tried: tuple[Action, ...],
    values: Mapping[str, Any],
    show: Show,
    job: Report | None,
) -> tuple[str, str]:
    """Return a position as a figure, and its definitions if it is not one of the game's."""
    course, names, sheet = study.course(at, tried), study.problem.names, Sheet()
    game, before = course[-1], course[-2] if len(course) > 1 else None
    start = ".".join(str(action.code) for action in tried)
    picture = board_of_game(
        game,
        sheet=sheet,
        names=names,
        before=before,
        below=lambda game: _buttons(game, values, start),
    )
    if not tried:
        return figure_of(replace(show.frames[at], picture=picture), at), ""
    words = "" if before is None else f"{names[before.seat_to_act]} "
    words += site_words(told(names, before, game)) if before is not None else ""
    found = _known(job, 0)
    why = "" if found is None else escape(judge(found, None, game))
    frame = Frame(picture=picture, words=words, status=status_of(game, names), why=why)
    return figure_of(frame, at, is_tried=True), f"<div data-own>{sheet.svg}</div>"


def _buttons(game: Game, values: Mapping[str, Any], start: str) -> list[str]:
    """Return the buttons below each hand: the actions of the seat to act, each with what it keeps.

    Without scripts they send the moves tried so far, `start`, and their own.
    """
    legal = game.legal_actions
    colors = clue_colors(game.rules)

    def button(action: Action, words: str, label: str) -> str:
        code = str(action.code)
        value = values.get(code, {})
        sent = f"{start}.{code}" if start else code
        keeps = " · ".join(filter(None, [value.get("kept"), value.get("chance")]))
        kind = ' class="hp-best"' if value.get("best") else ""
        kind = ' class="hp-worse"' if value.get("worse") else kind
        return (
            f'<button name="try" value="{sent}" data-action="{code}"{kind}'
            f' aria-label="{escape(label)}">{escape(words)}'
            f" <span data-value>{escape(keeps)}</span></button>"
        )

    below = []
    for seat, hand in enumerate(game.hands):
        if not legal:
            below.append("")
        elif seat == game.seat_to_act:
            columns = []
            for place in range(1, len(hand) + 1):
                slot = len(hand) - place
                mine = [
                    a for a in legal if a.kind in (Kind.PLAY, Kind.DISCARD) and a.target == slot
                ]
                columns.append(
                    "".join(
                        button(
                            a, str(a.kind).capitalize(), f"{str(a.kind).capitalize()} card {place}"
                        )
                        for a in mine
                    )
                )
            deck = "".join(
                button(a, str(a).capitalize(), str(a).capitalize()) for a in legal if a.is_from_deck
            )
            acts = "".join(f"<div>{column}</div>" for column in columns)
            below.append(
                f'<div class="hp-acts">{acts}</div>'
                + (f'<div class="hp-clues">{deck}</div>' if deck else "")
            )
        else:
            clues = "".join(
                button(a, hinted(a, colors), f"Clue {hinted(a, colors)} to player {seat + 1}")
                for a in legal
                if a.is_hint and a.target == seat
            )
            below.append(f'<div class="hp-clues">{clues}</div>' if clues else "")
    return below


def _extra(study: Study, at: int, players: Sequence[str]) -> str:
    """Return what the page has beside the moves: tools, links, and where the game is kept."""
    fields = "".join(
        f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">'
        for name, value in parse_qsl(study.query, keep_blank_values=True)
    )
    unwritten = (
        f'<p class="help" id="unwritten">The address cannot hold this game'
        f" ({escape(study.unwritten)}): it is kept in this session, for some hours.</p>"
        if study.unwritten
        else ""
    )
    judging = (
        ""
        if study.has_decisions or not study.problem.moves
        else f'<form method="get" action="{escape(study.path)}">{fields}'
        '<input type="hidden" name="decisions" value="1"><button>Judge decisions</button></form>'
    )
    others = "".join(
        f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">'
        for name, value in parse_qsl(study.query, keep_blank_values=True)
        if name != "by"
    )
    options = "".join(
        f'<option{" selected" * (name == study.by)} value="{escape(name)}">'
        f"{escape(name) or 'people'}</option>"
        for name in ("", *players)
    )
    declared = (
        f'<form method="get" action="{escape(study.path)}" class="row">{others}'
        f'<label for="by">Played by</label><select id="by" name="by" data-sends>{options}</select>'
        "<noscript><button>Say why</button></noscript></form>"
        if not study.unwritten
        else ""
    )
    asked_before = "".join(
        f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">'
        for name, value in parse_qsl(study.query, keep_blank_values=True)
        if name != "conventions"
    )
    levels = "".join(
        f'<option{" selected" * (level == study.level)} value="{level}">'
        f"{f'level {level}' if level else 'none'}</option>"
        for level in range(LEVELS + 1)
    )
    if study.problem.moves:
        declared += (
            f'<form method="get" action="{escape(study.path)}" class="row">{asked_before}'
            '<label for="conventions">Conventions</label>'
            f'<select id="conventions" name="conventions" data-sends>{levels}</select>'
            "<noscript><button>Read</button></noscript></form>"
        )
        declared += _practising(study)
    save = study.address("/page")
    picture = escape(study.address("/board.svg", at=at))
    return (
        '<div class="hp-tools">'
        '<button type="button" data-follow hidden>Show the best line</button>'
        '<button type="button" data-copy>Copy link</button>'
        f'<a class="button" data-picture href="{picture}">Copy picture</a>'
        f'<form method="post" action="{escape(save)}" data-whole>{fields}'
        '<input type="hidden" name="notes" value="" data-notes-sent>'
        f"<button>Save as one page</button></form>{judging}"
        '<a class="button" id="another" href="/review">Another game</a></div>'
        f"{declared}{unwritten}"
    )


def _practising(study: Study) -> str:
    """Return the link to the positions of a game that practise conventions, if they cover it."""
    try:
        refuse_rules(study.problem.by_rules[0].rules, "hgroup", needs_plain_clues=True)
    except HanabiError:
        return ""
    if study.unwritten:
        return ""
    entries = parse_qsl(study.query, keep_blank_values=True)
    query = urlencode([each for each in entries if each[0] not in _NOT_OF_THE_GAME])
    game = f"{study.path.rpartition('/')[2]}?{query}".rstrip("?")
    address = "/practise?" + urlencode({"level": study.level or 1, "game": game})
    return (
        f'<p><a class="button" id="practise" href="{escape(address)}">'
        "Practise conventions with this game</a></p>"
    )


# What the script of the page asks for.


def _verdicts(asked: Asked) -> Response:
    """Return the parts of the page that change while verdicts come in."""
    study = _study(asked)
    job = _reviewed(asked, study)
    reasons, decided = _reasoned(asked, study), _decided(asked, study, job)
    noted = _noted(asked, study)
    is_open = _is_open(study, job, reasons, decided, noted)
    server = Server(path=study.path, query=study.query, is_open=is_open)
    told_so_far = _told(study, job, reasons, decided, noted)
    return HTMLResponse("".join(live_parts(told_so_far, server).values()))


def _values(asked: Asked) -> Response:
    """Return what each action of a position keeps, as JSON."""
    study = _study(asked)
    at, tried = _place(asked, study)
    game = study.course(at, tried)[-1]
    job = _valued(asked, study, at, tried, game)
    if job is None:
        found: dict[str, Any] = {"open": game.can_act, "values": {}, "line": "", "told": ""}
        if not game.can_act:
            found["told"] = judge(Prospect(game.score, game.score, ()), None, game)
        return JSONResponse(found)
    found = values_of(job)
    here = _known(job, 0)
    if tried and here is not None:
        before = _before(asked, study, at, tried)
        found["told"] = judge(here, before, game)
    return JSONResponse(found)


def _before(asked: Asked, study: Study, at: int, tried: tuple[Action, ...]) -> Prospect | None:
    """Return what was known of the position before the last move tried."""
    if len(tried) == 1:
        return _known(_reviewed(asked, study), at)
    return _known(asked.desk.shared.look(("values", study.key, at, tried[:-1])), 0)


def _step(asked: Asked) -> Response:
    """Return the figure of a position that is tried."""
    study = _study(asked)
    at, tried = _place(asked, study)
    job = asked.desk.shared.look(("values", study.key, at, tried))
    figure, own = _figure(study, at, tried, {}, _drawn(study), job)
    return HTMLResponse(own + figure)


def _board(asked: Asked) -> Response:
    """Return the picture of a position as a file."""
    study = _study(asked)
    course = study.course(*_place(asked, study))
    board = board_of(
        course[-1], names=study.problem.names, before=course[-2] if len(course) > 1 else None
    )
    svg = draw_board(board, layout="wide", standalone=True)
    headers = {"content-security-policy": PICTURE_POLICY}
    return Response(svg, media_type="image/svg+xml", headers=headers)


def _page(asked: Asked) -> Response:
    """Return the game as one page of HTML that needs no server, with verdicts and notes."""
    study = _study(asked)
    job = _reviewed(asked, study)
    problem, review = study.problem, None
    if job is not None and job.state is State.DONE and problem.moves:
        review, _ = found_so_far(study, job, _decided(asked, study, job), _noted(asked, study))
    notes, card_notes = _notes(asked, len(problem.positions))
    show = show_of_games(
        problem.positions,
        title=title_of(problem),
        names=problem.names,
        review=review,
        recorded=problem.recorded,
        link=_drawn(study).link,
        notes=notes,
        card_notes=card_notes,
    )
    headers = {"content-disposition": 'attachment; filename="hanabi-game.html"'}
    return PlainTextResponse(page_of(show), media_type="text/html", headers=headers)


def _notes(asked: Asked, positions: int) -> tuple[dict[int, str], CardNotes]:
    """Return the notes on moves and on cards that the browser sends; anything else is refused."""
    try:
        given: Any = load(asked.text("notes", most=_MOST_NOTES) or "{}")
        moves, cards = given.get("moves", {}), given.get("cards", {})
        notes = {int(place): str(text) for place, text in moves.items() if text}
        card_notes = {int(place): tuple(map(str, lines)) for place, lines in cards.items()}
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise InvalidInputError("notes: they cannot be read") from None
    return {place: text for place, text in notes.items() if 0 <= place < positions}, card_notes


def _alone(function: Callable[[Asked], Response]) -> Any:
    """Return the endpoint of a part of the page, whose errors are one line of text."""

    def refuse(_: Asked, problem: str) -> Response:
        return PlainTextResponse(f"{problem}\n")

    return answer(function, refuse)


ROUTES: Sequence[Route] = (
    Route("/review", answer(_new, _new)),
    Route("/review/new", answer(_start, _new), methods=["POST"]),
    Route("/review/{code}", answer(_review, _new)),
    Route("/review/{code}/verdicts", _alone(_verdicts)),
    Route("/review/{code}/values", _alone(_values)),
    Route("/review/{code}/step", _alone(_step)),
    Route("/review/{code}/board.svg", _alone(_board)),
    Route("/review/{code}/page", _alone(_page), methods=["POST"]),
)
