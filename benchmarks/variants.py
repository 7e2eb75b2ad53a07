"""Variants of hanab.live: decks decided a second, and reviews: ``python -m benchmarks.variants``.

Times are processor time, SAT solvers included, with compiled code loaded. ``--decks N`` sets how
many decks of each table are solved, by default 200. Reviews are of the games in
tests/data/hanab_live/games.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from pathlib import Path

from hanabi import GameRecord, read, review
from hanabi.ground.errors import InvalidInputError
from hanabi.ground.verdict import Status
from hanabi.lab.commands.atlas import CLASSES
from hanabi.rules import Rules
from hanabi.solvers.winnable import solve
from hanabi.solvers.winnable.solver import warm_up

_GAMES = Path(__file__).parents[1] / "tests" / "data" / "hanab_live" / "games"
_OTHERS = (
    "Black Reversed (6 Suits)", "Clue Starved (5 Suits)", "Orange (5 Suits)", "Null (5 Suits)",
    "Alternating Clues & Null (5 Suits)", "Up or Down (5 Suits)", "Sudoku (5 Suits)",
)  # fmt: skip
_PLAYERS = (2, 3, 4, 5)


def rate(name: str, players: int, decks: int) -> tuple[float, int]:
    """Return decks decided a second, and how many were left open."""
    rules = Rules.hanab_live(players, variant=name)
    shuffled = [rules.spec.shuffle(seed=2026, index=index) for index in range(decks)]
    start, n_open = sum(os.times()[:4]), 0
    for deck in shuffled:
        n_open += solve(deck, rules, seconds=60).status is Status.UNKNOWN
    return decks / (sum(os.times()[:4]) - start), n_open


def print_rates(decks: int) -> None:
    print(f"Decks decided a second and core, {decks:,} of each table (share of No Variant's)\n")
    print(f"{'variant':<36}" + "".join(f"{f'{players} players':>14}" for players in _PLAYERS))
    plain = {players: rate("No Variant", players, decks)[0] for players in _PLAYERS}
    for name in (*CLASSES, *_OTHERS):
        cells = []
        for players in _PLAYERS:
            speed, n_open = rate(name, players, decks)
            cells.append(f"{speed:,.0f} ({speed / plain[players]:.2f})" + "?" * n_open)
        print(f"{name:<36}" + "".join(f"{cell:>14}" for cell in cells), flush=True)


def print_reviews() -> None:
    times = []
    for path in sorted(_GAMES.glob("*.json")):
        try:
            record = read(path)
            assert isinstance(record, GameRecord)
            start = time.perf_counter()
            found = review(record)
        except InvalidInputError as error:
            print(f"{path.stem}: {error}")
            continue
        times.append(time.perf_counter() - start)
        moves = len(found.prospects) - 1
        print(f"{path.stem:>9}  {record.variant:<34}{moves:>3} moves {times[-1]:8.3f} s")
    print(f"\nmedian {statistics.median(times):.3f} s, longest {max(times):.3f} s")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decks", type=int, default=200)
    options = parser.parse_args([] if arguments is None else arguments)
    warm_up()
    print_rates(options.decks)
    print("\nWhole reviews of real games\n")
    print_reviews()


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
