"""The rates of winnable decks: ``python -m benchmarks.rates [--decks N] [--store FILE] ...``.

Deck i with p players is `Rules.hanab_live(p).spec.shuffle(seed=2026, index=i)`, whatever the number
of workers. With a store, a rerun continues where the last run stopped, even if it was killed. The
output is the table of docs/winnable.md.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator

from hanabi.ground.verdict import Status
from hanabi.lab import Job, Progress, Store, key_of, open_executor, run
from hanabi.lab.decks import DeckCounts, Winnability, deck_counts
from hanabi.rules import Rules
from hanabi.solitaire.counting.playability import wilson

_SEED = 2026
_PLAYERS = (2, 3, 4, 5)
_METHODS = ("greedy", "guided search", "merged hands", "last round", "sat")


def table(results: dict[int, tuple[DeckCounts, float]]) -> Iterator[str]:
    """Yield the lines of a Markdown table, one a number of players."""
    yield (
        "| players | decks | lost | open | winnable, % | 95 % interval | "
        + " | ".join(_METHODS)
        + " | decks/s |"
    )
    yield "| --- " * (7 + len(_METHODS)) + "|"
    for players, (counts, rate) in results.items():
        won, lost = (counts.statuses[status] for status in (Status.WINNABLE, Status.UNWINNABLE))
        decks = counts.decks
        # Open decks widen the interval on both sides.
        low, high = wilson(won, decks)[0], wilson(decks - lost, decks)[1]
        methods = " | ".join(f"{counts.methods[method]:,}" for method in _METHODS)
        yield (
            f"| {players} | {decks:,} | {lost:,} | {len(counts.open)}"
            f" | {100 * won / decks:.3f} | {100 * low:.3f} - {100 * high:.3f}"
            f" | {methods} | {rate:.0f} |"
        )


def solve_decks(
    decks: int, store: Store, executor: str, workers: int | None, limit: float
) -> dict[int, tuple[DeckCounts, float]]:
    """Solve what is missing; return the counts and decks a second for each number of players."""
    plan = {
        players: Job(Winnability(Rules.hanab_live(players), _SEED, limit), decks)
        for players in _PLAYERS
    }
    with open_executor(executor, workers) as pool:
        run(list(plan.values()), store, executor=pool, progress=_show)
    rates = {stored.key: stored.items / stored.seconds for stored in store.works()}
    return {
        players: (deck_counts(store, job), rates[key_of(job.work)]) for players, job in plan.items()
    }


def _show(progress: Progress) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[2K{progress}" if progress.left else "\r\x1b[2K")


def main(arguments: list[str] | None = None) -> None:
    """Print the table; by default for few decks, as a demonstration."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decks", type=int, default=2000)
    parser.add_argument("--store", help="file that keeps results; by default none")
    parser.add_argument("--seconds", type=float, default=20.0, help="time limit a deck")
    parser.add_argument("--executor", default="processes", help="or dask://host:port")
    parser.add_argument("--workers", type=int)
    options = parser.parse_args([] if arguments is None else arguments)
    store = Store.memory() if options.store is None else Store(options.store)
    with contextlib.closing(store):
        results = solve_decks(
            options.decks, store, options.executor, options.workers, options.seconds
        )
    for line in table(results):
        print(line)


if __name__ == "__main__":
    main(sys.argv[1:])
