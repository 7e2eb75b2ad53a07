"""What a seat can conclude if it knows how its partners play.

:func:`weigh_hands` returns the seat's possible hands, weighed by the probability of what the others
did, for any player. :func:`seat_chances` returns the value of each action if everybody follows a
deterministic player: the seat's possible deals agree with the hints, with the player's conventions,
and with the others' decisions. All are equally likely. Each action is tried in each deal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hanabi.rules import Action
from hanabi.rules import View
from hanabi.players.partners.chances import MOST_DEALS, SeatChances, seat_chances
from hanabi.players.partners.weighing import ASKS, MOST_HANDS, Chancy, WeighedHands, weigh_hands
from hanabi.players.protocol import CompiledPlayer, Player, Policy
from hanabi.ground import Stream

if TYPE_CHECKING:
    from hanabi.rules import Rules

__all__ = [
    "ASKS",
    "MOST_DEALS",
    "MOST_HANDS",
    "Beside",
    "Chancy",
    "SeatChances",
    "WeighedHands",
    "seat_chances",
    "weigh_hands",
]


@dataclass(frozen=True, slots=True)
class Beside:
    """A player for the first seat, and another one for the rest of the table.

    Around it, a search with one searching seat is an approximate best response to the partner: it
    knows how all others decide, and continues by `player` itself. Only the whole team is compiled.

    Attributes
    ----------
    player
        The player of the first seat.
    partner
        The player of all other seats.

    >>> from hanabi.rules import Rules
    >>> from hanabi.players import Belief, RandomLegal, RuleBased, simulate
    >>> team = Belief(Beside(RuleBased(), RandomLegal()), worlds=10, seats=1, deals=1)
    >>> simulate(team, Rules.hanab_live(2), 1, seed=1).games
    1
    """

    player: Player
    partner: Player

    @property
    def draws_nothing(self) -> bool:
        """Whether both are deterministic."""
        return all(getattr(each, "draws_nothing", False) for each in (self.player, self.partner))

    def act(self, view: View, rng: Stream, /) -> Action:
        """Return the action of the player or, at another seat, of the partner."""
        return (self.player if view.seat == 0 else self.partner).act(view, rng)

    def compiled(self, rules: Rules, /) -> Policy | None:
        """Return the policy of the whole table, or None if one of them has none."""
        if not isinstance(self.player, CompiledPlayer):
            return None
        if not isinstance(self.partner, CompiledPlayer):
            return None
        first, rest = self.player.compiled(rules), self.partner.compiled(rules)
        if first is None or rest is None:
            return None
        from hanabi.players.kernels.games import Mixed

        return Mixed(1, first, rest)
