"""The law of the least hand in plain Python: the twins of the compiled samplers."""

from __future__ import annotations

import math

from hanabi.ground.rng import Stream
from hanabi.solitaire import Instance

__all__ = ["limit", "limit_by_points", "random_stream"]

_CAP = 16


def random_stream(n: int, c: int, seed: int, index: int) -> Instance:
    """Return the shuffled stream in which each card occurs once."""
    cards = [(color, value) for color in range(c) for value in range(1, n + 1)]
    return Instance(0, Stream(seed, index).shuffled(cards), n=n, c=c)


def limit(c: int, seed: int, index: int, r: int = 1) -> float:
    """Return a sample of L(c, r) by the jumps of the lowest points: the twin of the kernel."""
    rng = Stream(seed, index)

    def uniform() -> float:
        return ((rng.word() >> 11) + 1) * 2.0**-53

    def exponential() -> float:
        whole = 0.0
        while True:
            falling = [uniform()]
            while (number := uniform()) < falling[-1]:
                falling.append(number)
            if len(falling) % 2:
                return whole + falling[0]
            whole += 1.0

    lowest = [_CAP * math.pow(c, 1 / (r + 1))] * c
    least, total, power = lowest[0], lowest[0] * c, 0.0
    while True:
        power += exponential() / total
        x = math.pow(power, 1 / r)
        if x >= least:
            return least
        rest, color = uniform() * total, 0
        while color < c - 1 and rest > lowest[color]:
            rest -= lowest[color]
            color += 1
        lowest[color] *= uniform()
        total = 0.0
        for low in lowest:
            total += low
        least = min(least, x + total)


def limit_by_points(c: int, seed: int, index: int, r: int = 1) -> float:
    """Return a sample of L(c, r) as it is defined, by all points of the processes in a square."""
    rng = Stream(seed, index)

    def uniform() -> float:
        return (rng.below(2**53) + 1) * 2.0**-53

    side = 3 * math.pow(c, 1 / (r + 1)) + 4
    points = []
    for color in range(c):
        power = 0.0  # of x: uniform where x has the density r * x**(r - 1)
        while (power := power - math.log(uniform()) / side) < side**r:
            points.append((math.pow(power, 1 / r), uniform() * side, color))
    lowest, least = [side] * c, side
    for x, y, color in sorted(points):
        lowest[color] = min(lowest[color], y)
        least = min(least, x + sum(lowest))
    assert least < side
    return least
