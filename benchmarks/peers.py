"""Steps a second of other environments. This file imports nothing of this package.

``python benchmarks/peers.py NAME`` measures one where it is installed, and writes a line of JSON
for each row; ``python -m benchmarks.env`` calls it for all. All play random legal actions. Each
step includes the observation of the seat to act and its legal actions.

Rates are by the processor time of one core. Where JAX finds an accelerator, JaxMARL runs on it,
with more games at once, and its rates are by the clock; the name of the row says which device it
was.
"""

from __future__ import annotations

import importlib.util
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

RUNS = 5
SECONDS = 0.4  # a run
SEATS = (2, 5)

Steps = Callable[[], int]  # plays on for a while, and returns the steps
Rates = dict[str, list[float]]


def rate(steps: Steps, clock: Callable[[], float] = time.process_time) -> float:
    """Return steps a second, by default of processor time, the best of the runs."""
    steps()  # compiles
    best = 0.0
    for _ in range(RUNS):
        done, start = 0, clock()
        while clock() - start < SECONDS:
            done += steps()
        best = max(best, done / (clock() - start))
    return best


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


def _real_dictionaries(seats: int) -> Steps:
    from hanabi_learning_environment import rl_env

    return dictionaries(rl_env, seats)


def _learning_environment(seats: int) -> Steps:
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


def _open_spiel(seats: int) -> Steps:
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


def _jaxmarl(seats: int, games: int, *, deals: bool) -> Steps:
    """Step games of JaxMARL in compiled loops; without `deals`, games stay over."""
    import jax
    import jax.numpy as jnp
    from jaxmarl import make

    env = make("hanabi", num_agents=seats)
    step = jax.vmap(env.step if deals else env.step_env)
    loops = 20

    def one(carry: Any, _: None) -> tuple[Any, None]:
        key, states, *_ = carry
        key, for_actions, for_steps = jax.random.split(key, 3)
        masks = jax.vmap(env.get_legal_moves)(states)
        chosen = {
            agent: jax.random.categorical(each, jnp.where(masks[agent] > 0, 0.0, -jnp.inf))
            for each, agent in zip(jax.random.split(for_actions, seats), env.agents, strict=True)
        }
        seen, states, rewards, *_ = step(jax.random.split(for_steps, games), states, chosen)
        return (key, states, seen, masks, rewards["__all__"]), None  # so that all of it is made

    play = jax.jit(lambda carry: jax.lax.scan(one, carry, None, length=loops)[0])
    keys = jax.random.split(jax.random.PRNGKey(1), games)
    seen, states = jax.jit(jax.vmap(env.reset))(keys)
    masks = jax.jit(jax.vmap(env.get_legal_moves))(states)
    latest = [(keys[0], states, seen, masks, jnp.zeros(games))]

    def steps() -> int:
        latest[0] = jax.block_until_ready(play(latest[0]))
        return loops * games

    return steps


class Peer(NamedTuple):
    """Another environment.

    Attributes
    ----------
    module
        The module to import.
    packages
        The packages to install.
    rows
        The rows to measure, by name: steps for a number of seats.
    accelerated
        Those to measure instead on an accelerator, by the clock.
    """

    module: str
    packages: tuple[str, ...]
    rows: dict[str, Callable[[int], Steps]]
    accelerated: dict[str, Callable[[int], Steps]] = {}  # noqa: RUF012 (nobody writes to it)


def _jaxmarl_rows(*sizes: int) -> dict[str, Callable[[int], Steps]]:
    """Return rows of JaxMARL with so many games; without dealing anew for the first number."""
    rows: dict[str, Callable[[int], Steps]] = {}
    for games in sizes:
        rows[f"JaxMARL, {games:,} games"] = partial(_jaxmarl, games=games, deals=True)
    never = partial(_jaxmarl, games=sizes[0], deals=False)
    return rows | {f"JaxMARL, {sizes[0]:,} games, never dealt anew": never}


PEERS = {
    "OpenSpiel": Peer("pyspiel", ("open-spiel",), {"OpenSpiel, Python": _open_spiel}),
    "HLE": Peer(
        "hanabi_learning_environment",
        ("hanabi-learning-environment",),
        {
            "HLE rl_env, dictionaries": _real_dictionaries,
            "HLE pyhanabi, one vector": _learning_environment,
        },
    ),
    "JaxMARL": Peer(
        "jaxmarl",
        ("jaxmarl",),
        _jaxmarl_rows(256, 1024, 4096),
        _jaxmarl_rows(131_072, 16_384),
    ),
}


def measured(peer: Peer) -> Iterator[tuple[str, list[float]]]:
    """Yield the rates of each row of a peer that is installed here, on one core or accelerator."""
    device = _accelerator() if peer.accelerated else None
    if device is not None:
        for name, make in peer.accelerated.items():
            yield f"{name}, {device}", [rate(make(seats), time.perf_counter) for seats in SEATS]
        return
    if hasattr(os, "sched_setaffinity"):  # threads that wait for each other cost it time
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    random.seed(1)
    for name, make in peer.rows.items():
        yield name, [rate(make(seats)) for seats in SEATS]


def _accelerator() -> str | None:
    """Return the name of the device on which JAX runs, or None if it is the processor."""
    import jax

    device = jax.devices()[0]
    return None if device.platform == "cpu" else str(device.device_kind)


def of_peer(name: str, *, installs: bool) -> Iterator[tuple[str, list[float]] | str]:
    """Yield the rates of a peer, or why there are none.

    It is measured in its own process: by this Python if it has the peer, else in a temporary
    environment.
    """
    peer = PEERS[name]
    with tempfile.TemporaryDirectory() as folder:
        python = Path(sys.executable)
        if importlib.util.find_spec(peer.module) is None:
            if not installs:
                yield f"{name}: not measured, as {peer.module} is not installed; --install does it"
                return
            python = Path(folder) / "bin" / "python"
            venv.create(folder, with_pip=True)
            words = [python, "-m", "pip", "install", "--quiet", "numpy", *peer.packages]
            done = subprocess.run(
                [*map(str, words)],
                env=os.environ | {"CMAKE_POLICY_VERSION_MINIMUM": "3.5"},  # HLE asks for an old one
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode:
                reason = _last_line(done.stderr)
                yield f"{name}: not measured, as it does not install: {reason}"
                return
        with (
            Path(folder, "errors").open("w+", encoding="utf-8") as errors,
            subprocess.Popen(
                [python, Path(__file__), name],
                env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            ) as child,
        ):
            assert child.stdout is not None
            for line in child.stdout:
                if line.startswith("["):
                    row, rates = json.loads(line)
                    yield row, rates
            if child.wait():
                errors.seek(0)
                yield f"{name}: not measured: {_last_line(errors.read())}"


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no reason given"])[-1]


def main(names: list[str] | None = None) -> None:
    """Measure the named peers, or all that are installed."""
    installed = [name for name, peer in PEERS.items() if importlib.util.find_spec(peer.module)]
    for name in installed if names is None else names:
        for row in measured(PEERS[name]):
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or None)
