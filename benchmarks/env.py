"""Steps a second with observations and masks written and legal actions drawn.

``python -m benchmarks.env [--install]``: processor time of one core, the best of five runs. The
Hanabi Learning Environment and OpenSpiel are driven from Python, as agents drive them, JaxMARL in
compiled loops; each only if installed. ``--install`` puts missing ones into a temporary
environment. Below the table: what the interface of Gymnasium and labels add to a step, measured in
turns with plain steps; what a step beside partners takes, compared with a step and their moves; and
how many views a second get posteriors by a convention.
"""

from __future__ import annotations

import importlib.util
import random
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from benchmarks.peers import PEERS, SEATS, Rates, Steps, dictionaries, of_peer, rate
from hanabi.env import VectorEnv, posteriors_by_convention, rl_env
from hanabi.ground.rng import Stream
from hanabi.ground.workers.pool import cores
from hanabi.players import compile_team, new_record, parse_player
from hanabi.players.compiled import record_deals
from hanabi.rules import Game, Rules

GAMES = 2048
ROUNDS = 31
WORLDS = 300
MANY_GAMES = 32_768  # for all cores
PARTNERS = ("piers", "information")
ASKED_GAMES = 32


def vector(seats: int, games: int = GAMES, **arguments: Any) -> Steps:
    env = VectorEnv(games, Rules.hle(seats), **arguments)
    env.reset(seed=1)
    actions = np.zeros(games, np.int32)

    def steps() -> int:
        done = 0
        for _ in range(20):
            over = int(env.step(env.draw_actions(actions)).dones.sum())
            done += games - over  # the step after the last one only deals
        return done

    return steps


def moves(seats: int, player: str, other: str) -> float:
    """Return the seconds of a turn of whole games, with `other` at the first seat."""
    rules, team = Rules.hle(seats), [parse_player(other)] + [parse_player(player)] * (seats - 1)
    policy, record = compile_team(team, rules), new_record(rules, 300)
    assert policy is not None

    def turns() -> int:
        record_deals(policy, rules, (1, 2), 0, record)
        return int(record.turns.sum())

    return 1 / rate(turns)


def compared(seats: int, player: str, step: float, learners: float) -> str:
    """Return what a learner's step takes, compared with a step and a move of each partner.

    `step` and `learners` are steps a second without partners and with them.
    """
    n = seats - 1
    alone = moves(seats, player, player)
    mixed = (seats * moves(seats, player, "random") - moves(seats, "random", "random")) / n
    ratios = [1 / learners / (1 / step + n * move) for move in (alone, mixed)]
    return (
        f"{seats} seats, beside {player}: a step takes {ratios[0]:.2f} times a step and"
        f" {n} of its moves in self-play ({alone * 1e6:.2f} microseconds each), and"
        f" {ratios[1]:.2f} times with moves beside a random player ({mixed * 1e6:.2f})"
    )


def asked(player: str, processes: int) -> float:
    """Return steps a second, by the clock, beside a player that is not compiled."""
    env = VectorEnv(ASKED_GAMES, "hle", seed=1, partners=player, threads=processes)
    env.step(env.draw_actions())
    start, done = time.perf_counter(), 0
    for _ in range(10):
        done += ASKED_GAMES - int(env.step(env.draw_actions()).dones.sum())
    env.close()
    return done / (time.perf_counter() - start)


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


def in_turns(seats: int) -> Steps:
    """Step a VectorEnv with two sets of arrays in turns, as one keeps the previous observation."""
    env = VectorEnv(GAMES, Rules.hle(seats))
    sets, actions = [env.new_arrays() for _ in range(2)], np.zeros(GAMES, np.int32)
    env.reset(seed=1)

    def steps() -> int:
        done = 0
        for number in range(20):
            step = env.step(env.draw_actions(actions), out=sets[number % 2])
            done += GAMES - int(step.dones.sum())
        return done

    return steps


def gymnasium_vector(seats: int, *, keeps: bool) -> Steps:
    """Step Gymnasium's interface, and maybe keep each observation until the next one is there."""
    from hanabi.env import gymnasium

    env = gymnasium.make(GAMES, Rules.hle(seats))
    actions, kept = np.zeros(GAMES, np.int32), [env.reset(seed=1)[0]]

    def steps() -> int:
        done = 0
        for _ in range(20):
            if not keeps:
                kept.clear()
            seen, _, over = env.step(env.games.draw_actions(actions))[:3]
            kept[:] = [seen]
            done += GAMES - int(over.sum())
            del seen, _, over
        return done

    return steps


