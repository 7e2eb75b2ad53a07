"""Steps a second with observations and masks written and legal actions drawn.

``python -m benchmarks.env [--install]``: processor time of one core, the best of five runs. The
Hanabi Learning Environment and OpenSpiel are driven from Python, as agents drive them, JaxMARL in
compiled loops; each only if installed. ``--install`` puts missing ones into a temporary
environment.
"""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.peers import PEERS, SEATS, Rates, Steps, dictionaries, of_peer, rate
from hanabi.env import VectorEnv, rl_env
from hanabi.game import Rules

GAMES = 2048


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


def main(arguments: list[str] | None = None) -> None:
    random.seed(1)
    rows: dict[str, Callable[[int], Steps]] = {
        "VectorEnv": vector,
        "VectorEnv, packed bits": lambda seats: vector(seats, packed=True),
        "VectorEnv, all seats observe": lambda seats: vector(seats, all_seats=True),
        "VectorEnv, actions by NumPy": by_masks,
        "hanabi.env.pettingzoo": petting_zoo,
        "hanabi.env.rl_env, dictionaries": lambda seats: dictionaries(rl_env, seats),
    }
    missing = []
    if importlib.util.find_spec("pettingzoo") is None:
        del rows["hanabi.env.pettingzoo"]
        missing.append("hanabi.env.pettingzoo: not measured, as pettingzoo is not installed")
    print(f"{GAMES} games at once, random legal actions; one core; steps with their observations\n")
    print(f"{'':<40}" + "".join(f"{seats:>10} seats" for seats in SEATS))
    rates: Rates = {}
    for name, make in rows.items():
        rates[name] = [rate(make(seats)) for seats in SEATS]
        _show(name, rates[name])
    for peer in PEERS:
        for found in of_peer(peer, installs="--install" in (arguments or [])):
            if isinstance(found, str):
                missing.append(found)
            else:
                rates[found[0]] = found[1]
                _show(*found)
    print()
    for name in [name for name in rates if name not in rows]:
        ratios = [
            ours / theirs for ours, theirs in zip(rates["VectorEnv"], rates[name], strict=True)
        ]
        print(f"VectorEnv is {ratios[0]:,.0f} and {ratios[1]:,.0f} times as fast as {name}")
    print("\n".join(missing))


def _show(name: str, rates: list[float]) -> None:
    print(f"{name:<40}" + "".join(f"{each:>16,.0f}" for each in rates), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
