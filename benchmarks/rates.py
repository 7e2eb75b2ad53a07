"""The rates of winnable decks: `python -m benchmarks.rates [--decks N] [--output FILE] ...`.

Deck i with p players is `Rules.hanab_live(p).spec.shuffle(seed=2026, index=i)`: the same decks
whatever the number of workers. Finished chunks are appended to FILE, one JSON line each; a rerun
goes on where the last one stopped, however it was stopped. Ends with the table of docs/winnable.md.
"""

from __future__ import annotations

import argparse
import json
import math
import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from hanabi.game import Rules
from hanabi.verdict import Status
from hanabi.winnable import solve

_SEED = 2026
_CHUNK = 250
_PLAYERS = (2, 3, 4, 5)


def solve_chunk(players: int, chunk: int, size: int, limit: float) -> dict[str, Any]:
    """Solve `size` decks, the first of them number `chunk * _CHUNK`."""
    rules = Rules.hanab_live(players)
    methods: Counter[str] = Counter()
    statuses: Counter[str] = Counter()
    slow: list[float] = []
    open_decks: list[int] = []
    seconds = 0.0
    for index in range(chunk * _CHUNK, chunk * _CHUNK + size):
        verdict = solve(rules.spec.shuffle(_SEED, index), rules, seconds=limit)
        methods[verdict.method] += 1
        statuses[verdict.status] += 1
        seconds += verdict.seconds
        if verdict.seconds > 1:
            slow.append(round(verdict.seconds, 2))
        if verdict.status is Status.UNKNOWN:
            open_decks.append(index)
    return {
        "players": players, "chunk": chunk, "decks": size, "seconds": round(seconds, 3),
        "statuses": dict(statuses), "methods": dict(methods), "slow": slow, "open": open_decks,
    }  # fmt: skip


def finished(path: Path) -> list[dict[str, Any]]:
    """Return the chunks in the file; a line torn by a kill is cut off."""
    if not path.exists():
        return []
    text = path.read_text()
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        path.write_text(whole)
    return [json.loads(line) for line in whole.splitlines()]


def wilson(successes: int, total: int) -> tuple[float, float]:
    """Return the 95 % confidence interval of a rate [Wilson, JASA 22 (1927)]."""
    z = 1.959964
    rate, spread = successes / total, z * z / total
    middle = (rate + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(rate * (1 - rate) / total + spread / (4 * total))
    return middle - half, middle + half


def table(chunks: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of a Markdown table, one a number of players."""
    yield (
        "| players | decks | lost | open | winnable, % | 95 % interval"
        " | decks a second | over 1 s |"
    )
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for players in _PLAYERS:
        mine = [chunk for chunk in chunks if chunk["players"] == players]
        decks = sum(chunk["decks"] for chunk in mine)
        if not decks:
            continue
        statuses: Counter[str] = Counter()
        for chunk in mine:
            statuses.update(chunk["statuses"])
        # Open decks widen the interval on both sides.
        low, _ = wilson(statuses["winnable"], decks)
        _, high = wilson(decks - statuses["unwinnable"], decks)
        slow = sum(len(chunk["slow"]) for chunk in mine)
        yield (
            f"| {players} | {decks:,} | {statuses['unwinnable']:,} | {statuses['unknown']}"
            f" | {100 * statuses['winnable'] / decks:.3f} | {100 * low:.3f} - {100 * high:.3f}"
            f" | {decks / sum(chunk['seconds'] for chunk in mine):.0f} | {slow} |"
        )


def run(decks: int, path: Path, workers: int, limit: float) -> list[dict[str, Any]]:
    """Solve what is missing, and return all chunks of these decks."""
    chunks = [chunk for chunk in finished(path) if chunk["chunk"] * _CHUNK < decks]
    done = {(chunk["players"], chunk["chunk"]) for chunk in chunks}
    jobs = [
        (players, chunk, min(_CHUNK, decks - chunk * _CHUNK))
        for chunk in range(-(-decks // _CHUNK))
        for players in _PLAYERS
        if (players, chunk) not in done
    ]
    with ProcessPoolExecutor(workers) as pool, path.open("a") as file:
        # One hard deck must not keep the chunks behind it from being written.
        for future in as_completed(pool.submit(solve_chunk, *job, limit) for job in jobs):
            chunks.append(future.result())
            file.write(json.dumps(chunks[-1]) + "\n")
            file.flush()
    return chunks


def main(arguments: list[str] | None = None) -> None:
    """Print the table; by default for few decks, as a demonstration."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decks", type=int, default=2000)
    parser.add_argument("--output", type=Path, default=Path("rates.jsonl"))
    parser.add_argument("--seconds", type=float, default=20.0, help="time limit a deck")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args([] if arguments is None else arguments)
    for line in table(run(options.decks, options.output, options.workers, options.seconds)):
        print(line)


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
