"""A clock for tests of budgets, the same on every machine."""

from __future__ import annotations

from hanabi.clock import Clock


class Looks(Clock):
    """Time that is over after so many looks at it; None for never.

    Attributes
    ----------
    looks
        How often it was looked at.
    """

    __slots__ = ("looks", "most")

    def __init__(self, most: int | None = None) -> None:
        super().__init__()
        self.most, self.looks = most, 0

    @property
    def is_over(self) -> bool:
        self.looks += 1
        return self.most is not None and self.looks > self.most
