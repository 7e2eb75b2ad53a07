"""Pictures of answers and reviews."""

from __future__ import annotations

from contextlib import suppress

from hanabi.ground import BudgetEndedError, Clock, Scores, Strip, draw_arcs, draw_scores, draw_strip
from hanabi.reviews import Review
from hanabi.rules import GameProblem, strip_of_line
from hanabi.rules import svg_of as svg_of_game
from hanabi.shell.session.answer import Answer
from hanabi.shell.session.windows import explain_answer
from hanabi.solitaire import strip_of, strip_of_play

__all__ = ["scores_of", "svg_of"]

_MOST_SHOWN = 500
_MOST_IN_ARCS, _SECONDS = 100_000, 2.0  # of longer streams, and after this time, only the cards


def svg_of(shown: Answer | Review) -> str:
    """Return a stand-alone picture: an answer's line or play, or a review's best scores.

    A stream is shown with its windows, if that takes no more than two seconds. An answer without a
    line shows the position or cards asked about.

    >>> from hanabi import solve
    >>> solve("hand 1  r2 r1 y1 y2")._repr_svg_()[:5]
    '<svg '
    """
    if isinstance(shown, Review):
        return draw_scores(scores_of(shown), standalone=True)
    if isinstance(shown.subject, GameProblem) and shown.line is None:
        return svg_of_game(shown.subject.game)
    if shown.instance is not None and shown.instance.N <= _MOST_IN_ARCS:
        with suppress(BudgetEndedError):
            explained = explain_answer(shown, clock=Clock(_SECONDS))
            return draw_arcs(explained.arcs(), title=str(shown), standalone=True)
    return draw_strip(_strip(shown), title=str(shown), standalone=True)


def _strip(answer: Answer) -> Strip:
    if isinstance(answer.subject, GameProblem):
        games = answer.games[answer.subject.at :]
        return strip_of_line(games, answer.subject.names)
    if answer.instance is None:
        return Strip(groups=())
    if answer.play is None:
        return strip_of(answer.instance, last=_MOST_SHOWN)
    return strip_of_play(answer.instance, answer.play)


def scores_of(review: Review) -> Scores:
    """Return the best scores of a review by position, and the moves that lost points."""
    return Scores(
        bounds=tuple((each.lower, each.upper) for each in review.prospects),
        top=review.problem.positions[0].rules.max_score,
        lost=review.lost,
        errors=review.errors,
    )
