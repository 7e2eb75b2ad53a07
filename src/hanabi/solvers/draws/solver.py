"""Optimal play with all hands open and the deck unknown, within a budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import factorial
from typing import TYPE_CHECKING

import numpy as np

from hanabi.ground import Clock, InvalidInputError, SolverError, Words, counted
from hanabi.rules import (
    RULES_OF_2026,
    VARIANT_OF_2026,
    Action,
    Game,
    Kind,
    Packed,
    Rules,
    Table,
    Understanding,
    apply,
)
from hanabi.rules import layout as k
from hanabi.solvers.draws import kernels as w
from hanabi.solvers.draws.kernels import (
    Search,
    Walk,
    give,
    key_width,
    most_moves,
    move_rows,
    run,
    run_both,
)

if TYPE_CHECKING:
    from hanabi.ground import Words

__all__ = [
    "DEFAULT_MEMORY",
    "MOST_CARDS",
    "ActionChances",
    "Chances",
    "DrawSearch",
    "Range",
    "open_chances",
]

# The arrays of the search over draws for one position, and its transposition tables.

Bounds = tuple[int, int]
"""The lower and the upper bound."""

_FIRST_ROWS = 1 << 10
_CHUNK = 20_000  # positions between two checks of the clock: about ten milliseconds


class DrawSearch:
    """Two searches from one position on the same deck, each with its own transposition table.

    Parameters
    ----------
    game
        An unfinished game that `hanabi.solvers.draws.solver.check_supported` accepts, or a view of
        it; `place` then puts cards where the view has none.
    memory
        Approximate size of each of the two tables, in bytes.
    """

    def __init__(self, game: Table, memory: int) -> None:
        self.game, self.memory = game, memory
        position, self._n = game.packed, game.deck_left
        drawn = game.rules.deck_size - self._n
        self.deck = position.deck.copy()
        self.deck[drawn:] = np.sort(self.deck[drawn:])  # no result may depend on the real order
        self.goals, self.means = self._search(), self._search()
        self.goals.walk.used[w.DEPTH] = -1

    def _search(self) -> Search:
        rules, words = self.game.rules, self.game.packed.rules.copy()
        plain = is_plain(rules, self.game)
        if plain:
            words[[k.BARS, k.BARS + 1]] = 0  # there is always a hint of the other kind
        walk = new_walk(
            self.game,
            self.deck,
            depth=search_depth(rules, self._n),
            width=key_width(words, self._n),
            moves=most_moves(words),
            rows=_FIRST_ROWS,
        )
        walk.used[[w.MAY_GROW, w.MERGES]] = 1
        return Search(walk._replace(rules=words), plain)

    @property
    def tried(self) -> int:
        """Positions expanded so far."""
        return int(self.goals.walk.used[w.TRIED] + self.means.walk.used[w.TRIED])

    def successors(self, action: Action) -> Iterator[tuple[int, Words]]:
        """Yield the positions after an action, one for each kind of card that it can draw.

        Each comes with the number of copies of that card. Until the next position is yielded, the
        deck has the card drawn.
        """
        first = self.game.rules.deck_size - self._n
        draws = self._n > 0 and not action.is_hint
        undrawn = self.deck[first:].tolist()
        kinds = [(card, len(list(group))) for card, group in groupby(undrawn)]
        for card, copies in kinds if draws else [(0, 1)]:
            if draws:
                others = undrawn.copy()
                others.remove(card)
                self.deck[first:] = [card, *others]
            rules, _, before = self.game.packed
            state = np.empty_like(before)
            apply(Packed(rules, self.deck, before), action.code, state)
            yield copies, state
        self.deck[first:] = undrawn

    def place(self, places: Sequence[int], codes: Sequence[int]) -> None:
        """Put cards, as codes, into places of the deck."""
        self.deck[places] = codes

    def perfect(self, state: Words, clock: Clock, action: Action | None = None) -> Bounds:
        """Return bounds on the number of orders with a perfect score; equal if time suffices.

        With an action, they are of the position after it.
        """
        self.goals.walk.used[w.GOAL] = self.game.rules.max_score
        return self._value(state, clock, action, is_mean=False)

    def points(self, state: Words, clock: Clock, action: Action | None = None) -> Bounds:
        """Return bounds on the sum of the scores over all orders; equal if time suffices."""
        return self._value(state, clock, action, is_mean=True)

    def _value(self, state: Words, clock: Clock, action: Action | None, *, is_mean: bool) -> Bounds:
        walk = (self.means if is_mean else self.goals).walk
        walk.states[0] = state
        walk.used[[w.DEPTH, w.STAGE]] = 0, w.NEW
        if action is not None:
            give(walk, 0, action.code, w.GIVEN)
        answer, limit = w.PAUSED, 0
        while answer != w.DONE:
            answer = run_both(self.means, self.goals, limit) if is_mean else run(self.goals, limit)
            if answer in (w.FULL, w.ASKING):
                self.grow(is_mean=is_mean and answer == w.FULL)
            if answer != w.DONE and clock.is_over:
                bounds = self._interrupted(self.goals.walk)
                return self._interrupted(self.means.walk) if is_mean else bounds
            limit = _CHUNK
        self.goals.walk.used[w.DEPTH] = -1
        return (int(walk.used[w.VALUE]),) * 2

    def _interrupted(self, walk: Walk) -> Bounds:
        """Return the bounds that an interrupted run has found, and restore the deck's order."""
        low, last = 0, int(walk.used[w.DEPTH])
        for depth in range(last, -1, -1):
            frame = walk.frames[depth]
            if depth < last:
                low = int(frame[w.SUM] + frame[w.COPIES] * low)
                pair = [int(frame[w.FIRST]), int(frame[w.INDEX])]
                if pair[0] != pair[1]:
                    self.deck[pair] = self.deck[pair[::-1]]
            low = max(low, int(frame[w.BEST]), 0)
        walk.used[w.DEPTH] = -1
        return low, int(walk.frames[0, w.CEILING])

    def grow(self, *, is_mean: bool) -> None:
        """Give one of the two tables more rows if there is memory for it, else fix its size."""
        if is_mean:
            self.means = self.means._replace(walk=grown(self.means.walk, self.memory))
        else:
            self.goals = self.goals._replace(walk=grown(self.goals.walk, self.memory))


