"""Sentences made of parts: each audience reads its own words, and names stay as they are."""

from __future__ import annotations

import copy
import pickle

import pytest

from hanabi.ground import IllegalActionError
from hanabi.rules import Game, Rules, discard, hint_color, play
from hanabi.rules.telling import deed, on_site, told
from hanabi.rules.words import (
    Audience,
    Said,
    Seat,
    Slots,
    heard,
    joined,
    say,
    site,
    slot_of,
    terminal,
    words_of,
)

NAMES = ("hint", "slot 1", "seat 2", "Clue")


def test_every_value_of_a_template_is_a_part_or_text() -> None:
    said = say("{} has {:.1f} {hints} for {}", Seat(1), 2, say("{}", slot_of(0, 3)))
    assert said == "seat 1 has 2.0 hints for slot 3"
    assert said.to(Audience(NAMES, "clue", (5, 5))) == "slot 1 has 2.0 clues for card 2"
    assert joined(" and ", [said, "no {hint}"]).to(Audience(hint="clue")).endswith("no {hint}")


@pytest.mark.parametrize(("template", "given"), [("{}", ()), ("{clue}", ())])
def test_a_template_must_fit_its_values(template: str, given: tuple[object, ...]) -> None:
    with pytest.raises((StopIteration, ValueError)):
        say(template, *given)


def test_a_sentence_keeps_its_parts_in_other_processes() -> None:
    said = say("{} {hint}", Slots(1, (0, 2)))
    for other in (pickle.loads(pickle.dumps(said)), copy.deepcopy(said)):
        assert (other, other.parts) == (said, said.parts)
        assert isinstance(other, Said)


def test_cards_count_by_the_hand_that_holds_them() -> None:
    readers = Audience(hint="clue", hands=(5, 4))
    assert say("{}", slot_of(0, 0)).to(readers) == "card 5"
    assert say("{}", Slots(1, (0, 3))).to(readers) == "cards 4 and 1"
    unknown = "slot 3 is good"
    assert heard(unknown).to(readers) == f"{unknown} (slot 0 is the oldest card)"
    assert heard(unknown).to(readers._replace(hands=(5, 5))) == "card 2 is good"
    assert heard("slot 7 is good").to(readers._replace(hands=(5, 5))).startswith("slot 7 is good (")


@pytest.mark.parametrize(
    ("text", "on_terminal", "on_page"),
    [
        ("seat 2 plays slot 0", "seat 2 plays slot 0", "seat 2 plays card 5"),
        ("seat 7, seat 01x, seats 1", "seat 7, seat 01x, seats 1", "seat 7, seat 01x, seats 1"),
        ("slots 0, 1 and 3 hint", "slots 0, 1 and 3 hint", "cards 5, 4 and 2 clue"),
        ("hints, hinted, Hint", "hints, hinted, Hint", "clues, hinted, Hint"),
        ("slot 2, 3 times", "slot 2, 3 times", "card 3, 3 times"),
        ("{} {hint} {0!r}", "{} {hint} {0!r}", "{} {clue} {0!r}"),
        ("", "", ""),
    ],
)
def test_other_peoples_words_are_understood_once(text: str, on_terminal: str, on_page: str) -> None:
    said = heard(text)
    assert said == on_terminal
    assert said.to(Audience((), "clue", (5, 5))) == on_page


def test_actions_and_moves() -> None:
    rules = Rules.hanab_live(2)
    game = Game.start(rules, rules.spec.shuffle(seed=1))
    assert deed(game, play(1)).to(site(NAMES, game)) == "play card 4"
    for action in game.legal_actions:
        assert deed(game, action) == str(action)
        after, names = game.apply(action), NAMES[:2]
        moved = on_site(names, game, after)
        assert moved.startswith("hint ")
        assert moved.replace("clues ", "hints ", 1) == f"hint {told(names, game, after)}"
    assert deed(game.apply(play(0)), play(0)).parts[-1] == slot_of(1, 0)


def test_terminal_and_page_count_cards_alike() -> None:
    game = Game.start(Rules.hanab_live(2), Rules.hanab_live(2).spec.shuffle(seed=1))
    said = say("{} plays {} without a {hint}", Seat(1), slot_of(1, 0))
    assert said == "seat 1 plays slot 0 without a hint"
    assert said.to(terminal(NAMES, game)) == "slot 1 plays card 5 without a hint"
    assert said.to(site(NAMES, game)) == "slot 1 plays card 5 without a clue"


def test_an_error_has_the_words_of_its_readers() -> None:
    game = Game.start(Rules.official(2), Rules.official(2).spec.shuffle(seed=1))
    with pytest.raises(IllegalActionError) as caught:
        game.apply(discard(1))
    why = "no discards while all 8 hint tokens are there"
    assert str(caught.value) == f"turn 1, seat 0 cannot discard slot 1: {why}"
    error = pickle.loads(pickle.dumps(caught.value))
    told = words_of(error, terminal(("Ann", "Ben"), game))
    assert told == f"turn 1, Ann cannot discard card 4: {why}"
    assert words_of(ValueError(), terminal((), game)) == ""


def test_a_variants_clue_has_its_own_name() -> None:
    rules = Rules.hanab_live(2, variant="Black (6 Suits)")
    game = Game.start(rules, rules.spec.shuffle(seed=1))
    assert deed(game, hint_color(1, 5)) == "hint black to seat 1"
