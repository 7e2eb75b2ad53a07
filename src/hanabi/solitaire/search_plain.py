"""The exact search in plain Python: its statement, its proofs, its oracle.

A layer is the set of states (piles, hand) that play can be in after a card of the stream, reduced
to those that matter. `hanabi.solitaire.search` runs the same search compiled; small instances are
solved here, without waiting for a compiler.

Why the reductions lose no win (hands are sets, since a second copy of a card in hand is useless,
and so is a card at or below its pile):

*Play at once.* A playable card that is played leaves the same hand or a smaller one, and a larger
pile.
*Dominance.* Let A and B be states of one layer, every pile of A at least B's, and all that B holds
held or played by A. Then A can follow any line of B: where B plays a card that A has played
already, A does nothing. So B can go.
*Keep everything, choose when the hand overflows.* A card can be dropped later as well as now.
*The last copy* of a needed card is never dropped.
*A card that comes before its use.* Let y be in hand, and let its next copy come before the last of
the lower cards of its color that are neither played nor in hand. Then y cannot be played before
that copy comes, so the line that drops y and stores the copy instead does as well.
*The better drop.* Let x < y in hand be of one color, and let y come again no later than x. A line
that drops x cannot play y before x comes again. Dropping y instead, keep x until y comes, then put
y in its place: this is the same state, or a better one. So only y need be considered.
*Too much at once.* A needed card cannot be played before every lower card of its color that is not
in hand has come. If no copy of it comes after that, it is in hand from its last copy (or now) until
then. A state in which more than h such intervals overlap is lost.

When fewer than all cards are asked for (`target`), a last copy may go, with all cards above it;
a state whose piles can no longer sum up to the target is then lost, and the last argument, which
holds for needed cards only, is left out.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from hanabi.ground import NO_LIMIT, Clock
from hanabi.solitaire.instance import Instance

__all__ = ["State", "find_winning_copies"]

State = tuple[tuple[int, ...], frozenset[int]]
"""Piles by color, and the cards in hand as `color * n + value - 1`."""


class _Stream:
    """The stream as card numbers, with what comes when."""

    def __init__(self, instance: Instance, target: int, clock: Clock) -> None:
        self.clock = clock
        self.n, self.c, self.h = instance.n, instance.c, instance.hand_size
        self.target, self.needs_all = target, target == instance.goal
        stream = zip(instance.colors, instance.values, strict=True)
        self.cards = [k * self.n + v - 1 for k, v in clock.watch(stream)]
        self.places: list[list[int]] = [[] for _ in clock.watch(range(instance.goal))]
        for position, card in enumerate(clock.watch(self.cards)):
            self.places[card].append(position)
        self.never = instance.N

    def next(self, card: int, position: int) -> int:
        """First place of `card` after `position`; `never` if there is none."""
        places = self.places[card]
        index = bisect_right(places, position)
        return places[index] if index < len(places) else self.never

    def comes_before_use(self, state: State, card: int, position: int) -> bool:
        """Whether `card` comes again before it could be played."""
        piles, hand = state
        again = self.next(card, position)
        first = card // self.n * self.n + piles[card // self.n]
        return again < self.never and any(
            self.next(lower, position) > again for lower in range(first, card) if lower not in hand
        )

    def has_better_drop(self, hand: frozenset[int], card: int, position: int) -> bool:
        """Whether a higher card of the same color comes again no later than `card`."""
        again = self.next(card, position)
        top = (card // self.n + 1) * self.n
        return any(card < y < top and self.next(y, position) <= again for y in hand)

    def reach(self, state: State, position: int, k: int) -> int:
        """Highest value that color k can still reach, were the hand unlimited from now on."""
        piles, hand = state
        value = piles[k]
        while value < self.n and (
            k * self.n + value in hand or self.next(k * self.n + value, position) < self.never
        ):
            value += 1
        return value

    def is_lost(self, state: State, position: int) -> bool:
        """Whether the target is out of reach, or too many cards have to be in hand at one time."""
        piles, hand = state
        if not self.needs_all:
            return sum(self.reach(state, position, k) for k in range(self.c)) < self.target
        change: dict[int, int] = {}
        for k in range(self.c):
            earliest = position
            for card in range(k * self.n + piles[k], (k + 1) * self.n):
                if card not in hand:
                    earliest = max(earliest, self.next(card, position))
                start = max(self.places[card][-1], position)
                if start < earliest:
                    change[start] = change.get(start, 0) + 1
                    change[earliest] = change.get(earliest, 0) - 1
        together = 0
        for moment in sorted(change):
            together += change[moment]
            if together > self.h:
                return True
        return False

    def successors(self, state: State, position: int) -> Iterator[State]:
        """Yield the states after the card at `position`, reduced."""
        piles, hand = state
        card = self.cards[position]
        k = card // self.n
        value = card % self.n + 1
        if value == piles[k] + 1:
            while value < self.n and k * self.n + value in hand:
                value += 1
            played = range(k * self.n, k * self.n + value)
            yield (*piles[:k], value, *piles[k + 1 :]), hand.difference(played)
            return
        if value > piles[k] and (
            self.needs_all or value <= self.reach((piles, hand | {card}), position, k)
        ):
            hand |= {card}
        if len(hand) <= self.h:
            yield piles, hand
            return
        droppable = [
            y for y in sorted(hand) if not self.needs_all or self.next(y, position) < self.never
        ]
        free = [y for y in droppable if self.comes_before_use((piles, hand), y, position)]
        for y in free[:1] or droppable:
            self.clock.check()
            rest = piles, self.without(hand, y, position)
            if (free or not self.has_better_drop(hand, y, position)) and not self.is_lost(
                rest, position
            ):
                yield rest

    def without(self, hand: frozenset[int], card: int, position: int) -> frozenset[int]:
        """Return the hand without `card`, and without all above it if that was its last copy."""
        if self.next(card, position) < self.never:
            return hand - {card}
        return hand.difference(range(card, (card // self.n + 1) * self.n))


def _without_dominated(layer: dict[State, State], n: int, clock: Clock) -> dict[State, State]:
    """Drop every state that another one of the layer dominates."""
    strongest = sorted(layer, key=lambda state: (-2 * sum(state[0]) - len(state[1]), state[0]))
    kept: list[State] = []
    for piles, hand in strongest:
        clock.check()
        for strong_piles, strong_hand in kept:
            if all(a <= b for a, b in zip(piles, strong_piles, strict=True)) and all(
                y in strong_hand or y % n < strong_piles[y // n] for y in hand
            ):
                break
        else:
            kept.append((piles, hand))
    return {state: layer[state] for state in kept}


def find_winning_copies(
    instance: Instance,
    *,
    target: int | None = None,
    most_states: int | None = None,
    clock: Clock = NO_LIMIT,
) -> tuple[list[int] | None, int]:
    """Return (0-based positions of the copies that a line to the target plays, states expanded).

    The target is a number of cards on the piles, by default all n * c. The positions are None if no
    line reaches it. Exponential in the worst case; about 10**5 states a second, so `most_states`
    bounds the time.

    Raises
    ------
    OverflowError
        If more than `most_states` states would be expanded.
    BudgetEndedError
        When the clock runs out.

    >>> find_winning_copies(Instance(1, [(0, 2), (0, 1), (0, 2)]))
    ([0, 1], 2)
    """
    goal = instance.goal if target is None else target
    stream = _Stream(instance, goal, clock)
    root: State = ((0,) * instance.c, frozenset())
    if (stream.needs_all and instance.missing_card() is not None) or stream.is_lost(root, -1):
        return None, 0
    layers = [{root: root}]
    states = 0
    while (winner := _winner(layers[-1], goal)) is None:
        position = len(layers) - 1
        if position == instance.N:
            return None, states
        states += len(layers[-1])
        if most_states is not None and states > most_states:
            raise OverflowError(states)
        clock.check()
        layer = {
            after: before for before in layers[-1] for after in stream.successors(before, position)
        }
        layers.append(_without_dominated(layer, instance.n, clock) if len(layer) > 1 else layer)
    return _trace(stream, layers, winner), states


def _winner(layer: dict[State, State], target: int) -> State | None:
    return next((state for state in layer if sum(state[0]) >= target), None)


def _trace(stream: _Stream, layers: list[dict[State, State]], state: State) -> list[int]:
    """Follow a state back to the root; return the positions of the copies played."""
    chosen = []
    awaited: set[int] = set()  # cards that the line plays from the hand, not yet met backwards
    for position in range(len(layers) - 2, -1, -1):
        before = layers[position + 1][state]
        card = stream.cards[position]
        k = card // stream.n
        if state[0][k] > before[0][k]:
            chosen.append(position)
            awaited.update(range(card + 1, k * stream.n + state[0][k]))
        elif card in awaited and card in state[1] and card not in before[1]:
            chosen.append(position)
            awaited.discard(card)
        state = before
    return chosen[::-1]
