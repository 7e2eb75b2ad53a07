"""The best score still reachable after each move of a recorded game.

The best score never grows, so the search at each position starts from the score of the previous
one. A line with that score is kept as long as the game follows it, or does something after which
the rest of the line scores as much: most moves cost one replay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hanabi.ground import Clock, IllegalActionError, Status, counted
from hanabi.rules import Game
from hanabi.solvers.winnable.position import Line, replay
from hanabi.solvers.winnable.solver import DEFAULT_MEMORY, is_safe, solve_game, without_deck_plays

if TYPE_CHECKING:
    from hanabi.ground import Verdict
    from hanabi.rules import Game
    from hanabi.solvers.winnable.position import Line

__all__ = ["Lost", "Prospect", "find_lost", "prospect", "timeline"]

_SHARE = 0.25
"""Share of the time left that one question may take."""
_SOON = 0.5
"""Seconds for each question in the first pass: most take some hundredths."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """Bounds on the best score from a position, and a line that scores `lower`."""

    lower: int
    upper: int
    line: Line | None

    @property
    def is_exact(self) -> bool:
        """Whether the best score is known."""
        return self.lower == self.upper

    def __str__(self) -> str:
        return str(self.lower) if self.is_exact else f"{self.lower} to {self.upper}"

    def __repr__(self) -> str:
        line = "no line" if self.line is None else f"a line of {counted(len(self.line), 'move')}"
        return f"<Prospect {self}, {line}>"


def timeline(
    positions: Sequence[Game], *, seconds: float | None = None, memory: int = DEFAULT_MEMORY
) -> Iterator[Prospect]:
    """Yield the best score still reachable from each position of a game, the deal first.

    Parameters
    ----------
    positions
        The deal, and the position after each move.
    seconds
        Wall-clock time for all of them; None: no limit. If it does not suffice, bounds remain.
    memory
        Approximate bytes for the tables of one question.

    >>> from hanabi.rules import Game, Rules, discard
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> [prospect.lower for prospect in timeline([game, game.apply(game.legal_actions[-1])])]
    [25, 25]
    """
    clock, before = Clock(seconds), None
    for position in positions:
        before = prospect(position, before, clock, memory)
        yield before


def prospect(
    game: Game, before: Prospect | None, clock: Clock, memory: int = DEFAULT_MEMORY
) -> Prospect:
    """Return the best score still reachable, given the previous position's result if any.

    Parameters
    ----------
    game
        The position.
    before
        The result for the position before the last action, or None.
    clock, memory
        As for `timeline`; each question uses a share of the time left.

    >>> from hanabi.rules import Rules
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> prospect(game, None, Clock(60)).upper
    25
    """
    if not game.can_act:
        score = game.score if game.is_over else 0
        return Prospect(score, score, ())
    upper = game.rules.max_score if before is None else before.upper
    if game.missing:
        found = solve_game(without_deck_plays(game))
        return Prospect(found.lower, min(found.upper, upper), None)
    line = None if before is None else _kept(game, before)
    lower = 0 if line is None or before is None else before.lower
    # If the last card may be played from the deck, solvers may miss points.
    plain, is_closed = without_deck_plays(game), not game.rules.deck_plays or game.deck_left == 0
    # Under these options only a perfect score is searched for.
    is_strict = game.rules.all_or_nothing or game.rules.speedrun
    least = game.rules.max_score - 1 if is_strict else lower
    # Easy questions first: a lower bound is known before a hard question takes the time.
    for most in (_SOON, None):
        for points in range(upper, least, -1):
            left = None if clock.left is None else clock.left * _SHARE
            if most is not None:
                left = most if left is None else min(most, left)
            verdict = solve_game(plain, points=points, seconds=left, memory=memory)
            if verdict.status is Status.WINNABLE:
                lower, least, line = points, points, verdict.witness
                break
            if verdict.status is Status.UNWINNABLE and is_closed:
                upper = points - 1
    if game.rules.all_or_nothing and upper < game.rules.max_score:
        upper = 0
    return Prospect(lower, upper, line)


def _kept(game: Game, before: Prospect) -> Line | None:
    """Return the rest of a line if it scores as much after a different first action."""
    if not before.line:
        return None
    rest = before.line[1:]
    try:
        end = replay(game, rest)
    except IllegalActionError:
        return None
    if end.score < before.lower:
        return None
    return rest if end.is_over or is_safe(game.rules) else None


# Where a recorded game was lost: the first move after which no line wins any more.

Decide = Callable[["Game", float | None], "Verdict[Line]"]

_FIRST_SLICES = 16
_SHORTEST = 0.5


@dataclass(frozen=True, slots=True)
class Lost:
    """Bounds on the move that lost a game."""

    winnable_until: int | None
    """The largest number of moves after which some line is known to win; None if there is none."""
    lost_from: int | None
    """The smallest number of moves after which no line is known to win; None if there is none."""
    moves: int

    @property
    def lower(self) -> int:
        """The earliest move that may have lost; 0 stands for the deal."""
        return 0 if self.winnable_until is None else self.winnable_until + 1

    @property
    def is_exact(self) -> bool:
        """Whether the losing move is known, or known not to exist."""
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

    A lost game stays lost, so the positions are bisected. A position left undecided in its share of
    the time is skipped, and tried again with a larger share while time is left; one whose decision
    is given up before its time is over is not tried again. `positions` are the deal and the
    position after each move; `decide` decides one of them within some seconds (None: no limit).
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
