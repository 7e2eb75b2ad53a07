"""A wrapper that makes any player search: it plays on in all deals that its seat cannot exclude.

While many cards are unseen, :class:`Endgame` does what its player does. Once the deals that agree
with all that the seat knows are few enough, it takes them all, and for each action lets everybody
go on by the player to the end: the average score is exact, given that everybody does. It takes the
action with the best average, or the player's own if none is better. Where the deals are too many,
it can take a fair sample of them instead; then an action must be better by some standard errors.

What the seat knows are the hints and what the player's conventions say. An action is left out if
the conventions would make it say what is not so: to the others everything still means what it did.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hanabi.errors import InvalidInputError, quote
from hanabi.game.actions import Action
from hanabi.game.view import View
from hanabi.players.compiled import decide
from hanabi.players.protocol import CompiledPlayer, Player
from hanabi.players.variants import refuse_rules
from hanabi.rng import Stream

if TYPE_CHECKING:
    from hanabi.game.config import Rules
    from hanabi.players.endgame.kernels.search import EndgamePolicy

__all__ = ["Endgame"]

_MOST_WORLDS = 1_000_000
_MOST_KINDS = 62  # sets of cards are bits of a word


@dataclass(frozen=True, slots=True)
class Endgame:
    """Plays like another player, and searches when little is unknown.

    A player with a compiled policy (`CompiledPlayer`) is searched in compiled code; any other is
    asked for every decision of every deal, which is slow.

    Attributes
    ----------
    player
        Who is improved, and how everybody is expected to go on.
    budget
        Most deals that are all looked at, 0 to 1,000,000.
    samples
        Deals drawn where there are more than that, 0 to 1,000,000; 0: then there is no search.
    deck
        Most cards left to draw when there is a search, at least 0.
    caution
        Standard errors by which an action must be better than the player's in drawn deals, from
        0 to 100.

    Raises
    ------
    InvalidInputError
        If a number is out of range.

    >>> from hanabi.game import Game, Rules
    >>> from hanabi.players import RuleBased
    >>> rules = Rules.bergh2016()
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> player = Endgame(RuleBased(), budget=50)
    >>> player.act(game.view(0), Stream(1)) == RuleBased().act(game.view(0), Stream(1))
    True
    """

    player: Player
    budget: int = 100
    samples: int = 0
    deck: int = 3
    caution: float = 2.0

    def __post_init__(self) -> None:
        for name, most in (
            ("budget", _MOST_WORLDS),
            ("samples", _MOST_WORLDS),
            ("deck", None),
            ("caution", 100),
        ):
            value = getattr(self, name)
            if not (value >= 0 and (most is None or value <= most)):  # nan, too
                limits = f"0 .. {most:,}" if most is not None else "0 or more"
                raise InvalidInputError(f"{name} = {quote(value)} is not {limits}")

    def act(self, view: View, rng: Stream, /) -> Action:
        """Return the action with the best average; `rng` gives the seed of the decision."""
        policy = self.compiled(view.rules)
        if policy is not None:
            return decide(policy, view, rng)
        from hanabi.players.endgame.plain import search_plainly

        return search_plainly(
            self.player, view, rng, (self.budget, self.samples, self.deck), self.caution
        )

    def compiled(self, rules: Rules, /) -> EndgamePolicy | None:
        """Return the compiled search with the player's policy, or None: it has none, or searches.

        Raises
        ------
        InvalidInputError
            If the rules have more than 62 different cards, or the player does not play by them.

        >>> from hanabi.game import Rules
        >>> from hanabi.players import RuleBased
        >>> Endgame(RuleBased(), budget=50).compiled(Rules.official(2)).limits.tolist()
        [50, 0, 3, 200]
        """
        refuse_rules(rules, "endgame")
        if isinstance(self.player, Endgame) or not isinstance(self.player, CompiledPlayer):
            return None
        inner = self.player.compiled(rules)
        if inner is None:
            return None
        import numpy as np

        from hanabi.players.endgame.kernels.search import EndgamePolicy

        if rules.colors * rules.ranks > _MOST_KINDS:
            raise InvalidInputError(
                f"{rules.colors * rules.ranks} kinds of cards are too many to search;"
                f" at most {_MOST_KINDS}"
            )
        deck = min(self.deck, rules.deck_size)
        words = [self.budget, self.samples, deck, round(100 * self.caution)]
        return EndgamePolicy(inner, np.array(words, np.int64))
