"""Which copies of a card may be chosen, and when other cards fill the hand.

A play of Solitaire Hanabi is a choice of one copy of every needed card, played as early as
possible: card x = (v, k) is played at T(x) = max(position of its copy, T(v - 1, k)), and held from
its copy's position until then. A choice wins if no more than h cards are held at any time. So, with
first(x) and last(x) the first and the last copy that may still be chosen,

    E(x) = max of first(u, k) over u <= v  <=  T(x)  <=  L(x) = max of last(u, k) over u <= v.

:func:`reduce_copies` strikes copies out that no winning choice needs, round by round, until nothing
changes. With `before` for the card of value v - 1:

1. Of two copies at or before E(before) the later one serves better: both wait for T(before), the
   later one waits less.
2. A copy after L(before) is played at once; every copy after it serves worse.
3. A card whose last copy is before E(before) is held between them in every choice. Where h cards
   are certain in this way the hand is full, and no other card is held:
   a copy that could be played only after a full time is out;
   a card that must have been drawn by a full time, and is not certain then, has been played by
   then, so the copies of all lower values after that time are out.

1 and 2 replace a copy by one that is held at no other time and is played no later, which lets
every later card of the color be played no later; 3 strikes out copies that no winning choice uses.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, TextIO

from hanabi.ground import (
    NO_LIMIT,
    BudgetEndedError,
    ClauseBuilder,
    Clock,
    Cnf,
    Engine,
    IncrementalTotalizer,
    Satisfiability,
    SatResult,
    Status,
    Verdict,
    decide,
    dimacs,
)
from hanabi.solitaire.eager import eager_play
from hanabi.solitaire.play import Play

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.solitaire.instance import Instance

    Ints = npt.NDArray[np.int64]
    from hanabi.ground import Cnf
    from hanabi.solitaire.play import Play

__all__ = [
    "StreamCertificate",
    "StreamEncoding",
    "Windows",
    "certify",
    "encode",
    "reduce_copies",
    "solve",
    "write_dimacs",
]

_MOST_ROUNDS = 64
"""Keeps the cost linear; six rounds are many. The formula is right after any number of them."""


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """The copies that may be chosen, and the cards that are held in every choice.

    Cards are numbered color by color, value by value: card (v, k) is k n + v - 1. Positions and
    times count from 1; time t is the moment after card t of the stream has been handled.

    Attributes
    ----------
    positions
        Positions of the copies that may be chosen, card by card, ascending.
    starts
        Shape (cards + 1,): the copies of card x are `positions[starts[x] : starts[x + 1]]`.
    certain
        Shape (N + 1,): how many cards are held at each time in every choice.
    next_full
        Shape (N + 2,): the first time from t on at which the hand is full of certain cards; N + 1
        if none.
    rounds
        Passes made over the stream.
    lost
        Why no choice can win, if that has been found out; the rest is then of no use.
    """

    positions: Ints
    starts: Ints
    certain: Ints
    next_full: Ints
    rounds: int
    lost: str | None = None


def reduce_copies(instance: Instance, *, cut: bool = True, clock: Clock = NO_LIMIT) -> Windows:
    """Return the copies that winning choices need. O(N log N), and O(N + nc) a round.

    With `cut` false every copy is kept, no time counts as full, and nothing but a missing card is
    found to be lost. Raises BudgetEndedError when the clock runs out.

    >>> from hanabi.solitaire import Instance
    >>> windows = reduce_copies(Instance(1, [(0, 2), (0, 2), (0, 1), (0, 1), (0, 2)]))
    >>> windows.positions.tolist()  # the 1 at position 3, the 2 at position 2 or 5
    [3, 2, 5]
    """
    import numpy as np

    N, h, goal = instance.N, instance.hand_size, instance.goal
    card = np.multiply(instance.colors, instance.n, dtype=np.int64)
    card += np.asarray(instance.values) - 1
    order = np.argsort(card, kind="stable")
    card, position = card[order], order + 1
    never = np.full(N + 2, N + 1)
    rounds = 0
    while True:
        clock.check()
        rounds += 1
        starts = np.searchsorted(card, np.arange(goal + 1))
        windows = Windows(position, starts, np.zeros(N + 1, np.int64), never, rounds)
        absent = np.flatnonzero(starts[1:] == starts[:-1])
        if absent.size:
            return replace(windows, lost=_absence(instance, int(absent[0]), rounds))
        if not goal:
            return windows
        last = position[starts[1:] - 1]
        earliest = _before(instance, position[starts[:-1]])
        held = last < earliest  # in every choice
        certain = np.bincount(last[held], minlength=N + 1)
        certain -= np.bincount(earliest[held], minlength=N + 1)
        certain = certain.cumsum()
        windows = replace(windows, certain=certain)
        if not cut:
            return windows
        times = np.where(np.append(certain >= h, True), np.arange(N + 2), N + 1)
        next_full = np.minimum.accumulate(times[::-1])[::-1]
        windows = replace(windows, next_full=next_full, lost=_overflow(certain, h))
        if windows.lost is not None or rounds == _MOST_ROUNDS:
            return windows
        # From the last copy or `earliest` on a card is drawn and not certain; it is played by its
        # own deadline and by those of all higher values of its color.
        own = next_full[np.maximum(last, earliest)].reshape(instance.c, instance.n)
        deadlines = np.minimum.accumulate(own[:, ::-1], axis=1)[:, ::-1].ravel()
        needed = position <= deadlines[card]
        # Copies i and i + 1 of one card; the rules look at the later or the earlier of the two.
        i = np.flatnonzero(card[1:] == card[:-1])
        wait = earliest[card[i]]
        needed[i[(position[i + 1] < wait) | (next_full[position[i]] < wait)]] = False
        needed[i[position[i] > _before(instance, last)[card[i]]] + 1] = False
        if needed.all():
            return windows
        card, position = card[needed], position[needed]


def _absence(instance: Instance, card: int, rounds: int) -> str:
    color, index = divmod(card, instance.n)
    name = instance.card_name(color, index + 1)
    if rounds == 1:
        return f"{name} does not occur"
    return f"no copy of {name} can be played: the hand is full of cards that must be kept"


def _before(instance: Instance, times: Ints) -> Ints:
    """Return for each card the largest of `times` over the lower values of its color, or 0."""
    import numpy as np

    before = np.zeros((instance.c, instance.n), dtype=np.int64)
    by_color = times.reshape(instance.c, instance.n)
    np.maximum.accumulate(by_color[:, :-1], axis=1, out=before[:, 1:])
    return before.ravel()


def _overflow(certain: Ints, h: int) -> str | None:
    """Say when more cards are certain than the hand holds, if they ever are."""
    time = int((certain > h).argmax())
    if certain[time] <= h:
        return None
    return f"the hand holds {h}, and after card {time} of the stream it must keep {certain[time]}"


# Solitaire Hanabi as a formula: choose a copy of every card so that the hand never overflows.
#
# What :mod:`hanabi.solitaire.sat` leaves of the copies is encoded with few variables:
#
# - for each copy but the last of a card x, "the copy chosen is this one or an earlier one"; read
# over time, this is D(x, t): the chosen copy of x has been drawn by time t; - P(x, t), x has been
# played by time t, where P(x, t) = D(x, t) and P(before, t). It changes only at copies of x and
# of lower values of its color between E(x) and L(x), so over time it is a short list of literals,
# and most of them are constants or literals that exist already; - x is held at time t if D(x, t)
# and not P(before, t). At most h cards are held at the times just before a card may leave the
# hand (the sets of held cards at all other times are covered).
#
# At a time when certain cards fill the hand, D(x, t) implies P(x, t): from there on until the
# next copy of x both are one literal. This keeps the formula local: between two such times only
# the copies drawn in between are ever counted.

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
    clock: Clock | None = None,
) -> StreamEncoding:
    """Return a formula that is satisfiable exactly if `instance` can be won.

    Without `cut`, the reductions of :mod:`hanabi.solitaire.sat`, the formula says the rules
    and nothing else, and is larger. `memory` is in bytes and counts the formula in Python and in a
    solver. A running `clock` takes the place of `seconds`. Raises BudgetEndedError if a budget
    ends.

    >>> from hanabi.solitaire import Instance
    >>> encode(Instance(1, [(0, 2), (0, 1), (0, 1), (0, 2), (0, 3)])).cnf
    Cnf(n_vars=1, n_clauses=0, n_literals=0)
    """
    import numpy as np

    clock = clock or Clock(seconds)
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


_STATUS = {
    Satisfiability.SATISFIABLE: Status.WINNABLE,
    Satisfiability.UNSATISFIABLE: Status.UNWINNABLE,
    Satisfiability.UNKNOWN: Status.UNKNOWN,
}


@dataclass(frozen=True, slots=True, eq=False)
class StreamCertificate:
    """A verdict with the formula behind it and, if unwinnable, a proof.

    Attributes
    ----------
    verdict
        The answer; with a winning play if there is one.
    cnf
        The rules of the instance as a formula, no reductions applied; None if a budget ended first.
    proof
        A DRAT proof that `cnf` is unsatisfiable, one step a line; None unless unwinnable.
    """

    verdict: Verdict[Play]
    cnf: Cnf | None
    proof: str | None = field(default=None, repr=False)


def solve(
    instance: Instance,
    *,
    seconds: float | None = None,
    memory: int | None = None,
    solver: str = "cadical195",
    clock: Clock | None = None,
) -> Verdict[Play]:
    """Decide whether `instance` can be won, and give a winning play.

    The budgets (memory in bytes) are those of encoding and solving; when one ends the status is
    UNKNOWN. A running `clock` takes the place of `seconds`. Raises SolverError if PySAT has no
    such `solver`.

    >>> from hanabi.solitaire import Instance
    >>> instance = Instance(1, [(0, 2), (1, 2), (1, 1), (1, 2), (0, 1)])
    >>> verdict = solve(instance)
    >>> print(verdict.status, [move.position for move in verdict.witness])
    winnable [1, 2, 3, 4, 5, 1]
    >>> solve(instance.with_hand_size(0)).reason
    'the hand holds 0, and after card 1 of the stream it must keep 1'
    """
    clock = clock or Clock(seconds)
    return _decide(instance, clock, memory, solver, is_certified=False).verdict


def certify(
    instance: Instance,
    *,
    seconds: float | None = None,
    memory: int | None = None,
    solver: str = "cadical195",
) -> StreamCertificate:
    """Decide as :func:`solve` does, from the rules alone, and prove it if there is no way to win.

    Slower than :func:`solve`: no copy is struck out beforehand, so that the proof rests on nothing
    but the statement of the rules in the formula. The solver has to write proofs (`cadical195`,
    `glucose4`, `lingeling`, ...).

    >>> from hanabi.solitaire import Instance
    >>> certificate = certify(Instance(0, [(0, 2), (0, 1)]))
    >>> print(certificate.verdict.status, certificate.proof)
    unwinnable 0
    """
    return _decide(instance, Clock(seconds), memory, solver, is_certified=True)


def write_dimacs(
    instance: Instance,
    file: TextIO,
    *,
    cut: bool = True,
    seconds: float | None = None,
    memory: int | None = None,
) -> None:
    """Write the formula of an instance in DIMACS form, with what the variables mean as comments.

    Only the variables that choose a copy are explained: the others follow from them. Raises
    BudgetEndedError if a budget of the encoding ends (memory in bytes).

    >>> import sys
    >>> from hanabi.solitaire import Instance
    >>> write_dimacs(Instance(1, [(0, 2), (0, 1), (0, 1), (0, 2), (0, 3)]), sys.stdout)
    c Instance(hand_size=1, N=5, n=3, c=1, r=2): satisfiable exactly if it can be won
    c 1: r2 is taken at position 1 or before
    p cnf 1 0
    """
    encoding = encode(instance, cut=cut, seconds=seconds, memory=memory)
    dimacs.write(encoding.cnf, file, encoding.comments())


def _decide(
    instance: Instance, clock: Clock, memory: int | None, solver: str, *, is_certified: bool
) -> StreamCertificate:
    cnf = play = proof = None
    status, goal = Status.UNKNOWN, instance.goal
    try:
        encoding = encode(instance, cut=not is_certified, memory=memory, clock=clock)
        cnf = encoding.cnf
        if encoding.lost is not None and not is_certified:
            status, reason = Status.UNWINNABLE, encoding.lost
        else:
            answer = decide(cnf, Engine(solver), memory=memory, proof=is_certified, clock=clock)
            play = None if answer.model is None else encoding.decode(answer.model, clock)
            status, proof = _STATUS[answer.status], answer.proof
            reason = encoding.lost or _reason(cnf, answer, solver)
    except BudgetEndedError as error:
        reason = str(error)
    verdict = Verdict(
        status,
        "sat",
        reason,
        witness=play,
        lower=goal if status is Status.WINNABLE else 0,
        upper=goal - 1 if status is Status.UNWINNABLE else goal,
        seconds=clock.elapsed,
    )
    return StreamCertificate(verdict, cnf, proof)


def _reason(cnf: Cnf, answer: SatResult, solver: str) -> str:
    if answer.status is Satisfiability.UNKNOWN:
        return answer.reason
    found = "found a" if answer.status is Satisfiability.SATISFIABLE else "proved that there is no"
    size = f"{cnf.n_vars} variables, {cnf.n_clauses} clauses"
    effort = "" if answer.conflicts is None else f", {answer.conflicts} conflicts"
    return f"{solver} {found} choice of copies that fits the hand ({size}{effort})"
