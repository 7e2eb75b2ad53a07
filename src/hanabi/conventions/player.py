"""A player by the conventions of hanab.live's H-Group, level by level [HGroup].

It reads every hint as the guide says, keeps the knowledge of each seat apart, and judges each hint
that it could give by what every other seat would read in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock

from hanabi.conventions.choice import Option, options
from hanabi.conventions.conventions import LEVELS
from hanabi.conventions.explain import Told, expected, readings, slips, tell_hint, why_playable
from hanabi.conventions.following import Follower
from hanabi.conventions.table import Mind
from hanabi.ground import Stream
from hanabi.rules import Action, Kind, View, check_action, check_ranges, instead, say

__all__ = ["HGroup", "Told", "expected", "mind_of", "readings", "slips"]

_KEPT = 64  # every seat of a table, at several levels
_followers: dict[tuple[object, ...], Follower] = {}
_lock = Lock()


@dataclass(frozen=True, slots=True)
class HGroup:
    """Play by the conventions of hanab.live's H-Group up to a level.

    Attributes
    ----------
    level
        The highest level of the guide whose conventions it keeps, and expects others to keep.

    Raises
    ------
    InvalidInputError
        If there is no such level.

    >>> from hanabi.rules import Game, Rules
    >>> rules = Rules.hanab_live(3)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> HGroup().act(game.view(0), Stream(1)).is_hint
    True
    """

    level: int = 1

    def __post_init__(self) -> None:
        check_ranges(self, level=(1, LEVELS))

    @property
    def draws_nothing(self) -> bool:
        """That it is deterministic."""
        return True

    def act(self, view: View, _: Stream, /) -> Action:
        """Return the action of the highest worth."""
        return self._options(view)[0].action

    def ranked(self, view: View) -> tuple[Action, ...]:
        """Return all legal actions, the one of the highest worth first.

        >>> from hanabi.rules import Game, Rules
        >>> rules = Rules.hanab_live(3)
        >>> view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
        >>> HGroup().ranked(view)[0] == HGroup().act(view, Stream(1))
        True
        """
        return tuple(option.action for option in self._options(view))

    def why(self, view: View, action: Action, /) -> str:
        """Return why the player takes an action, in one sentence."""
        check_action(view, action)
        best, mind = self._options(view)[0], mind_of(view, self.level)
        reason, slot = best.reason, best.action.target
        if best.action.is_hint:
            reason = tell_hint(mind, best.action, list(map(list, view.hand_indices)))
        elif best.action.kind is Kind.PLAY:
            order = view.hand_indices[view.seat][slot]
            if order in mind.plays(view.seat) and not mind.is_sure(order):
                reason = say("{}: {}", reason, why_playable(view, order, slot, self.level)[1])
        return reason if best.action == action else instead(view, best.action, reason)

    def _options(self, view: View) -> list[Option]:
        slots = list(view.hand_indices[view.seat])
        return options(mind_of(view, self.level), slots, view.legal_actions)


def mind_of(view: View, level: int) -> Mind:
    """Return the state of a game after all events of a view, as a copy to work with.

    Followers of the latest views are cached, and continue if a view continues their events.
    """
    size = view.rules.hand_size
    seen = tuple(
        None if index // size == view.seat else view.deck[index]
        for index in range(view.rules.seats * size)
    )
    key = level, view.rules, view.seat, view.first_seat, seen
    events = view.events
    with _lock:
        follower = _followers.pop(key, None)
        if follower is None or tuple(follower.events) != events[: len(follower.events)]:
            follower = Follower(view, level)
        mind = follower.follow(view).copy()
        _followers[key] = follower
        while len(_followers) > _KEPT:
            del _followers[next(iter(_followers))]
    mind.seat = view.seat_to_act
    return mind
