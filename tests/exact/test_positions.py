"""Positions without a history: every answer from a written position is the game's."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hanabi import chances, solve
from hanabi.ground.errors import InvalidInputError, SolverError
from hanabi.rules import Game, Rules
from hanabi.rules import layout as k
from hanabi.rules.deck import DeckSpec
from hanabi.rules.notation import (
    GameRecord,
    PositionInput,
    format_position,
    parse_input,
    position_to_json,
)
from hanabi.rules.position import game_of_position, position_of
from hanabi.rules.problem import pose_game, posed
from hanabi.rules.replay import replay
from hanabi.solvers.draws import open_chances
from hanabi.solvers.winnable.solver import decide_game

DATA = Path(__file__).parents[1] / "data/hanab_live"


def again(position: PositionInput, *, as_text: bool = True) -> PositionInput:
    """The position as it is read from what is written of it, in both forms or in JSON."""
    read = parse_input(json.dumps(position_to_json(position)))
    assert isinstance(read, PositionInput)
    if as_text and (read.rules is None or isinstance(read.rules, str)):
        assert parse_input(format_position(position)) == replace(read, names=())
    return read


def read_game(text: str) -> Game:
    position = parse_input(text)
    assert isinstance(position, PositionInput)
    return game_of_position(position)


def words(game: Game) -> list[int]:
    """The words of a position, but for the places of its cards in the deck."""
    state, rules = game.packed.state.tolist(), game.packed.rules
    del state[int(rules[k.CARDS]) : int(rules[k.KNOWN])]
    return [int(word) for word in state]


def assert_same(game: Game, *, as_text: bool = True) -> Game:
    """Write and read the position; return what was read after comparing it."""
    position = again(position_of(game), as_text=as_text)
    found = game_of_position(position)
    assert found.rules == game.rules
    assert words(found) == words(game)
    assert found.hands == game.hands
    assert found.knowledge == game.knowledge
    assert (
        found.deck[found.rules.deck_size - found.deck_left :]
        == (game.deck[game.rules.deck_size - game.deck_left :])
    )
    assert found.legal_actions == game.legal_actions
    return found


def exported(game: dict[str, Any]) -> GameRecord:
    data = {
        "players": list("ABCDEF"[: game["players"]]),
        "deck": [{"suitIndex": suit, "rank": rank} for suit, rank in game["deck"]],
        "actions": [
            dict(zip(("type", "target", "value"), action, strict=True))
            for action in game["actions"]
        ],
        "options": {"variant": game["variant"], **game["options"]},
    }
    record = parse_input(json.dumps(data))
    assert isinstance(record, GameRecord)
    return record


def test_positions_of_every_sort_of_game_are_read_back_word_for_word() -> None:
    random, seen = Random(1), set()
    with gzip.open(DATA / "site/games.jsonl.gz", "rt", encoding="utf-8") as file:
        games = [json.loads(line) for line in file]
    for number, data in enumerate(games):
        positions = [game for game in replay(exported(data)) if game.can_act]
        # Each game at one turn; the last turns are where hands and rounds are unusual.
        at = random.randrange(len(positions)) if number % 2 else len(positions) - 1 - number % 4
        assert_same(positions[max(at, 0)], as_text=number % 4 < 2)
        seen.add(data["variant"])
    assert len(seen) > 700


def test_answers_are_those_of_the_game() -> None:
    compared = 0
    for path in sorted((DATA / "games").glob("*.json")):
        record = parse_input(path.read_text(encoding="utf-8"))
        assert isinstance(record, GameRecord)
        for game in replay(record):
            if not game.can_act or game.missing or (game.turn % 4 and game.deck_left > 4):
                continue
            found = assert_same(game)
            verdicts = [decide_game(each, best=True, seconds=600) for each in (game, found)]
            assert len({(each.status, each.lower, each.upper) for each in verdicts}) == 1
            compared += 1
            if game.deck_left > 2 or game.rules.deck_plays:
                continue
            # Without the order of the deck the chances are the same, and only they.
            unordered = game_of_position(again(position_of(game, has_order=False)))
            values = [open_chances(each).actions for each in (game, found, unordered)]
            assert values[0] == values[1] == values[2]
    assert compared > 200


def test_positions_of_other_rules_are_read_back() -> None:
    specs = DeckSpec(((2, 1, 1), (1, 2, 2))), DeckSpec(((1,) * 3,) * 9)
    rule_sets = [
        Rules.official(2), Rules.hle(3), Rules.bergh2016(4), Rules.multicolor(5),
        *(Rules(spec=spec, seats=2, hand_size=2, hints=3, final_round=None) for spec in specs),
        Rules(spec=specs[0], seats=3, hand_size=1, keep_slots=True, open_hands=True, final_round=5),
        replace(Rules.hanab_live(2, variant="Clue Starved (5 Suits)"), lives=1),
        Rules.hanab_live(3, variant="Alternating Clues (4 Suits)"),
        Rules.hanab_live(2, variant="Sudoku (5 Suits)"),
        Rules.hanab_live(2, variant="Up or Down (5 Suits)"),
    ]  # fmt: skip
    for rules in rule_sets:
        random = Random(rules.seats)
        game, last = Game.start(rules, rules.spec.shuffle(seed=3)), None
        while game.can_act:
            last = assert_same(game)
            game = game.apply(random.choice(game.legal_actions))
        assert last is not None


def test_a_posed_position_asks_without_its_history() -> None:
    record = parse_input((DATA / "games/2906.json").read_text(encoding="utf-8"))
    assert isinstance(record, GameRecord)
    game = [each for each in replay(record) if each.can_act][-3]
    position = position_of(game)
    answer = solve(position)
    assert answer.games[-1].score == solve(game).games[-1].score
    problem = posed(position)
    assert problem.moves == ()
    assert not problem.has_history
    # What is played from there is played on, and can be asked about again.
    after = game_of_position(position).apply(game.legal_actions[0])
    assert pose_game(after).moves == ()
    assert words(pose_game(after).game) == words(game.apply(game.legal_actions[0]))


def test_a_hidden_hand_gives_away_nothing() -> None:
    record = parse_input((DATA / "games/1885375.json").read_text(encoding="utf-8"))
    assert isinstance(record, GameRecord)
    game = replay(record)[34]
    hidden = again(position_of(game, is_hidden=True))
    assert hidden.hidden_seat == game.seat_to_act
    assert set(hidden.deck) == {None}
    found = game_of_position(hidden)
    seat = game.seat_to_act
    assert found.view(seat).hands == game.view(seat).hands
    assert found.view(seat).knowledge == game.view(seat).knowledge
    assert sorted(found.view(seat).unseen.elements()) == sorted(game.view(seat).unseen.elements())
    assert all(
        known.is_possible(card)
        for known, card in zip(found.knowledge[seat], found.hands[seat], strict=True)
    )
    # Whatever cards fill the hand, the position that is written is the same.
    assert found.hands[seat] != game.hands[seat]
    assert again(position_of(found, is_hidden=True)) == hidden
    with pytest.raises(InvalidInputError, match=r"the hand of Bob is hidden \(\?\)"):
        posed(hidden)


def test_a_hidden_hand_is_judged_as_that_of_the_game() -> None:
    """What the seat cannot see is not in the position, and so in no answer."""
    rules = Rules(spec=DeckSpec(((2, 1), (1, 2))), seats=2, hand_size=1, hints=1, lives=2)
    for seed in range(12):
        random, game = Random(seed), Game.start(rules, rules.spec.shuffle(seed))
        while game.can_act:
            hidden = again(position_of(game, is_hidden=True))
            found = chances(hidden, seat=True)
            assert found.actions == chances(game, seat=True).actions
            game = game.apply(random.choice(game.legal_actions))


def test_a_hidden_hand_must_be_one_that_fits() -> None:
    def hands(own: list[str], **other: object) -> list[str]:
        data = {
            "rules": {"hand_size": 3}, "copies": [[1] * 4] * 3, "piles": ["r1"], "seat": 1,
            "hands": [["y1", "y2", "y3"], own], "hints": 0, "discards": ["g4", "g3"],
        }  # fmt: skip
        return [str(card) for card in read_game(json.dumps({**data, **other})).hands[1]]

    # The first cards that come to mind do not fit: one slot needs the only card of another.
    assert hands(["?(r2|r3)", "?(r2|r4)", "?(r2)"]) == ["r3", "r4", "r2"]
    assert hands(["?", "?(r)", "?(r4)"])[2] == "r4"
    with pytest.raises(InvalidInputError, match="hand of seat 1: the cards that are left do not"):
        hands(["?(r2|r3)", "?(r2|r3)", "?(r2|r3)"])
    # Once the deck is empty the hand is all that is left.
    gone = ["g4", "g3", "g2", "g1", "y4"]
    assert sorted(hands(["?", "?", "?(3)"], discards=gone, turns=1)) == ["r2", "r3", "r4"]


def test_solvers_refuse_what_they_cannot_know() -> None:
    record = parse_input((DATA / "games/1885375.json").read_text(encoding="utf-8"))
    assert isinstance(record, GameRecord)
    game = game_of_position(position_of(replay(record)[30], has_order=False))
    assert game.missing == game.deck_left > 1
    verdict = decide_game(game)
    assert verdict.method == "no deck"
    with pytest.raises(InvalidInputError, match="made without the actions"):
        _ = game.actions
    with pytest.raises(InvalidInputError, match="deal of this position is not known"):
        _ = game.deal
    with pytest.raises((InvalidInputError, SolverError)):
        pose_game(game).after(1)