def new_walk(game: Table, deck: Words, *, depth: int, width: int, moves: int, rows: int) -> Walk:
    """Return a search from a position with the first rows of a table, whose keys have a width.

    `depth` is the most frames, and `moves` the most moves of each.
    """
    rules, n = game.rules, game.deck_left
    used = np.zeros(w.N_USED, np.int64)
    used[w.SEAT] = -1
    return Walk(
        rules=game.packed.rules,
        deck=deck,
        dead=dead_classes(rules, game),
        orders=orders_of(n),
        states=np.zeros((depth, game.packed.state.size), np.int64),
        frames=np.zeros((depth, w.KEY + width), np.int64),
        moves=np.zeros((depth, moves), np.int64),
        cards=np.zeros((rules.seats + 1) * rules.hand_size + n + 1, np.int64),
        keys=np.zeros((rows, width), np.int64),
        values=np.full(rows, -1, np.int64),
        used=used,
    )


def grown(walk: Walk, memory: int) -> Walk:
    """Give the table four times as many rows if they take no more memory, else fix its size."""
    rows, width = walk.keys.shape
    if 4 * rows * (width + 1) * 8 > memory:
        walk.used[w.MAY_GROW] = 0
        return walk
    keys, values = larger(walk.keys, walk.values)
    return walk._replace(keys=keys, values=values)


def larger(keys: Words, values: Words) -> tuple[Words, Words]:
    """Return a transposition table with the same entries in four times as many rows."""
    rows, width = keys.shape
    new_keys, new = np.zeros((4 * rows, width), np.int64), np.full(4 * rows, -1, np.int64)
    move_rows(keys, values, new_keys, new)
    return new_keys, new


def is_plain(rules: Rules, table: Table | None = None) -> bool:
    """Whether the reductions of `hanabi.solvers.draws` hold from a position on, or from the deal.

    >>> is_plain(Rules.hanab_live(2)), is_plain(Rules.hanab_live(2, variant="Null (5 Suits)"))
    (True, False)
    """
    variant = rules.variant
    if rules.deck_plays or not _can_always_pass(rules) or variant is None:
        return not rules.deck_plays and _can_always_pass(rules)
    piles = table.pile_ranks if table is not None else ((),) * rules.colors
    orders = [
        [each for each in rules.orders(color) if each[: len(pile)] == pile]
        for color, pile in enumerate(piles)
    ]
    are_single = all(len(each) == 1 for each in orders)
    return are_single and not any(variant.inverted) and _has_hints(rules, table)


