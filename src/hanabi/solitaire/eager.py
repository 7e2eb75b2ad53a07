"""From the cards a line plays to the play itself."""

from __future__ import annotations

from collections.abc import Iterable

from hanabi.ground import NO_LIMIT, Clock
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.loops import Loops
from hanabi.solitaire.play import Play

__all__ = ["eager_play"]


def eager_play(instance: Instance, chosen: Iterable[int], clock: Clock = NO_LIMIT) -> Play:
    """Return the play that takes exactly the cards at the `chosen` positions, as early as possible.

    A chosen card is played when drawn if its pile is ready, else stored and played as soon as it
    is; every other card is discarded. Playing early only ever frees hand space, so if any play
    with these copies wins, this one does. The play ends with the last pile. O(N).

    `chosen` are 0-based positions, at most one copy of each card. Of the instance only the stream
    and n, c are read; that the hand suffices is for the verifier to say. Raises BudgetEndedError
    when the clock runs out.

    >>> instance = Instance(1, [(0, 2), (0, 1), (0, 1)])
    >>> eager_play(instance, [0, 2]).to_json()
    [[1, 'store'], [2, 'discard'], [3, 'play'], [1, 'play']]
    """
    loops = Loops(instance, instance.n, clock, compiled=False)
    wanted = loops.flags(instance.N + 1)
    for position in chosen:
        wanted[position + 1] = 1
    return loops.play(wanted, is_whole=wanted.count(1) == instance.goal)
