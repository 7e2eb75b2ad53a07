"""A wrapper that searches, all game long, the deals consistent with the other seats' decisions.

A seat knows more about its hand than the hints say: it can exclude deals in which a partner would
have acted differently. :class:`Belief` draws deals that agree with hints and the player's
conventions, replays the game so far in each, and keeps those in which every other seat decides as
it did, or weighs them by the probability of what it did. In these it tries each action that the
others would not misread, and lets the player finish the game at every seat. It departs from the
player's own action only for one that is clearly better.

With one searching seat (`seats=1`) this is sound: the others follow the player and read the
searching seat's actions by its conventions, both in the play-outs and in the game. A partner that
searches does not always act as the player would. So a deal counts for less the more of the
partner's decisions differ (`slack`), and the required gain is larger while many cards are left to
draw (`margin`). If a bombed game scores 0, the search never risks the last life on a belief.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING, ClassVar, Self

from hanabi.rules import Deck
from hanabi.ground import InvalidInputError, counted, quote
from hanabi.rules import check_turn, instead
from hanabi.rules import Action
from hanabi.rules import deed
from hanabi.rules import View
from hanabi.rules import say
from hanabi.players.compiled import PolicyPlayer, Thinking, borrow, recall
from hanabi.rules import check_ranges, refuse_kinds, refuse_rules
from hanabi.players.protocol import CompiledPlayer, Player, Wrapper, name_of, why_of
from hanabi.ground import Stream

if TYPE_CHECKING:
    from hanabi.rules import Rules
    from hanabi.players.belief.kernels import BeliefPolicy

__all__ = ["Agreement", "Belief", "Beliefs", "draw_beliefs"]

_MOST_KINDS = 62  # sets of cards are bits of a word


@dataclass(frozen=True, slots=True)
class Belief(PolicyPlayer, Wrapper):
    """Improve another player by searching deals consistent with the others' decisions.

    The inner player must have a compiled policy. If it decides by chance, a deal weighs as much as
    the others' decisions are probable in it.

    Attributes
    ----------
    player
        The player to improve. Everybody is expected to follow it, and the others' decisions are
        compared with its own.
    worlds
        Number of deals to draw for a decision, 1 to 100,000.
    seats
        Number of seats that search, counted from the first; the others act as the player does. At
        least 0.
    slack
        The assumed probability, from 0 to 1, that a searching seat departs from the player's action
        as it did.
    margin
        Average gain in points over the player's own action that is required with the whole deck
        left to draw, from 0 to 100. It shrinks in proportion to the cards left.
    caution
        Required gain in standard errors, from 0 to 100.
    tries
        Maximum number of deals to examine for each one kept, 1 to 10,000.
    misread
        Whether to try actions that the others would misread, too. Not available with the
        information player, which treats every action as truthful.
    deals
        Maximum number of times to use each deal when actions are close, 1 to 1,000; each time the
        cards left to draw are in another order.
    asks
        How often to ask a player for a decision by chance if its policy does not know the
        probability (`chance` in `hanabi.players.kernels.policy`), 1 to 100,000. The estimate is
        (hits + 1/n) / (asks + 1), with n legal actions; with 1, a single answer counts as certain.
        A decision that draws nothing from the random stream is certain.

    Raises
    ------
    InvalidInputError
        If a number is out of range, or the player has no policy or cannot be misread.

    >>> from hanabi.rules import Game, Rules
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
    asks: int = 100

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
            asks=(1, 100_000),
        )
        if not isinstance(self.player, CompiledPlayer):
            raise InvalidInputError(self._no_policy)
        if self.misread and getattr(self.player, "needs_same_partners", False):
            raise InvalidInputError(
                f"misread = {quote(self.misread)}: {self._whom} treats every action as truthful"
            )

    @property
    def inner(self) -> Player:
        """The player to improve."""
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
            f"belief needs a compiled player, which {self._whom} is not: such a player declares"
            " compiled(rules), which returns a policy"
        )

    def compiled(self, rules: Rules, /) -> BeliefPolicy:
        """Return the compiled search with the player's policy.

        Raises
        ------
        InvalidInputError
            If the rules have more than 62 different cards, or the player does not support them or
            has no policy for them.

        >>> from hanabi.rules import Rules
        >>> from hanabi.players import Convention
        >>> Belief(Convention(), worlds=50).compiled(Rules.official(2)).limits.tolist()
        [50, 100, 2, 50, 15, 150, 0, 4, 100]
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
            self.asks,
        ]
        return BeliefPolicy(inner, np.array(words, np.int64))

    def _explain(self, at: Thinking, action: Action) -> str:
        import numpy as np

        from hanabi.players.belief.kernels import compare

        found = np.empty(4, np.int64)
        with borrow(Stream(0)) as rng:
            code = compare(at.policy, at.position, rng, at.memory, at.scratch, action.code, found)
        own, (worlds, agreement, own_points, points) = Action.from_code(int(code)), found.tolist()
        inner = why_of(self.player, at.view, own) or f"left to {name_of(self.player)}"
        if worlds == 0:
            return inner if action == own else instead(at.view, own, inner)
        fitting = "that fit" if agreement == Agreement.EXACT else "that roughly fit"
        deals = f"{counted(worlds, 'deal')} {fitting} the others' decisions"
        usual = say("{}; {:.2f} points on average in {}", inner, own_points / worlds, deals)
        if action == own:
            return usual
        if points < 0:
            asked = deed(at.view, action)
            reason = say("{}, and {} may be misread or lose the game", usual, asked)
            return instead(at.view, own, reason)
        average = "{:.2f} points on average in {}, after {} {:.2f}"
        return say(average, points / worlds, deals, deed(at.view, own), own_points / worlds)


# Belief states: deals in which the others would have acted as they did.


class Agreement(IntEnum):
    """How closely drawn deals agree with the others' decisions."""

    EXACT = 0
    """Seats that do not search would have acted as they did; for the others, `slack` counts."""

    RELAXED = 1
    """Too few deals agree, so mismatches make a deal less likely, but not impossible."""

    NONE = 2
    """No deal was found in reasonable time."""


