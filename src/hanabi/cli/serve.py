"""`hanabi serve` opens the analysis board in the browser."""

from __future__ import annotations

import socket
import sys
from typing import Annotated

from cyclopts import Parameter

from hanabi.cli.input.options import Count
from hanabi.cli.output.progress import ProgressLine
from hanabi.cli.output.terminal import complain
from hanabi.errors import InvalidInputError, MissingPackageError, quote
from hanabi.players import parse_player

__all__ = ["serve_command"]

_LOOPBACK = "127.0.0.1"
_MOST_PORT = 65535


def serve_command(
    *,
    host: str = _LOOPBACK,
    port: Count = 8765,
    player: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    open: bool = False,  # noqa: A002 - what the option is called
) -> int:
    """Serve the analysis board to the browsers of this machine, until it is interrupted.

    Parameters
    ----------
    host
        Where to listen; by default this machine alone can reach it. Whoever reaches it can use it.
    port
        By default 8765; 0 for any that is free.
    player
        A player of your own to choose on the page, such as ./my_bot.py:MyPlayer; once for each.
    open
        Open the page in the browser.
    """
    try:
        import uvicorn

        from hanabi.web.app import make_app
        from hanabi.web.settings import LOOPBACK_NAMES, Settings
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "hanabi":
            raise
        raise MissingPackageError(f"hanabi serve needs {error.name}", extra="web") from None
    if port > _MOST_PORT:
        raise InvalidInputError(f"--port: {port} is more than {_MOST_PORT}")
    for each in player:
        parse_player(each)
    is_loopback = host in (_LOOPBACK, "localhost", "::1")
    name = f"[{host}]" if ":" in host else host
    settings = Settings(hosts=LOOPBACK_NAMES if is_loopback else (*LOOPBACK_NAMES, name.lower()),
                        players=player)  # fmt: skip
    with _listen(host, port) as listener:
        _get_ready()
        config = uvicorn.Config(
            make_app(settings), log_level="warning", server_header=False,
            timeout_keep_alive=5, timeout_graceful_shutdown=2, limit_concurrency=200,
        )  # fmt: skip
        server = uvicorn.Server(config)
        address = f"http://{name}:{listener.getsockname()[1]}/"
        sys.stdout.write(f"the analysis board is at {address}\n(Ctrl-C ends it)\n")
        sys.stdout.flush()
        if not is_loopback:
            complain("note: other machines may reach it, and there is no password")
        if open:
            import webbrowser

            webbrowser.open(address)
        server.run(sockets=[listener])
    return 0


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens, so that a port that is taken is told at once."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen()  # whoever reads the address may call at once
    except OSError as error:
        listener.close()
        raise InvalidInputError(
            f"cannot listen at {quote(host)}, port {port}: {error.strerror}"
        ) from None
    return listener


def _get_ready() -> None:
    """Compile the rules of the game before the first page is asked for."""
    from hanabi.session.ahead import compile_part

    with ProgressLine() as progress:
        progress("getting ready ...")
        compile_part("game")
