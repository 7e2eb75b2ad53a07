"""The clauses: along every color what is drawn and played when, along time what the hand holds."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hanabi.sat import ClauseBuilder, IncrementalTotalizer

if TYPE_CHECKING:
    from hanabi.solitaire.instance import Instance
    from hanabi.solitaire.sat.windows import Windows

__all__ = ["Walk"]

_TRUE = 2**31 - 1  # no variable has this number
_FALSE = -_TRUE
_CARDS_A_CHECK = 64  # between two looks at the budgets


@dataclass(slots=True)
class _Holds:
    """Spans of time in which a card may be held: as columns, one entry a span.

    The card is held from `start` to `end` - 1 if `drawn` and not `played`.
    """

    start: array[int] = field(default_factory=lambda: array("i"))
    end: array[int] = field(default_factory=lambda: array("i"))
    card: array[int] = field(default_factory=lambda: array("i"))
    drawn: array[int] = field(default_factory=lambda: array("i"))
    played: array[int] = field(default_factory=lambda: array("i"))
    stored: array[int] = field(default_factory=lambda: array("b"))
    """Whether a copy is drawn at `start`; else a span goes on after a play of a lower value."""


class Walk:
    """The encoder at work; see :mod:`hanabi.solitaire.sat.encoding` for what it says.

    Making one writes what is drawn and played; :meth:`bound_hand` writes the rest. `choices` has,
    for each copy in `windows.positions`, the variable of the choice, or 0.
    """

    def __init__(self, instance: Instance, windows: Windows, builder: ClauseBuilder) -> None:
        self.instance = instance
        self.windows = windows
        self.builder = builder
        self.next_full = windows.next_full.tolist()
        self.holds = _Holds()
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
