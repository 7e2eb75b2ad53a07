"""The smart player, after SmartBot, a public player written by hand [SmartBot].

For each card in a hand, everyone keeps the set of cards that it can be. Hints remove cards from it,
and so does the meaning of actions. A card also goes if all its copies are played, discarded, or
known to be in other places. "Known" means known to everyone, "last" that no other copy is left of a
card that is still needed. Slots count from the oldest; the newest is the highest one.

A seat's *next discard* is the slot with the largest share of useless cards among those that it can
be, of equal ones the oldest. It is never a card known to be last. A seat with a card known to be
playable or useless has no next discard.

What actions mean:

- Each seat warns the next one before that would discard a last card. So any other action than a
  hint to it says that its next discard is not last, unless there was no hint token, or no card left
  to draw.
- A rank to the next seat is a warning if it touches the next discard, and that can be a last card
  of this rank, but need not be: it is last.
- Any other hint calls a play. It may show that a card is playable which was not known to be. If
  not, the newest touched card of which both was and is possible is playable.
- Only a rank to the previous seat that touches its oldest card calls nothing while nobody may
  discard.
- A seat that discards a card known to be playable sees the same card as the newest of just one
  other hand. A seat that sees it in no other hand has it.

The player takes the first of these that applies. About its own cards it also uses what it sees.

1. With no card left to draw: rule 4, then rule 6.
2. If the next seat would discard a last card, give the hint of rule 5 to that seat, or else warn it
   by the rank of that card.
3. Discard a card known to be playable and not last that just one other seat has as its newest.
4. Play a card that is certain to be playable: first one that the others do not know to be, then one
   of unknown rank, then the lowest.
5. Give the hint that removes the most possible cards, among those that call or show a playable card
   and would not be read as a warning. The first such hint counts: nearest seat, then colors, then
   ranks.
6. With at most one card left to draw, or three while three lives are left, play the card with the
   largest share of playable cards among those that it can be, of equal ones the newest.
7. If nobody may discard, hint the rank of the previous seat's oldest card.
8. Discard a certainly useless card, first the one of which the others know it least; or else the
   next discard; or else the card of the highest known rank.

With two seats the previous seat is the next one, so a rank that touches the oldest card calls
nothing while nobody may discard; rule 5 does not allow for that. SmartBot stops with an error if
hints contradict what was read in actions. Here such a card can then be whatever hints leave.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from hanabi.ground import counted
from hanabi.rules import instead
from hanabi.rules import Action
from hanabi.rules import say
from hanabi.players.compiled import PolicyPlayer, Thinking, slots_in
from hanabi.rules import check_ranges, refuse_kinds, refuse_rules

if TYPE_CHECKING:
    from hanabi.rules import Rules
    from hanabi.players.smart.kernels import SmartPolicy

__all__ = ["Smart"]

_MOST_KINDS = 62  # sets of cards are bits of a word


@dataclass(frozen=True, slots=True)
class Smart(PolicyPlayer):
    """Play by the conventions of SmartBot, which call for plays and warn of discards.

    Attributes
    ----------
    lives
        The fewest lives with which it plays a card that may not be playable, near the end. With 1
        it also risks the last life, as SmartBot does; a bombed game keeps its points there.
    needs_same_partners
        Always True: seats beside other players may understand a discard differently.
    draws_nothing
        Always True: the player is deterministic.

    Raises
    ------
    InvalidInputError
        If `lives` is not in 1..1,000,000.

    >>> from hanabi.rules import Game, Rules
    >>> from hanabi.ground.rng import Stream
    >>> rules = Rules.hanab_live(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> action = Smart().act(game.view(0), Stream(1))
    >>> print(action, "-", Smart().why(game.view(0), action))
    hint purple to seat 1 - calls slot 2 to be played
    """

    needs_same_partners: ClassVar[bool] = True
    draws_nothing: ClassVar[bool] = True

    lives: int = 1

    def __post_init__(self) -> None:
        check_ranges(self, lives=(1, 1_000_000))

    def compiled(self, rules: Rules, /) -> SmartPolicy:
        """Return the compiled policy.

        Raises
        ------
        InvalidInputError
            If the rules have open hands, clues or piles unlike those of the plain game, or more
            than 62 different cards.
        """
        from hanabi.players.smart.kernels import SmartPolicy

        refuse_rules(rules, "smart", unless=frozenset({"open_hands"}), needs_plain_clues=True)
        refuse_kinds(rules, "smart", _MOST_KINDS)
        return SmartPolicy(self.lives)

    def _explain(self, at: Thinking, action: Action) -> str:
        import numpy as np

        from hanabi.players.smart import kernels as k

        found = np.zeros(k.FINDINGS, np.int64)
        k.explain(at.policy, at.position, at.memory, action.code, at.scratch, found)
        words = found.tolist()
        chosen = Action.from_code(words[k.OWN])
        if chosen != action:
            return instead(at.view, chosen, self._explain(at, chosen))
        can_be, meaning = f"it can be {counted(words[k.OF], 'card')}", _meaning(words, action)
        match words[k.REASON]:
            case k.SURE:
                return "certain to be playable"
            case k.LATE:
                return f"few cards left to draw; {can_be}, {words[k.PLAYABLE_OF]} of them playable"
            case k.WARNING:
                return say("{}; otherwise the next seat would discard a last copy", meaning)
            case k.FINESSE:
                return "shows another seat that its newest card is the same playable one"
            case k.HINT:
                return meaning
            case k.STALL:
                return say("{}; nobody may discard", meaning)
            case k.USELESS:
                return "certain to be useless"
            case k.OLD:
                return f"the next discard; {can_be}, {words[k.DEAD_OF]} of them useless"
            case k.LEAST:
                return "all cards are known to be last copies, and none has a higher rank"
        return "nothing better is legal"


def _meaning(found: list[int], hint: Action) -> str:
    """Return the meaning of a hint in words, from what `kernels.explain` found."""
    from hanabi.players.smart import kernels as k

    slots = slots_in(hint.target, found[k.SLOTS])
    match found[k.MEANING]:
        case k.SHOWS:
            return say("shows {} to be playable", slots)
        case k.CALLS:
            return say("calls {} to be played", slots)
        case k.WARNS:
            return say("warns of discarding {}", slots)
    return "calls no card"
