"""Solitaire Hanabi as a formula: choose a copy of every card so that the hand never overflows.

What :mod:`hanabi.solitaire.sat.windows` leaves of the copies is encoded with few variables:

- for each copy but the last of a card x, "the copy chosen is this one or an earlier one"; read over
  time, this is D(x, t): the chosen copy of x has been drawn by time t;
- P(x, t), x has been played by time t, where P(x, t) = D(x, t) and P(before, t). It changes only at
  copies of x and of lower values of its color between E(x) and L(x), so over time it is a short
  list of literals, and most of them are constants or literals that exist already;
- x is held at time t if D(x, t) and not P(before, t). At most h cards are held at the times just
  before a card may leave the hand (the sets of held cards at all other times are covered).

At a time when certain cards fill the hand, D(x, t) implies P(x, t): from there on until the next
copy of x both are one literal. This keeps the formula local: between two such times only the copies
drawn in between are ever counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hanabi.cards import format_card
from hanabi.clock import NO_LIMIT, Clock
from hanabi.sat import ClauseBuilder, Cnf
from hanabi.solitaire.eager import eager_play
from hanabi.solitaire.play import Play
from hanabi.solitaire.sat.walk import Walk
from hanabi.solitaire.sat.windows import Windows, reduce_copies

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.solitaire.instance import Instance

__all__ = ["StreamEncoding", "encode"]


@dataclass(frozen=True, slots=True, eq=False)
class StreamEncoding:
    """A formula that is satisfiable exactly if the instance can be won, and how to read a model.

    Attributes
    ----------
    instance
        What was encoded.
    cnf
        The formula; with an empty clause if the instance is known to be lost.
    windows
        The copies that may be chosen.
    choices
        Shape of `windows.positions`: the variable "this copy or an earlier one is chosen", 0 for
        the last copy of a card.
    """

    instance: Instance
    cnf: Cnf
    windows: Windows
    choices: npt.NDArray[np.int32]

    @property
    def lost(self) -> str | None:
        """Why the instance cannot be won, if that was found out without a solver."""
        return self.windows.lost

    def decode(self, model: npt.NDArray[np.bool_], clock: Clock = NO_LIMIT) -> Play:
        """Return the play that a model describes. O(N)."""
        import numpy as np

        chosen = np.where(self.choices == 0, True, model[self.choices])
        starts, positions = self.windows.starts, self.windows.positions
        if not len(positions):
            return Play()
        # Positions of a card ascend, so the first copy that is chosen is the smallest.
        copies = np.minimum.reduceat(np.where(chosen, positions, self.instance.N + 1), starts[:-1])
        return eager_play(self.instance, (copies - 1).tolist(), clock)

    def comments(self) -> Iterator[str]:
        """Yield one line for each variable that stands for a choice of copy."""
        instance = self.instance
        yield f"{instance!r}: satisfiable exactly if it can be won"
        for variable, position in zip(
            self.choices.tolist(), self.windows.positions.tolist(), strict=True
        ):
            if variable:
                card = format_card(instance.colors[position - 1], instance.values[position - 1])
                yield f"{variable}: {card} is taken at position {position} or before"


def encode(
    instance: Instance,
    *,
    cut: bool = True,
    seconds: float | None = None,
    memory: int | None = None,
) -> StreamEncoding:
    """Return a formula that is satisfiable exactly if `instance` can be won.

    Parameters
    ----------
    instance
        Any instance.
    cut
        Use the reductions of :mod:`hanabi.solitaire.sat.windows`. Without them the formula says
        the rules and nothing else, and is larger.
    seconds, memory
        Budgets for the encoding; memory in bytes, counting the formula in Python and in a solver.

    Raises
    ------
    BudgetEndedError
        If a budget ends.

    >>> from hanabi.solitaire import Instance
    >>> encode(Instance(1, [(2, 0), (1, 0), (1, 0), (2, 0), (3, 0)])).cnf
    Cnf(n_vars=1, n_clauses=0, n_literals=0)
    """
    import numpy as np

    clock = Clock(seconds)
    windows = reduce_copies(instance, cut=cut, clock=clock)
    cnf = Cnf()
    choices = np.zeros(len(windows.positions), dtype=np.int32)
    if windows.lost is not None:
        cnf.add_clause(())
    elif instance.goal:
        walk = Walk(instance, windows, ClauseBuilder(cnf, memory, clock))
        choices[:] = walk.choices
        walk.bound_hand()
        walk.check()
        walk.builder.flush()
    return StreamEncoding(instance, cnf, windows, choices)
