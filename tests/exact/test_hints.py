"""Hint partitions against all hands that fit and all ways to split the hints."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from itertools import product
from math import prod

import numpy as np
import numpy.typing as npt
import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.players import Player, RandomLegal, RuleBased
from hanabi.rules import Game, Rules
from hanabi.solvers.hints import (
    Possibilities,
    PossibilityTable,
    find_partition,
    possibilities_of,
    verify_partition,
)
from hanabi.solvers.hints.partition import partition_many
from oracles.hint_families import most_disjoint, safe_by_groups, safe_by_hands
from oracles.hints import is_valid, most_parts, possible_hints
from vectors import load_vectors

Words = npt.NDArray[np.int64]


def random_table(rng: random.Random) -> PossibilityTable:
    hints, cards = rng.randint(1, 5), rng.randint(1, 5)
    rows = [rng.sample(range(hints), rng.randint(1, hints)) for _ in range(cards)]
    return PossibilityTable.plain(hints, rows, unseen=[rng.randint(0, 3) for _ in range(hints)])


def random_pairs(rng: random.Random) -> PossibilityTable:
    """A table of cards, each touched by a color hint and a rank hint."""
    colors, ranks = rng.randint(1, 3), rng.randint(1, 3)
    cards = list(product(range(colors), range(colors, colors + ranks)))
    rows = [rng.sample(range(len(cards)), rng.randint(1, len(cards))) for _ in range(3)]
    return PossibilityTable(
        colors + ranks,
        tuple(tuple(sorted(row)) for row in rows),
        tuple(cards),
        tuple(rng.randint(0, 2) for _ in cards),
        tuple(map(str, range(colors + ranks))),
    )


def in_bulk(table: PossibilityTable, *, by_rows: bool = False) -> tuple[int, list[int]]:
    rows = np.array([[sum(1 << each for each in row) for row in table.rows]], np.int64)
    unseen = None if by_rows or table.unseen is None else np.array([table.unseen])
    touched = np.array(table.touched_masks)
    sizes, parts = partition_many(rows, hints=table.hints, touched=touched, unseen=unseen)
    return int(sizes[0]), [int(part) for part in parts[0] if part]


def check(table: PossibilityTable) -> tuple[int, int]:
    """Compare everything for one table; return the sizes by rows and with copies."""
    if most_parts(table) is None:
        assert in_bulk(table)[0] == -1
        with pytest.raises(InvalidInputError, match="no hand fits"):
            find_partition(table)
        return 0, 0
    sizes = []
    for by_rows in (True, False):
        wanted = most_parts(table, by_rows=by_rows)
        given = possible_hints(table, by_rows=by_rows)
        partition = find_partition(table, by_rows=by_rows)
        assert partition.size == partition.upper == wanted
        assert verify_partition(table, partition, by_rows=by_rows) is None
        assert is_valid([*map(list, partition.parts)], given)
        size, masks = in_bulk(table, by_rows=by_rows)
        parts = [[hint for hint in range(table.hints) if mask >> hint & 1] for mask in masks]
        assert size == len(parts) == wanted
        assert sorted(hint for part in parts for hint in part) == list(range(table.hints))
        assert is_valid(parts, given)
        sizes.append(partition.size)
    assert sizes[0] <= sizes[1]
    return sizes[0], sizes[1]


@pytest.mark.parametrize("make", [random_table, random_pairs])
def test_random_tables(make: object) -> None:
    rng = random.Random(5)
    makers = {random_table: 400, random_pairs: 120}
    results = [check(make(rng)) for _ in range(makers[make])]  # type: ignore[index, operator]
    assert sum(more > rows for rows, more in results) >= 5  # the strict cases


def test_every_table_of_two_cards_and_three_colors() -> None:
    rows = [[hint for hint in range(3) if mask >> hint & 1] for mask in range(1, 8)]
    for first, second in product(rows, rows):
        for unseen in product(range(3), repeat=3):
            check(PossibilityTable.plain(3, [first, second], unseen=unseen))


def random_positions(games: int) -> list[Possibilities]:
    rules = replace(Rules.hle(2), hand_size=3)
    found = []
    for index in range(games):
        rng = random.Random(index)
        game = Game.start(rules, rules.spec.shuffle(seed=3, index=index))
        while not game.is_over:
            view = game.view(game.seat_to_act)
            if rng.random() < 0.08:
                found.append(possibilities_of(view, 1 - view.seat))
            game = game.apply(rng.choice(view.legal_actions))
    return found


def test_positions_of_random_games() -> None:
    hands = [hand for hand in random_positions(30) if hand.cards]
    assert len(hands) > 20
    for hand in hands:
        sizes = {}
        for side in ("colors", "ranks"):
            _, sizes[side] = check(hand.projection(side))
            exact = find_partition(hand.table(side)).size
            assert exact == most_parts(hand.table(side))
            assert exact >= sizes[side]
        joint = hand.table("joint")
        partition = find_partition(joint)
        assert verify_partition(joint, partition) is None
        assert partition.is_maximum
        assert partition.size == in_bulk(joint)[0] >= sizes["colors"] + sizes["ranks"]
        assert is_valid([*map(list, partition.parts)], [*set(possible_hints(joint))])


PLAYERS: dict[str, Player] = {"random": RandomLegal(), "rule based": RuleBased()}


@cache
def positions_of(name: str, seats: int, games: int) -> list[Possibilities]:
    """What is known of the next seat's hand before every third move of some games."""
    rules = Rules.hle(seats)
    found = []
    for index in range(games):
        game, stream = Game.start(rules, rules.spec.shuffle(seed=9, index=index)), Stream(9, index)
        while not game.is_over:
            seat = game.seat_to_act
            view = game.view(seat)
            if game.turn % 3 == 0:
                found.append(possibilities_of(view, (seat + 1) % seats))
            game = game.apply(PLAYERS[name].act(view, stream))
    return [hand for hand in found if hand.cards]


