"""Agents of the Hanabi Learning Environment as players, and networks beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hanabi.env import FunctionNetwork, Layout, ObservationKind, rl_env
from hanabi.env.seats import AgentSeat
from hanabi.ground.errors import InvalidInputError, PlayerError
from hanabi.ground.rng import Stream
from hanabi.players import outcomes, parse_player, play_game
from hanabi.rules import Game, Rules
from property.test_game import hide_otherwise


class Watching:
    """An agent that keeps what it is given, and plays by a sum over it."""

    seen: list[dict[str, Any]] = []  # noqa: RUF012 (shared on purpose)

    def __init__(self, config: dict[str, Any]) -> None:
        self.config = config

    def act(self, observation: dict[str, Any]) -> Mapping[str, Any] | int:
        self.seen.append(observation)
        number = sum(observation["vectorized"]) % len(observation["legal_moves"])
        if number % 2:
            return int(observation["legal_moves_as_int"][number])
        move: dict[str, Any] = observation["legal_moves"][number]
        return move


@pytest.mark.parametrize(
    ("rules", "kind"),
    [
        (Rules.hle(2), ObservationKind.CARD_KNOWLEDGE),
        (Rules.hanab_live(4), ObservationKind.CARD_KNOWLEDGE),
        (Rules.hle(3), ObservationKind.MINIMAL),
    ],
)
def test_an_agent_sees_what_the_environment_shows(rules: Rules, kind: ObservationKind) -> None:
    """The oracle is the environment itself, in which the same game is played with all cards."""
    for index in range(2):
        game = Game.start(rules, rules.spec.shuffle(3, index))
        Watching.seen.clear()
        end = play_game([AgentSeat(Watching, kind)] * rules.seats, game, Stream(1))
        env = rl_env.HanabiEnv({"players": rules.seats, "observation_type": int(kind)})
        step, over = env.reset(deck=end.deck), False
        assert len(Watching.seen) == end.turn
        for given in Watching.seen:
            shown = step["player_observations"][step["current_player"]]
            texts = [str(each.pop("pyhanabi")) for each in (given, shown)]
            assert given == shown
            assert texts[0] == texts[1]
            agent = Watching({})
            step, _, over, _ = env.step(agent.act(shown))
            Watching.seen.pop()
        assert over


def test_the_last_moves_are_those_of_the_environment() -> None:
    rules = Rules.hle(3)

    class Remembering(Watching):
        def act(self, observation: dict[str, Any]) -> Mapping[str, Any] | int:
            asked = observation["pyhanabi"]
            told.append([repr(each) for each in asked.last_moves()])
            return super().act(observation)

    told: list[list[str]] = []
    game = Game.start(rules, rules.spec.shuffle(5))
    end = play_game([AgentSeat(Remembering)] * 3, game, Stream(1))
    env = rl_env.HanabiEnv({"players": 3})
    step = env.reset(deck=end.deck)
    for turn, action in enumerate(end.actions):
        shown = step["player_observations"][turn % 3]
        assert [repr(each) for each in shown["pyhanabi"].last_moves()] == told[turn]
        step, *_ = env.step(Layout(rules).number(action, turn % 3))


def test_a_network_sees_what_an_agent_sees() -> None:
    rules, vectors = Rules.hle(2), []

    def see(observations: Any, masks: Any) -> Any:
        [seen], [legal] = observations.tolist(), masks
        vectors.append(seen)
        return np.flatnonzero(legal)[[sum(seen) % legal.sum()]]

    game = Game.start(rules, rules.spec.shuffle(3))
    Watching.seen.clear()
    ends = [
        play_game([player] * 2, game, Stream(1))
        for player in (FunctionNetwork(see), AgentSeat(Watching))
    ]
    assert ends[0].actions == ends[1].actions
    assert vectors == [each["vectorized"] for each in Watching.seen]
    team = [FunctionNetwork(see), parse_player("rule-based"), AgentSeat(Watching)]
    assert len(outcomes(team, Rules.hanab_live(3), 2, seed=1)) == 2


def test_hidden_cards_and_another_first_seat_change_nothing() -> None:
    rules = Rules.hle(3)
    deck, ends = rules.spec.shuffle(4), []
    for first in range(2):
        game = Game.start(rules, deck, first_seat=first)
        while not game.is_over:
            seat = game.seat_to_act
            other = Game.start(
                rules, hide_otherwise(game, seat, Stream(4, game.turn)), first_seat=first
            )
            for action in game.actions:
                other = other.apply(action)
            decisions = []
            for each in (game, other):
                agent = AgentSeat(Watching)
                agent.start(rules, seat)
                decisions.append(agent.act(each.view(seat), Stream(5)))
            assert decisions[0] == decisions[1]
            game = game.apply(decisions[0])
        ends.append(game)
    assert ends[0].actions != ends[1].actions


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, "the agent returns None, which is no move"),
        ("PLAY", "the agent returns 'PLAY', which is no move"),
        (20, "20 is no move of a player"),
        ({"action_type": "FLY"}, "is none of PLAY, DISCARD, REVEAL_COLOR, REVEAL_RANK"),
        ({"action_type": "PLAY"}, "has no card_index"),
    ],
)
def test_what_is_no_move_is_named(answer: Any, message: str) -> None:
    class Wrong(Watching):
        def act(self, _: dict[str, Any]) -> Any:
            return answer

    with pytest.raises(PlayerError) as caught:
        outcomes(AgentSeat(Wrong), Rules.hle(2), 1, seed=6)
    assert str(caught.value).startswith("seed 6, deal 0: turn 1, seat 0: ")
    assert message in str(caught.value)


def test_what_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="a seer's observation shows hidden cards"):
        AgentSeat(Watching, ObservationKind.SEER)
    for rules, name in (
        (Rules.official(2), "empty_hints"),
        (Rules.hanab_live(2, variant="Rainbow (5 Suits)"), "variant"),
        (replace(Rules.hle(2), half_tokens=True), "half_tokens"),
    ):
        with pytest.raises(InvalidInputError, match=rf"rules: .*{name}.*: not as in the Hanabi"):
            AgentSeat(Watching).start(rules, 0)
