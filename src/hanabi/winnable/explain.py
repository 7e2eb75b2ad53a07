"""A reason that a person can follow, from whichever argument has one."""

from __future__ import annotations

from hanabi.winnable.bounds import deadline_in, refute
from hanabi.winnable.last_round import MOST_STEPS, refute_distribution
from hanabi.winnable.position import Goal, Position
from hanabi.winnable.refutation import Refutation

__all__ = ["explain"]


def explain(
    position: Position, goal: Goal, *, most_steps: int = MOST_STEPS, seconds: float | None = None
) -> Refutation | None:
    """Return a proof to read that `goal` cannot be reached, or None if none was found.

    The shortest arguments come first: pace, then the merged hand, then who holds the last cards.
    Independent of the compiled solvers; None says nothing about whether the goal can be reached.

    Parameters
    ----------
    position, goal
        The question.
    most_steps
        See `refute_distribution`: bounds its cost to some seconds.
    seconds
        Time after which the answer is None.

    >>> from hanabi import DeckSpec
    >>> from hanabi.game import Rules
    >>> rules = Rules(spec=DeckSpec(((1, 1, 1),)), seats=2, hand_size=1)
    >>> for deck in [(1, 2, 3), (1, 3, 2)]:
    ...     position = Position.start(rules, [(0, rank) for rank in deck])
    ...     found = explain(position, (3,))
    ...     print(found and found.name)
    None
    bottom deck
    """
    deadline = deadline_in(seconds)
    found = refute(position, goal, seconds=seconds)
    if found is not None:
        return found
    left = deadline - deadline_in(0)
    return refute_distribution(position, goal, most_steps=most_steps, seconds=left)
