"""What a seat may do in its turn, and how a refusal is said."""

from __future__ import annotations

from hanabi.ground import IllegalActionError, InvalidInputError
from hanabi.rules.actions import Action
from hanabi.rules.telling import deed
from hanabi.rules.view import View
from hanabi.rules.words import Said, say

__all__ = ["check_action", "check_turn", "instead"]


def check_turn(view: View) -> None:
    """Raise InvalidInputError unless the viewing seat is the one to act.

    >>> from hanabi.rules import Game, Rules
    >>> rules = Rules.official(2)
    >>> check_turn(Game.start(rules, rules.spec.shuffle(seed=1)).view(1))
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: seat 0 is to act, not 1
    """
    if view.seat != view.seat_to_act:
        raise InvalidInputError(f"seat {view.seat_to_act} is to act, not {view.seat}")


def check_action(view: View, action: Action) -> None:
    """Raise an error unless an action is legal for the viewing seat, and it is the one to act.

    Raises
    ------
    InvalidInputError
        If another seat is to act.
    IllegalActionError
        If the action is not legal.

    >>> from hanabi.rules import Game, Rules, discard
    >>> rules = Rules.hanab_live(2)
    >>> check_action(Game.start(rules, rules.spec.shuffle(seed=1)).view(0), discard(0))
    Traceback (most recent call last):
    hanabi.ground.errors.IllegalActionError: discard slot 0 is not legal on turn 1
    """
    check_turn(view)
    if action not in view.legal_actions:
        raise IllegalActionError(f"{action} is not legal on turn {view.turn + 1}")


def instead(view: View, action: Action, reason: str) -> Said:
    """Return the sentence about an action that a player would not take, given the one it would.

    >>> from hanabi.rules import Game, Rules, play
    >>> view = Game.start(Rules.official(2), Rules.official(2).spec.shuffle(seed=1)).view(0)
    >>> print(instead(view, play(0), "certain to be playable"))
    would play slot 0 instead: certain to be playable
    """
    return say("would {} instead: {}", deed(view, action), reason)
