"""Practise: positions with one right action by the conventions, level by level.

The address holds level, seats, seed and number, or the game and the number of its position, and the
answer; so there is no session. Everything shown follows from what the seat to act sees.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from itertools import pairwise
from urllib.parse import parse_qsl, urlencode

from starlette.responses import Response
from starlette.routing import Route

from hanabi.conventions.conventions import LEVELS
from hanabi.conventions.practice import Exercise, convention_named, mark, practised
from hanabi.ground import HanabiError, InvalidInputError
from hanabi.rules import (
    Action,
    Game,
    GameProblem,
    Said,
    heard,
    names_of,
    on_site,
    refuse_rules,
    site,
)
from hanabi.shell import (
    SAMPLES,
    Asked,
    Match,
    address_of,
    answer,
    ask_exercise,
    ask_exercises,
    name_action,
    read_address,
    render,
    see_other,
)
from hanabi.shell import BoardPictures as Pictures
from hanabi.shell import capitalized as sentence

__all__ = ["ROUTES"]

_SEEDS = 10**9
_MOST_NUMBER = 10**6
_MOST_SEATS = 6
_SEATS = 3
_MOST_GAME = 10_000
_SECONDS = 60.0
_IN_ROW = 3
"""After so many right answers in a row, each at the first try, the next level is offered."""

Place = dict[str, int | str]


def _place(asked: Asked) -> Place:
    """Return which position an address names, and what came before it in the course."""
    level = asked.number("level", 1, LEVELS, 1)
    place: Place = {"level": level}
    if game := asked.text("game", most=_MOST_GAME):
        place["game"] = game
    else:
        place["seats"] = asked.number("seats", 2, _MOST_SEATS, _SEATS)
        place["seed"] = asked.number("seed", 0, 2**63 - 1)
        if name := asked.text("convention"):
            place["convention"] = convention_named(name, level).name
    place["number"] = asked.number("number", 0, _MOST_NUMBER, 0)
    place |= {name: n for name in ("row", "missed") if (n := asked.number(name, 0, 9999, 0))}
    return place


def _address(place: Place, **more: int | str) -> str:
    return "/practise?" + urlencode({k: v for k, v in (place | more).items() if v != ""})


def _practise(asked: Asked) -> Response:
    if not asked.text("seed").strip() and not asked.text("game", most=_MOST_GAME):
        asked.words["seed"] = str(secrets.randbelow(_SEEDS))
        return see_other(_address(_place(asked)))
    place = _place(asked)
    at = int(place["number"])
    if "game" in place:
        problem = _game(str(place["game"]))
        report = asked.share(
            ("practise", place["game"], place["level"]),
            ask_exercises, problem, int(place["level"]),
            seconds=_SECONDS,
        )  # fmt: skip
        is_waiting, found = not report.is_over, report.results[at:]
        without = (
            f"position {at} of the game: it has {len(report.results)} where one action is right"
        )
    else:
        level, seats, seed = (int(place[name]) for name in ("level", "seats", "seed"))
        convention = str(place.get("convention", ""))
        report = asked.share(
            ("practise", level, seats, seed, at, convention),
            ask_exercise, level, seed, at, seats, convention,
            seconds=_SECONDS,
        )  # fmt: skip
        is_waiting, found = not report.is_over, report.results
        without = "no position was found: try the next number"
    if is_waiting and not found:
        return render("practise_wait.html")
    if not found:
        raise InvalidInputError(report.problem or without)
    return _show(asked, place, *found[0])


def _game(text: str) -> GameProblem:
    """Return the game of an address of a review, its code and query."""
    code, _, query = text.partition("?")
    problem = read_address(code, dict(parse_qsl(query, keep_blank_values=True)))
    if not problem.moves:
        raise InvalidInputError("no moves: positions to practise come from a game")
    refuse_rules(problem.by_rules[0].rules, "hgroup", needs_plain_clues=True)
    return problem


def _games(asked: Asked) -> Iterator[tuple[str, str]]:
    """Yield games to take positions from, with their titles: the one just played, and examples."""
    match = asked.room("play", Match)
    if match is not None and match.is_over:
        try:
            code, query = address_of(match.problem)
        except HanabiError:
            pass  # the review says why it has no address
        else:
            yield f"{code}?{query}".rstrip("?"), "your last game"
    for sample in SAMPLES:
        yield sample.address.removeprefix("/review/"), f"“{sample.title}”"


def _sources(asked: Asked, place: Place) -> Iterator[tuple[str, str, bool]]:
    """Yield where positions may come from: a title, an address, and whether it is so now."""
    level = place["level"]
    yield "random deals", f"/practise?level={level}", "game" not in place
    games = {code: title for code, title in _games(asked) if _has_positions(code)}
    here = str(place.get("game", ""))
    if here and here not in games:
        games[here] = "a game"
    for code, title in games.items():
        yield title, _address({"level": level, "game": code}), code == here


def _has_positions(code: str) -> bool:
    """Whether the conventions cover a game."""
    try:
        return bool(_game(code))
    except HanabiError:
        return False


def _show(asked: Asked, place: Place, positions: tuple[Game, ...], found: Exercise) -> Response:
    view, pictures = found.view, Pictures()
    names = _game(str(place["game"])).names if "game" in place else names_of(view.rules, ())

    def words(said: Said) -> str:
        return sentence(said.to(site(names, view)))

    given, marked = asked.text("action"), None
    if given:
        action = _action(given)
        marked = mark(found, action)
    n_hints = asked.number("hints", 0, len(found.hints), 0)
    is_right = marked is not None and marked.is_right
    is_solved = bool(asked.text("solution")) or is_right
    row = int(place.get("row", 0))
    if is_right and not place.get("missed"):
        row += 1
    elif is_solved or n_hints or marked is not None:
        row = 0
        place["missed"] = 1
    fresh = {k: v for k, v in place.items() if k not in ("missed", "row")}
    start = fresh | {"number": 0}
    level = int(place["level"])
    following = fresh | {"number": int(place["number"]) + 1} | ({"row": row} if row else {})
    is_ready = row >= _IN_ROW and level < LEVELS and "game" not in place
    seen = [each.view(view.seat) for each in positions[-view.rules.seats - 1 :]]
    log = [(after.turn, on_site(names, before, after)) for before, after in pairwise(seen)]
    news = ""
    if marked is not None:
        news = f"{'Right' if marked.is_right else 'Not that'}: {words(marked.says)}"
    where = "of the game" if "game" in place else f"of seed {place['seed']}"
    return render(
        "practise.html",
        place=place,
        view=view,
        name=names[view.seat],
        board=pictures.board(
            view, names=names, before=seen[-2] if len(seen) > 1 else None, hands=False
        ),
        hands=pictures.hands(
            view, names=names, acts="nobody" if is_solved else "viewer", first=view.seat
        ),
        sheet=pictures.sheet,
        log=log[::-1],
        where=f"position {place['number']} {where}",
        answer_path="/practise/answer?" + urlencode(place),
        tried=name_action(view, action, names) if given else "",
        marked=marked,
        says="" if marked is None else words(marked.says),
        hints=[words(each) for each in found.hints[:n_hints]],
        solution=name_action(view, found.action, names) if is_solved else "",
        why=words(found.solution),
        convention=found.convention,
        rule=words(heard(found.convention.says)),
        row=row,
        levels=[
            (each, _address({k: v for k, v in start.items() if k != "convention"}, level=each))
            for each in range(1, LEVELS + 1)
        ],
        tables=[]
        if "game" in place
        else [(seats, _address(start, seats=seats)) for seats in range(2, _MOST_SEATS + 1)],
        is_chosen="game" in place or "convention" in place,
        sources=[*_sources(asked, place)],
        conventions=[]
        if "game" in place
        else [
            (name or "all", _address(start, convention=name), name == place.get("convention", ""))
            for name in ("", *(each.name for each in practised(level)))
        ],
        more_hints=_address(place, hints=n_hints + 1) if n_hints < len(found.hints) else "",
        give_up=_address(place, solution=1),
        following=_address(following),
        ahead=_address(start, level=level + 1, convention="") if is_ready else "",
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