def with_labels(seats: int, *, joint: bool) -> Steps:
    env = VectorEnv(GAMES, Rules.hle(seats))
    env.reset(seed=1)
    actions, labels = np.zeros(GAMES, np.int32), env.labels()

    def steps() -> int:
        done = 0
        for _ in range(20):
            over = int(env.step(env.draw_actions(actions)).dones.sum())
            env.labels(joint=joint, out=labels)
            done += GAMES - over
        return done

    return steps


def added(steps: Steps, more: Steps) -> float:
    """Return the processor time that `more` takes beyond `steps`, as a share of it.

    The median of rounds in which both take turns.
    """
    steps(), more()
    ratios = []
    for _ in range(ROUNDS):
        spent = []
        for each in (steps, more):
            start, done = time.process_time(), 0
            for _ in range(3):
                done += each()
            spent.append((time.process_time() - start) / done)
        ratios.append(spent[1] / spent[0] - 1)
    return float(np.median(ratios))


def by_convention(worlds: int) -> float:
    """Return views a second for which the information player's worlds give posteriors."""
    from hanabi.players import Information

    player, rules, views = Information(), Rules.hle(2), []
    for index in range(3):
        game = Game.start(rules, rules.spec.shuffle(1, index))
        while not game.is_over:
            view = game.view(game.seat_to_act)
            if game.turn % 8 == 4:
                views.append(view)
            game = game.apply(player.act(view, Stream(1)))

    def steps() -> int:
        for view in views:
            posteriors_by_convention(player, view, worlds=worlds)
        return len(views)

    return rate(steps)


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
        "VectorEnv, all seats, packed bits": lambda seats: vector(
            seats, all_seats=True, packed=True
        ),
        **{
            f"VectorEnv, a learner beside {name}": partial(vector, partners=name)
            for name in PARTNERS
        },
        "VectorEnv, actions by NumPy": by_masks,
        "VectorEnv, labels": lambda seats: with_labels(seats, joint=True),
        "VectorEnv, labels slot by slot": lambda seats: with_labels(seats, joint=False),
        "VectorEnv, two sets of arrays in turns": in_turns,
        "hanabi.env.gymnasium": lambda seats: gymnasium_vector(seats, keeps=False),
        "hanabi.env.gymnasium, keeping one": lambda seats: gymnasium_vector(seats, keeps=True),
        "hanabi.env.pettingzoo": petting_zoo,
        "hanabi.env.rl_env, dictionaries": lambda seats: dictionaries(rl_env, seats),
    }
    missing = []
    for name in ("gymnasium", "pettingzoo"):
        if importlib.util.find_spec(name) is None:
            rows = {row: rows[row] for row in rows if f"env.{name}" not in row}
            missing.append(f"hanabi.env.{name}: not measured, as {name} is not installed")
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
    beside = {name: "VectorEnv" for name in rows if "labels" in name or "gymnasium" in name}
    beside["hanabi.env.gymnasium, keeping one"] = "VectorEnv, two sets of arrays in turns"
    for name, plain in beside.items():
        if name in rows:
            shares = [f"{added(rows[plain](seats), rows[name](seats)):.1%}" for seats in SEATS]
            print(f"{name}: {' and '.join(shares)} more time a step than {plain}")
    for all_seats in (False, True):
        by_clock = [
            rate(vector(seats, MANY_GAMES, threads=cores(), all_seats=all_seats), time.perf_counter)
            for seats in SEATS
        ]
        _show(f"{cores()} threads, by the clock" + ", all seats" * all_seats, by_clock)
    for name in PARTNERS:
        learners = rates[f"VectorEnv, a learner beside {name}"]
        for seats, step, learner in zip(SEATS, rates["VectorEnv"], learners, strict=True):
            print(compared(seats, name, step, learner), flush=True)
    for n in dict.fromkeys((1, cores())):
        print(f"beside hgroup, asked by {n} processes: {asked('hgroup', n):,.0f} steps a second")
    print(f"posteriors by convention, {WORLDS} worlds: {by_convention(WORLDS):,.0f} views a second")
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
