"""Games by conventions: true of what their players meant, and silent on what a seat cannot know."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hanabi.conventions import HGroup, expected, readings, slips
from hanabi.conventions.notes import ConventionNotes, convention_notes, move_notes, seat_notes
from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.rules import Game, Rules, discard, hint_color, hint_rank, play
from hanabi.rules.words import Audience, site
from hanabi.shell import read_address
from unit.conventions.test_practice import other_hands

LEVEL = 2


@pytest.fixture(scope="module")
def positions() -> list[Game]:
    """The first moves of a game of three players who keep the conventions."""
    rules = Rules.hanab_live(3)
    games = [Game.start(rules, rules.spec.shuffle(seed=4))]
    for _ in range(14):
        view = games[-1].view(games[-1].seat_to_act)
        games.append(games[-1].apply(HGroup(LEVEL).act(view, Stream(1))))
    return games


@pytest.fixture(scope="module")
def notes(positions: list[Game]) -> list[ConventionNotes]:
    return list(convention_notes(positions, LEVEL))


def test_hints_mean_what_is_true(positions: list[Game], notes: list[ConventionNotes]) -> None:
    n_hints = 0
    for before, each in zip(positions, notes, strict=False):
        if each.told is None or not each.told.meanings or each.slips:
            continue
        assert each.told.slot is not None
        card = before.hands[each.told.target][each.told.slot]
        assert any(card in meaning.cards for meaning in each.told.meanings)
        n_hints += 1
    assert n_hints >= 3


def test_who_keeps_them_makes_no_slips(notes: list[ConventionNotes]) -> None:
    assert len(notes) == 14
    assert sum(bool(each.slips) for each in notes) <= 1
    assert all(len(each.expected) == 2 for each in notes)
    said = [sentence.to(Audience("ABC")) for each in notes for sentence in each.sentences()]
    assert not [text for text in said if "seat" in text]


def test_a_slip_is_named(positions: list[Game]) -> None:
    _, note = convention_notes([*positions[:2], positions[1].apply(discard(3))], LEVEL)
    assert [each.convention.name for each in note.slips] == ["The Chop"]
    remark, slip, _ = note.sentences()
    assert remark == "slot 0 should have been played as y1"
    assert slip.startswith("perhaps a slip: slot 3 is not the chop")


def test_hidden_cards_do_not_matter(positions: list[Game], notes: list[ConventionNotes]) -> None:
    n_others = 0
    for at in (4, 9, 13):
        before, after, note = positions[at], positions[at + 1], notes[at]
        action, seat = after.known_actions[-1], before.seat_to_act
        for game, _ in zip(other_hands(before, seat), range(2), strict=False):
            assert slips(game.view(seat), action, LEVEL) == note.slips
            n_others += game.deck != before.deck
        for game, _ in zip(other_hands(after, seat), range(2), strict=False):
            assert expected(game.view(seat), LEVEL) == note.expected
            n_others += game.deck != before.deck
        if note.told is not None:
            for game, _ in zip(other_hands(after, action.target), range(2), strict=False):
                assert readings(game.view(action.target), at, LEVEL) == note.told
                n_others += game.deck != before.deck
    assert n_others >= 6


def test_a_seat_reads_what_it_can_know(positions: list[Game]) -> None:
    n_others = n_slips = 0
    for at in range(14):
        before, after = positions[at : at + 2]
        whole = move_notes(before, after, LEVEL)
        for seat in range(3):
            note = seat_notes(before.view(seat), after.view(seat), LEVEL)
            assert not note.slips or seat == before.seat_to_act
            if seat == before.seat_to_act:
                assert (note.slips, note.expected) == (whole.slips, whole.expected)
            elif seat == after.known_actions[-1].target and note.told is not None:
                assert note.told == whole.told
            n_slips += bool(note.slips)
            for other, _ in zip(other_hands(after, seat), range(at % 5 == 3), strict=False):
                earlier = Game.start(other.rules, other.deck)
                for action in before.actions:
                    earlier = earlier.apply(action)
                assert seat_notes(earlier.view(seat), other.view(seat), LEVEL) == note
                n_others += other.deck != after.deck
    assert n_others >= 6
    assert n_slips <= 1


def test_whoever_is_to_play_blindly_is_asked_to() -> None:
    """In this deal a green hint means g2 after g1 of a third seat, which cannot see its g1."""
    rules = Rules.hanab_live(3)
    before = Game.start(rules, rules.spec.shuffle(7, 0)).apply(hint_rank(1, 1))
    after = before.apply(hint_color(0, 2))
    note = seat_notes(before.view(2), after.view(2), 1)
    assert note.told is not None
    (asked,) = note.told.asks
    assert asked.convention.name == "Finesse"
    assert "after seat 2 plays g1 blindly from slot 4" in asked.says
    (says,) = note.of_move()
    assert says.to(Audience("ABC")).endswith("after C plays g1 blindly from slot 4")
    assert HGroup(1).act(after.view(2), Stream(1)) == play(4)
    assert str(after.hands[2][4]) == "g1"
    for seat in (0, 1):
        told = seat_notes(before.view(seat), after.view(seat), 1).told
        assert told is not None
        assert not told.asks


def test_many_meanings_are_counted_and_alike_ones_are_one_phrase() -> None:
    """Number 4, on no card that can be played, asks for three blind plays in any color."""
    rules = Rules.hanab_live(2)
    before = Game.start(rules, rules.spec.shuffle(1, 1)).apply(hint_rank(1, 1))
    after = before.apply(hint_rank(0, 4))
    note = seat_notes(before.view(1), after.view(1), 2)
    assert note.told is not None
    (meaning,) = note.told.meanings
    (says,) = note.of_move()
    assert "r4, y4, g4, b4 or p4 (Double Prompt or Finesse)" in says
    assert says.to(Audience("AB")).endswith(
        "after A plays the cards before it blindly from slots 4, 3 and 0"
    )
    assert says.to(site("AB", before)).endswith("from cards 1, 2 and 5")
    many = replace(note, told=note.told._replace(meanings=(meaning,) * 5))
    assert next(many.of_move()).endswith(", and 2 other meanings")


def test_a_good_card_that_is_discarded_is_passed_on() -> None:
    """At level 3 a touched r1 that is discarded says that its other copy is in some hand."""
    rules = Rules.hanab_live(2)
    for deal in range(60):
        before = Game.start(rules, rules.spec.shuffle(3, deal))
        slots = [slot for slot, card in enumerate(before.hands[1]) if str(card) == "r1"]
        if slots:
            break
    before = before.apply(hint_color(1, 0))
    after = before.apply(discard(slots[0]))
    for level, says in ((3, "its other copy is in a hand, and must be kept"), (2, "played as")):
        assert says in seat_notes(before.view(0), after.view(0), level).remark


def test_a_known_card_named_again_asks_for_nothing() -> None:
    rules = Rules.hanab_live(2)
    game = Game.start(rules, rules.spec.shuffle(seed=5))
    for action in (hint_rank(1, 5), hint_rank(0, 1), hint_rank(1, 5)):
        before, game = game, game.apply(action)
    for level in (1, 2):
        note = seat_notes(before.view(1), game.view(1), level)
        assert note.told is not None
        assert note.told.meanings == ()
        (says,) = note.of_move()
        assert says.endswith("the only card that it touches: no convention gives it a meaning")


def test_two_readings_of_one_hint_are_a_slip_and_the_error_is_explained() -> None:
    """Cathy took Bob's y1 for chop-moved, and so his other 1 for the focus."""
    code = (
        "315musxgapfuvesprgwf-qxpumqiltbjkfonrhyla-vihkdkcwbncda,03lbag-wb1cahkaaesabmarafbn"
        "-wbaibsbaajxabbpa1bbt-aulbb1aq1bb3ocob,0"
    )
    positions = read_address(code, {}).by_rules
    hint, error = (move_notes(positions[at], positions[at + 1], 5) for at in (23, 25))
    assert [str(each.says) for each in hint.slips] == [
        "seat 1 takes another card than slot 4 for the focus"
    ]
    assert error.remark == "slot 1 was taken for g1"


