"""Checks of requests before any page sees them, and the headers of every response."""

from __future__ import annotations

from contextlib import suppress
from ipaddress import IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse

from hanabi.ground import quote
from hanabi.shell.web.settings import Settings

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["PAGE_POLICY", "PICTURE_POLICY", "Guard", "client_of"]

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Content security policy of pages: nothing from other sites, no inline script or style."""

PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
"""Content security policy of SVG files: their own style and nothing else."""

_HEADERS = {
    "content-security-policy": PAGE_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # with "no-referrer", forms would have a null origin
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
_SAFE = ("GET", "HEAD")
_OWN_SITES = ("same-origin", "none")
_CUSTOMER_BITS = 64  # of an IPv6 address; a customer has all addresses that begin with the same


class Guard:
    """Middleware that rejects foreign host names, cross-site requests, and overlong bodies."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, send_with_headers)
            return
        body = _Body(receive, self._settings.most_bytes)
        started = False

        async def watch(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            # After the limit the page only saw its body break off, so its response is dropped.
            if not body.is_too_long:
                await send_with_headers(message)

        with suppress(_TooLongError):
            await self._app(scope, body.receive, watch)
        if body.is_too_long and not started:
            await self._too_long()(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        name = _name_of(host)
        is_own = self._settings.has_own_addresses and name == _arrival(scope)
        if name not in self._settings.hosts and not is_own:
            return PlainTextResponse(f"no page for the host {quote(host)}\n", 421)
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if scope["method"] in _SAFE:
            # A link from another site opens. What is loaded without one (pictures, frames) would
            # only keep the server busy, as no other site may show it; so would what is fetched
            # ahead, where browsers do not say for which site. Those that say nothing of all this
            # are let in, and the limits of a client hold.
            is_foreign = site is not None and site not in _OWN_SITES
            if is_foreign and headers.get("sec-fetch-dest") != "document":
                return PlainTextResponse("this was loaded by another site: refused\n", 403)
            if "sec-purpose" in headers:
                return PlainTextResponse("this was fetched before it is opened: refused\n", 403)
        else:
            is_ours = origin == f"{scope['scheme']}://{host}" if origin is not None else True
            if not is_ours or (site is not None and site not in _OWN_SITES):
                return PlainTextResponse("this was sent by another site: refused\n", 403)
            if site is None and origin is None:
                return PlainTextResponse("no Origin says that this page sent it: refused\n", 403)
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit():
            return PlainTextResponse("the length of the request is no number\n", 400)
        return self._too_long() if int(length[:20]) > self._settings.most_bytes else None

    def _too_long(self) -> PlainTextResponse:
        most = self._settings.most_bytes
        close = {"connection": "close"}
        return PlainTextResponse(f"more than {most:,} bytes: too long\n", 413, headers=close)


class _TooLongError(Exception):
    """The body exceeds the limit."""


class _Body:
    """The body of a request, counted as it arrives, as its length need not be declared."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive, self._left = receive, most
        self.is_too_long = False

    async def receive(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._left -= len(message.get("body", b""))
            if self._left < 0:
                self.is_too_long = True
                raise _TooLongError
        return message


def client_of(scope: Scope) -> str:
    """Return the client that sent a request: an IPv4 address, or the network of an IPv6 address.

    >>> client_of({"client": ("192.0.2.7", 4711)}), client_of({"client": ("2001:db8::1:2", 4711)})
    ('192.0.2.7', '2001:db8::/64')
    """
    client = scope.get("client")
    name = str(client[0]) if client else ""
    try:
        address = ip_address(name.partition("%")[0])
    except ValueError:
        return name
    if isinstance(address, IPv6Address):
        mapped = address.ipv4_mapped
        if mapped is None:
            return str(ip_network((address, _CUSTOMER_BITS), strict=False))
        return str(mapped)
    return str(address)


def _arrival(scope: Scope) -> str | None:
    """Return this machine's address at which a request arrived, as a browser writes it."""
    server = scope.get("server")
    try:
        address = ip_address(server[0] if server else "")
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        mapped = address.ipv4_mapped
        return f"[{address}]" if mapped is None else str(mapped)
    return str(address)


def _name_of(host: str) -> str:
    """Return the name of a host without its port, or "" if it is not a valid host."""
    try:
        parts = urlsplit(f"//{host}")
        name = parts.hostname or ""
        is_plain = parts.path == "" and parts.username is None and not parts.query
    except ValueError:
        return ""
    if not is_plain:
        return ""
    return f"[{name}]" if ":" in name else name
