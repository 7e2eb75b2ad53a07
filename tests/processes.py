"""Watching other processes from the tests."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

# For tests that look for processes in /proc.
only_on_linux = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="looks for processes in /proc"
)


def is_running(pid: int) -> bool:
    """Return whether the process exists and is no mere entry that waits to be collected."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(condition: Callable[[], object], seconds: float = 600.0) -> None:
    """Wait for a condition, and fail if it does not come."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)
