"""Our environment against the real Hanabi Learning Environment, bit for bit.

``python -m benchmarks.hle [GAMES]`` plays that many games of each configuration in the real one,
and again here. ``python -m benchmarks.hle --golden tests/data/hle/games.jsonl`` writes the
games of the tests. Both print a message if the real one is not installed.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from oracles import hle

GOLDEN_GAMES = 8  # for each configuration
DEFAULT_GAMES = 20


def write_golden(path: Path) -> None:
    lines = [
        json.dumps(hle.golden(name, record, is_whole=number == 0))
        for name, config in hle.CONFIGS.items()
        for number, record in enumerate(hle.play(config, GOLDEN_GAMES, seed=7))
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines)} games written to {path}")


def compare(games: int) -> None:
    print(
        "Compared after every move: dictionaries, vectors, moves, texts, rewards of all players\n"
    )
    print(f"{'configuration':<16}{'games':>7}{'turns':>9}{'different':>11}{'seconds':>9}")
    for name, config in hle.CONFIGS.items():
        turns, different, started = 0, 0, time.perf_counter()
        for record in hle.play(config, games, seed=1):
            for theirs, ours in zip(record.turns, hle.replayed(record, config), strict=True):
                turns += 1
                different += theirs != ours
        passed = time.perf_counter() - started
        print(f"{name:<16}{games:>7,}{turns:>9,}{different:>11,}{passed:>9.1f}", flush=True)


def main(arguments: list[str] | None = None) -> None:
    given = arguments or []
    if not hle.IS_INSTALLED:
        print(f"nothing to compare with: {hle.WHY_NOT}")
    elif given[:1] == ["--golden"]:
        write_golden(Path(given[1]))
    else:
        compare(int(given[0]) if given else DEFAULT_GAMES)


if __name__ == "__main__":
    main(sys.argv[1:])
