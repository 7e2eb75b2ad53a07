"""Compiled kernels of seeds."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.ground.compiled import jit

__all__ = ["deal"]

# Decks of hanab.live's seeds, fast enough for hundreds of thousands.
#
# A shuffle of 60 cards draws about 60 numbers from a generator of 607 words. The first 273 outputs
# are sums of seeded words, and each of these can be computed alone: the seeding is a power of a
# constant modulo a prime. So only the words that are used are computed, a fifth of all.
# `hanabi.rules.seeds.seed` has the plain algorithm.

_LENGTH, _TAP = 607, 273
_DISCARDED = 20
_FACTOR, _MODULUS, _IN_PLACE_OF_ZERO = np.uint64(48271), np.uint64(2147483647), np.uint64(89482311)
_NUMBERS = np.uint64(2147483648)

_POLYNOMIAL = np.uint64(0xC96C5795D7870F42)
_64_BITS = np.uint64(0xFFFFFFFFFFFFFFFF)
_63_BITS = np.uint64(0x7FFFFFFFFFFFFFFF)
_0, _1, _2, _20, _32, _40, _63 = (np.uint64(number) for number in (0, 1, 2, 20, 32, 40, 63))


@jit
def _start(name: npt.NDArray[np.uint8]) -> np.uint64:
    """Return the initial state of the seeding: the CRC-64 of the name, reduced."""
    crc = _64_BITS
    for byte in name:
        crc ^= np.uint64(byte)
        for _ in range(8):
            odd = crc & _1
            crc >>= _1
            if odd:
                crc ^= _POLYNOMIAL
    crc ^= _64_BITS
    state = (crc & _63_BITS) % _MODULUS
    if crc >> _63:  # a negative number: the highest bit counts as -2^63, which is -2
        state = (state + _MODULUS - _2) % _MODULUS
    return state if state != _0 else _IN_PLACE_OF_ZERO


@jit
def _word(start: np.uint64, jump: np.uint64, constant: np.uint64) -> np.uint64:
    """Return the lower 63 bits of the seeded word at a jump from the start."""
    first = start * jump % _MODULUS
    second = first * _FACTOR % _MODULUS
    third = second * _FACTOR % _MODULUS
    return ((first << _40) ^ (second << _20) ^ third ^ constant) & _63_BITS


@jit
def _draw(
    start: np.uint64, drawn: int, jumps: npt.NDArray[np.uint64], constants: npt.NDArray[np.uint64]
) -> np.uint64:
    """Return output number `drawn`, from 0 to 272, as an integer below 2^31."""
    tap, feed = _LENGTH - 1 - drawn, _LENGTH - 1 - _TAP - drawn
    total = _word(start, jumps[tap], constants[tap]) + _word(start, jumps[feed], constants[feed])
    return (total & _63_BITS) >> _32


@jit
def deal(
    names: npt.NDArray[np.uint8],
    ends: npt.NDArray[np.int64],
    constants: npt.NDArray[np.uint64],
    decks: npt.NDArray[np.uint8],
) -> None:
    """Fill row i of `decks` with the deck of seed i, as places in the deck before shuffling.

    This takes a few microseconds a deck. A number is redrawn with a probability below 2^-25, so the
    273 outputs are enough for any seed.

    Parameters
    ----------
    names
        The concatenated texts of the seeds, in UTF-8.
    ends
        Shape (count,): the end of each text in `names`.
    constants
        Shape (607,): the constants of `hanabi.rules.seeds.seed`.
    decks
        Shape (count, N) for decks of N <= 255 cards; overwritten.
    """
    jumps = np.empty(_LENGTH, np.uint64)
    power = _1
    for step in range(1, _DISCARDED + 3 * _LENGTH):
        power = power * _FACTOR % _MODULUS
        if step > _DISCARDED and (step - _DISCARDED) % 3 == 1:
            jumps[(step - _DISCARDED) // 3] = power
    begin = 0
    for i in range(ends.size):
        start, drawn, deck = _start(names[begin : ends[i]]), 0, decks[i]
        begin = ends[i]
        for j in range(deck.size):
            bound = np.uint64(j + 1)
            number = _draw(start, drawn, jumps, constants)
            drawn += 1
            while number >= _NUMBERS - _NUMBERS % bound:
                number = _draw(start, drawn, jumps, constants)
                drawn += 1
            k = number % bound
            deck[j] = j
            deck[j], deck[k] = deck[k], deck[j]
