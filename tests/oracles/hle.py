"""Games of the real Hanabi Learning Environment, where it is installed, as plain records.

It is no dependency: `pip install hanabi-learning-environment`, with a C++ compiler and CMake, and
with CMAKE_POLICY_VERSION_MINIMUM=3.5 in the environment for CMake 4. Its random numbers are its
own, so a game of it is played first, and then played again here with the cards that it dealt.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

PEER = "hanabi_learning_environment"

IS_INSTALLED = importlib.util.find_spec(PEER) is not None
WHY_NOT = f"{PEER} is not installed: see tests/oracles/hle.py"

# Parameters of rl_env; what is not named is the full game's.
CONFIGS: dict[str, dict[str, int]] = {
    **{f"{players} players": {"players": players} for players in range(2, 6)},
    "minimal": {"players": 3, "observation_type": 0},
    "seer": {"players": 2, "observation_type": 2},
    "small": {
        "players": 2,
        "colors": 2,
        "hand_size": 2,
        "max_information_tokens": 3,
        "max_life_tokens": 1,
    },
    "three ranks": {"players": 3, "colors": 4, "ranks": 3, "hand_size": 4},
    "anyone begins": {"players": 4, "random_start_player": 1},
    "no tokens": {"players": 2, "colors": 1, "hand_size": 5, "max_information_tokens": 0},
}


class Turn(NamedTuple):
    """What is seen after the deal or a move: of all players, without what cannot be compared.

    Attributes
    ----------
    action
        The number of the move that led here, None for the deal.
    seen
        The dictionary of `rl_env`.
    reward, done
        What `rl_env` returns.
    texts
        What `pyhanabi` makes of the state, and of the observation and last moves of each player.
    """

    action: int | None
    seen: dict[str, Any]
    reward: float
    done: bool
    texts: list[str]


class Record(NamedTuple):
    """A game: its cards in the order of the deals (color from 0, rank from 1), and its turns."""

    deck: list[tuple[int, int]]
    start: int
    turns: list[Turn]


def turn_of(env: Any, action: int | None, result: tuple[Any, ...]) -> Turn:
    """Return what an environment, the real one or ours, shows now."""
    seen, reward, done = result[:3]
    observations = [each.pop("pyhanabi") for each in seen["player_observations"]]
    texts = [str(env.state), str(env.state.move_history()), str(env.state.end_of_game_status())]
    for each in observations:
        texts += [str(each), str(each.last_moves()), str(each.card_knowledge())]
        texts.append(str([move.card_info_newly_revealed() for move in each.last_moves()]))
    return Turn(action, seen, float(reward), bool(done), texts)


def play(config: dict[str, int], games: int, seed: int) -> Iterator[Record]:
    """Play games of the real environment, carefully or at random, and yield them."""
    from hanabi_learning_environment import rl_env

    rng = random.Random(seed)
    env = rl_env.HanabiEnv({"colors": 5, "ranks": 5, "seed": seed, **config})
    for _ in range(games):
        care = rng.random()
        result: tuple[Any, ...] = env.reset(), 0, False
        action, turns = None, []
        start = env.state.cur_player()
        while True:
            turns.append(turn_of(env, action, result))
            if turns[-1].done:
                break
            action = choose(env.state, env.game, rng, care)
            result = env.step(action)
        dealt = [move.move() for move in env.state.move_history() if move.player() < 0]
        cards = [(move.color(), move.rank() + 1) for move in dealt]
        yield Record(cards + missing(env.game, cards), start, turns)


def choose(state: Any, game: Any, rng: random.Random, care: float) -> int:
    """Return a legal move; with care, none that loses a life if another one is left."""
    moves = state.legal_moves()
    hand = state.player_hands()[state.cur_player()]
    if rng.random() < care:
        good = [
            move
            for move in moves
            if move.type().name != "PLAY"
            or state.card_playable_on_fireworks(
                hand[move.card_index()].color(), hand[move.card_index()].rank()
            )
        ]
        plays = [move for move in good if move.type().name == "PLAY"]
        moves = plays or good or moves
    return int(game.get_move_uid(rng.choice(moves)))


def missing(game: Any, cards: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the cards that were not dealt, in any order."""
    return [
        (color, rank + 1)
        for color in range(game.num_colors())
        for rank in range(game.num_ranks())
        for _ in range(game.num_cards(color, rank) - cards.count((color, rank + 1)))
    ]


def replayed(record: Record, config: dict[str, int]) -> Iterator[Turn]:
    """Play a record again with our `rl_env`, with the cards that were dealt."""
    from hanabi.env import rl_env

    env = rl_env.HanabiEnv({"colors": 5, "ranks": 5, **config})
    env.game.draw_start_player = lambda: record.start  # type: ignore[method-assign]
    result: tuple[Any, ...] = env.reset(deck=record.deck), 0, False
    for number, turn in enumerate(record.turns):
        if number:
            result = env.step(turn.action)  # type: ignore[arg-type]
        yield turn_of(env, turn.action, result)


def vectors_of(turn: Turn) -> list[list[int]]:
    """Return the vectors of all players, player 0's first."""
    return [each["vectorized"] for each in turn.seen["player_observations"]]


def digest(turns: Iterator[Turn] | list[Turn]) -> str:
    """Return a hash of all that is seen in a game."""
    seen = hashlib.sha256()
    for turn in turns:
        seen.update(json.dumps(turn, sort_keys=True).encode())
    return seen.hexdigest()


def packed(vector: list[int]) -> str:
    """Return the entries of a vector, four to a hexadecimal digit, the first one highest."""
    bits = "".join(map(str, vector))
    bits += "0" * (-len(bits) % 4)
    return f"{int(bits, 2):0{len(bits) // 4}x}"


def golden(name: str, record: Record, *, is_whole: bool) -> dict[str, Any]:
    """Return a game as it is kept in `tests/data/hle`: hashes, and vectors if it is to be whole."""
    vectors = [vectors_of(turn) for turn in record.turns]
    kept: dict[str, Any] = {
        "config": name,
        "start": record.start,
        "deck": "".join(f"{'RYGWB'[color]}{rank}" for color, rank in record.deck),
        "actions": [turn.action for turn in record.turns[1:]],
        "rewards": [turn.reward for turn in record.turns[1:]],
        "vectors": hashlib.sha256(json.dumps(vectors).encode()).hexdigest(),
        "everything": digest(record.turns),
    }
    if is_whole:
        kept["whole"] = [[packed(vector) for vector in turn] for turn in vectors]
    return kept
