"""A table without hands, for those who imagine what is done with cards that they may not see.

Importing this module imports NumPy and Numba.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hanabi.rules import layout as k
from hanabi.rules.actions import Action
from hanabi.rules.cards import Card
from hanabi.rules.config import Rules
from hanabi.rules.kernels.doors import draw_card, judge_pile, pay_hint, use_card
from hanabi.rules.kernels.packed import Packed
from hanabi.rules.kernels.rules import deal
from hanabi.rules.packing import pack_rules
from hanabi.rules.table import Table

__all__ = ["PileFacts", "Tally"]


class PileFacts(NamedTuple):
    """Facts about a color. Sets of ranks have bit 0 for rank 1.

    Attributes
    ----------
    height, most
        The number of cards on the pile, now and at most.
    next, to_come
        The ranks that are playable now, and all that can still be played.
    single, spent
        The ranks of which one copy, or none, is neither on the pile nor discarded.
    """

    height: int
    most: int
    next: int
    to_come: int
    single: int
    spent: int


class Tally(Table):
    """The piles, discards, tokens, lives and deck of a game.

    Cards are used, hints are paid and cards are drawn by the rules of the engine, one at a time and
    whoever does it. No turn passes. A tally is immutable, like any table.

    >>> tally = Tally.start(Rules.hanab_live(3)).use(Card(0, 1), is_play=True).draw()
    >>> tally.piles, tally.deck_left, tally.use(None, is_play=True).lives
    ((1, 0, 0, 0, 0), 34, 2)
    """

    @classmethod
    def start(cls, rules: Rules) -> Tally:
        """Return the tally of a deal."""
        words, deck = pack_rules(rules), np.zeros(rules.deck_size, np.int64)
        state = np.zeros(int(words[k.STATE_SIZE]), np.int64)
        deal(Packed(words, deck, state))
        state[words[k.SIZES] : words[k.SIZES] + rules.seats] = 0
        return cls(rules, (words, deck, state), ())

    @property
    def deck(self) -> tuple[None, ...]:
        """The hidden cards: all of them."""
        return (None,) * self._rules.deck_size

    def use(self, card: Card | None, *, is_play: bool) -> Tally:
        """Return the tally after a play or discard of a card, before another one is drawn.

        A hidden card, None, is an error if it is played. It does not join the discards.
        """
        after, (color, rank) = self._copy(), card or (0, 0)
        use_card(self._rules_words, after._state, color, rank, is_play)
        if card is None:
            after._state[k.PILES :] = self._state[k.PILES :]
        return after

    def draw(self) -> Tally:
        """Return the tally after the next card is drawn."""
        after = self._copy()
        draw_card(self._rules_words, after._state)
        return after

    def hint(self, action: Action) -> Tally:
        """Return the tally after a hint is paid."""
        after = self._copy()
        pay_hint(self._rules_words, self._deck_words, after._state, action.code)
        return after

    def with_credit(self, credit: int) -> Tally:
        """Return the tally with another balance of hint tokens, as `Table.hint_credit`."""
        after = self._copy()
        after._state[k.HINTS] = credit
        return after

    def facts_of(self, color: int) -> PileFacts:
        """Return facts about a color's cards."""
        return PileFacts(*judge_pile(self._rules_words, self._state, color))

    def _copy(self) -> Tally:
        after = object.__new__(Tally)
        words = self._rules_words, self._deck_words, self._state.copy()
        Table.__init__(after, self._rules, words, ())
        return after
