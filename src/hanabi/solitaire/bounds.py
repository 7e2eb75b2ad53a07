"""Cheap bounds: missing cards, and the hand size that wins an instance."""

from __future__ import annotations

from typing import NamedTuple

from hanabi.ground import NO_LIMIT, Clock, Status, Verdict
from hanabi.rules import Card
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.play import Play

__all__ = ["Crowd", "find_missing", "keep_everything", "largest_crowd"]


class Crowd(NamedTuple):
    """Cards that all have to be in hand right after the card at `position` (from 1).

    Each has had its last copy, and waits for a lower card of its color whose first copy is still to
    come.
    """

    position: int
    cards: tuple[Card, ...]


def find_missing(instance: Instance, method: str, clock: Clock = NO_LIMIT) -> Verdict[Play] | None:
    """Return the verdict UNWINNABLE if a needed card never occurs, else None. O(N + nc).

    >>> print(find_missing(Instance(1, [(0, 2)]), "bounds").reason)
    no copy of r1 in the stream
    """
    missing = instance.missing_card(clock)
    if missing is None:
        return None
    return Verdict(
        Status.UNWINNABLE,
        method,
        f"no copy of {instance.card_name(*missing)} in the stream",
        upper=instance.goal - instance.n + missing.rank - 1,
        trail=("a needed card never comes",),
    )


def largest_crowd(instance: Instance, clock: Clock = NO_LIMIT) -> Crowd:
    """Return a largest set of cards that have to be in hand together: a lower bound on h.

    A card cannot be played before the first copy of every card below it has come, and has to be
    taken at its last copy at the latest. In between it is in hand. For r = 1 these are the
    intervals of [Baffier2017, section 2], and the bound is exact. Every card must occur. O(N + nc).
    Raises BudgetEndedError when the clock runs out.

    >>> largest_crowd(Instance(0, [(0, 2), (0, 3), (0, 1), (0, 2)]))
    Crowd(position=2, cards=(Card(color=0, rank=3),))
    """
    first: dict[tuple[int, int], int] = {}
    last: dict[tuple[int, int], int] = {}
    cards = zip(instance.colors, instance.values, strict=True)
    for position, (color, value) in enumerate(clock.watch(cards), start=1):
        first.setdefault((color, value), position)
        last[color, value] = position
    change = [0] * (instance.N + 2)
    waits = []
    earliest = 0
    for card in clock.watch(range(instance.goal)):
        color, value = card // instance.n, card % instance.n + 1
        earliest = max(earliest if value > 1 else 0, first[color, value])
        if last[color, value] < earliest:
            waits.append((last[color, value], earliest, Card(color, value)))
            change[last[color, value]] += 1
            change[earliest] -= 1
    most = together = where = 0
    for position, step in enumerate(clock.watch(change)):
        together += step
        if together > most:
            most, where = together, position
    return Crowd(where, tuple(card for start, end, card in waits if start <= where < end))


def keep_everything(instance: Instance, clock: Clock = NO_LIMIT) -> tuple[int, list[int]]:
    """Return (largest hand, positions of the copies played) when no needed card is let go.

    Every card above its pile that is not in hand already is stored, and played as soon as it can
    be: an upper bound on the least winning h, if every card occurs. O(N). Raises BudgetEndedError
    when the clock runs out.

    >>> keep_everything(Instance(0, [(0, 2), (0, 3), (0, 1), (0, 2)]))
    (2, [0, 1, 2])
    """
    n = instance.n
    piles = [0] * instance.c
    held: set[int] = set()
    most = 0
    chosen = []
    cards = zip(instance.colors, instance.values, strict=True)
    for position, (color, value) in enumerate(clock.watch(cards)):
        card = color * n + value - 1
        if value <= piles[color] or card in held:
            continue
        chosen.append(position)
        if value > piles[color] + 1:
            held.add(card)
            most = max(most, len(held))
            continue
        piles[color] = value
        while piles[color] < n and color * n + piles[color] in held:
            held.remove(color * n + piles[color])
            piles[color] += 1
    return most, chosen
