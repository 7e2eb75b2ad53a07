"""Public rule-based players: each takes the first rule of its list that applies [WaltonRivers2017].

The paper and its framework define IGGI, Piers, Flawed, Outer (after [Osawa2015]) and their reading
of the player of [Bergh2016], which differs from ours (`RuleBased`). These are written from the
description of the rules, with these readings:

- Slots are ours: the oldest card is the first. In the framework a new card takes the slot of the
  one that it replaces, as with `keep_slots`.
- A color or rank is known if hints leave no other, also by what they say about other cards.
- Probabilities count the cards that the seat does not see and that hints allow, each card by
  itself. Of equally likely cards the last slot counts.
- The framework never discards at full hints; here that is up to the rules of the table.
- If no rule applies, for which the framework has no answer or an error: a random card of the next
  seat is named by rank or color, else a random card is discarded, else any legal action is taken.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeAlias

from hanabi.rules import instead
from hanabi.rules import Action
from hanabi.players.compiled import PolicyPlayer, Thinking
from hanabi.rules import check_ranges, refuse_rules

if TYPE_CHECKING:
    from hanabi.rules import Rules
    from hanabi.players.rule_lists.kernels import RuleListPolicy

__all__ = ["Flawed", "Iggi", "Outer", "Piers", "RuleList", "Step", "VanDenBergh"]

_LARGEST_DENOMINATOR = 10**9


class Step(NamedTuple):
    """A rule of a list.

    Attributes
    ----------
    rule
        The rule, in words that explain its action.
    when
        When it may apply; "" for always.
    chance
        The probability from which a card is likely enough.
    """

    rule: str
    when: str = ""
    chance: float = 1.0


PLAY_KNOWN = "its color and rank are known, and it is playable"
PLAY_SAFE = "certain to be playable"
PLAY_LIKELY = "likely enough to be playable"
DISCARD_KNOWN = "known to be useless"
DISCARD_LIKELY = "likely enough to be useless"
DISCARD_OLDEST = "the card held longest"
DISCARD_ANY = "any discard, drawn at random"
TELL_USEFUL = "names the next playable card, not yet known"
TELL_NEXT_USEFUL = "names a playable card of the next seat, not yet known"
TELL_MISSING = "names the first card of the next seat that is not yet known"
TELL_DISPENSABLE = "shows that a card is played already"
TELL_USELESS = "names the next useless card, not yet known"
TELL_MOST = "names a new color or rank of the most cards"
TELL_ANY = "the rank or color of a card of the next seat, drawn at random"
_RULES = (
    PLAY_KNOWN,
    PLAY_SAFE,
    PLAY_LIKELY,
    DISCARD_KNOWN,
    DISCARD_LIKELY,
    DISCARD_OLDEST,
    DISCARD_ANY,
    TELL_USEFUL,
    TELL_NEXT_USEFUL,
    TELL_MISSING,
    TELL_DISPENSABLE,
    TELL_USELESS,
    TELL_MOST,
    TELL_ANY,
)
_WHEN = ("", "lives left", "last life", "lives left, deck empty", "fewer than 4 hint tokens")
_AT_LAST = (Step(TELL_ANY), Step(DISCARD_ANY))

Steps: TypeAlias = tuple[Step, ...]


class RuleList(PolicyPlayer):
    """The base class of players that take the first rule of a list that applies."""

    __slots__ = ()

    name: ClassVar[str]
    """The name in errors."""

    @property
    @abstractmethod
    def steps(self) -> Steps:
        """The rules, in order; what all players do at last comes after them."""

    def compiled(self, rules: Rules, /) -> RuleListPolicy:
        """Return the compiled policy.

        Raises
        ------
        InvalidInputError
            If the rules have open hands, or clues or piles unlike those of the plain game.

        >>> from hanabi.rules import Rules
        >>> Outer().compiled(Rules.hanab_live(2)).steps[:8].tolist()
        [1, 0, 1, 1, 3, 0, 1, 1]
        """
        import numpy as np

        from hanabi.players.rule_lists.kernels import RuleListPolicy

        refuse_rules(rules, self.name, unless=frozenset({"open_hands"}), needs_plain_clues=True)
        words = list[int]()
        for step in (*self.steps, *_AT_LAST):
            chance = Fraction(str(step.chance)).limit_denominator(_LARGEST_DENOMINATOR)
            words += [_RULES.index(step.rule), _WHEN.index(step.when), *chance.as_integer_ratio()]
        return RuleListPolicy(np.array(words, np.int64))

    def _explain(self, at: Thinking, action: Action) -> str:
        from hanabi.players.rule_lists.kernels import options

        n, step = options(at.policy, at.position, at.scratch)
        actions = [Action.from_code(code) for code in at.scratch[:n].tolist()]
        reason = "no rule applies" if step < 0 else (*self.steps, *_AT_LAST)[step].rule
        return reason if action in actions else instead(at.view, actions[0], reason)


@dataclass(frozen=True, slots=True)
class Iggi(RuleList):
    """The IGGI player: plays what is certain, and tells anyone about playable cards.

    >>> from hanabi.rules import Game, Rules
    >>> from hanabi.ground.rng import Stream
    >>> rules = Rules.hanab_live(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> print(Iggi().act(game.view(0), Stream(1)))
    hint 1 to seat 1
    """

    name: ClassVar[str] = "iggi"

    @property
    def steps(self) -> Steps:
        """The rules, in order."""
        return (
            Step(PLAY_KNOWN),
            Step(PLAY_SAFE),
            Step(TELL_USEFUL),
            Step(DISCARD_KNOWN),
            Step(DISCARD_OLDEST),
        )


@dataclass(frozen=True, slots=True)
class Piers(RuleList):
    """The Piers player: as IGGI, but it takes risks while it can, and shows dispensable cards.

    Attributes
    ----------
    play
        The probability of being playable from which it plays a card with lives left.

    Raises
    ------
    InvalidInputError
        If the probability is not in 0..1.

    >>> Piers().steps[0].when
    'lives left, deck empty'
    """

    play: float = 0.6

    name: ClassVar[str] = "piers"

    def __post_init__(self) -> None:
        check_ranges(self, play=(0, 1))

    @property
    def steps(self) -> Steps:
        """The rules, in order."""
        return (
            Step(PLAY_LIKELY, "lives left, deck empty", 0.0),
            Step(PLAY_SAFE),
            Step(PLAY_LIKELY, "lives left", self.play),
            Step(TELL_USEFUL),
            Step(TELL_DISPENSABLE, "fewer than 4 hint tokens"),
            Step(DISCARD_KNOWN),
            Step(DISCARD_OLDEST),
        )


@dataclass(frozen=True, slots=True)
class Flawed(RuleList):
    """The Flawed player: it plays likely cards too soon, and informs at random.

    Attributes
    ----------
    play
        The probability of being playable from which it plays a card.

    Raises
    ------
    InvalidInputError
        If the probability is not in 0..1.

    >>> [step.rule for step in Flawed().steps][:2]
    ['certain to be playable', 'likely enough to be playable']
    """

    play: float = 0.25

    name: ClassVar[str] = "flawed"

    def __post_init__(self) -> None:
        check_ranges(self, play=(0, 1))

    @property
    def steps(self) -> Steps:
        """The rules, in order."""
        return (
            Step(PLAY_SAFE),
            Step(PLAY_LIKELY, "", self.play),
            Step(TELL_ANY),
            Step(DISCARD_KNOWN),
            Step(DISCARD_OLDEST),
        )


@dataclass(frozen=True, slots=True)
class Outer(RuleList):
    """The outer-state player, which does not repeat what the next seat knows.

    >>> [step.rule for step in Outer().steps][-1]
    'names the first card of the next seat that is not yet known'
    """

    name: ClassVar[str] = "outer"

    @property
    def steps(self) -> Steps:
        """The rules, in order."""
        return (
            Step(PLAY_SAFE),
            Step(DISCARD_KNOWN),
            Step(TELL_NEXT_USEFUL),
            Step(TELL_MISSING),
        )


@dataclass(frozen=True, slots=True)
class VanDenBergh(RuleList):
    """Van den Bergh's player, as a framework of published players has it.

    It reads [Bergh2016] so; `RuleBased` is our reading. As for its other players, a color or rank
    that only follows by exclusion is known, and of equally likely cards the last one counts.

    Attributes
    ----------
    play
        The probability of being playable from which it plays a card with lives left.
    discard
        The probability of being useless from which it discards a card before it gives a hint.
    useless
        Whether it tells useless cards if there is no playable one. The framework's own agent does
        not.

    Raises
    ------
    InvalidInputError
        If a probability is not in 0..1.

    >>> len(VanDenBergh().steps), len(VanDenBergh(useless=False).steps)
    (7, 6)
    """

    play: float = 0.6
    discard: float = 1.0
    useless: bool = True

    name: ClassVar[str] = "van-den-bergh"

    def __post_init__(self) -> None:
        check_ranges(self, play=(0, 1), discard=(0, 1))

    @property
    def steps(self) -> Steps:
        """The rules, in order."""
        return (
            Step(PLAY_LIKELY, "lives left", self.play),
            Step(PLAY_SAFE, "last life"),
            Step(DISCARD_LIKELY, "", self.discard),
            Step(TELL_USEFUL),
            *[Step(TELL_USELESS)] * self.useless,
            Step(TELL_MOST),
            Step(DISCARD_LIKELY, "", 0.0),
        )
