"""Whatever was done before, by whom and in which pieces, the results are the same."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi.ground.errors import InvalidInputError, StoreError
from hanabi.lab import (
    JSON,
    Job,
    Simulation,
    Store,
    key_of,
    open_executor,
    rules_from_json,
    rules_to_json,
    run,
)
from hanabi.lab.work import Pace, Range, merged, missing
from hanabi.rules import Rules
from hanabi.rules.deck import DeckSpec
from hanabi.rules.variants import variant_names

RANGES = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 15)), max_size=8)
ITEMS = st.integers(0, 50)
SIZES = st.none() | st.integers(1, 20)


@dataclass(frozen=True)
class Cubes:
    """The cubes of the items; what was asked for is noted."""

    asked: list[int] = field(default_factory=list, compare=False)
    lock: threading.Lock = field(default_factory=threading.Lock, compare=False)

    kind: ClassVar[str] = "cubes"
    version: ClassVar[int] = 1
    noun: ClassVar[str] = "numbers"
    is_compiled: ClassVar[bool] = True

    def config(self) -> dict[str, JSON]:
        return {}

    def run(self, first: int, count: int, /) -> bytes:
        with self.lock:
            self.asked.extend(range(first, first + count))
        return cubes(first, count)


def cubes(first: int, count: int) -> bytes:
    return b"".join((item**3).to_bytes(3, "big") for item in range(first, first + count))


def covered(ranges: list[Range]) -> set[int]:
    return {item for first, count in ranges for item in range(first, first + count)}


def store_of(ranges: list[Range]) -> Store:
    store = Store.memory()
    key = store.add(Cubes())
    for first, count in ranges:
        store.put(key, first, count, cubes(first, count), seconds=0.0)
    return store


@given(RANGES, ITEMS)
def test_ranges_are_sets_of_items(ranges: list[Range], items: int) -> None:
    whole = merged(ranges)
    assert covered(whole) == covered(ranges)
    assert all(sum(left) < right[0] for left, right in pairwise(whole))
    left = missing(ranges, items)
    assert covered(left) == set(range(items)) - covered(ranges)
    assert sum(count for _, count in left) == len(covered(left))


@given(RANGES, ITEMS)
def test_a_store_gives_what_it_has(ranges: list[Range], items: int) -> None:
    store = store_of(ranges)
    assert covered(store.ranges(key_of(Cubes()))) == covered(ranges)
    if covered(ranges) >= set(range(items)):
        assert store.payload(key_of(Cubes()), items) == cubes(0, items)
    else:
        with pytest.raises(StoreError, match="is not done"):
            store.payload(key_of(Cubes()), items)


@given(RANGES, st.lists(st.tuples(ITEMS, SIZES), min_size=1, max_size=3), st.integers(1, 3))
def test_a_run_does_what_is_missing_once(
    ranges: list[Range], jobs: list[tuple[int, int | None]], workers: int
) -> None:
    store, work = store_of(ranges), Cubes()
    plan = [Job(work, items, chunk=size) for items, size in jobs]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "hanabi.ground.workers.dispatch._ALONE_SECONDS", 0.0
        )  # the workers do everything
        with open_executor("threads", workers) as pool:
            run(plan, store, executor=pool)
    most = max(items for items, _ in jobs)
    assert sorted(work.asked) == sorted(set(range(most)) - covered(ranges))
    assert store.payload(key_of(work), most) == cubes(0, most)


@given(
    st.lists(st.floats(1e-7, 100), min_size=1, max_size=30),
    st.integers(1, 10**6),
    st.integers(1, 100),
)
def test_chunks_follow_each_other_whatever_they_take(
    seconds: list[float], items: int, workers: int
) -> None:
    pace, first = Pace(Job(Cubes(), items), workers), 0
    for each in seconds:
        if first == items:
            return
        count = pace.size(first, items - first)
        assert 1 <= count <= items - first
        end = first + count
        assert end == items or end & -end >= count / 2
        pace.learn(count, each)
        first = end


@settings(max_examples=20)
@given(st.integers(0, 2**64 - 1), st.integers(0, 3), st.lists(st.integers(1, 9), max_size=4))
def test_games_do_not_depend_on_the_cut(seed: int, repeat: int, counts: list[int]) -> None:
    rules = Rules(spec=DeckSpec(((1, 1), (1, 1))), seats=2, hand_size=1)
    work = Simulation(("random",), rules, seed=seed, repeat=repeat)
    first, parts = 0, []
    for count in counts:
        parts.append(work.run(first, count))
        first += count
    assert b"".join(parts) == work.run(0, first)


@given(
    st.lists(
        st.lists(st.integers(0, 4), min_size=1, max_size=4).map(tuple), min_size=1, max_size=4
    ),
    st.integers(1, 6),
    st.integers(1, 6),
    st.integers(0, 9),
    st.none() | st.integers(0, 6),
    st.lists(st.booleans(), min_size=8, max_size=8),
)
def test_rules_survive_json(
    copies: list[tuple[int, ...]],
    seats: int,
    hand_size: int,
    hints: int,
    final_round: int | None,
    switches: list[bool],
) -> None:
    names = (
        "completion_bonus", "discard_at_full_hints", "empty_hints", "bombed_scores_zero",
        "open_hands", "keep_slots", "stop_when_stuck", "deck_plays",
    )  # fmt: skip
    flags: dict[str, Any] = dict(zip(names, switches, strict=True))
    try:
        rules = Rules(
            spec=DeckSpec(tuple(copies)),
            seats=seats,
            hand_size=hand_size,
            hints=hints,
            final_round=final_round,
            **flags,
        )
    except InvalidInputError:
        return
    assert rules_from_json(rules_to_json(rules)) == rules


@given(st.sampled_from(variant_names()), st.integers(2, 6))
def test_rules_of_variants_survive_json(name: str, seats: int) -> None:
    rules = Rules.hanab_live(seats, variant=name)
    assert rules_from_json(rules_to_json(rules)) == rules
