"""Relabellings: they change nothing that the rules can tell, and others change something."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi import solve
from hanabi.ground.rng import Stream
from hanabi.players.renamed import relabelled, renamed, suit_symmetries
from hanabi.rules import Game, Rules, perft
from hanabi.rules.variants import variant_names


@settings(max_examples=40)
@given(st.sampled_from(variant_names()), st.integers(2, 6), st.integers(0, 2**32))
def test_relabelled_decks_have_as_many_sequences_of_actions(
    name: str, seats: int, seed: int
) -> None:
    rules, stream = Rules.hanab_live(seats, variant=name), Stream(seed)
    deck = rules.spec.shuffle(seed)
    symmetries = suit_symmetries(rules)
    assert symmetries[0] == tuple(range(rules.colors))
    order = symmetries[stream.below(len(symmetries))]
    there = Game.start(rules, relabelled(deck, order))
    assert perft(Game.start(rules, deck), 3) == perft(there, 3)


@settings(max_examples=60)
@given(st.sampled_from(variant_names()), st.integers(0, 2**32))
def test_renamed_games_go_alike_action_by_action(name: str, seed: int) -> None:
    """Each action has one under the other names that does the same to everything."""
    rules, stream = Rules.hanab_live(3, variant=name), Stream(seed)
    symmetries = suit_symmetries(rules)
    order = symmetries[stream.below(len(symmetries))]
    here = Game.start(rules, rules.spec.shuffle(seed))
    there = Game.start(rules, relabelled(here.deck, order))
    while not here.is_over:
        legal = here.legal_actions
        action = legal[stream.below(len(legal))]
        alike = action
        if action.is_hint:
            touched = here.touched(action)
            alike = next(
                other
                for other in there.legal_actions
                if (other.kind, other.target) == (action.kind, action.target)
                and there.touched(other) == touched
            )
        here, there = here.apply(action), there.apply(alike)
        assert tuple(there.piles[order[c]] for c in range(rules.colors)) == here.piles
        assert (here.hints, here.lives, here.is_over) == (there.hints, there.lives, there.is_over)


@pytest.mark.parametrize("name", ["Black (5 Suits)", "Rainbow (4 Suits)", "Reversed (3 Suits)"])
def test_what_is_no_symmetry_shows(name: str) -> None:
    """The suit that is unlike the others has to stay, and only it."""
    rules = Rules.hanab_live(2, variant=name)
    last = rules.colors - 1
    expected = [order for order in permutations(range(rules.colors)) if order[last] == last]
    assert list(suit_symmetries(rules)) == expected


def test_renamed_decks_are_the_same_deal() -> None:
    rules = Rules.hanab_live(4)
    deck = rules.spec.shuffle(seed=1)
    seen = set()
    for number in range(20):
        other = renamed(deck, rules, Stream(5, number))
        seen.add(other)
        after = zip(deck[16:], other[16:], strict=True)
        order = {card.color: there.color for card, there in after if card.rank == there.rank}
        assert sorted(order) == sorted(order.values()) == list(range(5))
        assert [(order[c], r) for c, r in deck[16:]] == list(other[16:])
        for start in range(0, 16, 4):
            mine = Counter((order[c], r) for c, r in deck[start : start + 4])
            assert mine == Counter(tuple(card) for card in other[start : start + 4])
    assert len(seen) == 20


def test_a_lost_deck_is_lost_under_any_names() -> None:
    rules = Rules.hanab_live(2)
    for seed, won in (("p2v0s40", False), ("p2v0s220", False), ("p2v0s41", True)):
        deck = hanab_deck(seed)
        for number in range(4):
            other = Game.start(rules, renamed(deck, rules, Stream(1, number)))
            assert solve(other).is_winnable is won


def hanab_deck(seed: str):  # type: ignore[no-untyped-def]
    from hanabi.rules.seeds import parse_seed

    return parse_seed(seed).deck
