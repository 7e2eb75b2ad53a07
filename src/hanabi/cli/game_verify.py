"""What `hanabi verify` says of an answer about the full game: the first rule that a line breaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hanabi.errors import IllegalActionError, InvalidInputError, quote
from hanabi.game.replay import find_action
from hanabi.notation import RecordedAction
from hanabi.notation.strict_json import as_array, as_integer, as_object, load
from hanabi.session.problem import GameProblem

__all__ = ["Broken", "GameLine", "find_broken", "is_game_line", "parse_game_line"]


@dataclass(frozen=True, slots=True)
class GameLine:
    """A line of the full game.

    Attributes
    ----------
    actions
        In hanab.live's encoding.
    points
        What it claims to end with; None: all there are.
    is_whole
        Whether it starts with the deal, as an answer of `hanabi solve` does; else with the
        position that is looked at.
    """

    actions: tuple[RecordedAction, ...]
    points: int | None
    is_whole: bool


class Broken(NamedTuple):
    """Where a line breaks a rule: the number of the move, from 1, and the rule."""

    move: int
    message: str


def is_game_line(text: str) -> bool:
    """Return whether a text is a line of the full game rather than a play of the solitaire.

    >>> is_game_line('{"actions": null}'), is_game_line('[{"type": 0, "target": 1}]')
    (True, True)
    >>> is_game_line('[[1, "play"]]')
    False
    """
    try:
        data = load(text)
    except InvalidInputError:  # told by who reads it
        return False
    if isinstance(data, dict):
        return "actions" in data
    return isinstance(data, list) and bool(data) and isinstance(data[0], dict)


def parse_game_line(text: str) -> GameLine:
    """Read an answer of `hanabi solve --json`, or a bare list of actions.

    Raises
    ------
    InvalidInputError
        If it is none, or holds no line.

    >>> parse_game_line('[{"type": 0, "target": 7}]').actions
    (RecordedAction(type=0, target=7, value=None),)
    """
    data, points = load(text), None
    is_whole = isinstance(data, dict)
    if isinstance(data, dict):
        status = data.get("status")
        if data.get("actions") is None:
            why = f" (its status is {quote(status)})" if isinstance(status, str) else ""
            raise InvalidInputError(f"actions: missing{why}; --proof checks that there is no line")
        if status != "winnable" and "best" in data:
            best = as_object(data["best"], "best")
            points = as_integer(best.get("lower"), "best.lower")
        data = data["actions"]
    return GameLine(tuple(map(_action, enumerate(as_array(data, "actions")))), points, is_whole)


def _action(numbered: tuple[int, object]) -> RecordedAction:
    index, item = numbered
    path = f"actions[{index}]"
    entry = as_object(item, path)
    kind = as_integer(entry.get("type"), f"{path}.type", 0, 3)
    target = as_integer(entry.get("target"), f"{path}.target")
    value = as_integer(entry.get("value"), f"{path}.value") if kind > 1 else None
    return RecordedAction(kind, target, value)


def find_broken(problem: GameProblem, line: GameLine) -> tuple[Broken | None, int]:
    """Replay a line by the rules; return the first one that is broken, and the final score."""
    game = problem.positions[0] if line.is_whole else problem.game
    recorded: Sequence[RecordedAction] = problem.moves[: problem.at] if line.is_whole else ()
    most = game.rules.max_score
    points = most if line.points is None else line.points
    for number, action in enumerate(line.actions, start=1):
        try:
            chosen = find_action(game, action)
            after = game.apply(chosen)
        except (IllegalActionError, InvalidInputError) as error:
            return Broken(number, str(error)), game.score
        if number <= len(recorded) and chosen != find_action(game, recorded[number - 1]):
            return Broken(number, f"the game went otherwise before move {problem.at}"), game.score
        game = after
    if game.score < points:
        told = f"the line ends with {game.score} points, not {points}"
        return Broken(len(line.actions), told), game.score
    if not game.is_over:
        return Broken(len(line.actions), "the line stops before the end of the game"), game.score
    return None, game.score
