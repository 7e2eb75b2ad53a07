"""A permuted game is the game of the permuted deck, entry by entry."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hanabi.env import Symmetry, VectorEnv, color_symmetries
from hanabi.ground.errors import InvalidInputError
from hanabi.rules import Rules
from hanabi.rules.deck import DeckSpec

RAGGED = Rules(spec=DeckSpec(((3, 2, 1), (3, 1), (3, 2, 1))), seats=3, hand_size=3, hints=5)
KEPT = replace(Rules.bergh2016(3), hints=5, lives=20)

CASES: list[tuple[Rules, dict[str, Any], int]] = [
    (Rules.hle(2), {"colors": [2, 0, 1, 4, 3]}, 0),
    (replace(Rules.hanab_live(4), lives=9), {"colors": [4, 3, 2, 0, 1]}, 1),
    (Rules.hle(3), {"colors": [1, 2, 3, 4, 0]}, 2),
    (RAGGED, {"colors": [2, 1, 0]}, 1),
    (KEPT, {"slots": [2, 4, 0, 1, 3]}, 1),
    (KEPT, {"colors": [1, 2, 3, 4, 0], "slots": [1, 2, 3, 4, 0]}, 1),
]
IDS = ["hle, minimal", "hanab_live", "hle, seer", "ragged", "slots", "colors and slots"]


@pytest.mark.parametrize(("rules", "given", "kind"), CASES, ids=IDS)
def test_a_permuted_game_is_that_of_the_permuted_deck(
    rules: Rules, given: dict[str, Any], kind: int
) -> None:
    n, turns = 8, 0
    plain, other = (
        VectorEnv(n, rules, kind=kind, all_seats=True, autoreset="disabled", seed=2)
        for _ in range(2)
    )
    symmetry = Symmetry(plain.layout, **given)
    decks = [rules.spec.shuffle(7, index) for index in range(n)]
    step = plain.reset(decks=decks)
    twin = other.reset(decks=[symmetry.deck(deck) for deck in decks])
    hands_miss = plain.layout.section("hands that miss a card").slice
    while not step.dones.all():
        # Hands close up once the deck is empty, and slots are no symmetry from then on.
        rows: Any = np.ones(n, np.bool_)
        if "slots" in given:
            rows = ~step.observations[:, 0, hands_miss].any(1)
            if not rows.any():
                break
        assert (symmetry.observe(step.observations) == twin.observations)[rows].all()
        assert (step.masks[:, symmetry.masks] == twin.masks)[rows].all()
        assert (step.rewards == twin.rewards)[rows].all()
        assert (step.dones == twin.dones)[rows].all()
        mine, theirs = symmetry.label(plain.labels()), other.labels()
        assert (mine.cards == theirs.cards)[rows].all()
        assert (mine.posteriors == theirs.posteriors)[rows].all()
        actions = plain.draw_actions()
        permuted = symmetry.actions[actions]
        if not rows.all():  # games that are compared no more go on for themselves
            permuted = np.where(rows, permuted, other.draw_actions())
        step, twin = plain.step(actions), other.step(permuted)
        turns += 1
    assert turns > 15


@pytest.mark.parametrize(("rules", "given", "kind"), CASES, ids=IDS)
def test_a_symmetry_is_undone_by_its_inverse(
    rules: Rules, given: dict[str, Any], kind: int
) -> None:
    layout = VectorEnv(1, rules, kind=kind).layout
    there = Symmetry(layout, **given)
    back = there.inverse
    for name in ("observations", "actions", "masks", "cards"):
        index = getattr(there, name)
        assert sorted(index) == [*range(len(index))]
        assert (index[getattr(back, name)] == np.arange(len(index))).all()
    assert (there.masks[there.actions] == np.arange(layout.actions)).all()
    deck = rules.spec.shuffle(1)
    assert back.deck(there.deck(deck)) == deck


def test_all_symmetries_of_the_colors_are_listed_once() -> None:
    layout = VectorEnv(1, "hle").layout
    listed = color_symmetries(layout)
    assert listed[0] == Symmetry(layout)
    assert len({each.observations.tobytes() for each in listed}) == len(listed) == 120
    assert [each.colors for each in color_symmetries(VectorEnv(1, RAGGED).layout)] == [
        (0, 1, 2),
        (2, 1, 0),
    ]


@pytest.mark.parametrize(
    ("rules", "given", "message"),
    [
        (Rules.hle(2), {"colors": [0, 1]}, "colors = [0, 1] is no permutation of 0 .. 4"),
        (Rules.hle(2), {"colors": 3}, "colors = 3 is no permutation of 0 .. 4"),
        (Rules.hle(2), {"colors": "abcde"}, "colors = 'abcde' is no permutation of 0 .. 4"),
        (RAGGED, {"colors": [1, 0, 2]}, "colors: 0 and 1 have different cards"),
        (Rules.hle(2), {"slots": [1, 0, 2, 3, 4]}, "slots = (1, 0, 2, 3, 4): cards move down"),
    ],
)
def test_what_is_no_symmetry_is_named(rules: Rules, given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        Symmetry(VectorEnv(1, rules).layout, **given)
    assert str(caught.value).startswith(message)
