"""Practise: positions with one right action by the conventions, level by level.

The address holds level, seats, seed and number, and the answer; so there is no session. Everything
shown follows from what the seat to act sees.
"""

from __future__ import annotations

import secrets
from itertools import pairwise
from urllib.parse import urlencode

from starlette.responses import Response
from starlette.routing import Route

from hanabi.errors import InvalidInputError
from hanabi.game import Action, Game
from hanabi.game.picture import names_of
from hanabi.game.telling import told
from hanabi.players.hgroup.conventions import LEVELS
from hanabi.players.hgroup.practice import Exercise, mark
from hanabi.players.protocol import with_names
from hanabi.viewer.games import in_site_words
from hanabi.web.boards import Pictures, name_action
from hanabi.web.desk import Asked, answer, render, said, see_other, sentence
from hanabi.web.questions import ask_exercise

__all__ = ["ROUTES"]

_SEEDS = 10**9
_MOST_NUMBER = 10**6
_MOST_SEATS = 6
_SEATS = 3
_SECONDS = 60.0


def _place(asked: Asked) -> dict[str, int]:
    """Return which position an address names."""
    return {
        "level": asked.number("level", 1, LEVELS, 1),
        "seats": asked.number("seats", 2, _MOST_SEATS, _SEATS),
        "seed": asked.number("seed", 0, 2**63 - 1),
        "number": asked.number("number", 0, _MOST_NUMBER, 0),
    }


def _address(place: dict[str, int], **more: int) -> str:
    return "/practise?" + urlencode(place | more)


def _practise(asked: Asked) -> Response:
    if not asked.text("seed").strip():
        asked.words["seed"] = str(secrets.randbelow(_SEEDS))
        return see_other(_address(_place(asked)))
    place = _place(asked)
    level, seats, seed, number = place.values()
    report = asked.desk.shared.ask(
        ("practise", level, seats, seed, number),
        ask_exercise, level, seed, number, seats,
        seconds=_SECONDS,
    )  # fmt: skip
    if not report.is_over:
        return render("practise_wait.html", path=_address(place))
    if not report.results:
        raise InvalidInputError(report.problem or "no position was found: try the next number")
    positions, found = report.results[0]
    return _show(asked, place, positions, found)


def _show(
    asked: Asked, place: dict[str, int], positions: tuple[Game, ...], found: Exercise
) -> Response:
    view, pictures = found.view, Pictures()
    names = names_of(view.rules, ())

    def words(text: str) -> str:
        return sentence(in_site_words(with_names(text, names), view))

    given, marked = asked.text("action"), None
    if given:
        action = _action(given)
        marked = mark(found, action)
    n_hints = asked.number("hints", 0, len(found.hints), 0)
    is_solved = bool(asked.text("solution")) or (marked is not None and marked.is_right)
    seen = [each.view(view.seat) for each in positions[-view.rules.seats - 1 :]]
    log = [
        (after.turn, said(names[before.seat_to_act], told(names, before, after)))
        for before, after in pairwise(seen)
    ]
    news = ""
    if marked is not None:
        news = f"{'Right' if marked.is_right else 'Not that'}: {words(marked.says)}"
    return render(
        "practise.html",
        place=place,
        view=view,
        name=names[view.seat],
        board=pictures.board(
            view, names=names, before=seen[-2] if len(seen) > 1 else None, hands=False
        ),
        hands=pictures.hands(view, names=names, acts="nobody" if is_solved else "viewer"),
        sheet=pictures.sheet,
        log=log[::-1],
        answer_path="/practise/answer?" + urlencode(place),
        tried=name_action(view, action, names) if given else "",
        marked=marked,
        says="" if marked is None else words(marked.says),
        hints=[words(each) for each in found.hints[:n_hints]],
        solution=name_action(view, found.action, names) if is_solved else "",
        why=words(found.solution),
        convention=found.convention,
        levels=[
            (level, _address(place | {"level": level, "number": 0}))
            for level in range(1, LEVELS + 1)
        ],
        tables=[
            (seats, _address(place | {"seats": seats, "number": 0}))
            for seats in range(2, _MOST_SEATS + 1)
        ],
        more_hints=_address(place, hints=n_hints + 1) if n_hints < len(found.hints) else "",
        give_up=_address(place, solution=1),
        following=_address(place | {"number": place["number"] + 1}),
        news=news,
    )


def _action(text: str) -> Action:
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise InvalidInputError("action: this is no move")
    return Action.from_code(int(text))


def _answer(asked: Asked) -> Response:
    """Lead from a button under a card to the address of the answer."""
    action = _action(asked.text("action"))
    return see_other(_address(_place(asked), action=action.code))


def _refused(_: Asked, problem: str) -> Response:
    return render("problem.html", problem=problem)


ROUTES = (
    Route("/practise", answer(_practise, _refused)),
    Route("/practise/answer", answer(_answer, _refused), methods=["POST"]),
)
