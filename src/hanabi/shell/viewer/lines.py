"""What a page keeps beside a game: what each action is worth, and lines that are tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import Any

from hanabi.ground import InvalidInputError, Sheet
from hanabi.reviews import Review, score_words
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
from hanabi.shell.viewer.games import show_of_games, worth_of_actions
from hanabi.shell.viewer.html import Html
from hanabi.shell.viewer.page import Line, Show, button_of, buttons_of

__all__ = ["Place", "action_buttons", "line_of", "show_of_review"]

Place = tuple[int, tuple[Action, ...]]
"""A position: the number of moves of the game that lead there, and the moves tried after them."""


def action_buttons(
    game: Game,
    names: Sequence[str],
    values: Mapping[str, Any],
    start: str | None = None,
    *,
    played: Action | None = None,
) -> list[Html]:
    """Return the buttons below each hand: the actions of the seat to act, each with what it keeps.

    In a form they send the lines tried so far, `start`, and their own action. Without a server
    they are disabled, and the script enables those whose lines are in the page. The one that was
    `played` is marked.
    """
    legal, colors = game.legal_actions, clue_colors(game.rules)

    def button(action: Action, words: str, label: str) -> Html:
        code = str(action.code)
        value = values.get(code, {})
        worth = " · ".join(filter(None, [value.get("kept"), value.get("chance")]))
        is_kind = {
            "hp-played": action == played,
            "hp-worse": value.get("worse"),
            "hp-best": value.get("best"),
        }
        kind = " ".join(name for name, holds in is_kind.items() if holds)
        people = value.get("people", "")
        told = label + f": keeps {worth}" * bool(worth) + f", {people} of people" * bool(people)
        told += ", played" * (action == played)
        attributes = {"type": "button", "disabled": "", "title": value.get("words", "")}
        if start is not None:
            attributes = {"name": "try", "value": f"{start}{code}*"}
        attributes |= {"data-action": code, "data-label": label}
        attributes |= {"class": kind} if kind else {}
        shown, share = (each.replace(" %", "\N{NO-BREAK SPACE}%") for each in (worth, people))
        return button_of(words, shown, share, attributes | {"aria-label": told})

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
            others = [button(a, clue, f"Clue {names[seat]} {clue}") for a, clue in clues]
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
        What is known of positions beside those of the review: for each as in `worth_of_actions`,
        and a sentence about it as `told`.
    """
    games, names, sheet = problem.positions, names_of(problem.game.rules, problem.names), Sheet()
    known, lines = dict[Game, Mapping[str, Any]](), [*tried]
    if review is not None:
        late = {each.at: each for each in review.late}
        people = {each.move - 1: each.chances for each in review.people}
        for at, judged in ((move - 1, judged) for move, judged in review.judged):
            best, top, shares = review.prospects[at], games[at].rules.max_score, people.get(at)
            known[games[at]] = worth_of_actions(judged, best, late.get(at), top, shares)
        for at in [move - 1 for move, _ in review.lost[:1]]:
            best = review.prospects[at]
            lines.insert(0, (at, tuple(best.line or ())))
            for game in follow(games[at], best.line or ())[1:]:
                told = score_words(replace(best, line=None), None, game)
                known[game] = {"values": {}, "line": "", "told": told}
    known |= found or {}
    played = dict(zip(games, problem.moves, strict=False))

    def show(games: Sequence[Game], **more: Any) -> Show:
        made = show_of_games(games, title=title, names=names, sheet=sheet, below=below, **more)
        steps = zip(made.frames, games, strict=True)
        return replace(made, frames=tuple(replace(f, values=known.get(g)) for f, g in steps))

    def below(game: Game) -> list[Html]:
        values = known[game]["values"] if game in known else {}
        return action_buttons(game, names, values, played=played.get(game)) if values else []

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