CARDS = [1 << color | 32 << rank for color in range(5) for rank in range(5)]


def as_arrays(tables: list[PossibilityTable]) -> tuple[Words, Words]:
    """Return rows and unseen copies of tables of joint hints, all 25 cards as identities."""
    rows = np.zeros((len(tables), 5), np.int64)
    unseen = np.zeros((len(tables), 25), np.int64)
    for number, table in enumerate(tables):
        place = [CARDS.index(mask) for mask in table.touched_masks]
        for card, row in enumerate(table.rows):
            rows[number, card] = sum(1 << place[each] for each in row)
        assert table.unseen is not None
        unseen[number, place] = table.unseen
    return rows, unseen


def all_in_bulk(
    tables: list[PossibilityTable], *, by_rows: bool
) -> tuple[list[int], list[list[int]]]:
    rows, unseen = as_arrays(tables)
    limit = None if by_rows else unseen
    sizes, parts = partition_many(rows, hints=10, touched=np.array(CARDS), unseen=limit)
    return sizes.tolist(), [[part for part in each if part] for each in parts.tolist()]


def safe_sets_of(table: PossibilityTable, *, by_rows: bool) -> npt.NDArray[np.bool_]:
    rows = [sum(1 << each for each in row) for row in table.rows]
    return safe_by_groups(rows, None if by_rows else table.unseen, table.touched_masks, 10)


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("seats", [2, 4])
def test_joint_hints_in_real_play(name: str, seats: int) -> None:
    """All groups of cards, for hands that all can be."""
    tables = [hand.table("joint") for hand in positions_of(name, seats, 8)]
    sizes = []
    for by_rows in (True, False):
        found, parts = all_in_bulk(tables, by_rows=by_rows)
        for table, size, split in zip(tables, found, parts, strict=True):
            safe = safe_sets_of(table, by_rows=by_rows)
            assert size == len(split) == most_disjoint(safe)
            assert safe[split].all()
            assert sum(split) == np.bitwise_or.reduce(split) == 1023
        sizes.append(found)
    assert all(rows <= copies for rows, copies in zip(*sizes, strict=True))
    assert name == "random" or any(rows < copies for rows, copies in zip(*sizes, strict=True))


def test_joint_hints_against_all_hands() -> None:
    """The definition alone: every hand that fits, and every set of hints."""
    hands = [hand for name in PLAYERS for hand in positions_of(name, 2, 12)]
    tables = [hand.table("joint") for hand in hands if prod(map(len, hand.cards)) <= 3_000]
    assert len(tables) > 50
    sizes, parts = all_in_bulk(tables, by_rows=False)
    more = 0
    for table, size, split in zip(tables, sizes, parts, strict=True):
        safe = safe_by_hands(10, set(possible_hints(table)))
        assert size == len(split) == most_disjoint(safe)
        assert safe[split].all()
        partition = find_partition(table)
        assert partition.size == partition.upper == size
        assert verify_partition(table, partition) is None
        more += size > find_partition(table, by_rows=True).size
    assert more >= 5


@pytest.mark.parametrize("name", PLAYERS)
def test_joint_hints_are_worth_both_kinds_at_least(name: str) -> None:
    rows, unseen = as_arrays([hand.table("joint") for hand in positions_of(name, 2, 12)])
    both = np.array(CARDS)
    for limit in (None, unseen):
        joint, colors, ranks = (
            partition_many(rows, hints=hints, touched=touched, unseen=limit)[0]
            for hints, touched in ((10, both), (5, both & 31), (5, both >> 5))
        )
        assert (joint >= colors + ranks).all()
    assert name == "random" or (joint > colors + ranks).any()


def test_certified_answers() -> None:
    vectors = load_vectors("partitions")
    strict = 0
    for case in vectors["independent"]:
        table = PossibilityTable.plain(case["colors"], case["rows"])
        partition = find_partition(table)
        assert partition.size == partition.upper == case["max_parts"] == in_bulk(table)[0]
        assert verify_partition(table, partition) is None
    for case in vectors["joint"]:
        table = PossibilityTable.plain(case["colors"], case["rows"], unseen=case["remaining"])
        assert check(table) == (case["row_packing"], case["joint_max"])
        strict += case["joint_max"] > case["row_packing"]
    assert strict > 0
