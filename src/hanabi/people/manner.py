"""How teams play, not how well: what they know of cards that they play, and how often they hint.

Both measures are those of [Canaan2020]. *Information per play* is the mean over all plays, errors
too, of what hints tell of the card: 1 if they leave one color and one rank, 1/2 if only one of
these is known, 0 for neither. *Communicativeness* is the share of hints among the turns that begin
with a hint token.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hanabi.rules import Action, Kind, View

__all__ = ["Manner", "manner_of"]


class Manner(NamedTuple):
    """What a game adds to the measures.

    Attributes
    ----------
    seats
        The number of seats.
    told
        Of each play, what was known of the card: 0, 0.5 or 1.
    hints
        Of each turn that began with a hint token, whether it was a hint.
    """

    seats: int
    told: list[float]
    hints: list[float]


def manner_of(decisions: Sequence[tuple[View, Action]]) -> Manner:
    """Return what the decisions of a game add to the measures.

    >>> from hanabi.rules import Game, Rules, hint_rank, play
    >>> rules = Rules.official(seats=2)
    >>> deal = Game.start(rules, rules.spec.shuffle(seed=1))  # seat 1 holds p3 g3 p1 r4 b2
    >>> told = deal.apply(hint_rank(1, 1))
    >>> manner_of([(deal.view(0), hint_rank(1, 1)), (told.view(1), play(2))])
    Manner(seats=2, told=[0.5], hints=[1.0, 0.0])
    """
    told = list[float]()
    for view, action in decisions:
        if action.kind is Kind.PLAY and action.is_from_deck:
            told.append(0.0)
        elif action.kind is Kind.PLAY:
            known = view.knowledge[view.seat][action.target]
            told.append(((len(known.colors) == 1) + (len(known.ranks) == 1)) / 2)
    hints = [float(action.is_hint) for view, action in decisions if view.hints > 0]
    return Manner(decisions[0][0].rules.seats, told, hints)
