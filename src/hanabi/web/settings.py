"""What the page is run with."""

from __future__ import annotations

import os
from dataclasses import dataclass

__all__ = ["LOOPBACK_NAMES", "Settings"]

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
"""By what names a browser on this machine calls it."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Limits and names; the defaults are for one person or a few at one machine.

    Attributes
    ----------
    hosts
        Names by which the page may be called: a foreign name that points here is no way in.
    players
        Players of one's own that can be chosen beside those of the package.
    workers
        Processes that work out reviews and proofs.
    most_waiting
        Questions that wait for them; more are refused.
    most_visitors, most_seconds
        How many sessions are kept, and how long one that nobody uses is.
    most_bytes
        The longest request that is read.
    solve_seconds
        For one question.
    """

    hosts: tuple[str, ...] = LOOPBACK_NAMES
    players: tuple[str, ...] = ()
    workers: int = max(1, min(4, (os.cpu_count() or 2) - 1))
    most_waiting: int = 40
    most_visitors: int = 200
    most_seconds: float = 12 * 3600
    most_bytes: int = 1 << 20
    solve_seconds: float = 60.0
