"""Brute force for Solitaire Hanabi: every legal line, with no idea of what is good.

A card in hand may be played or thrown away at any time, and a card from the stream may be played,
stored or discarded whatever it is. Nothing is pruned but states met before, so the answers rest on
the rules alone. The number of states is exponential: keep to about ten cards.

`wins_by_layers` is for streams of some dozens of cards. It knows four things, which brute force
bears out on small streams: to play a card at once never hurts, nor to hold one more card while
there is room; a card that is held or was played is of no use again; and the last copy of a card
that is neither must not go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

from hanabi.solitaire import Instance

__all__ = ["Card", "all_streams", "is_winnable", "least_hand", "most_cards", "wins_by_layers"]

Card = tuple[int, int]
"""(color, value), as in an instance."""

State = tuple[int, tuple[int, ...], tuple[Card, ...]]
"""Cards drawn so far, height of each pile, and the hand in increasing order."""


def _successors(instance: Instance, cards: tuple[Card, ...], state: State) -> Iterator[State]:
    drawn, piles, hand = state

    def follows(card: Card) -> bool:
        color, value = card
        return piles[color] == value - 1

    def raised(color: int) -> tuple[int, ...]:
        return (*piles[:color], piles[color] + 1, *piles[color + 1 :])

    for i, card in enumerate(hand):
        rest = hand[:i] + hand[i + 1 :]
        yield drawn, piles, rest
        if follows(card):
            yield drawn, raised(card[0]), rest
    if drawn < len(cards):
        card = cards[drawn]
        yield drawn + 1, piles, hand
        if follows(card):
            yield drawn + 1, raised(card[0]), hand
        if len(hand) < instance.hand_size:
            yield drawn + 1, piles, tuple(sorted((*hand, card)))


def most_cards(instance: Instance) -> int:
    """Return the most cards that any play puts on the piles."""
    cards = tuple(instance.cards)
    start: State = (0, (0,) * instance.c, ())
    seen, waiting, best = {start}, [start], 0
    while waiting and best < instance.goal:
        state = waiting.pop()
        best = max(best, sum(state[1]))
        for successor in _successors(instance, cards, state):
            if successor not in seen:
                seen.add(successor)
                waiting.append(successor)
    return best


def is_winnable(instance: Instance) -> bool:
    """Return whether some play completes all piles."""
    return most_cards(instance) == instance.goal


def least_hand(instance: Instance) -> int | None:
    """Return the least hand size with which the stream can be won, or None."""
    # Nothing is gained by holding a card twice, so no play needs more than one copy of each.
    for hand_size in range(instance.goal + 1):
        if is_winnable(instance.with_hand_size(hand_size)):
            return hand_size
    return None


def wins_by_layers(instance: Instance) -> bool:
    """Return whether some play completes all piles, card by card over all hands."""
    layer: set[tuple[tuple[int, ...], frozenset[Card]]] = {((0,) * instance.c, frozenset())}
    to_come = Counter((color, value) for color, value in instance.cards)
    for color, value in instance.cards:
        card, after = (color, value), set()
        to_come[card] -= 1
        for piles, hand in layer:
            if value <= piles[color] or card in hand:
                after.add((piles, hand))
            elif value == piles[color] + 1:
                height = value
                while (color, height + 1) in hand:
                    height += 1
                rest = frozenset(held for held in hand if held[0] != color or held[1] > height)
                after.add(((*piles[:color], height, *piles[color + 1 :]), rest))
            elif len(hand) < instance.hand_size:
                after.add((piles, hand | {card}))
            else:
                after.update(
                    (piles, (hand | {card}) - {gone}) for gone in {*hand, card} if to_come[gone]
                )
        layer = after
    return any(sum(piles) == instance.goal for piles, _ in layer)


def all_streams(n: int, c: int, longest: int) -> Iterator[tuple[Card, ...]]:
    """Yield every stream of at most `longest` cards with colors 0..c-1 and values 1..n."""
    deck = [(color, value) for color in range(c) for value in range(1, n + 1)]
    for length in range(longest + 1):
        yield from product(deck, repeat=length)
