"""The judge: the worth of each action to a seat that does not see its own hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import factorial
from typing import TYPE_CHECKING

import numpy as np

from hanabi.cards import Card, format_cards
from hanabi.clock import Clock
from hanabi.draws.kernels import DONE, EXPECTATION, PAUSED, move_rows
from hanabi.draws.seat import kernels as w
from hanabi.draws.solver import (
    DEFAULT_MEMORY,
    ActionChances,
    Bounds,
    Chances,
    DrawSearch,
    Range,
    check_supported,
    dead_classes,
    orders_of,
    search_depth,
)
from hanabi.errors import InvalidInputError, counted, quote
from hanabi.game import Action, Table, View
from hanabi.game import layout as k
from hanabi.game.kernels.packed import Packed
from hanabi.game.kernels.rules import find_end
from hanabi.game.packing import unpack_card

if TYPE_CHECKING:
    from hanabi.compiled import Words

__all__ = ["Hands", "Judged", "Judgement", "Plan", "judge"]

_FIRST_ROWS = 1 << 12
_CHUNK = 20_000  # positions between two checks of the clock
_BUDGET = 20_000


@dataclass(frozen=True, slots=True)
class Judged(ActionChances):
    """The value of an action to the seat, between two values that are certified.

    `perfect` and `points` go from the low end of `below` to the high end of `above`.

    Attributes
    ----------
    above
        The chance of a perfect score and the expected score if everybody sees all hands after the
        action. Exact, or bounds if the time was over.
    below
        The same two values of a plan for this seat and the others. Exact, or bounds if the time was
        over.
    """

    above: tuple[Range, Range]
    below: tuple[Range, Range]


@dataclass(frozen=True, slots=True)
class Judgement(Chances):
    """The value of each legal action to the seat to act, as `Chances` with brackets.

    `cases` counts the deals: the seat's hands and orders of the deck that fit, copies distinct.
    `cost` is therefore a certified loss: the least that an action gives away by this seat's view,
    whatever the best play in the brackets is.
    """

    @property
    def is_cut(self) -> bool:
        """Whether time was over before both ends of all brackets were exact."""
        return not all(
            end.is_exact
            for each in self.actions
            for ends in (each.above, each.below)
            for end in ends
        )


def judge(
    view: View,
    *,
    known: Mapping[int, Collection[Card]] | None = None,
    seconds: float | None = None,
    memory: int = DEFAULT_MEMORY,
    points: bool = True,
    plans: int = 4,
) -> Judgement:
    """Return the value of each legal action to the seat to act, which does not see its hand.

    The seat knows what it sees, and what hints say of its own cards, positive and negative. A
    *deal* is a hand of this seat and an order of the cards still to be drawn. All deals in which
    the game would have gone on as it did, as far as the seat saw it, are equally likely, copies
    told apart. Nothing is read into the choices of the others.

    The value of an action is the best chance of a perfect score, and the best expected score, of a
    team in which this seat alone does not see its hand. The others see all hands, theirs too, and
    all may have agreed on anything. Nobody knows the order of the deck. It is at most the value
    *above*: the mean over the deals of the value with open hands (`hanabi.draws.open_chances`).

    A review asks this at every move that was made:
    `judge(position.view(position.seat_to_act), seconds=2)`, takes `cost(action)` of the action that
    was played for its certified loss, and compares it with the loss by the deck. The result is the
    same for all games that the seat could not tell apart.

    Parameters
    ----------
    view
        The view of the seat to act.
    known
        By slot, the cards that it may hold, if more is known than hints say.
    seconds
        Wall-clock time; None: no limit. What is not exact by then is a bracket.
    memory
        Bytes for the transposition table of each of the two questions.
    points
        Whether to compute expected scores too, which takes longer; otherwise they are bounded.
    plans
        Number of plans to try for the lower ends, 0 to 4, each with more thought than the last.

    Raises
    ------
    InvalidInputError
        If another seat is to act, the game is over, more than 15 cards are to be drawn, `known`
        names a slot that is not there, or no deal fits.
    SolverError
        If the rules are not supported, as for `open_chances`.

    >>> from hanabi import DeckSpec
    >>> from hanabi.game import Game, Rules
    >>> rules = Rules(spec=DeckSpec(((1, 1),)), seats=2, hand_size=1, hints=0, lives=1)
    >>> found = judge(Game.start(rules, [(0, 1), (0, 2)]).view(0))
    >>> found.cases, str(found.perfect)
    (1, '1')
    """
    if view.seat != view.seat_to_act:
        raise InvalidInputError(f"seat {view.seat_to_act} is to act, not {view.seat}")
    check_supported(view)
    clock = Clock(seconds)
    hands = Hands(view, known or {})
    search = DrawSearch(view, memory)
    top, n_deals = view.rules.max_score, hands.weight * factorial(view.deck_left)
    perfect = _Means(hands, search, search.perfect, clock)
    mean = _Means(hands, search, search.points, clock if points else Clock(0))
    above = {}
    for action in view.legal_actions:
        chance, score = perfect.of(action, 1), mean.of(action, top)
        # A perfect score is worth `top` points, any other at most one less.
        low, high = max(score.low, top * chance.low), min(score.high, top - 1 + chance.high)
        above[action] = chance, Range(low, high)
    chances = {each: chance for each, (chance, _) in above.items()}
    goals = _best_plans(hands, search, 1, chances, plans, clock)
    scores = {each: score for each, (_, score) in above.items()}
    means = _best_plans(hands, search, top, scores, plans if points else 0, clock)
    found = []
    for action, (chance, score) in above.items():
        below = goals[action], means[action]
        found.append(
            Judged(
                action,
                Range(below[0].low, chance.high),
                Range(max(below[1].low, top * below[0].low), score.high),
                (chance, score),
                below,
            )
        )
    return Judgement(tuple(found), n_deals, clock.elapsed)


# The hands that fit. Cards that play alike are of one type.


class Hands:
    """The hands that the seat may hold, in groups that play alike.

    Two cards that the seat does not see are of one *type* if they are the same card or can both
    never be played, and if the same slots may hold them. A hand is counted as its types.

    Parameters
    ----------
    view
        The view of the seat to act.
    known
        By slot, the cards that it may hold.
    """

    def __init__(self, view: View, known: Mapping[int, Collection[Card]]) -> None:
        self.view = view
        held = view.hand_indices[view.seat]
        for slot in known:
            if not 0 <= slot < len(held):
                raise InvalidInputError(
                    f"slot {quote(slot)}: the seat holds {counted(len(held), 'card')}, from slot 0"
                )
        self._slots = [slot for slot, place in enumerate(held) if view.deck[place] is None]
        self.places = [held[slot] for slot in self._slots]
        self.allowed: list[set[Card]] = []
        for slot, knowledge in enumerate(view.knowledge[view.seat]):
            cards = {card for card in view.unseen if knowledge.is_possible(card)}
            given = view.hands[view.seat][slot]
            if slot in known:
                cards &= set(known[slot])
            if given is None:
                self.allowed.append(cards)
            elif slot in known and given not in known[slot]:
                raise InvalidInputError(f"slot {slot} is {given}, which the seat sees")
        types: dict[tuple[int, ...], list[Card]] = {}
        dead = dead_classes(view.rules)
        for card in sorted(view.unseen.elements()):
            number = card.color * view.rules.ranks + card.rank - 1
            sort = -1 - int(dead[number]) if view.is_dead(card) else number
            types.setdefault((sort, *(card in cards for cards in self.allowed)), []).append(card)
        self._sorts = [sort for sort, *_ in types]
        self._cards = list(types.values())
        self._fits = [
            [number for number, (_, *fits) in enumerate(types) if fits[place]]
            for place in range(len(self.places))
        ]
        self._ended: dict[tuple[int, ...], bool] = {}
        self._whole = self._filled((), range(len(self.places)))
        self.weight = self._whole.total()
        if not self.weight:
            what = "; ".join(
                f"slot {slot} = {format_cards(sorted(cards))}" for slot, cards in known.items()
            )
            raise InvalidInputError(f"no deal fits what the seat knows {what}".rstrip())

    def _filled(self, first: tuple[int, ...], places: Sequence[int]) -> Counter[tuple[int, ...]]:
        """Return the hands that begin with given types, as sorted types, and their numbers."""
        weight = len(self._cards[first[0]]) if first else 1
        found = Counter({first: weight})
        for place in places:
            following: Counter[tuple[int, ...]] = Counter()
            for types, weight in found.items():
                for number in self._fits[place]:
                    left = len(self._cards[number]) - types.count(number)
                    if left > 0:
                        following[tuple(sorted((*types, number)))] += weight * left
            found = following
        return Counter({types: n for types, n in found.items() if not self._is_over(types)})

    def _is_over(self, types: tuple[int, ...]) -> bool:
        """Whether the game would be over if the seat held this hand."""
        if self.view.deck_left:
            return False
        if types not in self._ended:
            rules, deck, state = self.view.packed
            deck = deck.copy()
            deck[self.places] = self.codes(types)[: len(self.places)]
            self._ended[types] = int(find_end(Packed(rules, deck, state))) != k.IN_PROGRESS
        return self._ended[types]

    def codes(self, types: tuple[int, ...]) -> list[int]:
        """Return the codes of a hand, in the order of its types, and then of the other cards."""
        used: Counter[int] = Counter()
        hand = []
        for number in types:
            hand.append(self._cards[number][used[number]])
            used[number] += 1
        rest = [card for number, cards in enumerate(self._cards) for card in cards[used[number] :]]
        return [card.color << 5 | card.rank for card in (*hand, *sorted(rest))]

    def place_of(self, action: Action) -> int:
        """Return the place of the hidden card that an action moves, from 0; -1 if there is none."""
        if action.is_hint or action.is_from_deck or action.target not in self._slots:
            return -1
        return self._slots.index(action.target)

    def groups(self, place: int) -> Counter[tuple[int, ...]]:
        """Return the hands that differ for an action that moves the card in a place, with numbers.

        The type of that card comes first. -1 is the place of no card.
        """
        if place < 0:
            return self._whole
        others = [each for each in range(len(self.places)) if each != place]
        found: Counter[tuple[int, ...]] = Counter()
        for number in self._fits[place]:
            for types, weight in self._filled((number,), others).items():
                rest = list(types)
                rest.remove(number)
                found[number, *rest] += weight
        return found

    def alike(self, action: Action) -> tuple[object, ...]:
        """Return what actions share that no plan needs to tell apart."""
        place = self.place_of(action)
        cards = frozenset(self.allowed[place]) if place >= 0 else None
        return *_sort_of(action, self.view), cards

    def sorts(self, types: Sequence[int]) -> tuple[int, ...]:
        """Return what is played alike: the sorts of some cards, in order."""
        return tuple(sorted(self._sorts[number] for number in types))


class _Means:
    """The mean over all deals of the value with open hands after an action.

    Each group of hands is valued once, whichever slot its card moves from. All share a
    transposition table.
    """

    def __init__(
        self,
        hands: Hands,
        search: DrawSearch,
        solve: Callable[..., Bounds],
        clock: Clock,
    ) -> None:
        self._hands, self._search, self._solve, self._clock = hands, search, solve, clock
        self._known: dict[tuple[tuple[int, ...], ...], Bounds] = {}

    def of(self, action: Action, top: int) -> Range:
        """Return bounds on the mean after an action; equal if time suffices.

        `top` is the highest value.
        """
        hands, low, high = self._hands, 0, 0
        place = hands.place_of(action)
        for types, weight in hands.groups(place).items():
            bounds = self._value(action, place, types)
            low, high = low + weight * bounds[0], high + weight * bounds[1]
        cases = hands.weight * factorial(hands.view.deck_left)
        return Range(Fraction(low, cases), min(Fraction(top), Fraction(high, cases)))

    def _value(self, action: Action, place: int, types: tuple[int, ...]) -> Bounds:
        hands, places = self._hands, self._hands.places
        moved = 0 if place < 0 else 1
        key = _sort_of(action, hands.view), hands.sorts(types[:moved]), hands.sorts(types[moved:])
        if key not in self._known:
            size = hands.view.rules.deck_size
            order = [*places[place : place + moved], *places[:place], *places[place + 1 :]]
            undrawn = range(size - hands.view.deck_left, size)
            self._search.place([*(order if moved else places), *undrawn], hands.codes(types))
            self._known[key] = self._solve(hands.view.packed.state, self._clock, action)
        return self._known[key]


def _sort_of(action: Action, view: View) -> tuple[int, ...]:
    """Return what matters of an action beside the hidden card that it moves."""
    if not action.is_hint:
        is_seen = action.is_from_deck or view.hands[view.seat][action.target] is not None
        return action.kind, action.target if is_seen else -1
    variant = view.rules.variant
    return (action.kind,) if variant is not None and variant.alternating_clues else ()


# Plans for a team in which the seat does not see its hand.


class Plan:
    """A plan: what the seat does by what it sees, and what the others do by all hands.

    It is the rule of thumb in `hanabi.draws.seat.kernels`, improved by averages over the hands
    that are still possible. Its value is exact, since the others know the plan.

    Parameters
    ----------
    hands
        The hands that the seat may hold.
    search
        A search with open hands for the same view; the plan shares its deck and tables.
    is_mean
        Whether to plan for the expected score, instead of a perfect score.
    stalls
        Whether the rule of thumb hints before it discards trash.
    decisions
        The number of decisions of the seat in a line that averages make; the rule of thumb makes
        the later ones.
    budget
        Positions to expand for an action until the rule of thumb makes all decisions.
    """

    def __init__(
        self,
        hands: Hands,
        search: DrawSearch,
        *,
        is_mean: bool,
        stalls: bool,
        decisions: int,
        budget: int = _BUDGET,
    ) -> None:
        self._hands, self._search = hands, search
        self._budget, self._decisions = budget, decisions
        view, rules = hands.view, hands.view.rules
        n, size = view.deck_left, rules.hand_size
        words, state = view.packed.rules, view.packed.state
        self._drawn = rules.deck_size - n
        width, depth = w.team_key_width(words, n), 2 * search_depth(rules, n) + 2
        allowed = np.full(rules.deck_size, -1, np.int64)
        for place, cards in zip(hands.places, hands.allowed, strict=True):
            allowed[place] = sum(1 << (c.color * rules.ranks + c.rank - 1) for c in cards)
        used = np.zeros(w.N_USED, np.int64)
        used[w.GOAL] = EXPECTATION if is_mean else rules.max_score
        used[w.SEAT], used[w.STALLS], used[w.DECISIONS] = view.seat, stalls, decisions
        self._team = w.Team(
            rules=words,
            deck=search.deck,
            allowed=allowed,
            orders=orders_of(n),
            states=np.zeros((depth, state.size), np.int64),
            frames=np.zeros((depth, w.KEY + width), np.int64),
            moves=np.zeros((depth, int(words[k.MAX_ACTIONS]) + 2 * size), np.int64),
            hands=np.zeros((depth, 2 * size + n), np.int64),
            counts=np.zeros(rules.colors * rules.ranks, np.int64),
            cards=np.zeros(rules.seats * size + size + n, np.int64),
            possible=np.zeros(size, np.int64),
            keys=np.zeros((_FIRST_ROWS, width), np.int64),
            values=np.full(_FIRST_ROWS, -1, np.int64),
            situations=np.zeros((_FIRST_ROWS, width), np.int64),
            plan=np.full(_FIRST_ROWS, -1, np.int64),
            seen=np.zeros(width, np.int64),
            used=used,
            goals=search.goals,
            means=search.means,
        )

    def value(self, action: Action, clock: Clock) -> Bounds:
        """Return the sum over all deals of the plan's results after an action, or bounds on it."""
        hands = self._hands
        self._search.place(self._hidden, hands.codes(next(iter(hands.groups(-1)))))
        return self._run(hands.view.packed.state, action, w.ROOT, clock)

    def act(self, table: Table) -> Action:
        """Return what the plan does in a position that it leads to.

        Parameters
        ----------
        table
            The seat's view if it is to act, else the game. Only the hands of a game are used, not
            the order of its deck.
        """
        deck, state = table.packed.deck.copy(), table.packed.state
        unseen = table.rules.spec.counts()
        drawn = int(state[k.DRAWN])
        hidden = [index for index in range(deck.size) if index >= drawn or not deck[index]]
        for index in set(range(deck.size)) - set(hidden):
            unseen[unpack_card(int(deck[index]))] -= 1
        deck[hidden] = [card.color << 5 | card.rank for card in sorted(unseen.elements())]
        self._team.deck[:] = deck
        self._team.states[0] = state
        self._team.used[w.DECISIONS] = 0  # what is not decided by now is left to the rule of thumb
        if table.seat_to_act == self._hands.view.seat:
            return Action.from_code(int(w.planned(self._team)))
        moves = self._team.moves[0, : w.list_all(self._team)].tolist()
        actions = [Action.from_code(code) for code in moves]
        values = []
        for action in actions:
            self._team.deck[:] = deck
            values.append(self._run(state, action, w.GIVEN, Clock())[0])
        return actions[values.index(max(values))]

    @property
    def _hidden(self) -> list[int]:
        return [*self._hands.places, *range(self._drawn, self._hands.view.rules.deck_size)]

    def _run(self, state: Words, action: Action, kind: int, clock: Clock) -> Bounds:
        team = self._team
        team.states[0] = state
        team.used[w.BUDGET] = team.used[w.TRIED] + self._budget
        w.begin_given(team, action.code, kind)
        answer = PAUSED
        while answer != DONE:
            answer = w.run_team(self._team, _CHUNK)
            if answer in (w.SMALL_GOALS, w.SMALL_MEANS):
                self._search.grow(is_mean=answer == w.SMALL_MEANS)
                self._team = self._team._replace(goals=self._search.goals, means=self._search.means)
            elif answer == w.SMALL_PLAN:
                self._grow_plan()
            if answer != DONE and clock.is_over:
                done = max(0, int(self._team.frames[0, w.SUM])) if kind == w.ROOT else 0
                return done, -1
            if self._team.used[w.FILLED] * 4 >= self._team.values.size * 3:
                self._grow_values()
        value = int(self._team.used[w.VALUE])
        return value, value

    def _grow_plan(self) -> None:
        team = self._team
        situations, plan = _larger(team.situations, team.plan)
        self._team = team._replace(situations=situations, plan=plan)

    def _grow_values(self) -> None:
        team = self._team
        if team.values.size * 4 * (team.keys.shape[1] + 1) * 8 <= self._search.memory:
            keys, values = _larger(team.keys, team.values)
            self._team = team._replace(keys=keys, values=values)


