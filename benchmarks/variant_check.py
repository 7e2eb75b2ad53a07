"""Winnability of every class of variants: ``python -m benchmarks.variant_check [--games N]``.

The variants of hanab.live fall into classes that differ with all cards face up
(`hanabi.rules.variants.variant`). `hanabi.solvers.winnable.best` answers small random games of each
class, and so does a trial of all lines in plain Python (`tests/oracles`). Compared are verdict,
best score, and the line, which the slow twin of the rules replays. ``--first I --classes N`` does
some of the classes, ``--seed`` other games. Each class prints a line: games, games won, and
disagreements.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

from hanabi.rules.variants import find_variant, variant_names
from hanabi.rules.variants.variant import FaceUp, face_up

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from oracles.small_games import check

_GAMES = 10
_SHOWN = 3


def classes() -> dict[FaceUp, list[str]]:
    """Return the variants of each class, in the order of their numbers."""
    found: dict[FaceUp, list[str]] = {}
    for name in variant_names():
        found.setdefault(face_up(find_variant(name)), []).append(name)
    return found


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=_GAMES, help="games of each class")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--classes", type=int, default=None)
    parser.add_argument("--seed", type=int, default=2026)
    options = parser.parse_args([] if arguments is None else arguments)
    groups = list(enumerate(classes().values()))
    last = None if options.classes is None else options.first + options.classes
    total, wrong, start = Counter[str](), list[str](), time.perf_counter()
    print(f"{len(groups)} classes of {sum(len(names) for _, names in groups):,} variants\n")
    print(f"{'class':>5}  {'example':<36}{'variants':>8}{'games':>8}{'won':>8}{'wrong':>7}")
    for number, names in groups[options.first : last]:
        counts = Counter[str]()
        for index in range(options.games):
            chance = Random(f"{options.seed} {number} {index}")
            name = chance.choice(names)
            checked = check(find_variant(name), chance)
            counts["won"] += checked.is_won
            if checked.wrong is not None:
                counts["wrong"] += 1
                wrong.append(f"{name}, game {index}: {checked}")
        total += counts
        print(
            f"{number:>5}  {names[0]:<36}{len(names):>8,}{options.games:>8,}"
            f"{counts['won']:>8,}{counts['wrong']:>7,}",
            flush=True,
        )
    games = options.games * len(groups[options.first : last])
    print(
        f"\n{games:,} games, {total['won']:,} can be won, {total['wrong']:,} disagreements,"
        f" {time.perf_counter() - start:,.0f} s"
    )
    for text in wrong[:_SHOWN]:
        print(text)


if __name__ == "__main__":
    main(sys.argv[1:])
