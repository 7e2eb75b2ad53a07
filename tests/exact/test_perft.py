"""Exact counts of action sequences: the kernel against the slow twin, and the documented table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hanabi.ground.compiled import config
from hanabi.ground.errors import InvalidInputError
from hanabi.rules import PRESETS, Game, Rules, perft
from hanabi.rules.deck import DeckSpec
from oracles.game import SlowGame, slow_perft

DOCUMENT = Path(__file__).parents[2] / "docs" / "rules.md"

# Larger counts are left alone: they take seconds.
LARGEST = 10**4 if config.DISABLE_JIT else 10**8

SMALL = Rules(
    spec=DeckSpec(((2, 1), (1, 1))), seats=2, hand_size=1, hints=1, lives=2, empty_hints=False
)
SMALL_SETS = {
    "small": SMALL,
    "hints may be empty": replace(SMALL, empty_hints=True),
    "no bonus": replace(SMALL, completion_bonus=False, discard_at_full_hints=True),
    "no limit": replace(SMALL, final_round=None, hints=0, discard_at_full_hints=True),
    "stops when stuck": replace(SMALL, stop_when_stuck=True, lives=3),
    "plays from the deck": replace(SMALL, deck_plays=True, hand_size=2),
    "keeps slots": replace(SMALL, keep_slots=True, hand_size=2, hints=2),
    "three seats": replace(SMALL, spec=DeckSpec(((2, 1, 1),)), seats=3, final_round=3),
    "alone": replace(SMALL, seats=1, hand_size=2, final_round=1, discard_at_full_hints=True),
    "two turns each": replace(SMALL, final_round=4, hand_size=2),
}


def documented() -> list[tuple[str, int, list[int]]]:
    """Rows `| preset | seats | 1 | 2 | ... |` of the document's table of counts."""
    rows = []
    for line in DOCUMENT.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip(" `") for cell in line.strip("|").split("|")]
        if cells[0] in PRESETS and len(cells) > 2 and cells[1].isdigit():
            rows.append((cells[0], int(cells[1]), [int(x.replace(",", "")) for x in cells[2:]]))
    return rows


@pytest.mark.parametrize(("preset", "seats", "counts"), documented())
def test_the_documented_counts(preset: str, seats: int, counts: list[int]) -> None:
    rules = PRESETS[preset](seats)
    game = Game.start(rules, rules.spec.shuffle(seed=1))
    counts = [count for count in counts if count <= LARGEST]
    assert [perft(game, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize("preset", PRESETS)
def test_the_slow_twin_counts_the_same(preset: str) -> None:
    rules = PRESETS[preset](2)
    deck = rules.spec.shuffle(seed=1)
    assert perft(Game.start(rules, deck), 2) == slow_perft(SlowGame(rules, deck), 2)


def test_all_presets_are_documented() -> None:
    assert {preset for preset, _, _ in documented()} == set(PRESETS)
    assert all(len(counts) == 5 for _, _, counts in documented())


@pytest.mark.parametrize("name", SMALL_SETS)
@pytest.mark.parametrize("seed", [1, 2])
def test_whole_games_are_counted_alike(name: str, seed: int) -> None:
    rules = SMALL_SETS[name]
    deck = rules.spec.shuffle(seed)
    game, slow = Game.start(rules, deck), SlowGame(rules, deck)
    depth = 0
    while count := perft(game, depth):
        assert count == slow_perft(slow, depth)
        depth += 1
    assert depth > 3


def test_counting_from_a_later_position() -> None:
    rules = Rules.hle(2)
    game = Game.start(rules, rules.spec.shuffle(seed=1))
    assert perft(game, 3) == sum(perft(game.apply(a), 2) for a in game.legal_actions)


def test_a_negative_depth_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="-1"):
        perft(Game.start(SMALL, SMALL.spec.shuffle(1)), -1)
