"""A learner beside partners: the same games as one by one, from views, by the players' `act`."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hanabi.env import VectorEnv
from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.players import FirstLegal, Piers, RandomLegal, parse_player
from hanabi.players.arena import decision_seed
from hanabi.rules import Game, Rules
from hanabi.rules.deck import DeckSpec

SMALL = replace(
    Rules.hle(3), spec=DeckSpec.uniform(colors=3, ranks=3, copies=2), hand_size=2, lives=2
)
TINY = replace(SMALL, lives=1)  # random partners end some games before the learner's turn
HLE = Rules.hle(2)


def choice(mask: Any, turn: int, place: int) -> int:
    """Return the learner's action: any legal one, but the same one in the same position."""
    legal = np.flatnonzero(mask)
    return int(legal[(7 * turn + place) % len(legal)]) if len(legal) else -1


class Slow:
    """One place's games by views, as `VectorEnv` says what a step does."""

    def __init__(
        self, env: VectorEnv, place: int, seed: int, team: list[Any], learner: Any
    ) -> None:
        self.env, self.place, self.seed, self.team, self.learner = env, place, seed, team, learner
        self.begun, self.is_over = 0, False
        self.deal()

    def deal(self) -> None:
        seats, index = self.env.rules.seats, self.place + self.begun * self.env.n
        first = self.place + self.begun if self.learner == "rotate" else self.learner
        self.players = [([None, *self.team])[(seat - first) % seats] for seat in range(seats)]
        self.game = Game.start(self.env.rules, self.env.rules.spec.shuffle(self.seed, index))
        self.rng = Stream(decision_seed(self.seed), index)
        self.begun, self.points = self.begun + 1, 0
        self.go_on()

    def go_on(self) -> None:
        while not self.game.is_over and (player := self.players[self.game.seat_to_act]):
            action = player.act(self.game.view(self.game.seat_to_act), self.rng)
            self.game = self.game.apply(action)

    def observer(self) -> int:
        seat = self.game.seat_to_act
        while self.players[seat] is not None:
            seat = (seat + 1) % len(self.players)
        return seat

    def seen(self) -> list[int]:
        return [*map(int, self.env.layout.observe(self.game.view(self.observer())))]

    def step(self, number: int, autoreset: str) -> tuple[float, bool, list[int] | None]:
        reward, final = 0, None
        if not self.game.is_over:
            self.game = self.game.apply(self.env.layout.action(number, self.game.seat_to_act))
            self.go_on()
            reward, self.points = self.game.score - self.points, self.game.score
        elif autoreset == "next_step":
            self.deal()
        is_over = self.game.is_over
        if is_over and autoreset == "same_step":
            final = self.seen()
            self.deal()
        return reward, is_over, final


def compare(env: VectorEnv, games: list[Slow], autoreset: str, steps: int) -> int:
    step, ends = env.reset(), 0
    for _ in range(steps):
        for place, slow in enumerate(games):
            assert env.game(place) == slow.game
            assert int(step.seats[place]) == slow.observer()
            assert step.observations[place].tolist() == slow.seen()
            seat = slow.game.seat_to_act
            legal = [] if slow.game.is_over else slow.game.legal_actions
            numbers = sorted(env.layout.number(action, seat) for action in legal)
            assert np.flatnonzero(step.masks[place]).tolist() == numbers
        actions = [choice(step.masks[i], slow.game.turn, i) for i, slow in enumerate(games)]
        step = env.step(actions)
        for place, slow in enumerate(games):
            reward, is_over, final = slow.step(actions[place], autoreset)
            assert (float(step.rewards[place]), bool(step.dones[place])) == (reward, is_over)
            if final is not None:
                assert step.finals[place].tolist() == final
        ends += int(step.dones.sum())
    return ends


TABLES: list[tuple[Rules, list[Any], Any]] = [
    (HLE, ["piers"], 0),
    (HLE, ["information"], "rotate"),
    (HLE, ["hgroup"], 1),  # asked view by view
    (SMALL, ["information", "random"], "rotate"),  # a memory of its own for each seat
    (SMALL, ["random", None], "rotate"),
    (TINY, ["random", "random"], 2),
    (TINY, [RandomLegal(), FirstLegal()], "rotate"),  # asked view by view
]


