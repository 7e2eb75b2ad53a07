"""The verifier names the first broken rule."""

from __future__ import annotations

import pickle

import pytest

from hanabi.ground.errors import IllegalActionError, InvalidInputError
from hanabi.solitaire import Instance, Play, find_broken_rule, verify_play
from hanabi.solitaire.play import n_played

INSTANCE = Instance(1, [(0, 2), (0, 1), (1, 1), (1, 2)])
WINNING = [(1, "store"), (2, "play"), (1, "play"), (3, "play"), (4, "play")]


def test_a_winning_play_breaks_no_rule() -> None:
    verify_play(INSTANCE, Play(WINNING))
    assert n_played(INSTANCE, Play(WINNING)) == 4


@pytest.mark.parametrize(
    ("moves", "move", "message"),
    [
        ([(1, "play")], 1, "does not follow 0"),
        ([(2, "play")], 1, "before card 1 has been drawn"),
        ([(0, "play")], 1, "position 0 is not in the stream"),
        ([(5, "play")], 1, "position 5 is not in the stream"),
        ([(1, "store"), (2, "store")], 2, "more than 1 card in hand"),
        ([(1, "store"), (1, "store")], 2, "stored already"),
        ([(1, "discard"), (1, "play")], 2, "not in hand"),
        ([(1, "store"), (1, "discard"), (1, "discard")], 3, "not in hand"),
        (WINNING[:-1], 5, "ends before y2 has been played"),
        ([], 1, "ends before r1"),
        ([(1, "store"), (2, "play"), (1, "play"), (2, "play")], 4, "not in hand"),
    ],
)
def test_the_first_broken_rule_is_named(
    moves: list[tuple[int, str]], move: int, message: str
) -> None:
    broken = find_broken_rule(INSTANCE, Play(moves))
    assert broken is not None
    assert broken.move == move
    assert message in broken.message
    with pytest.raises(IllegalActionError, match=f"move {move}"):
        verify_play(INSTANCE, Play(moves))


def test_n_played_counts_a_play_that_does_not_win_and_refuses_an_illegal_one() -> None:
    assert n_played(INSTANCE, Play(WINNING[:3])) == 2
    with pytest.raises(IllegalActionError, match="move 1"):
        n_played(INSTANCE, Play([(1, "play")]))


@pytest.mark.parametrize(
    "move", [(1, "keep"), (1,), ("a", "play"), (1.5, "play"), None, (2**40, 0)]
)
def test_malformed_moves_are_quoted(move: object) -> None:
    with pytest.raises(InvalidInputError, match="move 2: "):
        Play([(1, "store"), move])  # type: ignore[list-item]


def test_plays_are_values() -> None:
    play = Play(WINNING)
    assert play == Play(WINNING)
    assert hash(play) == hash(Play(WINNING))
    assert pickle.loads(pickle.dumps(play)) == play
    assert play.to_json()[0] == [1, "store"]
    assert Play(play) == play
