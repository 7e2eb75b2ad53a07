"""Review: a game move by move, with the scores still reachable, and moves to try."""

from __future__ import annotations

import re
from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from hanabi.errors import InvalidInputError, quote
from hanabi.game import Action, Game
from hanabi.game.figures import efficiency, pace
from hanabi.game.telling import ending, told
from hanabi.session.chances import Late, worst
from hanabi.session.game import GameProblem, find_link
from hanabi.web.boards import Pictures
from hanabi.web.desk import Asked, answer, render, said, see_other, sentence
from hanabi.web.match import Match
from hanabi.web.moves import read_game
from hanabi.web.pages.watch import Watched
from hanabi.web.questions import ask_prospect, ask_review
from hanabi.web.study import ChanceRow, Judgement, Study, chance_rows, judge, share
from hanabi.web.visitors import Visitor
from hanabi.winnable.timeline import Prospect
from hanabi.workers.workshop import Report, State

__all__ = ["ROUTES"]

_MOST_TEXT = 1 << 17
_MOST_NOTE = 2_000
_MOST_MOVES = 10_000
_TRIED = "review-tried-"
_LINK_TO_MOVE = re.compile(r"\S*hanab\.live/\S+#([0-9]{1,4})")


def _new(asked: Asked, problem: str = "") -> Response:
    return render("review_new.html", problem=problem or asked.lost, words=asked.words)


def _start(asked: Asked) -> Response:
    problem, at = _given(asked)
    seconds = asked.desk.settings.solve_seconds
    asked.work_out("review", ask_review, problem, seconds, seconds=4 * seconds)
    visitor = asked.enter()
    _drop_tried(visitor, 0)
    visitor.rooms["review"] = Study(problem)
    return see_other("/review" + (f"?at={min(at, len(problem.moves))}" if at is not None else ""))


def _given(asked: Asked) -> tuple[GameProblem, int | None]:
    """Return the game, from this session or pasted, and the move at which a link opens it."""
    if asked.text("from") == "play" and (match := asked.room("play", Match)) is not None:
        if not match.is_over:
            raise InvalidInputError("the game goes on: its cards are turned up when it is over")
        return match.problem, None
    watched = asked.room("watch", Watched)
    if asked.text("from") == "watch" and watched is not None and watched.problem is not None:
        return watched.problem, None
    text = asked.text("file", most=_MOST_TEXT) or asked.text("game", most=_MOST_TEXT)
    if not text.strip():
        raise InvalidInputError("paste a game, or choose a file")
    limits, named = asked.desk.settings, _LINK_TO_MOVE.fullmatch(text.strip())
    problem = read_game(text, most_cards=limits.most_cards, most_hand=limits.most_hand)
    return problem, None if named is None else int(named[1])


def _review(asked: Asked, problem: str = "") -> Response:
    study = asked.room("review", Study)
    if study is None or asked.text("new"):
        return _new(asked, problem)
    last = len(study.problem.moves)
    try:
        at, step = _place(asked, study)
    except InvalidInputError as error:
        at, step, problem = 0, 0, problem or str(error)
    return _show(asked, study, at, step, last, problem)


def _show(asked: Asked, study: Study, at: int, step: int, last: int, problem: str) -> Response:
    game, before, names = study.position(at, step), study.before(at, step), study.problem.names
    pictures = Pictures()
    course = study.course(at, step)
    link, no_link = find_link(_with(study, course))
    tried = [
        (n, names[course_before.seat_to_act], told(names, course_before, course_after))
        for n, (course_before, course_after) in enumerate(
            zip(study.course(study.at, 0)[-1:] + study.branch, study.branch, strict=False), start=1
        )
    ]
    figure = efficiency(course)
    return render(
        "review.html",
        problem=problem,
        study=study,
        game=game,
        at=at,
        step=step,
        last=last,
        steps=len(study.branch) if at == study.at else 0,
        names=names,
        board=pictures.board(game, names=names, before=before, hands=False),
        hands=pictures.hands(game, names=names, acts="anybody"),
        sheet=pictures.sheet,
        tried=tried,
        deck_actions=[each for each in game.legal_actions if each.is_from_deck],
        pace=pace(game),
        efficiency=None if figure is None else f"{float(figure):.2f}",
        strikes=game.rules.lives - game.lives,
        link=link,
        no_link=no_link,
        ending=_ending(study, game, at, step),
        unusual=study.problem.recorded.unusual,
        news=_headline(study, asked, at, step),
        **_verdicts(study, asked, at, step),
    )