def test_nobody_is_expected_to_move_after_the_end() -> None:
    game = Game.start(Rules.hanab_live(3), Rules.hanab_live(3).spec.shuffle(seed=4))
    while game.can_act:
        if game.turns_left is not None:
            seats = [each.seat for each in expected(game.view(0), 1)]
            assert len(seats) == game.turns_left - (0 in _next(game))
            assert set(seats) == set(_next(game)) - {0}
        elif not game.hints:
            next_seat = game.seat_to_act
            (mine, *_) = expected(game.view((next_seat + 1) % 3), 1)
            assert mine.seat == next_seat
            assert "hint" not in mine.says
        action = game.legal_actions[-1]
        game = game.apply(action if action.is_hint else discard(0))
    assert game.turns_left == 0


def _next(game: Game) -> list[int]:
    """Return the seats that have a turn left, in a last round."""
    return [(game.seat_to_act + away) % 3 for away in range(game.turns_left or 0)]


def test_what_they_do_not_cover_is_refused(positions: list[Game]) -> None:
    with pytest.raises(InvalidInputError, match="levels 1 to"):
        list(convention_notes(positions, 26))
    rules = Rules.hanab_live(3, variant="Orange (5 Suits)")
    with pytest.raises(InvalidInputError, match="hgroup"):
        list(convention_notes([Game.start(rules, rules.spec.shuffle(1))], 1))
