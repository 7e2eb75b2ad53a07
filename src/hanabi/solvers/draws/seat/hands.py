"""The hands that a seat may hold. Cards that play alike are of one type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from hanabi.ground import InvalidInputError
from hanabi.rules import Action, Card, Packed, View, find_end, format_cards
from hanabi.rules import layout as k
from hanabi.solvers.draws.solver import dead_classes
from hanabi.worlds import Hidden

if TYPE_CHECKING:
    from hanabi.ground import Words

_Types = tuple[int, ...]
_Merged = dict[tuple[_Types, _Types], tuple[_Types, int]]


class Hands:
    """The hands that the seat may hold, in groups that play alike.

    Two cards that the seat does not see are of one *type* if they are the same card or can both
    never be played, and if the same slots may hold them. A hand is counted as its types.

    Parameters
    ----------
    view
        The view of the seat to act.
    known
        By slot, the cards that it may hold.
    among
        The only hands that count; None for all.
    apart
        Whether to tell all cards apart, as hints do.
    """

    def __init__(
        self,
        view: View,
        known: Mapping[int, Collection[Card]],
        among: Collection[Sequence[Card]] | None = None,
        *,
        apart: bool = False,
    ) -> None:
        self._known, self._among = known, among
        hidden = Hidden.of(view, known)
        self.view, self._slots, self.allowed = view, hidden.slots, hidden.allowed
        self.places = list(hidden.places[: len(hidden.slots)])
        types: dict[tuple[int, ...], list[Card]] = {}
        dead = dead_classes(view.rules, view)
        for card in sorted(view.unseen.elements()):
            number = card.color * view.rules.ranks + card.rank - 1
            sort = -1 - int(dead[number]) if view.is_dead(card) and not apart else number
            types.setdefault((sort, *(card in cards for cards in self.allowed)), []).append(card)
        self._sorts = [sort for sort, *_ in types]
        self._cards = list(types.values())
        self._fits = [
            [number for number, (_, *fits) in enumerate(types) if fits[place]]
            for place in range(len(self.places))
        ]
        self._ended: dict[tuple[int, ...], bool] = {}
        self._listed = None if among is None else self._list(among)
        self._whole = self._filled((), range(len(self.places)))
        self.weight = self._whole.total()
        if not self.weight:
            held = len(view.hand_indices[view.seat])
            what = "; ".join(
                f"card {held - slot} = {format_cards(sorted(cards))}"
                for slot, cards in known.items()
            )
            raise InvalidInputError(f"no deal fits what the seat knows {what}".rstrip())

    def apart(self) -> Hands:
        """Return the same hands, all cards told apart."""
        return Hands(self.view, self._known, self._among, apart=True)

    def _filled(self, first: _Types, places: Sequence[int]) -> Counter[_Types]:
        """Return the hands that begin with given types, as sorted types, and their numbers."""
        found = self._merged(first, places, lambda _: -1)
        return Counter({types: ways for (_, types), (_, ways) in found.items()})

    def _merged(self, first: _Types, places: Sequence[int], mark: Callable[[int], int]) -> _Merged:
        """Return the hands by the marks of the types in some places, and by all types, sorted.

        Of those that agree in both, one is returned, with the number of all. The other places, at
        most one, hold the types `first`.
        """
        found: _Merged = {((), first): (first, len(self._cards[first[0]]) if first else 1)}
        for place in places if self._listed is None else ():
            following: _Merged = {}
            for (marks, used), (hand, ways) in found.items():
                for number in self._fits[place]:
                    left = len(self._cards[number]) - used.count(number)
                    if left > 0:
                        key = (*marks, mark(number)), tuple(sorted((*used, number)))
                        one, before = following.get(key, ((*hand, number), 0))
                        following[key] = one, before + ways * left
            found = following
        if self._listed is not None:
            found = {}
            for types, ways in self._listed.items():
                others = tuple(each for place, each in enumerate(types) if place not in places)
                if others == first:
                    key = tuple(mark(types[place]) for place in places), tuple(sorted(types))
                    one, before = found.get(key, (types, 0))
                    found[key] = one, before + ways
        return {key: each for key, each in found.items() if not self._is_over(key[1])}

    def _list(self, among: Collection[Sequence[Card]]) -> dict[_Types, int]:
        """Return the given hands that fit, as types in slot order, and their numbers of deals."""
        number_of = {card: number for number, cards in enumerate(self._cards) for card in cards}
        unseen, found = self.view.unseen, Counter[_Types]()
        for hand in {tuple(hand) for hand in among}:
            types, left, ways = tuple(number_of.get(card, -1) for card in hand), unseen.copy(), 1
            fits = zip(types, self._fits, strict=True)
            if all(number in fitting for number, fitting in fits) and not self._is_over(types):
                for card in hand:
                    ways *= left[card]
                    left[card] -= 1
                found[types] += ways
        return dict(found)

    def _is_over(self, types: tuple[int, ...]) -> bool:
        """Whether the game would be over if the seat held this hand."""
        if self.view.deck_left:
            return False
        if types not in self._ended:
            rules, deck, state = self.view.packed
            deck = deck.copy()
            deck[self.places] = self.codes(types)[: len(self.places)]
            self._ended[types] = int(find_end(Packed(rules, deck, state))) != k.IN_PROGRESS
        return self._ended[types]

    def codes(self, types: tuple[int, ...]) -> list[int]:
        """Return the codes of a hand, in the order of its types, and then of the other cards."""
        used: Counter[int] = Counter()
        hand = []
        for number in types:
            hand.append(self._cards[number][used[number]])
            used[number] += 1
        rest = [card for number, cards in enumerate(self._cards) for card in cards[used[number] :]]
        return [card.color << 5 | card.rank for card in (*hand, *sorted(rest))]

    def place_of(self, action: Action) -> int:
        """Return the place of the hidden card that an action moves, from 0; -1 if there is none."""
        if action.is_hint or action.is_from_deck or action.target not in self._slots:
            return -1
        return self._slots.index(action.target)

    def groups(self, place: int) -> Counter[tuple[int, ...]]:
        """Return the hands that differ for an action that moves the card in a place, with numbers.

        The type of that card comes first. -1 is the place of no card.
        """
        if place < 0:
            return self._whole
        others = [each for each in range(len(self.places)) if each != place]
        found: Counter[tuple[int, ...]] = Counter()
        for number in self._fits[place]:
            for types, weight in self._filled((number,), others).items():
                rest = list(types)
                rest.remove(number)
                found[number, *rest] += weight
        return found

    def alike(self, action: Action) -> tuple[object, ...]:
        """Return what actions share that no plan needs to tell apart."""
        place = self.place_of(action)
        cards = self.allowed[place] if place >= 0 else None
        return *sort_of(action, self.view), cards

    def rows(self, *, merged: bool) -> tuple[Words, Words]:
        """Return all hands slot by slot, each with the deck's cards, and their numbers of deals.

        If `merged`, a row stands for all hands in which dead cards are in the same slots.
        """
        found = self._merged(
            (),
            range(len(self.places)),
            lambda number: -1 if merged and self._sorts[number] < 0 else number,
        )
        shapes: dict[_Types, tuple[_Types, int]] = {}
        for (shape, _), (hand, ways) in found.items():
            first, before = shapes.get(shape, (hand, 0))
            shapes[shape] = first, before + ways
        codes = [self.codes(hand) for hand, _ in shapes.values()]
        return np.array(codes, np.int64), np.array([ways for _, ways in shapes.values()], np.int64)

    def sorts(self, types: Sequence[int]) -> tuple[int, ...]:
        """Return what is played alike: the sorts of some cards, in order."""
        return tuple(sorted(self._sorts[number] for number in types))


def sort_of(action: Action, view: View) -> tuple[int, ...]:
    """Return what matters of an action beside the hidden card that it moves."""
    if not action.is_hint:
        is_seen = action.is_from_deck or view.hands[view.seat][action.target] is not None
        return action.kind, action.target if is_seen else -1
    variant = view.rules.variant
    return (action.kind,) if variant is not None and variant.alternating_clues else ()
