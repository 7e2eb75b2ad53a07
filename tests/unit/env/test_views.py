"""Observations of views, and views of observations, of every seat in whole games."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hanabi.env import Layout, VectorEnv
from hanabi.ground.errors import InvalidInputError
from hanabi.rules import Game, Rules
from hanabi.rules.deck import DeckSpec

RAGGED = Rules(spec=DeckSpec(((3, 2, 1), (3, 1, 1))), seats=2, hand_size=3, hints=4, final_round=3)
TABLES = [
    Rules.hle(2),
    replace(Rules.hanab_live(5), lives=9),
    replace(Rules.bergh2016(3), hints=5),
    RAGGED,
]
IDS = ["hle", "hanab_live", "bergh2016", "ragged"]


def games(rules: Rules, kind: int = 1) -> tuple[VectorEnv, list[Any]]:
    """Return an environment after random games, and all observations of all seats."""
    env = VectorEnv(3, rules, kind=kind, all_seats=True, autoreset="disabled", seed=6)
    step = env.reset()
    rows = [step.observations.copy()]
    while not step.dones.all():
        over = step.dones.copy()
        step = env.step(env.draw_actions())
        rows.append(np.where(over[:, None, None], 2, step.observations))
    return env, rows


@pytest.mark.parametrize("kind", [0, 1])
@pytest.mark.parametrize("rules", TABLES, ids=IDS)
def test_any_view_is_observed_as_the_environment_does(rules: Rules, kind: int) -> None:
    env, rows = games(rules, kind)
    for index in range(3):
        end = env.game(index)
        game = Game.start(rules, end.deck)
        for turn, action in enumerate((*end.actions, None)):
            for seat in range(rules.seats):
                found = env.layout.observe(game.view(seat))
                assert found.dtype == np.uint8
                assert found.tolist() == rows[turn][index, seat].tolist()
            game = game if action is None else game.apply(action)
        assert game.is_over


@pytest.mark.parametrize("rules", TABLES, ids=IDS)
def test_views_come_back_from_what_their_seat_observed(rules: Rules) -> None:
    env, rows = games(rules)
    for index in range(3):
        end = env.game(index)
        game = Game.start(rules, end.deck)
        for seat in range(rules.seats):
            assert env.layout.view(rows[0][index, seat][None], seat=seat) == game.view(seat)
        for turn, action in enumerate(end.actions):
            game = game.apply(action)
            if turn % 4 == 0 or game.is_over:
                seen = [row[index, turn % rules.seats] for row in rows[: turn + 2]]
                assert env.layout.view(seen) == game.view(turn % rules.seats)


def test_what_shows_no_view_is_named() -> None:
    env = VectorEnv(1, "hle", all_seats=True, seed=1)
    rows = [env.reset().observations[0, 1].copy()]
    rows += [env.step(env.draw_actions()).observations[0, 1].copy() for _ in range(6)]
    layout, seen = env.layout, np.array(rows)
    flipped, moved = seen.copy(), seen.copy()
    flipped[3, 130] ^= 1
    moved[2, layout.section("last action: who").slice] = 0
    calls: list[tuple[Layout, Any, dict[str, Any], str]] = [
        (layout, seen[:1], {}, "seat = None is none of the 2 seats, and no action shows"),
        (layout, seen[:1], {"seat": 2}, "seat = 2 is none of the 2 seats"),
        (layout, seen, {"seat": 0}, "seat = 0: the observations are of 1"),
        (layout, seen[:, :50], {}, "observations: (7, 50), not (turns + 1, 658)"),
        (layout, seen[0], {}, "observations: (658,), not (turns + 1, 658)"),
        (layout, [[1], [1, 2]], {}, "observations: the rows are not equally long"),
        (layout, seen + 1, {}, "observations: not all entries are 0 or 1"),
        (layout, flipped, {}, "turn 3: entry 130 (cards to draw) is "),
        (layout, moved, {}, "turn 2: entry "),
        (layout, np.zeros_like(seen), {}, ""),
        (layout, np.ones_like(seen), {}, ""),
        (Layout(Rules.hle(2), layout.kind.MINIMAL), seen, {}, "kind = MINIMAL: a view needs"),
    ]
    for of, given, more, message in calls:
        with pytest.raises(InvalidInputError) as caught:
            of.view(given, **more)
        assert str(caught.value).startswith(message)
    rng = np.random.default_rng(1)
    for _ in range(150):  # no other damage passes, or ends in another error
        damaged = seen.copy()
        damaged[rng.integers(7), rng.integers(658)] ^= 1
        with pytest.raises(InvalidInputError):
            layout.view(damaged)


def test_what_cannot_be_observed_is_named() -> None:
    rules = Rules.hle(2)
    game = Game.start(rules, rules.spec.shuffle(1))
    with pytest.raises(InvalidInputError, match="view: its rules are not those of the layout"):
        Layout(Rules.hle(3)).observe(game.view(0))
    layout = Layout(rules)
    with pytest.raises(InvalidInputError, match="kind = SEER: a view does not hold"):
        Layout(rules, layout.kind.SEER).observe(game.view(0))
