"""A position as the arrays of the search over draws, and the table that its runs share."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from math import factorial

import numpy as np
import numpy.typing as npt

from hanabi.clock import Clock
from hanabi.draws.kernels import layout as w
from hanabi.draws.kernels.layout import Search
from hanabi.draws.kernels.moves import most_moves
from hanabi.draws.kernels.search import run
from hanabi.draws.kernels.table import key_width, move_rows
from hanabi.game import Action, Game, Rules
from hanabi.game.kernels import words as k
from hanabi.game.kernels.rules import apply

__all__ = ["Board"]

Words = npt.NDArray[np.int64]

_FIRST_ROWS = 1 << 14


class Board:
    """A position and a question, with the table of what is known of later positions.

    Parameters
    ----------
    game
        A position that goes on and is within reach (`hanabi.draws.solver.check_supported`).
    is_perfect
        Whether all points are asked for; else the expected score.
    """

    def __init__(self, game: Game, *, is_perfect: bool) -> None:
        self.game = game
        position, rules = game.packed, game.rules
        self._state, self._n = position.state, game.deck_left
        drawn = rules.deck_size - self._n
        deck = position.deck.copy()
        deck[drawn:] = np.sort(deck[drawn:])  # what is done must not tell the order
        depth = search_depth(rules, self._n)
        self._search = Search(
            rules=position.rules,
            deck=deck,
            question=w.PERFECT if is_perfect else w.POINTS,
            is_plain=is_plain(rules),
            dead=dead_classes(rules),
            orders=np.array([factorial(n) for n in range(self._n + 1)], np.int64),
            states=np.zeros((depth, position.state.size), np.int64),
            frames=np.zeros((depth, w.KEY + key_width(position.rules, self._n)), np.int64),
            moves=np.zeros((depth, most_moves(position.rules)), np.int64),
            classes=np.zeros(rules.seats * rules.hand_size + self._n, np.int64),
            alive=np.zeros(rules.colors, np.int64),
            keys=np.zeros((_FIRST_ROWS, key_width(position.rules, self._n)), np.int64),
            values=np.full(_FIRST_ROWS, -1, np.int64),
            used=np.array([0, 1, 0, 0, 0, 1], np.int64),
        )

    @property
    def tried(self) -> int:
        """Positions expanded so far."""
        return int(self._search.used[w.TRIED])

    def successors(self, action: Action) -> Iterator[tuple[int, Words]]:
        """Yield the positions after an action, one for each kind of card that it draws.

        With each come the copies of the card. While a position is looked at, the deck is the one
        in which its card was drawn.
        """
        search, first = self._search, self.game.rules.deck_size - self._n
        code = action.code
        draws = self._n > 0 and not action.is_hint
        undrawn = search.deck[first:].tolist()
        kinds = [(card, len(list(group))) for card, group in groupby(undrawn)]
        for card, copies in kinds if draws else [(0, 1)]:
            if draws:
                others = undrawn.copy()
                others.remove(card)
                search.deck[first:] = [card, *others]
            state = np.empty_like(self._state)
            apply(k.Packed(search.rules, search.deck, self._state), code, state)
            yield copies, state
        search.deck[first:] = undrawn

    def solve(self, state: Words, memory: int, clock: Clock, chunk: int) -> tuple[int, int]:
        """Return bounds on the value of a position; they are equal unless the time ends."""
        used = self._search.used
        self._search.states[0] = state
        used[w.DEPTH], used[w.IS_NEW] = 0, 1
        answer = run(self._search, 0 if clock.is_over else chunk)
        while answer != w.DONE:
            if answer == w.FULL:
                self._grow(memory)
            if clock.is_over:
                return self._bounds()
            answer = run(self._search, chunk)
        return int(used[w.VALUE]), int(used[w.VALUE])

    def _bounds(self) -> tuple[int, int]:
        """Return what an interrupted run has found out, and put the deck back in order."""
        search, low = self._search, 0
        for depth in range(int(search.used[w.DEPTH]), -1, -1):
            frame = search.frames[depth]
            if depth < search.used[w.DEPTH]:
                low = int(frame[w.SUM] + frame[w.COPIES] * low)
                first, index = frame[w.FIRST], frame[w.INDEX]
                if index != first:
                    search.deck[[first, index]] = search.deck[[index, first]]
            low = max(low, int(frame[w.BEST]), 0)
        left = self.game.rules.deck_size - int(search.states[0][k.DRAWN])
        return low, int(search.frames[0, w.TOP] * search.orders[left])

    def _grow(self, memory: int) -> None:
        search = self._search
        rows, width = search.keys.shape
        rows *= 4
        if rows * (width + 1) * 8 > memory:
            search.used[w.MAY_GROW] = 0
            return
        keys, values = np.zeros((rows, width), np.int64), np.full(rows, -1, np.int64)
        move_rows(search.keys, search.values, keys, values)
        self._search = search._replace(keys=keys, values=values)


def is_plain(rules: Rules) -> bool:
    """Whether the reductions hold; see `hanabi.draws`."""
    return rules.variant is None and not rules.deck_plays


def search_depth(rules: Rules, n: int) -> int:
    """Return how many turns can follow each other with `n` cards to draw, and two more.

    Each turn takes a card from the deck, or from a hand, or a token; tokens come from those cards.
    """
    cards = n + rules.seats * rules.hand_size
    return 2 * cards + rules.hints + rules.colors + 2


def dead_classes(rules: Rules) -> Words:
    """Return, for each card, what it is as good as once it can never be played.

    In the plain game all such cards are alike. In a variant they are if they are inverted or not,
    and touched by clues of the same kinds.

    >>> set(dead_classes(Rules.hanab_live(2)).tolist())
    {0}
    """
    if rules.variant is None:
        return np.zeros(rules.colors * rules.ranks, np.int64)
    seen: dict[tuple[bool, frozenset[object]], int] = {}
    classes = []
    for color in range(rules.colors):
        for rank in range(1, rules.ranks + 1):
            card = color, rank
            kinds = frozenset[object](c.kind for c in rules.clues if rules.touches(c, card))
            sort = rules.is_inverted(card), kinds
            classes.append(seen.setdefault(sort, len(seen)))
    return np.array(classes, np.int64)


