"""How a game ends: why, and what the printed rules call its score."""

from __future__ import annotations

from enum import IntEnum, StrEnum

from hanabi.errors import InvalidInputError, quote

__all__ = ["EndReason", "Rating", "RecordedEnd", "rating"]


class EndReason(IntEnum):
    """Why a game is over; the numbers are those of `hanabi.game.kernels.rules`.

    OUT_OF_TURNS: the turns after the last drawn card are taken. STUCK: no further point can be
    scored, or under `all_or_nothing` and `speedrun` not all of them, and the rules stop there.
    NO_ACTION: the seat to act holds no card and cannot hint.

    >>> print(EndReason.OUT_OF_TURNS)
    out of turns
    """

    IN_PROGRESS = 0
    BOMBED = 1
    COMPLETED = 2
    OUT_OF_TURNS = 3
    STUCK = 4
    NO_ACTION = 5

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")


class RecordedEnd(IntEnum):
    """How a record says that its game was ended, other than by the rules: its score is then 0.

    The numbers are hanab.live's. ENDED stands for a record that does not say how.

    >>> print(RecordedEnd.TIMED_OUT)
    timed out
    """

    ENDED = 0
    TIMED_OUT = 3
    ENDED_BY_PLAYER = 4
    IDLE = 6
    ENDED_BY_VOTE = 10

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")


class Rating(StrEnum):
    """The printed scale for the quality of a show [Baffier2017, appendix A]."""

    BOOED = "booed"
    POOR = "poor"
    OK = "ok"
    GOOD = "good"
    VERY_GOOD = "very good"
    LEGENDARY = "legendary"


_LOWEST_SCORE = (
    (25, Rating.LEGENDARY),
    (21, Rating.VERY_GOOD),
    (16, Rating.GOOD),
    (11, Rating.OK),
    (6, Rating.POOR),
    (0, Rating.BOOED),
)


def rating(score: int) -> Rating:
    """Return the printed scale's word for a final score; from 25 points on it is the highest.

    Raises
    ------
    InvalidInputError
        If `score` is negative.

    >>> print(rating(24))
    very good
    """
    for lowest, word in _LOWEST_SCORE:
        if score >= lowest:
            return word
    raise InvalidInputError(f"score {quote(score)} is negative")
