"""The deals that a seat cannot exclude: one of them, all of them, draws, and how many there are.

A seat does not see its own hand, unless hands are open, nor the cards still to be drawn. A *world*
is one arrangement of these hidden cards, of which equal copies are not told apart: the hand in slot
order, then the deck. Each world stands for the same number of permutations of the copies, so worlds
are equally likely; a *hand* is not, and counts with the ways to deal it. Who asks differs in what
is known of the hand, and in what is done with the worlds:

=================  ==========================  =================================================
`complete_deck`    hints                       any world, by matching; it must only exist
`Endgame`          hints, and what the         all worlds in lexicographic order; a sample,
                   player's conventions say    drawn slot by slot, if they are too many
`Belief`           the same, and what the      hands drawn like that, weighed by the others'
                   others did                  decisions; the deck in any order
`weigh_hands`,     hints, what is given, and   hands with their ways, or drawn like that, weighed;
`seat_chances`     what the others did         for chances, all orders of the deck too
`MonteCarlo`,      hints                       a sample, drawn from the slot with the fewest
`Rollouts`, `Uct`                              choices on, with bounds that make redeals rare
`judge`            hints, and what is given    hands by number of deals, those that play alike
                                               merged
labels             hints, for any seat         the chance of each card in each slot, by counting
=================  ==========================  =================================================

:mod:`hanabi.worlds.kernels` is compiled, for decisions of compiled players. This module serves all
rules and players. Both list worlds in the same order and draw them with the same random numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from hanabi.ground import InvalidInputError, Stream, counted, quote
from hanabi.rules import Card, Deck, Game, Knowledge, View

if TYPE_CHECKING:
    from hanabi.worlds.kernels import deals

__all__ = ["Hidden", "arrange", "arrangements", "complete_deck", "fill_deck", "replayed"]

_TRIES = 4096  # draws for a world, as in the kernels
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Hidden:
    """The cards that a seat does not see.

    Attributes
    ----------
    view
        The seat's view.
    slots
        Its slots with a hidden card.
    places
        The places of the hidden cards in the deck: those of `slots`, then those still to be drawn.
    allowed
        For each of `slots`, the cards that it may hold.
    """

    view: View
    slots: tuple[int, ...]
    places: tuple[int, ...]
    allowed: tuple[frozenset[Card], ...]

    @classmethod
    def of(cls, view: View, known: Mapping[int, Collection[Card]] | None = None) -> Hidden:
        """Return what a seat does not see, by hints and, for some slots, the cards given.

        Raises
        ------
        InvalidInputError
            If `known` names a slot that is not there, or excludes a card that the seat sees.

        >>> from hanabi.rules import Rules, hint_rank
        >>> rules = Rules.official(2)
        >>> game = Game.start(rules, rules.spec.shuffle(seed=1)).apply(hint_rank(1, 3))
        >>> hidden = Hidden.of(game.view(1), {1: [Card(0, 3), Card(0, 4)]})
        >>> hidden.places[:6], hidden.allowed[1]
        ((5, 6, 7, 8, 9, 10), frozenset({Card(color=0, rank=3)}))
        """
        held, known = view.hand_indices[view.seat], known or {}
        for slot, cards in known.items():
            if not 0 <= slot < len(held):
                raise InvalidInputError(
                    f"slot {quote(slot)}: the seat holds {counted(len(held), 'card')}, from slot 0"
                )
            seen = view.deck[held[slot]]
            if seen is not None and seen not in cards:
                raise InvalidInputError(f"card {len(held) - slot} is {seen}, which the seat sees")
        unseen, drawn = view.unseen, view.rules.deck_size - view.deck_left
        slots = tuple(slot for slot, place in enumerate(held) if view.deck[place] is None)
        allowed = []
        for slot in slots:
            hints, given = view.knowledge[view.seat][slot], known.get(slot, unseen)
            allowed.append(frozenset(c for c in unseen if hints.is_possible(c) and c in given))
        places = *(held[slot] for slot in slots), *range(drawn, view.rules.deck_size)
        return cls(view, slots, places, tuple(allowed))

    def hands(self, most: int) -> list[tuple[tuple[Card, ...], int]] | None:
        """Return every hand, and the number of ways to deal it, or None if more than `most`.

        They are in order. Copies of a card are told apart in the numbers.

        >>> from hanabi.rules import Rules
        >>> rules = Rules.official(2)
        >>> hidden = Hidden.of(Game.start(rules, rules.spec.shuffle(seed=1)).view(0), {0: []})
        >>> hidden.hands(10)
        []
        """
        found = list(islice(arrangements(self.allowed, self.view.unseen), most + 1))
        return found if len(found) <= most else None

    def worlds(self, most: int) -> list[tuple[Card, ...]] | None:
        """Return every world, in order, or None if more than `most`.

        >>> from dataclasses import replace
        >>> from hanabi.rules.deck import DeckSpec
        >>> from hanabi.rules import Rules
        >>> spec = DeckSpec.uniform(colors=1, ranks=2, copies=2)
        >>> rules = replace(Rules.official(2), spec=spec, hand_size=1)
        >>> game = Game.start(rules, [Card(0, 1), Card(0, 2), Card(0, 2), Card(0, 1)])
        >>> len(Hidden.of(game.view(0)).worlds(10)), Hidden.of(game.view(0)).worlds(2)
        (3, None)
        """
        unseen = self.view.unseen
        every = [*self.allowed, *[unseen.keys()] * self.view.deck_left]
        found = [world for world, _ in islice(arrangements(every, unseen), most + 1)]
        return found if len(found) <= most else None

    def draw(self, rng: Stream) -> tuple[Card, ...] | None:
        """Draw a world uniformly; return None if none is found in reasonable time.

        >>> from hanabi.rules import Rules
        >>> rules = Rules.official(2)
        >>> hidden = Hidden.of(Game.start(rules, rules.spec.shuffle(seed=1)).view(0))
        >>> len(hidden.draw(Stream(1)))
        45
        """
        for _ in range(_TRIES):
            cards = sorted(self.view.unseen.elements())
            if arrange(cards, self.allowed, rng):
                return tuple(cards)
        return None

    def filled(self, hand: Sequence[Card]) -> list[Card]:
        """Return the world of a hand in which the cards still to be drawn are in order."""
        return [*hand, *sorted((self.view.unseen - Counter(hand)).elements())]

    def deck(self, world: Sequence[Card]) -> Deck:
        """Return the whole deck of a world."""
        deck = dict(enumerate(self.view.deck)) | dict(zip(self.places, world, strict=True))
        return Deck(card for card in deck.values() if card is not None)

    def packed(self) -> deals.Hidden:
        """Return the same for the kernels."""
        import numpy as np

        from hanabi.rules import pack_deck
        from hanabi.worlds.kernels.deals import Hidden

        cards = sorted(self.view.unseen.elements())
        fits = np.array([[card in each for card in cards] for each in self.allowed], np.bool_)
        fits = fits.reshape(len(self.allowed), len(cards))
        return Hidden(np.array(self.places, np.int64), pack_deck(cards), fits)


def arrangements(
    allowed: Sequence[Collection[Card]], unseen: Mapping[Card, int]
) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Yield the arrangements of cards in some places, in order, and the ways to lay each.

    >>> one, two = Card(0, 1), Card(0, 2)
    >>> for cards, ways in arrangements([{one}, {one, two}], {one: 3, two: 1}):
    ...     print(*cards, ways)
    r1 r1 6
    r1 r2 3
    """
    left, fitting = dict(unseen), [sorted(each) for each in allowed]

    def extend(laid: tuple[Card, ...], ways: int) -> Iterator[tuple[tuple[Card, ...], int]]:
        if len(laid) == len(fitting):
            yield laid, ways
            return
        for card in fitting[len(laid)]:
            if copies := left[card]:
                left[card] -= 1
                yield from extend((*laid, card), ways * copies)
                left[card] += 1

    return extend((), 1)


