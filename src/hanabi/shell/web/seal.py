"""What a browser keeps for the server, and its person cannot read or change: sealed text."""

from __future__ import annotations

import hmac
import os
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from pathlib import Path

__all__ = ["Seal", "kept_secret"]

_NONCE, _BLOCK = 16, 32  # bytes
_OTHERS = 0o077


class Seal:
    """Encrypts and authenticates text, by HMAC-SHA256 as a stream cipher and as a tag over it.

    A sealed text shows how long it is, and nothing else.

    Parameters
    ----------
    secret
        The key; who knows it can read and make sealed text.

    >>> seal = Seal(b"a key")
    >>> token = seal.close("seed 17")
    >>> seal.open(token), seal.open(token[:-4] + "AAAA"), Seal(b"another").open(token)
    ('seed 17', '', '')
    """

    def __init__(self, secret: bytes) -> None:
        self._cipher, self._tag = (hmac.digest(secret, use, "sha256") for use in (b"hide", b"tag"))

    def close(self, text: str) -> str:
        """Return text sealed, in letters, digits, "-" and "_", differently each time."""
        nonce = secrets.token_bytes(_NONCE)
        hidden = nonce + self._changed(text.encode(), nonce)
        tag = hmac.digest(self._tag, hidden, "sha256")
        return urlsafe_b64encode(hidden + tag).decode().rstrip("=")

    def open(self, token: str) -> str:
        """Return the text that was sealed, or "" if this was not sealed with the secret."""
        try:
            given = urlsafe_b64decode(token + "=" * (-len(token) % 4))
        except ValueError:
            return ""
        hidden, tag = given[:-_BLOCK], given[-_BLOCK:]
        if not hmac.compare_digest(tag, hmac.digest(self._tag, hidden, "sha256")):
            return ""
        return self._changed(hidden[_NONCE:], hidden[:_NONCE]).decode()

    def _changed(self, content: bytes, nonce: bytes) -> bytes:
        """Return content hidden, or hidden content as it was."""
        numbers = range(-(-len(content) // _BLOCK))
        blocks = (hmac.digest(self._cipher, nonce + n.to_bytes(4), "sha256") for n in numbers)
        return bytes(a ^ b for a, b in zip(content, b"".join(blocks), strict=False))


def kept_secret() -> bytes:
    """Return this user's secret, from a file that nobody else may read; it is made if need be.

    The file is `hanabi/page.key` in the user's folder of state, by the XDG standard.

    Raises
    ------
    OSError, RuntimeError
        If it cannot be read or made, or others may read it.
    """
    base = Path(os.environ.get("XDG_STATE_HOME", ""))
    folder = base if base.is_absolute() else Path("~/.local/state").expanduser()
    place = folder / "hanabi" / "page.key"
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        file = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        status = place.stat()
        if hasattr(os, "geteuid") and (status.st_uid != os.geteuid() or status.st_mode & _OTHERS):
            raise PermissionError(f"{place} belongs to others, or they may read it") from None
    else:
        with os.fdopen(file, "wb") as written:
            written.write(secrets.token_bytes(_BLOCK))
    secret = place.read_bytes()
    if len(secret) != _BLOCK:
        raise OSError(f"{place} is damaged: delete it")
    return secret
