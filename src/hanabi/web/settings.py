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
    has_own_addresses
        Whether it may also be called by the address at which a request arrives, whichever of the
        machine's addresses that is.
    players
        Players of one's own that can be chosen beside those of the package.
    workers
        Processes that work out reviews and proofs.
    most_waiting
        Questions that wait for them; more are refused.
    most_asked
        Questions of one session that wait for them.
    most_at_once
        Requests of one session that wait for each other.
    most_visitors, most_seconds
        How many sessions are kept, and how long one that nobody uses is.
    most_bytes
        The longest request that is read.
    most_cards, most_hand
        The largest deck and hand of a game that is read.
    solve_seconds
        For one question.
    """

    hosts: tuple[str, ...] = LOOPBACK_NAMES
    has_own_addresses: bool = False
    players: tuple[str, ...] = ()
    workers: int = max(1, min(4, (os.cpu_count() or 2) - 1))
    most_waiting: int = 40
    most_asked: int = 8
    most_at_once: int = 20
    most_visitors: int = 200
    most_seconds: float = 12 * 3600
    most_bytes: int = 1 << 20
    most_cards: int = 200
    most_hand: int = 20
    solve_seconds: float = 60.0
