"""Exact counts of winnable sequences in one color, and of winnable decks, for a hand of h cards.

The lazy algorithm of [Baffier2017, section 3] decides a sequence of one color from the largest
value down. It marks one copy of each value. Of the largest h + 1 values it marks the last copy; of
any other value v, the last copy before the (h+1)-th mark from the left, which must exist. That mark
is dropped when the new one is set. Only the h + 1 leftmost marks ever matter.

The count builds sequences by inserting the copies of k, then those of k - 1, and so on. The state
is the positions of the leftmost marks, given by the lengths of the gaps before them. The copies of
the next value are distributed over the gaps; a gap of d cards takes s copies in (d+s over s) ways.
There are at most (N over h+1) states, so the count is polynomial in N for every h. A walk along the
sequence would instead need all product of (x_i + 1) vectors of copies left.

h = 0 is SingleHanabi; from h = k - 1 on, every sequence with all values can be won.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, permutations, product

from hanabi.solitaire.counting.generating import MOST_MEMORY, Budget, UncountedError, good
from hanabi.solitaire.counting.vector import (
    Vector,
    check_hand,
    check_rows,
    check_vector,
    multinomial,
)

__all__ = ["count_by_marks", "estimate_seconds", "winnable", "winnable_decks"]

_STEP = 2e-6  # fitted to 4 x 13 with h = 2 and 3
_STATE = 400  # bytes, about; up to four such tables exist at once

States = defaultdict[Vector, int]
"""Number of sequences by the lengths of the gaps before each mark, from the left."""


def winnable(
    x: Iterable[int], hand_size: int, *, seconds: float = 600.0, memory: int = MOST_MEMORY
) -> int:
    """Return the number of winnable sequences with x_i copies of i and a hand of `hand_size` cards.

    Parameters
    ----------
    x
        k >= 1 counts >= 0.
    hand_size
        h >= 0: the most cards stored at any time.
    seconds, memory
        Budgets. A count that is estimated to take longer is refused; one that takes longer, or
        about as many bytes, is abandoned.

    Raises
    ------
    InvalidInputError
        If `x` is not a vector of counts, or `hand_size` is negative.
    UncountedError
        If a budget is exceeded, or the time is estimated to be.

    >>> [winnable((3, 2, 2, 2, 1), h) for h in range(5)]
    [5934, 41692, 68100, 74970, 75600]
    """
    vector = check_vector(x)
    check_hand(hand_size)
    if 0 in vector:
        return 0
    budget = Budget(seconds, memory)
    if hand_size == 0:
        return good(vector, budget=budget)
    if hand_size >= len(vector) - 1:
        return multinomial(vector)
    estimate = estimate_seconds(vector, hand_size)
    if estimate > seconds:
        n_states = math.comb(sum(vector), hand_size + 1)
        raise UncountedError(
            f"hand size {hand_size}: about {estimate:,.0f} seconds for {n_states:.1e} states"
        )
    return count_by_marks(vector, hand_size, budget)


def estimate_seconds(x: Vector, hand_size: int) -> float:
    """Estimate the seconds that `winnable` takes, to within a factor of about three.

    >>> estimate_seconds((4,) * 13, 5) > 100 > estimate_seconds((4,) * 13, 2)
    True
    """
    if not 0 < hand_size < len(x) - 1 or 0 in x:
        return 0.0
    n_states = float(math.comb(sum(x), hand_size + 1))
    return _STEP * n_states * max(x) * (len(x) + max(x) * (hand_size + 1)) / 4


def count_by_marks(x: Vector, hand_size: int, budget: Budget | None = None) -> int:
    """Count like `winnable`, by states alone, without shortcuts, for any h >= 0 and x_i >= 1.

    >>> count_by_marks((4,) * 13, 0) == good((4,) * 13)
    True
    """
    states: States = defaultdict(int, {(): 1})
    budget = budget or Budget()
    length = 0
    for done, count in enumerate(reversed(x)):
        budget.check(_STATE * count)
        states = _mark(_dealt(states, length, count, is_full=done > hand_size), budget)
        length += count
    return sum(states.values())


def _dealt(states: States, length: int, count: int, *, is_full: bool) -> list[States]:
    """Return the states before a copy of a value is marked; layer u has u copies dealt.

    If there are h + 1 marks, the new mark goes before the last one, and copies after that one are
    free. Otherwise it may also go after all marks, so the cards there form one more gap.
    """
    layers: list[States] = [defaultdict(int) for _ in range(count)]
    for gaps, ways in states.items():
        rest = length - len(gaps) - sum(gaps)
        if is_full:
            for used, layer in enumerate(layers):
                layer[gaps] = ways * math.comb(rest + used, used)
        else:
            layers[0][*gaps, rest] = ways
    return layers


def _mark(layers: list[States], budget: Budget) -> States:
    """Deal the remaining copies, mark the last one, and drop everything after the last mark."""
    result: States = defaultdict(int)
    # If the new mark is not in the last gap, that gap's length is dropped.
    shorter = [_without_last_gap(layer) for layer in layers]
    n_gaps = len(next(iter(layers[0]), ()))
    for m in range(n_gaps - 1):
        _mark_in_gap(result, shorter, m, budget)
        shorter, layers = _spread(shorter, m, budget), _spread(layers, m, budget)
    for used, layer in enumerate(layers):
        more = len(layers) - 1 - used
        for gaps, ways in layer.items():
            budget.check(_STATE * len(result))
            for p in range(gaps[-1] + 1):
                result[(*gaps[:-1], p + more)] += ways * math.comb(p + more, more)
    return result


def _mark_in_gap(result: States, layers: list[States], m: int, budget: Budget) -> None:
    """Put the remaining copies and the new mark into gap m; add the states to `result`.

    p cards of the gap come before the mark, mixed with the other copies.
    """
    for used, layer in enumerate(layers):
        more = len(layers) - 1 - used
        for gaps, ways in layer.items():
            budget.check(_STATE * len(result))
            for p in range(gaps[m] + 1):
                split = (*gaps[:m], p + more, gaps[m] - p, *gaps[m + 1 :])
                result[split] += ways * math.comb(p + more, more)


def _spread(layers: list[States], m: int, budget: Budget) -> list[States]:
    """Deal copies to gap m in all ways; layer u has u copies dealt so far."""
    result: list[States] = [defaultdict(int) for _ in layers]
    for used, layer in enumerate(layers):
        for gaps, ways in layer.items():
            budget.check(_STATE * sum(map(len, result)))
            for s in range(len(layers) - used):
                wider = (*gaps[:m], gaps[m] + s, *gaps[m + 1 :])
                result[used + s][wider] += ways * math.comb(gaps[m] + s, s)
    return result


def _without_last_gap(states: States) -> States:
    result: States = defaultdict(int)
    for gaps, ways in states.items():
        result[gaps[:-1]] += ways
    return result


# Exact number of shuffled decks of several colors that can be won with a hand of h cards.
#
# The count walks over all decks at once. Let G be the cards that a line of play has on the piles or
# in hand: the piles are the runs 1, 2, ... in G, and the hand is the rest of G. It never hurts to
# play at once, to take every new card, and to discard only when more than h cards are held. A line
# with a larger G is at least as good. So the maximal reachable sets G decide what can still be won
# after some cards. They are the states of a deterministic automaton; decks with equal states and
# equal cards left continue alike.
#
# Three things keep the walk short. A card that is on a pile in every G is dead, and its remaining
# copies may lie anywhere: they are removed and counted by a multinomial. Colors are sorted, since
# their names do not matter. And the walk ends when some G wins in every order of the cards left,
# that is, when all cards except the next one of each color would fit in the hand.

Color = tuple[Vector, tuple[int, ...]]
"""One color: the copies left of each value, and the color's cards (bits) in each set G."""

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
    """Return the number of winnable decks with a hand of `hand_size` cards, all cards face up.

    Parameters
    ----------
    copies
        For each color its vector x; all of the same length k. Copies of a card are not
        distinguished: there are multinomial(all copies) decks in all.
    hand_size
        h >= 0, as in Solitaire Hanabi [Baffier2017]: the most cards stored at any time.
    most_states
        Budget of states, each of a kilobyte or more.
    seconds, memory
        Budgets of time and, approximately, of bytes.

    Raises
    ------
    InvalidInputError
        If `copies` or `hand_size` is invalid.
    UncountedError
        If a budget is exceeded.

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
    """Estimate the bytes that a state takes."""
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
        """Whether some G wins in any order: it has room for all but each color's next card."""
        sets = zip(*(sets for _, sets in state), strict=True)
        return any(
            sum(max(self.k - _run(bits) - 1, 0) for bits in cards) <= self.hand_size
            for cards in self.budget.watch(sets)
        )

    def successors(self, state: State) -> Iterator[tuple[State, int]]:
        """Yield each state after the next card, and the number of orders of its dead copies."""
        for color, (row, _) in enumerate(state):
            for i, count in enumerate(row):
                if count and (after := self.draw(state, color, i)):
                    yield self.without_dead(after)

    def draw(self, state: State, color: int, i: int) -> State:
        """Return the state after a copy of value i + 1 of a color, or () if the deck is lost."""
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
        """Yield the sets after discarding a held card of which another copy is left."""
        for color, bits in enumerate(cards):
            for i in range(_run(bits) + 1, self.k):
                if bits >> i & 1 and rows[color][i]:
                    yield (*cards[:color], bits & ~(1 << i), *cards[color + 1 :])

    def without_dead(self, state: State) -> tuple[State, int]:
        """Remove the copies of dead cards; return the sorted state, and their number of orders."""
        colors, dead = [], []
        for row, sets in state:
            height = min(map(_run, sets))
            dead += [count for count in row[:height] if count]
            colors.append(((0,) * height + row[height:], sets))
        orders = multinomial((*dead, sum(sum(row) for row, _ in colors))) if dead else 1
        return self.sorted(colors), orders

    def sorted(self, colors: list[Color]) -> State:
        """Return the state with colors and sets in a canonical order.

        If that would compare too many orders, the order is not canonical: equal states may then be
        walked more than once, with the same count.
        """
        colors.sort(key=_shape)
        runs = [[*group] for _, group in groupby(colors, key=_shape)]
        if math.prod(map(_orders, runs)) > _MOST_ORDERS:
            runs = [[color] for run in runs for color in sorted(run)]
        best = min(
            tuple(sorted(zip(*(sets for run in choice for _, sets in run), strict=True)))
            for choice in self.budget.watch(product(*map(_permuted, runs)))
        )
        rows = (row for row, _ in colors)
        return tuple(zip(rows, zip(*best, strict=True), strict=True))


def _run(bits: int) -> int:
    """Return the number of trailing ones: the height of the pile."""
    return (~bits & (bits + 1)).bit_length() - 1


def _shape(color: Color) -> tuple[Vector, list[int]]:
    """Return a key of a color that does not depend on the order of the sets."""
    return color[0], sorted(color[1])


def _orders(run: list[Color]) -> int:
    """Return the number of orders that `_permuted` returns."""
    return 1 if run.count(run[0]) == len(run) else math.factorial(len(run))


def _permuted(run: list[Color]) -> Iterable[tuple[Color, ...]]:
    """Return the orders of colors of one shape; a single one if the colors are equal."""
    return [tuple(run)] if _orders(run) == 1 else permutations(run)


def _maximal(found: set[tuple[int, ...]], budget: Budget) -> list[tuple[int, ...]]:
    """Return the sets that no other set contains."""
    ordered = sorted(found, key=lambda cards: -sum(bits.bit_count() for bits in cards))
    best: list[tuple[int, ...]] = []
    for cards in budget.watch(ordered):
        if not any(
            all(small & ~large == 0 for small, large in zip(cards, other, strict=True))
            for other in best
        ):
            best.append(cards)
    return best
