"""What a page keeps beside a game: what each action is worth, and lines that are tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import Any

from hanabi.ground import InvalidInputError, Sheet
from hanabi.reviews import Best, Judged, Late, Review, action_words, percent, score_words
from hanabi.rules import (
    Action,
    Game,
    GameProblem,
    clue_colors,
    follow,
    hinted,
    link_of,
    names_of,
    on_site,
)
from hanabi.shell.viewer.games import show_of_games
from hanabi.shell.viewer.page import Html, Line, Show, button_of, buttons_of
from hanabi.solvers import Prospect

__all__ = ["Place", "action_buttons", "line_of", "show_of_review", "values_of_actions"]

Place = tuple[int, tuple[Action, ...]]
"""A position: the number of moves of the game that lead there, and the moves tried after them."""


def values_of_actions(
    judged: Sequence[Judged], found: Prospect | None, late: Late | None
) -> dict[str, Any]:
    """Return what each action of a position keeps, by its code, as the player's script reads it.

    An action is `best` if it keeps as much as any, and another one does not; `worse` if it keeps
    less. Open bounds are shown as such. `line` is the best line of the position, if one is known.
    """
    kept = [each.kept for each in judged]
    most = max((each.lower for each in (*kept, *([] if found is None else [found]))), default=0)
    is_mixed = any(each.upper < most for each in kept)
    values: dict[str, Any] = {}
    for each in judged:
        bounds = Best.of(each.kept)
        for action in each.actions:
            perfect = None if late is None else late.chances.of(action).perfect
            values[str(action.code)] = {
                "kept": f"{bounds}" if each.kept.is_exact else f"{bounds}?",
                "chance": percent(perfect) if perfect is not None and perfect.high else "",
                "best": is_mixed and each.kept.lower >= most,
                "worse": each.kept.upper < most,
                "words": action_words(bounds, perfect),
            }
    line = None if found is None else found.line
    return {"values": values, "line": ".".join(str(action.code) for action in line or ())}


def action_buttons(game: Game, values: Mapping[str, Any], start: str | None = None) -> list[Html]:
    """Return the buttons below each hand: the actions of the seat to act, each with what it keeps.

    In a form they send the lines tried so far, `start`, and their own action. Without a server
    they are disabled, and the script enables those whose lines are in the page.
    """
    legal, colors = game.legal_actions, clue_colors(game.rules)

    def button(action: Action, words: str, label: str) -> Html:
        code = str(action.code)
        value = values.get(code, {})
        worth = " · ".join(filter(None, [value.get("kept"), value.get("chance")]))
        kind = "hp-worse" if value.get("worse") else "hp-best" if value.get("best") else ""
        attributes = {"type": "button", "disabled": "", "title": value.get("words", "")}
        if start is not None:
            attributes = {"name": "try", "value": f"{start}{code}*"}
        attributes |= {"data-action": code} | ({"class": kind} if kind else {})
        return button_of(words, worth, attributes | {"aria-label": label})

    def own(cards: int, place: int) -> list[Html]:
        return [
            button(a, (verb := str(a.kind).capitalize()), f"{verb} card {place}")
            for a in legal
            if not (a.is_hint or a.is_from_deck) and a.target == cards - place
        ]

    below = []
    for seat, hand in enumerate(game.hands):
        columns: list[list[Html]] = []
        if legal and seat == game.seat_to_act:
            columns = [own(len(hand), place) for place in range(1, len(hand) + 1)]
            deck = ((a, str(a).capitalize()) for a in legal if a.is_from_deck)
            others = [button(a, words, words) for a, words in deck]
        else:
            clues = ((a, hinted(a, colors)) for a in legal if a.is_hint and a.target == seat)
            others = [button(a, clue, f"Clue {clue} to player {seat + 1}") for a, clue in clues]
        below.append(buttons_of(columns, others))
    return below


def line_of(course: Sequence[Game], at: int, names: Sequence[str], *, shown: int = 0) -> Line:
    """Return the moves of a course after position `at` as a line, of which `shown` are shown."""
    link = ""
    with suppress(InvalidInputError):  # hanab.live has no table for it
        link = link_of(course, names)
    return Line(
        at=at,
        codes=tuple(str(game.known_actions[-1].code) for game in course[at + 1 :]),
        words=tuple(on_site(names, *step) for step in pairwise(course[at:])),
        link=link,
        shown=shown,
    )


def show_of_review(
    problem: GameProblem,
    review: Review | None,
    *,
    title: str,
    link: str,
    notes: Mapping[int, str] | None = None,
    card_notes: Mapping[int, Sequence[str]] | None = None,
    tried: Sequence[Place] = (),
    found: Mapping[Game, Mapping[str, Any]] | None = None,
) -> Show:
    """Return a game as a show that needs no server, with what its review found.

    It keeps what each action is worth in the positions where that is known, the best line from
    before the first loss, and the lines that were tried.

    Parameters
    ----------
    found
        What is known of positions beside those of the review: for each as in `values_of_actions`,
        and a sentence about it as `told`.
    """
    games, names, sheet = problem.positions, names_of(problem.game.rules, problem.names), Sheet()
    known, lines = dict[Game, Mapping[str, Any]](), [*tried]
    if review is not None:
        late = {each.at: each for each in review.late}
        for at, judged in ((move - 1, judged) for move, judged in review.judged):
            known[games[at]] = values_of_actions(judged, review.prospects[at], late.get(at))
        for at in [move - 1 for move, _ in review.lost[:1]]:
            best = review.prospects[at]
            lines.insert(0, (at, tuple(best.line or ())))
            for game in follow(games[at], best.line or ())[1:]:
                told = score_words(replace(best, line=None), None, game)
                known[game] = {"values": {}, "line": "", "told": told}
    known |= found or {}

    def show(games: Sequence[Game], **more: Any) -> Show:
        made = show_of_games(games, title=title, names=names, sheet=sheet, below=below, **more)
        steps = zip(made.frames, games, strict=True)
        return replace(made, frames=tuple(replace(f, values=known.get(g)) for f, g in steps))

    def below(game: Game) -> list[Html]:
        values = known[game]["values"] if game in known else {}
        return action_buttons(game, values) if values else []

    whole = show(
        games,
        review=review,
        link=link,
        recorded=problem.recorded,
        notes=notes,
        card_notes=card_notes,
    )
    kept = []
    for at, moves in lines:
        steps = follow(games[at], moves)
        line = line_of((*games[:at], *steps), at, names)
        kept.append(replace(line, frames=show(steps).frames[1:]))
    return replace(whole, lines=tuple(kept), shared=sheet.svg)
