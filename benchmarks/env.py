"""Observed steps a second: observations and masks written, legal actions drawn, everything counted.

Run with ``python -m benchmarks.env``. Processor time of one core, the best of five runs. The Hanabi
Learning Environment and OpenSpiel are driven from Python, as agents drive them, where they are
installed; where they are not, that is said.
"""

from __future__ import annotations

import importlib.util
import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from hanabi.env import VectorEnv, rl_env
from hanabi.game import Rules

GAMES = 2048
RUNS = 5
SECONDS = 0.4  # a run

Steps = Callable[[], int]  # plays on for a while, and returns the steps


def vector(seats: int, **arguments: Any) -> Steps:
    env = VectorEnv(GAMES, Rules.hle(seats), **arguments)
    env.reset(seed=1)
    actions = np.zeros(GAMES, np.int32)

    def steps() -> int:
        done = 0
        for _ in range(20):
            over = int(env.step(env.draw_actions(actions)).dones.sum())
            done += GAMES - over  # the step after the last one only deals
        return done

    return steps


def by_masks(seats: int) -> Steps:
    env, rng = VectorEnv(GAMES, Rules.hle(seats)), np.random.default_rng(1)
    step = env.reset(seed=1)

    def steps() -> int:
        done, last = 0, step
        for _ in range(20):
            chances = rng.random(last.masks.shape, np.float32)
            chances *= last.masks
            last = env.step(chances.argmax(1).astype(np.int32))
            done += GAMES - int(last.dones.sum())
        return done

    return steps


def dictionaries(module: Any, seats: int) -> Steps:
    """Play one game of an `rl_env`, the real one or ours."""
    env = module.HanabiEnv({"players": seats, "colors": 5, "ranks": 5, "seed": 1})

    def steps() -> int:
        seen, over, done = env.reset(), False, 0
        while not over:
            mine = seen["player_observations"][seen["current_player"]]
            seen, _, over, _ = env.step(random.choice(mine["legal_moves_as_int"]))
            done += 1
        return done

    return steps


def learning_environment(seats: int) -> Steps:
    """Play a game of the real one with only what a learner needs: one vector, legal moves."""
    from hanabi_learning_environment import pyhanabi

    game = pyhanabi.HanabiGame({"players": seats, "seed": 1})
    encoder = pyhanabi.ObservationEncoder(game)

    def steps() -> int:
        state, done = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.cur_player() == pyhanabi.CHANCE_PLAYER_ID:
                state.deal_random_card()
                continue
            seen = state.observation(state.cur_player())
            np.array(encoder.encode(seen), np.uint8)
            moves = [game.get_move_uid(move) for move in seen.legal_moves()]
            state.apply_move(game.get_move(random.choice(moves)))
            done += 1
        return done

    return steps


def open_spiel(seats: int) -> Steps:
    import pyspiel

    game = pyspiel.load_game(f"hanabi(players={seats})")

    def steps() -> int:
        state, done = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(outcomes, chances)[0])
                continue
            np.array(state.observation_tensor(state.current_player()), np.uint8)
            state.apply_action(random.choice(state.legal_actions()))
            done += 1
        return done

    return steps


def petting_zoo(seats: int) -> Steps:
    """Play a game of our PettingZoo environment."""
    from hanabi.env import pettingzoo

    env = pettingzoo.env(rules=Rules.hle(seats))
    env.reset(seed=1)

    def steps() -> int:
        env.reset()
        done = 0
        while True:
            seen, _, over, _, _ = env.last()
            if over:
                return done
            env.step(int(random.choice(np.flatnonzero(seen["action_mask"]))))
            done += 1

    return steps


def rate(steps: Steps) -> float:
    """Return steps a second of processor time, the best of the runs."""
    steps()  # compiles
    best = 0.0
    for _ in range(RUNS):
        done, start = 0, time.process_time()
        while time.process_time() - start < SECONDS:
            done += steps()
        best = max(best, done / (time.process_time() - start))
    return best


def main() -> None:
    random.seed(1)
    rows: dict[str, tuple[str, Callable[[int], Steps]]] = {
        "VectorEnv": ("", vector),
        "VectorEnv, packed bits": ("", lambda seats: vector(seats, packed=True)),
        "VectorEnv, all seats observe": ("", lambda seats: vector(seats, all_seats=True)),
        "VectorEnv, actions by NumPy": ("", by_masks),
        "hanabi.env.pettingzoo": ("pettingzoo", petting_zoo),
        "hanabi.env.rl_env, dictionaries": ("", lambda seats: dictionaries(rl_env, seats)),
        "OpenSpiel, Python": ("pyspiel", open_spiel),
        "HLE rl_env, dictionaries": ("hanabi_learning_environment", _real),
        "HLE pyhanabi, one vector": ("hanabi_learning_environment", learning_environment),
    }
    installed = {
        name: row for name, row in rows.items() if not row[0] or importlib.util.find_spec(row[0])
    }
    print(f"{GAMES} games at once, random legal actions; one core; steps with their observations\n")
    print(f"{'':<34}" + "".join(f"{seats:>12} seats" for seats in (2, 5)))
    rates: dict[str, list[float]] = {}
    for name, (_, make) in installed.items():
        rates[name] = [rate(make(seats)) for seats in (2, 5)]
        print(f"{name:<34}" + "".join(f"{each:>18,.0f}" for each in rates[name]), flush=True)
    for name in [name for name in installed if name.startswith(("HLE", "OpenSpiel"))]:
        ratios = [
            ours / theirs for ours, theirs in zip(rates["VectorEnv"], rates[name], strict=True)
        ]
        print(f"VectorEnv is {ratios[0]:,.0f} and {ratios[1]:,.0f} times as fast as {name}")
    for name in rows.keys() - installed.keys():
        print(f"{name}: not measured, as {rows[name][0]} is not installed")


def _real(seats: int) -> Steps:
    from hanabi_learning_environment import rl_env as real

    return dictionaries(real, seats)


if __name__ == "__main__":
    main()