def arrange(cards: list[T], allowed: Sequence[Container[T]], rng: Stream) -> bool:
    """Put cards in random order, the first ones each in a place that allows it; say if this failed.

    Each place takes one of its possible cards. If earlier places have taken some of them, the
    attempt goes on with the probability that corrects for it. So the orders of attempts that end
    with True are equally likely.

    >>> cards = [3, 1, 2]
    >>> arrange(cards, [{2}], Stream(1)), cards[0]
    (True, 2)
    """
    for place, fitting in enumerate(allowed):
        n_fitting = sum(card in fitting for card in cards)
        left = [index for index in range(place, len(cards)) if cards[index] in fitting]
        if not left or rng.below(n_fitting) >= len(left):
            return False
        index = left[rng.below(len(left))]
        cards[place], cards[index] = cards[index], cards[place]
    cards[len(allowed) :] = rng.shuffled(cards[len(allowed) :])
    return True


def replayed(view: View, deck: Sequence[Card]) -> Game:
    """Return the game of a view with another deck.

    >>> from hanabi.rules import Rules, play
    >>> rules = Rules.official(2)
    >>> deck = rules.spec.shuffle(seed=1)
    >>> game = Game.start(rules, deck).apply(play(0))
    >>> replayed(game.view(1), deck) == game
    True
    """
    game = Game.start(view.rules, deck, first_seat=view.first_seat)
    for action in view.actions:
        game = game.apply(action)
    return game


