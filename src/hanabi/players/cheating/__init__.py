"""A player that sees all hands, as a benchmark for players that do not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from hanabi.rules import instead
from hanabi.rules import Action
from hanabi.players.compiled import PolicyPlayer, Thinking
from hanabi.rules import need_open_hands, refuse_rules

if TYPE_CHECKING:
    from hanabi.rules import Rules
    from hanabi.players.cheating.kernels import CheatingPolicy

__all__ = ["Cheating"]


@dataclass(frozen=True, slots=True)
class Cheating(PolicyPlayer):
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
    >>> from hanabi.rules import Rules
    >>> from hanabi.players import simulate
    >>> rules = replace(Rules.hanab_live(3), open_hands=True)
    >>> simulate(Cheating(), rules, 200, seed=1).scored(rules).mean > 24.9
    True
    """

    needs_open_hands: ClassVar[bool] = True

    def compiled(self, rules: Rules, /) -> CheatingPolicy:
        """Return the compiled policy.

        Raises
        ------
        InvalidInputError
            If the rules hide the seats' own cards.
        """
        from hanabi.players.cheating.kernels import CheatingPolicy

        need_open_hands(rules, "cheating")
        refuse_rules(rules, "cheating")
        return CheatingPolicy()

    def _explain(self, at: Thinking, action: Action) -> str:
        from hanabi.players.cheating import kernels as k

        reasons = {
            k.PLAYABLE: "the playable card that others need most",
            k.NO_CARDS: "holds no card",
            k.NO_DISCARDS: "has no playable card, and may not discard",
            k.LAST_ROUND: "has no playable card in the last round",
            k.ALL_NEEDED: "has no playable card, and every card in hand is needed",
            k.NO_TIME: "has no playable card, and the deck has no draws to spare",
            k.DEAD: "can never be played again",
            k.TWICE: "twice in the hand",
            k.ELSEWHERE: "in another hand, too",
            k.SPARE: "the least needed card, with another copy left",
            k.LAST: "the least needed card, though the last of its kind",
        }
        own, reason = k.choose(at.position, at.scratch)
        chosen = Action.from_code(int(own))
        return reasons[reason] if chosen == action else instead(at.view, chosen, reasons[reason])
