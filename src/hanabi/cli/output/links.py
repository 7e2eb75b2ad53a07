"""Replay links of games that players have played, where hanab.live has such games."""

from __future__ import annotations

from hanabi.errors import InvalidInputError
from hanabi.session.game import GameProblem, link_of

__all__ = ["find_link"]


def find_link(problem: GameProblem) -> tuple[str | None, str]:
    """Return the link of a game up to its position, or None and why there is none."""
    try:
        return link_of(problem.positions[: problem.at + 1], problem.names), ""
    except InvalidInputError as error:
        return None, str(error)
