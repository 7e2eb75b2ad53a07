"""Several colors and a hand of h cards: how many shuffled decks can be won, exactly.

A walk over all decks at once. Let G be the cards that a line of play has put on the piles or holds;
the piles are the runs 1, 2, ... in G, the hand is the rest of G. Nothing speaks against playing at
once, taking every new card, and choosing what to throw away only when more than h are held, and a
line with a larger G is at least as good. So what can still be won after some cards is told by the
maximal sets G that can be reached: the states of a deterministic automaton, and decks with equal
states and equal cards left go on alike.

Three things keep the walk short. A card on a pile in every G is dead, and its copies left may lie
anywhere: they are taken out and counted by a multinomial. Colors are sorted, since their names do
not matter. And it ends when some G wins in every order of the cards left: when all cards but the
next of each color would fit in the hand.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, permutations, product

from hanabi.counting.cost import MOST_MEMORY, Budget, UncountedError
from hanabi.counting.vector import Vector, check_hand, check_rows, multinomial

__all__ = ["winnable_decks"]

Color = tuple[Vector, tuple[int, ...]]
"""Of one color: the copies left of each value, and its cards (bits) in each set G."""

State = tuple[Color, ...]

_MOST_ORDERS = 720
_LAYER = 72  # bytes of an empty dictionary in a list


def winnable_decks(
    copies: Sequence[Iterable[int]],
    hand_size: int,
    *,
    most_states: int = 200_000,
    seconds: float = math.inf,
    memory: int = MOST_MEMORY,
) -> int:
    """Return how many decks can be won with `hand_size` cards in hand, all cards face up.

    Parameters
    ----------
    copies
        For each color its vector x; all of the same length k. Decks that differ only in which copy
        of a card is where count once: there are multinomial(all copies) in all.
    hand_size
        h >= 0, as in Solitaire Hanabi [Baffier2017]: the most cards stored at any time.
    most_states
        States (of a kilobyte or more) after which to give up.
    seconds, memory
        Time, and about how many bytes, after which to give up.

    Raises
    ------
    InvalidInputError
        If the input is no such thing.
    UncountedError
        If it takes more than that.

    >>> winnable_decks([(2, 1), (2, 1)], 0), winnable_decks([(2, 1), (2, 1)], 1)
    (80, 168)
    """
    rows = check_rows(copies)
    check_hand(hand_size)
    if any(0 in row for row in rows):
        return 0
    budget = Budget(seconds, memory)
    cards = sum(map(sum, rows))
    budget.check(_LAYER * cards)
    walk = _Walk(len(rows[0]), hand_size, budget)
    start = walk.sorted([(row, (0,)) for row in rows])
    layers: list[dict[State, int]] = [{} for _ in range(cards + 1)]
    layers[-1][start] = 1
    won = n_states = taken = 0
    for left in range(cards, -1, -1):
        layer, layers[left] = layers[left], {}
        for state, ways in layer.items():
            n_states += 1
            where = f": {left} of {cards} cards were left"
            if n_states > most_states:
                raise UncountedError(f"not counted within {most_states:,} states{where}")
            budget.check(taken, where)
            taken -= _size(state)
            if walk.is_won(state):
                won += ways * multinomial(count for row, _ in state for count in row)
                continue
            for after, orders in walk.successors(state):
                target = layers[_left(after)]
                if after not in target:
                    taken += _size(after)
                target[after] = target.get(after, 0) + ways * orders
    return won


def _size(state: State) -> int:
    """Return about how many bytes a state takes."""
    row, sets = state[0]
    return 400 + len(state) * (200 + 8 * len(row) + 36 * len(sets))


def _left(state: State) -> int:
    return sum(sum(row) for row, _ in state)


class _Walk:
    """The automaton for k values and a hand of h, within a budget."""

    def __init__(self, k: int, hand_size: int, budget: Budget) -> None:
        self.k, self.hand_size, self.budget = k, hand_size, budget

    def n_held(self, bits: int) -> int:
        return bits.bit_count() - _run(bits)

    def is_won(self, state: State) -> bool:
        """Whether some G wins whatever comes: it has room for all but each color's next card."""
        sets = zip(*(sets for _, sets in state), strict=True)
        return any(
            sum(max(self.k - _run(bits) - 1, 0) for bits in cards) <= self.hand_size
            for cards in sets
        )

    def successors(self, state: State) -> Iterator[tuple[State, int]]:
        """Yield each state after the next card, and the orders of the dead copies taken out."""
        for color, (row, _) in enumerate(state):
            for i, count in enumerate(row):
                if count and (after := self.draw(state, color, i)):
                    yield self.without_dead(after)

    def draw(self, state: State, color: int, i: int) -> State:
        """Return the state after a copy of value i + 1 of a color, () if all is lost."""
        row = state[color][0]
        left = (*row[:i], row[i] - 1, *row[i + 1 :])
        rows = [left if c == color else state[c][0] for c in range(len(state))]
        found: set[tuple[int, ...]] = set()
        size = 200 + 36 * len(state)  # bytes of a set, about
        for cards in zip(*(sets for _, sets in state), strict=True):
            self.budget.check(size * len(found))
            taken = (*cards[:color], cards[color] | 1 << i, *cards[color + 1 :])
            if taken == cards or sum(map(self.n_held, taken)) <= self.hand_size:
                found.add(taken)
            else:
                found.update(self._drops(taken, rows))
        best = _maximal(found, self.budget)
        if not best:
            return ()
        return tuple(zip(rows, zip(*best, strict=True), strict=True))

    def _drops(self, cards: tuple[int, ...], rows: list[Vector]) -> Iterable[tuple[int, ...]]:
        """Yield the sets without one held card that still comes again."""
        for color, bits in enumerate(cards):
            for i in range(_run(bits) + 1, self.k):
                if bits >> i & 1 and rows[color][i]:
                    yield (*cards[:color], bits & ~(1 << i), *cards[color + 1 :])

    def without_dead(self, state: State) -> tuple[State, int]:
        """Take out the copies of dead cards; return the state, sorted, and their orders."""
        colors, dead = [], []
        for row, sets in state:
            height = min(map(_run, sets))
            dead += [count for count in row[:height] if count]
            colors.append(((0,) * height + row[height:], sets))
        orders = multinomial((*dead, sum(sum(row) for row, _ in colors))) if dead else 1
        return self.sorted(colors), orders

    def sorted(self, colors: list[Color]) -> State:
        """Return the state with colors, and sets, in a fixed order.

        Where that takes the comparison of too many orders it is one of several: then equal states
        may be walked through more than once, and the count is the same.
        """
        colors.sort(key=_shape)
        runs = [[*group] for _, group in groupby(colors, key=_shape)]
        if math.prod(map(_orders, runs)) > _MOST_ORDERS:
            runs = [[color] for run in runs for color in sorted(run)]
        best = min(
            tuple(sorted(zip(*(sets for run in choice for _, sets in run), strict=True)))
            for choice in product(*map(_permuted, runs))
        )
        rows = (row for row, _ in colors)
        return tuple(zip(rows, zip(*best, strict=True), strict=True))


def _run(bits: int) -> int:
    """Return the number of trailing ones: the height of the pile."""
    return (~bits & (bits + 1)).bit_length() - 1


def _shape(color: Color) -> tuple[Vector, list[int]]:
    """Return what of a color is the same in whatever order the sets stand."""
    return color[0], sorted(color[1])


def _orders(run: list[Color]) -> int:
    """Return how many orders `_permuted` gives."""
    return 1 if run.count(run[0]) == len(run) else math.factorial(len(run))


def _permuted(run: list[Color]) -> Iterable[tuple[Color, ...]]:
    """Return the orders of colors of one shape; one if they are all the same."""
    return [tuple(run)] if _orders(run) == 1 else permutations(run)


def _maximal(found: set[tuple[int, ...]], budget: Budget) -> list[tuple[int, ...]]:
    """Return the sets that lie in no other."""
    ordered = sorted(found, key=lambda cards: -sum(bits.bit_count() for bits in cards))
    best: list[tuple[int, ...]] = []
    for cards in ordered:
        budget.check()
        if not any(
            all(small & ~large == 0 for small, large in zip(cards, other, strict=True))
            for other in best
        ):
            best.append(cards)
    return best
