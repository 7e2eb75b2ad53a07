from __future__ import annotations

import random

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.rules import Game, Rules, hint_color, hint_rank
from hanabi.rules.cards import Card
from hanabi.solvers.hints import possibilities_of


def test_hints_narrow_the_table() -> None:
    rules = Rules.hle(2)
    game = Game.start(rules, rules.spec.shuffle(seed=1))  # seat 1: p3 g3 p1 r4 b2
    game = game.apply(hint_rank(1, 3)).apply(hint_color(0, game.hands[0][0].color))
    game = game.apply(hint_color(1, 4))
    hand = possibilities_of(game.view(0), 1)
    assert hand.cards[0] == (Card(4, 3),)
    assert hand.projection("colors").rows[0] == (4,)
    assert hand.projection("ranks").rows[2] == (0, 1, 3, 4)
    # The card that hints name fully is no longer unseen for the other hand.
    assert possibilities_of(game.view(0), 0).unseen[4][2] == 1


def test_every_seat_knows_the_same_and_the_hand_fits() -> None:
    rules = Rules.hle(3)
    for seed in range(5):
        rng = random.Random(seed)
        game = Game.start(rules, rules.spec.shuffle(seed=seed))
        while not game.is_over:
            for seat in range(3):
                first, *others = (possibilities_of(game.view(each), seat) for each in range(3))
                assert all(other == first for other in others)
                for card, row in zip(game.hands[seat], first.cards, strict=True):
                    assert card in row
            game = game.apply(rng.choice(game.view(game.seat_to_act).legal_actions))


def test_a_seat_that_is_not_there() -> None:
    rules = Rules.hle(2)
    game = Game.start(rules, rules.spec.shuffle(seed=1))
    with pytest.raises(InvalidInputError, match=r"seat 2 is not in 0 \.\. 1"):
        possibilities_of(game.view(0), 2)


def test_hints_that_are_not_those_of_the_plain_game_are_refused() -> None:
    gray, black = (Rules.hanab_live(2, variant=f"{name} (6 Suits)") for name in ("Gray", "Black"))
    with pytest.raises(InvalidInputError, match=r"the partition of hints does not play Gray"):
        possibilities_of(Game.start(gray, gray.spec.shuffle(seed=1)).view(0), 1)
    assert possibilities_of(Game.start(black, black.spec.shuffle(seed=1)).view(0), 1).colors == 6
