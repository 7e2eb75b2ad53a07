"""The generator of Go's `math/rand`, and where its constants come from."""

from __future__ import annotations

from importlib.resources import files

import pytest

from hanabi.rules.seeds.seed import LENGTH, TAP, Generator
from oracles.go_random import derive_constants


def test_the_stored_constants_are_those_that_are_derived() -> None:
    stored = files("hanabi.rules.seeds").joinpath("constants.bin").read_bytes()
    assert stored == derive_constants()


def test_what_everybody_knows_of_seed_1() -> None:
    generator = Generator(1)
    assert [generator.below(100) for _ in range(10)] == [81, 87, 47, 59, 81, 18, 25, 40, 56, 0]


@pytest.mark.parametrize(("seed", "same"), [(0, 89482311), (-1, 2**31 - 2), (5, 2**31 + 4)])
def test_seeds_that_are_alike(seed: int, same: int) -> None:
    one, other = Generator(seed), Generator(same)
    assert [one.below(2**31 - 1) for _ in range(9)] == [other.below(2**31 - 1) for _ in range(9)]


def test_outputs_are_sums_of_earlier_ones() -> None:
    generator = Generator(3)
    words = [generator._word() % 2**64 for _ in range(2 * LENGTH)]
    for n in range(LENGTH, 2 * LENGTH):
        assert words[n] == (words[n - LENGTH] + words[n - TAP]) % 2**64
