"""What compiled games say of a game that they cannot play."""

from __future__ import annotations

__all__ = ["UNTOLD"]

UNTOLD = -1
"""In place of an outcome: what the seats remember has parted, so it has to be played from views."""
