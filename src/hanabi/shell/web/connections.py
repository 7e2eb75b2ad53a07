"""Connections with time limits, so that no browser can block the server for long."""

from __future__ import annotations

import asyncio
from collections import Counter

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from hanabi.shell.web.security import client_of

__all__ = ["MOST_CONNECTIONS", "Connection"]

MOST_CONNECTIONS = 200
"""Beyond this, a new one replaces a connection that keeps the server waiting.

It is one of the client with the most connections, the one that has kept the server waiting longest.
"""

_SECONDS = 20.0
_MOST_AHEAD = 1 << 18  # bytes of pipelined requests; browsers send none


class Connection(H11Protocol):
    """A connection of uvicorn with a time limit for every wait.

    uvicorn waits forever for the rest of a request, and for a browser to read a response. Here
    each of these waits is limited to 20 seconds; the clock does not run while the server works on
    a response.
    """

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start to wait for a request; drop a connection if there are too many."""
        super().connection_made(transport)
        self._wait()
        if len(self.connections) > MOST_CONNECTIONS:
            all_of_them = [each for each in self.connections if isinstance(each, Connection)]
            owned = Counter(map(_client, all_of_them))
            timers = {
                each: (-owned[_client(each)], each._timer.when())
                for each in all_of_them
                if each._timer is not None
            }
            min(timers, key=timers.__getitem__)._give_up()

    def data_received(self, data: bytes) -> None:
        """Read a part of a request; stop the clock once the request is complete."""
        super().data_received(data)
        if len(self.conn.trailing_data[0]) > _MOST_AHEAD:
            self._give_up()
        elif not self._is_waiting:
            self._stop()

    def on_response_complete(self) -> None:
        """Wait for the browser to read the rest of the response and to send another request."""
        super().on_response_complete()
        self._wait()

    def pause_writing(self) -> None:
        """Wait for the browser to read."""
        super().pause_writing()
        self._wait()

    def resume_writing(self) -> None:
        """Continue, now that the browser has read."""
        super().resume_writing()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        super().connection_lost(exc)
        self._stop()

    @property
    def _is_waiting(self) -> bool:
        """Whether the browser must send or read something before the server can continue."""
        is_asked = self.conn.their_state not in (h11.IDLE, h11.SEND_BODY)
        return not is_asked or self.flow.write_paused or self.transport.is_closing()

    def _wait(self) -> None:
        """Restart the clock if the browser must act next."""
        self._stop()
        if self._is_waiting:
            self._timer = self.loop.call_later(_SECONDS, self._give_up)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self._stop()
        self.transport.abort()


def _client(connection: Connection) -> str:
    return client_of({"client": connection.client})
