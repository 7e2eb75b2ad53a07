import pytest

from hanabi import DeckSpec
from hanabi.ground.errors import InvalidInputError, SolverError
from hanabi.rules import Game, Rules, discard, play
from hanabi.solvers.winnable import Position, solve

SMALL = Rules(spec=DeckSpec(((1, 1), (1, 1))), seats=2, hand_size=1, final_round=None)
DECK = [(0, 1), (0, 2), (1, 1), (1, 2)]


def test_position_of_a_game_in_progress() -> None:
    game = Game.start(SMALL, DECK).apply(play(0))
    position = Position.of_game(game)
    assert position.piles == (1, 0)
    assert position.hands == ((2,), (1,))
    assert (position.drawn, position.seat, position.turns_left, position.score) == (3, 1, None, 1)


def test_goals_are_all_ways_to_have_the_points() -> None:
    position = Position.of_game(Game.start(SMALL, DECK).apply(play(0)))
    assert list(position.goals(4)) == [(2, 2)]
    assert list(position.goals(3)) == [(2, 1), (1, 2)]
    assert list(position.goals(1)) == [(1, 0)]
    assert list(position.goals(0)) == []
    assert list(position.goals(5)) == []


def test_a_lost_game_has_no_position() -> None:
    rules = Rules(spec=DeckSpec(((1, 1),)), seats=1, hand_size=1, lives=1)
    game = Game.start(rules, [(0, 2), (0, 1)]).apply(play(0))
    with pytest.raises(InvalidInputError, match="bombed"):
        Position.of_game(game)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (Rules(spec=DeckSpec.uniform(8, 8, 1), seats=2, hand_size=2), "types of cards"),
        (Rules(spec=DeckSpec(((300,),)), seats=2, hand_size=2), "300 cards"),
        (Rules(spec=DeckSpec(((9,),)), seats=2, hand_size=2, hints=300), "300 hints"),
        (Rules(spec=DeckSpec(((9,),)), seats=2, hand_size=2, deck_plays=True), "deck_plays = True"),
    ],
)
def test_rules_out_of_reach_are_refused(rules: Rules, message: str) -> None:
    with pytest.raises(SolverError, match=message):
        solve(rules.spec.shuffle(seed=1), rules)


def test_points_out_of_range_are_refused() -> None:
    with pytest.raises(SolverError, match="5 points"):
        solve(DECK, SMALL, points=5)


def test_discards_leave_their_trace() -> None:
    rules = Rules(spec=DeckSpec(((2, 1),)), seats=1, hand_size=1, discard_at_full_hints=True)
    game = Game.start(rules, [(0, 2), (0, 1), (0, 1)]).apply(discard(0))
    assert list(Position.of_game(game).goals(2)) == [(2,)]
    assert solve([(0, 2), (0, 1), (0, 1)], rules).is_winnable is False
