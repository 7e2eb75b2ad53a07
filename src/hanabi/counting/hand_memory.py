"""One color and a hand of h cards: how many sequences can be won, exactly.

The lazy algorithm of [Baffier2017, section 3] decides a sequence from the largest value down. It
marks one copy of each value: of the largest h + 1 values the last copy, of any other value v the
last copy before the (h+1)-th mark from the left, which must exist; with the new mark, that one is
dropped. Nothing but the h + 1 leftmost marks is ever looked at.

So build sequences by putting in the copies of k, then those of k - 1, and so on. The state is the
places of the leftmost marks, given by the lengths of the gaps before them; the copies of the next
value are dealt out to the gaps, a gap of d cards taking s in (d+s over s) ways. There are at most
(N over h+1) states, so the count is polynomial in N for every h, where a walk along the sequence
would need all product of (x_i + 1) vectors of copies left.

h = 0 is SingleHanabi; from h = k - 1 on every sequence with all values can be won.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable

from hanabi.counting.cost import MOST_MEMORY, Budget, UncountedError
from hanabi.counting.generating import good
from hanabi.counting.vector import Vector, check_hand, check_vector, multinomial

__all__ = ["count_by_marks", "estimate_seconds", "winnable"]

_STEP = 2e-6  # fitted to 4 x 13 with h = 2 and 3
_STATE = 400  # bytes, about; up to four such tables stand side by side

States = defaultdict[Vector, int]
"""Number of sequences by the lengths of the gaps before each mark, from the left."""


def winnable(
    x: Iterable[int], hand_size: int, *, seconds: float = 600.0, memory: int = MOST_MEMORY
) -> int:
    """Return how many sequences with x_i copies of i can be won with `hand_size` cards in hand.

    Parameters
    ----------
    x
        k >= 1 counts >= 0.
    hand_size
        h >= 0: the most cards stored at any time.
    seconds, memory
        Refuse what is estimated to take longer; give up what takes longer, or about so many bytes.

    Raises
    ------
    InvalidInputError
        If `x` is no vector of counts, or `hand_size` is negative.
    UncountedError
        If it would take too long, or does.

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
    """Estimate the time of `winnable`, good to a factor of about three.

    >>> estimate_seconds((4,) * 13, 5) > 100 > estimate_seconds((4,) * 13, 2)
    True
    """
    if not 0 < hand_size < len(x) - 1 or 0 in x:
        return 0.0
    n_states = float(math.comb(sum(x), hand_size + 1))
    return _STEP * n_states * max(x) * (len(x) + max(x) * (hand_size + 1)) / 4


def count_by_marks(x: Vector, hand_size: int, budget: Budget | None = None) -> int:
    """Return the same by the states alone, for any h >= 0 and x_i >= 1, without shortcuts.

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
    """Return the states from which a copy of a value is marked; layer u has u copies dealt.

    Where there are h + 1 marks, the mark comes before the last, and copies behind that are free.
    Else it may come behind all marks, and what lies there is one gap more.
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
    """Deal out the other copies, mark the last one, and drop what lies behind the last mark."""
    result: States = defaultdict(int)
    # Where the new mark is not in the last gap, that gap's length is forgotten.
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
    """Add to `result` the states with the copies that are left and the new mark in gap m.

    Of that gap p cards come before the mark, with the other copies among them.
    """
    for used, layer in enumerate(layers):
        more = len(layers) - 1 - used
        for gaps, ways in layer.items():
            budget.check(_STATE * len(result))
            for p in range(gaps[m] + 1):
                split = (*gaps[:m], p + more, gaps[m] - p, *gaps[m + 1 :])
                result[split] += ways * math.comb(p + more, more)


def _spread(layers: list[States], m: int, budget: Budget) -> list[States]:
    """Deal copies to gap m in all ways; layer number u has u copies dealt so far."""
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
