"""Where a recorded game was lost: the first move after which no line wins any more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hanabi.clock import Clock
from hanabi.verdict import Status

if TYPE_CHECKING:
    from hanabi.game import Game
    from hanabi.verdict import Verdict
    from hanabi.winnable import Line

__all__ = ["Lost", "find_lost"]

Decide = Callable[["Game", float | None], "Verdict[Line]"]

_FIRST_SLICES = 16
_SHORTEST = 0.5


@dataclass(frozen=True, slots=True)
class Lost:
    """Between which of a game's moves it was lost."""

    winnable_until: int | None
    """The most moves after which it is known that some line wins; None if there are none."""
    lost_from: int | None
    """The fewest moves after which it is known that no line wins; None if there are none."""
    moves: int

    @property
    def lower(self) -> int:
        """The earliest move that may have lost; 0 stands for the deal."""
        return 0 if self.winnable_until is None else self.winnable_until + 1

    @property
    def is_exact(self) -> bool:
        """Whether the losing move is known, or that there is none."""
        upper = self.moves + 1 if self.lost_from is None else self.lost_from
        return upper == self.lower

    @property
    def move(self) -> int | None:
        """The losing move, from 1; 0 if the deal was lost; None if unknown or there is none."""
        return self.lost_from if self.is_exact else None


def find_lost(
    positions: Sequence[Game],
    decide: Decide,
    *,
    seconds: float | None,
    progress: Callable[[str], None] = lambda _: None,
) -> Lost:
    """Find the first of a game's positions from which no line wins.

    What is lost stays lost, so the positions are bisected. One that stays undecided within its
    share of the time is passed over, and comes again with a larger share while time is left;
    one that is given up before its time is over does not come again. `positions` are the deal and
    the position after each move, `decide` decides one of them within seconds (None: no limit).
    """
    clock = Clock(seconds)
    share = max((seconds or 60.0) / _FIRST_SLICES, _SHORTEST)
    won, lost = -1, len(positions)
    waiting, cut_short = set(range(len(positions))), set[int]()
    while won + 1 < lost:
        candidates = [index for index in range(won + 1, lost) if index in waiting]
        if not candidates:
            waiting, cut_short, share = cut_short, set(), share * 2
            if waiting.isdisjoint(range(won + 1, lost)):
                break
            continue
        if clock.is_over:
            break
        index = candidates[len(candidates) // 2]
        waiting.remove(index)
        progress(f"after move {index}: looking for a line that wins")
        given = share if clock.left is None else min(share, clock.left)
        slice_ = Clock(given)
        status = decide(positions[index], given).status
        if status is Status.WINNABLE:
            won = index
        elif status is Status.UNWINNABLE:
            lost = index
        elif slice_.is_over:
            cut_short.add(index)
    return Lost(
        None if won < 0 else won,
        None if lost == len(positions) else lost,
        len(positions) - 1,
    )
