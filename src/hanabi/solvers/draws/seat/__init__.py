"""The judge: the worth of each action to a seat that does not see its own hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import factorial
from typing import TYPE_CHECKING

import numpy as np

from hanabi.rules import Card, format_cards
from hanabi.ground import Clock
from hanabi.solvers.draws import kernels as e
from hanabi.solvers.draws.kernels import give
from hanabi.solvers.draws.seat.kernels import search as w
from hanabi.solvers.draws.seat.kernels import team as t
from hanabi.solvers.draws.solver import (
    DEFAULT_MEMORY,
    ActionChances,
    Bounds,
    Chances,
    DrawSearch,
    Range,
    check_supported,
    dead_classes,
    grown,
    is_plain,
    larger,
    new_walk,
    search_depth,
)
from hanabi.ground import InvalidInputError
from hanabi.rules import Action, Game, Table, View
from hanabi.rules import layout as k
from hanabi.rules import Packed
from hanabi.rules import find_end
from hanabi.worlds import Hidden, complete_deck

if TYPE_CHECKING:
    from hanabi.ground import Words

__all__ = ["Hands", "Judged", "Judgement", "Plan", "judge"]

_Types = tuple[int, ...]
_Merged = dict[tuple[_Types, _Types], tuple[_Types, int]]

_FIRST_ROWS = 1 << 12
_CHUNK = 20_000  # positions between two checks of the clock


@dataclass(frozen=True, slots=True)
class Judged(ActionChances):
    """The value of an action to the seat, between two values that are certified.

    `perfect` and `points` go from the low end of `below` to the high end of `above`. But `points`
    may begin higher: at the low end of `perfect` times all points, if the plan for a perfect score
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
        Thought given to the lower ends: 0 for none, which leaves them 0; 1 for plans by rules of
        thumb, in which hints say nothing or command the seat's next action; 2 and 3 for plans in
        which the seat averages over hands and hints say what they touch, too, which may take 10 and
        100 times as long.

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
    ends = [{action: pair[which] for action, pair in above.items()} for which in (0, 1)]
    below = [_Below(hands, search, is_mean=which == 1, above=ends[which]) for which in (0, 1)]
    for rivals in (True, False):
        for least, budget, telling, commands in _PLANS:
            for each in below[: 1 + points] if least <= effort else ():
                each.improve(budget, telling, clock, commands=commands, rivals=rivals)
    goals, means = (each.best for each in below)
    found = []
    for action, (chance, score) in above.items():
        secured = goals[action], means[action]
        found.append(
            Judged(
                action,
                Range(secured[0].low, chance.high),
                Range(max(secured[1].low, top * secured[0].low), score.high),
                (chance, score),
                secured,
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
    among
        The only hands that count; None for all.
    apart
        Whether to tell all cards apart, as hints do.
    """

    def __init__(
        self,
        view: View,
        known: Mapping[int, Collection[Card]],
        among: Collection[Sequence[Card]] | None = None,
        *,
        apart: bool = False,
    ) -> None:
        self._known, self._among = known, among
        hidden = Hidden.of(view, known)
        self.view, self._slots, self.allowed = view, hidden.slots, hidden.allowed
        self.places = list(hidden.places[: len(hidden.slots)])
        types: dict[tuple[int, ...], list[Card]] = {}
        dead = dead_classes(view.rules)
        for card in sorted(view.unseen.elements()):
            number = card.color * view.rules.ranks + card.rank - 1
            sort = -1 - int(dead[number]) if view.is_dead(card) and not apart else number
            types.setdefault((sort, *(card in cards for cards in self.allowed)), []).append(card)
        self._sorts = [sort for sort, *_ in types]
        self._cards = list(types.values())
        self._fits = [
            [number for number, (_, *fits) in enumerate(types) if fits[place]]
            for place in range(len(self.places))
        ]
        self._ended: dict[tuple[int, ...], bool] = {}
        self._listed = None if among is None else self._list(among)
        self._whole = self._filled((), range(len(self.places)))
        self.weight = self._whole.total()
        if not self.weight:
            held = len(view.hand_indices[view.seat])
            what = "; ".join(
                f"card {held - slot} = {format_cards(sorted(cards))}"
                for slot, cards in known.items()
            )
            raise InvalidInputError(f"no deal fits what the seat knows {what}".rstrip())

    def apart(self) -> Hands:
        """Return the same hands, all cards told apart."""
        return Hands(self.view, self._known, self._among, apart=True)

    def _filled(self, first: _Types, places: Sequence[int]) -> Counter[_Types]:
        """Return the hands that begin with given types, as sorted types, and their numbers."""
        found = self._merged(first, places, lambda _: -1)
        return Counter({types: ways for (_, types), (_, ways) in found.items()})

    def _merged(self, first: _Types, places: Sequence[int], mark: Callable[[int], int]) -> _Merged:
        """Return the hands by the marks of the types in some places, and by all types, sorted.

        Of those that agree in both, one is returned, with the number of all. The other places, at
        most one, hold the types `first`.
        """
        found: _Merged = {((), first): (first, len(self._cards[first[0]]) if first else 1)}
        for place in places if self._listed is None else ():
            following: _Merged = {}
            for (marks, used), (hand, ways) in found.items():
                for number in self._fits[place]:
                    left = len(self._cards[number]) - used.count(number)
                    if left > 0:
                        key = (*marks, mark(number)), tuple(sorted((*used, number)))
                        one, before = following.get(key, ((*hand, number), 0))
                        following[key] = one, before + ways * left
            found = following
        if self._listed is not None:
            found = {}
            for types, ways in self._listed.items():
                others = tuple(each for place, each in enumerate(types) if place not in places)
                if others == first:
                    key = tuple(mark(types[place]) for place in places), tuple(sorted(types))
                    one, before = found.get(key, (types, 0))
                    found[key] = one, before + ways
        return {key: each for key, each in found.items() if not self._is_over(key[1])}

    def _list(self, among: Collection[Sequence[Card]]) -> dict[_Types, int]:
        """Return the given hands that fit, as types in slot order, and their numbers of deals."""
        number_of = {card: number for number, cards in enumerate(self._cards) for card in cards}
        unseen, found = self.view.unseen, Counter[_Types]()
        for hand in {tuple(hand) for hand in among}:
            types, left, ways = tuple(number_of.get(card, -1) for card in hand), unseen.copy(), 1
            fits = zip(types, self._fits, strict=True)
            if all(number in fitting for number, fitting in fits) and not self._is_over(types):
                for card in hand:
                    ways *= left[card]
                    left[card] -= 1
                found[types] += ways
        return dict(found)

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
        cards = self.allowed[place] if place >= 0 else None
        return *_sort_of(action, self.view), cards

    def rows(self, *, merged: bool) -> tuple[Words, Words]:
        """Return all hands slot by slot, each with the deck's cards, and their numbers of deals.

        If `merged`, a row stands for all hands in which dead cards are in the same slots.
        """
        found = self._merged(
            (),
            range(len(self.places)),
            lambda number: -1 if merged and self._sorts[number] < 0 else number,
        )
        shapes: dict[_Types, tuple[_Types, int]] = {}
        for (shape, _), (hand, ways) in found.items():
            first, before = shapes.get(shape, (hand, 0))
            shapes[shape] = first, before + ways
        codes = [self.codes(hand) for hand, _ in shapes.values()]
        return np.array(codes, np.int64), np.array([ways for _, ways in shapes.values()], np.int64)

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

    In each of its situations the seat takes the action that is best on average over all hands that
    are still possible there, or that a rule of thumb names if many positions were searched before
    (`hanabi.solvers.draws.seat.kernels`). The value is exact in both cases: the others know the
    plan. Where hints say nothing of cards, dead ones are told apart only if commands need it.

    Parameters
    ----------
    hands
        The hands that the seat may hold.
    search
        A search with open hands for the same view; the plan shares its deck and tables.
    is_mean
        Whether to plan for the expected score, instead of a perfect score.
    budget
        Positions to expand for an action until the rule of thumb makes all decisions.
    telling
        The hints to the seat that the others consider: 0 for one, to pass; 1 for those, too, that
        make a card certain to score, or certain trash; 2 for all that say something.
    commands
        Whether the others' choice of a hint, or of a card to discard, names the seat's next action.
    """

    def __init__(
        self,
        hands: Hands,
        search: DrawSearch,
        *,
        is_mean: bool,
        budget: int,
        telling: int,
        commands: bool,
    ) -> None:
        self._hands, self._search, self._budget = hands, search, budget
        self.was_cut = False
        view, rules = hands.view, hands.view.rules
        n, size, words = view.deck_left, rules.hand_size, view.packed.rules
        width = t.team_key_width(words, n)
        walk = new_walk(
            view,
            search.deck,
            depth=2 * search_depth(rules, n) + 2,
            width=width,
            moves=int(words[k.MAX_ACTIONS]) + 2 * size,
            rows=_FIRST_ROWS,
        )
        merges = telling == 0 and is_plain(rules) and not (commands and rules.seats == 2)
        walk.used[e.GOAL] = e.EXPECTATION if is_mean else rules.max_score
        walk.used[[e.SEAT, e.TELLING, e.COMMANDS, e.TRIAL]] = view.seat, telling, commands, -1
        walk.used[e.MERGES] = merges and not rules.open_hands
        allowed = np.full(rules.deck_size, -1, np.int64)
        for place, cards in zip(hands.places, hands.allowed, strict=True):
            allowed[place] = sum(1 << (c.color * rules.ranks + c.rank - 1) for c in cards)
        roots, weights = (hands if merges else hands.apart()).rows(merged=merges)
        self._team = t.Team(
            walk=walk,
            allowed=allowed,
            hands=np.zeros((len(walk.frames), 2 * size + n), np.int64),
            roots=roots,
            weights=weights,
            counts=np.zeros(t.DEAD + 1, np.int64),
            possible=np.zeros(size, np.int64),
            situations=np.zeros((_FIRST_ROWS, width), np.int64),
            plan=np.full(_FIRST_ROWS, -1, np.int64),
            seen=np.zeros(width, np.int64),
            goals=search.goals,
            means=search.means,
        )

    def value(self, action: Action, clock: Clock) -> Bounds:
        """Return the sum over all deals of the plan's results after an action, or bounds on it."""
        return self._run(self._hands.view.packed.state, action, e.ROOT, clock)

    def improved(self, action: Action, value: int, clock: Clock) -> int:
        """Change what the seat does in one situation after another while this helps.

        `value` is the plan's value after the action, which is exact; return the new one.
        """
        row = option = unchanged = 0
        until = self._team.walk.used[e.TRIED] + _IMPROVING
        while unchanged < self._team.plan.size and self._team.walk.used[e.TRIED] < until:
            team, row = self._team, row % self._team.plan.size
            is_last = team.plan[row] < 0
            if not is_last:
                plan, chosen = team.plan.copy(), int(team.walk.used[e.CHOSEN])
                self._try(row, option)
                low, high = self.value(action, clock)
                used = self._team.walk.used
                is_last = used[e.OPTION] < 0 or used[e.TRIAL] == row  # no more, or not met at all
                is_last = is_last or self._team.plan.size != plan.size  # rows have moved
                if value < low == high:
                    value, unchanged = low, 0
                else:
                    team.plan[:], used[e.CHOSEN] = plan, chosen
                    self._team = self._team._replace(situations=team.situations, plan=team.plan)
                if clock.is_over:
                    break
            option += 1
            if is_last:
                row, option, unchanged = row + 1, 0, unchanged + 1
        self._try(-1, 0)
        return value

    @property
    def merges(self) -> bool:
        """Whether dead cards in the seat's hand are not told apart."""
        return bool(self._team.walk.used[e.MERGES])

    def _try(self, row: int, option: int) -> None:
        """Forget all values; let the seat try one of its moves in the situation of a row."""
        walk = self._team.walk
        walk.values[:] = -1
        walk.used[[e.FILLED, e.TRIAL, e.OPTION]] = 0, row, option

    def act(self, table: Table) -> Action:
        """Return what the plan does in a position that it leads to.

        Parameters
        ----------
        table
            The seat's view if it is to act, else the game. Only the hands of a game are used, not
            the order of its deck.
        """
        deck, state = table.packed.deck.copy(), table.packed.state
        if isinstance(table, View):
            hidden = [place for place, card in enumerate(table.deck) if card is None]
            unseen = sorted(table.unseen.elements())
            deck[hidden] = [card.color << 5 | card.rank for card in unseen]
        else:
            deck[int(state[k.DRAWN]) :].sort()
        walk = self._team.walk
        walk.frames[0, e.COMMAND] = self._told(table)
        walk.deck[:], walk.states[0] = deck, state
        self._budget = 0  # what is not decided by now is left to the rule of thumb
        if table.seat_to_act == self._hands.view.seat:
            action, legal = Action.from_code(int(w.planned(self._team))), table.legal_actions
            if action.is_hint and action not in legal:  # planned where other dead cards were held
                return next(each for each in legal if each.is_hint)
            return action
        moves = walk.moves[0, : w.list_all(self._team)].tolist()
        actions = [Action.from_code(code) for code in moves]
        values = []
        for action in actions:
            walk.deck[:] = deck
            values.append(self._run(state, action, e.GIVEN, Clock())[0])
        return actions[values.index(max(values))]

    def _told(self, table: Table) -> int:
        """Return the command that the seat has got since its last action, plus one, or 0."""
        hidden = complete_deck(table) if isinstance(table, View) else ()
        deck = [card or hidden[place] for place, card in enumerate(table.deck)]
        game = Game.start(table.rules, deck, first_seat=table.first_seat)
        walk, told = self._team.walk, 0
        for action in table.actions:
            walk.deck[:], walk.states[0] = game.packed.deck, game.packed.state
            if game.seat_to_act == self._hands.view.seat:
                told = 0
            else:
                told = int(t.command_of(self._team, 0, action.code)) or told
            game = game.apply(action)
        return told

    def _run(self, state: Words, action: Action, kind: int, clock: Clock) -> Bounds:
        used, frame = self._team.walk.used, self._team.walk.frames[0]
        self._team.walk.states[0] = state
        used[e.BUDGET] = used[e.TRIED] + self._budget
        give(self._team.walk, 0, action.code, kind)
        answer = e.PAUSED
        while answer != e.DONE:
            answer = w.run_team(self._team, _CHUNK)
            if answer in (e.FULL, e.ASKING):
                is_mean = used[e.GOAL] == e.EXPECTATION and answer == e.FULL
                self._search.grow(is_mean=is_mean)
                self._team = self._team._replace(goals=self._search.goals, means=self._search.means)
            elif answer == w.SMALL_PLAN:
                situations, plan = larger(self._team.situations, self._team.plan)
                self._team = self._team._replace(situations=situations, plan=plan)
                used[e.TRIAL] = -1  # its row has moved
            if answer != e.DONE and clock.is_over:
                return max(0, int(frame[e.SUM])) if kind == e.ROOT else 0, -1
            walk = self._team.walk
            if used[e.FILLED] * 4 >= walk.values.size * 3:
                self._team = self._team._replace(walk=grown(walk, self._search.memory))
        self.was_cut = self.was_cut or used[e.TRIED] >= used[e.BUDGET]
        return (int(used[e.VALUE]),) * 2


_MOST_HANDS = 1 << 18
"""Most hands that a plan is made for, copies told apart."""

_IMPROVING = 1 << 18
"""Positions to expand in order to improve a plan after an action."""

_PLANS = (
    (1, 0, 0, False),
    (1, 0, 0, True),
    (2, 1 << 20, 0, True),
    (2, 1 << 20, 1, True),
    (3, 1 << 20, 2, False),
    (3, 1 << 20, 2, True),
)
"""Plans: the least effort for one, its budget, the hints that it considers, and whether the other
seats give commands."""


class _Below:
    """The best plan's value after each action: a range if time was over.

    Parameters
    ----------
    hands, search, is_mean
        As for `Plan`.
    above
        Bounds on the value above after each action; a plan that attains it is not improved.
    """

    def __init__(
        self, hands: Hands, search: DrawSearch, *, is_mean: bool, above: Mapping[Action, Range]
    ) -> None:
        self._hands, self._search, self._is_mean, self._above = hands, search, is_mean, above
        self._cases = hands.weight * factorial(hands.view.deck_left)
        is_large = self._cases * hands.view.rules.max_score >= 1 << 62  # beyond machine words
        self._is_done = is_large or hands.weight > _MOST_HANDS
        self._known: dict[tuple[object, ...], Range] = {}
        self.best = {action: Range(Fraction(0), each.high) for action, each in above.items()}

    def improve(
        self, budget: int, telling: int, clock: Clock, *, commands: bool, rivals: bool
    ) -> None:
        """Try a plan after each action; after `rivals` alone, if only the best one is sought."""
        actions = sorted(self.best, key=lambda each: self._above[each].high, reverse=True)
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
            found, top = self.best[action], self._above[action].high
            key = budget, telling, commands, self._hands.alike(action)
            if key not in self._known:
                part = Clock(clock.left and clock.left / 2)  # others get their share
                low, high = plan.value(action, part)
                if low == high and plan.merges and budget:
                    low = high = plan.improved(action, low, part)
                end = top if high < 0 else Fraction(high, self._cases)
                self._known[key] = Range(Fraction(low, self._cases), end)
            new = self._known[key]
            if new.low > found.low or (new.low == found.low and not found.is_exact):
                self.best[action] = new
        self._is_done = not rivals and telling == 2 and not plan.was_cut

    def _is_open(self, action: Action, *, rivals: bool) -> bool:
        """Whether a better plan may exist after an action, for `rivals` one that makes it best."""
        low, high = self.best[action].low, self._above[action].high
        if rivals:
            alike = self._hands.alike(action)
            others = [each for each in self.best if self._hands.alike(each) != alike]
            low = max([low, *(self.best[each].low for each in others)])
        return low < high
