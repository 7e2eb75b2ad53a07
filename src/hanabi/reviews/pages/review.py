"""Review: a game move by move, judged, at an address that holds it; and moves to try."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from hanabi.conventions import LEVELS
from hanabi.ground import (
    HanabiError,
    InvalidInputError,
    Report,
    Sheet,
    SolverError,
    State,
    draw_board,
    naming,
)
from hanabi.reviews.advice import ADVICE_SECONDS, Advice
from hanabi.reviews.remarks import Emphasis, score_words
from hanabi.rules import (
    Action,
    Game,
    GameProblem,
    GameRecord,
    board_of,
    find_link,
    link_note,
    load,
    on_site,
    parse_input,
    refuse_rules,
    site,
    stored_game,
)
from hanabi.shell import (
    CONVENTIONS,
    PICTURE_POLICY,
    SAMPLES,
    Asked,
    Frame,
    Html,
    Line,
    Match,
    Place,
    Server,
    Show,
    Story,
    Study,
    Tried,
    action_buttons,
    address_of,
    address_of_lines,
    answer,
    ask_advice,
    ask_conventions,
    ask_decisions,
    ask_people,
    ask_reasons,
    ask_review,
    ask_values,
    board_of_game,
    capitalized,
    card_notes_of,
    figure_of,
    found_so_far,
    head_of,
    line_of,
    lines_json,
    live_parts,
    markup,
    offered_player,
    page_of,
    player_of,
    players_for,
    read_address,
    read_game,
    read_lines,
    render,
    see_other,
    show_of_games,
    show_of_review,
    title_of,
    told_of_games,
    values_of,
)
from hanabi.solvers import Prospect

__all__ = ["ROUTES"]

_MOST_TEXT = 1 << 17
_MOST_MOVES = 10_000
_MOST_NOTES = 100_000
_MOST_TRIED = 2_000
_VALUE_SECONDS = 20.0
_KEPT = "kept"
"""The path of a game that only the session holds."""
_LINK_TO_TURN = re.compile(r"\S*hanab\.live/\S+#([0-9]{1,4})")
_NOT_OF_THE_GAME = ("at", "try", "notes", "by", "decisions", "conventions", "people")
_REASON_SECONDS = 300.0
_WAITING = "Waiting for other questions …"
_WORKING = "Working it out …"
_NONE_JUDGED = "No decision could be judged."


CardNotes = Mapping[int, Sequence[str]]
"""Notes on cards, by their places in the deck."""


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
    text = asked.text("file", most=_MOST_TEXT) or asked.text("game", most=_MOST_TEXT)
    if not text.strip():
        raise InvalidInputError("paste a game, or choose a file")
    limits, named = asked.desk.settings, _LINK_TO_TURN.fullmatch(text.strip())
    problem = read_game(text, most_cards=limits.most_cards, most_hand=limits.most_hand)
    record = parse_input(text) if text.lstrip().startswith("{") else None
    notes = card_notes_of(record.notes, problem.names) if isinstance(record, GameRecord) else {}
    return problem, None if named is None else max(0, int(named[1]) - 1), notes


def _study(asked: Asked) -> Study:
    """Return the game that an address holds, or that it names in the session."""
    code, has_decisions = asked.parameters["code"], bool(asked.text("decisions"))
    level, has_people = asked.number("conventions", 0, LEVELS, 0), bool(asked.text("people"))
    looks = {"decisions": has_decisions, "conventions": level, "people": has_people}
    wanted = {name: str(int(value)) for name, value in looks.items() if value}
    entries = {k: v for k, v in asked.queried.items() if k not in _NOT_OF_THE_GAME}
    if code == _KEPT:  # only the session has it
        kept = asked.kept("review", Study, "review")
        kept = replace(kept, query=urlencode(wanted), has_decisions=has_decisions, level=level)
        return replace(kept, has_people=has_people)
    if "," not in code:
        raise HTTPException(404)
    by = asked.text("by") and offered_player(asked.text("by"), players_for(asked.desk.settings))
    asked_for = ({"by": by} if by else {}) | wanted
    query, problem = urlencode(entries | asked_for), read_address(code, entries)
    return Study(problem, f"/review/{code}", query, "", by, has_decisions, level, has_people)


def _tried(asked: Asked, study: Study) -> tuple[Tried, ...]:
    """Return the lines that a request names, all of them legal."""
    at = asked.number("at", 0, _MOST_MOVES) if asked.text("at") else None
    lines = read_lines(asked.text("try", most=_MOST_TRIED), at)
    for line in lines:
        with naming(f"try: {line.at}"):
            study.course(line.at, line.moves)
    return lines


def _place(asked: Asked, study: Study, default: int = 0) -> Place:
    """Return the position that a request names, and the moves tried from there."""
    shown = next((line for line in _tried(asked, study) if line.shown), None)
    if shown is not None:
        return shown.at, shown.moves[: shown.shown]
    at = asked.number("at", 0, _MOST_MOVES, default)
    study.problem.after(at)
    return at, ()


def _lines(asked: Asked, study: Study) -> list[Line]:
    """Return the lines that a request names, with their words."""
    names = study.problem.names
    return [
        line_of(study.course(line.at, line.moves), line.at, names, shown=line.shown)
        for line in _tried(asked, study)
    ]


# What the jobs of a game have found.


@dataclass(frozen=True, slots=True)
class Jobs:
    """The jobs of a game as they stand: None if it is not asked for, or if too many wait.

    `is_open` tells whether more is to come.
    """

    review: Report | None
    reasons: Report | None
    decided: Report | None
    noted: Report | None
    people: Report | None
    is_open: bool


def _share(
    asked: Asked,
    key: Hashable,
    ask: Callable[..., None],
    *about: object,
    seconds: float,
    is_long: bool = False,
) -> Report | None:
    """Return the progress of a job, which begins when somebody first looks at it."""
    try:
        return asked.share(key, ask, *about, seconds=seconds, is_long=is_long)
    except SolverError:
        return None  # too many wait: the page asks again


def _reviewed(asked: Asked, study: Study) -> Report | None:
    seconds = asked.desk.settings.solve_seconds
    key = "review", study.key
    return _share(asked, key, ask_review, study.problem, seconds, seconds=4 * seconds)


def _jobs(asked: Asked, study: Study) -> Jobs:
    """Return the review of a game, and beside it what the address asks for.

    Decisions are judged once the review is done.
    """
    problem, seconds = study.problem, asked.desk.settings.solve_seconds
    job = _reviewed(asked, study)
    reasons = decided = noted = people = None
    wanted = [job]
    if study.by:
        team = (study.by,) * problem.game.rules.seats
        key: Hashable = "why", study.key, team
        reasons = _share(
            asked, key, ask_reasons, problem, team, seconds=_REASON_SECONDS, is_long=True
        )
        wanted.append(reasons)
    if study.has_decisions and job is not None and job.state is State.DONE:
        found = tuple(each for each in job.results if isinstance(each, Prospect))
        key = "decisions", study.key, study.by
        about = problem, found, study.by, seconds
        decided = _share(asked, key, ask_decisions, *about, seconds=4 * seconds, is_long=True)
        wanted.append(decided)
    if study.level and problem.moves:
        key = "conventions", study.key, study.level
        noted = _share(asked, key, ask_conventions, problem, study.level, seconds=seconds)
        wanted.append(noted)
    if study.has_people and problem.moves:
        people = _share(asked, ("people", study.key), ask_people, problem, seconds=seconds)
        wanted.append(people)
    is_open = any(each is None or not each.is_over for each in wanted)
    return Jobs(job, reasons, decided, noted, people, is_open)


def _key_of(study: Study, at: int, tried: tuple[Action, ...]) -> Hashable:
    """Return the key of the job that judges a position's actions."""
    return "values", study.key, study.has_people, at, tried


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
    about = game, known, seconds, study.has_people
    return _share(asked, _key_of(study, at, tried), ask_values, *about, seconds=3 * seconds)


