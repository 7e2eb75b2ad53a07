"""The search, plain and compiled, against brute force and the certified answers."""

from __future__ import annotations

from itertools import product

import pytest

from hanabi.rules.deck import DeckSpec
from hanabi.solitaire import Instance, find_broken_rule, search
from hanabi.solitaire.bounds import largest_crowd
from hanabi.solitaire.eager import eager_play
from hanabi.solitaire.layers import Layers
from hanabi.solitaire.play import n_played
from hanabi.solitaire.search_plain import find_winning_copies
from oracles import solitaire as brute
from vectors import load_vectors


def run_compiled(
    instance: Instance, *, width: int = 10**5, memory: int = 2**26, target: int | None = None
) -> tuple[list[int] | None, Layers]:
    """Run the compiled search alone, without the plain one or the widening."""
    goal = instance.goal if target is None else target
    layers = Layers(instance, goal, width, memory)
    while (outcome := layers.advance()) is None:
        pass
    return (layers.winning_copies() if outcome else None), layers


def check(instance: Instance, chosen: list[int] | None, *, winnable: bool) -> None:
    assert (chosen is not None) == winnable, instance.cards
    if chosen is not None:
        assert find_broken_rule(instance, eager_play(instance, chosen)) is None


def test_every_stream_of_two_colors_and_two_values() -> None:
    deck = list(product((0, 1), (1, 2)))
    for length in range(4, 7):
        for cards in product(deck, repeat=length):
            for hand_size in (0, 1, 2) if length < 6 else (1,):
                instance = Instance(hand_size, cards, n=2, c=2)
                if instance.missing_card() is not None:
                    continue
                winnable = brute.is_winnable(instance)
                check(instance, find_winning_copies(instance)[0], winnable=winnable)
                if length < 6:
                    check(instance, run_compiled(instance)[0], winnable=winnable)


def test_every_stream_of_one_color_and_three_values() -> None:
    for length in range(3, 8):
        for values in product((1, 2, 3), repeat=length):
            for hand_size in (0, 1):
                instance = Instance(hand_size, [(0, v) for v in values], n=3, c=1)
                winnable = brute.is_winnable(instance)
                check(instance, find_winning_copies(instance)[0], winnable=winnable)


@pytest.mark.parametrize("case", load_vectors("solitaire_small"))
def test_small_vectors(case: dict[str, object]) -> None:
    base = Instance(0, case["cards"], n=case["n"], c=case["c"])  # type: ignore[arg-type]
    for hand_size in range(base.goal + 1):
        instance = base.with_hand_size(hand_size)
        winnable = case["min_h"] is not None and hand_size >= case["min_h"]  # type: ignore[operator]
        check(instance, find_winning_copies(instance)[0], winnable=winnable)
        check(instance, run_compiled(instance)[0], winnable=winnable)


@pytest.mark.parametrize("case", load_vectors("solitaire_medium"))
def test_medium_vectors(case: dict[str, list[int]]) -> None:
    for hand_size, wins in enumerate(case["win_for_h_0_to_6"]):
        instance = Instance(hand_size, case["cards"], n=case["n"], c=case["c"])  # type: ignore[arg-type]
        check(instance, run_compiled(instance)[0], winnable=bool(wins))


def test_plain_and_compiled_agree_on_standard_decks() -> None:
    for index in range(20):
        cards = DeckSpec.standard().shuffle(3, index)
        for hand_size in range(10):
            instance = Instance(hand_size, cards)
            plain, plain_states = find_winning_copies(instance)
            compiled, layers = run_compiled(instance)
            assert (plain is None) == (compiled is None)
            check(instance, compiled, winnable=plain is not None)
            assert not layers.was_cut
            assert (plain_states > 0) == (layers.states > 0)


@pytest.mark.parametrize("memory", [2**14, 2**16, 2**18])
def test_the_line_is_rebuilt_from_checkpoints(memory: int) -> None:
    rebuilt = 0
    for index in range(12):
        cards = DeckSpec.uniform(6, 6, 2).shuffle(5, index)
        for hand_size in (8, 9, 10):
            instance = Instance(hand_size, cards)
            whole, _ = run_compiled(instance)
            layers = Layers(instance, instance.goal, 64, memory)
            while (outcome := layers.advance()) is None:
                pass
            if outcome:
                rebuilt += bool(layers._checkpoints)
                check(instance, layers.winning_copies(), winnable=True)
                assert whole is not None
            elif not layers.was_cut:
                assert whole is None
    assert memory > 2**14 or rebuilt > 0


def test_a_cut_search_never_claims_a_proof() -> None:
    cards = DeckSpec.uniform(8, 8, 3).shuffle(7, 1)
    verdict = search.solve(Instance(6, cards), memory=2**18)
    assert verdict.is_winnable is None
    assert "memory" in verdict.reason
    assert search.solve(Instance(6, cards)).is_winnable is False


def test_states_of_many_words() -> None:
    spec = DeckSpec.uniform(colors=60, ranks=3, copies=2)
    cards = spec.shuffle(1)
    crowd = len(largest_crowd(Instance(0, cards)).cards)
    for hand_size, winnable in ((crowd - 1, False), (20, True), (120, True)):
        chosen, layers = run_compiled(Instance(hand_size, cards), width=500)
        assert layers.words >= 2
        check(Instance(hand_size, cards), chosen, winnable=winnable)


def test_most_cards_against_brute_force() -> None:
    for index in range(60):
        spec = DeckSpec.uniform(colors=2, ranks=3, copies=1 + index % 2)
        cards = spec.shuffle(11, index)[: 6 + index % 4]
        for hand_size in (0, 1):
            instance = Instance(hand_size, cards, n=3, c=2)
            most = search.most_cards(instance)
            assert most.lower == most.upper == brute.most_cards(instance)
            for target in range(instance.goal + 1):
                found = target <= most.lower
                assert (find_winning_copies(instance, target=target)[0] is not None) == found
                assert (run_compiled(instance, target=target)[0] is not None) == found
            assert most.play is not None
            assert n_played(instance, most.play) == most.lower
