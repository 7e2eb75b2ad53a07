"""Snapshots that were damaged: refused by name, or good to use; never a crash of the process."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from hanabi.env import VectorEnv
from hanabi.env.batch import Snapshot
from hanabi.ground.compiled import config
from hanabi.ground.errors import InvalidInputError
from hanabi.rules import Rules

ARRAYS = [each.name for each in fields(Snapshot) if each.name not in ("rules", "seed")]
NUMBERS = [0, 1, -1, 2, 3, 7, 31, 32, 63, 64, 255, 10**6, -(10**6), 2**31, -(2**31), 2**62]


def snapshot_of(seats: int, seed: int) -> tuple[VectorEnv, Snapshot]:
    env = VectorEnv(5, Rules.hle(seats), seed=seed, autoreset=("disabled", "same_step")[seed % 2])
    for _ in range(seed % 40):
        env.step(env.draw_actions())
    return env, env.get_state()


def fuzz(name: str, rounds: int) -> None:
    """Damage an array again and again; use what is not refused. To be run in a child process."""
    rng, refused = random.Random(name), 0
    for number in range(rounds):
        env, good = snapshot_of(2 + number % 4, number)
        before = env.get_state()
        array = getattr(good, name)
        flat = array.reshape(-1)
        limits = np.iinfo(array.dtype)
        for _ in range(rng.choice((1, 1, 2, flat.size))):
            value = rng.choice([*NUMBERS, rng.randint(limits.min, limits.max)])
            flat[rng.randrange(flat.size)] = min(max(value, limits.min), limits.max)
        try:
            env.set_state(good)
        except InvalidInputError as error:
            array_named = str(error).partition("[")[0].partition(":")[0]
            if array_named != name and name not in ("states", "taken", "decks"):
                raise AssertionError(f"{name}: {error}") from error
            refused += 1
            for each in ARRAYS:  # nothing has changed
                assert (getattr(env.get_state(), each) == getattr(before, each)).all()
            continue
        env.look()
        _ = env.scores
        for index in range(env.n):
            assert len(str(env.game(index))) > 100
        for _ in range(30):
            env.step(env.draw_actions())
    sys.stdout.write(f"{refused} refused\n")


@pytest.mark.parametrize("checks", ["0", "1"], ids=["as it is", "bounds checked"])
def test_no_damage_crashes(checks: str) -> None:
    """A crash ends the child, not the test."""
    code = f"import test_damage as t\nfor name in t.ARRAYS:\n    t.fuzz(name, {40})\n"
    folder = str(Path(__file__).parent)
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "NUMBA_BOUNDSCHECK": checks, "PYTHONPATH": folder},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    refused = dict(zip(ARRAYS, map(int, done.stdout.split()[::2]), strict=True))
    for name in ("decks", "states", "last", "named", "legal"):
        assert refused[name] > 30, refused
    assert refused["streams"] == 0  # any word is a place in a stream


@pytest.mark.skipif(config.DISABLE_JIT, reason="slow, and nothing can crash")
def test_the_state_that_crashed() -> None:
    env, good = snapshot_of(2, 7)
    good.states[:] = 10**6
    with pytest.raises(InvalidInputError, match=r"^states\[0\]: no game by the rules stands so$"):
        env.set_state(good)
    env.step(env.draw_actions())


@pytest.mark.parametrize("name", [name for name in ARRAYS if name not in ("streams", "games")])
def test_each_array_is_checked(name: str) -> None:
    """Words in their range that no game leads to are refused, too."""
    env, good = snapshot_of(3, 20)
    row = getattr(good, name)[4]
    if name == "decks":
        row[[6, 7]] = row[[7, 6]]  # two cards exchanged
    elif name == "taken":
        row[0] = (row[0] + 1) % 10
    elif name == "states":
        row[0] -= 1  # a turn less
    else:
        row[-1 if name == "last" else 0] ^= 1
    with pytest.raises(InvalidInputError, match=r"\[4\]: no game by the rules stands so"):
        env.set_state(good)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"games": -np.ones(5, np.int64)}, "games: a place has begun less than no game"),
        ({"seed": "x"}, "seed = 'x' is not a whole number"),
        ({"taken": None}, "taken: 'NoneType' is no NumPy array"),
        ({"decks": np.zeros((5, 50))}, "decks: float64 (5, 50), not int64 (5, 50)"),
        ({"legal": np.zeros((5, 1), np.int64)}, "legal: int64 (5, 1), not int64 (5, 2)"),
    ],
)
def test_other_parts_are_checked(change: dict[str, object], message: str) -> None:
    env, good = snapshot_of(2, 3)
    with pytest.raises(InvalidInputError) as caught:
        env.set_state(replace(good, **change))  # type: ignore[arg-type]
    assert str(caught.value) == message
