"""A reason that a person can follow, from whichever argument has one."""

from __future__ import annotations

from hanabi.winnable.bounds import Refutation, refute
from hanabi.winnable.last_round import refute_distribution
from hanabi.winnable.position import Goal, Position

__all__ = ["explain"]


def explain(position: Position, goal: Goal, *, most_steps: int = 3_000) -> Refutation | None:
    """Return a proof to read that `goal` cannot be reached, or None if none was found.

    The merged hand is tried first, then who holds the last cards. Independent of the compiled
    solvers; None says nothing about whether the goal can be reached.

    Parameters
    ----------
    position, goal
        The question.
    most_steps
        See `refute_distribution`: bounds its cost to some seconds.

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
    return refute(position, goal) or refute_distribution(position, goal, most_steps=most_steps)
