"""How long the first call waits for the compiler: commands with an empty cache, then again.

``python -m benchmarks.compile [PACKAGE_ROOT ...]`` measures other work trees beside this one.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GAME = "tests/data/hanab_live/games/2906.json"
COMMANDS = (
    ("solve", GAME),
    ("simulate", "rule-based", "-n", "10", "--seed", "1"),
    ("simulate", "information", "-n", "10", "--seed", "1"),
    ("simulate", "endgame/information", "-n", "10", "--players", "4", "--seed", "1"),
)


def run(root: Path, command: tuple[str, ...], cache: str) -> tuple[float, float]:
    """Return the wall-clock and processor seconds of a command."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(root / "src"),
        "XDG_CACHE_HOME": cache,
        "HANABI_QUIET": "1",
    }
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "hanabi", *command],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return time.perf_counter() - start, used


def main() -> None:
    """Print a line for each command and work tree."""
    roots = [ROOT, *map(Path, sys.argv[1:])] if __name__ == "__main__" else [ROOT]
    print(f"{'command':44} {'cold':>8} {'CPU':>8} {'again':>8}")
    for command in COMMANDS:
        for root in roots:
            with tempfile.TemporaryDirectory() as cache:
                cold, used = run(root, command, cache)
                again, _ = run(root, command, cache)
            name = " ".join(command[:2]).replace(GAME, "GAME")
            where = "" if root == ROOT else f" ({root.name})"
            print(f"{name + where:44} {cold:7.1f}s {used:7.1f}s {again:7.2f}s", flush=True)


if __name__ == "__main__":
    main()
