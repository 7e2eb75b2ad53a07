"""Hint partitions: hands a second, compiled and in plain Python, side by side.

The hands are those of all seats in all positions of random games with three players, as publicly
known. "colors" and "ranks" are their projections (5 hints), "joint" is both kinds of hints over
the possible cards (10 hints). "rows" ignores the unseen copies, "copies" uses them. "parts" is the
mean number of parts, "more" the share of hands where the copies allow more parts than the rows.
Times are of the processor.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import process_time

import numpy as np
import numpy.typing as npt

from hanabi.game import Game, Rules
from hanabi.hints import Possibilities, Table, find_partition, possibilities_of
from hanabi.hints.bulk import partition_many
from hanabi.rng import Stream

Words = npt.NDArray[np.int64]

_GAMES = 60
_HANDS = 100_000
_PLAIN = 300


def hands_of_games(games: int = _GAMES, seats: int = 3) -> list[Possibilities]:
    """Return what is known of every hand in random games: legal moves drawn evenly by kind."""
    rules = Rules.hle(seats)
    found = []
    for index in range(games):
        stream = Stream(7, index)
        game = Game.start(rules, rules.spec.shuffle(seed=7, index=index))
        while not game.is_over:
            view = game.view(game.seat_to_act)
            found += [possibilities_of(view, seat) for seat in range(seats)]
            hints = [action for action in view.legal_actions if action.is_hint]
            others = [action for action in view.legal_actions if not action.is_hint]
            choice = hints if hints and (not others or stream.below(2)) else others
            game = game.apply(choice[stream.below(len(choice))])
    return found


def pack_tables(tables: list[Table], identities: Sequence[tuple[int, ...]]) -> tuple[Words, ...]:
    """Return rows, touched and unseen as `partition_many` takes them."""
    bit = {hints: index for index, hints in enumerate(identities)}
    rows = np.zeros((len(tables), 5), np.int64)
    unseen = np.zeros((len(tables), len(identities)), np.int64)
    for number, table in enumerate(tables):
        for card, row in enumerate(table.rows):
            rows[number, card] = sum(1 << bit[table.touched[each]] for each in row)
        if table.unseen is not None:
            for hints, count in zip(table.touched, table.unseen, strict=True):
                unseen[number, bit[hints]] = count
    touched = np.array([sum(1 << hint for hint in hints) for hints in identities], np.int64)
    return rows, touched, unseen


def _plain_rate(tables: Sequence[Table], *, by_rows: bool) -> float:
    start = process_time()
    for table in tables:
        find_partition(table, by_rows=by_rows)
    return len(tables) / (process_time() - start)


def _line(name: str, tables: list[Table], identities: Sequence[tuple[int, ...]]) -> None:
    rows, touched, unseen = pack_tables(tables, identities)
    times = -(-_HANDS // len(tables))
    many, copies = np.tile(rows, (times, 1)), np.tile(unseen, (times, 1))
    hints = tables[0].hints
    sizes = {}
    for mode, limit in (("rows", None), ("copies", copies)):
        partition_many(
            rows[:1], hints=hints, touched=touched, unseen=None if limit is None else unseen[:1]
        )
        start = process_time()
        sizes[mode], _ = partition_many(many, hints=hints, touched=touched, unseen=limit)
        fast = many.shape[0] / (process_time() - start)
        some = tables[:: max(1, len(tables) // _PLAIN)]
        plain = _plain_rate(some, by_rows=mode == "rows")
        more = float(np.mean(sizes[mode] > sizes["rows"]))
        print(
            f"{name:8}{mode:8}{fast:12,.0f}{plain:10,.0f}{fast / plain:8.0f}"
            f"{sizes[mode].mean():8.3f}{more:8.3f}"
        )


def main() -> None:
    hands = hands_of_games()
    print(f"{'hints':8}{'mode':8}{'hands/s':>12}{'Python':>10}{'ratio':>8}{'parts':>8}{'more':>8}")
    plain = [(hint,) for hint in range(5)]
    _line("colors", [hand.projection("colors") for hand in hands], plain)
    _line("ranks", [hand.projection("ranks") for hand in hands], plain)
    cards = [(color, 5 + rank) for color in range(5) for rank in range(5)]
    _line("joint", [hand.table("joint") for hand in hands], cards)


if __name__ == "__main__":
    main()
