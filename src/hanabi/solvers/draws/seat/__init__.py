"""The judge: the worth of each action to a seat that does not see its own hand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import factorial

from hanabi.ground import Clock, InvalidInputError
from hanabi.rules import Action, Card, View
from hanabi.solvers.draws.kernels import BY_AGE, BY_CHANCE, SILENT
from hanabi.solvers.draws.seat.hands import Hands, sort_of
from hanabi.solvers.draws.seat.plans import Plan
from hanabi.solvers.draws.seat.signals import Signals
from hanabi.solvers.draws.solver import (
    DEFAULT_MEMORY,
    ActionChances,
    Bounds,
    Chances,
    DrawSearch,
    Range,
    check_supported,
)

__all__ = ["Hands", "Judged", "Judgement", "Plan", "judge"]


@dataclass(frozen=True, slots=True)
class Judged(ActionChances):
    """The value of an action to the seat, between two values that are certified.

    `perfect` and `points` go from the low end of `below` to the high end of `above`, or to a lower
    one that counts what the others can tell (`hanabi.solvers.draws.seat.signals`). But `points` may
    begin higher: at the low end of `perfect` times all points, if the plan for a perfect score
    secures more than the plan for points does.

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


@dataclass(frozen=True, slots=True, repr=False)
class Judgement(Chances):
    """The value of each legal action to the seat to act, as `Chances` with brackets.

    `cases` counts the deals: the seat's hands and orders of the deck that fit, copies distinct.
    `cost` is therefore a certified loss: the least that an action gives away by this seat's view,
    whatever the best play in the brackets is.
    """

    actions: tuple[Judged, ...]

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
    among: Collection[Sequence[Card]] | None = None,
    seconds: float | None = None,
    memory: int = DEFAULT_MEMORY,
    points: bool = True,
    effort: int = 3,
) -> Judgement:
    """Return the value of each legal action to the seat to act, which does not see its hand.

    The seat knows what it sees, and what hints say of its own cards, positive and negative. A
    *deal* is a hand of this seat and an order of the cards still to be drawn. All deals in which
    the game would have gone on as it did, as far as the seat saw it, are equally likely, copies
    told apart. Nothing is read into the choices of the others.

    The value of an action is the best chance of a perfect score, and the best expected score, of a
    team in which this seat alone does not see its hand. The others see all hands, theirs too, and
    all may have agreed on anything. Nobody knows the order of the deck. It is at most the value
    *above*: the mean over the deals of the value with open hands
    (`hanabi.solvers.draws.open_chances`).

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
    among
        The only hands that count, in slot order, the hidden cards alone; None for all that fit. For
        example those in which the others would have acted as they did (`hanabi.players.partners`).
    seconds
        Wall-clock time; None: no limit. What is not exact by then is a bracket. Lower ends are
        sought first for the actions that may still be the best.
    memory
        Bytes for the transposition table of each of the two questions.
    points
        Whether to compute expected scores too, which takes longer; otherwise they are bounded.
    effort
        Thought given to the lower ends, and to counting signals: 0 for none, which leaves lower
        ends 0; 1 for plans by rules of thumb, in which hints say nothing or command the seat's next
        action; 2 and 3 for plans in which the seat averages over hands and hints say what they
        touch, too, which may take 10 and 100 times as long.

    Raises
    ------
    InvalidInputError
        If another seat is to act, the game is over, more than 15 cards are to be drawn, `known`
        names a slot that is not there, or no deal fits.
    SolverError
        If the rules are not supported, as for `open_chances`.

    >>> from hanabi import DeckSpec
    >>> from hanabi.rules import Game, Rules
    >>> rules = Rules(spec=DeckSpec(((1, 1),)), seats=2, hand_size=1, hints=0, lives=1)
    >>> found = judge(Game.start(rules, [(0, 1), (0, 2)]).view(0))
    >>> found.cases, str(found.perfect)
    (1, '1')
    """
    if view.seat != view.seat_to_act:
        raise InvalidInputError(f"seat {view.seat_to_act} is to act, not {view.seat}")
    check_supported(view)
    clock = Clock(seconds)
    hands = Hands(view, known or {}, among)
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
    most = [{action: pair[which].high for action, pair in above.items()} for which in (0, 1)]
    below = [_Below(hands, search, is_mean=which == 1, most=most[which]) for which in (0, 1)]
    for rivals in (True, False):
        for plans, values in _STEPS[:effort]:
            for budget, telling, commands in plans:
                for each in below[: 1 + points]:
                    each.improve(budget, telling, clock, commands=commands, rivals=rivals)
            if rivals:
                below[0].count_signals(values, clock)
    goals, means = (each.best for each in below)
    found = []
    for action, (chance, score) in above.items():
        secured, highest = (goals[action], means[action]), top - 1 + most[0][action]
        found.append(
            Judged(
                action,
                Range(secured[0].low, most[0][action]),
                Range(max(secured[1].low, top * secured[0].low), min(score.high, highest)),
                (chance, score),
                secured,
            )
        )
    return Judgement(tuple(found), n_deals, clock.elapsed)


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
        if self._clock.is_over:
            return Range(Fraction(0), Fraction(top))
        place = hands.place_of(action)
        for types, weight in hands.groups(place).items():
            bounds = self._value(action, place, types)
            low, high = low + weight * bounds[0], high + weight * bounds[1]
        cases = hands.weight * factorial(hands.view.deck_left)
        return Range(Fraction(low, cases), min(Fraction(top), Fraction(high, cases)))

    def _value(self, action: Action, place: int, types: tuple[int, ...]) -> Bounds:
        hands, places = self._hands, self._hands.places
        moved = 0 if place < 0 else 1
        key = sort_of(action, hands.view), hands.sorts(types[:moved]), hands.sorts(types[moved:])
        if key not in self._known:
            size = hands.view.rules.deck_size
            order = [*places[place : place + moved], *places[:place], *places[place + 1 :]]
            undrawn = range(size - hands.view.deck_left, size)
            self._search.place([*(order if moved else places), *undrawn], hands.codes(types))
            self._known[key] = self._solve(hands.view.packed.state, self._clock, action)
        return self._known[key]


