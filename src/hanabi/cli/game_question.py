"""What the command line says and asks of a full game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Dealing", "GameQuestion", "Preset"]

Preset = Literal["official", "multicolor", "bergh2016", "hanab_live", "hle"]


@dataclass(frozen=True, slots=True)
class Dealing:
    """What the command line says of the table; None leaves it to the input.

    Attributes
    ----------
    players
        Number of players.
    rules
        Name of a rule set.
    at
        Number of recorded moves after which to look at the game.
    """

    players: int | None = None
    rules: Preset | None = None
    at: int | None = None


@dataclass(frozen=True, slots=True)
class GameQuestion:
    """What is wanted, and within which limits.

    Attributes
    ----------
    best
        Whether the best score is wanted that can be reached.
    lost_at
        Whether the first move is wanted after which no line wins.
    seconds
        Time for everything together; 0 for no limit.
    memory
        Bytes that a solver may use, or None for its own choice.
    proof
        Whether a proof by SAT is wanted that no line wins.
    """

    best: bool = False
    lost_at: bool = False
    seconds: float = 60.0
    memory: int | None = None
    proof: bool = False
