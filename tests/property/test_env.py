"""Environments beside games and the slow encoding, for all rules that they take."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi.env import VectorEnv
from hanabi.ground.rng import Stream
from hanabi.rules import Game, Rules
from hanabi.rules.deck import DeckSpec
from oracles.encoding import encoding, numbers


@st.composite
def tables(draw: st.DrawFn) -> Rules:
    seats = draw(st.integers(2, 6))
    hand = draw(st.integers(1, 5))
    least = -(-seats * hand // 10)
    colors = draw(st.integers(max(1, least), 6))
    spec = DeckSpec.standard(colors)
    if draw(st.booleans()):
        copies = draw(st.integers(1, 3))
        uniform = DeckSpec.uniform(colors, draw(st.integers(1, 6)), copies)
        spec = uniform if uniform.size >= seats * hand else spec
    return Rules(
        spec=spec,
        seats=seats,
        hand_size=hand,
        hints=draw(st.integers(0, 9)),
        lives=draw(st.integers(1, 4)),
        completion_bonus=draw(st.booleans()),
        discard_at_full_hints=draw(st.booleans()),
        empty_hints=draw(st.booleans()),
        bombed_scores_zero=draw(st.booleans()),
        final_round=draw(st.sampled_from([-1, 0, 3])),
        keep_slots=draw(st.booleans()),
        stop_when_stuck=draw(st.booleans()),
        all_or_nothing=draw(st.booleans()),
        speedrun=draw(st.booleans()),
    )


SEATS = [replace(Rules.hle(seats), lives=9) for seats in range(2, 6)]


@settings(max_examples=60)
@given(
    rules=st.one_of(tables(), st.sampled_from(SEATS)),
    kind=st.integers(0, 2),
    packed=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_games_in_lockstep(rules: Rules, kind: int, packed: bool, seed: int) -> None:
    """Decks, positions, masks, rewards, ends, seats and the observations of all seats."""
    n = 3
    env = VectorEnv(
        n, rules, seed=seed, kind=kind, packed=packed, all_seats=True, autoreset="disabled"
    )
    rng = Stream(seed)
    played = [[Game.start(rules, rules.spec.shuffle(seed, index))] for index in range(n)]
    rewards, step = [0] * n, env.reset()
    for _ in range(200):
        for index, games in enumerate(played):
            game = games[-1]
            assert env.game(index) == game
            ids = numbers(game, game.seat_to_act)
            legal = sorted(ids[action] for action in game.legal_actions)
            assert np.flatnonzero(step.masks[index]).tolist() == legal
            assert step.rewards[index] == rewards[index]
            assert bool(step.dones[index]) == game.is_over
            assert int(step.seats[index]) == game.seat_to_act
            for seat in range(rules.seats):
                seen = step.observations[index, seat]
                if packed:
                    seen = np.unpackbits(seen, bitorder="little")[: env.layout.size]
                assert seen.tolist() == encoding(games, seat, kind)
        if step.dones.all():
            break
        actions, rewards = [-1] * n, [0] * n
        for index, games in enumerate(played):
            if not games[-1].is_over:
                legal_now = games[-1].legal_actions
                action = legal_now[rng.below(len(legal_now))]
                actions[index] = numbers(games[-1], games[-1].seat_to_act)[action]
                assert env.layout.action(actions[index], games[-1].seat_to_act) == action
                assert env.layout.number(action, games[-1].seat_to_act) == actions[index]
                games.append(games[-1].apply(action))
                rewards[index] = games[-1].score - games[-2].score
        step = env.step(actions)
    assert env.scores.tolist() == [games[-1].score for games in played]


@settings(max_examples=30)
@given(tables())
def test_the_sections_cover_the_vector(rules: Rules) -> None:
    layout = VectorEnv(1, rules).layout
    assert [each.start for each in layout.sections] == [
        0,
        *(each.stop for each in layout.sections[:-1]),
    ]
    game = Game.start(rules, rules.spec.shuffle(1))
    assert layout.size == len(encoding([game], 0))
    assert layout.actions == len(numbers(game, 0))