def _has_hints(rules: Rules, table: Table | None) -> bool:
    """Whether a clue touches some card of the other seats whenever one acts.

    This holds if they have more cards than are untouched; of each kind of clue if kinds alternate.
    """
    left = Counter(rules.spec.cards())
    if table is not None:
        left = Counter({card: table.copies_left(card) for card in left})
    held = (rules.seats - 1) * (rules.hand_size - _last_turns(rules))
    alternate = rules.variant is not None and rules.variant.alternating_clues
    for kinds in [{Kind.HINT_COLOR}, {Kind.HINT_RANK}] if alternate else [set(Kind)]:
        clues = [each for each in rules.clues if each.kind in kinds]
        touched = {card for card in left if any(rules.touches(each, card) for each in clues)}
        if sum(left[card] for card in left.keys() - touched) >= held:
            return False
    return True


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
    return rules.hand_size > _last_turns(rules)


def _last_turns(rules: Rules) -> int:
    """Return the most turns of one seat in the last round."""
    return -(-(rules.final_round or 0) // rules.seats)


def search_depth(rules: Rules, n: int) -> int:
    """Return the most turns that can follow with `n` cards to draw, plus two.

    Each turn uses up a card of the deck or a hand, or a token; tokens come from those cards.
    """
    cards = n + rules.seats * rules.hand_size
    return 2 * cards + rules.hints + rules.colors + 2


def dead_classes(rules: Rules, table: Table | None = None) -> Words:
    """Return the class of each card once it can never be played, as from the deal if no `table`.

    Where the reductions hold, there is one class. Elsewhere two cards share a class if both or
    neither are inverted, and clues of the same kinds touch them.

    >>> set(dead_classes(Rules.hanab_live(2)).tolist())
    {0}
    """
    if is_plain(rules, table):
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


# Chances as exact fractions, or bounds on them if a budget ran out.


@dataclass(frozen=True, slots=True, order=True)
class Range:
    """Bounds on a number: two fractions, both included; exact if they are equal.

    >>> Range(Fraction(1, 3), Fraction(1, 3)).is_exact, str(Range(Fraction(0), Fraction(1, 2)))
    (True, '0 to 1/2')
    """

    low: Fraction
    high: Fraction

    @property
    def is_exact(self) -> bool:
        """Whether the number is known."""
        return self.low == self.high

    def __str__(self) -> str:
        return str(self.low) if self.is_exact else f"{self.low} to {self.high}"


@dataclass(frozen=True, slots=True)
class ActionChances:
    """The value of an action.

    Attributes
    ----------
    action
        A legal action.
    perfect
        The chance of a perfect score.
    points
        The expected score, if play maximizes it; such play need not have the best chance of a
        perfect score.
    """

    action: Action
    perfect: Range
    points: Range


@dataclass(frozen=True, slots=True)
class Chances:
    """The value of each legal action of a position; `str` gives the best in one line.

    Attributes
    ----------
    actions
        One for each legal action, in the order of `Game.legal_actions`.
    cases
        Number of equally likely cases: orders of the deck, with copies distinct, or deals.
    seconds
        Wall-clock time.
    """

    actions: tuple[ActionChances, ...]
    cases: int
    seconds: float

    @property
    def perfect(self) -> Range:
        """The chance of a perfect score after the best action."""
        return _best([each.perfect for each in self.actions])

    @property
    def points(self) -> Range:
        """The expected score after the best action."""
        return _best([each.points for each in self.actions])

    @property
    def is_exact(self) -> bool:
        """Whether all numbers are known."""
        return all(each.perfect.is_exact and each.points.is_exact for each in self.actions)

    def __str__(self) -> str:
        best = f"best chance of a perfect score {self.perfect}, best expected score {self.points}"
        actions, cases = counted(len(self.actions), "action"), counted(self.cases, "case")
        return f"{best}; {actions}, {cases}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    def of(self, action: Action) -> ActionChances:
        """Return the value of one action.

        Raises
        ------
        KeyError
            If it is not legal.
        """
        for each in self.actions:
            if each.action == action:
                return each
        raise KeyError(str(action))

    def cost(self, action: Action) -> Fraction:
        """Return a lower bound on the chance of a perfect score that an action gives away.

        Raises
        ------
        KeyError
            If it is not legal.
        """
        return max(Fraction(0), self.perfect.low - self.of(action).perfect.high)

    def ranked(self, *, merge_hints: bool, points: bool = True) -> list[list[ActionChances]]:
        """Return the actions in groups, best first; `merge_hints` groups hints of equal value.

        Without `points`, expected scores neither rank actions nor separate hints.

        >>> from hanabi.rules import hint_rank, play
        >>> half, one = (Range(Fraction(n, 2), Fraction(n, 2)) for n in (1, 2))
        >>> hints = [ActionChances(hint_rank(1, rank), half, one) for rank in (1, 2)]
        >>> chances = Chances((*hints, ActionChances(play(0), one, one)), 2, 0.0)
        >>> [len(row) for row in chances.ranked(merge_hints=True)]
        [1, 2]
        """
        rows: dict[object, list[ActionChances]] = {}

        def worth(each: ActionChances) -> tuple[Range, ...]:
            return (each.perfect, each.points) if points else (each.perfect,)

        for each in sorted(self.actions, key=worth, reverse=True):
            key = worth(each) if merge_hints and each.action.is_hint else each.action
            rows.setdefault(key, []).append(each)
        return list(rows.values())


def _best(ranges: list[Range]) -> Range:
    return Range(max(each.low for each in ranges), max(each.high for each in ranges))


MOST_CARDS = 15
"""Most cards still to be drawn: sums over all their orders fit into machine words."""

DEFAULT_MEMORY = 1 << 29
"""Approximate size of the transposition table of one question, in bytes."""

UNDERSTOOD = Understanding("the search over draws", RULES_OF_2026 - {"speedrun"}, VARIANT_OF_2026)
"""The rules that this package supports."""


def open_chances(
    game: Game,
    *,
    seconds: float | None = None,
    memory: int = DEFAULT_MEMORY,
    points: bool = True,
) -> Chances:
    """Return the value of each legal action if all hands are open and the deck is unknown.

    The result does not depend on the order of the cards still to be drawn. Play continues
    optimally: for `perfect` it maximizes the chance of a perfect score, for `points` the expected
    score. The time grows quickly with the number of cards to draw; it is well below a second for
    most positions with five.

    Parameters
    ----------
    game
        An unfinished game.
    seconds
        Wall-clock time; None: no limit. If it does not suffice, the results are bounds.
    memory
        Bytes for the transposition table of each of the two questions. With too few, the search is
        still exact, but slower.
    points
        Whether to compute expected scores too, which takes longer; otherwise they are bounded.

    Raises
    ------
    InvalidInputError
        If the game is over, or more than 15 cards are still to be drawn.
    SolverError
        If the rules are not supported: more than 62 kinds of cards, more than 250 tokens, or
        options that the search does not know, such as `speedrun`.

    >>> from hanabi import DeckSpec
    >>> from hanabi.rules import Rules
    >>> rules = Rules(spec=DeckSpec(((2, 2),)), seats=1, hand_size=1, hints=0, open_hands=True)
    >>> game = Game.start(rules, [(0, 2), (0, 1), (0, 1), (0, 2)])
    >>> for each in open_chances(game).actions:
    ...     print(each.action, each.perfect, each.points)
    play slot 0 2/3 4/3
    """
    check_supported(game)
    clock = Clock(seconds)
    search = DrawSearch(game, memory)
    perfect = _values(search, search.perfect, clock)
    mean = _values(search, search.points, clock if points else Clock(0))
    cases, top = factorial(game.deck_left), game.rules.max_score
    found = []
    for action in game.legal_actions:
        chance = Range(*(Fraction(value, cases) for value in perfect[action]))
        low, high = (Fraction(value, cases) for value in mean[action])
        # A perfect score is worth `top` points, any other at most one less.
        low, high = max(low, top * chance.low), min(high, top - 1 + chance.high)
        found.append(ActionChances(action, chance, Range(low, high)))
    return Chances(tuple(found), cases, clock.elapsed)


def check_supported(game: Table) -> None:
    """Raise InvalidInputError or SolverError for positions that are not supported."""
    if not game.can_act:
        raise InvalidInputError(f"the game is over ({game.end_reason}): nobody can act")
    if game.deck_left > MOST_CARDS:
        raise InvalidInputError(
            f"{counted(game.deck_left, 'card')} to draw: chances are exact for at most {MOST_CARDS}"
        )
    check_rules(game.rules)


def check_rules(rules: Rules) -> None:
    """Raise SolverError for rules that are not supported."""
    UNDERSTOOD.check(rules, SolverError)
    for what, value, most in (
        ("kinds of cards", rules.colors * rules.ranks, 62),
        ("hints", rules.hints * rules.hint_cost, 250),
        ("lives", rules.lives, 250),
        ("turns in the last round", rules.final_round or 0, 250),
        ("cards in the deck", rules.deck_size, 1 << 15),
    ):
        if value > most:
            raise SolverError(f"{value} {what}: chances are exact for at most {most}")


def _values(
    search: DrawSearch, solve: Callable[[Words, Clock], tuple[int, int]], clock: Clock
) -> dict[Action, tuple[int, int]]:
    """Return bounds on the value of each legal action, summed over all orders of the deck."""
    found = {}
    for action in search.game.legal_actions:
        low = high = 0
        for copies, state in search.successors(action):
            bounds = solve(state, clock)
            low, high = low + copies * bounds[0], high + copies * bounds[1]
        found[action] = low, high
    return found
