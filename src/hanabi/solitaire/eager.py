"""From the cards a line plays to the play itself."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from hanabi.clock import NO_LIMIT, Clock
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.play import DrawAction, Play

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
    n, goal = instance.n, instance.goal
    store, discard, play = map(int, DrawAction)
    wanted = bytearray(instance.N)
    for position in chosen:
        wanted[position] = 1
    positions, actions = array("i"), array("b")
    piles: dict[int, int] = {}  # not a list: c may be far more than the colors that occur
    held: dict[int, int] = {}
    played = 0
    cards = zip(instance.colors, instance.values, wanted, strict=True)
    for position, (color, value, is_wanted) in enumerate(clock.watch(cards), start=1):
        positions.append(position)
        if not is_wanted:
            actions.append(discard)
        elif value != piles.get(color, 0) + 1:
            actions.append(store)
            held[color * n + value] = position
        else:
            actions.append(play)
            played += 1
            while value < n and (above := held.pop(color * n + value + 1, 0)):
                positions.append(above)
                actions.append(play)
                value += 1
                played += 1
            piles[color] = value
        if played == goal:
            break
    return Play.from_columns(memoryview(positions), memoryview(actions))