# The page.


def _review(asked: Asked) -> Response:
    if asked.parameters["code"] == "new":  # a form's address, loaded again
        return see_other("/review")
    return _shown(asked, _study(asked), {})


def _shown(asked: Asked, study: Study, notes: CardNotes, here: str = "") -> Response:
    """Return the page of a game; `here` is its address, if the browser came by a form."""
    jobs = _jobs(asked, study)
    show = replace(_told(study, jobs), card_notes=notes, lines=tuple(_lines(asked, study)))
    at, tried = _place(asked, study, show.story.start or 0)
    address, text = study.address("/advice"), asked.text("try", most=_MOST_TRIED)
    beside = markup("review_advice.html", address=address, at=at, tried=text)
    server = Server(
        path=study.path,
        query=study.query,
        at=at,
        is_asked=bool(asked.text("at")),
        is_open=jobs.is_open,
        figure=_standing(asked, study, at, tried, show),
        tried=address_of_lines(show.lines),
        extra=_extra(study, at, players_for(asked.desk.settings)),
        here=here,
        beside=beside if study.problem.moves else "",
    )
    player = player_of(show, server)
    return render("review.html", title=title_of(study.problem), player=player)


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
        below=lambda game: action_buttons(game, problem.names, {}, "", played=_played(study, game)),
    )


