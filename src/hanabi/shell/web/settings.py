"""Settings of the server."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

__all__ = ["LOOPBACK_NAMES", "Settings"]

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
"""Names by which a browser on this machine can reach the server."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Limits and names; the defaults suit one person or a few on one machine.

    Clients are told apart by their addresses, see `hanabi.shell.web.security.client_of`. People who
    share an address, such as those in one home or school, are one client: they share its limits,
    and take turns. Behind a proxy everybody would be one; uvicorn reads their addresses from the
    proxy's X-Forwarded-For if the proxy is on this machine, or named by FORWARDED_ALLOW_IPS.

    Attributes
    ----------
    hosts
        Accepted host names; requests under any other name that points here are rejected.
    has_own_addresses
        Whether to accept, too, the address of this machine at which a request arrives, whichever of
        its addresses that is.
    players
        Your own players that can be chosen, beside those of the package.
    workers
        Processes that run jobs such as reviews and proofs; see `Workshop`.
    most_waiting
        Jobs that may wait for a process; more are rejected, or displace those of clients and
        sessions that have more of them.
    unread_seconds, crowded_seconds
        For how many seconds a job goes on that no page asks for any more, and for how many if other
        jobs wait. When a page asks again, it begins anew.
    most_asked
        Jobs of one session that may wait for a process.
    most_shared
        Reviews and judged positions that are kept for everybody who looks at the same game.
    most_at_once
        Requests of one session that may wait for each other.
    most_without_session
        Requests of one client for one page, without a session, that may wait for each other. A
        browser opens six connections to a server, and people may share an address.
    most_of_client, most_threads
        Requests that one client may have here, and how many of them are answered at the same time.
    most_visitors, most_seconds
        How many sessions are kept, and for how many seconds an unused one is. If there are too
        many, one ends that did little, of the client that has the most.
    most_bytes
        The size limit of a request.
    most_cards, most_hand
        The largest deck and hand that a game may have.
    solve_seconds
        Time limit for one job.
    secret
        A key for what browsers keep, so that games in progress survive a restart; empty: none do.
    """

    hosts: tuple[str, ...] = LOOPBACK_NAMES
    has_own_addresses: bool = False
    players: tuple[str, ...] = ()
    workers: int = max(1, min(4, (os.cpu_count() or 2) - 1))
    most_waiting: int = 40
    unread_seconds: float = 120.0
    crowded_seconds: float = 5.0
    most_asked: int = 8
    most_shared: int = 200
    most_at_once: int = 20
    most_without_session: int = 10
    most_of_client: int = 100
    most_threads: int = 4
    most_visitors: int = 200
    most_seconds: float = 12 * 3600
    most_bytes: int = 1 << 20
    most_cards: int = 200
    most_hand: int = 20
    solve_seconds: float = 60.0
    secret: bytes = field(default=b"", repr=False)
