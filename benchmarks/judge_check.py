"""The judge against brute force: ``python -m benchmarks.judge_check [SEEDS [FIRST]]``.

Each seed gives 50 small positions of plain games by all rules and 50 of variants. The upper ends
are compared with all deals and lines by the slow twin of the rules. Of 10 more of each sort, plans
are played in every deal by the engine, and must give what they claim. Of 50 more, the brackets must
hold the value of the best team, by all that others may tell (`tests/exact/test_seat.py`).
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from exact.test_seat import plans_hold, positions_agree, signals_hold


def main(seeds: int = 10, first: int = 100) -> None:
    """Print a line for each seed; a disagreement raises an error that shows the position."""
    values, plans, teams = 0, 0, Counter[str]()
    for seed in range(first, first + seeds):
        values += positions_agree(seed, 50)
        plans += plans_hold(seed, 10)
        teams += signals_hold(seed, 50)
        print(
            f"seed {seed}: {values:,} values, {plans:,} plans, {teams['compared']:,} teams agree;",
            f"{teams['exact']} of {teams['lower']} ends that signals lower are the value",
            flush=True,
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
