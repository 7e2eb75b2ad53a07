"""`hanabi review` says what could still be had at every move of a game."""

from __future__ import annotations

from hanabi.cli.input.load import name_of, read_input
from hanabi.cli.input.options import Count, Json, Seconds, Source
from hanabi.cli.output.progress import ProgressLine
from hanabi.cli.output.review import print_review, review_document
from hanabi.cli.output.terminal import Screen, print_json
from hanabi.session.inputs import naming
from hanabi.session.problem import pose_position
from hanabi.session.question import DEFAULT_SECONDS, Question
from hanabi.session.review import review

__all__ = ["review_command"]


def review_command(
    game: Source,
    /,
    *,
    show: bool = False,
    json: Json = False,
    time: Seconds = DEFAULT_SECONDS,
    memory: Count | None = None,
) -> int:
    """Say what could still be scored at every move of a game, all cards face up.

    Names each move that lost points, by whom and how many, why the best score is out of reach, and
    gives a replay link with a line that still had it.

    Parameters
    ----------
    game
        A game in a file, a hanab.live replay link, or - for standard input.
    show
        Print every move with the best score after it, and the proof of the first loss.
    json
        Print one JSON document.
    time
        Seconds for everything, by default 60; 0 for no limit.
    memory
        Megabytes that a solver may use.
    """
    given = read_input(game)
    with naming(name_of(game)):
        problem = pose_position(given, Question())
        with ProgressLine() as progress:
            found = review(
                problem,
                seconds=time or None,
                memory=None if memory is None else memory << 20,
                progress=progress,
            )
    if json:
        print_json(review_document(found))
    else:
        print_review(Screen(), found, show=show)
    return 0
