"""900 games of many variants and options, held at every turn against hanab.live's own programs."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hanabi import GameRecord, read
from hanabi.rules import EndReason, Game
from hanabi.rules.figures import efficiencies, pace, pace_risk
from hanabi.rules.replay import replay, rules_of, to_record
from hanabi.rules.variants import find_variant

SITE = Path(__file__).parents[1] / "data" / "hanab_live" / "site"
RISKS = ("low", "medium", "high", "zero")
ENDS = {
    EndReason.COMPLETED: 1,
    EndReason.OUT_OF_TURNS: 1,
    EndReason.STUCK: 1,
    EndReason.BOMBED: 2,
}
ALL_OR_NOTHING_FAILED = 8


def rows(name: str) -> list[dict[str, Any]]:
    with gzip.open(SITE / name, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def exported(game: dict[str, Any]) -> dict[str, Any]:
    """A game as the site exports it."""
    return {
        "players": list("ABCDEF"[: game["players"]]),
        "deck": [{"suitIndex": suit, "rank": rank} for suit, rank in game["deck"]],
        "actions": [
            dict(zip(("type", "target", "value"), action, strict=True))
            for action in game["actions"]
        ],
        "options": {"variant": game["variant"], **game["options"]},
    }


@cache
def games() -> tuple[tuple[dict[str, Any], GameRecord, tuple[Game, ...]], ...]:
    """Return each game with its record, read as a user would, and its positions."""
    found = []
    for game in rows("games.jsonl.gz"):
        record = read(json.dumps(exported(game)))
        assert isinstance(record, GameRecord)
        found.append((game, record, replay(record)))
    return tuple(found)


def end_of(game: Game) -> int:
    if game.rules.all_or_nothing and game.end_reason is not EndReason.COMPLETED:
        return ALL_OR_NOTHING_FAILED
    return ENDS[game.end_reason]


def test_the_games_are_of_every_sort() -> None:
    assert len(games()) == 900
    assert len({game["variant"] for game, _, _ in games()}) > 700
    options = Counter(option for game, _, _ in games() for option in game["options"])
    assert min(options.values()) > 70
    assert options.keys() == {
        "deckPlays", "emptyClues", "oneExtraCard", "oneLessCard", "allOrNothing", "cardCycle"
    }  # fmt: skip
    assert {game["site"]["end"] for game, _, _ in games()} == {1, 2, ALL_OR_NOTHING_FAILED}
    from_deck = Counter(
        position.actions[-1].kind.name
        for _, _, positions in games()
        for position in positions[1:]
        if position.actions[-1].is_from_deck
    )
    assert from_deck == {"PLAY_DECK": 112}


def test_every_turn_is_the_servers() -> None:
    """Its most points are left out in Sudoku, where it overestimates them."""
    for number, (game, _, positions) in enumerate(games()):
        here = {
            # Half a token is 1 where there are such.
            "clues": [each.hint_credit for each in positions],
            "score": [each.score for each in positions],
            "strikes": [each.rules.lives - each.lives for each in positions],
            "seat": [each.seat_to_act for each in positions],
            "max_score": [each.most_points for each in positions],
            "end": end_of(positions[-1]),
        }
        is_sudoku = find_variant(game["variant"]).sudoku
        there = game["site"]
        assert here.keys() - there.keys() == ({"max_score"} if is_sudoku else set())
        assert {name: here[name] for name in there} == there, (number, game["variant"])
        assert not any(each.is_over for each in positions[:-1])


def test_every_turn_is_recorded_as_the_server_does() -> None:
    for number, (_, record, positions) in enumerate(games()):
        again = to_record(positions[-1])
        there = [(action.type, action.target, action.value) for action in record.actions]
        here = [(a.type, a.target, a.value if a.value is not None else 0) for a in again.actions]
        assert here == there, number
        assert rules_of(again) == rules_of(record), number


def figures(positions: tuple[Game, ...]) -> Iterator[tuple[str, list[Any]]]:
    each = efficiencies(positions)
    yield "gotten", [one.gotten for one in each]
    yield "spent", [one.spent for one in each]
    yield "most", [one.most for one in each]
    yield "usable", [one.usable for one in each]
    if not positions[0].rules.all_or_nothing:  # the site shows none there
        yield "pace", list(map(pace, positions))
        yield "risk", [RISKS.index(pace_risk(position)) for position in positions]


def test_every_figure_is_the_clients() -> None:
    """In Sudoku, too; efficiencies are their quotients."""
    compared = 0
    for number, (shown, (game, _, positions)) in enumerate(
        zip(rows("figures.jsonl.gz"), games(), strict=True)
    ):
        for name, here in figures(positions):
            assert here == shown[name], (number, game["variant"], name)
        compared += len(positions)
    assert compared == 43_717


@pytest.mark.parametrize("number", [0, 170])
def test_a_review_shows_these_figures(
    number: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from hanabi.front.app import main

    game, _, positions = games()[number]
    path = tmp_path / "game.json"
    path.write_text(json.dumps(exported(game)), encoding="utf-8")
    assert main(["review", str(path), "--json", "--time", "5"]) == 0
    found = json.loads(capsys.readouterr().out)
    deal, *after = efficiencies(positions)
    moves = found["moves"]
    assert [move["score"] for move in moves] == game["site"]["score"][1:]
    assert [move["efficiency"] for move in moves] == [
        None if each.ratio is None else str(each.ratio) for each in after
    ]
    assert [move["required_efficiency"] for move in moves] == [
        None if each.required is None else str(each.required) for each in after
    ]
    assert [move["pace_risk"] for move in moves] == list(map(pace_risk, positions[1:]))
    assert found["minimum_efficiency"] == str(deal.required)
    assert after[-1].ratio is not None
    assert found["efficiency"] == round(float(after[-1].ratio), 4)
