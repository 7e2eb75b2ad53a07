"""The full game with all cards face up as a formula, satisfiable exactly if a goal can be reached.

Time is counted in acts: plays, discards and mistakes, each of which takes one card out of a hand.
Act k draws card `drawn + k`, so what is drawn when is known beforehand, and no variable says it.
Hints only pass the turn: between two acts as many are given as there are seats to pass over.
The variables, for each act k and the state before it:

======================  ========================================================================
`seat` (k, s)           seat s acts; it gets card `drawn + k`
`out` (i, k)            card i leaves its hand; `left` (i, k): it has left before act k
`piled` (x, k)          needed card x has been played before act k; `played` (x, k): it is played
`play`, `drop`, `miss`  what the act is; none of them: the goal has been reached
`wait` (k, d)           d hints are given just before; `round` (k): one by each seat, and no more
`tokens` (k, h)         more than h hint tokens are there before; `held` (k, h): after the hints
======================  ========================================================================

Two reductions keep the answer. Mistakes are made only where discarding is forbidden, as in
:mod:`hanabi.winnable.search`. And *a full round of hints is given only where all tokens are there,
by itself*: let Y win with any other, and let X be Y without that round, n rounds behind in all, so
X has n times the number of seats more tokens. X has the same cards and has lost no turns, and only
discarding is ever forbidden to it where Y may: with all tokens there. Just before an act at which
X could gain no token as Y does, no hint is due and X's tokens are all there, X gives one round. (If
nobody else holds a card by then, all that is needed is in its hand, and it plays that instead.)

Cards above the goal's piles are never played: the goal is reached with exactly its points.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.cards import format_card
from hanabi.errors import InvalidInputError, quote
from hanabi.winnable.clauses import TRUE, Clauses, Literals
from hanabi.winnable.position import Goal, Position, check_supported, highest_goal

__all__ = ["Act", "GameEncoding", "encode"]


class Act(NamedTuple):
    """One act of a model's line."""

    hints: int
    """Given just before, by one seat after the other."""
    is_discard: bool
    """Else the card is played, rightly or wrongly."""
    card: int
    """Its index in the deck."""


class GameEncoding(Clauses):
    """A formula that is satisfiable exactly if the goal can be reached, and how to read a model."""

    def decode(self, model: npt.NDArray[np.bool_]) -> tuple[Act, ...]:
        """Return the acts that a model describes, up to the play that reaches the goal."""
        needed = sum(self.goal) - self.position.score
        out, wait = _values(self.out, model), _values(self.wait, model)
        whole, play, drop = (_values(x, model) for x in (self.whole, self.play, self.drop))
        acts: list[Act] = []
        for k in range(len(play)):
            if needed == 0:
                break
            hints = int(wait[k].argmax()) + self.position.rules.seats * int(whole[k])
            acts.append(Act(hints, bool(drop[k]), self.cards[int(out[:, k].argmax())]))
            needed -= int(play[k])
        return tuple(acts)

    def comments(self) -> Iterator[str]:
        """Yield one line for each variable that says that a card leaves its hand."""
        yield f"satisfiable exactly if the piles {quote(self.goal)} can be reached"
        for card, row in zip(self.cards, self.out.tolist(), strict=True):
            name = format_card(*self.position.deck[card])
            for act, literal in enumerate(row, start=1):
                if literal != -TRUE:
                    yield f"{literal}: act {act} takes card {card}, {name}"


def encode(position: Position, goal: Goal) -> GameEncoding:
    """Return a formula that is satisfiable exactly if a goal can be reached from a position.

    Parameters
    ----------
    position
        Any position of a game that goes on.
    goal
        Heights of the piles, none below the present one and none above the color's ranks.

    Raises
    ------
    InvalidInputError
        If the goal is none.
    SolverError
        If the rules are out of the package's reach.

    >>> from hanabi import DeckSpec
    >>> from hanabi.game import Rules
    >>> rules = Rules(spec=DeckSpec(((2, 2, 1),)), seats=2, hand_size=1)
    >>> position = Position.start(rules, [(0, 3), (0, 1), (0, 2), (0, 1), (0, 2)])
    >>> encode(position, (3,)).cnf
    Cnf(n_vars=235, n_clauses=855, n_literals=2247)
    """
    check_supported(position.rules)
    tops = highest_goal(position.rules)
    if len(goal) != len(tops) or any(
        not low <= height <= top
        for low, height, top in zip(position.piles, goal, tops, strict=True)
    ):
        raise InvalidInputError(f"goal {quote(goal)}: the piles are {quote(position.piles)}")
    return GameEncoding(position, goal)


def _values(literals: Literals, model: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return what a model makes of literals and constants."""
    variables = np.abs(literals)
    is_constant = variables == TRUE
    true: npt.NDArray[np.bool_] = model[np.where(is_constant, 0, variables)] | is_constant
    values: npt.NDArray[np.bool_] = true == (literals > 0)
    return values
