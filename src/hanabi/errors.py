"""Errors that `hanabi` raises.

An infeasible instance and an exhausted budget are results, never errors.
"""

from __future__ import annotations

__all__ = [
    "HanabiError",
    "IllegalActionError",
    "InvalidInputError",
    "SolverError",
    "StoreError",
    "quote",
]

_QUOTE_LENGTH = 48


class HanabiError(Exception):
    """Base of every error raised on purpose by this package."""


class InvalidInputError(HanabiError, ValueError):
    """Input that cannot be read; the message quotes it and says where it stands."""


class IllegalActionError(HanabiError):
    """A move or action that breaks a rule; the message names the first broken rule."""


class SolverError(HanabiError):
    """A solver asked to do what it does not do (for example `unique` with repeated cards)."""


class StoreError(HanabiError):
    """A file that is no store of results, or a store that cannot be read or written."""


def quote(value: object) -> str:
    """Return `value` as a short quotation fit for a one-line message.

    Long values are cut and marked with an ellipsis, control characters
    are escaped, so that a 10 MB line of garbage still gives one readable line.

    >>> quote("q7")
    "'q7'"
    >>> len(quote("x" * 10_000_000))
    53
    """
    # Cut before repr(): escaping ten million characters to show forty would be slow.
    if isinstance(value, str | bytes):
        text = repr(value[:_QUOTE_LENGTH])
        return text if len(value) <= _QUOTE_LENGTH else text + "..."
    text = repr(value)
    return text if len(text) <= _QUOTE_LENGTH else text[:_QUOTE_LENGTH] + "..."
