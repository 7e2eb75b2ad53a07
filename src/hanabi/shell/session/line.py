"""Lines of the full game that were written down, read back and checked."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hanabi.ground import IllegalActionError, InvalidInputError, ParameterError, naming, quote
from hanabi.rules import (
    HINTS,
    Game,
    GameProblem,
    GameRecord,
    RecordedAction,
    actions_from_json,
    as_integer,
    as_object,
    as_text,
    find_action,
    load,
    parse_link,
    show,
    terminal,
    words_of,
)
from hanabi.solitaire import BrokenRule

__all__ = [
    "GameLine",
    "find_broken",
    "find_certificate",
    "find_line",
    "game_of_answer",
    "games_of_line",
    "line_from_json",
]


@dataclass(frozen=True, slots=True)
class GameLine:
    """A line of the full game that claims to end with so many points, or None: all there are.

    It starts with the deal if it `is_whole`, as an answer of `hanabi solve` is; else with the
    position that is looked at.
    """

    actions: tuple[RecordedAction, ...]
    points: int | None = None
    is_whole: bool = False


def find_line(text: str) -> object:
    """Return the JSON of a line of the full game, or None if the text is something else.

    >>> find_line('[{"type": 0, "target": 1}]'), find_line('[[1, "play"]]')
    ([{'type': 0, 'target': 1}], None)
    """
    try:
        data = load(text)
    except InvalidInputError:  # the reader of the input reports it
        return None
    if isinstance(data, dict):
        return data if "actions" in data else None
    is_line = isinstance(data, list) and data and isinstance(data[0], dict)
    return data if is_line else None


def find_certificate(text: str) -> object:
    """Return the JSON of a certificate of Solitaire Hanabi, or None if the text is something else.

    >>> find_certificate('{"hand_size": 1, "most_left_out": 0, "steps": []}')["steps"]
    []
    """
    try:
        data = load(text)
    except InvalidInputError:  # the reader of the input reports it
        return None
    return data if isinstance(data, dict) and "steps" in data and "play" not in data else None


def line_from_json(data: object) -> GameLine:
    """Read an answer of `hanabi solve --json` that holds a line, or a bare list of actions.

    >>> line_from_json([{"type": 0, "target": 7}]).actions
    (RecordedAction(type=0, target=7, value=None),)
    """
    if not isinstance(data, dict):
        return GameLine(actions_from_json(data))
    status, points = data.get("status"), None
    if data.get("actions") is None:
        why = f" (its status is {quote(status)})" if isinstance(status, str) else ""
        raise ParameterError(f"actions: missing{why}; {{proof}} checks that there is no line")
    if status != "winnable" and "best" in data:
        best = as_object(data["best"], "best")
        points = as_integer(best.get("lower"), "best.lower")
    return GameLine(actions_from_json(data["actions"]), points, is_whole=True)


def find_broken(problem: GameProblem, line: GameLine) -> tuple[BrokenRule | None, int]:
    """Replay a line by the rules; return the first one that is broken, and the final score."""
    game = problem.positions[0] if line.is_whole else problem.game
    recorded = problem.moves[: problem.at] if line.is_whole else ()
    points = game.rules.max_score if line.points is None else line.points
    for number, action in enumerate(line.actions, start=1):
        try:
            chosen = find_action(game, action)
            after = game.apply(chosen)
        except (IllegalActionError, InvalidInputError) as error:
            return BrokenRule(number, words_of(error, terminal(problem.names, game))), game.score
        if number <= len(recorded) and chosen != recorded[number - 1]:
            told = f"the game went otherwise before move {problem.at}"
            return BrokenRule(number, told), game.score
        game = after
    told = "the line stops before the end of the game"
    if game.score < points:
        told = f"the line ends with {game.score} points, not {points}"
    elif game.is_over:
        return None, game.score
    return BrokenRule(len(line.actions), told), game.score


def games_of_line(problem: GameProblem, line: GameLine) -> tuple[Game, ...]:
    """Return the positions from the deal to the end of a line, wherever that ends.

    Raises IllegalActionError, InvalidInputError if a rule is broken, or there is no such action;
    says at which move.

    >>> from hanabi.rules import Rules
    >>> from hanabi.rules.problem import pose_game
    >>> rules = Rules.official(2)
    >>> problem = pose_game(Game.start(rules, rules.spec.shuffle(seed=1)))
    >>> games_of_line(problem, line_from_json([{"type": 0, "target": 4}]))[-1].turn
    1
    """
    games = list(problem.positions[: 1 if line.is_whole else problem.at + 1])
    for number, action in enumerate(line.actions, start=1):
        try:
            games.append(games[-1].apply(find_action(games[-1], action)))
        except (IllegalActionError, InvalidInputError) as error:
            told = words_of(error, terminal(problem.names, games[-1]))
            raise type(error)(f"move {number}: {told}") from None
    return tuple(games)


def game_of_answer(text: str, players: int | None) -> GameRecord | None:
    """Return the game in an answer of `hanabi solve`, or None if the text is something else.

    The answer's link tells the table and the deck; what was played is in its actions.
    """
    if not text.lstrip().startswith("{") or '"link"' not in text:
        return None
    data = load(text)
    if not isinstance(data, dict) or not {"status", "link"} <= data.keys():
        return None
    if data["link"] is None:
        raise InvalidInputError(f"this answer has no link (its status is {show(data['status'])})")
    with naming("link"):
        table = parse_link(as_text(data["link"], "link"))
    if players not in (None, table.players):
        raise ParameterError(f"{{players}} {players}: the answer is for {table.players} players")
    if "actions" not in data:
        raise InvalidInputError("actions: missing")
    actions = actions_from_json(data["actions"], table.players, len(table.deck), table.variant_data)
    # Answers write 0 for what plays and discards have not.
    bare = (each if each.type in HINTS else replace(each, value=None) for each in actions)
    return replace(table, actions=tuple(bare))
