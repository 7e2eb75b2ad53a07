"""What one seat may know."""

from __future__ import annotations

import pickle

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.rules import Knowledge, hint_color, play
from hanabi.rules.cards import Card
from oracles.tables import deal

DECK = "r1 y2 r2 y1 g1 g1"


def test_own_cards_and_the_deck_are_hidden() -> None:
    view = deal(DECK, seats=2, hand_size=2).apply(play(0)).view(0)
    assert view.hands == ((None, None), (Card(0, 2), Card(1, 1)))
    assert view.hand_indices == ((1, 4), (2, 3))
    # The card that was played has been seen.
    assert view.deck == (Card(0, 1), None, Card(0, 2), Card(1, 1), None, None)
    assert (view.seat, view.seat_to_act, view.is_to_act) == (0, 1, False)
    assert view.legal_actions == ()
    assert view.actions == (play(0),)


def test_the_seat_to_act_sees_what_it_can_do() -> None:
    game = deal(DECK, seats=2, hand_size=2, empty_hints=False)
    view = game.view(0)
    assert view.is_to_act
    assert view.legal_actions == game.legal_actions
    assert isinstance(game.legal_actions, tuple)
    with pytest.raises(AttributeError):
        game.legal_actions = ()  # type: ignore[misc]


def test_nobody_acts_when_the_game_is_over() -> None:
    view = deal("r1 r2", seats=2, hand_size=1, final_round=0).view(0)
    assert not view.is_to_act
    assert view.legal_actions == ()


def test_everyone_hears_hints() -> None:
    game = deal(DECK, seats=3, hand_size=1).apply(hint_color(1, 0))
    for seat in range(3):
        assert game.view(seat).knowledge[1] == (Knowledge((1, 2), (1, 2)),)


def test_hands_can_be_open() -> None:
    game = deal(DECK, seats=2, hand_size=2, open_hands=True)
    assert game.view(0).hands == game.hands
    assert game.view(0).deck[4:] == (None, None)


def test_the_score_of_a_bombed_game() -> None:
    game = deal("r1 r3 r2 r3", seats=2, hand_size=1, lives=1).apply(play(0)).apply(play(0))
    assert (game.view(0).score, game.view(0).piles) == (0, (1,))


def test_nothing_can_be_changed() -> None:
    game = deal(DECK, seats=2, hand_size=2)
    for table in (game, game.view(0)):
        for name in ("piles", "hands", "hints", "note"):
            with pytest.raises(AttributeError, match=name):
                setattr(table, name, ())
    game.view(0).unseen.clear()
    assert game.view(0).unseen.total() == 4


def test_what_was_asked_does_not_show() -> None:
    game = deal(DECK, seats=2, hand_size=2).apply(hint_color(1, 0))
    asked, fresh = game.view(1), game.view(1)
    assert all((asked.deck, asked.hands, asked.knowledge, asked.unseen, asked.legal_actions))
    assert (asked, hash(asked)) == (fresh, hash(fresh))
    again = pickle.loads(pickle.dumps(asked))
    assert (again, again.hands, again.legal_actions) == (fresh, fresh.hands, fresh.legal_actions)


def test_printing() -> None:
    view = deal(DECK, seats=2, hand_size=2).view(1)
    assert str(view).splitlines()[2:4] == ["seat 0    r1 y2", "seat 1    ?? ??"]
    assert repr(view) == "<View of seat 1, turn 0, score 0>"


@pytest.mark.parametrize("seat", [-1, 2])
def test_no_such_seat(seat: int) -> None:
    with pytest.raises(InvalidInputError, match=f"seat {seat} is not in 0 .. 1"):
        deal(DECK, seats=2, hand_size=2).view(seat)
