"""The rule-based player of [Bergh2016, section 4].

On its turn it plays a card that is likely enough to be playable. Otherwise it discards one that is
likely enough to be useless, else it gives a hint, else it discards. The paper leaves much open.
Each choice is an option here, and the defaults are the reading that reproduces its Table 1. Erratum
E21: the paper calls w_h the probability of swapping the last two steps, but its results need the
probability of hinting first.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from hanabi.ground import counted
from hanabi.rules import instead
from hanabi.rules import Action, Kind, discard, play
from hanabi.rules import say
from hanabi.players.compiled import PolicyPlayer, Thinking
from hanabi.rules import check_ranges, refuse_rules

if TYPE_CHECKING:
    from hanabi.rules import Rules
    from hanabi.players.rule_based.kernels import RuleBasedPolicy

__all__ = ["RuleBased"]

_LARGEST_DENOMINATOR = 10**9


@dataclass(frozen=True, slots=True)
class RuleBased(PolicyPlayer):
    """Play likely cards, discard useless ones, else tell partners about theirs: rules of thumb.

    Probabilities are exact fractions: a float stands for the decimal number that it prints as.

    Attributes
    ----------
    hint
        Which hint to give. 1: any, at random. 2: the one that names a new color or rank of the most
        cards. 3: one about the next playable card that no hint has touched; else as 2. 4: as 3, but
        before 2 one about the next such card that is useless. "Next" goes from seat to seat, then
        from slot to slot; of equal hints the first counts, ranks before colors. A color or rank
        that only follows by exclusion of the others does not count as named.
    discard
        Which card to discard if there is no better action. 1: any, at random. 2: the one most
        likely to be useless. 3: the one held longest. 4: the one least likely to be the last of its
        kind. The last of a kind is the only copy neither played nor discarded, needed or not.
    play
        The probability of being playable from which a card is played, the paper's w_p.
    useless
        The probability of being useless from which a card is discarded before a hint is given, the
        paper's w_d.
    hinting
        The probability of hinting before discarding, the paper's w_h.
    safe
        Whether to play only certain cards when one more error would end the game.
    best
        Whether to take the most likely card beyond these thresholds, not the first.
    never
        Whether only cards that can never be played again are useless, not all that cannot be played
        now.
    negative
        Whether to use what hints say about the cards that they do not touch.
    rank
        Whether hint rules 3 and 4 name a card's rank, not its color.

    Raises
    ------
    InvalidInputError
        If a rule is not in 1..4 or a probability not in 0..1.

    >>> from hanabi.rules import Game, Rules
    >>> from hanabi.ground.rng import Stream
    >>> rules = Rules.bergh2016()
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> print(RuleBased(play=0.7).act(game.view(0), Stream(1)))
    hint 1 to seat 1
    """

    hint: int = 3
    discard: int = 2
    play: float = 0.6
    useless: float = 1.0
    hinting: float = 1.0
    safe: bool = True
    best: bool = False
    never: bool = True
    negative: bool = True
    rank: bool = True

    def __post_init__(self) -> None:
        check_ranges(self, hint=(1, 4), discard=(1, 4), play=(0, 1), useless=(0, 1), hinting=(0, 1))

    @property
    def draws_nothing(self) -> bool:
        """Whether it is deterministic: no choice is made at random."""
        return 1 not in (self.hint, self.discard) and _exact(self.hinting) in (0, 1)

    def _explain(self, at: Thinking, action: Action) -> str:
        first = at.view.legal_actions[:1]
        steps = self._steps(at) or [(first, "no rule applies")]
        for actions, reason in steps:
            if action in actions:
                return reason
        actions, reason = steps[0]
        return instead(at.view, actions[0], reason)

    def _steps(self, at: Thinking) -> list[tuple[tuple[Action, ...], str]]:
        """Return the steps that may be taken: actions, of which one is drawn, and the reason."""
        import numpy as np

        from hanabi.players.rule_based import kernels as k

        found = np.zeros(k.FINDINGS + at.view.rules.hand_size, np.int64)
        rng = np.zeros(1, np.uint64)
        k.explain(at.policy, at.position, rng, at.memory, at.scratch, found)
        to_play, useless, hint, meaning, other, *weights = found.tolist()

        def chance(slot: int, lane: int) -> Fraction:
            return Fraction(weights[slot] >> lane & k.LANE_BITS, weights[slot] & k.LANE_BITS)

        legal = at.view.legal_actions
        discards = tuple(each for each in legal if each.kind is Kind.DISCARD)
        if to_play >= 0:
            needed = Fraction(1) if self.safe and at.view.lives == 1 else _exact(self.play)
            reason = _likely("playable", chance(to_play, k.PLAYABLE), needed)
            return [((play(to_play),), reason)]
        if discards and useless >= 0:
            reason = _likely("useless", chance(useless, k.USELESS), _exact(self.useless))
            return [((discard(useless),), reason)]
        steps = list[tuple[tuple[Action, ...], str]]()
        hinting = _exact(self.hinting) if discards else Fraction(1)
        if hint >= 0 and hinting:
            if self.hint == 1:
                hints = tuple(each for each in legal if each.is_hint)
                steps.append((hints, say("any {hint}, drawn at random")))
            else:
                steps.append(((Action.from_code(hint),), _meaning(meaning)))
        if discards and (hint < 0 or hinting < 1):
            match self.discard:
                case 1:
                    reason = "any discard, drawn at random"
                case 2:
                    likely = "the card most likely to be useless"
                    reason = f"{likely}: chance {chance(other, k.USELESS)}"
                case 3:
                    reason = "the card held longest"
                case _:
                    likely = "the card most likely to have another copy left"
                    reason = f"{likely}: chance {chance(other, k.SPARE)}"
            steps.append((discards if self.discard == 1 else (discard(other),), reason))
        return steps

    def _check(self, rules: Rules) -> None:
        how = "" if self.negative else "with negative=no"
        refuse_rules(rules, "rule-based", how, needs_plain_clues=not self.negative)

    def compiled(self, rules: Rules, /) -> RuleBasedPolicy:
        """Return the compiled policy.

        Raises
        ------
        InvalidInputError
            If the player does not support the rules, or ignores negative information in a variant.
        """
        self._check(rules)
        import numpy as np

        from hanabi.players.rule_based import kernels as k
        from hanabi.players.rule_based.kernels import RuleBasedPolicy

        words = {
            k.HINT_RULE: self.hint,
            k.DISCARD_RULE: self.discard,
            k.SAFE: self.safe,
            k.PICK_BEST: self.best,
            k.NEVER_AGAIN: self.never,
            k.NEGATIVE: self.negative,
            k.TELL_RANK: self.rank,
        }
        fractions = {k.PLAY_FROM: self.play, k.USELESS_FROM: self.useless, k.HINTING: self.hinting}
        for word, probability in fractions.items():
            # The denominator's word comes next.
            words[word], words[word + 1] = _exact(probability).as_integer_ratio()
        return RuleBasedPolicy(np.array([words[word] for word in range(k.OPTIONS)], np.int64))


def _exact(probability: float) -> Fraction:
    return Fraction(str(probability)).limit_denominator(_LARGEST_DENOMINATOR)


def _likely(what: str, chance: Fraction, needed: Fraction) -> str:
    if chance == 1:
        return f"certain to be {what}"
    return f"{what} with chance {chance}, and {needed} is enough"


def _meaning(found: int) -> str:
    """Return the meaning of a hint in words, from what `kernels.find_hint` found."""
    from hanabi.players.rule_based import kernels as k

    if found == k.NAMES_PLAYABLE:
        return say("names the next playable card that no {hint} has touched")
    if found == k.NAMES_USELESS:
        return say("names the next useless card that no {hint} has touched")
    cards = counted(found, "card")
    return say("names a new color or rank of {}, the most of all {hints}", cards)