_MOST_HANDS = 1 << 18
"""Most hands that a plan is made for, copies told apart."""

_MOST_HANDS_TOLD_APART = 4000
"""Most hands for which signals are counted."""

_STEPS = (
    (((0, 0, SILENT), (0, 0, BY_CHANCE)), 1 << 14),
    (((1 << 20, 0, BY_CHANCE), (1 << 20, 1, BY_CHANCE)), 1 << 18),
    (
        (
            (1 << 15, 2, BY_CHANCE),
            (1 << 20, 2, BY_CHANCE),
            (1 << 20, 2, SILENT),
            (1 << 20, 2, BY_AGE),
        ),
        1 << 21,
    ),
)
"""What each effort adds: plans, by their budget, the hints that they consider, and the commands of
the others; and then how many positions to value for each action to count signals."""


class _Below:
    """The best plan's value after each action: a range if time was over.

    Parameters
    ----------
    hands, search, is_mean
        As for `Plan`.
    most
        The upper ends, which `count_signals` lowers; a plan that attains its end is not improved.
    """

    def __init__(
        self, hands: Hands, search: DrawSearch, *, is_mean: bool, most: dict[Action, Fraction]
    ) -> None:
        self._hands, self._search, self._is_mean, self._most = hands, search, is_mean, most
        self._cases = hands.weight * factorial(hands.view.deck_left)
        is_large = self._cases * hands.view.rules.max_score >= 1 << 62  # beyond machine words
        self._is_done = is_large or hands.weight > _MOST_HANDS
        self._signals: Signals | None = None
        self._known: dict[tuple[object, ...], Range] = {}
        self.best = {action: Range(Fraction(0), each) for action, each in most.items()}

    def improve(
        self, budget: int, telling: int, clock: Clock, *, commands: int, rivals: bool
    ) -> None:
        """Try a plan after each action; after `rivals` alone, if only the best one is sought."""
        actions = sorted(self.best, key=lambda each: self._most[each], reverse=True)
        if self._is_done or not any(self._is_open(each, rivals=rivals) for each in actions):
            return
        self._known = {key: each for key, each in self._known.items() if each.is_exact}
        plan = Plan(
            self._hands,
            self._search,
            is_mean=self._is_mean,
            budget=budget,
            telling=telling,
            commands=commands,
        )
        for action in actions:
            if clock.is_over or not self._is_open(action, rivals=rivals):
                continue
            found, top = self.best[action], self._most[action]
            key = budget, telling, commands, self._hands.alike(action)
            if key not in self._known:
                part = Clock(clock.left and clock.left * 0.75)  # others get their share
                low, high = plan.value(action, part)
                if low == high and plan.merges and budget:
                    low = high = plan.improved(action, low, part)
                end = top if high < 0 else Fraction(high, self._cases)
                self._known[key] = Range(Fraction(low, self._cases), end)
            new = self._known[key]
            if new.low > found.low or (new.low == found.low and not found.is_exact):
                self.best[action] = new

    def count_signals(self, values: int, clock: Clock) -> None:
        """Lower the ends of actions that may be the best by what the seat can be told.

        `values` is how many positions to value for each.
        """
        if self._is_done or self._hands.weight > _MOST_HANDS_TOLD_APART:
            return
        self._signals = self._signals or Signals(self._hands, self._search)
        known: dict[tuple[object, ...], int] = {}
        for action in sorted(self.best, key=lambda each: self._most[each], reverse=True):
            alike = self._hands.alike(action)
            if clock.is_over or not self._is_open(action, rivals=True):
                continue
            if alike not in known:
                most = int(self._most[action] * self._cases)
                part = Clock(clock.left and clock.left / 4)
                known[alike] = self._signals.most(action, most, values, part)
            self._most[action] = Fraction(known[alike], self._cases)

    def _is_open(self, action: Action, *, rivals: bool) -> bool:
        """Whether a better plan may exist after an action, for `rivals` one that makes it best."""
        low, high = self.best[action].low, self._most[action]
        if rivals:
            alike = self._hands.alike(action)
            others = [each for each in self.best if self._hands.alike(each) != alike]
            low = max([low, *(self.best[each].low for each in others)])
        return low < high
