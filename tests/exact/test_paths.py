"""Paths of windows against brute force, the plain search and the certified answers."""

from __future__ import annotations

import random
from itertools import product

import pytest

from hanabi.ground.clock import Clock
from hanabi.ground.errors import InvalidInputError
from hanabi.ground.verdict import Status
from hanabi.solitaire import Instance, MostCards, find_broken_rule, optima, paths
from hanabi.solitaire.certificate import Certificate, find_flaw
from hanabi.solitaire.paths import refute
from hanabi.solitaire.paths.graph import graph_of
from hanabi.solitaire.paths.optimum import fewest_left_out, least_hand
from hanabi.solitaire.paths.program import Program
from hanabi.solitaire.play import n_played
from hanabi.solitaire.search_plain import find_winning_copies
from oracles import solitaire as brute
from vectors import load_vectors


def check(instance: Instance, *, winnable: bool) -> Certificate | None:
    """Paths decide, and give a play or a certificate that their verifiers take."""
    answer = paths.certify(instance)
    verdict = answer.verdict
    assert verdict.is_winnable is winnable, (instance, instance.cards, verdict)
    if winnable:
        assert verdict.witness is not None
        assert find_broken_rule(instance, verdict.witness) is None
        assert answer.certificate is None
        return None
    assert verdict.witness is None
    assert answer.certificate is not None
    assert find_flaw(instance, answer.certificate) is None
    return answer.certificate


def random_stream(rng: random.Random) -> Instance:
    """Draw a stream of any small shape in which every card occurs."""
    n, c, r = rng.randint(1, 6), rng.randint(1, 5), rng.randint(1, 4)
    cards = [
        (color, value)
        for value in range(1, n + 1)
        for color in range(c)
        for _ in range(rng.randint(1, r))
    ]
    rng.shuffle(cards)
    return Instance(rng.randint(0, 6), cards, n=n, c=c)


def test_every_stream_of_two_colors_and_two_values() -> None:
    deck = list(product((0, 1), (1, 2)))
    for length in range(4, 6):
        for cards in product(deck, repeat=length):
            for hand_size in (0, 1):
                instance = Instance(hand_size, cards, n=2, c=2)
                check(instance, winnable=brute.is_winnable(instance))


def test_random_streams_of_all_shapes_agree_with_the_plain_search() -> None:
    rng, lost = random.Random(5), 0
    for _ in range(3000):
        instance = random_stream(rng)
        chosen, _ = find_winning_copies(instance)
        lost += check(instance, winnable=chosen is not None) is not None
    assert lost > 900


def test_losses_that_only_cases_show() -> None:
    rng, deep = random.Random(1), 0
    for _ in range(200):
        cards = [(color, value) for value in range(1, 7) for color in range(6) for _ in range(5)]
        rng.shuffle(cards)
        instance = Instance(1, cards)
        certificate = check(instance, winnable=find_winning_copies(instance)[0] is not None)
        deep += certificate is not None and len(certificate.steps) > 1
    assert deep > 4


@pytest.mark.parametrize("case", load_vectors("solitaire_small"))
def test_small_vectors(case: dict[str, object]) -> None:
    base = Instance(0, case["cards"], n=case["n"], c=case["c"])  # type: ignore[arg-type]
    for hand_size in range(base.goal + 1):
        winnable = case["min_h"] is not None and hand_size >= case["min_h"]  # type: ignore[operator]
        check(base.with_hand_size(hand_size), winnable=winnable)
    if case["min_h"] is not None:
        found = least_hand(base)
        assert found.lower == found.upper == case["min_h"]


@pytest.mark.parametrize("case", load_vectors("solitaire_medium"))
def test_medium_vectors(case: dict[str, list[int]]) -> None:
    for hand_size, wins in enumerate(case["win_for_h_0_to_6"]):
        instance = Instance(hand_size, case["cards"], n=case["n"], c=case["c"])  # type: ignore[arg-type]
        check(instance, winnable=bool(wins))


def test_the_least_hand_and_the_most_cards_agree_with_brute_force() -> None:
    rng, raised = random.Random(6), 0
    for _ in range(400):
        n, c = rng.randint(1, 3), rng.randint(1, 2)
        cards = [
            (k, v) for v in range(1, n + 1) for k in range(c) for _ in range(rng.randint(1, 2))
        ]
        rng.shuffle(cards)
        instance = Instance(rng.randint(0, 2), cards, n=n, c=c)
        hand = least_hand(instance)
        assert hand.lower == hand.upper == brute.least_hand(instance)
        assert hand.play is not None
        assert find_broken_rule(instance.with_hand_size(hand.lower), hand.play) is None
        if hand.certificate is not None:
            assert find_flaw(instance.with_hand_size(hand.lower - 1), hand.certificate) is None
        left = fewest_left_out(instance)
        assert left.play is not None
        assert left.lower == left.upper == instance.goal - brute.most_cards(instance)
        assert n_played(instance, left.play) == instance.goal - left.lower
        if left.certificate is not None:
            raised += 1
            assert left.certificate.most_left_out == left.lower - 1
            assert find_flaw(instance, left.certificate) is None
    assert raised > 50


