"""`hanabi chances` prints what each action of a late position is worth."""

from __future__ import annotations

import re

from hanabi.cli.options import Count, Json, Seconds, Source, name_of, read_input, with_actions
from hanabi.cli.terminal import Screen, StyledCell, print_json
from hanabi.draws import Chances, Range
from hanabi.errors import counted, naming
from hanabi.game import Action, Game
from hanabi.game.telling import told
from hanabi.players.partners import SeatChances
from hanabi.session.chances import chances, first_late
from hanabi.session.game import GameProblem
from hanabi.session.problem import DEFAULT_SECONDS, Question, pose_position

__all__ = ["chances_command", "chances_document", "print_chances"]

# Chances of actions, as JSON and as text.


def chances_document(
    problem: GameProblem, at: int, found: Chances, partners: str | None
) -> dict[str, object]:
    """Return the documented JSON document."""
    game, played = problem.after(at), _played(problem, at)
    document: dict[str, object] = {
        "turn": at,
        "seat": game.seat_to_act,
        "player": problem.names[game.seat_to_act],
        "deck": game.deck_left,
        "partners": partners,
        "cases": found.cases,
        "exact": found.is_exact,
        "perfect": _bounds(found.perfect),
        "points": _bounds(found.points),
        "played": None if played is None else _encoded(played),
        "actions": [
            _encoded(each.action)
            | {
                "words": _words(problem, game, each.action, partners),
                "perfect": _bounds(each.perfect),
                "points": _bounds(each.points),
            }
            for each in found.actions
        ],
        "seconds": round(found.seconds, 6),
    }
    if isinstance(found, SeatChances):
        misread = [_encoded(action) for action in found.misread]
        document |= {"believed": found.is_believed, "misread": misread}
    return document


def print_chances(
    screen: Screen, problem: GameProblem, at: int, found: Chances, partners: str | None
) -> None:
    """Write a line for each action, best first; hints of equal worth share a line."""
    game, played = problem.after(at), _played(problem, at)
    who = problem.names[game.seat_to_act]
    screen.entry(
        "", f"After {counted(at, 'move')} {who} is to act. {_known(game, found, partners)}"
    )
    screen.line()
    rows: list[list[StyledCell]] = []
    for alike in found.ranked(merge_hints=partners is None):
        first = alike[0]
        words = _words(problem, game, first.action, partners)
        if len(alike) > 1:
            words = f"any of {len(alike)} hints"
        is_played = played in [each.action for each in alike]
        style = "bold green" if first.perfect.low == found.perfect.low else ""
        rows.append(
            [
                (words + "  (played)", "bold") if is_played else words,
                (_told(first.perfect, 100, "%"), style),
                _told(first.points, 1, ""),
            ]
        )
    screen.table(["", "all points", "expected score"], rows, left=(0, 1, 2))
    for note in _notes(found, played):
        screen.line()
        screen.entry("", note)


def _known(game: Game, found: Chances, partners: str | None) -> str:
    cards = counted(game.deck_left, "card")
    if partners is None:
        return f"All hands are open; {cards} to draw, in any of {found.cases:,} orders."
    return f"Others play as {partners}; {counted(found.cases, 'deal')} possible, {cards} to draw."


def _notes(found: Chances, played: Action | None) -> list[str]:
    notes = []
    if not found.is_exact:
        notes.append("The time is over: some numbers are known only by their bounds.")
    if isinstance(found, SeatChances):
        if not found.is_believed:
            notes.append("The others did not play like that: the deals agree with the hints alone.")
        if found.misread:
            left_out = counted(len(found.misread), "action")
            notes.append(f"Left out: {left_out} that the others would misread.")
    known = {each.action for each in found.actions}
    if played is not None and played in known and (cost := found.cost(played)):
        notes.append(f"The action played gave away {cost} of the chance of all points.")
    return notes


def _told(number: Range, scale: int, unit: str) -> str:
    """Return a number as a fraction with decimals, or its bounds."""
    if number.is_exact and number.low.denominator == 1:
        return f"{int(number.low * scale)}{unit}"
    if number.is_exact:
        return f"{number.low} = {float(number.low * scale):.4g}{unit}"
    return f"{float(number.low * scale):.4g} to {float(number.high * scale):.4g}{unit}"


def _words(problem: GameProblem, game: Game, action: Action, partners: str | None) -> str:
    """Return an action in words, without the card if the player cannot see it."""
    if partners is not None and not action.is_hint:
        return str(action)
    return told(problem.names, game, game.filled().apply(action))


def _played(problem: GameProblem, at: int) -> Action | None:
    return problem.moves[at] if at < len(problem.moves) else None


def _encoded(action: Action) -> dict[str, object]:
    return {"type": int(action.kind), "target": action.target, "value": action.value}


def _bounds(number: Range) -> dict[str, str]:
    return {"low": str(number.low), "high": str(number.high)}


def chances_command(
    game: Source,
    /,
    *,
    partners: str | None = None,
    actions: str | None = None,
    json: Json = False,
    time: Seconds = DEFAULT_SECONDS,
    memory: Count | None = None,
) -> int:
    """Show each action's chance of a perfect score and its expected score, as fractions.

    All hands are open, the order of the deck is unknown, and everybody plays on in the best way.
    With --partners the player to act sees what a player sees, and everybody plays on as it would.

    Parameters
    ----------
    game
        GAME@TURN: a game (in a file, a hanab.live replay link, a seed with --actions, or - for
        standard input) after so many moves; without a turn, once five cards are left to draw.
    partners
        The other players: convention, information, or your own that does not choose at random.
    actions
        What was played on a seed or deck: the second part of a replay link, or the JSON array.
    json
        Print one JSON document.
    time
        Seconds for everything. Default: 60; 0 for no limit. If they do not suffice, bounds are
        printed.
    memory
        Megabytes that the tables may use.
    """
    match = re.fullmatch(r"(.+)@([0-9]{1,9})", game, re.DOTALL)
    source, turn = (game, None) if match is None else (match[1], int(match[2]))
    given = read_input(source)
    if actions is not None:
        given = with_actions(given, actions)
    with naming(name_of(source)):
        problem = pose_position(given, Question())
        at = first_late(problem) if turn is None else turn
        problem.after(at)
        limit = None if memory is None else memory << 19  # for each of two tables
        found = chances(problem, at=at, partners=partners, seconds=time or None, memory=limit)
    if json:
        print_json(chances_document(problem, at, found, partners))
    else:
        print_chances(Screen(), problem, at, found, partners)
    return 0
