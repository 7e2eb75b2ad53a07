"""The rule-based player of [Bergh2016, section 4].

On its turn it plays a card that is likely enough to be playable. Otherwise it discards one that is
likely enough to be useless, else it gives a hint, else it discards. The paper leaves much open.
Each choice is an option here, and the defaults are the reading that reproduces its Table 1. Erratum
E21: the paper calls w_h the probability of swapping the last two steps, but its results need the
probability of hinting first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from hanabi.cards import Card
from hanabi.errors import counted
from hanabi.game.actions import Action, Kind, discard, play
from hanabi.game.table import Knowledge
from hanabi.game.view import View
from hanabi.game.words import say
from hanabi.players.compiled import check_action, instead
from hanabi.players.parameters import check_ranges, refuse_rules
from hanabi.rng import Stream

if TYPE_CHECKING:
    from hanabi.game.config import Rules
    from hanabi.players.rule_based.kernels import RuleBasedPolicy

__all__ = ["Chances", "RuleBased", "is_useless"]

_KINDS = (Kind.HINT_COLOR, Kind.HINT_RANK)
_LARGEST_DENOMINATOR = 10**9

_Named: TypeAlias = set[tuple[int, Kind]]


class _Step(NamedTuple):
    """A step that is taken with a chance: its first action, or one of them drawn at random."""

    actions: tuple[Action, ...]
    reason: str
    chance: Fraction = Fraction(1)
    is_random: bool = False


def _likely(what: str, chance: Fraction, needed: Fraction) -> str:
    if chance == 1:
        return f"certain to be {what}"
    return f"{what} with chance {chance}, and {needed} is enough"


@dataclass(frozen=True, slots=True)
class RuleBased:
    """Play likely cards, discard useless ones, hint otherwise: rules of thumb [Bergh2016].

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

    >>> from hanabi.game import Game, Rules
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

    def chances(self, view: View, /) -> dict[Action, Fraction]:
        """Return the probability of each action that `act` may return.

        >>> from hanabi.game import Game, Rules
        >>> rules = Rules.bergh2016(2)
        >>> view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
        >>> {str(action): str(chance) for action, chance in RuleBased().chances(view).items()}
        {'hint 1 to seat 1': '1'}
        """
        found, left = dict[Action, Fraction](), Fraction(1)
        for step in self._steps(view):
            actions = step.actions if step.is_random else step.actions[:1]
            for action in actions:
                found[action] = left * step.chance / len(actions)
            left *= 1 - step.chance
        if left:
            found[view.legal_actions[0]] = left
        return found

    def act(self, view: View, rng: Stream, /) -> Action:
        """Return the action of the first step that has one."""
        for step in self._steps(view):
            if _happens(rng, step.chance):
                actions = step.actions
                return actions[rng.below(len(actions))] if step.is_random else actions[0]
        return view.legal_actions[0]

    def why(self, view: View, action: Action, /) -> str:
        """Return the rule by which the player takes an action, in one sentence."""
        check_action(view, action)
        steps = list(self._steps(view))
        for step in steps:
            if action in step.actions:
                return step.reason
        if steps:
            return instead(view, steps[0].actions[0], steps[0].reason)
        first, reason = view.legal_actions[0], "no rule applies"
        return reason if action == first else instead(view, first, reason)

    def _steps(self, view: View) -> Iterator[_Step]:
        """Yield the steps that can have an action, until one surely has."""
        self._check(view.rules)
        chances = Chances(view, negative=self.negative, never=self.never)
        is_last_life = self.safe and view.lives == 1
        needed = Fraction(1) if is_last_life else _exact(self.play)
        slot = self._find(chances.playable, needed)
        if slot is not None:
            yield _Step((play(slot),), _likely("playable", chances.playable[slot], needed))
            return
        may_discard = discard(0) in view.legal_actions
        if may_discard:
            needed = _exact(self.useless)
            slot = self._find(chances.useless, needed)
            if slot is not None:
                yield _Step((discard(slot),), _likely("useless", chances.useless[slot], needed))
                return
        hints = [action for action in view.legal_actions if action.is_hint]
        hinting = _exact(self.hinting) if may_discard else Fraction(1)
        if hints and hinting:
            yield self._choose_hint(view, hints)._replace(chance=hinting)
        if may_discard and (not hints or hinting < 1):
            yield self._choose_discard(view, chances)

    def _find(self, chances: tuple[Fraction, ...], needed: Fraction) -> int | None:
        enough = [slot for slot, chance in enumerate(chances) if chance >= needed]
        if not enough:
            return None
        return max(enough, key=chances.__getitem__) if self.best else enough[0]

    def _choose_discard(self, view: View, chances: Chances) -> _Step:
        indices = view.hand_indices[view.seat]
        match self.discard:
            case 1:
                slots = tuple(map(discard, range(len(indices))))
                return _Step(slots, "any discard, drawn at random", is_random=True)
            case 2:
                slot = chances.useless.index(max(chances.useless))
                return _Step(
                    (discard(slot),),
                    f"the card most likely to be useless: chance {chances.useless[slot]}",
                )
            case 3:
                return _Step((discard(indices.index(min(indices))),), "the card held longest")
        slot = chances.spare.index(max(chances.spare))
        return _Step(
            (discard(slot),),
            f"the card most likely to have another copy left: chance {chances.spare[slot]}",
        )

    def _choose_hint(self, view: View, hints: list[Action]) -> _Step:
        if self.hint == 1:
            return _Step(tuple(hints), say("any {hint}, drawn at random"), is_random=True)
        named = _find_named(view)
        if self.hint >= 3:
            for hint, is_playable, _ in self._hints_of_cards(view, named):
                if is_playable:
                    reason = say("names the next playable card that no {hint} has touched")
                    return _Step((hint,), reason)
        if self.hint == 4:
            for hint, _, is_useless in self._hints_of_cards(view, named):
                if is_useless:
                    reason = say("names the next useless card that no {hint} has touched")
                    return _Step((hint,), reason)
        hint = max(_in_order(view, hints), key=lambda hint: _count_told(view, named, hint))
        cards = counted(_count_told(view, named, hint), "card")
        reason = say("names a new color or rank of {}, the most of all {hints}", cards)
        return _Step((hint,), reason)

    def _hints_of_cards(self, view: View, named: _Named) -> Iterator[tuple[Action, bool, bool]]:
        """Yield a hint to each untouched card, with whether it is playable and whether useless."""
        for seat in _next_seats(view):
            for card, index in zip(view.hands[seat], view.hand_indices[seat], strict=True):
                if card is None or {(index, kind) for kind in _KINDS} & named:
                    continue
                hint = self._hint_of(view, seat, card)
                if hint is not None:
                    yield hint, view.is_playable(card), is_useless(view, card, never=self.never)

    def _hint_of(self, view: View, seat: int, card: Card) -> Action | None:
        """Return the first hint to a card, of the preferred kind if possible."""
        clues = [
            clue
            for clue in view.rules.clues
            if view.rules.touches(clue, card) and clue.kind is not view.barred_kind
        ]
        wanted = Kind.HINT_RANK if self.rank else Kind.HINT_COLOR
        first = next((clue for clue in clues if clue.kind is wanted), clues[0] if clues else None)
        return None if first is None else first._replace(target=seat)

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


