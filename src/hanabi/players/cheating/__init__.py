"""A player that sees all hands, as a benchmark for players that do not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from hanabi.errors import InvalidInputError
from hanabi.game.actions import Action
from hanabi.game.view import View
from hanabi.players.compiled import decide
from hanabi.players.parameters import refuse_rules
from hanabi.rng import Stream

if TYPE_CHECKING:
    from hanabi.game.config import Rules
    from hanabi.players.cheating.kernels import CheatingPolicy

__all__ = ["Cheating"]


@dataclass(frozen=True, slots=True)
class Cheating:
    """Play well with all hands face up, including its own, but without seeing the deck.

    The player needs `open_hands=True` in the rules, so that nobody mistakes it for a player of the
    real game. It plays a playable card if it has one. It prefers cards that no other seat holds,
    then cards that let others continue, then low ranks. Otherwise it discards an unneeded card
    (dead, or with a copy in some hand) if the deck has cards to spare, and hints if not. Without
    tokens it discards the least important card: spare copies before last ones, high ranks before
    low ones.

    Attributes
    ----------
    needs_open_hands
        Always True.

    >>> from dataclasses import replace
    >>> from hanabi.game import Rules
    >>> from hanabi.players import simulate
    >>> rules = replace(Rules.hanab_live(3), open_hands=True)
    >>> simulate(Cheating(), rules, 200, seed=1).scored(rules).mean > 24.9
    True
    """

    needs_open_hands: ClassVar[bool] = True

    def act(self, view: View, rng: Stream, /) -> Action:
        """Return the action for the seat to act.

        Raises
        ------
        InvalidInputError
            If the view hides the seat's own cards.
        """
        return decide(self.compiled(view.rules), view, rng)

    def compiled(self, rules: Rules, /) -> CheatingPolicy:
        """Return the compiled policy.

        Raises
        ------
        InvalidInputError
            If the rules hide the seats' own cards.
        """
        from hanabi.players.cheating.kernels import CheatingPolicy

        if not rules.open_hands:
            raise InvalidInputError(
                "the cheating player sees its own cards: it needs open_hands=True"
            )
        refuse_rules(rules, "cheating")
        return CheatingPolicy()
