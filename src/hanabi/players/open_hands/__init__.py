"""A player that sees all hands, but not the deck, and searches."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from hanabi.ground import counted
from hanabi.rules import instead
from hanabi.rules import Action
from hanabi.rules import deed
from hanabi.rules import say
from hanabi.players.cheating import Cheating
from hanabi.players.compiled import PolicyPlayer, Thinking, borrow
from hanabi.rules import check_ranges, need_open_hands
from hanabi.ground import Stream

if TYPE_CHECKING:
    from hanabi.rules import Rules
    from hanabi.players.open_hands.kernels import OpenPolicy

__all__ = ["OpenHands"]

_MOST_DECK = 15  # as `hanabi.solvers.draws.MOST_CARDS`


@dataclass(frozen=True, slots=True)
class OpenHands(PolicyPlayer):
    """Search with all hands face up, including its own, but without seeing the deck.

    The player needs `open_hands=True` in the rules. Towards the end it takes the action with the
    best chance of a perfect score (`hanabi.solvers.draws`), as long as the search is short enough.
    Before that, it draws decks and lets the `cheating` player finish the game in each after each
    action. Perfect scores count twice. It takes the best action if that is clearly better than the
    `cheating` player's own. Half of the actions are dropped after 16 decks, again after 32, and so
    on.

    Attributes
    ----------
    samples
        Number of decks to draw for a decision, 0 to 1,000,000; with 0 it acts as the `cheating`
        player does.
    deck
        Most cards left to draw for a search of the end, 0 to 15.
    positions
        Most positions of such a search, 1,000 to 100,000,000; if they do not suffice, it draws
        decks.
    caution
        Gain over the `cheating` player's action that is required in drawn decks, in standard errors
        from 0 to 100.
    needs_open_hands
        Always True.

    Raises
    ------
    InvalidInputError
        If a number is out of range.

    >>> from dataclasses import replace
    >>> from hanabi.rules import Rules
    >>> from hanabi.players import simulate
    >>> rules = replace(Rules.hanab_live(3), open_hands=True)
    >>> simulate(OpenHands(samples=16), rules, 20, seed=1).scored(rules).mean
    24.9
    """

    needs_open_hands: ClassVar[bool] = True
    revision: ClassVar[int] = 2  # raised when its games change, so that stores do not mix them

    samples: int = 256
    deck: int = 8
    positions: int = 20_000
    caution: float = 2.0

    def __post_init__(self) -> None:
        check_ranges(
            self,
            samples=(0, 1_000_000),
            deck=(0, _MOST_DECK),
            positions=(1_000, 100_000_000),
            caution=(0, 100),
        )

    def compiled(self, rules: Rules, /) -> OpenPolicy:
        """Return the compiled policy.

        Raises
        ------
        InvalidInputError
            If the rules hide the seats' own cards.
        SolverError
            If `hanabi.solvers.draws` does not support them.
        """
        import numpy as np

        from hanabi.solvers import check_rules, dead_classes, is_plain, orders_of, search_depth
        from hanabi.players.cheating.kernels import CheatingPolicy
        from hanabi.players.open_hands.kernels import OpenPolicy

        need_open_hands(rules, "open-hands")
        check_rules(rules)
        deck = min(self.deck, rules.deck_size)
        rows = 1 << (2 * self.positions - 1).bit_length()
        depth = search_depth(rules, deck)
        words = [deck, self.positions, rows, self.samples, depth, is_plain(rules)]
        words.append(round(100 * self.caution))
        return OpenPolicy(
            CheatingPolicy(), np.array(words, np.int64), dead_classes(rules), orders_of(deck)
        )

    def _explain(self, at: Thinking, action: Action) -> str:
        import numpy as np

        from hanabi.players.open_hands import kernels as k

        found = np.zeros(k.FINDINGS, np.int64)
        with borrow(Stream(0)) as rng:
            code = k.search(at.policy, at.position, rng, at.memory, at.scratch, found)
        chosen = Action.from_code(int(code))
        if found[k.HOW] == k.AS_INNER:
            return Cheating().why(at.view, action)
        if found[k.HOW] == k.EXACTLY:
            chance = Fraction(int(found[k.CHANCE]), int(found[k.OF]))
            reason = f"a perfect score with chance {chance}, the best of all actions"
            return reason if action == chosen else instead(at.view, chosen, reason)
        usual, decks = Action.from_code(int(found[k.OWN])), int(found[k.DECKS])
        gain = f"{found[k.GAIN] / decks:+.2f} in {counted(decks, 'drawn deck')}"
        if chosen == usual:
            why = Cheating().why(at.view, usual)
            reason = say("as cheating does ({}); the best gain is {}", why, gain)
        else:
            reason = say(
                "its gain over cheating's {} is {}, with perfect scores doubled",
                deed(at.view, usual),
                gain,
            )
        return reason if action == chosen else instead(at.view, chosen, reason)
