"""What could still be scored at every moment of a recorded game.

The most that can be scored never grows, so each position is asked for what the one before it could
still have. A line that scores that is kept as long as the game follows it, or does something that
leaves the rest of it as good: most moves cost one replay.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hanabi.clock import Clock
from hanabi.errors import IllegalActionError
from hanabi.game import Game
from hanabi.verdict import Status
from hanabi.winnable.finish import is_safe
from hanabi.winnable.position import Line, replay
from hanabi.winnable.solver import DEFAULT_MEMORY, solve_game, without_deck_plays

__all__ = ["Prospect", "prospect", "timeline"]

_SHARE = 0.25
"""Of the time that is left, what one question may take."""
_SOON = 0.5
"""Seconds for each question at first: most take some hundredths."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """Bounds on the most that can be scored from a position, and a line that scores `lower`."""

    lower: int
    upper: int
    line: Line | None

    @property
    def is_exact(self) -> bool:
        """Whether the best score is known."""
        return self.lower == self.upper


def timeline(
    positions: Sequence[Game], *, seconds: float | None = None, memory: int = DEFAULT_MEMORY
) -> Iterator[Prospect]:
    """Yield what can be scored from each position of a game, the deal first.

    Parameters
    ----------
    positions
        The deal, and the position after each move.
    seconds
        Wall-clock time for all of them; None: no limit. Where it does not suffice, bounds are left.
    memory
        Bytes for tables, about, of one question.

    >>> from hanabi.game import Game, Rules, discard
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
    """Return what can be scored from a position, given the same of one before it if there is one.

    Parameters
    ----------
    game
        The position.
    before
        What could be scored from the position that the last action led away from, or None.
    clock, memory
        As for `timeline`; of the time that is left a part is used.

    >>> from hanabi.game import Rules
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
    # From the deck's last card, where it may be played, more may come than solvers look at.
    plain, is_closed = without_deck_plays(game), not game.rules.deck_plays or game.deck_left == 0
    # Under these options only all points are looked for.
    is_strict = game.rules.all_or_nothing or game.rules.speedrun
    least = game.rules.max_score - 1 if is_strict else lower
    # What is decided soon first: a lower bound is there before a hard question takes the time.
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
    """Return the rest of a line if it still scores as much after another first action."""
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
