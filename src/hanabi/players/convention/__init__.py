"""The convention player, whose hints mean more than they literally say.

It is made for two seats, but plays at any table. Public knowledge includes the possible identities
of every card in a hand. Slots count from the oldest; "newest" is the highest slot. A hint always
has its literal meaning. If that shows a touched card to be playable or dead, it means nothing more.
Otherwise its meaning depends on its lead, the newest card that it touches for the first time (or
else the newest that it touches). A call of a play says that the called card is playable.

- A color that touches a card for the first time calls a play. The order is from the lead to newer
cards, wrapping around. The called card is the first that no hint has ever touched and that could be
playable; if there is none, the first that could be playable but is not known to be.
- A rank calls a play of its lead, if that is touched for the first time and all its possible and
still needed identities are playable.
- A hint that touches only previously touched cards calls a play of the newest card that could be
playable but is not known to be.
- Any other rank calls a discard. The called card is the first one older than the lead about which
no hint has said anything. The call says that it is not the last of its kind, and that it is the
next to be discarded. The hint calls nothing if the lead is the newest card.

A rank that does not call its lead calls nothing while all hint tokens are available: then nobody
may discard, and some hints must have only their literal meaning. A hint that touches a card called
for discard cancels that call.

A color informs about the cards that it touches and about another one. A player with nothing better
to do discards its newest unhinted card: the partner sees each card when it is drawn, and hints it
if it is worth keeping. Hints are weighed by what the partner would then know to play and would
discard. Hints that break the conventions are a last resort. With a life to spare the player plays
cards that are very likely playable and, when turns run out, cards that may be.

Calls by position, and the newest card as the next discard, are ideas from the Sieve conventions of
hanab.live's players; the meanings here are different and were chosen by trial.
`hanabi.players.Endgame` makes it search at the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from hanabi.rules import instead
from hanabi.rules import Action
from hanabi.rules import say
from hanabi.players.compiled import PolicyPlayer, Thinking, slots_in
from hanabi.rules import refuse_kinds, refuse_rules

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hanabi.rules import Rules
    from hanabi.players.convention.kernels import ConventionPolicy

__all__ = ["Convention"]

# Weights in about twentieths of a play, tuned on other seeds than those of the published results.
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
# The least value of a hint that is better than a discard: by tokens, 0 .. 8, then the addition by
# pace, 0 .. 17.
TABLES: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {
        "HINT_FROM": (24, 48, 24, 16, 16, 14, 14, 9, 8),
        "BY_PACE": (-16, -16, -11, -10, -8, -3, -6, 0, 0, 2, 4, 6, 8, 13, 14, 14, 18, 21),
    }
)


@dataclass(frozen=True, slots=True)
class Convention(PolicyPlayer):
    """Play by conventions of its own, made for two seats.

    Decisions are compiled; a game takes about 0.06 ms.

    Attributes
    ----------
    plays
        Whether ranks call plays.
    discards
        Whether ranks call discards.
    saves
        Whether a hint comes before a play if the next seat would discard an important card.
    newest
        Whether to discard the newest unhinted card first, not the oldest.
    aside
        Whether colors call cards that they do not touch, and repeated hints call the newest card.
        Otherwise they all call the first card from the lead to older ones, wrapping around.
    draws_nothing
        Always True: the player is deterministic.

    >>> from hanabi.rules import Game, Rules
    >>> from hanabi.ground.rng import Stream
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

    def compiled(self, rules: Rules, /) -> ConventionPolicy:
        """Return the compiled policy.

        Raises
        ------
        InvalidInputError
            If the rules have more than 60 different cards.
        """
        import numpy as np

        from hanabi.players.convention import kernels as k
        from hanabi.players.convention.kernels import ConventionPolicy

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

    def _explain(self, at: Thinking, action: Action) -> str:
        import numpy as np

        from hanabi.players.convention import kernels as k

        found = np.zeros(k.FINDINGS, np.int64)
        k.explain(at.policy, at.position, at.memory, action.code, at.scratch, found)
        words = found.tolist()
        chosen = Action.from_code(words[k.OWN_ACTION])
        if chosen != action:
            return instead(at.view, chosen, self._explain(at, chosen))
        if action.is_hint:
            return say("{}; {}", _meaning(words, action), _HINTED[words[k.REASON]])
        chance = f"playable with chance {words[k.CHANCE] / 1000:.2f}"
        is_called = "called to be played" if words[k.MARKS] & k.TO_PLAY else ""
        match words[k.REASON]:
            case k.SURE:
                return is_called or "known to be playable"
            case k.RISK | k.LATE_RISK:
                late = ", and turns run out" if words[k.REASON] == k.LATE_RISK else ""
                return f"{chance}{late}"
            case k.FORCED:
                return say("may not discard, and no {hint} is left; {}", chance)
        if words[k.IS_DEAD]:
            return "known to be useless"
        if words[k.MARKS] & k.TO_DISCARD:
            return "called to be discarded"
        if not words[k.MARKS]:
            newest = "newest" if self.newest else "oldest"
            return say("the {} card that no {hint} has touched and that may be spared", newest)
        return "the least harmful discard"


# Reasons for hints, by the numbers of `kernels.SURE` and its followers.
_HINTED = {
    1: "otherwise the next seat would discard an important card",
    2: say("the next seat has nothing better to do, so the {hint} comes before a play"),
    3: "worth more than a discard",
}


def _meaning(found: list[int], hint: Action) -> str:
    """Return the meaning of a hint in words, from what `kernels.explain` found."""
    from hanabi.players.convention import kernels as k

    for word, what in (
        (k.CALLS_PLAY, "calls {} to be played"),
        (k.CALLS_DISCARD, "calls {} to be discarded"),
        (k.SHOWS_PLAYABLE, "shows {} to be playable"),
        (k.SHOWS_DEAD, "shows {} to be useless"),
    ):
        if found[word]:
            return say(what, slots_in(hint.target, found[word]))
    return "calls no card"
