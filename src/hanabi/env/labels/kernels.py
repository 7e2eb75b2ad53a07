"""Kernels of labels: a seat's own cards, and the chance of each card in each of its slots."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.env.kernels import Batch, Company, observer_of
from hanabi.ground.compiled import jit
from hanabi.rules import layout as k
from hanabi.rules.kernels.facts import code_at, n_held
from hanabi.rules.kernels.packed import Packed, card_of
from hanabi.worlds.kernels.chances import new_counting, write_posteriors


class LabelArrays(NamedTuple):
    """The arrays of labels, by game, observer and slot.

    Attributes
    ----------
    cards
        The number of each card, -1 for none.
    posteriors
        Also by card: its chance.
    """

    cards: npt.NDArray[np.int8]
    posteriors: npt.NDArray[np.float32]


@jit
def write_labels(
    company: Company, batch: Batch, is_joint: bool, labels: LabelArrays, first: int, last: int
) -> None:
    """Write the labels of the games `first` .. `last` - 1: of the seat to act, or of each seat."""
    rules = company.deals.rules
    counting, size = new_counting(rules), rules[k.HAND_SIZE]
    for game in range(first, last):
        position = Packed(rules, batch.decks[game], batch.states[game])
        for view in range(labels.cards.shape[1]):
            seat = observer_of(company, batch, game) if labels.cards.shape[1] == 1 else view
            for slot in range(size):
                labels.cards[game, view, slot] = -1
            for slot in range(n_held(rules, position.state, seat)):
                code = code_at(position, seat * size + slot)
                labels.cards[game, view, slot] = card_of(rules, code)
            write_posteriors(position, seat, is_joint, counting, labels.posteriors[game, view])
