"""The plain and the compiled loops of the linear-time solvers agree with other algorithms."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi.ground.clock import NO_LIMIT, Clock
from hanabi.solitaire import Instance, find_broken_rule, single_color, unique
from oracles.linear import SlowLazy, SlowUnique

# A first call compiles, which takes seconds.
agreement = settings(max_examples=250)


ORACLES: dict[ModuleType, Callable[[Instance, Clock], object]] = {
    unique: SlowUnique,
    single_color: lambda instance, clock: SlowLazy(instance, instance.goal, clock),
}


def _answers(module: ModuleType, instance: Instance, by: str) -> dict[str, Any]:
    def begin(instance: Instance, clock: Clock = NO_LIMIT, **_: bool) -> object:
        return ORACLES[module](instance, clock)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "COMPILED_FROM", 0 if by == "compiled" else 10**9)
        if by == "oracle":
            patch.setattr(module, "_begin", begin)
        answers = {
            name: getattr(module, name)(instance) for name in module.__all__ if name[0].islower()
        }
    answers["solve"] = replace(answers["solve"], seconds=0.0)
    return answers


@st.composite
def unique_instances(draw: st.DrawFn) -> Instance:
    """Most of a deck, nearly in playing order or not at all."""
    n, c = draw(st.integers(0, 40)), draw(st.integers(0, 12))
    stream = [(color, value) for value in range(1, n + 1) for color in range(c)]
    disorder = draw(st.sampled_from([0.0, 1.0, 5.0, 1000.0]))
    rng = random.Random(draw(st.integers(0, 2**32)))
    place = {card: i + disorder * rng.random() * c for i, card in enumerate(stream)}
    stream.sort(key=place.__getitem__)
    n_missing = draw(st.sampled_from([0, 0, 0, 1, 2, 9]))
    dropped = set(rng.sample(stream, min(n_missing, len(stream))))
    thickness = unique.interval_thickness(Instance(0, stream))
    hand_size = max(0, thickness + draw(st.sampled_from([0, 0, -1, -3, 2, -thickness])))
    return Instance(hand_size, [card for card in stream if card not in dropped], n=n, c=c)


@agreement
@given(unique_instances())
def test_unique_plain_and_compiled_agree(instance: Instance) -> None:
    plain = _answers(unique, instance, "plain")
    assert _answers(unique, instance, "compiled") == plain
    assert _answers(unique, instance, "oracle") == plain
    verdict = plain["solve"]
    if verdict.is_winnable:
        assert find_broken_rule(instance, verdict.witness) is None
    assert plain["interval_thickness"] == plain["bubble_sort_passes"]
    if plain["least_hand"] is not None:
        assert plain["least_hand"] == plain["interval_thickness"]
        assert verdict.is_winnable == (plain["least_hand"] <= instance.hand_size)


@st.composite
def single_color_instances(draw: st.DrawFn) -> Instance:
    """Several rounds through the values, each more or less in order, some values left out."""
    n, n_rounds = draw(st.integers(0, 120)), draw(st.integers(1, 5))
    disorder = draw(st.sampled_from([0.0, 3.0, 30.0, 1000.0]))
    rng = random.Random(draw(st.integers(0, 2**32)))
    values: list[int] = []
    for _ in range(n_rounds):
        place = {value: value + disorder * rng.random() for value in range(1, n + 1)}
        kept = draw(st.sampled_from([1.0, 1.0, 0.9, 0.3]))
        values += [v for v in sorted(place, key=place.__getitem__) if rng.random() < kept]
    hand_size = draw(st.integers(0, 4) | st.integers(0, n + 2))
    return Instance(hand_size, [(0, value) for value in values], n=n, c=1)


@agreement
@given(single_color_instances())
def test_single_color_plain_and_compiled_agree(instance: Instance) -> None:
    plain = _answers(single_color, instance, "plain")
    assert _answers(single_color, instance, "compiled") == plain
    assert _answers(single_color, instance, "oracle") == plain
    verdict = plain["solve"]
    if verdict.is_winnable:
        assert find_broken_rule(instance, verdict.witness) is None
    least = plain["least_hand"]
    assert verdict.is_winnable == (least is not None and least <= instance.hand_size)


@agreement
@given(unique_instances())
def test_the_two_solvers_agree_where_they_meet(instance: Instance) -> None:
    values = [value for color, value in instance.cards if color == 0]
    one_color = Instance(instance.hand_size, [(0, value) for value in values], n=instance.n, c=1)
    greedy, lazy = unique.solve(one_color), single_color.solve(one_color)
    assert (greedy.status, greedy.lower, greedy.upper) == (lazy.status, lazy.lower, lazy.upper)
    assert unique.least_hand(one_color) == single_color.least_hand(one_color)
