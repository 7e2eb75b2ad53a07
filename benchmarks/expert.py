"""Moves a second: games that `simulate` plays, the same games as training data, and networks.

``python -m benchmarks.expert``: processor time of one core, the best of three runs, Hanabi Learning
Environment's rules for two seats.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from hanabi.env import FunctionNetwork
from hanabi.env.expert import Expert, write_shards
from hanabi.players.arena import outcomes, play_deal
from hanabi.players.registry import parse_player
from hanabi.rules import Rules

GAMES = 4000
ROWS = 16_384
PLAYERS = ("information", "rule-based", "convention")


def best(work: Callable[[], object]) -> float:
    """Return the fewest seconds of three runs."""
    took = []
    for _ in range(3):
        start = time.process_time()
        work()
        took.append(time.process_time() - start)
    return min(took)


def fill_all(expert: Expert) -> Callable[[], object]:
    """Return the work to write all games into the same arrays, again and again."""
    arrays = expert.new_arrays(ROWS)

    def fill() -> None:
        first = 0
        while first < GAMES:
            _, first = expert.fill(arrays, first=first)

    return fill


def shards(expert: Expert, form: str, home: str) -> Callable[[], object]:
    """Return the work to write all games to files."""

    def write() -> None:
        shutil.rmtree(f"{home}/{form}", ignore_errors=True)
        write_shards(expert, f"{home}/{form}", GAMES, form=form, workers=1)

    return write


def main() -> None:
    kinds = ("simulate", "packed arrays", "bytes", "with posteriors", "npz files", "Parquet files")
    print(f"{GAMES:,} games; moves a second of one core, and their share of simulate's\n")
    print(f"{'':<14}" + "".join(f"{kind:>20}" for kind in kinds))
    for name in PLAYERS:
        packed, plain = Expert(name, seed=1, packed=True), Expert(name, seed=1)
        labelled = Expert(name, seed=1, packed=True, posteriors=True)
        rules, player = packed.layout.rules, parse_player(name)
        outcomes(player, rules, 1, seed=1)
        moves = len(packed.play(GAMES).actions)
        with tempfile.TemporaryDirectory() as home:
            works = (
                partial(outcomes, player, rules, GAMES, seed=1),
                fill_all(packed),
                fill_all(plain),
                fill_all(labelled),
                shards(packed, "npz", home),
                shards(packed, "parquet", home),
            )
            rates = [moves / best(work) for work in works]
        cells = [
            f"{rates[0]:,.0f}",
            *(f"{each:,.0f} {each / rates[0]:>5.0%}" for each in rates[1:]),
        ]
        print(f"{name:<14}" + "".join(f"{cell:>20}" for cell in cells), flush=True)
    networks()


def networks() -> None:
    """Print games a second of a linear network, in step and from views."""
    weights = np.random.default_rng(1).normal(size=(658, 20)).astype(np.float32)
    network = FunctionNetwork(lambda seen, _: seen.astype(np.float32) @ weights)
    partner, rules = parse_player("information"), Rules.hle(2)
    print("\ngames a second of a linear network")
    for name, team in (("alone", [network] * 2), ("with information", [network, partner])):
        outcomes(team, rules, 10, seed=1)
        fast = GAMES / best(partial(outcomes, team, rules, GAMES, seed=1))
        few = GAMES // 100
        slow = few / best(
            lambda team=team, few=few: [  # type: ignore[misc]
                play_deal(team, rules, deal, seed=1) for deal in range(few)
            ]
        )
        print(f"{name:<20}{fast:>10,.0f} in step{slow:>10,.0f} from views", flush=True)


if __name__ == "__main__":
    main()
