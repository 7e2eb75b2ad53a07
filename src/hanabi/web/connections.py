"""Connections of browsers: none of them can keep the page, or a place at it, for long."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["MOST_CONNECTIONS", "Connection"]

MOST_CONNECTIONS = 200
"""Beyond this, a new one takes the place of the one that has kept the page waiting longest."""

_SECONDS = 20.0
_MOST_AHEAD = 1 << 18  # bytes of requests that come before their turn: browsers send none


class Connection(H11Protocol):
    """A connection of uvicorn with a time limit for whatever it waits for.

    uvicorn waits for ever for the rest of a request, and for a browser to read the answer. Here
    each of them has 20 seconds; between them, while the page works an answer out, no time runs.
    """

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request; make room if there are too many connections."""
        super().connection_made(transport)
        self._wait()
        if len(self.connections) > MOST_CONNECTIONS:
            timers = {
                each: each._timer.when()
                for each in self.connections
                if isinstance(each, Connection) and each._timer is not None
            }
            min(timers, key=timers.__getitem__)._give_up()

    def data_received(self, data: bytes) -> None:
        """Read a part of a request; stop the time once all of it is there."""
        super().data_received(data)
        if len(self.conn.trailing_data[0]) > _MOST_AHEAD:
            self._give_up()
        elif not self._is_waiting:
            self._stop()

    def on_response_complete(self) -> None:
        """Give the browser time to read the rest of the answer and to send another request."""
        super().on_response_complete()
        self._wait()

    def pause_writing(self) -> None:
        """Wait for the browser to read."""
        super().pause_writing()
        self._wait()

    def resume_writing(self) -> None:
        """Go on, as it has read."""
        super().resume_writing()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the time."""
        super().connection_lost(exc)
        self._stop()

    @property
    def _is_waiting(self) -> bool:
        """Whether the browser has to send or to read something before the page can go on."""
        is_asked = self.conn.their_state not in (h11.IDLE, h11.SEND_BODY)
        return not is_asked or self.flow.write_paused or self.transport.is_closing()

    def _wait(self) -> None:
        """Give the browser its time from now on, if it is waited for."""
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
