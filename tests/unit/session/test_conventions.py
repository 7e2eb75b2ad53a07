"""Games by conventions: true of what their players meant, and silent on what a seat cannot know."""

from __future__ import annotations

import pytest

from hanabi.errors import InvalidInputError
from hanabi.game import Game, Rules, discard
from hanabi.players.hgroup import HGroup, expected, readings, slips
from hanabi.rng import Stream
from hanabi.session.conventions import ConventionNotes, convention_notes
from unit.players.test_practice import other_hands

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
    assert all("seat" not in text for each in notes for text in each.sentences("ABC"))


def test_a_slip_is_named(positions: list[Game]) -> None:
    _, note = convention_notes([*positions[:2], positions[1].apply(discard(3))], LEVEL)
    assert [each.convention.name for each in note.slips] == ["The Chop"]
    assert next(note.sentences("ABC")).startswith("perhaps a slip: slot 3 is not the chop")


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


def test_what_they_do_not_cover_is_refused(positions: list[Game]) -> None:
    with pytest.raises(InvalidInputError, match="levels 1 to"):
        list(convention_notes(positions, 9))
    rules = Rules.hanab_live(3, variant="Rainbow (5 Suits)")
    with pytest.raises(InvalidInputError, match="hgroup"):
        list(convention_notes([Game.start(rules, rules.spec.shuffle(1))], 1))