# One world. The kernels need whole decks; hidden cards are filled in as hints allow.


def complete_deck(view: View) -> list[Card]:
    """Return the deck of a view, completed by a possible deal of its hidden cards.

    Those in the seat's hand agree with the hints. The same view always gives the same deck.

    >>> from hanabi.rules import Rules, hint_rank
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1)).apply(hint_rank(1, 3))
    >>> [card.rank == 3 for card in complete_deck(game.view(1))[5:10]]
    [True, True, False, False, False]
    """
    hand = zip(view.hand_indices[view.seat], view.knowledge[view.seat], strict=True)
    known = {place: told for place, told in hand if view.deck[place] is None}
    return fill_deck(view.deck, known, view.unseen)


def fill_deck(
    deck: Sequence[Card | None], known: Mapping[int, Knowledge], left: Counter[Card]
) -> list[Card]:
    """Return a deck with the cards that are left in its free places.

    The places of `known` get cards that are possible there, the others the rest in order.

    Raises
    ------
    InvalidInputError
        If no cards fit.

    >>> known = {0: Knowledge((0, 1), (1,)), 2: Knowledge((0,), (1,))}
    >>> deck = fill_deck([None, Card(0, 2), None], known, Counter([Card(0, 1), Card(1, 1)]))
    >>> print(*deck)
    y1 r2 r1
    """
    held: dict[int, Card] = {}
    if not all(_hold(place, known, left, held, set()) for place in known):
        raise InvalidInputError("no cards fit the observer's knowledge")
    rest = iter(sorted((left - Counter(held.values())).elements()))
    return [held.get(place) or card or next(rest) for place, card in enumerate(deck)]


def _hold(
    index: int,
    known: Mapping[int, Knowledge],
    left: Mapping[Card, int],
    held: dict[int, Card],
    tried: set[Card],
) -> bool:
    """Assign a card to a place, if necessary by reassigning another place."""
    for card, copies in sorted(left.items()):
        if copies == 0 or card in tried or not known[index].is_possible(card):
            continue
        tried.add(card)
        holders = [other for other, its in held.items() if its == card]
        if len(holders) < copies or any(
            _hold(other, known, left, held, tried) for other in holders
        ):
            held[index] = card
            return True
    return False
