"""The most cards where a color has few windows, exactly or with a guarantee.

A color of three values has at most three plans beside holding nothing (copies as in
`hanabi.solitaire.few_values`): its 2 is held until 1 comes; or its 3 until 2 comes; or both until 1
comes. A plan *gains* the cards that it plays beside those which are played without the hand.

- n <= 2: each gain is 1. Of the windows in the order in which they open, the one that closes last
  is let go where more than h are open. This keeps the most windows. O(N log N + N h).
- n = 3, r = 1: a color has a single window, or two that close together. So while none is open
  nothing is remembered: a dynamic program over the sets of open windows. O(h N) for h = 1, and the
  number of such sets, up to N**h, in general.
- n = 3, h = 1: each color takes at most one window, which is weighted job interval selection. The
  two-phase algorithm [BermanDasGupta2000] reaches half of the largest gain. As this is at most
  twice what is played without holding, no play has more than 3/2 as many cards.
- Otherwise: the better of one color with the whole hand, and of holding nothing. As the first is
  optimal for its color, and the second plays a card of each, no play has more than min(c, n) times
  as many.

The proofs are on the page `docs/complexity.md`.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from hanabi.ground import NO_LIMIT, Clock
from hanabi.solitaire import single_color
from hanabi.solitaire.eager import eager_play
from hanabi.solitaire.few_values import find_copies
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.search import MostCards, usable_part

__all__ = ["quick_most_cards"]

_MOST_SETS = 5_000  # of two and more windows; the program of paths is quicker than more


class Plan(NamedTuple):
    """A way to play a color by holding cards: windows, more cards than without, and all copies."""

    color: int
    opens: int
    closes: int
    gain: int
    copies: tuple[int, ...]
    both_from: int = 0
    """Where a second card is drawn that may be held until `closes` for one more; 0: none is."""
    both: tuple[int, ...] = ()


def quick_most_cards(instance: Instance, clock: Clock = NO_LIMIT) -> MostCards:
    """Return the most cards that can be played, or bounds with the guarantee of the cases above.

    Raises BudgetEndedError when the clock runs out.

    >>> stream = [(0, 2), (1, 2), (1, 1), (0, 1), (0, 3), (1, 3)]
    >>> most = quick_most_cards(Instance(1, stream))
    >>> most.lower, most.upper
    (4, 4)
    """
    usable, origin, most = usable_part(instance, clock)
    if usable.n > 3:
        chosen = _one_or_none(usable, clock)
    else:
        free, plans = _plans(usable, clock)
        played, best = sum(map(len, free)), None
        if usable.n <= 2:
            best = _fit_most(plans, usable.hand_size)
        elif usable.r <= 1:
            best = _fit_best(plans, usable.hand_size, clock)
        if best is not None:
            most = played + sum(len(copies) - len(free[color]) for color, copies in best)
        elif usable.hand_size == 1:
            best, gain = _fit_half(plans)
            most = min(most, played + 2 * gain)
        for color, copies in best or ():
            free[color] = copies
        chosen = [position - 1 for copies in free for position in copies]
        if best is None:
            chosen = max(chosen, _one_or_none(usable, clock), key=len)
    play = eager_play(instance, (origin[position] for position in chosen), clock)
    return MostCards(len(chosen), most, play)


Fitted: TypeAlias = "Iterable[tuple[int, tuple[int, ...]]]"
"""Colors that hold something, and the copies that they play."""


def _plans(instance: Instance, clock: Clock) -> tuple[list[tuple[int, ...]], list[Plan]]:
    """Return the copies that each color plays without the hand, and what it may hold."""
    free: list[tuple[int, ...]] = []
    plans = []
    for color, copies in enumerate(find_copies(instance, clock)):
        one, two_before, two_after, three_before, three_between, three_after = copies
        alone = tuple(filter(None, (one, two_after, two_after and three_after)))
        free.append(alone)
        if two_before and len(alone) < 3:
            held = tuple(filter(None, (one, two_before, three_between or three_after)))
            if len(held) > len(alone):
                both = (one, two_before, three_before) if 0 < three_before < one else ()
                extra = three_before if both and not two_after else 0
                plans.append(
                    Plan(color, two_before, one, len(held) - len(alone), held, extra, both)
                )
        if two_after and three_before and len(alone) < 3:
            plans.append(Plan(color, three_before, two_after, 1, (one, two_after, three_before)))
    return free, plans


def _fit_most(plans: Sequence[Plan], hand_size: int) -> Fitted:
    """Return the most plans of one window each that fit."""
    held, kept = list[tuple[int, Plan]](), list[Plan]()
    for plan in sorted(plans, key=lambda each: each.opens):
        done = bisect_left(held, (plan.opens,))
        kept += (each for _, each in held[:done])
        del held[:done]
        insort(held, (plan.closes, plan))
        del held[hand_size:]
    return [(plan.color, plan.copies) for plan in [*kept, *(each for _, each in held)]]


_Trail: TypeAlias = "tuple[tuple[int, tuple[int, ...]], _Trail] | None"


def _fit_best(plans: Sequence[Plan], hand_size: int, clock: Clock) -> Fitted | None:
    """Return the best plans that fit, where a color has one; None if there are too many sets."""
    events = [(plan.closes, 0, i) for i, plan in enumerate(plans)]
    events += [(plan.opens, 2 * i + 1, i) for i, plan in enumerate(plans)]
    events += [(plan.both_from, 2 * i + 2, i) for i, plan in enumerate(plans) if plan.both_from]
    best: dict[frozenset[int], tuple[int, _Trail]] = {frozenset(): (0, None)}
    roomy = {frozenset[int]()} if hand_size else set()  # sets that leave a place
    sets_with = defaultdict[int, set[frozenset[int]]](set)  # of a card
    for _, card, i in clock.watch(sorted(events), every=100):
        plan = plans[i]
        two, three = 2 * i + 1, 2 * i + 2
        if card:
            for held in list(roomy):
                more = held | {card}
                best[more] = best[held]
                if len(more) < hand_size:
                    roomy.add(more)
                for each in more:
                    sets_with[each].add(more)
            if len(best) > _MOST_SETS and hand_size > 1:
                return None
            continue
        for held in sets_with.pop(two, set()) | sets_with.pop(three, set()):
            gain, trail = best.pop(held)
            rest = held - {two, three}
            roomy.discard(held)
            roomy.add(rest)
            for each in rest:
                sets_with[each].discard(held)
            if two in held:
                is_both = three in held
                gain += plan.gain + is_both
                trail = (plan.color, plan.both if is_both else plan.copies), trail
            if rest not in best or best[rest][0] < gain:
                best[rest] = gain, trail
                for each in rest:
                    sets_with[each].add(rest)
    trail, found = best[frozenset()][1], []
    while trail is not None:
        fitted, trail = trail
        found.append(fitted)
    return found


def _fit_half(plans: Sequence[Plan]) -> tuple[Fitted, int]:
    """Return plans that fit one place, one a color, and how much they gain at least.

    No plans gain more than twice as much.
    """
    closes, sums = list[int](), [0]  # of the plans on the stack: where they close; values before
    of_color = defaultdict[int, list[tuple[int, int]]](list)
    stack = []
    for plan in sorted(plans, key=lambda each: each.closes):
        first = bisect_left(closes, plan.opens + 1)
        value = plan.gain - (sums[-1] - sums[first])
        value -= sum(each for end, each in of_color[plan.color] if end <= plan.opens)
        if value > 0:
            stack.append(plan)
            closes.append(plan.closes)
            sums.append(sums[-1] + value)
            of_color[plan.color].append((plan.closes, value))
    found = dict[int, tuple[int, ...]]()
    free_until = None
    for plan in reversed(stack):
        if plan.color not in found and (free_until is None or plan.closes <= free_until):
            found[plan.color] = plan.copies
            free_until = plan.opens
    return found.items(), sums[-1]


def _one_or_none(instance: Instance, clock: Clock) -> list[int]:
    """Return the 0-based positions that the better of two plays chooses.

    One plays as much as possible of one color, the other holds nothing.
    """
    piles = [0] * instance.c
    free = []
    where = [list[int]() for _ in piles]
    cards = zip(instance.colors, instance.values, strict=True)
    for position, (color, value) in enumerate(clock.watch(cards)):
        where[color].append(position)
        if value == piles[color] + 1:
            piles[color] = value
            free.append(position)
    best = free
    for own in where:
        alone = Instance(instance.hand_size, [(0, instance.values[each]) for each in own])
        most = single_color.solve(alone, seconds=clock.left).lower
        if most > len(best):
            kept = [each for each in own if instance.values[each] <= most]
            low = Instance(instance.hand_size, [(0, instance.values[each]) for each in kept])
            best = [kept[position - 1] for position in single_color.chosen_positions(low) or ()]
    return best
