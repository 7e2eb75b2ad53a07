"""The hand as a parameter, and the most cards: reductions and algorithms against brute force.

`python -m benchmarks.approximation` does the same with more.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, count, islice, product
from typing import Any

import pytest
from benchmarks.approximation import (
    check_by_hand,
    check_gains,
    check_many_values,
    check_sets,
    cubic_graphs,
    graphs_of_four,
    graphs_with_classes,
    streams_to_cut,
)
from benchmarks.complexity import random_formulas

from hanabi.ground import NO_LIMIT
from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream as Random
from hanabi.solitaire import DrawAction, Instance, Move, least_hand, most_cards, search, solve
from hanabi.solitaire.eager import eager_play
from hanabi.solitaire.gains import quick_most_cards
from hanabi.solitaire.hardness import (
    Graph,
    classify,
    classify_least_hand,
    classify_most_cards,
    normal_form,
    random_graph,
    read_play,
    reduce,
    winning_play,
)
from hanabi.solitaire.paths.graph import graph_of
from hanabi.solitaire.paths.program import Program
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


def test_cliques_by_two_colors_with_more_copies() -> None:
    graph = Graph((1, 1, 2), ((2, 3),))
    for copies in ("beside", "exact"):
        cards = reduce(graph, variant="two_colors_by_hand", multiplicity=3, copies=copies)
        assert (cards.hand_size, cards.r) == (6, 3)
        found = solve(cards, method="sat").witness
        for play in (winning_play(cards, (False, True, True)), found):
            assert play is not None
            assert read_play(cards, cards.annotation, play).clique == (2, 3)
        # The same play by the last copies of each run of equal cards.
        later = last_of_runs(cards)
        moved = eager_play(cards, (later[x.position] - 1 for x in found or () if is_play(x)))
        assert read_play(cards, cards.annotation, moved).clique == (2, 3)


def is_play(move: Move) -> bool:
    return move.action is DrawAction.PLAY


def last_of_runs(instance: Instance) -> dict[int, int]:
    cards, found = instance.cards, {instance.N: instance.N}
    for position in range(instance.N - 1, 0, -1):
        same = cards[position - 1] == cards[position]
        found[position] = found[position + 1] if same else position
    return found


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
        ("most_cards_one_copy", PATH, {}, "vertex 1 has 1 neighbors: a cubic graph is needed"),
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


# The map: parameters.

HANDS, COPIES, VALUES, COLORS = (None, 0, 1, 2), (None, 1, 2), (None, 2, 3, 4), (None, 1, 2)
NAMES = [names for size in range(1, 5) for names in combinations("chnN", size)]
CELLS = list(product(HANDS, COPIES, VALUES, COLORS))


def is_hard(h: int | None, r: int | None, n: int | None, c: int | None) -> bool:
    return classify(hand_size=h, multiplicity=r, values=n, colors=c).complexity != "P"


@pytest.mark.parametrize("names", NAMES, ids="".join)
def test_the_class_by_parameters(names: tuple[str, ...]) -> None:
    """From what the definitions say: all slices, and what the two parameterized reductions need."""
    for h, r, n, c in CELLS:
        given = {"c": c, "h": h, "n": n}
        if any(given.get(name) is not None for name in names):
            continue
        found = classify(hand_size=h, multiplicity=r, values=n, colors=c, parameters=names)
        hands, values, colors = (
            range(least, most) if name in names else [given[name]]
            for name, least, most in (("h", 0, 4), ("n", 1, 6), ("c", 1, 4))
        )
        slices = [is_hard(x, r, y, z) for x, y, z in product(hands, values, colors)]
        if not is_hard(h, r, n, c):
            assert found.complexity == "P"
        elif "N" in names:
            assert found.complexity == "FPT"
        elif any(slices):
            assert found.complexity == "para-NP-hard"
        else:
            is_small = all(given[name] is not None or name in names for name in "cn")
            assert found.complexity == ("FPT" if is_small else "W[1]-hard")
            assert is_small or n is None  # both reductions need as many values as they like
            assert found.method in ("table", "two_colors_by_hand" if "h" in names else "clique")


def test_parameters_are_open_and_known() -> None:
    with pytest.raises(InvalidInputError, match="parameter 'x': one of c, h, n, N"):
        classify(parameters="x")
    with pytest.raises(InvalidInputError, match="parameter c: it has the value 2"):
        classify(colors=2, parameters="hc")


@pytest.mark.parametrize("sizes", [(2, 2), (1, 2, 1)], ids=str)
def test_the_parameters_of_the_reductions(sizes: tuple[int, ...]) -> None:
    """The hand, or the number of colors, depends on the number of classes alone."""
    graph = random_graph(sizes, density=0.5, seed=1)
    larger = random_graph([size + 2 for size in sizes], density=0.5, seed=1)
    for each in (graph, larger):
        by_hand, by_colors = (
            reduce(each, variant=name) for name in ("two_colors_by_hand", "clique")
        )
        k = len(sizes)
        assert (by_hand.hand_size, by_hand.c, by_hand.r) == (k + 4, 2, 2)
        assert (by_colors.hand_size, by_colors.c, by_colors.r) == (1, 2 * k + 2, 2)


def test_the_table_of_few_colors_and_values() -> None:
    """FPT in c and n: with any hand, and so with one of nc cards."""
    for stream in islice((each for each in streams_to_cut(5) if each.goal <= 8), 20):
        for h in (0, stream.hand_size, stream.goal):
            instance = stream.with_hand_size(h)
            assert solve(instance, method="table").upper == brute_or_search(instance)


def brute_or_search(instance: Instance) -> int:
    if instance.N <= 9:
        return brute.most_cards(instance)
    return search.most_cards(instance).lower


# The map: the most cards.


@pytest.mark.parametrize(
    ("h", "r", "n"), [*product((0, 1, 2, None), (1, 2, 3), (1, 2, 3, 4, 5, None))], ids=str
)
def test_a_cell_of_the_most_cards(h: int | None, r: int, n: int | None) -> None:
    """The algorithm or the reduction of each cell, at exactly these parameters."""
    found = classify_most_cards(hand_size=h, multiplicity=r, values=n)
    hand = 2 if h is None else h
    if found.method in ("gains", "forced"):
        streams = [
            each.with_hand_size(hand) for each in islice(streams_to_cut(n or 0), 60) if each.r <= r
        ]
        for stream in streams:
            if n is None or stream.n <= n:
                check_gains([stream])
    elif found.complexity == "open":
        assert (h, r, n) == (None, 1, 3)
    elif found.barrier == "no scheme":
        graph = PATH if found.method.endswith("two_copies") else K4
        assert r >= 2 or found.method == "most_cards_one_copy"
        options = {"hand_size": hand, "multiplicity": r, "values": n, "copies": "exact"}
        check_sets(found.method, [graph], **options)
    else:
        assert (n, found.barrier) == (None, "no factor c^(1-e)")
        assert check_many_values([PATH, K4], hand) == 2


def test_the_most_cards_of_few_colors() -> None:
    """A constant number of colors: one, the table, or with one copy every choice of heights."""
    for stream in islice(streams_to_cut(7), 150):
        n, c, h, most = stream.n, stream.c, stream.hand_size, search.most_cards(stream).lower
        one = classify_most_cards(multiplicity=stream.r, colors=c)
        if c == 1 or stream.r <= 1:
            assert one.complexity == "P"
            cards = list(stream.cards)
            heights = product(range(n + 1), repeat=c)
            assert most == max(sum(each) for each in heights if fits(cards, each, h))
        else:
            assert (one.complexity, one.guarantee) == ("NP-hard", str(c))
        two = classify_most_cards(hand_size=h, multiplicity=stream.r, colors=c)
        assert two.complexity == "P"
        if stream.goal <= 8:
            assert solve(stream, method="table").upper == most


def fits(cards: Sequence[tuple[int, int]], heights: tuple[int, ...], hand: int) -> bool:
    """Return whether a stream with all cards up to these heights, and no others, can be won."""
    kept = [card for card in cards if card[1] <= heights[card[0]]]
    needed = {(color, v) for color, top in enumerate(heights) for v in range(1, top + 1)}
    if needed != set(kept):
        return False
    # Values above a color's height come at once, ascending, and need no place.
    n = max(heights, default=0)
    rest = [(color, v) for color, top in enumerate(heights) for v in range(top + 1, n + 1)]
    return bool(solve(Instance(hand, [*kept, *rest], n=n, c=len(heights))).is_winnable)


def test_the_linear_program_has_gaps() -> None:
    """One copy, three values, a hand of two: between the program and the truth."""
    stream = [
        (2, 2), (4, 3), (1, 2), (1, 3), (4, 1), (3, 2), (2, 3), (2, 1), (1, 1),
        (5, 2), (3, 3), (3, 1), (0, 3), (5, 3), (0, 1), (5, 1), (4, 2), (0, 2),
    ]  # fmt: skip
    instance = Instance(2, stream)
    program = Program(instance, graph_of(instance), counts_left_out=True, memory=None)
    assert instance.goal - program.relax(NO_LIMIT).value == pytest.approx(12.75)
    assert quick_most_cards(instance).upper == 12


# The map: the least hand.


@pytest.mark.parametrize("n", [3, 4, 5])
def test_the_least_hand_of_a_formula(n: int) -> None:
    """It is 2 and not 3, or 1 and not 2, exactly if the formula can be satisfied."""
    found = classify_least_hand(multiplicity=2, values=n)
    least = 2 if n == 3 else 1
    assert found.barrier == f"no factor below {'3/2' if n == 3 else '2'}"
    for formula in islice(random_formulas(3), 12):
        cards = reduce(normal_form(formula, found.method).formula, variant=found.method, values=n)
        can_be = any(
            formula.satisfied_by(values) for values in product((False, True), repeat=formula.n_vars)
        )
        hand = least_hand(cards).upper
        assert hand is not None
        assert (hand <= least) is can_be


@pytest.mark.parametrize("c", [None, 1, 2])
def test_an_easy_cell_of_the_least_hand(c: int | None) -> None:
    for r, n in product((1, 2), (1, 2, 3, 4, None)):
        found = classify_least_hand(multiplicity=r, values=n, colors=c)
        decisions = [is_hard(h, r, n, c) for h in (0, 1, 2, None)]
        assert (found.complexity == "P") is not any(decisions)
    for stream in islice(streams_to_cut(11), 40):
        if stream.missing_card() is None and stream.N <= 9 and c in (None, stream.c):
            assert least_hand(stream).upper == brute.least_hand(stream)


# Algorithms.


def test_the_most_cards_at_once() -> None:
    exact, others, worst = check_gains(islice(streams_to_cut(), 400))
    assert min(exact, others) > 100
    assert worst > 1


def test_the_two_phase_algorithm() -> None:
    streams = (each for each in streams_to_cut(1) if (each.n, each.hand_size) == (3, 1))
    exact, others, worst = check_gains(islice((each for each in streams if each.r > 1), 300))
    assert (exact, others) == (0, 300)
    assert 1 < worst <= 1.5


def test_the_most_cards_at_once_by_every_move() -> None:
    for stream in islice((each for each in streams_to_cut(2) if each.N <= 8), 60):
        found = quick_most_cards(stream)
        assert found.lower <= brute.most_cards(stream) <= found.upper


def test_long_streams_are_cut_at_once() -> None:
    """Too long for any general method in this time; the counts of one and of two copies agree."""
    rng = Random(3)
    for n, h in ((2, 3), (3, 1)):
        stream = rng.shuffled([(color, v) for color in range(3000) for v in range(1, n + 1)])
        most = quick_most_cards(Instance(h, stream))
        twice = [card for card in stream for _ in "ab"]
        again = quick_most_cards(Instance(h, twice))
        assert most.is_exact
        assert again.lower <= most.lower <= again.upper


def test_open_windows_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hanabi.solitaire.gains._MOST_SETS", 3)
    stream = [(color, v) for v in (2, 3, 1) for color in range(6)]
    most = quick_most_cards(Instance(2, stream))
    assert not most.is_exact
    assert most.lower <= most_cards(Instance(2, stream)).lower <= most.upper


def test_a_prefix_that_can_be_won_stays_so() -> None:
    """So the fewest draws are found by bisection over decisions."""
    for stream in islice((each for each in streams_to_cut(9) if each.N <= 9), 60):
        won = [
            brute.is_winnable(Instance(stream.hand_size, stream.cards[:i], n=stream.n, c=stream.c))
            for i in range(stream.N + 1)
        ]
        assert won == sorted(won)


# The full game with one copy of each card, hands face up, and no last round: turns to all points.

Deck = Sequence[tuple[int, int]]


def fewest_turns(deck: Deck, c: int, n: int, seats: int, hand: int, tokens: int) -> int | None:
    """Return the fewest turns to all points over all plays, discards and hints, with two lives."""
    hands = tuple(tuple(range(seat * hand, (seat + 1) * hand)) for seat in range(seats))
    start = (hands, seats * hand, (0,) * c, tokens, 2)
    seen, layer = {(start, 0)}, [start]
    for turn in count():
        if not layer:
            return None
        seat, after = turn % seats, []
        for hands, drawn, piles, left, lives in layer:
            if sum(piles) == n * c:
                return turn
            moves = []
            if left and any(other for i, other in enumerate(hands) if i != seat):
                moves.append((hands, drawn, piles, left - 1, lives))
            for i in hands[seat]:
                own = (*(x for x in hands[seat] if x != i), *range(len(deck))[drawn : drawn + 1])
                new = (*hands[:seat], own, *hands[seat + 1 :]), min(drawn + 1, len(deck))
                color, value = deck[i]
                if piles[color] == value - 1:
                    raised = (*piles[:color], value, *piles[color + 1 :])
                    moves.append((*new, raised, min(tokens, left + (value == n)), lives))
                elif lives > 1:
                    moves.append((*new, piles, left, lives - 1))
                if left < tokens:
                    moves.append((*new, piles, left + 1, lives))
            for move in moves:
                if (move, (turn + 1) % seats) not in seen:
                    seen.add((move, (turn + 1) % seats))
                    after.append(move)
        layer = after
    raise AssertionError


def turns_by_hints(deck: Deck, c: int, n: int, seats: int, hand: int, tokens: int) -> int | None:
    """Return the same: given the turns of all hints, piles and tokens are the whole state."""
    for hints in range(tokens + c):
        for chosen in combinations(range(len(deck) + hints), hints):
            drawn = [(seat, -1) for seat in range(seats) for _ in range(hand)]
            plays = (turn for turn in range(len(deck) + hints) if turn not in chosen)
            drawn += [(turn % seats, turn) for turn in plays]
            states = {((0,) * c, tokens)}
            for turn in range(len(deck) + hints):
                after = set()
                for piles, left in states:
                    held = [
                        (seat, card)
                        for card, (seat, when) in zip(deck, drawn, strict=False)
                        if when < turn and piles[card[0]] < card[1]
                    ]
                    if turn in chosen:
                        if left and any(seat != turn % seats for seat, _ in held):
                            after.add((piles, left - 1))
                        continue
                    for seat, (color, value) in held:
                        if seat == turn % seats and piles[color] == value - 1:
                            raised = (*piles[:color], value, *piles[color + 1 :])
                            after.add((raised, min(tokens, left + (value == n))))
                states = after
            if any(sum(piles) == n * c for piles, _ in states):
                return len(deck) + hints
    return None


def test_the_turns_of_the_full_game_with_one_copy() -> None:
    rng, answers = Random(4), set()
    for _ in range(300):
        c, n = ((1, 3), (2, 2), (2, 3), (1, 5), (3, 2))[rng.below(5)]
        seats, hand, tokens = 2 + rng.below(2), 1 + rng.below(2), 1 + rng.below(3)
        if seats * hand > n * c:
            continue
        deck = rng.shuffled(list(product(range(c), range(1, n + 1))))
        table = (deck, c, n, seats, hand, tokens)
        answers.add(answer := fewest_turns(*table))
        assert answer == turns_by_hints(*table), table
    assert None in answers
    assert len(answers) > 5
