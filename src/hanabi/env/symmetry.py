"""Symmetries of the game as arrays for observations, actions, masks and labels.

Exchanging colors turns a game into another one with the same rules, and so does exchanging slots
where a card keeps its slot. Other-play [Hu2020] trains each seat under its own random symmetry, so
that agents cannot agree on conventions that strangers would not find.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

import numpy as np
import numpy.typing as npt

from hanabi.env.labels import Labels
from hanabi.env.layout import KNOWLEDGE, Layout
from hanabi.ground import InvalidInputError, quote
from hanabi.rules import Deck

__all__ = ["Symmetry", "color_symmetries"]

_Index = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Symmetry:
    """A permutation of colors, and of slots, as a player sees it.

    Two arrays map values. They hold a number for each action or card of this game, the one in the
    permuted game: `actions[action]`, `cards[card]`. A label of -1, for no card, is none of them;
    `label` keeps it.

    Two arrays are indices. They hold, for each place in an array of the permuted game, the place in
    this game's array: `seen[..., observations]` for observations, `scores[..., masks]` for masks or
    anything else with an entry for each action. For an array with an entry for each card the index
    is `inverse.cards`. Each is the inverse of a map, so `masks[action]` also maps an action of the
    permuted game back.

    Parameters
    ----------
    layout
        The meaning of observation entries and action numbers.
    colors
        The color in the permuted game of each color; by default all stay.
    slots
        The slot in the permuted game of each slot, for every hand; by default all stay. Slots other
        than these require rules in which a card keeps its slot (`keep_slots`), and the permuted
        game is that of the permuted deck only until the deck is empty: hands close up then.

    Raises
    ------
    InvalidInputError
        If an argument is no permutation, colors are exchanged that have different cards, or slots
        are exchanged whose order shows which card is older.

    The colors go round: red becomes yellow, and yellow green. An environment that is dealt the
    permuted deck is the permuted game:

    >>> from hanabi.env import VectorEnv
    >>> env, other = VectorEnv(1, "hle", seed=1), VectorEnv(1, "hle")
    >>> step, turned = env.reset(), Symmetry(env.layout, colors=[1, 2, 4, 0, 3])
    >>> twin = other.reset(decks=[turned.deck(env.game(0).deck)])

    `observations` and `masks` are indices:

    >>> bool((step.observations[..., turned.observations] == twin.observations).all())
    True
    >>> bool((step.masks[..., turned.masks] == twin.masks).all())
    True

    `actions` and `cards` map numbers:

    >>> hint_red = 10
    >>> str(env.layout.action(turned.actions[hint_red], seat=0))
    'hint yellow to seat 1'
    >>> int(turned.masks[turned.actions[hint_red]]) == hint_red
    True
    >>> mine, theirs = env.labels(), other.labels()
    >>> bool((turned.cards[mine.cards] == theirs.cards).all())
    True
    >>> bool((mine.posteriors[..., turned.inverse.cards] == theirs.posteriors).all())
    True
    """

    layout: Layout
    colors: Sequence[int] | None = None
    slots: Sequence[int] | None = None

    def __post_init__(self) -> None:
        rules = self.layout.rules
        for name, size in (("colors", rules.colors), ("slots", rules.hand_size)):
            given = getattr(self, name)
            found = tuple(range(size)) if given is None else _permutation(name, given, size)
            object.__setattr__(self, name, found)
        for color, other in enumerate(self._colors):
            if rules.spec.copies[color] != rules.spec.copies[other]:
                raise InvalidInputError(
                    f"colors: {color} and {other} have different cards, so they are no symmetry"
                )
        if not rules.keep_slots and self._slots != tuple(range(rules.hand_size)):
            raise InvalidInputError(
                f"slots = {quote(self._slots)}: cards move down here, so their order shows their"
                " age; only rules with keep_slots = True have symmetric slots"
            )

    @property
    def _colors(self) -> tuple[int, ...]:
        return tuple(self.colors or ())

    @property
    def _slots(self) -> tuple[int, ...]:
        return tuple(self.slots or ())

    @cached_property
    def inverse(self) -> Symmetry:
        """The symmetry that undoes this one.

        >>> from hanabi.rules import Rules
        >>> turn = Symmetry(Layout(Rules.hle(2)), colors=[1, 2, 3, 4, 0])
        >>> turn.inverse.colors, bool((turn.actions[turn.inverse.actions] == range(20)).all())
        ((4, 0, 1, 2, 3), True)
        """
        colors, slots = (np.argsort(each).tolist() for each in (self._colors, self._slots))
        return Symmetry(self.layout, colors, slots)

    @cached_property
    def cards(self) -> _Index:
        """int64 (colors * ranks,): maps each card's number to that in the permuted game."""
        ranks = self.layout.rules.ranks
        first = np.repeat(np.array(self._colors) * ranks, ranks)
        return first + np.tile(np.arange(ranks), len(self._colors))

    @cached_property
    def actions(self) -> _Index:
        """int64 (actions,): maps each action's number to that in the permuted game."""
        rules = self.layout.rules
        size, seats, slots = rules.hand_size, rules.seats, np.array(self._slots)
        hints = np.arange(2 * size, self.layout.actions)
        n = (seats - 1) * rules.colors
        named = hints[:n].reshape(seats - 1, rules.colors)[:, list(self._colors)]
        return np.concatenate([slots, size + slots, named.ravel(), hints[n:]])

    @cached_property
    def masks(self) -> _Index:
        """int64 (actions,): an index, the action here behind each number of the permuted game.

        `step.masks[:, symmetry.masks]` are the masks of the permuted games.
        """
        return np.argsort(self.actions)

    @cached_property
    def observations(self) -> _Index:
        """int64 (size,): an index, the entry here behind each entry of the permuted game."""
        parts = [self._behind(each.name, each.start, each.stop) for each in self.layout.sections]
        return np.concatenate(parts)

    def _behind(self, name: str, start: int, stop: int) -> _Index:
        """Return the entries of this game behind the entries of a section."""
        rules, entries = self.layout.rules, np.arange(start, stop)
        kinds, colors, slots = (
            np.argsort(each) for each in (self.cards, self._colors, self._slots)
        )
        if name == "cards of the others":
            hands = entries.reshape(rules.seats - 1, rules.hand_size, -1)
            return hands[:, slots][:, :, kinds].ravel()
        if name in ("piles", "last action: card played or discarded"):
            return entries[kinds]
        if name == "discards":  # a thermometer for each card; permuted ones are as long
            copies = np.zeros(rules.colors * rules.ranks, np.int64)
            for color, row in enumerate(rules.spec.copies):
                copies[color * rules.ranks : color * rules.ranks + len(row)] = row
            rows = np.split(entries, copies.cumsum()[:-1])
            return np.concatenate([rows[kind] for kind in kinds])
        if name == "last action: color told":
            return entries[colors]
        if name in ("last action: slots touched", "last action: slot played or discarded"):
            return entries[slots]
        if name == KNOWLEDGE:
            hands = entries.reshape(rules.seats, rules.hand_size, -1)[:, slots]
            n = rules.colors * rules.ranks
            possible, told, rest = np.split(hands, [n, n + rules.colors], axis=2)
            return np.concatenate([possible[:, :, kinds], told[:, :, colors], rest], 2).ravel()
        return entries

    def observe(self, observations: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """Return observations (..., size) as the permuted game shows them."""
        return observations[..., self.observations]

    def label(self, labels: Labels) -> Labels:
        """Return labels as those of the permuted game."""
        slots = np.argsort(self._slots)
        cards = np.append(self.cards, -1).astype(np.int8)[labels.cards[..., slots]]
        kinds = np.argsort(self.cards)
        return Labels(cards, labels.posteriors[..., slots, :][..., kinds])

    def deck(self, deck: Iterable[tuple[int, int]]) -> Deck:
        """Return the deck with which the permuted game is dealt; it may be partial.

        >>> from hanabi.rules import Rules
        >>> exchanged = Symmetry(Layout(Rules.hle(2)), colors=[1, 0, 2, 3, 4])
        >>> [str(card) for card in exchanged.deck([(0, 3), (2, 1)])]
        ['y3', 'g1']
        """
        cards = [(self._colors[color], rank) for color, rank in deck]
        rules, dealt = self.layout.rules, list(cards)
        for seat in range(rules.seats):
            for slot, other in enumerate(self._slots):
                place, to = (seat * rules.hand_size + each for each in (slot, other))
                if max(place, to) < len(cards):
                    dealt[to] = cards[place]
        return Deck(dealt)


def color_symmetries(layout: Layout) -> list[Symmetry]:
    """Return all symmetries of the colors, the identity first: 120 with five equal colors.

    >>> from hanabi.rules import Rules
    >>> len(color_symmetries(Layout(Rules.hle(2))))
    120
    """
    copies = layout.rules.spec.copies
    return [
        Symmetry(layout, colors)
        for colors in permutations(range(len(copies)))
        if all(copies[color] == copies[other] for color, other in enumerate(colors))
    ]


def _permutation(name: str, given: Sequence[int], size: int) -> tuple[int, ...]:
    """Return an argument as a tuple after checking that it is a permutation."""
    try:
        found = tuple(given)
    except TypeError:
        found = ()
    if not all(isinstance(each, int | np.integer) for each in found) or sorted(found) != [
        *range(size)
    ]:
        raise InvalidInputError(f"{name} = {quote(given)} is no permutation of 0 .. {size - 1}")
    return tuple(map(int, found))
