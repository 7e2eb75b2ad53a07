"""The map of Solitaire Hanabi: each cell has its algorithm or its reduction, and it is right."""

from __future__ import annotations

import re
from itertools import chain, islice, product

import pytest
from benchmarks.complexity import (
    CELLS,
    all_sets,
    check_algorithm,
    check_reduction,
    classes_of_sets,
    random_formulas,
    random_streams,
    small_streams,
)

from hanabi.solitaire import Instance, all_streams
from hanabi.solitaire.hardness import Formula, Reduction, classify, random_formula, reduce
from oracles import solitaire as brute

Cell = tuple[int, int, int]
"""h, r, n."""


def is_hard(cell: Cell) -> bool:
    """Theorem 1 as the page prints it."""
    h, r, n = cell
    return r >= 2 and ((h == 1 and n >= 4) or (h >= 2 and n >= 3))


EASY = [cell for cell in CELLS if not is_hard(cell)]
HARD = [cell for cell in CELLS if is_hard(cell)]


SMALLEST = (1, 2, 4), (2, 2, 3)
"""The hard cells in which every set of clauses is tried; elsewhere, one of those that differ only
by the names and signs of variables."""


@pytest.fixture(scope="module")
def sets() -> tuple[Formula, ...]:
    return tuple(classes_of_sets())


def test_no_cell_is_without_a_test() -> None:
    assert sorted(EASY + HARD) == sorted(product(range(5), range(1, 5), range(1, 7)))
    assert (len(EASY), len(HARD)) == (75, 45)


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_the_class_of_a_cell(cell: Cell) -> None:
    h, r, n = cell
    found = classify(hand_size=h, multiplicity=r, values=n)
    assert (found.complexity == "NP-complete") is is_hard(cell)
    # A larger class is no easier: without a bound on a parameter, on two, on all.
    for bounds in product((h, None), (r, None), (n, None)):
        larger = classify(hand_size=bounds[0], multiplicity=bounds[1], values=bounds[2])
        if found.complexity == "NP-complete":
            assert larger.complexity == "NP-complete"
    # With a constant number of colors and such a hand, it is always easy.
    for c in (1, 2, 5):
        fixed = classify(hand_size=h, multiplicity=r, values=n, colors=c)
        assert fixed.complexity == "P"


@pytest.mark.parametrize("cell", EASY, ids=str)
def test_the_algorithm_of_an_easy_cell(cell: Cell) -> None:
    h, r, n = cell
    found = classify(hand_size=h, multiplicity=r, values=n)
    streams = chain(small_streams(n, r, most=120), islice(random_streams(n, r), 50))
    won, lost = check_algorithm(found, streams)
    assert won
    assert lost or n == 1 or h >= 3


@pytest.mark.parametrize("cell", HARD, ids=str)
def test_the_reduction_of_a_hard_cell(cell: Cell, sets: tuple[Formula, ...]) -> None:
    h, r, n = cell
    found = classify(hand_size=h, multiplicity=r, values=n)
    formulas = chain(all_sets() if cell in SMALLEST else sets, islice(random_formulas(), 10))
    true, false = check_reduction(found, formulas)
    assert min(true, false) > 30


@pytest.mark.parametrize("cell", [cell for cell in HARD if cell[1] == 2], ids=str)
def test_the_size_of_a_reduction(cell: Cell) -> None:
    h, r, n = cell
    found = classify(hand_size=h, multiplicity=r, values=n)
    for formula in islice(random_formulas(1), 4):
        reduction = reduce(formula, variant=found.method, hand_size=h, values=n)
        v, m, L = formula.n_vars, formula.n_clauses, sum(map(len, formula.clauses))
        check_size(found.size, reduction, v=v, m=m, L=L, c=reduction.c)


def test_the_size_with_two_colors() -> None:
    found = classify(multiplicity=2, colors=2)
    for m in range(1, 5):
        formula = random_formula(3, ratio=m / 3, seed=m)
        v = len({abs(x) for clause in formula.clauses for x in clause})
        q = sum(x < 0 for clause in formula.clauses for x in clause)
        reduction = reduce(formula, variant=found.method)
        check_size(found.size, reduction, v=v, m=m, q=q, n=reduction.n)


def check_size(size: str, reduction: Reduction, **numbers: int) -> None:
    """Evaluate a text such as `c = v + m, N = 4c + v + L - m`."""
    names = {"h": reduction.hand_size, "n": reduction.n, "c": reduction.c, "N": reduction.N}
    for equation in size.split(", "):
        name, _, text = equation.partition(" = ")
        terms = re.findall(r"([+-]?) ?(\d*)([a-zA-Z]?)", text)
        value = sum(
            (-1 if sign == "-" else 1) * int(factor or 1) * (numbers[letter] if letter else 1)
            for sign, factor, letter in terms
            if factor or letter
        )
        assert value == names[name], (equation, numbers)


def test_the_sets_of_clauses() -> None:
    three, two = list(all_sets())[:255], list(all_sets())[255:]
    assert {len(formula.clauses) for formula in three} == set(range(1, 9))
    assert len(set(three)) == len(set(two)) == 255
    assert len(list(classes_of_sets())) == 71


def test_the_search_that_the_map_rests_on() -> None:
    """On the shortest streams of each n, against brute force that tries every move."""
    from hanabi.solitaire.search_plain import find_winning_copies

    for n in range(1, 5):
        for stream in small_streams(n, 2, most=60):
            for h in range(3):
                instance = stream.with_hand_size(h)
                assert (find_winning_copies(instance)[0] is not None) is brute.is_winnable(instance)


@pytest.mark.parametrize("n", range(1, 5))
def test_one_color_is_easy(n: int) -> None:
    """Theorem 2 for c = 1: any hand, any number of copies."""
    for N in range(n, 7 if n < 4 else 6):
        for cards in all_streams(N, n=n, c=1):
            instance = Instance(0, cards, n=n, c=1)
            for h in range(4):
                check_algorithm(classify(hand_size=h, colors=1), [instance])


def test_a_constant_number_of_colors() -> None:
    """Theorem 2: hard if neither the hand nor the number of values is a constant."""
    for h, r, n, c in product((None, 0, 1, 4), (None, 1, 2), (None, 1, 2, 3, 6), (1, 2, 3)):
        found = classify(hand_size=h, multiplicity=r, values=n, colors=c)
        hard = h is None and n is None and r != 1 and c >= 2
        assert (found.complexity == "NP-complete") is hard
        assert found.method == "two_colors" or not hard
    for h, n in ((1, 3), (1, 4), (2, 3)):
        cell = classify(hand_size=h, values=n, colors=2)
        streams = random_streams(n, 2, colors=2)
        won, lost = check_algorithm(cell, islice(streams, 12))
        assert won + lost == 12
