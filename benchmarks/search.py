"""The exact search against its plain twin, CaDiCaL and the paper's table, in one run."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from hanabi.ground.errors import SolverError
from hanabi.rules.deck import DeckSpec
from hanabi.solitaire import Instance, sat, search, table
from hanabi.solitaire.bulk import decide_many
from hanabi.solitaire.search_plain import find_winning_copies

_SEED = 7


def _instance(spec: DeckSpec, index: int, hand_size: int) -> Instance:
    return Instance(hand_size, spec.shuffle(_SEED, index))


def _seconds(run: Callable[[], object]) -> float:
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def against_plain_twin() -> None:
    """Print the ratio of whole-call times on instances of growing difficulty."""
    print("compiled search against its plain twin (whole calls, same instances)")
    print(f"{'instances':24}{'number':>7}{'compiled':>11}{'plain':>10}{'ratio':>9}")
    for name, spec, hand_size, number in (
        ("standard deck, h = 4", DeckSpec.standard(), 4, 200),
        ("6 x 6, r = 3, h = 4", DeckSpec.uniform(6, 6, 3), 4, 20),
        ("8 x 8, r = 2, h = 13", DeckSpec.uniform(8, 8, 2), 13, 6),
        ("8 x 8, r = 3, h = 5", DeckSpec.uniform(8, 8, 3), 5, 6),
    ):
        batch = [_instance(spec, index, hand_size) for index in range(number)]
        fast = _seconds(lambda batch=batch: [search.solve(one) for one in batch])  # type: ignore[misc]
        slow = _seconds(lambda batch=batch: [find_winning_copies(one) for one in batch])  # type: ignore[misc]
        print(f"{name:24}{number:7}{fast:10.3f}s{slow:9.2f}s{slow / fast:8.0f}x")


def standard_decks() -> None:
    """Print standard decks decided a second for every hand size."""
    number, few = 20_000, 20
    decks = [DeckSpec.standard().shuffle(_SEED, index) for index in range(number)]
    values = np.array([[card.rank for card in deck] for deck in decks])
    colors = np.array([[card.color for card in deck] for deck in decks])
    print("\nstandard 50-card decks decided a second (bulk: many in one call, no witness)")
    print(
        f"{'h':>3}{'winnable':>10}{'bulk':>10}{'search':>9}{'plain':>9}{'CaDiCaL':>9}{'bulk/plain':>12}"
    )
    for hand_size in range(10):
        won: list[bool] = []
        bulk = number / _seconds(
            lambda h=hand_size, won=won: won.extend(decide_many(h, colors, values, n=5, c=5))  # type: ignore[misc]
        )
        batch = [_instance(DeckSpec.standard(), index, hand_size) for index in range(200)]
        one = 200 / _seconds(lambda batch=batch: [search.solve(deck) for deck in batch])  # type: ignore[misc]
        plain = 200 / _seconds(lambda batch=batch: [find_winning_copies(deck) for deck in batch])  # type: ignore[misc]
        cadical = few / _seconds(
            lambda batch=batch: [sat.solve(deck) for deck in batch[:few]]  # type: ignore[misc]
        )
        print(
            f"{hand_size:3}{sum(won) / number:10.2%}{bulk:10.0f}{one:9.0f}{plain:9.0f}"
            f"{cadical:9.0f}{bulk / plain:11.0f}x"
        )


def against_table() -> None:
    """Print the growth of the paper's dynamic program and of the search."""
    print("\nthe paper's table against the search, r = 2 (seconds an instance)")
    print(f"{'n':>3}{'c':>3}{'h':>3}{'entries':>12}{'table':>10}{'search':>10}{'ratio':>10}")
    for n, c, h in (
        (3, 2, 1), (4, 2, 1), (6, 2, 1), (8, 2, 1),
        (3, 3, 1), (3, 4, 1), (3, 5, 1),
        (3, 3, 2), (3, 3, 3), (4, 3, 3),
    ):  # fmt: skip
        instance = _instance(DeckSpec.uniform(c, n, 2), 1, h)
        try:
            slow = _seconds(lambda one=instance: table.solve(one))  # type: ignore[misc]
        except SolverError as error:
            print(f"{n:3}{c:3}{h:3}  refused: {error}")
            continue
        fast = _seconds(lambda one=instance: search.solve(one))  # type: ignore[misc]
        print(
            f"{n:3}{c:3}{h:3}{table.entries(instance):12,}{slow:9.4f}s{fast:9.5f}s"
            f"{slow / fast:9.0f}x"
        )


def main() -> None:
    """Print the three tables."""
    decide_many(1, np.array([[0, 0]]), np.array([[1, 2]]), n=2, c=1)
    search.solve(_instance(DeckSpec.standard(), 0, 5))  # loads what it needs before the clock runs
    against_plain_twin()
    standard_decks()
    against_table()


if __name__ == "__main__":
    main()