def _ending(study: Study, game: Game, at: int, step: int) -> str:
    """Return how the game ended, if it has: by the rules, or as its record has it."""
    if not step and at == len(study.problem.moves):
        return study.problem.ending if study.problem.end else ""
    return ending(game) if game.is_over else ""


def _verdicts(study: Study, asked: Asked, at: int, step: int) -> dict[str, Any]:
    """Return the values of the part of the page that updates while the job runs."""
    job = _report(asked)
    found = _prospects(job)
    names, positions = study.problem.names, study.problem.positions
    cells, losses = [], []
    for place, game in enumerate(positions):
        before = _at(found, place - 1)
        judgement = judge(_at(found, place), before, game)
        cells.append((place, judgement))
        if judgement.cost:
            who = names[positions[place - 1].seat_to_act]
            words = told(names, positions[place - 1], game)
            losses.append((place, who, words, judgement.cost))
    shown = _known(study, asked, at, step)
    because = job.results[-1] if job.state is State.DONE else None
    top = positions[0].rules.max_score
    lost_at = next((n for n, each in enumerate(found) if each.upper < top), None)
    tried_job = asked.report(f"{_TRIED}{step}") if step else None
    return {
        "cells": cells,
        "losses": losses,
        "judgement": _judgement(study, asked, at, step),
        "line": _line_words(study, at, step, shown),
        "chances": _chance_rows(study, asked, at, step),
        "worst": _worst(study, job),
        "because": because,
        "lost_at": lost_at,
        "job": job,
        "is_open": not job.is_over or (tried_job is not None and not tried_job.is_over),
        "job_problem": job.problem or ("" if tried_job is None else tried_job.problem),
        "waiting": 0,
    }


def _line_words(study: Study, at: int, step: int, found: Prospect | None) -> list[str]:
    """Return the line with the best score from a position, in words."""
    if found is None or not found.line:
        return []
    names, game, words = study.problem.names, study.position(at, step), []
    for action in found.line:
        after = game.apply(action)
        words.append(said(names[game.seat_to_act], told(names, game, after)))
        game = after
    return words


def _chance_rows(study: Study, asked: Asked, at: int, step: int) -> list[ChanceRow]:
    """Return a late position's actions with their chances of a perfect score, as far as known."""
    job = asked.report(f"{_TRIED}{step}") if step else _report(asked)
    late = [] if job is None else [each for each in job.results if isinstance(each, Late)]
    found = next((each for each in late if step or each.at == at), None)
    if found is None:
        return []
    game, names = study.position(at, step), study.problem.names
    return chance_rows(game, names, found.chances, None if step else found.played)


def _worst(study: Study, job: Report) -> tuple[int, str, str, str] | None:
    """Return the costliest late move: its number, the player, the move in words, and its cost."""
    found = worst([each for each in job.results if isinstance(each, Late)])
    if found is None:
        return None
    before, game = study.problem.positions[found.at : found.at + 2]
    who = study.problem.names[before.seat_to_act]
    return found.at + 1, who, told(study.problem.names, before, game), share(found.cost)


def _judgement(study: Study, asked: Asked, at: int, step: int) -> Judgement:
    shown = _known(study, asked, at, step)
    before = _known(study, asked, at, step - 1) if step else None
    if not step and at:
        before = _known(study, asked, at - 1, 0)
    return judge(shown, before, study.position(at, step))


def _known(study: Study, asked: Asked, at: int, step: int) -> Prospect | None:
    """Return the scores reachable from a position, if known yet."""
    if not step:
        return _at(_prospects(_report(asked)), at)
    if step in study.known:
        return study.known[step]
    job = asked.report(f"{_TRIED}{step}")
    return job.results[0] if job is not None and job.results else None


def _report(asked: Asked) -> Report:
    job = asked.report("review")
    if job is None:
        raise InvalidInputError("there is no review: begin one")
    return job


