"""`hanabi chances` says what each action of a late position is worth."""

from __future__ import annotations

import re

from hanabi.cli.input.load import name_of, read_input, with_actions
from hanabi.cli.input.options import Count, Json, Seconds, Source
from hanabi.cli.output.chances import chances_document, print_chances
from hanabi.cli.output.terminal import Screen, print_json
from hanabi.session.chances import chances, first_late
from hanabi.session.inputs import naming
from hanabi.session.problem import pose_position
from hanabi.session.question import DEFAULT_SECONDS, Question

__all__ = ["chances_command"]


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
    """Say which chance of all points each action has, and its expected score, as fractions.

    All hands are open, the order of the deck is not known, and everybody plays on in the best way.
    With --partners the player to act sees what a player sees, and everybody goes on by that player.

    Parameters
    ----------
    game
        GAME@TURN: a game (in a file, a hanab.live replay link, a seed with --actions, or - for
        standard input) after so many moves; without a turn, from where five cards are to be drawn.
    partners
        Who the others are: convention, information, or your own that leaves nothing to chance.
    actions
        What was played on a seed or deck: the second part of a replay link, or the JSON array.
    json
        Print one JSON document.
    time
        Seconds for everything, by default 60; 0 for no limit. Where they do not suffice, bounds are
        given.
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
