from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from hanabi.front.app import main


class Outcome(NamedTuple):
    """How a run of the command ended."""

    status: int
    out: str
    err: str


Run = Callable[..., Outcome]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line inside this process."""

    def run_it(*arguments: object) -> Outcome:
        status = main([str(argument) for argument in arguments])
        return Outcome(status, *capsys.readouterr())

    return run_it
