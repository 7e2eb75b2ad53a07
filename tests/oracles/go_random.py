"""Where the 607 constants of Go's `math/rand` come from: worked out, not copied.

They are the words of the same generator after 780 * 10^10 steps from a plainer seeding. It is a
linear recurrence, z(n) = z(n - 607) + z(n - 273) modulo 2^64, so that many steps are one
polynomial: x^steps modulo x^607 - x^334 - 1.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

LENGTH, TAP = 607, 273
STEPS = 780 * 10**10

Words = npt.NDArray[np.uint64]


def derive_constants() -> bytes:
    """Return the constants as 64-bit words, little end first. Less than a second."""
    places = [_place(n) for n in range(-LENGTH, 0)]
    z = np.empty(2 * LENGTH, np.uint64)  # z(-607), z(-606), ...
    z[:LENGTH] = _plain_words()[places]
    for k in range(LENGTH, z.size):
        z[k] = z[k - LENGTH] + z[k - TAP]
    polynomial = _power_of_x(STEPS)
    constants = np.empty(LENGTH, "<u8")
    for k in range(LENGTH):
        constants[_place(STEPS - LENGTH + k)] = np.dot(polynomial, z[k : k + LENGTH])
    return constants.tobytes()


def _place(n: int) -> int:
    """Return where the generator keeps z(n): it writes downwards, z(0) to place 333."""
    return (LENGTH - TAP - 1 - n) % LENGTH


def _plain_words() -> Words:
    x, words = 1, []
    for n in range(20 + 3 * LENGTH):
        x = 48271 * x % (2**31 - 1)
        if n >= 20:
            words.append(x)
    first, second, third = (np.array(words[k::3], np.uint64) for k in range(3))
    return first << np.uint64(20) ^ second << np.uint64(10) ^ third


def _power_of_x(exponent: int) -> Words:
    """Return the coefficients of x^exponent, the lowest first."""
    power = np.zeros(LENGTH, np.uint64)
    power[0] = 1
    for bit in f"{exponent:b}":
        power = _reduced(np.convolve(power, power))
        if bit == "1":
            power = _reduced(np.append(np.uint64(0), power))
    return power


def _reduced(polynomial: Words) -> Words:
    """Return a polynomial modulo x^607 - x^334 - 1."""
    while polynomial.size > LENGTH:
        low, high = polynomial[:LENGTH].copy(), polynomial[LENGTH:]
        low[: high.size] += high
        polynomial = np.zeros(max(LENGTH, LENGTH - TAP + high.size), np.uint64)
        polynomial[:LENGTH] = low
        polynomial[LENGTH - TAP : LENGTH - TAP + high.size] += high
    return polynomial
