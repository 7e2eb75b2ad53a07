"""`rl_env` and `pyhanabi` beside games of the real Hanabi Learning Environment.

`tests/data/hle` holds hashes of all that it shows in these games, and whole vectors of some; where
it is installed, more games are played, too.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hanabi.env import VectorEnv, pyhanabi, rl_env
from hanabi.ground.errors import IllegalActionError, InvalidInputError
from oracles import hle

GOLDEN = Path(__file__).parents[2] / "data" / "hle" / "games.jsonl"


@cache
def golden_games() -> list[dict[str, Any]]:
    return [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]


def deck_of(game: dict[str, Any]) -> list[tuple[int, int]]:
    letters, ranks = game["deck"][::2], game["deck"][1::2]
    return [("RYGWB".index(c), int(r)) for c, r in zip(letters, ranks, strict=True)]


def record_of(game: dict[str, Any]) -> hle.Record:
    """Return a kept game with the moves alone."""
    moves = [None, *game["actions"]]
    turns = [hle.Turn(move, {}, 0.0, False, []) for move in moves]
    return hle.Record(deck_of(game), game["start"], turns)


@pytest.mark.parametrize("name", hle.CONFIGS)
def test_all_that_is_seen_is_equal(name: str) -> None:
    games = [game for game in golden_games() if game["config"] == name]
    assert len(games) == 8
    for game in games:
        turns = list(hle.replayed(record_of(game), hle.CONFIGS[name]))
        assert [turn.reward for turn in turns[1:]] == game["rewards"]
        vectors = [hle.vectors_of(turn) for turn in turns]
        if "whole" in game:
            assert [[hle.packed(each) for each in turn] for turn in vectors] == game["whole"]
        assert hashlib.sha256(json.dumps(vectors).encode()).hexdigest() == game["vectors"]
        assert hle.digest(turns) == game["everything"]
        assert turns[-1].done


@pytest.mark.parametrize("name", [name for name in hle.CONFIGS if name != "anyone begins"])
def test_many_games_at_once_show_the_same_vectors(name: str) -> None:
    """Seat 0 begins there, so that games that another player begins are left out."""
    games = [game for game in golden_games() if game["config"] == name]
    params = pyhanabi.HanabiGame({"colors": 5, "ranks": 5, **hle.CONFIGS[name]})
    env = VectorEnv(
        len(games), params.rules, kind=params.layout.kind, all_seats=True, autoreset="disabled"
    )
    step = env.reset(decks=[deck_of(game) for game in games])
    vectors: list[list[Any]] = [[seen.tolist()] for seen in step.observations]
    for turn in range(max(len(game["actions"]) for game in games)):
        going = [turn < len(game["actions"]) for game in games]
        assert (step.dones == ~np.array(going)).all()
        moves = [*(game["actions"][turn] if on else -1 for game, on in zip(games, going))]  # noqa: B905
        step = env.step(moves)
        for index in np.flatnonzero(going):
            vectors[index].append(step.observations[index].tolist())
            assert step.rewards[index] == games[index]["rewards"][turn]
    assert step.dones.all()
    for kept, game in zip(vectors, games, strict=True):
        assert hashlib.sha256(json.dumps(kept).encode()).hexdigest() == game["vectors"]


@pytest.mark.skipif(not hle.IS_INSTALLED, reason=hle.WHY_NOT)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # its open files
@pytest.mark.parametrize("name", hle.CONFIGS)
def test_more_games_of_the_real_one(name: str) -> None:
    for record in hle.play(hle.CONFIGS[name], 5, seed=11):
        assert list(hle.replayed(record, hle.CONFIGS[name])) == record.turns


class Hinted(rl_env.Agent):
    """Plays what was hinted, hints what can be played, else discards: written for the original."""

    def __init__(self, config: dict[str, Any]) -> None:
        self.tokens = config["max_information_tokens"]

    def act(self, observation: Any) -> dict[str, Any] | None:
        if observation["current_player_offset"] != 0:
            return None
        for index, known in enumerate(observation["card_knowledge"][0]):
            if known["rank"] is not None:
                return {"action_type": "PLAY", "card_index": index}
        if observation["information_tokens"] > 0:
            for offset, hand in enumerate(observation["observed_hands"][1:], start=1):
                for card in hand:
                    if observation["fireworks"][card["color"]] == card["rank"]:
                        return {
                            "action_type": "REVEAL_RANK",
                            "rank": card["rank"],
                            "target_offset": offset,
                        }
        if observation["information_tokens"] < self.tokens:
            return {"action_type": "DISCARD", "card_index": 0}
        return {"action_type": "PLAY", "card_index": 0}


def test_an_agent_of_the_original_plays() -> None:
    env = rl_env.HanabiEnv({"players": 3, "seed": 4})
    agents = [Hinted({"max_information_tokens": 8}) for _ in range(3)]
    seen, done, total = env.reset(), False, 0.0
    while not done:
        moves = [
            agent.act(seen["player_observations"][player]) for player, agent in enumerate(agents)
        ]
        assert [player for player, move in enumerate(moves) if move] == [seen["current_player"]]
        move = moves[seen["current_player"]]
        assert move in seen["player_observations"][seen["current_player"]]["legal_moves"]
        seen, reward, done, info = env.step(move)
        assert info == {}
        total += reward
    assert total == env.state.score()
    assert env.state.end_of_game_status() != pyhanabi.HanabiEndOfGameType.NOT_FINISHED


def test_seeds_give_the_same_deals_and_others() -> None:
    envs = [rl_env.HanabiEnv({"players": 2, "seed": 5}) for _ in range(2)]
    hands = [[str(env.reset()["player_observations"]) for _ in range(2)] for env in envs]
    texts = [[env.state.player_hands() for _ in [env.reset()]] for env in envs]
    assert texts[0] == texts[1]
    assert hands[0][0] != hands[0][1]


def test_chance_deals_card_by_card_or_what_it_is_told_to() -> None:
    game = pyhanabi.HanabiGame({"players": 2, "seed": 1})
    state = game.new_initial_state()
    with pytest.raises(InvalidInputError, match="a card is to be dealt"):
        state.observation(0)
    with pytest.raises(IllegalActionError, match="a card is to be dealt"):
        state.apply_move(pyhanabi.HanabiMove.get_play_move(0))
    deal = pyhanabi.HanabiMove.get_deal_move(4, 4)
    assert state.move_is_legal(deal)
    state.apply_move(deal)
    assert state.player_hands() == [[pyhanabi.HanabiCard(4, 4)], []]
    assert state.deck_size() == 49
    assert not state.move_is_legal(deal)
    with pytest.raises(IllegalActionError, match="not to be dealt any more"):
        state.apply_move(deal)
    while state.cur_player() == pyhanabi.CHANCE_PLAYER_ID:
        state.deal_random_card()
    other = state.copy()
    other.apply_move(pyhanabi.HanabiMove.get_play_move(0))
    assert (other.life_tokens(), state.life_tokens()) == (2, 3)
    assert other.cur_player() == pyhanabi.CHANCE_PLAYER_ID
    assert [len(hand) for hand in other.player_hands()] == [4, 5]
    other.apply_move(pyhanabi.HanabiMove.get_deal_move(0, 4))
    assert other.player_hands()[0][-1] == pyhanabi.HanabiCard(0, 4)
    cards = Counter(str(card) for card in other.game.deck)
    assert cards == Counter(str(card) for card in game.rules.spec.cards())
    assert other.discard_pile() == [pyhanabi.HanabiCard(4, 4)]


def test_rules_are_those_of_this_package() -> None:
    assert pyhanabi.HanabiGame({"players": 4}).rules == replace(
        pyhanabi.HanabiGame().rules, seats=4, hand_size=4, final_round=4
    )


def test_numbers_and_moves_go_both_ways() -> None:
    for name, config in hle.CONFIGS.items():
        game = pyhanabi.HanabiGame(config)
        moves = [game.get_move(number) for number in range(game.max_moves())]
        assert len(set(moves)) == game.max_moves(), name
        assert [game.get_move_uid(move) for move in moves] == list(range(game.max_moves()))
        assert game.get_move_uid(game.get_move(game.max_moves())) == -1


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ({"action_type": "DISCARD", "card_index": 0}, "(Discard 0): turn 1, seat 0 cannot discard"),
        ({"action_type": "PLAY", "card_index": 5}, "(Play 5): turn 1, seat 0 cannot play slot 5"),
        ({"action_type": "PLAY", "card_index": -1}, "(Play -1): "),
        ({"action_type": "PLAY"}, "{'action_type': 'PLAY'} has no card_index"),
        ({"action_type": "PASS"}, "action_type: 'PASS' is none of PLAY, DISCARD,"),
        ({"card_index": 0}, "action_type: None is none of PLAY"),
        ({"action_type": "REVEAL_RANK", "rank": 9, "target_offset": 1}, "(Reveal player +1 rank"),
        ({"action_type": "REVEAL_RANK", "rank": 0, "target_offset": 2}, "(Reveal player +2 rank"),
        (20, "action 20 is not in 0 .. 19"),
        (-1, "action -1 is not in 0 .. 19"),
    ],
)
def test_illegal_moves_are_assertion_errors_that_quote_them(action: Any, message: str) -> None:
    env = rl_env.make()
    env.reset()
    with pytest.raises(AssertionError) as caught:
        env.step(action)
    assert str(caught.value).startswith(message)
    assert env.state.cur_player() == 0


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"players": 6}, "players = 6 is not 2 to 5"),
        ({"colors": "x"}, "colors = 'x' is not a whole number"),
        ({"max_life_tokens": 0}, "max_life_tokens = 0 is not 1 or more"),
        ({"random_start_player": "maybe"}, "random_start_player = 'maybe' is neither"),
        ({"colors": 1, "hand_size": 8}, "a deck of 10 cards is too small"),
    ],
)
def test_parameters_are_refused_with_their_names(config: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as caught:
        rl_env.HanabiEnv(config)
    assert str(caught.value).startswith(message)


def test_what_is_no_move_or_environment_is_a_value_error() -> None:
    env = rl_env.make("Hanabi-Very-Small", 3)
    env.reset()
    with pytest.raises(ValueError, match="is neither a dictionary nor a number"):
        env.step("PLAY")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="'Z' is none of R Y G W B"):
        env.step({"action_type": "REVEAL_COLOR", "color": "Z", "target_offset": 1})
    with pytest.raises(ValueError, match="'Hanabi' is none of Hanabi-Full"):
        rl_env.make("Hanabi")
