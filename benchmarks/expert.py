"""Moves a second: games that `simulate` plays, and the same games written as training data.

``python -m benchmarks.expert``: processor time of one core, the best of five runs, Hanabi Learning
Environment's rules for two seats.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable
from functools import partial

from hanabi.env.expert import Expert, write_shards
from hanabi.players.arena import outcomes
from hanabi.players.registry import parse_player

GAMES = 4000
ROWS = 16_384
PLAYERS = ("information", "rule-based", "convention")


def best(work: Callable[[], object]) -> float:
    """Return the fewest seconds of five runs."""
    took = []
    for _ in range(5):
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
    kinds = ("simulate", "packed arrays", "bytes", "npz files", "Parquet files")
    print(f"{GAMES:,} games; moves a second of one core, and their share of simulate's\n")
    print(f"{'':<14}" + "".join(f"{kind:>20}" for kind in kinds))
    for name in PLAYERS:
        packed, plain = Expert(name, seed=1, packed=True), Expert(name, seed=1)
        rules, player = packed.layout.rules, parse_player(name)
        outcomes(player, rules, 1, seed=1)
        moves = len(packed.play(GAMES).actions)
        with tempfile.TemporaryDirectory() as home:
            works = (
                partial(outcomes, player, rules, GAMES, seed=1),
                fill_all(packed),
                fill_all(plain),
                shards(packed, "npz", home),
                shards(packed, "parquet", home),
            )
            rates = [moves / best(work) for work in works]
        cells = [
            f"{rates[0]:,.0f}",
            *(f"{each:,.0f} {each / rates[0]:>5.0%}" for each in rates[1:]),
        ]
        print(f"{name:<14}" + "".join(f"{cell:>20}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
