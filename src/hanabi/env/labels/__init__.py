"""Labels beside observations: a seat's own cards, and the chance of each.

A learner often gets an auxiliary task: to predict the cards that its seat cannot see. The labels
are the cards themselves, or the chances that exact counting gives them (the posterior), by the
hints and the copies in sight, or also by the conventions of a player.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import perm
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.env.layout import Layout
from hanabi.env.step import check_arrays, check_flag
from hanabi.ground import InvalidInputError, quote
from hanabi.players import Agreement, Belief, draw_beliefs
from hanabi.ground import Stream

if TYPE_CHECKING:
    from hanabi.env.labels.kernels import LabelArrays
    from hanabi.rules import View
    from hanabi.players import Player

__all__ = ["Convinced", "LabelFormat", "Labels", "posteriors_by_convention", "posteriors_of"]

_MOST_SLOTS = 10  # the count takes 3 ** slots steps
_MOST_WAYS = (1 << 63) - 1


class Labels(NamedTuple):
    """The labels of n games, in rows as the observations.

    The shapes are those of one observer a game; if all seats observe, they are (n, seats, ...).

    Attributes
    ----------
    cards
        int8 (n, hand_size): the number of each of the observer's own cards, color times ranks plus
        rank, both from 0; -1 in a slot without a card.
    posteriors
        float32 (n, hand_size, colors * ranks): the chance of each card in each slot. A row of a
        slot sums to 1, or to 0 without a card.
    """

    cards: npt.NDArray[np.int8]
    posteriors: npt.NDArray[np.float32]


@dataclass(frozen=True)
class LabelFormat:
    """The types and shapes of labels.

    Attributes
    ----------
    layout
        The rules, for hands of at most 10 cards that can be chosen in fewer than 2^63 ways.
    n
        Number of games.
    all_seats
        Whether every seat observes.

    Raises
    ------
    InvalidInputError
        If the hands are larger.
    """

    layout: Layout
    n: int
    all_seats: bool

    def __post_init__(self) -> None:
        rules = self.layout.rules
        size, cards = rules.hand_size, rules.deck_size
        if size > _MOST_SLOTS or perm(cards, size) > _MOST_WAYS:
            raise InvalidInputError(
                f"labels: hands of {quote(size)} of {quote(cards)} cards are too large to count"
            )

    @cached_property
    def _arrays(self) -> dict[str, tuple[tuple[int, ...], np.dtype[Any]]]:
        rules = self.layout.rules
        shape = (self.n, rules.seats) if self.all_seats else (self.n,)
        shape = (*shape, rules.hand_size)
        kinds = rules.colors * rules.ranks
        return {
            "cards": (shape, np.dtype(np.int8)),
            "posteriors": ((*shape, kinds), np.dtype(np.float32)),
        }

    def new_arrays(self) -> Labels:
        """Return arrays of these types and shapes."""
        return Labels(**{name: np.zeros(*each) for name, each in self._arrays.items()})

    def check(self, out: object) -> Labels:
        """Return a caller's arrays after checking them.

        Raises InvalidInputError if `out` is not `Labels`, or one of its arrays does not fit or
        cannot be written to.
        """
        if not isinstance(out, Labels):
            raise InvalidInputError(f"out: {quote(out)} is no Labels")
        for name, (shape, dtype) in self._arrays.items():
            check_arrays(name, getattr(out, name), shape, dtype, is_written=True)
        return out

    def outputs(self, labels: Labels) -> LabelArrays:
        """Return arrays as the kernels take them, with a separate axis for the observers."""
        from hanabi.env.labels.kernels import LabelArrays

        return LabelArrays(*labels if self.all_seats else (each[:, None] for each in labels))


def posteriors_of(view: View, *, joint: bool = True) -> npt.NDArray[np.float32]:
    """Return the chance of each card in each slot of the viewing seat's hand, by hints and copies.

    Parameters
    ----------
    view
        The view of any seat at any time.
    joint
        If true, chances are exact: all hands that the hints and the copies in sight allow are
        equally likely. If false, each slot is looked at alone, as if no hint had said anything
        about the seat's other cards: the common estimate, which is cheaper and less sharp.

    Returns
    -------
    posteriors
        float32 (hand_size, colors * ranks), as in `Labels`.

    Raises
    ------
    InvalidInputError
        If observations do not support the rules, or the hands are too large; see `LabelFormat`.

    >>> from hanabi.rules import Game, Rules, hint_rank
    >>> rules = Rules.hle(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1)).apply(hint_rank(1, 3))
    >>> chances = posteriors_of(game.view(1))[0].reshape(5, 5)
    >>> [f"{chance:.3f}" for chance in chances[:, 2]]  # a 3, and seat 1 sees r3
    ['0.111', '0.222', '0.222', '0.222', '0.222']
    """
    from hanabi.worlds import new_counting, write_posteriors

    check_flag("joint", joint)
    LabelFormat(Layout(view.rules), 1, all_seats=False)
    position = view.packed
    found = np.zeros((view.rules.hand_size, view.rules.colors * view.rules.ranks), np.float32)
    write_posteriors(position, view.seat, bool(joint), new_counting(position.rules), found)
    return found


class Convinced(NamedTuple):
    """The chances of a seat's own cards, as it believes by a player's conventions.

    Attributes
    ----------
    posteriors
        float32 (hand_size, colors * ranks): the share of the worlds in which a slot has a card.
    worlds
        Number of worlds; 0 if none was found, and all posteriors are 0 then.
    agreement
        How closely the worlds agree with the others' decisions.
    """

    posteriors: npt.NDArray[np.float32]
    worlds: int
    agreement: Agreement


def posteriors_by_convention(
    player: Player, view: View, *, worlds: int = 300, seed: int = 0
) -> Convinced:
    """Return the chance of each card in the acting seat's hand, by a player's conventions.

    The worlds are deals drawn with equal probability from those that agree with hints, with the
    player's conventions, and with every decision of the other seats, if they play like the player.
    Chances are shares of these worlds: their standard error is at most 1 / sqrt(4 worlds).

    Parameters
    ----------
    player
        A compiled, deterministic player, such as the convention and information players.
    view
        The view of the seat to act.
    worlds
        Number of worlds to draw, 1 to 100,000.
    seed
        The seed of the draws.

    Raises
    ------
    InvalidInputError
        If another seat is to act, or the player may decide at random or does not know the rules.

    Notes
    -----
    With 300 worlds, some tens of milliseconds a view (`python -m benchmarks.env`).

    >>> from hanabi.rules import Game, Rules
    >>> from hanabi.players import Information
    >>> rules = Rules.hanab_live(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> for _ in range(2):
    ...     game = game.apply(Information().act(game.view(game.seat_to_act), Stream(1)))
    >>> found = posteriors_by_convention(Information(), game.view(0), worlds=50)
    >>> found.worlds, found.agreement.name, found.posteriors.sum(1).round(3).tolist()
    (50, 'EXACT', [1.0, 1.0, 1.0, 1.0, 1.0])
    """
    rules = view.rules
    beliefs = draw_beliefs(Belief(player, worlds=worlds, seats=0), view, Stream(seed))
    counts = np.zeros((rules.hand_size, rules.colors * rules.ranks), np.float32)
    for slot, index in enumerate(view.hand_indices[view.seat]):
        for deck in beliefs.decks:
            card = deck[index]
            counts[slot, card.color * rules.ranks + card.rank - 1] += 1
    n = len(beliefs.decks)
    return Convinced(counts / np.float32(max(n, 1)), n, beliefs.agreement)
