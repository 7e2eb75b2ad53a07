"""The rule-based player in plain Python, from views: a function for each step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from hanabi.ground.rng import Stream
from hanabi.players import RuleBased
from hanabi.rules import Action, Kind, View, discard, play
from hanabi.rules.cards import Card
from hanabi.rules.table import Knowledge

_KINDS = (Kind.HINT_COLOR, Kind.HINT_RANK)
_LARGEST_DENOMINATOR = 10**9

_Named: TypeAlias = set[tuple[int, Kind]]


class _Step(NamedTuple):
    """A step that is taken with a chance: its first action, or one of them drawn at random."""

    actions: tuple[Action, ...]
    chance: Fraction = Fraction(1)
    is_random: bool = False


@dataclass(frozen=True)
class SlowRuleBased:
    """Decides as a rule-based player does, and knows its chances."""

    player: RuleBased

    def chances(self, view: View, /) -> dict[Action, Fraction]:
        """Return the probability of each action that `act` may return."""
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

    def _steps(self, view: View) -> Iterator[_Step]:
        """Yield the steps that can have an action, until one surely has."""
        chances = Chances(view, negative=self.player.negative, never=self.player.never)
        is_last_life = self.player.safe and view.lives == 1
        needed = Fraction(1) if is_last_life else _exact(self.player.play)
        slot = self._find(chances.playable, needed)
        if slot is not None:
            yield _Step((play(slot),))
            return
        may_discard = discard(0) in view.legal_actions
        if may_discard:
            slot = self._find(chances.useless, _exact(self.player.useless))
            if slot is not None:
                yield _Step((discard(slot),))
                return
        hints = [action for action in view.legal_actions if action.is_hint]
        hinting = _exact(self.player.hinting) if may_discard else Fraction(1)
        if hints and hinting:
            yield self._choose_hint(view, hints)._replace(chance=hinting)
        if may_discard and (not hints or hinting < 1):
            yield self._choose_discard(view, chances)

    def _find(self, chances: tuple[Fraction, ...], needed: Fraction) -> int | None:
        enough = [slot for slot, chance in enumerate(chances) if chance >= needed]
        if not enough:
            return None
        return max(enough, key=chances.__getitem__) if self.player.best else enough[0]

    def _choose_discard(self, view: View, chances: Chances) -> _Step:
        indices = view.hand_indices[view.seat]
        match self.player.discard:
            case 1:
                return _Step(tuple(map(discard, range(len(indices)))), is_random=True)
            case 2:
                return _Step((discard(chances.useless.index(max(chances.useless))),))
            case 3:
                return _Step((discard(indices.index(min(indices))),))
        return _Step((discard(chances.spare.index(max(chances.spare))),))

    def _choose_hint(self, view: View, hints: list[Action]) -> _Step:
        if self.player.hint == 1:
            return _Step(tuple(hints), is_random=True)
        named = _find_named(view)
        if self.player.hint >= 3:
            for hint, is_playable, _ in self._hints_of_cards(view, named):
                if is_playable:
                    return _Step((hint,))
        if self.player.hint == 4:
            for hint, _, is_useless in self._hints_of_cards(view, named):
                if is_useless:
                    return _Step((hint,))
        hint = max(_in_order(view, hints), key=lambda hint: _count_told(view, named, hint))
        return _Step((hint,))

    def _hints_of_cards(self, view: View, named: _Named) -> Iterator[tuple[Action, bool, bool]]:
        """Yield a hint to each untouched card, with whether it is playable and whether useless."""
        for seat in _next_seats(view):
            for card, index in zip(view.hands[seat], view.hand_indices[seat], strict=True):
                if card is None or {(index, kind) for kind in _KINDS} & named:
                    continue
                hint = self._hint_of(view, seat, card)
                if hint is not None:
                    is_dead = _is_useless(view, card, never=self.player.never)
                    yield hint, view.is_playable(card), is_dead

    def _hint_of(self, view: View, seat: int, card: Card) -> Action | None:
        """Return the first hint to a card, of the preferred kind if possible."""
        clues = [
            clue
            for clue in view.rules.clues
            if view.rules.touches(clue, card) and clue.kind is not view.barred_kind
        ]
        wanted = Kind.HINT_RANK if self.player.rank else Kind.HINT_COLOR
        first = next((clue for clue in clues if clue.kind is wanted), clues[0] if clues else None)
        return None if first is None else first._replace(target=seat)


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


def _is_useless(view: View, card: Card, *, never: bool) -> bool:
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
        return _is_useless(view, card, never=never)
    return view.is_playable(card)


def _is_to_discard(view: View, card: Card, *, never: bool) -> bool:
    """Whether discarding a card is right, because it is useless or it is inverted and fits."""
    if view.rules.is_inverted(card):
        return view.is_playable(card)
    return _is_useless(view, card, never=never)


def _without_negative(view: View, known: Knowledge) -> Knowledge:
    colors, ranks, _ = known
    return Knowledge(
        colors if len(colors) == 1 else tuple(range(view.rules.colors)),
        ranks if len(ranks) == 1 else tuple(range(1, view.rules.ranks + 1)),
    )
