"""How Solitaire Hanabi is posed by what was read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.rules.deck import DeckSpec
from hanabi.rules.notation import GameRecord, RecordedAction, format_link, game_to_json
from hanabi.shell.session.problem import Question, SolitaireProblem, read_problem
from hanabi.solitaire import Instance

GAME = Path(__file__).parents[3] / "data/hanab_live/games/2906.json"


def posed(text: str, *, name: str = "", **options: Any) -> SolitaireProblem:
    problem = read_problem(text, Question(solitaire=True, **options), name)
    assert isinstance(problem, SolitaireProblem)
    return problem


@pytest.mark.parametrize(("players", "hand"), [(2, 9), (3, 14), (4, 15), (5, 19), (6, 17)])
def test_merged_hands_hold_one_card_less(players: int, hand: int) -> None:
    # Erratum E18: p players with h cards each are one player with p*h - 1, not p*h.
    problem = posed(f"players {players} r1 b5")
    assert problem.instance == Instance(hand, [(0, 1), (3, 5)])
    assert f"a hand of {hand}" in problem.remarks[0]


def test_a_game_declares_its_variant() -> None:
    problem = posed(GAME.read_text(encoding="utf-8"))
    instance = problem.instance
    assert (instance.hand_size, instance.n, instance.c, instance.N) == (14, 5, 5, 50)
    assert len(problem.remarks) == 1


def test_a_given_hand_size_wins_and_needs_no_remark() -> None:
    problem = posed(GAME.read_text(encoding="utf-8"), hand_size=3)
    assert (problem.instance.hand_size, problem.remarks) == (3, ())
    assert posed("hand 2 r1", hand_size=5).instance.hand_size == 5


def test_table_options_and_odd_decks_are_counted_or_told() -> None:
    deck = DeckSpec.standard(3).shuffle(1)
    record = GameRecord(2, deck, options={"oneExtraCard": True, "detrimentalCharacters": True})
    problem = posed(json.dumps(game_to_json(record)))
    assert problem.instance.hand_size == 2 * 6 - 1
    assert problem.remarks[1] == "Note: the deck has 30 cards; No Variant has 50."
    assert "characters" in problem.remarks[2]


def test_a_link_is_its_own_text() -> None:
    record = GameRecord(4, DeckSpec.standard().shuffle(2), (RecordedAction(0, 0),))
    assert posed(format_link(record)).instance.hand_size == 15


def test_the_hand_size_may_be_left_open_only_if_it_is_not_needed() -> None:
    with pytest.raises(InvalidInputError, match=r"deck\.txt: no hand size: give hand_size"):
        posed("r1", name="deck.txt")
    problem = posed("r1", least_hand=True)
    assert not problem.hand_is_given
    assert problem.instance.hand_size == 0


def test_rules_of_the_full_game_are_not_dropped_silently() -> None:
    with pytest.raises(InvalidInputError, match="rules"):
        posed('{"players": 2, "deck": "r1", "rules": "x"}')


def test_numbers_too_large_for_an_instance() -> None:
    with pytest.raises(InvalidInputError, match="d: n x c"):
        posed("values 2147483647 colors 2147483647 r1 hand 1", name="d")
    with pytest.raises(InvalidInputError, match="hand size"):
        posed("r1", hand_size=2**40)