def _happens(rng: Stream, probability: Fraction) -> bool:
    """Return a random truth value; draw from the rng only if the outcome is uncertain."""
    chances, of = probability.as_integer_ratio()
    return chances == of or (chances > 0 and rng.below(of) < chances)


def _next_seats(view: View) -> list[int]:
    seats = view.rules.seats
    return [(view.seat + turn) % seats for turn in range(1, seats)]


def _in_order(view: View, hints: list[Action]) -> list[Action]:
    """Return the hints from the next seat on, ranks before colors."""
    seats = _next_seats(view)
    return sorted(
        hints, key=lambda hint: (seats.index(hint.target), hint.kind is Kind.HINT_COLOR, hint.value)
    )


def _find_named(view: View) -> _Named:
    """Return the cards in hands whose color a hint has named, and those whose rank."""
    named, drawn = set(), view.rules.seats * view.rules.hand_size
    for action in view.actions:
        if not action.is_hint:
            drawn += 1
            continue
        seat = action.target
        for card, index in zip(view.hands[seat], view.hand_indices[seat], strict=True):
            if card is not None and index < drawn and view.rules.touches(action, card):
                named.add((index, action.kind))
    return named


def _count_told(view: View, named: _Named, hint: Action) -> int:
    """Return the number of cards about which a hint is new."""
    cards = zip(view.hands[hint.target], view.hand_indices[hint.target], strict=True)
    return sum(
        card is not None and view.rules.touches(hint, card) and (index, hint.kind) not in named
        for card, index in cards
    )


