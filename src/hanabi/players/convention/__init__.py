"""The convention player: hints that mean more than they say.

It is made for two seats, and plays at any table. In what everyone knows there are, for every card
in a hand, the cards that it can be. Slots count from the oldest; "newest" is the highest slot. A
hint first says what it says. If that shows a touched card to be playable, or never to be playable,
it means no more. Otherwise its lead, the newest card that it touches for the first time (or else
the newest that it touches), decides:

- A color that touches a card for the first time calls a play: the first card from the lead to newer
  ones, and round, that no hint has ever touched and that could be playable is playable; if there is
  none, the first card in that order that could be playable but is not known to be.
- A rank calls a play of its lead, if that is touched for the first time and all that it could be
  and is still needed is playable.
- A hint whose cards had all been hinted before calls a play of the newest card that could be
  playable but is not known to be.
- Any other rank calls a discard: the first card older than the lead of which no hint has said
  anything is not the last of its kind, and the next to be discarded. It calls nothing if the lead
  is the newest card.

A rank that does not call its lead calls nothing while all hint tokens are there: then nobody may
discard, and there must be hints that say no more than they say. A card called to be discarded is
so no longer when a hint touches it.

A color tells of the cards that it touches and of another one. A player that has nothing to do
discards its newest card without a hint: each card passes before the other's eyes when it is drawn,
and stays if it is worth a hint. What to hint is weighed by what the other would then know to play,
and would discard; hints that are not true by convention are given only when there is nothing else.
With a life to spare it plays what is very likely playable, and, where turns run out, what may be.

Calls by position and the newest card as the next discard are ideas of the Sieve conventions of
hanab.live's players; the meanings here are other ones, chosen by trial. `hanabi.players.Endgame`
makes it search at the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from hanabi.game.actions import Action
from hanabi.game.view import View
from hanabi.players.compiled import decide
from hanabi.players.parameters import refuse_kinds, refuse_rules
from hanabi.rng import Stream

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hanabi.game.config import Rules
    from hanabi.players.convention.kernels.policy import ConventionPolicy

__all__ = ["Convention"]

# Twentieths of a play, about; tuned on deals of other seeds than those of the published results.
WEIGHTS: Mapping[str, int] = MappingProxyType(
    {
        "PLAY_WORTH": 22,
        "FIRST_WORTH": 14,
        "TRASH_WORTH": 1,
        "KNOWING": 6,
        "HARM": 6,
        "HARM_CRITICAL": 6,
        "HARM_RANK": 1,
        "HARM_PLAYABLE": 5,
        "HARM_USEFUL": 4,
        "DANGER": 6,
        "SAVE_FROM": 16,
        "HINT_FIRST_TOKENS": 2,
        "HINT_FIRST_FROM": 36,
        "RISK_FROM": 18,
        "LATE_RISK_FROM": 4,
        "LATE_HINT_FROM": 4,
    }
)
# What a hint must be worth to be better than a discard, with 0 .. 8 tokens and then, on top of it,
# by the pace, 0 .. 17.
TABLES: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {
        "HINT_FROM": (24, 48, 24, 16, 16, 14, 14, 9, 8),
        "BY_PACE": (-16, -16, -11, -10, -8, -3, -6, 0, 0, 2, 4, 6, 8, 13, 14, 14, 18, 21),
    }
)


@dataclass(frozen=True, slots=True)
class Convention:
    """Plays by conventions about what hints mean, for two seats.

    Decisions are compiled; a game takes about 0.06 ms.

    Attributes
    ----------
    plays
        Whether ranks call plays.
    discards
        Whether ranks call discards.
    saves
        Whether a hint comes before a play when the next seat would discard a card that matters.
    newest
        Whether the newest card without a hint goes first, not the oldest.
    aside
        Whether colors call cards that they do not touch, and hints given again the newest card;
        else all these call the first card from the lead to older ones, and round.
    draws_nothing
        True: it leaves nothing to chance.

    >>> from hanabi.game import Game, Rules
    >>> rules = Rules.hanab_live(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> Convention().act(game.view(0), Stream(1)).is_hint
    True
    """

    draws_nothing: ClassVar[bool] = True
    revision: ClassVar[int] = 2  # raised when its games change, so that stores do not mix them

    plays: bool = True
    discards: bool = True
    saves: bool = True
    newest: bool = True
    aside: bool = True

    def act(self, view: View, rng: Stream, /) -> Action:
        """Return the action that the compiled player takes; nothing is left to chance.

        Raises
        ------
        InvalidInputError
            If the game is over, or the rules have more than 60 different cards.
        """
        return decide(self.compiled(view.rules), view, rng)

    def compiled(self, rules: Rules, /) -> ConventionPolicy:
        """Return the compiled policy.

        Raises
        ------
        InvalidInputError
            If the rules have more than 60 different cards.
        """
        import numpy as np

        from hanabi.players.convention.kernels import hints as k
        from hanabi.players.convention.kernels.policy import ConventionPolicy

        refuse_rules(rules, "convention", unless=frozenset({"half_tokens"}), needs_plain_clues=True)
        refuse_kinds(rules, "convention", k.MOST_CARDS)
        words = {getattr(k, name): weight for name, weight in WEIGHTS.items()}
        for name, table in TABLES.items():
            words |= {getattr(k, name) + index: weight for index, weight in enumerate(table)}
        words |= {
            k.RANK_CALLS: self.plays,
            k.DISCARD_CALLS: self.discards,
            k.SAVES: self.saves,
            k.NEWEST: self.newest,
            k.ASIDE: self.aside,
        }
        return ConventionPolicy(np.array([words[word] for word in range(k.OPTIONS)], np.int64))
