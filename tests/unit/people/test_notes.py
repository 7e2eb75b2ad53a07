"""What people would do where each move of a game was made."""

from __future__ import annotations

from pathlib import Path

import pytest

from hanabi import GameRecord, deal, read
from hanabi.ground import InvalidInputError
from hanabi.people.notes import PeopleNotes, people_chances, people_notes
from hanabi.people.player import People
from hanabi.rules import Game, PositionInput, Rules, deed, hint_rank, play, posed, site

GAMES = Path(__file__).parents[2] / "data" / "hanab_live" / "games"


def test_shares_are_the_chances_of_the_player_by_what_each_seat_saw() -> None:
    record = read(GAMES / "2906.json")
    assert isinstance(record, GameRecord)
    positions = posed(record).by_rules[:12]
    found = [*people_notes(positions)]
    assert [each.move for each in found] == [*range(1, 12)]
    for before, after, notes in zip(positions, positions[1:], found, strict=False):
        chances = People().chances(before.view(before.seat_to_act))
        assert notes.chances == chances
        assert notes.action == after.known_actions[-1]
        assert notes.first == People().ranked(before.view(before.seat_to_act))[0]
        assert notes.words == deed(before, notes.first)


def test_the_sentence_names_the_first_choice_if_it_is_another_action() -> None:
    game = deal(players=2, seed=1)
    chances = {play(4): 0.384, hint_rank(1, 3): 0.616}
    words = deed(game, hint_rank(1, 3)), deed(game, play(4))
    reader = site(("Alice", "Bob"), game)
    other = PeopleNotes(1, play(4), hint_rank(1, 3), words[0], chances)
    assert other.says == "38 % of people would do this; 62 % would hint 3 to seat 1"
    assert other.says.to(reader) == "38 % of people would do this; 62 % would clue 3 to Bob"
    rare = PeopleNotes(1, hint_rank(1, 3), play(4), words[1], {play(4): 1.0, hint_rank(1, 3): 0.0})
    assert rare.says.to(reader) == "<1 % of people would do this; 100 % would play card 1"
    same = PeopleNotes(1, hint_rank(1, 3), hint_rank(1, 3), words[0], chances)
    assert same.says == "62 % of people would do this, their first choice"


def test_other_rules_and_games_without_their_deal_are_refused() -> None:
    rules = Rules.hanab_live(2, variant="Orange (5 Suits)")
    game = Game.start(rules, rules.spec.shuffle(seed=1))
    with pytest.raises(InvalidInputError, match=r"what people do: .* does not play Orange"):
        people_chances(game)
    with pytest.raises(InvalidInputError, match=r"does not play Orange"):
        next(people_notes([game, game.apply(play(0))]))
    position = read(GAMES.parents[3] / "docs" / "data" / "endgame.txt")
    assert isinstance(position, PositionInput)
    late = posed(position).game
    with pytest.raises(
        InvalidInputError, match=r"^what people do: it needs the game from its deal"
    ):
        people_chances(late)
