"""The hand as a parameter, and the most cards: reductions and algorithms against brute force.

`python -m benchmarks.approximation` does the same with more.
"""

from __future__ import annotations

from itertools import combinations, islice
from typing import Any

import pytest
from benchmarks.approximation import (
    check_by_hand,
    check_sets,
    cubic_graphs,
    graphs_of_four,
    graphs_with_classes,
)

from hanabi.ground.errors import InvalidInputError
from hanabi.solitaire.hardness import Graph, reduce
from oracles import solitaire as brute

PATH = Graph((1,) * 4, ((1, 2), (2, 3), (3, 4)))
K4 = Graph((1,) * 4, tuple(combinations(range(1, 5), 2)))


def test_cliques_by_two_colors() -> None:
    won, lost, early = check_by_hand(islice(graphs_with_classes(), 12))
    assert won
    assert lost > early


def test_one_round_of_constraints_is_not_enough() -> None:
    """A value may rise within a round; so the constraints are repeated."""
    graph = Graph((2, 1, 3, 2, 3), ((1, 2), (1, 5), (2, 3)))
    assert check_by_hand([graph])[2] == 1


def test_a_class_alone_and_three_vertices_alone() -> None:
    check_by_hand(
        [Graph((1,), ()), Graph((1, 1, 1), ()), Graph((1, 2, 3), ((1, 2), (1, 3), (2, 3)))]
    )


def test_sets_by_two_copies_in_all_graphs_of_four_vertices() -> None:
    assert check_sets("most_cards_two_copies", graphs_of_four()) == 64


def test_sets_by_one_copy_in_cubic_graphs() -> None:
    twice = Graph((1,) * 8, (*K4.edges, *((u + 4, v + 4) for u, v in K4.edges)))
    graphs = (graph for graph in cubic_graphs() if len(graph.classes) <= 8)
    assert check_sets("most_cards_one_copy", [K4, twice, *islice(graphs, 4)]) == 6


@pytest.mark.parametrize(
    "options",
    [
        {"hand_size": 2},
        {"hand_size": 3, "values": 6},
        {"values": 5},
        {"multiplicity": 3, "copies": "exact"},
        {"multiplicity": 4, "hand_size": 2},
    ],
    ids=str,
)
def test_sets_with_other_hands_values_and_copies(options: dict[str, Any]) -> None:
    check_sets("most_cards_two_copies", [PATH], **options)
    check_sets("most_cards_one_copy", [K4], **options)


def test_the_most_cards_of_an_edge_by_every_move() -> None:
    edge = reduce(Graph((1, 1), ((1, 2),)), variant="most_cards_two_copies")
    assert brute.most_cards(edge) == edge.target(1) == 2 * 2 + 3 + 1


@pytest.mark.parametrize(
    ("variant", "graph", "options", "message"),
    [
        ("most_cards_one_copy", PATH, {}, "vertex 1 has 1 neighbors"),
        ("most_cards_two_copies", PATH, {"players": 2, "hand_size": 1}, "are never won"),
        ("most_cards_two_copies", PATH, {"values": 2}, "needs 3 or more here, got 2"),
        ("clique", PATH, {"rounds": 2}, "rounds: they are for variant 'two_colors_by_hand'"),
        ("two_colors_by_hand", PATH, {"rounds": 0}, "rounds: 0 is not an integer >= 1"),
        ("two_colors_by_hand", PATH, {"hand_size": 9}, "is its own, 5 for this formula, got 9"),
    ],
)
def test_what_does_not_fit_is_refused(
    variant: str, graph: Graph, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidInputError, match=message):
        reduce(graph, variant=variant, **options)
