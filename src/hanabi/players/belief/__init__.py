"""A wrapper that searches throughout the game, in deals that explain what the others did.

A seat knows more of its hand than the hints say: deals in which a partner would have acted
otherwise are excluded. :class:`Belief` draws deals that agree with hints and the player's
conventions, replays the game so far in each, and keeps those in which every other seat decides as
it did. In these it tries each action that the others would not misread, lets the player play on at
every seat to the end, and takes an action that is clearly better than the player's own.

With one seat that searches (`seats=1`) that is sound: the others follow the player, and read the
searching seat's actions by its conventions, in the play-outs as in the game. A partner that
searches does not always act as the player would. So a deal counts less, the more of the partner's
decisions differ (`slack`), and an action must be better by more while many cards are left to draw
(`margin`). Where a bombed game scores 0, the last life is never risked for a belief.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING, ClassVar, Self

from hanabi.deck import Deck
from hanabi.errors import InvalidInputError, quote
from hanabi.game.actions import Action
from hanabi.game.view import View
from hanabi.players.compiled import borrow, check_turn, decide, recall
from hanabi.players.parameters import check_ranges, refuse_kinds, refuse_rules
from hanabi.players.protocol import CompiledPlayer, Player, Wrapper, name_of
from hanabi.rng import Stream

if TYPE_CHECKING:
    from hanabi.game.config import Rules
    from hanabi.players.belief.kernels import BeliefPolicy

__all__ = ["Agreement", "Belief", "Beliefs", "draw_beliefs"]

_MOST_KINDS = 62  # sets of cards are bits of a word


@dataclass(frozen=True, slots=True)
class Belief(Wrapper):
    """Plays like another player, and searches deals that explain what the others did.

    The player must have a compiled policy and leave nothing to chance: its class declares
    `draws_nothing = True`, as those of the convention and the information player do.

    Attributes
    ----------
    player
        The player that is improved, that everybody is expected to follow, and that the others'
        decisions are compared with.
    worlds
        Deals to draw for a decision, 1 to 100,000.
    seats
        How many seats search, from the first; the others do what the player does. At least 0.
    slack
        The assumed probability, from 0 to 1, that a seat that searches acted as it did where the
        player would act otherwise.
    margin
        Points by which an action must be better than the player's own, on average, were all cards
        of the deck left to draw; in proportion to those that are. From 0 to 100.
    caution
        Standard errors by which it must be better, from 0 to 100.
    tries
        Most deals to examine for each one that is kept, 1 to 10,000.
    misread
        Whether actions that the others would misread are tried, too. Not with the information
        player, which takes every action for truthful.
    deals
        How often each deal is used at most where actions are close, 1 to 1,000; each time the cards
        left to draw are in another order.

    Raises
    ------
    InvalidInputError
        If a number is out of range, or the player has no policy, decides by chance, or cannot be
        misread.

    >>> from hanabi.game import Game, Rules
    >>> from hanabi.players import Convention
    >>> rules = Rules.hanab_live(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> player = Belief(Convention(), worlds=10)
    >>> player.act(game.view(0), Stream(1)) in game.legal_actions
    True
    """

    player: Player
    worlds: int = 300
    seats: int = 2
    slack: float = 0.05
    margin: float = 0.15
    caution: float = 1.5
    tries: int = 100
    misread: bool = False
    deals: int = 4

    revision: ClassVar[int] = 2  # raised when its games change, so that stores do not mix them

    def __post_init__(self) -> None:
        check_ranges(
            self,
            worlds=(1, 100_000),
            seats=(0, None),
            slack=(0, 1),
            margin=(0, 100),
            caution=(0, 100),
            tries=(1, 10_000),
            deals=(1, 1_000),
        )
        if not isinstance(self.player, CompiledPlayer):
            raise InvalidInputError(self._no_policy)
        if not getattr(self.player, "draws_nothing", False):
            raise InvalidInputError(
                f"belief asks what others would have done: {self._whom} may decide by chance;"
                " one that does not declares draws_nothing = True, and compiled(rules), which"
                " returns a policy"
            )
        if self.misread and getattr(self.player, "needs_same_partners", False):
            raise InvalidInputError(
                f"misread = {quote(self.misread)}: {self._whom} takes all that is done for truthful"
            )

    @property
    def inner(self) -> Player:
        """The player that is improved."""
        return self.player

    def around(self, player: Player, /) -> Self:
        """Return the same search around another player."""
        return replace(self, player=player)

    @property
    def _whom(self) -> str:
        return quote(name_of(self.player))

    @property
    def _no_policy(self) -> str:
        return (
            f"belief needs a compiled player, and {self._whom} is none: it declares"
            " compiled(rules), which returns a policy, and draws_nothing = True"
        )

    def act(self, view: View, rng: Stream, /) -> Action:
        """Return the action to take; `rng` gives the seed of the decision."""
        return decide(self.compiled(view.rules), view, rng)

    def compiled(self, rules: Rules, /) -> BeliefPolicy:
        """Return the compiled search with the player's policy.

        Raises
        ------
        InvalidInputError
            If the rules have more than 62 different cards, or the player does not play by them, or
            has no policy for them.

        >>> from hanabi.game import Rules
        >>> from hanabi.players import Convention
        >>> Belief(Convention(), worlds=50).compiled(Rules.official(2)).limits.tolist()
        [50, 100, 2, 50, 15, 150, 0, 4]
        """
        import numpy as np

        from hanabi.players.belief.kernels import SLACK_UNIT, BeliefPolicy

        refuse_rules(rules, "belief")
        refuse_kinds(rules, "belief", _MOST_KINDS)
        inner = self.player.compiled(rules) if isinstance(self.player, CompiledPlayer) else None
        if inner is None:
            raise InvalidInputError(self._no_policy)
        words = [
            self.worlds,
            self.tries,
            min(self.seats, rules.seats),
            round(SLACK_UNIT * self.slack),
            round(100 * self.margin),
            round(100 * self.caution),
            self.misread,
            self.deals,
        ]
        return BeliefPolicy(inner, np.array(words, np.int64))


# Belief states: deals in which the others would have acted as they did.


class Agreement(IntEnum):
    """How far drawn deals agree with what the others did."""

    EXACT = 0
    """In each, all seats that do not search would have acted so; those that do count by `slack`."""

    RELAXED = 1
    """Too few deals agree: mismatches make a deal less likely, but not impossible."""

    NONE = 2
    """No deal was found in reasonable time."""


@dataclass(frozen=True, slots=True)
class Beliefs:
    """Deals that a seat believes in.

    Attributes
    ----------
    decks
        Whole decks, the cards that the seat has seen being where they are. One may occur twice.
    agreement
        How far they agree with what the others did.
    """

    decks: tuple[Deck, ...]
    agreement: Agreement


def draw_beliefs(player: Belief, view: View, rng: Stream) -> Beliefs:
    """Return the deals in which a player searches for the seat to act.

    Those that are exact are draws from the deals that hints, the conventions of the improved
    player, and the decisions of the other seats leave, with equal probability: independent if no
    other seat searches. If one does, likely hands may come several times. The same stream gives the
    deals of the decision that `player.act` takes with it.

    Raises
    ------
    InvalidInputError
        If the game is over, or another seat is to act.

    >>> from hanabi.game import Game, Rules
    >>> from hanabi.players import Convention
    >>> rules = Rules.hanab_live(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> beliefs = draw_beliefs(Belief(Convention(), worlds=20), game.view(0), Stream(1))
    >>> len(beliefs.decks), beliefs.agreement.name
    (20, 'EXACT')
    >>> {deck[5:10] == game.deck[5:10] for deck in beliefs.decks}
    {True}
    """
    import numpy as np

    from hanabi.compiled.rng import split, word
    from hanabi.game.packing import unpack_deck
    from hanabi.players.belief import kernels
    from hanabi.players.kernels.policy import scratch_size

    check_turn(view)
    policy = player.compiled(view.rules)
    position, memory = recall(view, policy)
    scratch = np.empty(scratch_size(policy, position.rules), np.int64)
    places = np.array([i for i, card in enumerate(view.deck) if card is None], np.int64)
    cards = np.empty((player.worlds, places.size), np.int64)
    with borrow(rng) as words:
        own = split(words)
        word(own)  # the seed of the search
    n, agreement = kernels.draw_beliefs(policy, position, memory, places, own, scratch, cards)
    decks = []
    for row in cards[:n]:
        deck = position.deck.copy()
        deck[places] = row
        decks.append(unpack_deck(deck))
    return Beliefs(tuple(decks), Agreement(int(agreement)))