@dataclass(frozen=True, slots=True)
class Beliefs:
    """A seat's belief state: deals that agree with what it knows.

    Attributes
    ----------
    decks
        Whole decks, with every card that the seat has seen in its place. A deck may occur twice.
    agreement
        How closely they agree with the others' decisions.
    """

    decks: tuple[Deck, ...]
    agreement: Agreement


def draw_beliefs(player: Belief, view: View, rng: Stream) -> Beliefs:
    """Return the deals that a player searches for the seat to act.

    Exact deals are drawn from those that agree with the hints, the inner player's conventions and
    the other seats' decisions: with equal probability if these were certain, or else in proportion
    to the probability of the decisions. The draws are independent if no other seat searches or
    decides by chance. If one does, likely hands may occur several times. The same stream yields the
    deals that `player.act` uses for its decision with that stream.

    Raises
    ------
    InvalidInputError
        If the game is over, or another seat is to act.

    >>> from hanabi.rules import Game, Rules
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

    from hanabi.ground import split, word
    from hanabi.rules import unpack_deck
    from hanabi.players.belief import kernels
    from hanabi.players.kernels import policy as policies
    from hanabi.players.kernels.trials import open_believed

    check_turn(view)
    policy = player.compiled(view.rules)
    position, memory = recall(view, policy)
    scratch = np.empty(policies.scratch_size(policy, position.rules), np.int64)
    hidden = open_believed(policy, position, memory)
    cards = np.empty((player.worlds, hidden.places.size), np.int64)
    learned = memory[: policies.memory_size(policy.inner, position.rules)].copy()
    with borrow(rng) as words:
        policies.decide(policy.inner, position, words, learned, scratch)  # draws come before
        own = split(words)
        word(own)  # the seed of the search
    n, agreement = kernels.draw_beliefs(policy, position, memory, hidden, own, scratch, cards)
    decks = []
    for row in cards[:n]:
        deck = position.deck.copy()
        deck[hidden.places] = row
        decks.append(unpack_deck(deck))
    return Beliefs(tuple(decks), Agreement(int(agreement)))
