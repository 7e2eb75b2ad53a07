"""Work for the tests of the laboratory: quick, and harmful on demand."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from hanabi.lab import JSON


@dataclass(frozen=True)
class Squares:
    """The squares of the items; `pause` is how long each takes."""

    pause: float = 0.0

    kind: ClassVar[str] = "squares"
    version: ClassVar[int] = 1
    noun: ClassVar[str] = "numbers"
    is_compiled: ClassVar[bool] = False

    def config(self) -> dict[str, JSON]:
        return {}

    def run(self, first: int, count: int, /) -> bytes:
        time.sleep(self.pause * count)
        return squares(first, count)


@dataclass(frozen=True)
class Deadly:
    """Squares; the item `at` kills its process so many times, counted by files in a folder."""

    folder: str
    at: int
    times: int

    kind: ClassVar[str] = "deadly"
    version: ClassVar[int] = 1
    noun: ClassVar[str] = "numbers"
    is_compiled: ClassVar[bool] = False

    def config(self) -> dict[str, JSON]:
        return {"at": self.at}

    def run(self, first: int, count: int, /) -> bytes:
        # The first chunk is done by the process of the tests: let it have enough.
        time.sleep(0.6 if first == 0 else 0.01)
        if first <= self.at < first + count:
            deaths = len(list(Path(self.folder).iterdir()))
            if deaths < self.times:
                (Path(self.folder) / str(deaths)).touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return squares(first, count)


@dataclass(frozen=True)
class Failing:
    """Squares until an item raises an error."""

    at: int

    kind: ClassVar[str] = "failing"
    version: ClassVar[int] = 1
    noun: ClassVar[str] = "numbers"
    is_compiled: ClassVar[bool] = True

    def config(self) -> dict[str, JSON]:
        return {"at": self.at}

    def run(self, first: int, count: int, /) -> bytes:
        time.sleep(0.6 if first == 0 else 0.001)
        if first <= self.at < first + count:
            raise ZeroDivisionError(f"at {self.at}")
        return squares(first, count)


def squares(first: int, count: int) -> bytes:
    return b"".join((item * item).to_bytes(4, "little") for item in range(first, first + count))
