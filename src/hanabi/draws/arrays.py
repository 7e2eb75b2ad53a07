"""The arrays of the search over draws for one position, and its transposition tables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from math import factorial

import numpy as np

from hanabi.clock import Clock
from hanabi.compiled import Words
from hanabi.draws import kernels as w
from hanabi.draws.kernels import Search, key_width, most_moves, move_rows, run, run_both
from hanabi.game import Action, Game, Rules
from hanabi.game.kernels.packed import Packed
from hanabi.game.kernels.rules import apply

__all__ = ["DrawSearch"]


Bounds = tuple[int, int]
"""The lower and the upper bound."""

_FIRST_ROWS = 1 << 10
_CHUNK = 20_000  # positions between two checks of the clock: about ten milliseconds


class DrawSearch:
    """Two searches from one position on the same deck, each with its own transposition table.

    Parameters
    ----------
    game
        An unfinished game that `hanabi.draws.solver.check_supported` accepts.
    memory
        Approximate size of each of the two tables, in bytes.
    """

    def __init__(self, game: Game, memory: int) -> None:
        self.game, self._memory = game, memory
        position, rules = game.packed, game.rules
        self._state, self._n = position.state, game.deck_left
        drawn = rules.deck_size - self._n
        self._deck = position.deck.copy()
        self._deck[drawn:] = np.sort(self._deck[drawn:])  # no result may depend on the real order
        self._goals = self._search(position.rules)
        self._means = self._search(position.rules)
        self._goals.used[w.DEPTH] = -1

    def _search(self, words: Words) -> Search:
        rules, n = self.game.rules, self._n
        depth, width = search_depth(rules, n), key_width(words, n)
        return Search(
            rules=words,
            deck=self._deck,
            is_plain=is_plain(rules),
            dead=dead_classes(rules),
            orders=orders_of(n),
            states=np.zeros((depth, self._state.size), np.int64),
            frames=np.zeros((depth, w.KEY + width), np.int64),
            moves=np.zeros((depth, most_moves(words)), np.int64),
            classes=np.zeros(rules.seats * rules.hand_size + n, np.int64),
            alive=np.zeros(rules.colors, np.int64),
            keys=np.zeros((_FIRST_ROWS, width), np.int64),
            values=np.full(_FIRST_ROWS, -1, np.int64),
            used=np.array([0, 1, 0, 0, 0, 1, w.EXPECTATION], np.int64),
        )

    @property
    def tried(self) -> int:
        """Positions expanded so far."""
        return int(self._goals.used[w.TRIED] + self._means.used[w.TRIED])

    def successors(self, action: Action) -> Iterator[tuple[int, Words]]:
        """Yield the positions after an action, one for each kind of card that it can draw.

        Each comes with the number of copies of that card. Until the next position is yielded, the
        deck has the card drawn.
        """
        first = self.game.rules.deck_size - self._n
        draws = self._n > 0 and not action.is_hint
        undrawn = self._deck[first:].tolist()
        kinds = [(card, len(list(group))) for card, group in groupby(undrawn)]
        for card, copies in kinds if draws else [(0, 1)]:
            if draws:
                others = undrawn.copy()
                others.remove(card)
                self._deck[first:] = [card, *others]
            state = np.empty_like(self._state)
            apply(Packed(self._goals.rules, self._deck, self._state), action.code, state)
            yield copies, state
        self._deck[first:] = undrawn

    def perfect(self, state: Words, clock: Clock) -> Bounds:
        """Return bounds on the number of orders with a perfect score; equal if time suffices."""
        used = self._goals.used
        self._goals.states[0] = state
        used[w.GOAL], used[w.DEPTH], used[w.IS_NEW] = self.game.rules.max_score, 0, 1
        answer, limit = w.PAUSED, 0
        while answer != w.DONE:
            answer = run(self._goals, limit)
            if answer == w.FULL:
                self._goals = self._grown(self._goals)
            if answer != w.DONE and clock.is_over:
                return self._interrupted(self._goals)
            limit = _CHUNK
        used[w.DEPTH] = -1
        return int(used[w.VALUE]), int(used[w.VALUE])

    def points(self, state: Words, clock: Clock) -> Bounds:
        """Return bounds on the sum of the scores over all orders; equal if time suffices."""
        used = self._means.used
        self._means.states[0] = state
        used[w.DEPTH], used[w.IS_NEW] = 0, 1
        answer, limit = w.PAUSED, 0
        while answer != w.DONE:
            answer = run_both(self._means, self._goals, limit)
            if answer == w.FULL:
                self._means = self._grown(self._means)
            elif answer == w.ASKING:
                self._goals = self._grown(self._goals)
            if answer != w.DONE and clock.is_over:
                self._interrupted(self._goals)
                return self._interrupted(self._means)
            limit = _CHUNK
        return int(used[w.VALUE]), int(used[w.VALUE])

    def _interrupted(self, search: Search) -> Bounds:
        """Return the bounds that an interrupted run has found, and restore the deck's order."""
        low, last = 0, int(search.used[w.DEPTH])
        for depth in range(last, -1, -1):
            frame = search.frames[depth]
            if depth < last:
                low = int(frame[w.SUM] + frame[w.COPIES] * low)
                pair = [int(frame[w.FIRST]), int(frame[w.INDEX])]
                if pair[0] != pair[1]:
                    self._deck[pair] = self._deck[pair[::-1]]
            low = max(low, int(frame[w.BEST]), 0)
        search.used[w.DEPTH] = -1
        return low, int(search.frames[0, w.CEILING])

    def _grown(self, search: Search) -> Search:
        rows, width = search.keys.shape
        rows *= 4
        if rows * (width + 1) * 8 > self._memory:
            search.used[w.MAY_GROW] = 0
            return search
        keys, values = np.zeros((rows, width), np.int64), np.full(rows, -1, np.int64)
        move_rows(search.keys, search.values, keys, values)
        return search._replace(keys=keys, values=values)


