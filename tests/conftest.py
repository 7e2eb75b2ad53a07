"""What all tests share."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import poison

# No test fails for being slow: the machine may be busy, and first calls compile.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

# `make kernels` fills new arrays with poison: an element that is read before it is written shows.
if "HANABI_POISON" in os.environ:
    poison.fill_new_arrays()

# A test of what commands write must not depend on what was compiled before.
os.environ["HANABI_QUIET"] = "1"

# The processes of the tests share the cores: more threads of linear algebra only wait for them.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@pytest.fixture(autouse=True, scope="session")
def _interrupts() -> Iterator[None]:
    """Let interrupts interrupt, also where the tests were started to ignore them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def drup() -> Any:
    """Give the independent checker of proofs, where it installs without a compiler."""
    if sys.version_info >= (3, 14):
        return pytest.importorskip("drup", reason="drup has no wheel for this Python")
    return importlib.import_module("drup")
