"""Solitaire Hanabi in which no card repeats (r = 1): greedy, in linear time.

[Baffier2017, section 2]. No card may be thrown away, so there is nothing to decide: play a card as
soon as it can be played, and hold it until then. The card at position i leaves the hand at f_i, the
last position of a card of its color whose value is at most its own. The least hand size is

- the largest hand that greedy play ever holds,
- the thickness: the most intervals (i, f_i] that meet any position,
- the number of passes of bubble sort by the keys (f_i, a_i), a_i the value: greedy's playing order.

Mended here: every card must occur, or the thickness says nothing (E3: the stream of the single card
2 has thickness 0); the condition is thickness <= h, not the converse that the slides print (E4);
and bubble sort needs those keys as soon as there are two colors (E5).

The loops are in :mod:`hanabi.solitaire.kernels.linear`; from 20,000 cards on, unless nc is more
than 8 N, they are compiled. Each function raises SolverError if a card occurs twice, and names the
first such card and both positions.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from hanabi.ground import NO_LIMIT, BudgetEndedError, Clock, SolverError, Status, Verdict
from hanabi.rules import Card
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.loops import COMPILED_FROM, Loops
from hanabi.solitaire.play import Play

__all__ = ["bubble_sort_passes", "interval_thickness", "last_needed", "least_hand", "solve"]


def solve(instance: Instance, *, seconds: float | None = None) -> Verdict[Play]:
    """Decide an instance without repeated cards, with the winning play. O(N).

    It is winnable exactly when every card occurs and greedy play never holds more than h cards.
    When `seconds` have passed the verdict is UNKNOWN; UNWINNABLE with wide bounds, if that was
    known by then.

    Returns
    -------
    Verdict
        An unwinnable stream's reason names a card that never occurs, or the position after which
        more than h cards would all have to be held. `lower` and `upper` then bound the cards that
        can be played; they are equal if it is only missing cards that lose.

    >>> from hanabi.solitaire import Instance, verify_play
    >>> instance = Instance(2, [(0, 2), (0, 3), (1, 1), (0, 1), (1, 3), (1, 2)])
    >>> verdict = solve(instance)
    >>> verdict.reason
    'every card occurs and greedy play holds at most 2 cards'
    >>> verify_play(instance, verdict.witness)
    >>> verdict = solve(instance.with_hand_size(1))
    >>> verdict.reason
    'after card 2 (r3), 2 cards that are all needed would have to be held, but h = 1'
    >>> verdict.lower, verdict.upper
    (5, 5)
    """
    clock = Clock(seconds)
    known: Verdict[Play] = Verdict(Status.UNKNOWN, "unique", "out of time", upper=instance.goal)
    try:
        run = _begin(instance, clock)
        greedy = run.greedy()
        if greedy.missing is None and not greedy.overflow:
            plural = "" if greedy.most_held == 1 else "s"
            return Verdict(
                Status.WINNABLE,
                "unique",
                f"every card occurs and greedy play holds at most {greedy.most_held} card{plural}",
                witness=run.winning_play(),
                lower=instance.goal,
                upper=instance.goal,
                seconds=clock.elapsed,
            )
        known = Verdict(
            Status.UNWINNABLE, "unique", _why_not(instance, greedy), upper=instance.goal - 1
        )
        lower, upper = run.bounds()
    except BudgetEndedError:
        return replace(known, seconds=clock.elapsed)
    if instance.c == 1:
        upper = lower  # the one card given up is then always the right one
    return replace(known, lower=lower, upper=upper, seconds=clock.elapsed)


def least_hand(instance: Instance) -> int | None:
    """Return the least hand size with which the stream can be won, or None if there is none. O(N).

    The instance's own hand size plays no part.

    >>> from hanabi.solitaire import Instance
    >>> least_hand(Instance(0, [(0, 3), (0, 2), (1, 1), (0, 1), (1, 3), (1, 2)]))
    2
    >>> least_hand(Instance(0, [(0, 3), (0, 2)])) is None
    True
    """
    run = _begin(instance)
    greedy = run.greedy()
    return greedy.most_held if greedy.missing is None else None


def last_needed(instance: Instance) -> memoryview:
    """Return f_i for every position i of the stream: when its card can leave the hand.

    f_i is the last position of a card of the same color whose value is at most as large. Read-only
    int32, shape (N,), entries 1..N in the order of the stream. O(N + nc) [Baffier2017, section 2].

    >>> from hanabi.solitaire import Instance
    >>> list(last_needed(Instance(0, [(0, 3), (0, 2), (1, 1), (0, 1), (1, 3), (1, 2)])))
    [4, 4, 3, 4, 6, 6]
    """
    return _begin(instance).last_needed()


def interval_thickness(instance: Instance) -> int:
    """Return w, the most intervals (i, f_i] that meet any position. O(N + nc).

    Equal to the least hand size when every card occurs [Baffier2017, Lemma 2.1]; for a stream that
    lacks a card it says nothing about winning (E3).

    >>> from hanabi.solitaire import Instance
    >>> interval_thickness(Instance(0, [(0, 3), (0, 2), (1, 1), (0, 1), (1, 3), (1, 2)]))
    2
    >>> interval_thickness(Instance(0, [(0, 2)]))
    0
    """
    return _begin(instance).most_left()[0]


def bubble_sort_passes(instance: Instance) -> int:
    """Return how many passes bubble sort needs to sort the stream by the keys (f_i, a_i).

    That is the farthest that any card moves to the left (`docs/linear-time.md` says why), which a
    counting sort finds in O(N + nc): no need for O(N h) swaps, as on the slides. Equal to the
    thickness, and to the least hand size when every card occurs (E5).

    >>> from hanabi.solitaire import Instance
    >>> bubble_sort_passes(Instance(0, [(0, 3), (0, 2), (1, 1), (0, 1), (1, 3), (1, 2)]))
    2
    """
    return _begin(instance).most_left()[1]


class Greedy(NamedTuple):
    """What greedy play of a stream shows, whatever the hand size does to it."""

    most_held: int
    overflow: int
    """Position of the card that first makes the hand larger than h; 0: none."""
    missing: Card | None


class _Run(Loops):
    """The algorithms on one stream."""

    def __init__(self, instance: Instance, clock: Clock, *, compiled: bool) -> None:
        super().__init__(instance, instance.n, clock, compiled=compiled)
        self.instance = instance

    def greedy(self) -> Greedy:
        """Play as early as possible, whatever the hand grows to."""
        goal = self.n * self.c
        self.seen = self.wide(goal // 32 + 1, "I")
        piles, tally = self.wide(self.c), self.zeros(4, "q")
        for stretch in self.stretches(self.N):
            self._refuse(self.kernel.play_greedily(self.columns, *stretch, self.seen, piles, tally))
        _, most_held, overflow, _ = map(int, tally)
        missing = None if goal == self.N else self._first_missing()
        return Greedy(most_held, overflow, missing)

    def _first_missing(self) -> Card:
        word = next(word for word in range(self.N // 32 + 1) if self.seen[word] != 2**32 - 1)
        bits = int(self.seen[word])
        index = 32 * word + (~bits & (bits + 1)).bit_length() - 1
        return Card(index // self.n, index % self.n + 1)

    def _refuse(self, second: int) -> None:
        """Raise SolverError if there is a position of a repeated card."""
        if second:
            cards = list(
                zip(self.instance.colors[:second], self.instance.values[:second], strict=True)
            )
            name, first = self.instance.card_name(*cards[-1]), cards.index(cards[-1]) + 1
            raise SolverError(
                f"unique: card {name} occurs twice, at positions {first} and {second};"
                " this solver needs r = 1"
            )

    def winning_play(self) -> Play:
        """Return the play of a stream that can be won."""
        wanted = self.flags(self.N + 1)
        wanted[:] = 1 if self.is_compiled else b"\1" * len(wanted)
        return self.play(wanted)

    def bounds(self) -> tuple[int, int]:
        """Return bounds on the most cards that can be played, after greedy play."""
        limits, piles, tally = self.wide(self.c), self.wide(self.c), self.zeros(3, "q")
        possible = self.kernel.find_limits(self.columns, self.seen, limits)
        held = self.wide(self.n * self.c, "b")
        for stretch in self.stretches(self.N):
            self.kernel.play_what_fits(self.columns, *stretch, held, limits, piles, tally)
        return int(tally[0]), int(possible - tally[2])

    def _by_color(self) -> tuple[Any, Any, Any]:
        """Return the position of each card, the cards by color and value, and f by position."""
        where, needed = self.wide(self.n * self.c), self.zeros(self.N)
        for stretch in self.stretches(self.N):
            self._refuse(self.kernel.find_positions(self.columns, *stretch, where))
        cards = self.nonzero(where)
        self.kernel.find_last_needed(where, cards, self.n, needed)
        return where, cards, needed

    def last_needed(self) -> memoryview:
        """Return f of every position."""
        return self.view(self._by_color()[2])

    def most_left(self) -> tuple[int, int]:
        """Return the thickness, and the farthest that sorting moves a card to the left."""
        thickness, farthest = self.kernel.most_left(*self._by_color(), self.zeros(self.N + 1))
        return int(thickness), int(farthest)


def _begin(instance: Instance, clock: Clock = NO_LIMIT) -> _Run:
    # A card index must not cost much more memory than the stream: n and c may be anything.
    is_long = instance.N >= COMPILED_FROM and instance.goal <= 8 * instance.N
    return _Run(instance, clock, compiled=is_long)


def _why_not(instance: Instance, greedy: Greedy) -> str:
    if greedy.missing is not None:
        return f"card {instance.card_name(*greedy.missing)} never occurs"
    h, position = instance.hand_size, greedy.overflow
    card = instance.card_name(instance.colors[position - 1], instance.values[position - 1])
    return (
        f"after card {position} ({card}), {h + 1} cards that are all needed would have to be held,"
        f" but h = {h}"
    )
