"""Windows of a stream against the lemma read literally: every set of values that are held."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi.ground.errors import IllegalActionError
from hanabi.solitaire import Instance, Play, find_broken_rule, solve
from hanabi.solitaire.certificate import Weights
from hanabi.solitaire.paths import certify
from hanabi.solitaire.windows import (
    Window,
    cheapest_windows,
    describe,
    loads_of,
    ways_of,
    windows_of,
)

streams = st.integers(1, 3).flatmap(
    lambda c: st.integers(1, 5).flatmap(
        lambda n: st.permutations(
            [(color, value) for color in range(c) for value in range(1, n + 1)] * 2
        ).flatmap(
            lambda cards: st.builds(
                Instance,
                st.integers(0, 3),
                st.just(cards[: len(cards) - 2]),
                n=st.just(n),
                c=st.just(c),
            )
        )
    )
)


def paths_of(instance: Instance, color: int) -> Iterator[tuple[frozenset[int], tuple[Window, ...]]]:
    """Yield each set of held values that the lemma allows, with its windows."""
    cards = list(zip(instance.colors, instance.values, strict=True))
    places = {
        value: [at for at, card in enumerate(cards, start=1) if card == (color, value)]
        for value in range(1, instance.n + 1)
    }
    for size in range(instance.n):
        for held in combinations(range(2, instance.n + 1), size):
            time, windows = places[1][0], []
            for value in range(2, instance.n + 1):
                before = [at for at in places[value] if at < time]
                after = [at for at in places[value] if at > time]
                if not (before if value in held else after):
                    break
                if value in held:
                    windows.append(Window(color, value, before[-1], time))
                else:
                    time = after[0]
            else:
                yield frozenset(held), tuple(sorted(windows, key=lambda w: (w.opens, w.closes)))


def kept(sets: dict[frozenset[int], tuple[Window, ...]], n: int) -> list[frozenset[int]]:
    """Leave out what holds a card although nothing need be held from some card on."""
    return [
        held
        for held in sets
        if not any(
            frozenset(v for v in held if v <= value) in sets and any(v > value for v in held)
            for value in range(1, n + 1)
        )
    ]


@settings(max_examples=300, deadline=None)
@given(streams)
def test_ways_are_the_sets_of_the_lemma(instance: Instance) -> None:
    ways = ways_of(instance)
    if instance.missing_card() is not None:
        assert ways == ()
        return
    assert [each.color for each in ways] == list(range(instance.c))
    for each in ways:
        sets = dict(paths_of(instance, each.color))
        chosen = kept(sets, instance.n)
        windows = [set(sets[held]) for held in chosen]
        assert each.count == len(chosen)
        assert each.least == min(map(len, sets)) == min(map(len, chosen))
        assert set(each.windows) == set().union(*windows)
        assert set(each.forced) == set.intersection(*windows)
        assert list(each.windows) == sorted(each.windows, key=lambda w: (w.opens, w.closes))


@settings(max_examples=150, deadline=None)
@given(streams, st.dictionaries(st.integers(1, 20), st.integers(1, 3), max_size=3))
def test_cheapest_windows_cost_what_the_cheapest_set_costs(
    instance: Instance, moments: dict[int, int]
) -> None:
    if instance.missing_card() is not None:
        return

    def cost(windows: tuple[Window, ...]) -> int:
        return sum(
            weight
            for position, weight in moments.items()
            for window in windows
            if window.opens < position <= window.closes
        )

    found = cheapest_windows(instance, moments)
    for color in range(instance.c):
        sets = [windows for _, windows in paths_of(instance, color)]
        own = tuple(window for window in found if window.color == color)
        assert own in sets
        assert cost(own) == min(map(cost, sets))


@settings(max_examples=150, deadline=None)
@given(streams)
def test_the_windows_of_a_play_fit_the_hand(instance: Instance) -> None:
    verdict = solve(instance)
    if verdict.witness is None:
        return
    held = windows_of(instance, verdict.witness)
    loads = loads_of(held, instance.N)
    assert max(loads) <= instance.hand_size
    assert loads == [
        sum(window.opens < position <= window.closes for window in held)
        for position in range(1, instance.N + 2)
    ]


def test_windows_of_any_legal_play() -> None:
    instance = Instance(2, [(0, 3), (0, 2), (0, 1), (0, 3)])
    thrown = Play(
        [(1, "store"), (2, "store"), (1, "discard"), (3, "play"), (2, "play"), (4, "play")]
    )
    assert find_broken_rule(instance, thrown) is None
    assert windows_of(instance, thrown) == (Window(0, 3, 1, 2), Window(0, 2, 2, 3))
    kept_for_ever = Play([(1, "store"), (2, "discard"), (3, "discard"), (4, "discard")])
    assert windows_of(instance, kept_for_ever) == (Window(0, 3, 1, 5),)
    assert loads_of(windows_of(instance, kept_for_ever), 4) == [0, 1, 1, 1, 1]
    with pytest.raises(IllegalActionError):
        windows_of(instance, Play([(1, "play")]))


def test_the_number_of_ways_is_exact_where_it_is_large() -> None:
    """Blocks `3 2 3`, in which 3 is held or waited for, and at the end a card that must be held."""
    blocks = 200
    cards = [(0, 1)]
    for value in range(2, 2 * blocks + 2, 2):
        cards += [(0, value + 1), (0, value), (0, value + 1)]
    n = 2 * blocks + 3
    instance = Instance(1, [*cards, (0, n), (0, n - 1)])
    [ways] = ways_of(instance)
    assert ways.count == 2**blocks
    assert (ways.least, len(ways.windows)) == (1, blocks + 1)
    assert ways.forced == (Window(0, n, len(cards) + 1, len(cards) + 2),)
    assert list(describe(instance, [ways])) == [
        "With a choice: r (about 10^60 ways, at least 1 window of 201, 1 of them in every way)."
    ]


def test_words() -> None:
    lost = Instance(1, [(0, 2), (1, 2), (0, 1), (1, 1)])
    assert list(describe(lost, ways_of(lost))) == [
        "With a single way: r (r2 waits over cards 1-3), y (y2 waits over cards 2-4)."
    ]
    missing = Instance(1, [(0, 2)])
    assert list(describe(missing, ways_of(missing))) == ["No way to play: r1 never occurs."]
    empty = Instance(1, [])
    assert next(describe(empty, ways_of(empty))).startswith("There is nothing to play")
    certificate = certify(lost).certificate
    assert certificate is not None
    [step] = certificate.steps
    assert isinstance(step, Weights)
    held = cheapest_windows(lost, dict(step.moments))
    [(position, _)] = step.moments
    assert loads_of(held, lost.N)[position - 1] == step.needs == 2
