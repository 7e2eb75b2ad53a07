"""The convention player: hints that mean more than they say.

It is made for two seats, and plays at any table. In what everyone knows there are, for every card
in a hand, the cards that it can be. Slots count from the oldest; "newest" is the highest slot. A
hint first says what it says. If that shows a touched card to be playable, or never to be playable,
it means no more. Otherwise its lead, the newest card that it touches for the first time (or else
the newest that it touches), decides:

- A color calls a play: the first card from the lead to older ones, and round, that could be
  playable but is not known to be, is playable.
- A rank calls a play of its lead, if that is touched for the first time and all that it could be
  and is still needed is playable. A rank whose cards had all been hinted before calls as a color
  does.
- Any other rank calls a discard: the first card older than the lead of which no hint has said
  anything is not the last of its kind, and the next to be discarded. When all hint tokens are there
  it calls nothing, so that there is a hint that says no more than it says.

A player that has nothing to do discards its newest card without a hint: each card passes before
the other's eyes when it is drawn, and stays if it is worth a hint. What to hint is weighed by what
the other would then know to play, and would discard; hints that are not true by convention are
given only when there is nothing else.

Calls by position and the newest card as the next discard are ideas of the Sieve conventions of
hanab.live's players; the meanings here are other ones, chosen by trial. `hanabi.players.Endgame`
makes it search at the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from hanabi.errors import InvalidInputError
from hanabi.game.actions import Action
from hanabi.game.view import View
from hanabi.players.compiled import play_compiled
from hanabi.players.recall import recall
from hanabi.rng import Stream

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    import numpy.typing as npt

    from hanabi.game.config import Rules

    Words = npt.NDArray[np.int64]

__all__ = ["Convention"]

_POLICY = 3  # of kernels that switch between players

# Tenths of a play; tuned on deals of other seeds than those of the published results.
_WEIGHTS: Mapping[str, int] = MappingProxyType(
    {
        "PLAY_WORTH": 10,
        "FIRST_WORTH": 7,
        "TRASH_WORTH": 2,
        "KNOWING": 3,
        "HARM": 3,
        "HARM_CRITICAL": 6,
        "HARM_RANK": 1,
        "HARM_PLAYABLE": 5,
        "HARM_USEFUL": 4,
        "DANGER": 6,
        "HINT_FROM": 12,
        "HINT_A_TOKEN": 1,
        "HINT_A_PACE": 1,
        "HINT_LAST": 12,
        "SAVE_FROM": 8,
        "HINT_FIRST_TOKENS": 2,
        "HINT_FIRST_FROM": 20,
    }
)


@dataclass(frozen=True, slots=True)
class Convention:
    """Plays by conventions; see the module.

    Decisions are compiled; a game takes about 0.1 ms.

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

    >>> from hanabi.game import Game, Rules
    >>> rules = Rules.hanab_live(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> Convention().act(game.view(0), Stream(1)).is_hint
    True
    """

    plays: bool = True
    discards: bool = True
    saves: bool = True
    newest: bool = True

    def act(self, view: View, _: Stream, /) -> Action:
        """Return the action that the compiled player takes; nothing is left to chance.

        Raises
        ------
        InvalidInputError
            If the game is over, or the rules have more than 60 different cards.
        """
        import numpy as np

        from hanabi.players.convention.kernels import policy as convention

        options = self.policy(view.rules)
        rules, deck, state, memory = recall(view, options)
        room, unused = np.empty(convention.room_size(rules), np.int64), np.zeros(1, np.uint64)
        code = convention.decide(rules, deck, state, options, unused, memory, room)
        return Action.from_code(int(code))

    def play_deals(self, rules: Rules, seeds: tuple[int, int], first: int, games: int, /) -> Words:
        """Play deals in compiled code; see `hanabi.players.protocol.CompiledPlayer`.

        Raises
        ------
        InvalidInputError
            If the rules have more than 60 different cards.

        >>> from hanabi.game import Rules
        >>> Convention().play_deals(Rules.hanab_live(2), (1, 2), 0, 3).shape
        (3,)
        """
        from hanabi.players.convention.kernels.policy import play_games

        return play_compiled(play_games, rules, self.policy(rules), seeds, first, games)

    def policy(self, rules: Rules, /) -> Words:
        """Return the options of the compiled policy; never write to them.

        Raises
        ------
        InvalidInputError
            If the rules have more than 60 different cards.
        """
        return _pack_options(self, rules)


@lru_cache(maxsize=64)
def _pack_options(player: Convention, rules: Rules) -> Words:
    import numpy as np

    from hanabi.players.convention.kernels import hints as k
    from hanabi.players.convention.kernels.sets import MOST_CARDS

    if rules.colors * rules.ranks > MOST_CARDS:
        raise InvalidInputError(
            f"{rules.colors} colors of {rules.ranks} ranks are more than {MOST_CARDS} cards:"
            " too many for the convention player"
        )
    words = {getattr(k, name): weight for name, weight in _WEIGHTS.items()}
    words |= {
        k.POLICY: _POLICY,
        k.RANK_CALLS: player.plays,
        k.DISCARD_CALLS: player.discards,
        k.SAVES: player.saves,
        k.NEWEST: player.newest,
        k.OPEN_HANDS: rules.open_hands,
    }
    return np.array([words[word] for word in range(k.OPTIONS)], np.int64)
