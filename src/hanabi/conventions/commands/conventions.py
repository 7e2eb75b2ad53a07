"""`hanabi conventions` asks players about positions of the suite (docs/conventions-suite.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

from cyclopts import Parameter

from hanabi.conventions.conventions import LEVELS
from hanabi.conventions.player import HGroup
from hanabi.conventions.suite import (
    QUESTIONS,
    Position,
    Question,
    answer,
    difference,
    read_suite,
)  # fmt: skip
from hanabi.ground import InvalidInputError, Stream, quote
from hanabi.players import Own, Process, parse_player
from hanabi.rules import Action, Card, View
from hanabi.shell import Screen, options, print_json

__all__ = ["conventions_command"]

_HGROUP, _DIFFERENT = "hgroup", 1

_Checked = list[list[str] | None]
"""For each position its wrong answers; None if no question was answered."""


def conventions_command(
    action: str,
    /,
    *files: options.Source,
    players: Annotated[tuple[str, ...], Parameter(name="--player", negative=())] = (_HGROUP,),
    level: int | None = None,
    json: bool = False,
) -> int:
    """Ask players what cards may be, and what to do, in positions of conventions.

    Exit status 1 if an answer is not the suite's. See docs/conventions-suite.md.

    Parameters
    ----------
    action
        check: compare the answers with those of the suite.
    files
        Files of positions, one JSON document a line.
    players
        The player to ask, such as hgroup:level=5 or process:./my_bot; several are compared by
        level. hgroup without a level, the default, has every level.
    level
        Ask at this level alone. By default positions are asked at each level that they are for.
    json
        Print one JSON document with every position and its wrong answers.
    """
    if action != "check" or not files:
        raise InvalidInputError(f"{quote(action)}: say check, and then name files")
    if level is not None and not 1 <= level <= LEVELS:
        raise InvalidInputError(f"--level {level}: 1 to {LEVELS}")
    positions = [
        each
        for source in files
        for each in read_suite(options.read_text(source), options.name_of(source))
    ]
    found = {name: _check(positions, name, level) for name in players}
    if json:
        print_json(
            [
                {"player": name, "agree": agree, "disagree": disagree, "positions": [
                    {"position": each.where, "name": each.name, "level": each.convention.level,
                     "convention": each.convention.name, "wrong": wrong}
                    for each, wrong in zip(positions, checked, strict=True)
                ]}
                for name, checked in found.items()
                for agree, disagree in [_counts(checked)]
            ]
        )  # fmt: skip
    else:
        _print(Screen(), positions, found)
    return _DIFFERENT if any(map(any, found.values())) else 0


def _check(positions: Sequence[Position], name: str, level: int | None) -> _Checked:
    """Ask a player about each position, at each of its levels or at one."""
    player = parse_player(name)
    if isinstance(player, HGroup) and name != _HGROUP:
        if level not in (None, player.level):
            raise InvalidInputError(f"--level {level}: {quote(name)} has another one")
        level = player.level
    program = player.player if isinstance(player, Own) else None

    def ask(view: View, at: int, asked: Question) -> list[Card] | list[int] | Action | None:
        if isinstance(program, Process):
            return program.answer(view, at, asked.what, asked.card)
        if asked.what not in QUESTIONS:
            return (HGroup(at) if isinstance(player, HGroup) else player).act(view, Stream(0))
        is_ours = isinstance(player, HGroup)
        return answer(view, at, asked.what, asked.card) if is_ours else None

    checked: _Checked = []
    for position in positions:
        views = [position.game.view(seat) for seat in range(position.game.rules.seats)]
        wrong, is_answered = dict[str, list[int]](), False
        for at in range(1, LEVELS + 1) if level is None else (level,):
            for asked in position.questions:
                if at in asked.levels and (said := ask(views[asked.seat], at, asked)) is not None:
                    is_answered, told = True, difference(position, asked, said)
                    if told is not None:
                        wrong.setdefault(told, []).append(at)
        said_at = [f"level {', '.join(map(str, at))}: {told}" for told, at in wrong.items()]
        checked.append(said_at if is_answered else None)
    return checked


def _counts(checked: Iterable[list[str] | None]) -> tuple[int, int]:
    """Return how many of the positions that were answered agree, and how many do not."""
    answered = [bool(wrong) for wrong in checked if wrong is not None]
    return answered.count(False), answered.count(True)


def _print(screen: Screen, positions: Sequence[Position], found: dict[str, _Checked]) -> None:
    """Write a table by convention, or of several players by level; then the wrong answers."""
    is_one = len(found) == 1
    groups: dict[tuple[str, ...], list[int]] = {}
    for index, position in enumerate(positions):
        convention = position.convention
        key = str(convention.level), *[convention.name] * is_one
        groups.setdefault(key, []).append(index)
    groups["all", *[""] * is_one] = [*range(len(positions))]
    rows = []
    for key, group in groups.items():
        counts = [_counts(checked[index] for index in group) for checked in found.values()]
        cells = counts[0] if is_one else [f"{agree} of {agree + not_}" for agree, not_ in counts]
        rows.append([*key, str(len(group)), *map(str, cells)])
    names = ("agree", "disagree") if is_one else found
    screen.table(("level", *["convention"] * is_one, "positions", *names), rows, left=(is_one,))
    for name, checked in found.items():
        for position, wrong in zip(positions, checked, strict=True):
            for each in wrong or ():
                who = "" if is_one else f"{name}, "
                screen.line(f"{position.where}: {position.name}, {who}{each}")
