"""Solitaire Hanabi as a formula: choose a copy of every card so that the hand never overflows.

What :mod:`hanabi.solitaire.sat.windows` leaves of the copies is encoded with few variables:

- for each copy but the last of a card x, "the copy chosen is this one or an earlier one"; read over
  time, this is D(x, t): the chosen copy of x has been drawn by time t;
- P(x, t), x has been played by time t, where P(x, t) = D(x, t) and P(before, t). It changes only at
  copies of x and of lower values of its color between E(x) and L(x), so over time it is a short
  list of literals, and most of them are constants or literals that exist already;
- x is held at time t if D(x, t) and not P(before, t). At most h cards are held at the times just
  before a card may leave the hand (the sets of held cards at all other times are covered).

At a time when certain cards fill the hand, D(x, t) implies P(x, t): from there on until the next
copy of x both are one literal. This keeps the formula local: between two such times only the copies
drawn in between are ever counted.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from hanabi.clock import NO_LIMIT, Clock
from hanabi.sat import ClauseBuilder, Cnf, IncrementalTotalizer
from hanabi.solitaire.eager import eager_play
from hanabi.solitaire.play import Play
from hanabi.solitaire.sat.windows import Windows, reduce_copies

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.solitaire.instance import Instance

__all__ = ["StreamEncoding", "encode"]

_TRUE = 2**31 - 1  # no variable has this number
_FALSE = -_TRUE
_CARDS_A_CHECK = 64  # between two looks at the budgets


@dataclass(frozen=True, slots=True, eq=False)
class StreamEncoding:
    """A formula that is satisfiable exactly if the instance can be won, and how to read a model.

    Attributes
    ----------
    instance
        What was encoded.
    cnf
        The formula; with an empty clause if the instance is known to be lost.
    windows
        The copies that may be chosen.
    choices
        Shape of `windows.positions`: the variable "this copy or an earlier one is chosen", 0 for
        the last copy of a card.
    """

    instance: Instance
    cnf: Cnf
    windows: Windows = field(repr=False)
    choices: npt.NDArray[np.int32] = field(repr=False)

    @property
    def lost(self) -> str | None:
        """Why the instance cannot be won, if that was found out without a solver."""
        return self.windows.lost

    def decode(self, model: npt.NDArray[np.bool_], clock: Clock = NO_LIMIT) -> Play:
        """Return the play that a model describes. O(N)."""
        import numpy as np

        chosen = np.where(self.choices == 0, True, model[self.choices])
        starts, positions = self.windows.starts, self.windows.positions
        if not len(positions):
            return Play()
        # Positions of a card ascend, so the first copy that is chosen is the smallest.
        copies = np.minimum.reduceat(np.where(chosen, positions, self.instance.N + 1), starts[:-1])
        return eager_play(self.instance, (copies - 1).tolist(), clock)

    def comments(self) -> Iterator[str]:
        """Yield one line for each variable that stands for a choice of copy."""
        instance = self.instance
        yield f"{instance!r}: satisfiable exactly if it can be won"
        for variable, position in zip(
            self.choices.tolist(), self.windows.positions.tolist(), strict=True
        ):
            if variable:
                card = instance.card_name(
                    instance.colors[position - 1], instance.values[position - 1]
                )
                yield f"{variable}: {card} is taken at position {position} or before"


def encode(
    instance: Instance,
    *,
    cut: bool = True,
    seconds: float | None = None,
    memory: int | None = None,
) -> StreamEncoding:
    """Return a formula that is satisfiable exactly if `instance` can be won.

    Without `cut`, the reductions of :mod:`hanabi.solitaire.sat.windows`, the formula says the rules
    and nothing else, and is larger. `memory` is in bytes and counts the formula in Python and in a
    solver. Raises BudgetEndedError if a budget ends.

    >>> from hanabi.solitaire import Instance
    >>> encode(Instance(1, [(0, 2), (0, 1), (0, 1), (0, 2), (0, 3)])).cnf
    Cnf(n_vars=1, n_clauses=0, n_literals=0)
    """
    import numpy as np

    clock = Clock(seconds)
    windows = reduce_copies(instance, cut=cut, clock=clock)
    cnf = Cnf()
    choices = np.zeros(len(windows.positions), dtype=np.int32)
    if windows.lost is not None:
        cnf.add_clause(())
    elif instance.goal:
        walk = _Walk(instance, windows, ClauseBuilder(cnf, memory, clock))
        choices[:] = walk.choices
        walk.bound_hand()
        walk.check()
        walk.builder.flush()
    return StreamEncoding(instance, cnf, windows, choices)


class _Holds(NamedTuple):
    """Spans of time in which a card may be held: as columns, one entry a span.

    The card is held from `start` to `end` - 1 if `drawn` and not `played`. `stored` says whether a
    copy is drawn at `start`; else a span goes on after a play of a lower value.
    """

    start: array[int]
    end: array[int]
    card: array[int]
    drawn: array[int]
    played: array[int]
    stored: array[int]


class _Walk:
    """The encoder at work: along every color what is drawn and played when, then what is held.

    Making one writes what is drawn and played; :meth:`bound_hand` writes the rest. `choices` has,
    for each copy in `windows.positions`, the variable of the choice, or 0.
    """

    def __init__(self, instance: Instance, windows: Windows, builder: ClauseBuilder) -> None:
        self.instance = instance
        self.windows = windows
        self.builder = builder
        self.next_full = windows.next_full.tolist()
        self.holds = _Holds(*[array(code) for code in "iiiiib"])
        self.choices: list[int] = []
        self.never = instance.N + 1
        positions, starts = windows.positions.tolist(), windows.starts.tolist()
        card = 0
        for _ in range(instance.c):
            times, played = [0, self.never], [_TRUE]  # value 0 has been played
            for _ in range(instance.n):
                if card % _CARDS_A_CHECK == 0:
                    self.check()
                copies = positions[starts[card] : starts[card + 1]]
                times, played = self.follow(card, copies, times, played)
                card += 1

    def check(self) -> None:
        """Raise BudgetEndedError if the budget of time or memory has ended."""
        self.builder.check(len(self.holds.start))

    def follow(
        self, card: int, copies: list[int], times: list[int], before: list[int]
    ) -> tuple[list[int], list[int]]:
        """Return when `card` is played, given when the card of value one less is.

        Both are literals over time: `before[i]` from time `times[i]` on, false before, true at the
        end; `times` ends with a time that never comes.
        """
        builder, never = self.builder, self.never
        drawn = list(builder.new_vars(len(copies) - 1))
        self.choices += drawn
        self.choices.append(0)
        for i in range(len(drawn) - 1):
            builder.pairs.extend((-drawn[i], drawn[i + 1]))
        drawn.append(_TRUE)
        copies.append(never)

        new_times: list[int] = []
        new_played: list[int] = []
        a = b = latest = _FALSE
        cut = 0  # the literal of `drawn` that is known to imply "played"
        i = j = 0
        while copies[i] < never or times[j] < never:
            now = min(copies[i], times[j])
            stored = copies[i] == now
            if stored:
                a = drawn[i]
                i += 1
            if times[j] == now:
                b = before[j]
                j += 1
            if a == _FALSE:
                continue
            until = min(copies[i], times[j])
            if b == _TRUE or a == cut:
                result = a
            elif a == _TRUE and b == _FALSE:
                result = _FALSE  # held for certain
            elif self.next_full[now] < until:
                cut, result = a, self.imply(a, b)
            else:
                self.hold(now, until, card, a, b, stored)
                result = self.both(a, b)
            if result != latest:
                new_times.append(now)
                new_played.append(result)
                latest = result
        new_times.append(never)
        return new_times, new_played

    def imply(self, a: int, b: int) -> int:
        """Add "if a then b", as the hand is full; return a literal equivalent to "a and b"."""
        if b == _FALSE:
            self.builder.units.append(-a)
            return _FALSE
        if a == _TRUE:
            self.builder.units.append(b)
        else:
            self.builder.pairs.extend((-a, b))
        return a

    def both(self, a: int, b: int) -> int:
        """Return a literal equivalent to "a and b"."""
        if b == _FALSE:
            return _FALSE
        if a == _TRUE:
            return b
        result = self.builder.new_var()
        self.builder.pairs.extend((-result, a, -result, b))
        self.builder.triples.extend((-a, -b, result))
        return result

    def hold(self, start: int, end: int, card: int, drawn: int, played: int, stored: bool) -> None:
        """Note a span in which the card may be held."""
        holds = self.holds
        holds.start.append(start)
        holds.end.append(end)
        holds.card.append(card)
        holds.drawn.append(drawn)
        holds.played.append(played)
        holds.stored.append(stored)

    def literal(self, span: int) -> int:
        """Return a literal that is true if the card of the span is held."""
        drawn, played = self.holds.drawn[span], self.holds.played[span]
        if drawn == _TRUE:
            return -played
        if played == _FALSE:
            return drawn
        held = self.builder.new_var()
        self.builder.triples.extend((-drawn, played, held))
        return held

    def peaks(self) -> list[tuple[int, int]]:
        """Return the times at which the hand has to be bounded, with the room left at each.

        Between two times at which a card may leave the hand, the set of cards that may be held only
        grows, so its last state says all. When spans end, what follows them is held at most as long
        as they are: nothing new until a card is stored or another card becomes certain.
        """
        import numpy as np

        holds, length = self.holds, self.never + 1
        start = np.array(holds.start, dtype=np.int64)
        begin, end = (np.bincount(times, minlength=length) for times in (start, holds.end))
        stored = np.bincount(start[np.array(holds.stored, dtype=np.bool_)], minlength=length)
        certain = np.append(self.windows.certain, 0)
        change = np.diff(certain, prepend=0)
        grows = ((stored > 0) | (change > 0)).tolist()
        shrinks = ((end > 0) | (change < 0)).tolist()
        held = np.cumsum(begin - end).tolist()
        room = (self.instance.hand_size - certain).tolist()
        shrinks[self.never] = True
        found, grown = [], False
        for now in range(1, length):
            if grown and shrinks[now]:
                if held[now - 1] > room[now - 1]:
                    found.append((now - 1, room[now - 1]))
                grown = False
            grown |= grows[now]
        return found

    def bound_hand(self) -> None:
        """Add: no more cards are held than there is room for, at each peak."""
        import numpy as np

        peaks, holds = self.peaks(), self.holds
        totalizer = IncrementalTotalizer(
            self.builder, self.instance.goal, max((room for _, room in peaks), default=0)
        )
        begins = np.argsort(holds.start, kind="stable").tolist()
        ends = np.argsort(holds.end, kind="stable").tolist()
        current: dict[int, int] = {}  # card -> span
        i = j = 0
        for now, room in peaks:
            changed = set()
            while i < len(begins) and holds.start[begins[i]] <= now:
                card = holds.card[begins[i]]
                current[card] = begins[i]
                changed.add(card)
                i += 1
            while j < len(ends) and holds.end[ends[j]] <= now:
                card = holds.card[ends[j]]
                if current[card] == ends[j]:  # no later span of the card has begun
                    del current[card]
                    changed.add(card)
                j += 1
            for card in changed:
                span = current.get(card)
                totalizer.set(card, None if span is None else self.literal(span))
            self.check()
            totalizer.at_most(room)
