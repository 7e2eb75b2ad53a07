"""`hanabi serve` opens the analysis board in the browser."""

from __future__ import annotations

import errno
import socket
import sys
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Annotated

from cyclopts import Parameter

from hanabi.ground import InvalidInputError, MissingPackageError, quote
from hanabi.players import PREFIX, parse_player
from hanabi.shell import Count, ProgressLine, complain

__all__ = ["serve_command"]

_LOOPBACK = "127.0.0.1"
_MOST_PORT = 65535
_ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}  # for examples alone


def serve_command(
    *,
    host: str = _LOOPBACK,
    port: Count = 8765,
    player: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    open: bool = False,  # noqa: A002 - what the option is called
) -> int:
    """Open the analysis board in the browser: play, review, watch.

    Serves it to browsers on this machine until interrupted.

    Parameters
    ----------
    host
        The address to listen on. By default only this machine can reach it. With another address of
        the machine, or 0.0.0.0 for all of them, anyone who can reach it can use the board.
    port
        The port. Default: 8765; 0 for any free port.
    player
        Offer your own player on the page, such as ./my_bot.py:MyPlayer. Repeat it for several.
    open
        Open the page in the browser.
    """
    try:
        import uvicorn

        from hanabi.front.commands.compile import compile_part
        from hanabi.front.site import make_app
        from hanabi.shell import (
            LOOPBACK_NAMES,
            MOST_CONNECTIONS,
            Connection,
            Settings,
            kept_secret,
        )  # fmt: skip
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "hanabi":
            raise
        raise MissingPackageError(f"hanabi serve needs {error.name}", extra="web") from None
    if port > _MOST_PORT:
        raise InvalidInputError(f"--port: {port} is more than {_MOST_PORT}")
    for each in player:
        if PREFIX in each:
            raise InvalidInputError(f"--player {quote(each)}: forms of the page start no programs")
        parse_player(each)
    with _listen(host, port) as listener:
        bound = ip_address(listener.getsockname()[0].partition("%")[0])
        loopback = _LOOPBACK if bound.version == 4 else "::1"
        name = _in_link(loopback if bound.is_unspecified else host)
        secret = b""
        try:
            secret = kept_secret()
        except (OSError, RuntimeError) as error:
            complain(f"note: games in progress will not survive a restart: {error}")
        settings = Settings(
            hosts=tuple(dict.fromkeys((*LOOPBACK_NAMES, name.lower()))),
            has_own_addresses=bound.is_unspecified,
            players=player,
            secret=secret,
        )
        _get_ready()
        config = uvicorn.Config(
            make_app(settings, compile_part=compile_part), http=Connection, ws="none",
            server_header=False,
            log_level="error",  # strangers can cause any number of messages below this level
            timeout_keep_alive=5, timeout_graceful_shutdown=2,
            limit_concurrency=2 * MOST_CONNECTIONS,
        )  # fmt: skip
        server = uvicorn.Server(config)
        at = listener.getsockname()[1]
        address = f"http://{name}:{at}/"
        sys.stdout.write(f"the analysis board is at {address}\n")
        if bound.is_unspecified:
            for own in map(str, _own_addresses(bound.version)):
                sys.stdout.write(f"for other machines it is at http://{_in_link(own)}:{at}/\n")
        sys.stdout.write("(Ctrl-C ends it)\n")
        sys.stdout.flush()
        if not bound.is_loopback:
            complain("note: other machines may reach it, and there is no password")
        if open:
            import webbrowser

            webbrowser.open(address)
        server.run(sockets=[listener])
    return 0


def _listen(host: str, port: int) -> socket.socket:
    """Return a listening socket, so that a port in use is reported at once."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen()  # a reader of the address may call at once
    except OSError as error:
        listener.close()
        hint = "; --port 0 takes any free one" if error.errno == errno.EADDRINUSE else ""
        raise InvalidInputError(
            f"cannot listen at {quote(host)}, port {port}: {error.strerror}{hint}"
        ) from None
    return listener


def _in_link(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _own_addresses(version: int) -> list[IPv4Address | IPv6Address]:
    """Return the known addresses by which others may reach this machine.

    They are those of its name, and the one it would send from; connecting sends nothing yet.
    """
    found = set()
    with suppress(OSError):
        found = {each[4][0] for each in socket.getaddrinfo(socket.gethostname(), None)}
    for kind, elsewhere in _ELSEWHERE.items():
        with suppress(OSError), socket.socket(kind, socket.SOCK_DGRAM) as way:
            way.connect((elsewhere, 9))
            found.add(way.getsockname()[0])
    numbers = {ip_address(str(each).partition("%")[0]) for each in found}
    known = (each for each in numbers if not (each.is_loopback or each.is_link_local))
    reached = (each for each in known if each.version <= version)  # by IPv6 come both
    return sorted(reached, key=lambda each: (each.version, int(each)))


def _get_ready() -> None:
    """Compile the rules of the game before the first page is asked for."""
    from hanabi.front.commands.compile import compile_part

    with ProgressLine() as progress:
        progress("getting ready ...")
        compile_part("game")
