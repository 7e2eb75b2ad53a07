"""Solitaire: whether one player can play a stream of cards.

A short stream is answered in the address itself, with its windows as arcs.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.responses import Response
from starlette.routing import Route

from hanabi.ground import BudgetEndedError, Clock, InvalidInputError, SmallCard, draw_arcs
from hanabi.rules import SolitaireInput, parse_input
from hanabi.shell import (
    Answer,
    Asked,
    Question,
    SolitaireProblem,
    answer,
    answer_of,
    ask_solitaire,
    explain_answer,
    pose_solitaire,
    render,
    see_other,
)
from hanabi.shell import BoardPictures as Pictures
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.picture import boards_of, looks_of_instance, strip_of

__all__ = ["ROUTES"]

_MOST_TEXT = 40_000
_MOST_CARDS = 2_000
_MOST_HAND = 1_000
_MOST_SHOWN = 200
_EXAMPLE = "r2 y1 r1 y3 r3 y2 r2 y1"
_EXAMPLES = (
    ("A choice", _EXAMPLE, 1),
    ("Two wait at once", "r2 y2 r1 y1", 1),
    ("Three windows, one is enough", "r2 r1 r3 r2 r4 r3", 1),
)
_SHORT, _SHORT_HAND, _SHORT_SECONDS = 20, 5, 2.0  # cards, hand and time of a stream in an address


def _solitaire(asked: Asked, problem: str = "") -> Response:
    job = asked.report("solitaire")
    is_own = "stream" in asked.queried or bool(asked.text("new"))
    if job is None or is_own or (job.is_over and not job.results):
        problem = problem or (asked.lost if job is None or is_own else job.problem)
        return _new(asked, problem)
    if not job.results:
        return render(
            "wait.html",
            title="Solitaire",
            path="/solitaire",
            words="Looking for a play …",
            compiling=asked.desk.compiling("solitaire"),
        )
    found = job.results[0]
    return _show(asked, found, found.instance, problem)


def _new(asked: Asked, problem: str) -> Response:
    """Show a short stream in pictures, and the form for others below it."""
    try:
        stream = asked.text("stream", _EXAMPLE)
        hand = asked.number("places", 0, _SHORT_HAND, 1)
        lesson = _lesson(stream, hand, asked.number("at", 0, 10**6, 10**6))
    except InvalidInputError as error:
        problem = problem or str(error)
        lesson = _lesson(_EXAMPLE, 1, 10**6)
    return render(
        "solitaire_new.html",
        status=400 if problem and not asked.lost else 200,
        problem=problem,
        words={"cards": lesson.stream, "hand": str(lesson.hand)} | asked.words,
        lesson=lesson,
        hands=range(_SHORT_HAND),
        examples=[(name, _address(text, hand)) for name, text, hand in _EXAMPLES],
        sheet=lesson.sheet,
        news=lesson.news,
    )


@dataclass(frozen=True, slots=True)
class Lesson:
    """A short stream with its answer; `cards` leads to the streams with a card one place earlier.

    `hands` leads to the same stream with other hands.
    """

    stream: str
    hand: int
    found: Answer
    cards: tuple[tuple[str, Markup, str], ...]
    hands: tuple[tuple[int, str], ...]
    at: int
    last: int
    told: str
    board: Markup | None
    arcs: Markup
    sentences: tuple[str, ...]
    sheet: Markup
    news: str


def _address(stream: str, hand: int) -> str:
    return "/solitaire?" + urlencode({"stream": stream, "places": hand})


def _is_short(instance: Instance) -> bool:
    return 0 < instance.N <= _SHORT and instance.hand_size <= _SHORT_HAND


def _lesson(stream: str, hand: int, at: int) -> Lesson:
    instance = pose_solitaire(parse_input(stream), hand).instance
    if not _is_short(instance):
        raise InvalidInputError(f"{instance.N:,} cards: pictures are for 1 to {_SHORT}")
    posed = SolitaireProblem(instance)
    found = answer_of(posed, Question(most_cards=True, seconds=_SHORT_SECONDS))
    pictures, looks = Pictures(), looks_of_instance(instance)
    try:
        explained = explain_answer(found, clock=Clock(_SHORT_SECONDS))
        drawn = draw_arcs(
            explained.arcs(), title="The stream and its windows", sheet=pictures.shared
        )
        sentences = tuple(explained.sentences())
    except BudgetEndedError as error:
        drawn, sentences = "", (str(error),)
    names = _named(instance).split()
    cards = []
    for place, name in enumerate(names):
        rank, color = str(instance.values[place]), instance.colors[place]
        picture = pictures.small(SmallCard(look=looks(color), rank=rank))
        moved = names[:place] + names[place + 1 :]
        moved.insert(max(0, place - 1), name)
        cards.append((name, picture, _address(" ".join(moved), hand)))
    play = found.best_play
    last = 0 if play is None else len(play)
    shown = None if play is None else next(islice(boards_of(instance, play), min(at, last), None))
    stream = " ".join(names)
    return Lesson(
        stream=stream,
        hand=hand,
        found=found,
        cards=tuple(cards),
        hands=tuple((size, _address(stream, size)) for size in range(_SHORT_HAND)),
        at=min(at, last),
        last=last,
        told="" if shown is None else shown.last,
        board=None if shown is None else pictures.solitaire(shown),
        arcs=Markup(drawn),  # noqa: S704 - drawn here
        sentences=sentences,
        sheet=pictures.sheet,
        news=f"{found.status}: {found.reason}." if shown is None or at >= last else shown.last,
    )


def _start(asked: Asked) -> Response:
    text = asked.text("cards", most=_MOST_TEXT)
    hand = asked.number("hand", 0, _MOST_HAND, -1)
    given = parse_input(text)
    if isinstance(given, SolitaireInput) and given.hand_size is None and hand < 0:
        raise InvalidInputError("how large is the hand?")
    posed = pose_solitaire(given, None if hand < 0 else hand)
    if posed.instance.N > _MOST_CARDS:
        raise InvalidInputError(
            f"{posed.instance.N:,} cards: the page takes {_MOST_CARDS:,}; hanabi solve takes more"
        )
    if isinstance(given, SolitaireInput) and _is_short(posed.instance):
        return see_other(_address(_named(posed.instance), posed.instance.hand_size))
    seconds = asked.desk.settings.solve_seconds
    asked.work_out("solitaire", ask_solitaire, posed.instance, seconds, seconds=2 * seconds)
    return see_other("/solitaire")


def _named(instance: Instance) -> str:
    cards = zip(instance.colors, instance.values, strict=True)
    return " ".join(instance.card_name(color, value) for color, value in cards)


def _show(asked: Asked, found: Answer, instance: Instance, problem: str) -> Response:
    play, pictures = found.best_play, Pictures()
    last = 0 if play is None else len(play)
    at = min(asked.number("at", 0, 10**6, 0), last)
    board, news = None, ""
    if play is not None:
        shown = next(islice(boards_of(instance, play), at, None))
        board, news = pictures.solitaire(shown), shown.last
    stream = pictures.strip(strip_of(instance, last=_MOST_SHOWN), "The stream")
    return render(
        "solitaire.html",
        problem=problem,
        found=found,
        instance=instance,
        board=board,
        stream=stream,
        at=at,
        last=last,
        sheet=pictures.sheet,
        news=news,
    )


ROUTES = (
    Route("/solitaire", answer(_solitaire, _solitaire)),
    Route("/solitaire/new", answer(_start, _solitaire), methods=["POST"]),
)
