"""Every real game in the test data replays to the end that the site recorded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hanabi.rules import Game
from hanabi.rules.notation.hanab_live import game_from_json
from hanabi.rules.notation.record import GameRecord
from hanabi.rules.replay import replay, replay_of
from hanabi.rules.seeds import parse_seed

GAMES = sorted((Path(__file__).parents[2] / "data" / "hanab_live" / "games").glob("*.json"))
INCOMPLETE = "1890204"
"""A bug report's game, of which only the first 18 cards of the deck are there."""

CUT_SHORT = ("1884192", "1884410", "1885375", "1885527", "1899044")
"""Exported in the middle: what was played after is not in the file, and no vote is either."""

BY_VOTE = 4
"""The type of the action that ends a game because its players agree to."""


def record_of(path: Path) -> GameRecord:
    return game_from_json(json.loads(path.read_text(encoding="utf-8")))


COMPLETE = [path for path in GAMES if path.stem != INCOMPLETE]
SEEDED = [path for path in GAMES if record_of(path).seed is not None]


def test_there_are_games_of_each_sort() -> None:
    ends = [record_of(path).actions[-1].is_end for path in COMPLETE]
    assert len(COMPLETE) == len(GAMES) - 1
    assert set(ends) == {True, False}
    assert len(SEEDED) >= 20


@pytest.mark.parametrize("path", COMPLETE, ids=lambda path: path.stem)
def test_a_game_replays_to_its_recorded_end(path: Path) -> None:
    record = record_of(path)
    *before, last = replay(record)
    assert not any(game.is_over for game in before)
    assert len(before) == sum(not action.is_end for action in record.actions)
    # A vote ends what would go on by the rules; other whole games end by the rules.
    ended_by_vote = record.actions[-1].is_end
    assert last.is_over is not (ended_by_vote or path.stem in CUT_SHORT)
    if ended_by_vote:
        assert record.actions[-1].type == BY_VOTE
        assert not any(action.is_end for action in record.actions[:-1])
    assert counted_points(last) == sum(last.piles)


def counted_points(game: Game) -> int:
    """Cards that are neither in hands, nor in the deck, nor discarded."""
    in_hands = sum(map(len, game.hands))
    return game.rules.deck_size - game.deck_left - in_hands - len(game.discards)


@pytest.mark.parametrize("path", SEEDED, ids=lambda path: path.stem)
def test_a_seed_deals_exactly_the_deck_of_its_game(path: Path) -> None:
    record = record_of(path)
    assert record.seed is not None
    seed = parse_seed(record.seed)
    assert (seed.players, seed.variant.name) == (record.players, record.variant)
    assert seed.deck == record.deck


def test_a_game_without_its_whole_deck_is_replayed_as_far_as_it_goes() -> None:
    [path] = set(GAMES) - set(COMPLETE)
    found = replay_of(record_of(path))
    assert (found.missing, len(found.positions), found.score) == (37, 8, 2)
    assert found.unusual == ("the record lists 18 of 55 cards of the deck: 37 are missing",)
