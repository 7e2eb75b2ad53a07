"""The hand as a parameter, and how well the most cards can be approximated: everything is run.

`python -m benchmarks.approximation [--instances I] [--graphs G] [--streams S]` compares with brute
force, and prints how much was tried and how many answers were wrong (always 0):

- `two_colors_by_hand` on I random graphs (default 200): with one repetition of the constraints,
  with two, and with all; then with a place too few, which always loses.
- `most_cards_two_copies` on all graphs with four vertices, `most_cards_one_copy` on G random cubic
  graphs of four to ten vertices (default 20): the most cards, and the set that they show.
- The algorithms for the most cards on S random streams (default 5,000): exact answers, and factors.
- Streams with many values, of which no factor c^(1-e) is found, on all graphs with four vertices.

`tests/exact/test_approximation.py` does the same with less.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterable, Iterator
from itertools import combinations, islice, product
from typing import Any

from hanabi.solitaire import Instance, most_cards, search, solve
from hanabi.solitaire.gains import quick_most_cards
from hanabi.solitaire.hardness import (
    Graph,
    classify_most_cards,
    read_play,
    reduce,
    winning_play,
)
from hanabi.solitaire.play import n_played

__all__ = [
    "check_by_hand",
    "check_gains",
    "check_many_values",
    "check_sets",
    "cubic_graphs",
    "graphs_of_four",
    "graphs_with_classes",
    "largest_set",
    "many_values",
    "streams_to_cut",
]

_SIZES = ((1, 2), (2, 2), (2, 3), (3, 3), (1, 3), (3, 2), (1, 1, 1), (1, 2, 2), (2, 2, 2))


def graphs_with_classes(seed: int = 0) -> Iterator[Graph]:
    """Yield random graphs of two classes of up to three vertices, or three of up to two."""
    rng = random.Random(seed)
    while True:
        sizes = rng.choice(_SIZES)
        classes = [number for number, size in enumerate(sizes, start=1) for _ in range(size)]
        rng.shuffle(classes)
        pairs = combinations(range(1, len(classes) + 1), 2)
        apart = [(u, v) for u, v in pairs if classes[u - 1] != classes[v - 1]]
        density = rng.random()
        yield Graph(tuple(classes), tuple(pair for pair in apart if rng.random() < density))


def can_rise(graph: Graph, rounds: int) -> bool:
    """Return whether values that may rise keep all constraints, so many times over."""
    states = set(product(*graph.members))
    for _ in range(rounds):
        for (i, a), (j, b) in graph.pairs_apart():
            forbidden = graph.members[i][a], graph.members[j][b]
            states = {
                risen
                for state in states
                for risen in product(*graph.members)
                if all(x <= y for x, y in zip(state, risen, strict=True))
                and (risen[i], risen[j]) != forbidden
            }
    return bool(states)


def check_by_hand(graphs: Iterable[Graph]) -> tuple[int, int, int]:
    """Decide cards of two colors; return how many were won, lost, and won for lack of rounds.

    Raises RuntimeError, with the graph, if an answer, a play or a clique is wrong.
    """
    answers = [0, 0, 0]
    for graph in graphs:
        cliques = [chosen for chosen in product(*graph.members) if graph.is_clique(chosen)]
        enough = len(graph.classes) - graph.n_classes + 1
        for rounds in {1, 2, enough}:
            reduction = reduce(graph, variant="two_colors_by_hand", rounds=rounds)
            verdict = solve(reduction)
            is_right = reduction.hand_size == graph.n_classes + 4 and reduction.r == 2
            is_right &= verdict.is_winnable is can_rise(graph, rounds)
            if rounds >= enough:
                is_right &= verdict.is_winnable is bool(cliques)
                for clique in cliques:
                    play = winning_play(reduction, graph.chosen_by(clique))
                    is_right &= read_play(reduction, reduction.annotation, play).clique == clique
                if verdict.witness is not None and cliques:
                    shown = read_play(reduction, reduction.annotation, verdict.witness).clique
                    is_right &= shown in cliques
            fewer = solve(reduction.with_hand_size(reduction.hand_size - 1))
            if not is_right or fewer.is_winnable is not False:
                raise RuntimeError(f"{graph}, {rounds} rounds: {verdict}; {fewer}")
            answers[not verdict.is_winnable] += 1
            answers[2] += bool(verdict.is_winnable) and not cliques
    return answers[0], answers[1], answers[2]


def graphs_of_four() -> Iterator[Graph]:
    """Yield all 64 graphs with four vertices."""
    pairs = list(combinations(range(1, 5), 2))
    for size in range(7):
        for edges in combinations(pairs, size):
            yield Graph((1,) * 4, edges)


def cubic_graphs(seed: int = 0) -> Iterator[Graph]:
    """Yield random cubic graphs of four to ten vertices, connected or not."""
    rng = random.Random(seed)
    while True:
        size = rng.choice((4, 6, 8, 10))
        ends = [vertex for vertex in range(1, size + 1) for _ in range(3)]
        rng.shuffle(ends)
        edges = {(min(pair), max(pair)) for pair in zip(ends[::2], ends[1::2], strict=True)}
        if len(edges) == 3 * size // 2 and all(u != v for u, v in edges):
            yield Graph((1,) * size, tuple(sorted(edges)))


def independent_sets(graph: Graph) -> Iterator[tuple[int, ...]]:
    """Yield all independent sets, larger ones first."""
    vertices = range(1, len(graph.classes) + 1)
    for size in reversed(range(len(vertices) + 1)):
        yield from filter(graph.is_independent, combinations(vertices, size))


def largest_set(graph: Graph) -> int:
    """Return the size of a largest independent set."""
    return len(next(independent_sets(graph)))


def check_sets(variant: str, graphs: Iterable[Graph], **options: Any) -> int:
    """Find the most cards of the cards of graphs; return how many graphs there were.

    Raises RuntimeError, with the graph, if they, a play or a set is wrong.
    """
    number = 0
    for graph in graphs:
        number += 1
        reduction = reduce(graph, variant=variant, **options)
        annotation, alpha = reduction.annotation, largest_set(graph)
        most = most_cards(reduction)
        is_right = most.is_exact and most.lower == reduction.target(alpha)
        if not options:
            V, E = len(graph.classes), len(graph.edges)
            formula = 2 * V + 3 * E + alpha if variant.endswith("two_copies") else 5 * V + alpha
            is_right &= most.lower == formula
        assert most.play is not None
        shown = read_play(reduction, annotation, most.play).independent or ()
        is_right &= len(shown) == alpha and graph.is_independent(shown)
        for chosen in islice(independent_sets(graph), 50):
            play = winning_play(reduction, graph.chosen_by(chosen))  # counts its cards
            shown = read_play(reduction, annotation, play).independent or ()
            is_right &= graph.is_independent(shown)
            is_right &= len(shown) >= n_played(reduction, play) - reduction.target(0)
        if not is_right:
            raise RuntimeError(f"{variant}: {graph}: {most}")
    return number


def streams_to_cut(seed: int = 0) -> Iterator[Instance]:
    """Yield random streams of which often not all can be played; some values may be missing."""
    rng = random.Random(seed)
    while True:
        n, c, r = (
            rng.choice((1, 2, 2, 3, 3, 3, 3, 4, 5)),
            rng.randint(1, 5),
            rng.choice((1, 1, 2, 3)),
        )
        least, rise = rng.choice((0, 1, 1)), rng.choice((-2, -1, 0, 1))
        cards = [
            (rise * value + 3 * rng.random(), color, value)
            for color, value in product(range(c), range(1, n + 1))
            for _ in range(rng.randint(least, r))
        ]
        stream = [(color, value) for _, color, value in sorted(cards)]
        yield Instance(rng.choice((0, 1, 1, 1, 2, 3)), stream, n=n, c=c)


def check_gains(streams: Iterable[Instance]) -> tuple[int, int, float]:
    """Compare the quick most cards with a search; return exact ones, others, the worst factor.

    Raises RuntimeError, with the stream, if an answer, a play or a factor is wrong.
    """
    exact = others = 0
    worst = 1.0
    for stream in streams:
        n, h, r = stream.n, stream.hand_size, stream.r
        cell = classify_most_cards(hand_size=h, multiplicity=r, values=n)
        found, most = quick_most_cards(stream), search.most_cards(stream).lower
        is_right = found.play is not None and n_played(stream, found.play) == found.lower
        is_right &= found.lower <= most <= found.upper
        if cell.method == "gains":
            is_right &= found.is_exact
            exact += 1
        else:
            factor = 1.5 if (n, h) == (3, 1) else min(n, stream.c)
            is_right &= most <= factor * found.lower
            others += 1
            worst = max(worst, most / max(found.lower, 1))
        if not is_right:
            raise RuntimeError(f"{stream}: {stream.cards}: {found}, {most}")
    return exact, others, worst


def many_values(graph: Graph, hand_size: int = 1) -> Instance:
    """Return a stream with one copy of each card whose most cards count an independent set.

    A vertex is a color, with a block of h + 1 values for each of its edges. At an edge come the h
    upper values of one block, those of the other, then the lowest of each: to go on takes the whole
    hand. At last come all further values, so many that only colors that pass all edges matter.
    """
    size = len(graph.classes)
    tops, stream = [0] * size, list[tuple[int, int]]()
    for u, v in sorted(graph.joined):
        blocks = [(vertex - 1, tops[vertex - 1]) for vertex in (u, v)]
        upper = range(2, hand_size + 2)
        stream += ((color, base + value) for color, base in blocks for value in upper)
        stream += ((color, base + 1) for color, base in blocks)
        for color, _ in blocks:
            tops[color] += hand_size + 1
    n = (hand_size + 1) * size**2
    stream += ((color, v) for color in range(size) for v in range(tops[color] + 1, n + 1))
    return Instance(hand_size, stream, n=n, c=size)


def check_many_values(graphs: Iterable[Graph], hand_size: int = 1) -> int:
    """Check that n alpha <= most cards < n (alpha + 1), and the set that is shown."""
    number = 0
    for graph in graphs:
        number += 1
        stream, alpha = many_values(graph, hand_size), largest_set(graph)
        most = most_cards(stream)
        assert most.play is not None
        played = {move.position for move in most.play if str(move.action) == "play"}
        shown = [
            color + 1
            for position, (color, value) in enumerate(stream.cards, start=1)
            if value == stream.n and position in played
        ]
        is_right = most.is_exact and stream.n * alpha <= most.lower < stream.n * (alpha + 1)
        if not (is_right and len(shown) == alpha and graph.is_independent(shown)):
            raise RuntimeError(f"{graph}: {most}")
    return number


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--instances", type=int, default=200)
    parser.add_argument("--graphs", type=int, default=20)
    parser.add_argument("--streams", type=int, default=5000)
    given = parser.parse_args()
    started = time.perf_counter()

    def tell(what: str, told: str) -> None:
        print(f"{what:24}{told}, 0 wrong, {time.perf_counter() - started:.0f} s", flush=True)

    won, lost, early = check_by_hand(islice(graphs_with_classes(), given.instances))
    tell("two_colors_by_hand", f"{won} won ({early} for lack of rounds), {lost} lost")
    tell("most_cards_two_copies", f"{check_sets('most_cards_two_copies', graphs_of_four())} graphs")
    cubic = islice(cubic_graphs(), given.graphs)
    tell("most_cards_one_copy", f"{check_sets('most_cards_one_copy', cubic)} graphs")
    exact, others, worst = check_gains(islice(streams_to_cut(), given.streams))
    tell("most cards at once", f"{exact} exact, {others} others within {worst:.2f}")
    halves = (each for each in streams_to_cut(1) if (each.n, each.hand_size) == (3, 1))
    halves = (each for each in halves if each.r > 1)
    _, others, worst = check_gains(islice(halves, given.streams))
    tell("two-phase algorithm", f"{others} streams within {worst:.2f}")
    tell("many values", f"{check_many_values(graphs_of_four())} graphs")


if __name__ == "__main__":
    main()
