"""A person's game with players of their own, which are asked with the care of `play_game`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hanabi.ground.errors import HanabiError, IllegalActionError, PlayerError
from hanabi.ground.rng import Stream
from hanabi.players import FirstLegal
from hanabi.rules import Action, Rules, View
from hanabi.shell.web.match import start_match


class Theirs:
    """A player of one's own that decides by a function of itself and the view."""

    def __init__(self, decide: Callable[[Theirs, View], Any]) -> None:
        self.decide, self.asked = decide, 0

    def act(self, view: View, _: Stream, /) -> Action:
        self.asked += 1
        action: Action = self.decide(self, view)
        return action


def last_but(player: Theirs, view: View) -> Action:
    """Return another action the second time that the same player is asked."""
    return view.legal_actions[-player.asked]


@pytest.mark.parametrize(
    ("decide", "kind", "message"),
    [
        (lambda *_: 1 / 0, PlayerError, "turn 2, seat 1: .*ZeroDivisionError"),
        (lambda *_: "play", IllegalActionError, "turn 2, seat 1: 'play' is not an action"),
        (last_but, PlayerError, "turn 4, seat 1: Theirs chose .*, and a fresh one chose"),
    ],
    ids=["fails", "no action", "remembers"],
)
def test_a_player_that_fails_or_remembers_is_refused_by_turn(
    decide: Callable[[Theirs, View], Any], kind: type[HanabiError], message: str
) -> None:
    match = start_match([None, Theirs(decide)], Rules.hanab_live(2), seed=1)

    def go_on() -> None:
        match.act(match.view.legal_actions[0]).act(match.view.legal_actions[0])

    with pytest.raises(kind, match=message):
        go_on()


def test_a_player_that_keeps_nothing_is_asked_as_the_others_are() -> None:
    ends = []
    for player in (Theirs(lambda _, view: view.legal_actions[0]), FirstLegal()):
        match = start_match([None, player], Rules.hanab_live(2), seed=1)
        while not match.is_over:
            match = match.act(match.view.legal_actions[-1])
        ends.append(match.game.actions)
    assert ends[0] == ends[1]