def is_plain(rules: Rules) -> bool:
    """Whether the reductions of `hanabi.draws` hold.

    >>> is_plain(Rules.hanab_live(2)), is_plain(Rules.hanab_live(2, variant="Null (5 Suits)"))
    (True, False)
    """
    variant = rules.variant
    if rules.deck_plays or not _can_always_pass(rules) or variant is None:
        return not rules.deck_plays and _can_always_pass(rules)
    cards = [(c, r) for c in range(rules.colors) for r in range(1, rules.ranks + 1)]
    return (
        not (variant.sudoku or variant.alternating_clues or any(variant.inverted))
        and all(len(rules.orders(color)) == 1 for color in range(rules.colors))
        and all(any(rules.touches(clue, card) for clue in rules.clues) for card in cards)
    )


def orders_of(n: int) -> Words:
    """Return 0! to n!.

    >>> orders_of(4).tolist()
    [1, 1, 2, 6, 24]
    """
    return np.array([factorial(cards) for cards in range(n + 1)], np.int64)


def _can_always_pass(rules: Rules) -> bool:
    """Whether nobody is ever forced to err: with all tokens there is a hint, else a discard.

    A hint requires that another player holds a card, even at the end of the last round.
    """
    if rules.hints == 0 or rules.seats == 1 or rules.final_round is None:
        return False
    return rules.hand_size > -(-rules.final_round // rules.seats)


def search_depth(rules: Rules, n: int) -> int:
    """Return the most turns that can follow with `n` cards to draw, plus two.

    Each turn uses up a card of the deck or a hand, or a token; tokens come from those cards.
    """
    cards = n + rules.seats * rules.hand_size
    return 2 * cards + rules.hints + rules.colors + 2


def dead_classes(rules: Rules) -> Words:
    """Return the class of each card once it can never be played.

    Where the reductions hold, there is one class. Elsewhere two cards share a class if both or
    neither are inverted, and clues of the same kinds touch them.

    >>> set(dead_classes(Rules.hanab_live(2)).tolist())
    {0}
    """
    if is_plain(rules):
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
