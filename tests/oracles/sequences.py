"""SingleHanabi by its definition."""

from __future__ import annotations

from collections.abc import Sequence


def progress(sequence: Sequence[int]) -> int:
    """Return the largest m such that 1-2-...-m is a subsequence: what a greedy player reaches."""
    m = 0
    for value in sequence:
        m += value == m + 1
    return m
