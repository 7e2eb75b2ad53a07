"""How likely a seat's own cards are to be of some sort, from the cards that it does not see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from hanabi.cards import Card
from hanabi.game.knowledge import Knowledge
from hanabi.game.view import View

__all__ = ["Chances", "is_useless"]


def is_useless(view: View, card: Card, *, never: bool = True) -> bool:
    """Whether the card can never be played any more; with `never=False`, not now.

    >>> from hanabi.game import Game, Rules
    >>> rules = Rules.official(2)
    >>> view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
    >>> is_useless(view, Card(0, 2)), is_useless(view, Card(0, 2), never=False)
    (False, True)
    """
    return view.is_dead(card) if never else not view.is_playable(card)


@dataclass(frozen=True, slots=True, init=False)
class Chances:
    """The chances of every card in the hand of the seat that looks.

    A card can be any of those that the seat does not see and that hints allow; where hands are
    open, it is what it is. Each card is judged alone.

    Attributes
    ----------
    playable, useless, spare
        By slot: can be played now; is useless; has another copy, neither played nor discarded.

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
    """Whether playing a card is right: it fits, or it is inverted and useless."""
    if view.rules.is_inverted(card):
        return is_useless(view, card, never=never)
    return view.is_playable(card)


def _is_to_discard(view: View, card: Card, *, never: bool) -> bool:
    """Whether discarding a card is right: it is useless, or it is inverted and fits."""
    if view.rules.is_inverted(card):
        return view.is_playable(card)
    return is_useless(view, card, never=never)


def _without_negative(view: View, known: Knowledge) -> Knowledge:
    colors, ranks, _ = known
    return Knowledge(
        colors if len(colors) == 1 else tuple(range(view.rules.colors)),
        ranks if len(ranks) == 1 else tuple(range(1, view.rules.ranks + 1)),
    )