def _played(study: Study, game: Game) -> Action | None:
    """Return the move that was made next in a position of the game."""
    made = len(game.known_actions) - len(study.problem.positions[0].known_actions)
    return study.problem.moves[made] if made < len(study.problem.moves) else None


def _told(study: Study, jobs: Jobs) -> Show:
    """Return the show of a game with all that is known of it by now."""
    show, problem, job = _drawn(study), study.problem, jobs.review
    decided, noted, people = jobs.decided, jobs.noted, jobs.people
    if job is None:
        return replace(show, story=Story(text=_WAITING))
    review, known = found_so_far(study, job, decided, noted, people)
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
            why=(*step.why, *filter(None, [_reason(study, n, jobs.reasons)])),
        )
        for n, (step, frame) in enumerate(zip(told_so_far.frames, show.frames, strict=True))
    )
    notes = [note] if (note := link_note(show.link)) else []
    if noted is not None and (failed := _problem_of(noted)):
        notes.append(f"No conventions: {failed}.")
    if people is not None and (failed := _problem_of(people)):
        notes.append(f"{capitalized(failed)}.")
    return replace(
        show,
        frames=frames,
        facts=(*told_so_far.facts, *notes),
        chart=told_so_far.chart,
        story=replace(
            _story(told_so_far.story, job, known, len(problem.by_rules)),
            note=_decisions(told_so_far.story, decided) if study.has_decisions else "",
        ),
    )


def _decisions(found: Story, decided: Report | None) -> str:
    """Return what the judgement of decisions has found, and whether it goes on."""
    if decided is None or not decided.is_over:
        return f"Judging decisions … {found.note}".strip()
    return found.note or _problem_of(decided) or _NONE_JUDGED


def _reason(study: Study, number: int, reasons: Report | None) -> tuple[str, ...]:
    """Return why the named player made a move, or what is wrong with the question, in parts."""
    if reasons is None or not number:
        return ()
    if number <= len(reasons.results):
        words = reasons.results[number - 1]
        return (Emphasis(study.by), f": {words}.") if words else ()
    return (_problem_of(reasons),) if number == 1 else ()


def _story(found: Story, job: Report, known: int, positions: int) -> Story:
    """Return the story of a game, or how far its review is."""
    if found.text:
        return found
    if job.is_over:
        return replace(found, text=_problem_of(job) or "Not all could be decided in time.")
    if job.state is State.WAITING:
        return Story(text=_WAITING)
    return Story(text=f"Judging the moves: {known} of {positions} …")


