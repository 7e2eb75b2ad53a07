"""How long a fuzzer goes on."""

from __future__ import annotations

import os

__all__ = ["rounds"]


def rounds(n: int) -> int:
    """Return `n`, times the number in HANABI_FUZZ, which `make fuzz` sets in the environment."""
    return n * int(os.environ.get("HANABI_FUZZ", "1"))