# The chances of a seat's own cards, computed from the cards that it does not see.


def is_useless(view: View, card: Card, *, never: bool = True) -> bool:
    """Whether the card can never be played again or, with `never=False`, cannot be played now.

    >>> from hanabi.game import Game, Rules
    >>> rules = Rules.official(2)
    >>> view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
    >>> is_useless(view, Card(0, 2)), is_useless(view, Card(0, 2), never=False)
    (False, True)
    """
    return view.is_dead(card) if never else not view.is_playable(card)


@dataclass(frozen=True, slots=True, init=False)
class Chances:
    """The chances of every card in the viewing seat's hand.

    A card can be any that the seat does not see and that hints allow; with open hands, its identity
    is known. Each card is judged alone.

    Attributes
    ----------
    playable, useless, spare
        Chance, by slot, that the card can be played now, is useless, or has another copy that is
        neither played nor discarded.

    >>> from hanabi.game import Game, Rules
    >>> rules = Rules.official(2)
    >>> view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
    >>> Chances(view).playable[0], Chances(view).spare[0]
    (Fraction(14, 45), Fraction(8, 9))
    """

    playable: tuple[Fraction, ...]
    useless: tuple[Fraction, ...]
    spare: tuple[Fraction, ...]

    def __init__(self, view: View, *, negative: bool = True, never: bool = True) -> None:
        unseen = view.unseen
        allowed = []
        for card, known in zip(view.hands[view.seat], view.knowledge[view.seat], strict=True):
            heard = known if negative else _without_negative(view, known)
            allowed.append(
                Counter([card])
                if card is not None
                else Counter({each: n for each, n in unseen.items() if heard.is_possible(each)})
            )

        def chances(is_such: Callable[[Card], bool]) -> tuple[Fraction, ...]:
            return tuple(
                Fraction(sum(n for card, n in cards.items() if is_such(card)), cards.total())
                for cards in allowed
            )

        set_field = object.__setattr__
        set_field(self, "playable", chances(lambda card: _is_to_play(view, card, never=never)))
        set_field(self, "useless", chances(lambda card: _is_to_discard(view, card, never=never)))
        set_field(self, "spare", chances(lambda card: view.copies_left(card) > 1))


def _is_to_play(view: View, card: Card, *, never: bool) -> bool:
    """Whether playing a card is right, because it fits or it is inverted and useless."""
    if view.rules.is_inverted(card):
        return is_useless(view, card, never=never)
    return view.is_playable(card)


def _is_to_discard(view: View, card: Card, *, never: bool) -> bool:
    """Whether discarding a card is right, because it is useless or it is inverted and fits."""
    if view.rules.is_inverted(card):
        return view.is_playable(card)
    return is_useless(view, card, never=never)


def _without_negative(view: View, known: Knowledge) -> Knowledge:
    colors, ranks, _ = known
    return Knowledge(
        colors if len(colors) == 1 else tuple(range(view.rules.colors)),
        ranks if len(ranks) == 1 else tuple(range(1, view.rules.ranks + 1)),
    )