def _standing(asked: Asked, study: Study, at: int, tried: tuple[Action, ...], show: Show) -> Html:
    """Return the figure that is shown without scripts, in a form whose buttons try actions."""
    game = study.course(at, tried)[-1]
    job = _valued(asked, study, at, tried, game)
    values = {} if job is None else values_of(job, game.rules.max_score)["values"]
    if not values and not tried:  # the review knows those before a mistake
        values = (show.frames[at].values or {}).get("values", {})
    return _figure(study, at, tried, values, show, job, is_form=True)


def _figure(
    study: Study,
    at: int,
    tried: tuple[Action, ...],
    values: Mapping[str, Any],
    show: Show,
    job: Report | None,
    *,
    is_form: bool = False,
) -> Html:
    """Return a position as a figure, with its definitions if it is not one of the game's."""
    course, names, sheet = study.course(at, tried), study.problem.names, Sheet()
    game, before = course[-1], course[-2] if len(course) > 1 else None
    here = Line(at=at, codes=tuple(str(action.code) for action in tried), words=())
    others = [line for line in show.lines if (line.at, line.codes) != (at, here.codes)]
    start = address_of_lines([*others, here]) + "." * bool(tried)
    picture: str = board_of_game(
        game,
        sheet=sheet,
        names=names,
        before=before,
        below=lambda game: action_buttons(
            game, names, values, start, played=None if tried else _played(study, game)
        ),
    )
    if is_form:
        fields = [("at", str(at)), *study.fields]
        picture = markup("review_form.html", path=study.path, fields=fields, picture=picture)
    if not tried:
        return figure_of(replace(show.frames[at], picture=picture), at)
    words = "" if before is None else on_site(names, before, game)
    found = _known(job, 0)
    why = () if found is None else ((score_words(found, None, game),),)
    frame = Frame(picture=picture, words=words, head=head_of(game, names), why=why)
    return figure_of(frame, at, is_tried=True, shared=sheet.svg)


def _extra(study: Study, at: int, players: Sequence[str]) -> Markup:
    """Return what the page has beside the moves: tools, links, and where the game is kept."""
    return markup(
        "review_tools.html",
        study=study,
        has_moves=bool(study.problem.moves),
        fields=study.fields,
        players=("", *players),
        levels=CONVENTIONS,
        practise=_practising(study) if study.problem.moves else "",
        at=at,
        save=study.address("/page"),
        picture=study.address("/board.svg", at=at),
    )


def _practising(study: Study) -> str:
    """Return the address where a game practises conventions, or "" if they do not cover it."""
    try:
        refuse_rules(study.problem.by_rules[0].rules, "hgroup", needs_plain_clues=True)
    except HanabiError:
        return ""
    if study.unwritten:
        return ""
    query = urlencode([each for each in study.fields if each[0] not in _NOT_OF_THE_GAME])
    game = f"{study.path.rpartition('/')[2]}?{query}".rstrip("?")
    return "/practise?" + urlencode({"level": study.level or 1, "game": game})


# What the script of the page asks for.


def _verdicts(asked: Asked) -> Response:
    """Return the parts of the page that change while verdicts come in."""
    study = _study(asked)
    jobs = _jobs(asked, study)
    server = Server(path=study.path, query=study.query, is_open=jobs.is_open)
    return HTMLResponse("".join(live_parts(_told(study, jobs), server).values()))


def _values(asked: Asked) -> Response:
    """Return what each action of a position keeps, as JSON."""
    study = _study(asked)
    at, tried = _place(asked, study)
    game = study.course(at, tried)[-1]
    job = _valued(asked, study, at, tried, game)
    if job is None:
        found: dict[str, Any] = {"open": game.can_act, "values": {}, "line": "", "told": ""}
        if not game.can_act:
            found["told"] = score_words(Prospect(game.score, game.score, ()), None, game)
        return JSONResponse(found)
    return JSONResponse(_found(asked, study, (at, tried), job))


