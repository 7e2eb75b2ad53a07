"""The windows of a stream: where each color needs the hand, and which choices it has.

A color is a path in a small graph (:mod:`hanabi.solitaire.paths.graph`). A path either waits for a
card until it is drawn when it fits, or holds it in hand over a *window*: from the draw of its copy
until the card below it is played. Colors meet only in the hand. So windows show what a stream asks
for, a play spends and a lost stream lacks.

Here a path that holds nothing from some card on is not continued in any other way, because no other
way can need less. Two values therefore never leave a choice, and three leave at most three ways.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from math import log10, prod
from typing import TYPE_CHECKING, NamedTuple

from hanabi.ground import NO_LIMIT, Clock, counted
from hanabi.rules import format_color
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.play import DrawAction, Play, n_played

if TYPE_CHECKING:
    from hanabi.solitaire.paths.graph import Graph

__all__ = ["Ways", "Window", "cheapest_windows", "describe", "loads_of", "ways_of", "windows_of"]

_MOST_DIGITS = 24
_MOST_LISTED, _MOST_WINDOWS = 12, 3


class Window(NamedTuple):
    """A stretch of the stream over which a card is in hand.

    Attributes
    ----------
    color, value
        The card.
    opens, closes
        The positions of its copy, and of the card whose draw takes it out of the hand. The window
        is open just before each card p with opens < p <= closes.
    """

    color: int
    value: int
    opens: int
    closes: int


@dataclass(frozen=True, slots=True)
class Ways:
    """The ways to play one color.

    Attributes
    ----------
    color
        The color.
    count
        The number of ways, exactly; a way that needs no hand from some card on counts once.
    least
        The number of windows in the way that has fewest.
    windows
        The windows of all ways, in the order in which they open.
    forced
        Those of them that every way has.
    """

    color: int
    count: int
    least: int
    windows: tuple[Window, ...]
    forced: tuple[Window, ...]

    @property
    def is_free(self) -> bool:
        """Whether the color can be played without the hand."""
        return self.least == 0

    @property
    def has_choice(self) -> bool:
        """Whether there is more than one way."""
        return self.count > 1


def ways_of(
    instance: Instance, *, clock: Clock = NO_LIMIT, memory: int | None = None
) -> tuple[Ways, ...]:
    """Return the ways to play each color; none at all if a needed card never occurs.

    O(edges) additions of integers with up to n binary digits, some r n**2 edges a color at most.
    Raises BudgetEndedError when the clock runs out, or for more than `memory` bytes (1 GiB).

    >>> clause = Instance(1, [(0, 2), (0, 1), (0, 3), (0, 2), (0, 4), (0, 3)])
    >>> [ways] = ways_of(clause)
    >>> ways.count, ways.least, ways.windows[0]
    (3, 1, Window(color=0, value=2, opens=1, closes=2))
    """
    if not instance.goal or instance.missing_card(clock) is not None:
        return ()
    from hanabi.solitaire.paths.graph import graph_of

    graph = graph_of(instance, clock=clock, memory=memory)
    return tuple(
        _ways(color, edges, first, instance.n)
        for color, (first, edges) in enumerate(_colors(instance, graph, clock))
    )


class _Edge(NamedTuple):
    """An edge of the graph: nodes, and its window; `opens` is 0 if it holds nothing."""

    value: int
    tail: int
    head: int
    opens: int
    closes: int


def _colors(
    instance: Instance, graph: Graph, clock: Clock
) -> Iterator[tuple[int, Sequence[_Edge]]]:
    """Yield the first node of each color, and its edges in the order of their values."""
    import numpy as np

    starts = np.flatnonzero(graph.node_values == 1)
    first = dict(zip(graph.node_colors[starts].tolist(), starts.tolist(), strict=True))
    order = np.argsort(graph.colors, kind="stable")
    ends = np.searchsorted(graph.colors[order], np.arange(instance.c + 1))
    columns = graph.values, graph.tails, graph.heads, graph.opens, graph.closes
    for color in range(instance.c):
        clock.check()
        own = order[ends[color] : ends[color + 1]]
        rows = zip(*(column[own].tolist() for column in columns), strict=True)
        yield first[color], [_Edge(*row) for row in rows]


def _ways(color: int, edges: Sequence[_Edge], first: int, n: int) -> Ways:
    """Count the ways backward, and those that go through each window forward."""
    last = {edge.head for edge in edges if edge.value == n} or {first}
    counts, least = dict.fromkeys(last, 1), dict.fromkeys(last, 0)
    free = set(last)  # from here on nothing need be held
    for edge in reversed(edges):
        if not edge.opens and edge.head in free:
            free.add(edge.tail)
            counts[edge.tail], least[edge.tail] = 1, 0
        elif edge.tail not in free:
            fewest = least[edge.head] + (edge.opens > 0)
            counts[edge.tail] = counts.get(edge.tail, 0) + counts[edge.head]
            least[edge.tail] = min(fewest, least.get(edge.tail, fewest))
    total, before = counts[first], {first: 1}
    windows, forced = [], []
    for edge in edges:
        ways = before.get(edge.tail, 0)
        if not ways or (edge.tail in free and (edge.opens or edge.head not in free)):
            continue
        before[edge.head] = before.get(edge.head, 0) + ways
        if edge.opens:
            windows.append(Window(color, edge.value, edge.opens, edge.closes))
            if ways * counts[edge.head] == total:
                forced.append(windows[-1])
    return Ways(color, total, least[first], _sorted(windows), _sorted(forced))


def _sorted(windows: Iterable[Window]) -> tuple[Window, ...]:
    return tuple(sorted(windows, key=lambda window: (window.opens, window.closes)))


def cheapest_windows(
    instance: Instance,
    moments: Mapping[int, int],
    *,
    clock: Clock = NO_LIMIT,
    memory: int | None = None,
) -> tuple[Window, ...]:
    """Return windows that cost least in each color, if each costs the weights that it covers.

    `moments` are the weights by position, as a certificate has them: just before the card at that
    position. No play of all colors costs less than these windows together; of equal ways the one
    with fewest windows is taken. Every needed card must occur. O(edges log moments); the budgets
    are those of `ways_of`.

    >>> lost = Instance(1, [(0, 2), (1, 2), (0, 1), (1, 1)])
    >>> cheapest_windows(lost, {3: 1})
    (Window(color=0, value=2, opens=1, closes=3), Window(color=1, value=2, opens=2, closes=4))
    """
    from hanabi.solitaire.paths.graph import graph_of

    positions = sorted(moments)
    below = list(accumulate((moments[position] for position in positions), initial=0))
    graph, found = graph_of(instance, clock=clock, memory=memory), []
    for color, (first, edges) in enumerate(_colors(instance, graph, clock)):
        costs, came = {first: (0, 0)}, dict[int, _Edge]()
        for edge in edges:
            cost, held = costs[edge.tail]
            if edge.opens:
                cost += below[bisect_right(positions, edge.closes)]
                cost -= below[bisect_right(positions, edge.opens)]
                held += 1
            if edge.head not in costs or (cost, held) < costs[edge.head]:
                costs[edge.head], came[edge.head] = (cost, held), edge
        ends = {edge.head for edge in edges if edge.value == instance.n} or {first}
        node = min(ends, key=costs.__getitem__)
        while node in came:
            edge = came[node]
            if edge.opens:
                found.append(Window(color, edge.value, edge.opens, edge.closes))
            node = edge.tail
    return _sorted(found)


def windows_of(instance: Instance, play: Play) -> tuple[Window, ...]:
    """Return the windows of a legal play: which card was in hand, from when to when. O(moves).

    A card that never leaves the hand stays in it until after the last draw. Raises
    IllegalActionError if a move breaks a rule.

    >>> instance = Instance(1, [(0, 2), (0, 1)])
    >>> windows_of(instance, Play([(1, "store"), (2, "play"), (1, "play")]))
    (Window(color=0, value=2, opens=1, closes=2),)
    """
    n_played(instance, play)
    held, found, drawn = dict[int, int](), [], 0
    for position, action in play:
        drawn = max(drawn, position)
        if action is DrawAction.STORE:
            held[position] = 0
        elif position in held:
            held[position] = drawn
    for opens, closes in held.items():
        color, value = instance.colors[opens - 1], instance.values[opens - 1]
        found.append(Window(color, value, opens, closes or drawn + 1))
    return _sorted(found)


def loads_of(windows: Iterable[Window], N: int) -> list[int]:
    """Return how many windows are open just before each card 1 .. N, and after the last. O(N).

    >>> loads_of([Window(0, 2, 1, 3)], 3)
    [0, 1, 1, 0]
    """
    changes = [0] * (N + 2)
    for window in windows:
        changes[window.opens] += 1
        changes[min(window.closes, N + 1)] -= 1
    return list(accumulate(changes))[: N + 1]


def describe(
    instance: Instance, ways: Sequence[Ways], held: Iterable[Window] | None = None
) -> Iterator[str]:
    """Yield sentences: which colors need the hand, which have a choice, where a play fills it.

    `ways` are those of `ways_of`, `held` the windows of a play. Twelve colors are listed at most.

    >>> clause = Instance(1, [(0, 2), (0, 1), (0, 3), (0, 2), (1, 2), (1, 1), (0, 3), (1, 3)])
    >>> for sentence in describe(clause, ways_of(clause), [Window(1, 2, 5, 6)]):
    ...     print(sentence)
    Colors that can do without the hand: r.
    With a single way: y (y2 waits over cards 5-6).
    The play needs at most 1 of 1 place at once; the hand is full just before card 6.
    """
    if not ways:
        missing = instance.missing_card()
        if missing is None:
            yield "There is nothing to play, so nothing waits in hand."
        else:
            yield f"No way to play: {instance.card_name(*missing)} never occurs."
        return
    free = [each for each in ways if each.is_free]
    single = [each for each in ways if not each.is_free and not each.has_choice]
    several = [each for each in ways if not each.is_free and each.has_choice]
    if free:
        yield f"Colors that can do without the hand: {_listed(instance, free, lambda _: '')}."
    if single:
        yield f"With a single way: {_listed(instance, single, lambda x: _waits(instance, x))}."
    if several:
        yield f"With a choice: {_listed(instance, several, _choices)}."
    if len(several) > 1:
        total = prod(each.count for each in several)
        yield f"Together the colors can be played in {_large(total)} ways."
    if held is not None:
        yield _told_load(instance, loads_of(held, instance.N))


def _waits(instance: Instance, ways: Ways) -> str:
    shown = [
        f"{instance.card_name(ways.color, window.value)} waits over cards"
        f" {window.opens}-{window.closes}"
        for window in ways.windows[:_MOST_WINDOWS]
    ]
    more = len(ways.windows) - len(shown)
    return f" ({', '.join(shown)}{f' and {more:,} more' if more else ''})"


def _choices(ways: Ways) -> str:
    always = f", {len(ways.forced):,} of them in every way" if ways.forced else ""
    windows = f"at least {counted(ways.least, 'window')} of {len(ways.windows):,}{always}"
    return f" ({_large(ways.count)} ways, {windows})"


def _told_load(instance: Instance, loads: Sequence[int]) -> str:
    hand = instance.hand_size
    said = f"The play needs at most {max(loads)} of {counted(hand, 'place')} at once"
    full = [position for position, load in enumerate(loads, start=1) if load >= hand]
    if not hand or not full:
        return said + "."
    runs = []
    for _, group in groupby(enumerate(full), key=lambda pair: pair[1] - pair[0]):
        run = [position for _, position in group]
        runs.append(f"{run[0]}" if len(run) == 1 else f"{run[0]}-{run[-1]}")
    more = f" and {len(runs) - _MOST_LISTED} more times" if len(runs) > _MOST_LISTED else ""
    card = "card" if len(full) == 1 else "cards"
    return f"{said}; the hand is full just before {card} {', '.join(runs[:_MOST_LISTED])}{more}."


def _listed(instance: Instance, some: Sequence[Ways], told: Callable[[Ways], str]) -> str:
    names = [format_color(each.color, instance.c) + told(each) for each in some[:_MOST_LISTED]]
    more = f", and {len(some) - _MOST_LISTED:,} more" if len(some) > _MOST_LISTED else ""
    return ", ".join(names) + more


def _large(count: int) -> str:
    """Return a number exactly, or its size if it has very many digits (Python refuses those)."""
    if count < 10**_MOST_DIGITS:
        return f"{count:,}"
    return f"about 10^{int(log10(count)):,}"