@pytest.mark.parametrize(
    ("table", "autoreset"),
    [
        (table, autoreset)
        for table, (_, names, _) in enumerate(TABLES)
        for autoreset in ("next_step", "same_step", "disabled")
        if names != ["hgroup"] or autoreset == "same_step"  # the others would take long
    ],
)
def test_steps_are_those_of_games_from_views(table: int, autoreset: str) -> None:
    rules, names, learner = TABLES[table]
    n, seed = (2 if rules is HLE else 4), 5
    env = VectorEnv(n, rules, seed=seed, autoreset=autoreset, partners=names, learner=learner)
    team = [parse_player(each) if isinstance(each, str) else each for each in names]
    games = [Slow(env, place, seed, team, learner) for place in range(n)]
    ends = compare(env, games, autoreset, 8 if names == ["hgroup"] else 40)
    assert ends > 0 or names == ["hgroup"]


def play(env: VectorEnv, steps: int) -> list[list[Any]]:
    return [[array.tolist() for array in env.step(env.draw_actions())] for _ in range(steps)]


@pytest.mark.parametrize("partners", [["information", "random"], [FirstLegal(), "random"]])
def test_states_go_out_and_in_with_what_the_partners_remember(partners: list[Any]) -> None:
    env = VectorEnv(5, SMALL, seed=5, partners=partners, learner="rotate")
    play(env, 7)
    kept, copied = pickle.loads(pickle.dumps((env.get_state(), env)))
    after = play(env, 20)
    assert play(copied, 20) == after
    env.set_state(kept)
    assert play(env, 20) == after


def test_partners_go_on_in_a_state_of_games_without_them() -> None:
    alone = VectorEnv(3, HLE, seed=5)
    alone.step(alone.draw_actions())
    beside = VectorEnv(3, HLE, partners="piers")
    beside.set_state(alone.get_state())
    assert [beside.game(place).turn for place in range(3)] == [2] * 3
    assert beside.look().seats.tolist() == [0] * 3


@pytest.mark.parametrize("arguments", [{"threads": 3}, {"packed": True}, {"all_seats": True}])
def test_options_change_no_game(arguments: dict[str, Any]) -> None:
    one, other = (
        VectorEnv(7, HLE, seed=8, partners="piers", learner="rotate", **each)
        for each in ({}, arguments)
    )
    for _ in range(30):
        first, second = one.step(one.draw_actions()), other.step(other.draw_actions())
        assert (first.rewards == second.rewards).all()
        assert (first.masks == second.masks).all()
        seen = second.observations
        if "packed" in arguments:
            seen = np.unpackbits(seen, axis=1, count=one.layout.size, bitorder="little")
        if "all_seats" in arguments:
            seen = seen[np.arange(7), second.seats]
        assert (first.observations == seen).all()
    other.close()


def test_processes_ask_the_same_players() -> None:
    one, two = (
        VectorEnv(4, SMALL, seed=8, partners=FirstLegal(), threads=threads) for threads in (1, 2)
    )
    assert play(one, 10) == play(two, 10)
    two.close()


def test_decks_and_labels_are_the_learners() -> None:
    env = VectorEnv(2, HLE, partners=Piers, learner=1)
    deck = HLE.spec.shuffle(seed=9)
    env.reset(decks=[deck], mask=[False, True])
    assert env.game(1).deck == deck
    assert env.game(1).turn == 1
    while not (step := env.step(env.draw_actions())).dones.any():
        pass
    place = int(step.dones.argmax())
    hand = [card.color * 5 + card.rank - 1 for card in env.game(place).hands[1]]
    cards = env.labels().cards[place]
    assert cards[: len(hand)].tolist() == hand


@pytest.mark.parametrize(
    ("partners", "learner", "message"),
    [
        ("piers", 2, "learner = 2 is neither in 0 .. 1 nor 'rotate'"),
        ("piers", True, "learner = True is neither"),
        ("piers", "first", "learner = 'first' is neither"),
        ("nobody", 0, "nobody"),
        (["piers", "piers"], 0, "partners: 2, not 1"),
        ([None], 0, "partners: nobody beside the learner"),
        (3, 0, "3"),
        (None, 1, "learner = 1: there are no partners"),
    ],
)
def test_what_is_no_partner_is_named(partners: Any, learner: Any, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        VectorEnv(1, HLE, partners=partners, learner=learner)