def _found(asked: Asked, study: Study, place: Place, job: Report) -> dict[str, Any]:
    """Return what each action of a position keeps, and what the last move that was tried cost."""
    found, here = values_of(job, study.problem.game.rules.max_score), _known(job, 0)
    at, tried = place
    if tried and here is not None:
        before = _before(asked, study, at, tried)
        found["told"] = score_words(here, before, study.course(at, tried)[-1])
    return found


def _before(asked: Asked, study: Study, at: int, tried: tuple[Action, ...]) -> Prospect | None:
    """Return what was known of the position before the last move tried."""
    if len(tried) == 1:
        return _known(_reviewed(asked, study), at)
    return _known(asked.desk.shared.look(_key_of(study, at, tried[:-1])), 0)


def _step(asked: Asked) -> Response:
    """Return the figure of a position that is tried."""
    study = _study(asked)
    at, tried = _place(asked, study)
    job = asked.desk.shared.look(_key_of(study, at, tried))
    return HTMLResponse(_figure(study, at, tried, {}, _drawn(study), job))


def _words(asked: Asked) -> Response:
    """Return the words and links of the lines that are tried, as JSON."""
    return Response(lines_json(_lines(asked, _study(asked))), media_type="application/json")


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
    """Return the game as one page of HTML that needs no server, with what this page shows of it.

    These are the verdicts, notes, and lines that were tried, and of the positions that somebody
    looked at what each action keeps.
    """
    study = _study(asked)
    jobs, problem, review = _jobs(asked, study), study.problem, None
    if jobs.review is not None and jobs.review.state is State.DONE and problem.moves:
        review, _ = found_so_far(study, jobs.review, jobs.decided, jobs.noted, jobs.people)
    notes, card_notes = _notes(asked, len(problem.positions))
    tried = [(line.at, line.moves) for line in _tried(asked, study)]
    places: list[Place] = [(at, ()) for at in range(len(problem.positions))]
    places += [(at, moves[:n]) for at, moves in tried for n in range(1, len(moves) + 1)]
    looked = ((each, asked.desk.shared.look(_key_of(study, *each))) for each in places)
    show = show_of_review(
        problem,
        review,
        title=title_of(problem),
        link=_drawn(study).link,
        notes=notes,
        card_notes=card_notes,
        tried=tried,
        found={
            study.course(*place)[-1]: _found(asked, study, place, job)
            for place, job in looked
            if job is not None and job.state is State.DONE
        },
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


# What should have been done.


@dataclass(frozen=True, slots=True)
class Advising:
    """A position that advice was asked for, and what was found by now.

    Attributes
    ----------
    place
        The key of the game or of the line that is tried, and the number of moves made.
    found
        What `ask_advice` reported last; empty before.
    is_open
        Whether more is to come.
    problem
        Why there is no more, if something went wrong.
    """

    place: tuple[object, int]
    found: Mapping[str, Any]
    is_open: bool = True
    problem: str = ""

    def after(self, job: Report) -> Advising:
        """Return the same, with what a job has found."""
        found = job.results[-1] if job.results else self.found
        return replace(self, found=found, is_open=not job.is_over, problem=job.problem)


def _advised(asked: Asked) -> tuple[Study, int, dict[str, str]]:
    """Return the game, or the line that is tried in its place, and the number of moves made.

    The third one has the entries of the address that name the position.
    """
    study = _study(asked)
    at, tried = _place(asked, study)
    course = study.course(at, tried)
    if not course[-1].can_act:
        raise InvalidInputError("the game is over there: nobody can act")
    if tried:
        study = replace(study, problem=replace(study.problem, positions=course))
    texts = {name: asked.text(name, most=_MOST_TRIED) for name in ("at", "try")}
    return study, len(course) - 1, {name: text for name, text in texts.items() if text}


def _ask_advice(asked: Asked) -> Response:
    """Begin to work out what should have been done in a position."""
    study, at, places = _advised(asked)
    visitor = asked.enter()
    if (previous := visitor.jobs.pop("advice", None)) is not None:
        previous.cancel()
    seconds = min(ADVICE_SECONDS, asked.desk.settings.solve_seconds)
    about = study.problem, at, study.by, seconds
    asked.work_out("advice", ask_advice, *about, seconds=3 * seconds, is_long=True)
    visitor.rooms["advice"] = Advising((study.key, at), {})
    return see_other(study.address("/advice", **places))


def _advice(asked: Asked) -> Response:
    """Return the page of a position that advice was asked for, or one that asks for it."""
    study, at, places = _advised(asked)
    problem, game = study.problem, study.problem.after(at)
    asking = asked.room("advice", Advising)
    if asking is None or asking.place != (study.key, at):
        asking = Advising((study.key, at), {}, is_open=False)
    elif asking.is_open and (job := asked.report("advice")) is not None:
        asking = asking.after(job)
        asked.enter().rooms["advice"] = asking
        if not asking.is_open:
            asked.enter().jobs.pop("advice")
    found, readers, sheet = Advice(problem, at, **asking.found), site(problem.names, game), Sheet()
    heads, rows = ([], []) if found.is_empty else found.table(readers)
    before = problem.positions[at - 1] if at else None
    picture = board_of_game(game, sheet=sheet, names=problem.names, before=before)
    name, do = problem.names[game.seat_to_act], "have done" if at < len(problem.moves) else "do"
    return render(
        "advice.html",
        title=f"What should {name} {do} on turn {at + 1}?",
        problem=asking.problem,
        shared=Markup(sheet.svg),  # noqa: S704
        picture=picture,
        back=study.address("", **places),
        address=f"{study.path}/advice",
        query="?" * bool(study.query) + study.query,
        places=places.items(),
        is_open=asking.is_open,
        words="Better figures come …" if rows else _WORKING,
        spent=found.seconds,
        seconds=min(ADVICE_SECONDS, asked.desk.settings.solve_seconds),
        best="" if found.is_empty else found.best_words.to(readers),
        played=found.played_words.to(readers),
        heads=heads,
        rows=rows,
        means=found.means_words.to(readers),
    )


def _stop_advice(asked: Asked) -> Response:
    """End the work on a position, and keep what was found."""
    study, at, places = _advised(asked)
    asking, job = asked.room("advice", Advising), asked.report("advice")
    if asking is not None and asking.place == (study.key, at) and job is not None:
        asked.enter().jobs.pop("advice").cancel()
        asked.enter().rooms["advice"] = replace(asking.after(job), is_open=False)
    return see_other(study.address("/advice", **places))


def _alone(function: Callable[[Asked], Response]) -> Any:
    """Return the endpoint of a part of the page, whose errors are one line of text."""

    def refuse(_: Asked, problem: str) -> Response:
        return PlainTextResponse(f"{problem}\n")

    return answer(function, refuse)


ROUTES: Sequence[Route] = (
    Route("/review", answer(_new, _new)),
    Route("/review/new", answer(_start, _new), methods=["POST"]),
    Route("/review/{code}", answer(_review, _new)),
    Route("/review/{code}/advice", answer(_advice, _new)),
    Route("/review/{code}/advice", answer(_ask_advice, _new), methods=["POST"]),
    Route("/review/{code}/advice/stop", answer(_stop_advice, _new), methods=["POST"]),
    Route("/review/{code}/verdicts", _alone(_verdicts)),
    Route("/review/{code}/values", _alone(_values)),
    Route("/review/{code}/step", _alone(_step)),
    Route("/review/{code}/lines", _alone(_words)),
    Route("/review/{code}/board.svg", _alone(_board)),
    Route("/review/{code}/page", _alone(_page), methods=["POST"]),
)