def _prospects(job: Report) -> list[Prospect]:
    return [each for each in job.results if isinstance(each, Prospect)]


def _at(found: list[Prospect], place: int) -> Prospect | None:
    return found[place] if 0 <= place < len(found) else None


def _headline(study: Study, asked: Asked, at: int, step: int) -> str:
    before, game = study.before(at, step), study.position(at, step)
    names = study.problem.names
    moved = "The deal."
    if before is not None:
        moved = said(names[before.seat_to_act], told(names, before, game)) + "."
    return f"{moved} {sentence(_judgement(study, asked, at, step).words)}."


def _with(study: Study, course: Any) -> Any:
    from dataclasses import replace

    return replace(study.problem, positions=course, at=len(course) - 1)


def _place(asked: Asked, study: Study) -> tuple[int, int]:
    last = len(study.problem.moves)
    at = asked.number("at", 0, _MOST_MOVES, last if not asked.words.get("at") else 0)
    step = asked.number("try", 0, _MOST_MOVES, 0)
    study.position(at, step)
    return at, step


def _verdict_part(asked: Asked) -> Response:
    study = _study(asked)
    at, step = _place(asked, study)
    values = _verdicts(study, asked, at, step)
    return render("review_verdicts.html", study=study, at=at, step=step, alone=True,
                  last=len(study.problem.moves), **values)  # fmt: skip


def _try(asked: Asked) -> Response:
    study, visitor = _study(asked), asked.enter()
    at, step = _place(asked, study)
    action = Action.from_code(asked.number("action", 0, 2**32))
    game = study.position(at, step)
    if action not in game.legal_actions:
        raise InvalidInputError(f"{quote(str(action))} cannot be done there")
    after = study.tried(at, step, action)
    before = _known(study, asked, at, step)
    seconds = asked.desk.settings.solve_seconds
    name = f"{_TRIED}{step + 1}"
    asked.work_out(name, ask_prospect, after.branch[-1], before, seconds, seconds=2 * seconds)
    _drop_tried(visitor, step + 2)
    visitor.rooms["review"] = after
    return see_other(f"/review?at={at}&try={step + 1}")


def _follow(asked: Asked) -> Response:
    """Try the line with the best score from a position."""
    study, visitor = _study(asked), asked.enter()
    at, step = _place(asked, study)
    found = _known(study, asked, at, step)
    if found is None or not found.line:
        raise InvalidInputError("no line is known from there yet")
    _drop_tried(visitor, step + 1)
    visitor.rooms["review"] = study.followed(at, step, found)
    return see_other(f"/review?at={at}&try={step + 1}")


def _note(asked: Asked) -> Response:
    study = _study(asked)
    at, _ = _place(asked, study)
    text = asked.text("note", most=_MOST_NOTE).strip()
    asked.enter().rooms["review"] = study.noted(at, text)
    return see_other(f"/review?at={at}")


def _cancel(asked: Asked) -> Response:
    """Cancel the jobs of the page."""
    study, visitor = _study(asked), asked.enter()
    at, step = _place(asked, study)
    visitor.jobs["review"].cancel()
    _drop_tried(visitor, 0)
    return see_other(f"/review?at={at}" + (f"&try={step}" if step else ""))


def _drop_tried(visitor: Visitor, first: int) -> None:
    """Cancel the jobs for the branch from a step on."""
    for name in [each for each in visitor.jobs if each.startswith(_TRIED)]:
        if int(name.removeprefix(_TRIED)) >= first:
            visitor.jobs.pop(name).cancel()


def _study(asked: Asked) -> Study:
    return asked.kept("review", Study, "review")


ROUTES = (
    Route("/review", answer(_review, _new)),
    Route("/review/verdicts", answer(_verdict_part, _review)),
    Route("/review/new", answer(_start, _new), methods=["POST"]),
    Route("/review/try", answer(_try, _review), methods=["POST"]),
    Route("/review/follow", answer(_follow, _review), methods=["POST"]),
    Route("/review/note", answer(_note, _review), methods=["POST"]),
    Route("/review/cancel", answer(_cancel, _review), methods=["POST"]),
)
