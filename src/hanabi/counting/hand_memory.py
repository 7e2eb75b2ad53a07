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
from collections.abc import Iterable
from fractions import Fraction

from hanabi.counting.generating import good
from hanabi.counting.vector import Vector, check_vector, multinomial
from hanabi.errors import InvalidInputError, quote

__all__ = ["count_by_marks", "estimate_seconds", "probability", "winnable"]

_STEP = 2e-6  # fitted to 4 x 13 with h = 2 and 3

States = dict[Vector, int]
"""Number of sequences by the lengths of the gaps before each mark, from the left."""


def winnable(x: Iterable[int], hand_size: int, *, seconds: float = 600.0) -> int:
    """Return how many sequences with x_i copies of i can be won with `hand_size` cards in hand.

    Parameters
    ----------
    x
        k >= 1 counts >= 0.
    hand_size
        h >= 0: the most cards stored at any time.
    seconds
        Refuse what is estimated to take longer.

    Raises
    ------
    InvalidInputError
        If `x` is no vector of counts, `hand_size` is negative, or it would take too long; the
        message has an estimate.

    >>> [winnable((3, 2, 2, 2, 1), h) for h in range(5)]
    [5934, 41692, 68100, 74970, 75600]
    """
    vector = check_vector(x)
    if not isinstance(hand_size, int) or isinstance(hand_size, bool) or hand_size < 0:
        raise InvalidInputError(f"hand size: {quote(hand_size)} is not an integer >= 0")
    if 0 in vector:
        return 0
    if hand_size == 0:
        return good(vector)
    if hand_size >= len(vector) - 1:
        return multinomial(vector)
    estimate = estimate_seconds(vector, hand_size)
    if estimate > seconds:
        n_states = math.comb(sum(vector), hand_size + 1)
        raise InvalidInputError(
            f"hand size {hand_size}: about {estimate:,.0f} seconds for {n_states:.1e} states;"
            " estimate it by simulation instead"
        )
    return count_by_marks(vector, hand_size)


def estimate_seconds(x: Vector, hand_size: int) -> float:
    """Estimate the time of `winnable`, good to a factor of about three.

    >>> estimate_seconds((4,) * 13, 5) > 100 > estimate_seconds((4,) * 13, 2)
    True
    """
    if not 0 < hand_size < len(x) - 1 or 0 in x:
        return 0.0
    n_states = float(math.comb(sum(x), hand_size + 1))
    return _STEP * n_states * max(x) * (len(x) + max(x) * (hand_size + 1)) / 4


def probability(x: Iterable[int], hand_size: int) -> Fraction:
    """Return the exact probability that a shuffled sequence can be won.

    >>> probability((3, 2, 2, 2, 1), 1)
    Fraction(1489, 2700)
    """
    vector = check_vector(x)
    return Fraction(winnable(vector, hand_size), multinomial(vector))


def count_by_marks(x: Vector, hand_size: int) -> int:
    """Return the same by the states alone, for any h >= 0 and x_i >= 1, without shortcuts.

    >>> count_by_marks((4,) * 13, 0) == good((4,) * 13)
    True
    """
    n_marks = hand_size + 1
    states: States = {(): 1}
    length = 0
    for done, count in enumerate(reversed(x)):
        if done < n_marks:
            states = _mark_last_copy(states, length, count)
        else:
            states = _mark_before_limit(states, length, count)
        length += count
    return sum(states.values())


def _mark_last_copy(states: States, length: int, count: int) -> States:
    """Put `count` copies of a value anywhere and mark the last one."""
    result: States = {}
    layers = [states] + [{} for _ in range(count - 1)]
    n_gaps = len(next(iter(states)))
    for m in range(n_gaps):
        _mark_in_gap(result, layers, m)
        layers = _spread(layers, m)
    # The last copy may also lie behind all marks.
    for used, layer in enumerate(layers):
        more = count - 1 - used
        for gaps, ways in layer.items():
            rest = length + used - n_gaps - sum(gaps)
            for p in range(rest + 1):
                _add(result, (*gaps, p + more), ways * math.comb(p + more, more))
    return result


def _mark_before_limit(states: States, length: int, count: int) -> States:
    """Put copies anywhere, mark the last one before the last mark, and drop that mark."""
    n_gaps = len(next(iter(states), ()))
    # Copies behind the last mark come first: they are free.
    layers: list[States] = []
    for used in range(count):
        layer = {}
        for gaps, ways in states.items():
            rest = length - n_gaps - sum(gaps)
            layer[gaps] = ways * math.comb(rest + used, used)
        layers.append(layer)
    result: States = {}
    # Where the new mark is not in the last gap, that gap's length is forgotten with its mark.
    shorter = [_without_last_gap(layer) for layer in layers]
    for m in range(n_gaps - 1):
        _mark_in_gap(result, shorter, m)
        shorter, layers = _spread(shorter, m), _spread(layers, m)
    for used, layer in enumerate(layers):
        more = count - 1 - used
        for gaps, ways in layer.items():
            for p in range(gaps[-1] + 1):
                _add(result, (*gaps[:-1], p + more), ways * math.comb(p + more, more))
    return result


def _mark_in_gap(result: States, layers: list[States], m: int) -> None:
    """Add to `result` the states with the copies that are left and the new mark in gap m.

    The mark has all but `d - p` cards of the gap before it, with the other copies among them.
    """
    for used, layer in enumerate(layers):
        more = len(layers) - 1 - used
        for gaps, ways in layer.items():
            for p in range(gaps[m] + 1):
                split = (*gaps[:m], p + more, gaps[m] - p, *gaps[m + 1 :])
                _add(result, split, ways * math.comb(p + more, more))


def _spread(layers: list[States], m: int) -> list[States]:
    """Deal copies to gap m in all ways; layer number u has u copies dealt so far."""
    result: list[States] = [{} for _ in layers]
    for used, layer in enumerate(layers):
        for gaps, ways in layer.items():
            for s in range(len(layers) - used):
                wider = (*gaps[:m], gaps[m] + s, *gaps[m + 1 :])
                _add(result[used + s], wider, ways * math.comb(gaps[m] + s, s))
    return result


def _without_last_gap(states: States) -> States:
    result: States = {}
    for gaps, ways in states.items():
        _add(result, gaps[:-1], ways)
    return result


def _add(states: States, gaps: Vector, ways: int) -> None:
    states[gaps] = states.get(gaps, 0) + ways
