"""Which copies of a card may be chosen, and when other cards fill the hand.

A play of Solitaire Hanabi is a choice of one copy of every needed card, played as early as
possible: card x = (v, k) is played at T(x) = max(position of its copy, T(v - 1, k)), and held from
its copy's position until then. A choice wins if no more than h cards are held at any time. So, with
first(x) and last(x) the first and the last copy that may still be chosen,

    E(x) = max of first(u, k) over u <= v  <=  T(x)  <=  L(x) = max of last(u, k) over u <= v.

:func:`reduce_copies` strikes copies out that no winning choice needs, round by round, until nothing
changes. With `before` for the card of value v - 1:

1. Of two copies at or before E(before) the later one serves better: both wait for T(before), the
   later one waits less.
2. A copy after L(before) is played at once; every copy after it serves worse.
3. A card whose last copy is before E(before) is held between them in every choice. Where h cards
   are certain in this way the hand is full, and no other card is held:
   a copy that could be played only after a full time is out;
   a card that must have been drawn by a full time, and is not certain then, has been played by
   then, so the copies of all lower values after that time are out.

1 and 2 replace a copy by one that is held at no other time and is played no later, which lets
every later card of the color be played no later; 3 strikes out copies that no winning choice uses.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hanabi.clock import NO_LIMIT, Clock

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.solitaire.instance import Instance

    Ints = npt.NDArray[np.int64]

__all__ = ["Windows", "reduce_copies"]

_MOST_ROUNDS = 64
"""Keeps the cost linear; six rounds are many. The formula is right after any number of them."""


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """The copies that may be chosen, and the cards that are held in every choice.

    Cards are numbered color by color, value by value: card (v, k) is k n + v - 1. Positions and
    times count from 1; time t is the moment after card t of the stream has been handled.

    Attributes
    ----------
    positions
        Positions of the copies that may be chosen, card by card, ascending.
    starts
        Shape (cards + 1,): the copies of card x are `positions[starts[x] : starts[x + 1]]`.
    certain
        Shape (N + 1,): how many cards are held at each time in every choice.
    next_full
        Shape (N + 2,): the first time from t on at which the hand is full of certain cards; N + 1
        if none.
    rounds
        Passes made over the stream.
    lost
        Why no choice can win, if that has been found out; the rest is then of no use.
    """

    positions: Ints
    starts: Ints
    certain: Ints
    next_full: Ints
    rounds: int
    lost: str | None = None


def reduce_copies(instance: Instance, *, cut: bool = True, clock: Clock = NO_LIMIT) -> Windows:
    """Return the copies that winning choices need. O(N log N), and O(N + nc) a round.

    With `cut` false every copy is kept, no time counts as full, and nothing but a missing card is
    found to be lost. Raises BudgetEndedError when the clock runs out.

    >>> from hanabi.solitaire import Instance
    >>> windows = reduce_copies(Instance(1, [(0, 2), (0, 2), (0, 1), (0, 1), (0, 2)]))
    >>> windows.positions.tolist()  # the 1 at position 3, the 2 at position 2 or 5
    [3, 2, 5]
    """
    import numpy as np

    N, h, goal = instance.N, instance.hand_size, instance.goal
    card = np.multiply(instance.colors, instance.n, dtype=np.int64)
    card += np.asarray(instance.values) - 1
    order = np.argsort(card, kind="stable")
    card, position = card[order], order + 1
    never = np.full(N + 2, N + 1)
    rounds = 0
    while True:
        clock.check()
        rounds += 1
        starts = np.searchsorted(card, np.arange(goal + 1))
        windows = Windows(position, starts, np.zeros(N + 1, np.int64), never, rounds)
        absent = np.flatnonzero(starts[1:] == starts[:-1])
        if absent.size:
            return replace(windows, lost=_absence(instance, int(absent[0]), rounds))
        if not goal:
            return windows
        last = position[starts[1:] - 1]
        earliest = _before(instance, position[starts[:-1]])
        held = last < earliest  # in every choice
        certain = np.bincount(last[held], minlength=N + 1)
        certain -= np.bincount(earliest[held], minlength=N + 1)
        certain = certain.cumsum()
        windows = replace(windows, certain=certain)
        if not cut:
            return windows
        times = np.where(np.append(certain >= h, True), np.arange(N + 2), N + 1)
        next_full = np.minimum.accumulate(times[::-1])[::-1]
        windows = replace(windows, next_full=next_full, lost=_overflow(certain, h))
        if windows.lost is not None or rounds == _MOST_ROUNDS:
            return windows
        # From the last copy or `earliest` on a card is drawn and not certain; it is played by its
        # own deadline and by those of all higher values of its color.
        own = next_full[np.maximum(last, earliest)].reshape(instance.c, instance.n)
        deadlines = np.minimum.accumulate(own[:, ::-1], axis=1)[:, ::-1].ravel()
        needed = position <= deadlines[card]
        # Copies i and i + 1 of one card; the rules look at the later or the earlier of the two.
        i = np.flatnonzero(card[1:] == card[:-1])
        wait = earliest[card[i]]
        needed[i[(position[i + 1] < wait) | (next_full[position[i]] < wait)]] = False
        needed[i[position[i] > _before(instance, last)[card[i]]] + 1] = False
        if needed.all():
            return windows
        card, position = card[needed], position[needed]


def _absence(instance: Instance, card: int, rounds: int) -> str:
    color, index = divmod(card, instance.n)
    name = instance.card_name(color, index + 1)
    if rounds == 1:
        return f"{name} does not occur"
    return f"no copy of {name} can be played: the hand is full of cards that must be kept"


def _before(instance: Instance, times: Ints) -> Ints:
    """Return for each card the largest of `times` over the lower values of its color, or 0."""
    import numpy as np

    before = np.zeros((instance.c, instance.n), dtype=np.int64)
    by_color = times.reshape(instance.c, instance.n)
    np.maximum.accumulate(by_color[:, :-1], axis=1, out=before[:, 1:])
    return before.ravel()


def _overflow(certain: Ints, h: int) -> str | None:
    """Say when more cards are certain than the hand holds, if they ever are."""
    time = int((certain > h).argmax())
    if certain[time] <= h:
        return None
    return f"the hand holds {h}, and after card {time} of the stream it must keep {certain[time]}"