def _larger(keys: Words, values: Words) -> tuple[Words, Words]:
    """Return a transposition table with the same entries in four times as many rows."""
    rows, width = keys.shape
    new_keys, new = np.zeros((4 * rows, width), np.int64), np.full(4 * rows, -1, np.int64)
    move_rows(keys, values, new_keys, new)
    return new_keys, new


_PLANS = ((True, 0), (False, 0), (True, 1), (True, 2))
"""The plans that are tried: whether they stall, and their decisions by averages."""


def _best_plans(
    hands: Hands,
    search: DrawSearch,
    top: int,
    above: Mapping[Action, Range],
    plans: int,
    clock: Clock,
) -> dict[Action, Range]:
    """Return the value of the best plan after each action, a range if time was over."""
    cases = hands.weight * factorial(hands.view.deck_left)
    best = {action: Range(Fraction(0), each.high) for action, each in above.items()}
    if cases * top >= 1 << 62:
        return best  # sums would not fit into machine words
    for stalls, decisions in _PLANS[:plans]:
        plan = Plan(hands, search, is_mean=top > 1, stalls=stalls, decisions=decisions)
        known: dict[tuple[object, ...], Range] = {}
        for action, found in best.items():
            if found.low == above[action].high or clock.is_over:
                continue
            key = hands.alike(action)
            if key not in known:
                low, high = plan.value(action, clock)
                known[key] = Range(
                    Fraction(low, cases), above[action].high if high < 0 else Fraction(high, cases)
                )
            if known[key].low >= found.low:
                best[action] = known[key]
    return best
