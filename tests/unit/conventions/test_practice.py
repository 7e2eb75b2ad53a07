"""Positions to practise: one right action, a true reason, and nothing that the seat cannot know."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hanabi.conventions import HGroup, slips
from hanabi.conventions.conventions import CHOP, CONVENTIONS, LEVELS
from hanabi.conventions.practice import Exercise, draw_exercise, exercise_of, exercises, mark
from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.rules import Game, Kind, Rules


@pytest.fixture(scope="module")
def drawn() -> list[tuple[tuple[Game, ...], Exercise]]:
    """Exercises of levels 1 and 3, with the positions up to them."""
    return [
        draw_exercise(level, 10, n)
        for level, first in ((1, 3), (3, 0))
        for n in range(first, first + 3)
    ]


def other_hands(game: Game, seat: int) -> Iterator[Game]:
    """Yield games that look the same to a seat, with other cards in its hand and in the deck."""
    view = game.view(seat)
    hidden = [index for index, card in enumerate(view.deck) if card is None]
    rules, stream, cards = game.rules, Stream(9), list(game.deck)
    for _ in range(200):
        one, other = (hidden[stream.below(len(hidden))] for _ in range(2))
        cards[one], cards[other] = cards[other], cards[one]
        again = Game.start(rules, cards)
        try:
            for action in game.actions:
                again = again.apply(action)
        except Exception:  # noqa: BLE001 - another game: it ended before
            again = Game.start(rules, cards)
        if again.turn == game.turn and again.view(seat) == view:
            yield again
        else:
            cards[one], cards[other] = cards[other], cards[one]


def test_the_right_action_is_the_players_and_keeps_the_conventions(
    drawn: list[tuple[tuple[Game, ...], Exercise]],
) -> None:
    for positions, found in drawn:
        assert positions[-1].view(found.view.seat) == found.view
        assert HGroup(level=found.level).act(found.view, Stream(1)) == found.action
        assert slips(found.view, found.action, found.level) == ()
        assert found.convention in CONVENTIONS
        assert found.convention.level <= found.level
        after = positions[-1].apply(found.action)
        assert after.lives == positions[-1].lives
        assert after.most_points == positions[-1].most_points
        if found.action.kind is Kind.PLAY:
            assert after.score == positions[-1].score + 1


def test_hidden_cards_do_not_matter(drawn: list[tuple[tuple[Game, ...], Exercise]]) -> None:
    n_others = 0
    for positions, found in drawn:
        for other, _ in zip(other_hands(positions[-1], found.view.seat), range(2), strict=False):
            n_others += other.deck != positions[-1].deck
            assert exercise_of(other.view(found.view.seat), found.level) == found
    assert n_others


def test_answers_are_marked(drawn: list[tuple[tuple[Game, ...], Exercise]]) -> None:
    for _, found in drawn:
        right = [each for each in found.view.legal_actions if mark(found, each).is_right]
        assert set(right) == {found.action, *found.also}
        assert mark(found, found.action).says == found.solution
        assert all(mark(found, each).says for each in found.view.legal_actions)


def test_a_level_favours_its_own_conventions_and_names_them() -> None:
    drawn = [draw_exercise(2, 7, number)[1] for number in range(4)]
    own = [found for found in drawn if found.convention.level == 2]
    assert len(own) >= 2
    for found in own:
        if found.action.kind is Kind.PLAY and not found.view.hinted_at[found.view.seat][-1]:
            assert "an earlier hint" not in found.solution


def test_the_chop_is_practised_while_there_is_a_choice(
    drawn: list[tuple[tuple[Game, ...], Exercise]],
) -> None:
    n_chosen = 0
    for positions, found in drawn:
        if found.convention is CHOP:
            others = [each for _, each in exercises(positions, found.level)]
            hints = [each.view.hints for each in others if each.convention is CHOP]
            assert (found.view.hints > 0) == any(hints)
            n_chosen += found.view.hints > 0 and 0 in hints
    assert n_chosen  # one without a choice was there to be drawn


def test_level_1_starts_with_openings() -> None:
    assert all(len(draw_exercise(1, 5, number)[0]) <= 6 for number in range(5))
    assert len(draw_exercise(1, 5, 5)[0]) > 6


def test_the_same_numbers_give_the_same_exercises() -> None:
    first, again = draw_exercise(2, 8), draw_exercise(2, 8)
    assert first == again
    assert draw_exercise(2, 9) != first


def test_a_game_given_has_them_too(drawn: list[tuple[tuple[Game, ...], Exercise]]) -> None:
    positions, found = drawn[0]
    assert (len(positions) - 1, found) in list(exercises(positions, found.level))


def test_what_is_not_there_is_refused() -> None:
    with pytest.raises(InvalidInputError, match=f"level: {LEVELS + 1}"):
        draw_exercise(LEVELS + 1, 1)
    with pytest.raises(InvalidInputError, match="seats: 7"):
        draw_exercise(1, 1, seats=7)
    rules = Rules.hanab_live(3, variant="Orange (5 Suits)")
    with pytest.raises(InvalidInputError, match="hgroup"):
        exercise_of(Game.start(rules, rules.spec.shuffle(1)).view(0), 1)
