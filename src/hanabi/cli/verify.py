"""`hanabi verify` decides whether a play wins."""

from __future__ import annotations

import json as json_module
import sys

from hanabi.cli.arguments import Count, Source
from hanabi.cli.load import STDIN, name_of, read_problem, read_text
from hanabi.cli.terminal import Screen
from hanabi.errors import InvalidInputError, counted
from hanabi.notation import parse_play
from hanabi.solitaire.play import Play, find_broken_rule

__all__ = ["verify_command"]

_BROKEN = 1


def verify_command(
    instance: Source,
    play: Source,
    /,
    *,
    hand_size: Count | None = None,
    json: bool = False,
) -> int:
    """Check that a play wins an instance of Solitaire Hanabi.

    Exits with 0 if it wins, and with 1 and the first broken rule if it does not.

    Parameters
    ----------
    instance
        A file, a hanab.live replay link, or - for standard input.
    play
        A JSON file, as printed by "hanabi solve --json", or - for standard input.
    hand_size
        The most cards in hand; by default what the instance says, or players x cards - 1.
    json
        Print one JSON document.
    """
    if instance == play == STDIN:
        raise InvalidInputError("only one of the two can be standard input")
    problem = read_problem(instance, hand_size=hand_size)
    moves = Play(parse_play(read_text(play), source=name_of(play)))
    broken = find_broken_rule(problem.instance, moves)
    if json:
        data: dict[str, object] = {"ok": broken is None}
        if broken is not None:
            data |= {"move": broken.move, "rule": broken.message}
        sys.stdout.write(json_module.dumps(data) + "\n")
    elif broken is None:
        goal = problem.instance.goal
        Screen().entry(
            "ok", f"the play wins with {goal:,} of {counted(goal, 'card')}", "bold green"
        )
    else:
        Screen().entry("not ok", str(broken), "bold red")
    return 0 if broken is None else _BROKEN