def test_the_most_cards_of_streams_in_which_cards_are_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nothing = MostCards(0, 10**6, None)
    monkeypatch.setattr("hanabi.solitaire.search.most_cards", lambda *_, **__: nothing)
    rng = random.Random(3)
    for _ in range(300):
        n, c = rng.randint(1, 3), rng.randint(1, 2)
        cards = [
            (k, v) for v in range(1, n + 1) for k in range(c) for _ in range(rng.randint(0, 2))
        ]
        rng.shuffle(cards)
        instance = Instance(rng.randint(0, 2), cards, n=n, c=c)
        most = optima.most_cards(instance)
        assert most.lower == most.upper == brute.most_cards(instance), (instance, cards)
        assert most.play is not None
        assert n_played(instance, most.play) == most.lower


@pytest.mark.parametrize(
    ("cards", "n", "c", "missing"),
    [
        ([(0, 2)], 2, 1, "r1"),
        ([(0, 2), (1, 1), (1, 2)], 2, 2, "r1"),
        ([(0, 1), (1, 1), (1, 2)], 2, 3, "g1"),
        ([(0, 1), (2, 1)], 1, 3, "y1"),
        ([], 2, 2, "r1"),
    ],
)
def test_a_color_without_a_1_is_refused_by_name(
    cards: list[tuple[int, int]], n: int, c: int, missing: str
) -> None:
    instance = Instance(1, cards, n=n, c=c)
    with pytest.raises(InvalidInputError, match=f"every color needs a 1: no copy of {missing}"):
        fewest_left_out(instance)
    with pytest.raises(InvalidInputError, match="no hand wins: no copy of "):
        least_hand(instance)
    graph = graph_of(instance)
    begun = sorted({color for color, value in cards if value == 1})
    assert graph.node_colors[graph.node_values == 1].tolist() == begun


def test_the_ends_of_cases_say_what_they_need_under_all_cases_that_are_kept() -> None:
    """A proof by cases uses fewer of them than there are above it in the end."""
    rng = random.Random(0)
    cards = [(color, value) for value in range(1, 9) for color in range(30) for _ in "abc"]
    rng.shuffle(cards)
    instance = Instance(18, cards)
    found = least_hand(instance)
    assert found.lower == found.upper
    assert found.certificate is not None
    assert len(found.certificate.steps) > 10
    assert find_flaw(instance.with_hand_size(found.lower - 1), found.certificate) is None


def test_a_budget_that_ends_is_an_answer() -> None:
    rng = random.Random(1)
    cards = [(k, v) for v in range(1, 41) for k in range(20) for _ in "ab"]
    rng.shuffle(cards)
    instance = Instance(300, cards)
    for limits in ({"seconds": 0.0}, {"seconds": 0.02}, {"memory": 10**6}):
        verdict = paths.solve(instance, **limits)
        assert verdict.status is Status.UNKNOWN
        assert "out of time" in verdict.reason or "1000000 bytes" in verdict.reason


def test_large_programs_are_solved_in_a_process_of_their_own() -> None:
    rng = random.Random(1)
    cards = [(color, value) for value in range(1, 31) for color in range(40) for _ in "ab"]
    rng.shuffle(cards)
    assert len(graph_of(Instance(0, cards))) > 5000
    check(Instance(395, cards), winnable=False)
    # Its memory is limited as well: here it cannot even begin.
    verdict = paths.solve(Instance(395, cards), memory=2 * 10**7)
    assert verdict.status is Status.UNKNOWN
    assert verdict.reason == "HiGHS: the memory budget of 20000000 bytes ended"


def need_cases(number: int) -> list[tuple[Instance, bool]]:
    """Return streams that the linear program leaves open, and whether they can be won."""
    rng, found = random.Random(1), list[tuple[Instance, bool]]()
    while len(found) < number:
        cards = [(color, value) for value in range(1, 7) for color in range(6) for _ in range(5)]
        rng.shuffle(cards)
        instance = Instance(1, cards)
        program = Program(instance, graph_of(instance))
        relaxed = program.relax(Clock())
        if relaxed.value <= 0 and paths.play_along(instance, program.graph, relaxed.edges) is None:
            found.append((instance, find_winning_copies(instance)[0] is not None))
    return found


def test_a_process_looks_for_a_play_while_cases_are_refuted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(paths, "_FEW", 0)
    streams = need_cases(12)
    assert len({winnable for _, winnable in streams}) == 2
    for instance, winnable in streams:
        check(instance, winnable=winnable)


def test_without_proof_only_a_play_is_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refute, "refute", lambda *_, **__: None)
    for instance, winnable in need_cases(12):
        if winnable:
            check(instance, winnable=True)
            continue
        verdict = paths.solve(instance)
        assert verdict.status is Status.UNKNOWN
        assert verdict.reason == "no paths fit the hand, says HiGHS, but no proof of it was found"
        late = paths.solve(instance, seconds=0.05)
        assert late.status is Status.UNKNOWN


def test_nothing_to_build_is_won() -> None:
    for instance in (Instance(0, []), Instance(1, [], n=0, c=3), Instance(1, [], n=3, c=0)):
        check(instance, winnable=True)
        assert least_hand(instance).upper == fewest_left_out(instance).upper == 0
