"""The reduction by exhaustion: every lemma, and satisfiable exactly if winnable, every variant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, compress, islice, permutations, product
from typing import Any

import numpy as np
import pytest

from hanabi.ground.rng import Stream as Random
from hanabi.solitaire import solve
from hanabi.solitaire.bulk import decide_many
from hanabi.solitaire.hardness import (
    VARIANTS,
    Formula,
    Graph,
    Reduction,
    assignment_of,
    decide_by_cards,
    partial_assignment_of,
    random_graph,
    read_play,
    reduce,
    winning_play,
)
from hanabi.solitaire.hardness.gadgets import (
    Gadget,
    Group,
    five_step_clause,
    hand_reduction,
    one_card_clause,
    slides_clause,
    two_step_clause,
    variable_gadget,
)
from oracles.hardness import (
    all_assignments,
    all_formulas,
    forced,
    is_satisfiable,
    reachable_piles,
)
from vectors import load_vectors

ASSIGNMENTS = all_assignments(3)
Stream = tuple[Reduction, Any, Any]
"""A reduction, and the colors and values of its stream with an assignment forced on it."""


def as_it_is(reduction: Reduction) -> Stream:
    return reduction, np.asarray(reduction.colors), np.asarray(reduction.values)


def winnable(streams: list[Stream]) -> list[Stream]:
    """Return those that an exhaustive search finds winnable."""
    shapes: dict[tuple[int, ...], list[Stream]] = defaultdict(list)
    for stream in streams:
        reduction = stream[0]
        shapes[reduction.N, reduction.n, reduction.c, reduction.hand_size].append(stream)
    found = []
    for (_, n, c, hand), alike in shapes.items():
        won = decide_many(
            hand,
            np.array([colors for _, colors, _ in alike]),
            np.array([values for _, _, values in alike]),
            n=n,
            c=c,
        )
        found += [stream for stream, answer in zip(alike, won.tolist(), strict=True) if answer]
    return found


def check(formulas: Iterable[Formula], **options: Any) -> None:
    """Check for every formula and assignment: it wins exactly if it satisfies.

    If it satisfies, its play is the proof; if not, a search for any play that uses it is. And the
    formula without a solution has no winning play at all.
    """
    lost = []
    for formula in formulas:
        reduction = reduce(formula, **options)
        if not is_satisfiable(formula):
            lost.append(as_it_is(reduction))
        for assignment in ASSIGNMENTS:
            if not formula.satisfied_by(assignment):
                lost.append((reduction, *forced(reduction, assignment)))
                continue
            play = winning_play(reduction, assignment)  # replays it
            assert partial_assignment_of(reduction, reduction.annotation, play) == assignment
    assert len(lost) > 8
    assert not winnable(lost)


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_assignment_wins_exactly_if_it_satisfies(variant: str) -> None:
    options: dict[str, Any] = {"step": 3} if variant == "slides" else {}
    formulas = all_formulas(ordered=False)
    if variant == "two_colors":  # whose own tests are below: eight clauses take a hand of 40
        formulas = [formula for formula in formulas if formula.n_clauses <= 2]
    check(formulas, variant=variant, **options)


@pytest.mark.parametrize("variant", VARIANTS)
def test_winnable_if_satisfiable_in_any_order_of_clauses(variant: str) -> None:
    formulas = all_formulas(ordered=True)
    if variant == "two_colors":
        formulas = [formula for formula in formulas if formula.n_clauses <= 3]
    for formula in formulas:
        reduction = reduce(formula, variant=variant, step=2)
        assignment = next(filter(formula.satisfied_by, ASSIGNMENTS), None)
        if assignment is None:
            assert not winnable([as_it_is(reduction)])
            continue
        play = winning_play(reduction, assignment)
        assert assignment_of(reduction, reduction.annotation, play) == assignment


def test_a_search_without_help_agrees() -> None:
    formulas = [f for f in all_formulas(ordered=False) if f.n_clauses in (1, 8)]
    for variant in VARIANTS:
        for formula in formulas:
            method = "search" if variant != "two_colors" else "sat"
            verdict = solve(reduce(formula, variant=variant), method=method)
            assert verdict.is_winnable == is_satisfiable(formula)


MODIFIED: tuple[dict[str, Any], ...] = (
    {"multiplicity": 3},
    {"multiplicity": 4, "copies": "exact"},
    {"hand_size": 3},
    {"hand_size": 5},
    {"hand_size": 3, "reduction_by": "same"},
    {"hand_size": 5, "reduction_by": "same", "multiplicity": 3},
    {"hand_size": 1, "multiplicity": 3},
    {"hand_size": 1, "multiplicity": 4, "copies": "exact"},
    {"variant": "slides", "step": 5},
    {"variant": "slides", "step": 7, "hand_size": 3},
    {"variant": "one_card_b", "hand_size": 3},
    {"variant": "one_card_a", "hand_size": 2, "reduction_by": "same", "multiplicity": 5},
    {"variant": "compact", "hand_size": 6, "multiplicity": 3, "copies": "exact"},
    {"variant": "constant_five", "hand_size": 4, "multiplicity": 3},
    {"variant": "constant_two", "hand_size": 7},  # two dummy colors: R(5) needs six values
    {"variant": "compact", "players": 2, "hand_size": 2},
    {"players": 3, "hand_size": 1},
    {"players": 2, "hand_size": 1, "multiplicity": 3},
    {"variant": "four_values", "hand_size": 2},
    {"variant": "four_values", "hand_size": 6, "values": 6},  # two further colors
    {"variant": "four_values", "multiplicity": 3, "copies": "exact"},
    {"variant": "four_values", "multiplicity": 2, "copies": "exact", "values": 5},
    {"variant": "four_values", "players": 2, "hand_size": 1},
    {"variant": "three_values", "hand_size": 3, "multiplicity": 2, "copies": "exact"},
    {"variant": "three_values", "values": 4, "multiplicity": 3},
    {"variant": "three_values", "players": 2, "hand_size": 2},
    {"variant": "constant_two", "values": 20},
)


@pytest.mark.parametrize("options", MODIFIED, ids=str)
def test_larger_r_and_h_and_more_players(options: dict[str, Any]) -> None:
    check([f for f in all_formulas(ordered=False) if f.n_clauses in (1, 2, 8)], **options)


def test_clauses_of_one_and_two_literals_in_every_set() -> None:
    """And the empty set, over two variables: 256 formulas."""
    clauses = [(x,) for x in (1, -1, 2, -2)] + [(x, y) for x in (1, -1) for y in (2, -2)]
    for variant in ("four_values", "three_values"):
        lost = []
        for chosen in product((False, True), repeat=len(clauses)):
            formula = Formula(2, tuple(compress(clauses, chosen)))
            reduction = reduce(formula, variant=variant)
            solutions = [a for a in all_assignments(2) if formula.satisfied_by(a)]
            for assignment in solutions:
                play = winning_play(reduction, assignment)
                assert assignment_of(reduction, reduction.annotation, play) == assignment
            if not solutions:
                lost.append(as_it_is(reduction))
        assert len(lost) > 60
        assert not winnable(lost)


@pytest.mark.parametrize("variant", ["four_values", "three_values", "two_colors"])
def test_unusual_clauses(variant: str) -> None:
    """Empty, repeated and opposite literals, and more literals than a gadget takes."""
    for clauses in (
        (),
        ((),),
        ((1, 2), ()),
        ((1, -1),),
        ((1, 1), (-1, -1, -1)),
        ((2, -2, 1), (1, 1, 2), (-1,)),
        ((1, 2, 3, 4), (-1,), (-2,), (-3,), (-4,)),
        ((1, 2, 3, 4, -5), (-1,), (-2,), (-3, -4), (5,), (3, 4, -3)),
    ):
        formula = Formula(5, clauses)
        decision = decide_by_cards(formula, variant=variant)
        assert decision.is_satisfiable == is_satisfiable(formula)
        assert decision.reduction.r <= 2
        if decision.assignment is not None:
            assert formula.satisfied_by(decision.assignment)


def test_four_values_take_clauses_of_any_length_as_they_are() -> None:
    for length in range(1, 9):
        wide = tuple(range(1, length + 1))
        units = tuple((-x,) for x in wide)
        for clauses in ((wide, *units), (wide, *units[1:])):
            reduction = reduce(Formula(length, clauses), variant="four_values")
            assert (reduction.n, reduction.hand_size) == (max(4, length + 1), 1)
            assert solve(reduction).is_winnable == (len(clauses) == length)


# Two colors, where the hand is part of the input.

TWO_LITERALS = tuple(product((1, -1, 2, -2), repeat=3))
"""All clauses of three literals over two variables, repetitions and opposites included."""


def check_two_colors(formula: Formula) -> None:
    """Check both answers, each play, and that one place less is never enough."""
    reduction = reduce(formula, variant="two_colors")
    clauses = [c for c in formula.clauses if not any(-literal in c for literal in c)]
    assert (reduction.c, reduction.hand_size) == (2, 5 * len(clauses))
    assert reduction.r <= 2
    solutions = [a for a in all_assignments(formula.n_vars) if formula.satisfied_by(a)]
    for assignment in solutions:
        play = winning_play(reduction, assignment)
        assert formula.satisfied_by(assignment_of(reduction, reduction.annotation, play))
    if not solutions:
        assert solve(reduction, method="sat").is_winnable is False
    if clauses:
        fewer = reduction.with_hand_size(reduction.hand_size - 1)
        assert solve(fewer, method="sat").is_winnable is False


def test_two_colors_with_one_clause_and_a_place_too_few() -> None:
    for clause in TWO_LITERALS:
        check_two_colors(Formula(2, (clause,)))


def test_two_colors_with_two_clauses_and_a_place_too_few() -> None:
    pairs = list(product(TWO_LITERALS, repeat=2))
    # Every eighth, and all that only repeat a literal: there both answers occur.
    units = [((x,) * 3, (y,) * 3) for x in (1, -1, 2, -2) for y in (1, -1, 2, -2)]
    for clauses in [*pairs[::8], *units]:
        check_two_colors(Formula(2, clauses))


def test_two_colors_with_more_clauses() -> None:
    rng = Random(5)
    lost = 0
    for _ in range(50):
        literals = [x for v in range(1, rng.below(2) + 2) for x in (v, -v)]
        size = 3 + rng.below(6)
        clauses = [tuple(literals[rng.below(len(literals))] for _ in range(3)) for _ in range(size)]
        formula = Formula(max(literals), tuple(clauses))
        lost += not is_satisfiable(formula)
        check_two_colors(formula)
    assert 5 < lost < 50


# Cliques, with one card in hand.


def check_cliques(graph: Graph, **options: Any) -> None:
    """Check both answers, and that every clique wins and is read back."""
    reduction = reduce(graph, variant="clique", **options)
    cliques = [vertices for vertices in product(*graph.members) if graph.is_clique(vertices)]
    for clique in cliques:
        play = winning_play(reduction, graph.values_of(clique))
        assert read_play(reduction, reduction.annotation, play).clique == clique
    verdict = solve(reduction, method="sat")
    assert verdict.is_winnable == bool(cliques)
    if verdict.witness is not None:
        assert read_play(reduction, reduction.annotation, verdict.witness).clique in cliques


def graphs_of(sizes: tuple[int, ...]) -> Iterator[Graph]:
    """Yield all graphs with classes of these sizes."""
    classes = tuple(number for number, size in enumerate(sizes, start=1) for _ in range(size))
    pairs = [
        (u, v)
        for u, v in combinations(range(1, len(classes) + 1), 2)
        if classes[u - 1] != classes[v - 1]
    ]
    for chosen in product((False, True), repeat=len(pairs)):
        yield Graph(classes, tuple(compress(pairs, chosen)))


def test_cliques_in_all_graphs_of_two_classes_of_two_vertices() -> None:
    for graph in graphs_of((2, 2)):
        check_cliques(graph)


def renamed(edges: Iterable[tuple[int, int]]) -> frozenset[frozenset[tuple[int, int]]]:
    """Return the edges under all renamings of three classes of two vertices."""
    found = set()
    for order in permutations(range(3)):
        for swaps in product((0, 1), repeat=3):
            names = [2 * order[x // 2] + (x % 2 ^ swaps[x // 2]) + 1 for x in range(6)]
            pairs = ((names[u - 1], names[v - 1]) for u, v in edges)
            found.add(frozenset((min(pair), max(pair)) for pair in pairs))
    return frozenset(found)


def test_cliques_in_all_graphs_of_three_classes_of_two_vertices() -> None:
    """One of each 48 that only differ in names; which one, differs from graph to graph."""
    by_names = {renamed(graph.edges): graph for graph in graphs_of((2, 2, 2))}
    assert len(by_names) == 144
    for graph in by_names.values():
        check_cliques(graph)


def test_cliques_in_random_graphs_of_three_classes() -> None:
    for seed in range(6):
        check_cliques(random_graph((3, 1, 2), density=0.5, seed=seed))


def test_cliques_with_a_larger_hand_more_copies_values_and_players() -> None:
    for graph in islice(graphs_of((2, 2)), 3, 12, 4):
        check_cliques(graph, hand_size=3)
        check_cliques(graph, multiplicity=3, copies="exact")
        check_cliques(graph, multiplicity=3, values=300)
        check_cliques(graph, players=2, hand_size=1)


def test_one_round_of_clauses_is_not_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """A counter may fall within a round; so the clauses are repeated."""
    monkeypatch.setattr("hanabi.solitaire.hardness.minimal.Cliques.rounds", 1)
    graphs = [graph for graph in graphs_of((2, 2)) if len(graph.edges) == 0]
    assert [solve(reduce(graph, variant="clique")).is_winnable for graph in graphs] == [True]


def test_few_occurrences_and_no_solution() -> None:
    vector = load_vectors("formula_kappa5_unsat")
    formula = Formula(vector["v"], tuple(map(tuple, vector["clauses"])))
    assert set(formula.occurrences()) == {5}
    for variant, n in (("constant_five", 30), ("constant_two", 12)):
        decision = decide_by_cards(formula, variant=variant)
        assert (decision.is_satisfiable, decision.reduction.n) == (False, n)


def test_the_formulas_of_the_vectors() -> None:
    for vector in load_vectors("formulas"):
        formula = Formula(vector["v"], tuple(map(tuple, vector["clauses"])))
        satisfying = [tuple(values) for values in vector["satisfying_assignments"]]
        assert [a for a in all_assignments(formula.n_vars) if formula.satisfied_by(a)] == satisfying
        decision = decide_by_cards(formula)
        assert decision.is_satisfiable == vector["satisfiable"]
        assert (decision.assignment in satisfying) == vector["satisfiable"]


# The lemmas, gadget by gadget. Colors: 0, 1, 2 are literals, DUMMY is the dummy.

DUMMY = 3
CLAUSE_GADGETS: dict[str, tuple[Gadget, int, int]] = {
    "paper": (five_step_clause(), 5, 2),
    "one_card_a": (one_card_clause("a"), 5, 1),
    "one_card_b": (one_card_clause("b"), 5, 1),
    "slides, l = 2": (slides_clause(2), 2, 2),
    "slides, l = 4": (slides_clause(4), 4, 2),
    "compact": (two_step_clause(), 2, 2),
    "constant_five": (five_step_clause(Group.COMPLEMENT), 5, 2),
    "constant_two": (two_step_clause(Group.COMPLEMENT), 2, 2),
}
"""Gadget, l, hand size."""


def cards_of(
    gadgets: Gadget, colors: Mapping[Group, tuple[int, ...]]
) -> tuple[list[tuple[int, int]], int]:
    """Return the cards of gadgets with offset 0, and the number of dummies among them."""
    dummies = [len(part.values) + 1 for part in gadgets if part.group is Group.DUMMY]
    size = max(dummies, default=0)
    cards, used, seen = [], 0, 0
    for part in gadgets:
        shift = 0
        if part.group is Group.DUMMY:  # two for each hand reduction
            shift = size * (seen // 2)
            seen += 1
            used = max(used, shift + max(part.values))
        for color in (DUMMY,) if part.group is Group.DUMMY else colors.get(part.group, ()):
            cards += [(color, value + shift) for value in part.values]
    return cards, used


def ends(cards: list[tuple[int, int]], dummies: int, hand: int, start: tuple[int, ...]) -> set[Any]:
    """Return how far the literals can get, from heights `start`, if all dummies are played."""
    piles = reachable_piles(cards, hand, (*start, 0))
    return {heights[:DUMMY] for heights in piles if heights[DUMMY] == dummies}


def best(heights: Iterable[tuple[int, ...]]) -> set[tuple[int, ...]]:
    """Return those that no other one dominates."""
    found = set(heights)
    return {
        a
        for a in found
        if not any(a != b and all(x <= y for x, y in zip(a, b, strict=True)) for b in found)
    }


@pytest.mark.parametrize("step", [2, 3, 5])
@pytest.mark.parametrize("hand", [1, 2])
def test_variable_gadget_lets_one_color_ahead(step: int, hand: int) -> None:
    """Lemma 5.2, under R(1) with a hand of two, and alone with a hand of one."""
    gadgets = variable_gadget(step)
    inside = hand_reduction(hand - 1, *gadgets) if hand > 1 else gadgets
    colors = {Group.POSITIVE: (0,), Group.NEGATIVE: (1,)}
    cards, dummies = cards_of(inside, colors)
    assert best(ends(cards, dummies, hand, (0, 0, 0))) == {(step, 1, 0), (1, step, 0)}


@pytest.mark.parametrize("name", CLAUSE_GADGETS)
def test_a_true_literal_moves_to_the_next_high_level(name: str) -> None:
    """Lemma 5.3, in the clause and outside it."""
    gadgets, step, hand = CLAUSE_GADGETS[name]
    for group in (Group.CLAUSE, Group.REST, Group.COMPLEMENT):
        cards, dummies = cards_of(gadgets, {group: (0,)})
        if any(color == 0 for color, _ in cards):
            assert best(ends(cards, dummies, hand, (step, 0, 0))) == {(2 * step, 0, 0)}


@pytest.mark.parametrize("name", CLAUSE_GADGETS)
def test_a_false_literal_outside_moves_to_the_next_low_level(name: str) -> None:
    """Lemma 5.4, for three such literals together."""
    gadgets, step, hand = CLAUSE_GADGETS[name]
    for group in (Group.REST, Group.COMPLEMENT):
        cards, dummies = cards_of(gadgets, {group: (0, 1, 2)})
        if any(color == 0 for color, _ in cards):
            assert best(ends(cards, dummies, hand, (1, 1, 1))) == {(step + 1,) * 3}


@pytest.mark.parametrize("name", CLAUSE_GADGETS)
@pytest.mark.parametrize("truth", ASSIGNMENTS, ids=str)
def test_a_clause_carries_its_literals_on_exactly_if_one_is_true(
    name: str, truth: tuple[bool, ...]
) -> None:
    """Lemma 5.5: all reach their next levels, and no more; three false ones cannot."""
    gadgets, step, hand = CLAUSE_GADGETS[name]
    cards, dummies = cards_of(gadgets, {Group.CLAUSE: (0, 1, 2)})
    start = tuple(step if true else 1 for true in truth)
    reached = ends(cards, dummies, hand, start)
    next_levels = tuple(height + step for height in start)
    assert all(all(x <= y for x, y in zip(a, next_levels, strict=True)) for a in reached)
    assert (next_levels in reached) == any(truth)


@pytest.mark.parametrize("hand", [1, 2])
def test_nothing_gets_past_a_hand_dump(hand: int) -> None:
    """A card stored before the dump cannot be played after it."""
    dump, dummies = cards_of(hand_reduction(hand), {})
    cards = [(0, 2), *dump, (0, 1)]
    assert ends(cards, dummies, hand, (0, 0, 0)) == {(1, 0, 0)}
    assert (2, 0, 0) in ends(cards, dummies, hand + 1, (0, 0, 0))


@pytest.mark.parametrize("amount", [1, 2, 3])
def test_hand_reduction_takes_just_its_amount(amount: int) -> None:
    """Inside R(i), a hand of i + k stores k cards."""
    inside = variable_gadget(2)
    cards, dummies = cards_of(
        hand_reduction(amount, *inside), {Group.POSITIVE: (0,), Group.NEGATIVE: (1,)}
    )
    for room, heights in enumerate(({(1, 1, 0)}, {(1, 2, 0), (2, 1, 0)}, {(2, 2, 0)})):
        assert best(ends(cards, dummies, amount + room, (0, 0, 0))) == heights
