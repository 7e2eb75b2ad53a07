"""Solitaire Hanabi where no general search is needed: at most two values, or three and one card.

A color is a path of *windows* (`hanabi.solitaire.paths.graph`): a card is either played when it is
drawn, or its last copy before the card below it is held until that one is played. A window stands
for a card that is held. Two cases are polynomial because a color has so few paths.

**Forced windows** (n <= 2 with any hand, and h = 0 with any n). The first copy of 1 is played. If a
copy of 2 comes later, nothing has to be held. If not, the last copy of 2 has to be held until 1
comes: the window is forced. So the least hand is the largest number of windows open at once.
Without a hand, nothing is ever held, and a card is played if it fits when it is drawn. O(N).

**Three values and one card in hand** (n = 3, h = 1). Let t be the first copy of 1, and s the first
copy of 2 after t. If s and a later 3 exist, nothing has to be held. Otherwise one card is, over

- the last 2 before t, up to t, where a 3 comes after t; or
- the last 3 before s, up to s.

(To hold both a 2 and a 3 until t takes two places.) If there is one way, the window is forced; if
there is none, the stream is lost. Windows of two colors that are open at once exclude each other.
Each color has at most two, so this is 2-SAT: to use a window means to use the other window of every
color that has one open at the same time. The strongly connected components of this relation give
the answer. It can have a quadratic number of pairs, and they are never listed. A search that stands
at a window asks for one it overlaps whose color has not been visited the other way: of the windows
that open before it closes, one that closes after it opens. A tree of largest ends finds it in
O(log N), and forgets it once it has been used. So everything takes O(N log N) time and O(N) memory.

The proofs are on the page `docs/complexity.md`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from hanabi.ground import NO_LIMIT, BudgetEndedError, Clock, SolverError, Status, Verdict, counted
from hanabi.rules import Card, format_color
from hanabi.solitaire.bounds import find_missing
from hanabi.solitaire.eager import eager_play
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.loops import COMPILED_FROM, Loops

if TYPE_CHECKING:
    from hanabi.solitaire.choices_compiled import CompiledChoices
    from hanabi.solitaire.play import Play

__all__ = [
    "Chain",
    "Contradiction",
    "Window",
    "contradiction",
    "find_copies",
    "least_hand",
    "solve_forced",
    "solve_two_sat",
]

CHOICES_COMPILED_FROM = 2_000
"""The same for three values: the plain loops list all pairs of windows that overlap."""

_FORCED, _TWO_SAT = "forced", "two_sat"
_MOST_LISTED = 8
_CANDIDATES = 8  # colors whose contradictions are compared


class Window(NamedTuple):
    """A card that is held after its copy at `opens` is drawn, until the card at `closes` is.

    >>> Window(0, 2, 3, 8).overlaps(Window(1, 3, 7, 9))
    True
    """

    color: int
    value: int
    opens: int
    closes: int

    def overlaps(self, other: Window) -> bool:
        """Return whether both cards are in hand at some time."""
        return self.opens < other.closes and other.opens < self.closes


@dataclass(frozen=True, slots=True)
class Chain:
    """What follows if a window is used, up to something impossible.

    Attributes
    ----------
    windows
        Each one after the first is the only other window of a color of which one overlaps the
        window before it; therefore it has to be used.
    blocked_by
        A window that the last one overlaps, and that is used: the first of the chain, or one that
        its color cannot do without.
    """

    windows: tuple[Window, ...]
    blocked_by: Window


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Why a stream of three values cannot be won with one card in hand.

    Attributes
    ----------
    color
        A color that cannot be built.
    chains
        Why not, for each window that it could use. Empty if it has none: all its cards 2 and 3 come
        before the first 1, so that two of them have to be held.
    """

    color: int
    chains: tuple[Chain, ...]


def solve_forced(instance: Instance, *, seconds: float | None = None) -> Verdict[Play]:
    """Decide a stream with n <= 2, or without a hand (h = 0), with the winning play. O(N + nc).

    Returns
    -------
    Verdict
        An unwinnable stream's reason lists windows that are open at once, or the card without which
        a color stops. When `seconds` have passed the verdict is UNKNOWN.

    Raises
    ------
    SolverError
        If n > 2 and h > 0.

    >>> from hanabi.solitaire import Instance, verify_play
    >>> instance = Instance(2, [(0, 2), (1, 2), (0, 2), (1, 1), (0, 1), (1, 2)])
    >>> verdict = solve_forced(instance)
    >>> verdict.reason
    'all windows are forced, and at most 1 is open at once'
    >>> verify_play(instance, verdict.witness)
    >>> solve_forced(instance.with_hand_size(0)).reason
    'after card 3, 1 forced window is open, but h = 0: r2 (cards 3 to 5)'
    """
    _refuse(_FORCED, instance.n <= 2 or instance.hand_size == 0, instance, "n <= 2, or h = 0")
    clock = Clock(seconds)
    try:
        verdict = find_missing(instance, _FORCED, clock)
        if verdict is None:
            verdict = _decide_forced(instance, _begin_forced(instance, clock))
    except BudgetEndedError as error:
        verdict = Verdict(Status.UNKNOWN, _FORCED, str(error), upper=instance.goal)
    return replace(verdict, seconds=clock.elapsed)


def _decide_forced(instance: Instance, run: _Forced) -> Verdict[Play]:
    goal, h = instance.goal, instance.hand_size
    if instance.n > 2:
        played, stuck = run.progress()
        if stuck is not None:
            name = instance.card_name(*stuck)
            reason = f"without a hand a card is played when it is drawn: no {name} comes in time"
            return Verdict(Status.UNWINNABLE, _FORCED, reason, lower=played, upper=played)
        reason = "without a hand a card is played when it is drawn, and each one comes in time"
    else:
        n_windows, most, position = run.most_open()
        if most > h:
            listed = [
                f"{instance.card_name(color, 2)} ({'' if i else 'cards '}{opens} to {closes})"
                for i, (color, opens, closes) in enumerate(run.open_after(position, _MOST_LISTED))
            ]
            if most > len(listed):
                listed.append(f"... and {most - len(listed):,} more")
            are = "forced window is" if most == 1 else "forced windows are"
            return Verdict(
                Status.UNWINNABLE,
                _FORCED,
                f"after card {position}, {most:,} {are} open, but h = {h}: {', '.join(listed)}",
                lower=goal - n_windows + h,  # any h windows fit
                upper=goal - most + h,
            )
        reason = "nothing has to be held"
        if most:
            is_open = "is" if most == 1 else "are"
            reason = f"all windows are forced, and at most {most:,} {is_open} open at once"
    play = run.play_chosen(run.chosen)
    return Verdict(Status.WINNABLE, _FORCED, reason, witness=play, lower=goal, upper=goal)


def least_hand(instance: Instance, clock: Clock = NO_LIMIT) -> int | None:
    """Return the least hand size that wins a stream with n <= 2, or None if there is none. O(N).

    The instance's own hand size plays no part. Raises SolverError if n > 2, and BudgetEndedError
    when the clock runs out.

    >>> from hanabi.solitaire import Instance
    >>> least_hand(Instance(0, [(0, 2), (1, 2), (0, 2), (1, 1), (0, 1)]))
    2
    >>> least_hand(Instance(0, [(0, 2)])) is None
    True
    """
    _refuse("least hand", instance.n <= 2, instance, "n <= 2")
    if instance.missing_card(clock) is not None:
        return None
    return _begin_forced(instance, clock).most_open()[1]


def solve_two_sat(instance: Instance, *, seconds: float | None = None) -> Verdict[Play]:
    r"""Decide a stream with n = 3 and one card in hand, with the winning play. O(N log N).

    Returns
    -------
    Verdict
        An unwinnable stream's reason is its `contradiction` in words. When `seconds` have passed
        the verdict is UNKNOWN.

    Raises
    ------
    SolverError
        If n is not 3 or h is not 1.

    >>> from hanabi.solitaire import Instance, verify_play
    >>> stream = [(0, 2), (1, 2), (0, 1), (1, 1), (0, 3), (1, 3), (0, 2), (1, 2)]
    >>> verdict = solve_two_sat(Instance(1, stream))
    >>> verdict.reason
    'windows of 2 colors that need one are chosen, and no two are open at once'
    >>> verify_play(Instance(1, stream), verdict.witness)
    >>> stream = [(0, 2), (1, 2), (0, 1), (1, 1), (0, 3), (2, 2), (0, 2), (2, 1), (1, 3), (2, 3)]
    >>> print(solve_two_sat(Instance(1, stream)).reason.replace(": ", ":\n").replace("; ", ";\n"))
    color r needs the window r2 (cards 1 to 3) or r3 (5 to 7):
    r2 (1 to 3) overlaps y2 (2 to 4), which color y needs;
    r3 (5 to 7) overlaps g2 (6 to 8), which color g needs
    """
    _refuse(_TWO_SAT, (instance.n, instance.hand_size) == (3, 1), instance, "n = 3 and h = 1")
    clock, goal = Clock(seconds), instance.goal
    try:
        verdict = find_missing(instance, _TWO_SAT, clock)
        if verdict is None:
            verdict = _decide_choices(instance, _begin_choices(instance, clock))
    except BudgetEndedError as error:
        verdict = Verdict(Status.UNKNOWN, _TWO_SAT, str(error), upper=goal)
    return replace(verdict, seconds=clock.elapsed)


def _decide_choices(instance: Instance, run: PlainChoices | CompiledChoices) -> Verdict[Play]:
    goal, found = instance.goal, _contradiction(run)
    if found is not None:
        reason = _in_words(instance, found)
        return Verdict(Status.UNWINNABLE, _TWO_SAT, reason, upper=goal - 1)
    n_choosers = len(run.partner) // 2
    reason = "nothing has to be held"
    if n_choosers:
        need = "color that needs one is" if n_choosers == 1 else "colors that need one are"
        reason = f"windows of {n_choosers:,} {need} chosen, and no two are open at once"
    return Verdict(
        Status.WINNABLE, _TWO_SAT, reason, witness=run.winning_play(), lower=goal, upper=goal
    )


def contradiction(instance: Instance, clock: Clock = NO_LIMIT) -> Contradiction | None:
    """Return why a stream with n = 3 cannot be won with one card in hand, or None if it can.

    Every card must occur. O(N log N). Raises SolverError if n is not 3 or h is not 1, and
    BudgetEndedError when the clock runs out.

    >>> from hanabi.solitaire import Instance
    >>> found = contradiction(Instance(1, [(0, 2), (1, 2), (0, 1), (1, 1), (0, 3), (1, 3)]))
    >>> found.chains[0].windows, found.chains[0].blocked_by
    ((Window(color=0, value=2, opens=1, closes=3),), Window(color=1, value=2, opens=2, closes=4))
    """
    _refuse(_TWO_SAT, (instance.n, instance.hand_size) == (3, 1), instance, "n = 3 and h = 1")
    return _contradiction(_begin_choices(instance, clock))


def _contradiction(run: PlainChoices | CompiledChoices) -> Contradiction | None:
    if run.hopeless is not None:
        return Contradiction(run.hopeless, ())
    found = (_explain(run, node) for node in islice(run.contradictory(), _CANDIDATES))
    return min(found, key=lambda each: sum(len(c.windows) for c in each.chains), default=None)


def _explain(run: PlainChoices | CompiledChoices, node: int) -> Contradiction:
    """Return the contradiction of the color of a node that contradicts itself."""
    chains = []
    for start in sorted((node, int(run.partner[node]))):
        if run.is_window(start):
            before, end = run.reach(start)
            path, node = [], int(before[end])
            while node >= 0:
                path.append(Window(*run.window(node)))
                node = int(before[node])
            blocked_by = Window(*run.window(int(run.partner[end])))
            chains.append(Chain(tuple(reversed(path)), blocked_by))
    return Contradiction(chains[0].windows[0].color, tuple(chains))


def _in_words(instance: Instance, found: Contradiction) -> str:
    name = instance.card_name
    if not found.chains:
        one, two, three = (name(found.color, value) for value in (1, 2, 3))
        return (
            f"every {two} and every {three} comes before the first {one}:"
            f" one of each would have to be held, but h = 1"
        )

    def window(each: Window, cards: str = "") -> str:
        return f"{name(each.color, each.value)} ({cards}{each.opens} to {each.closes})"

    def color(each: Window) -> str:
        return format_color(each.color, instance.c)

    starts = [chain.windows[0] for chain in found.chains]
    texts = []
    for start, chain in zip(starts, found.chains, strict=True):
        steps = [f"which forces {window(each)}" for each in chain.windows[1:]]
        if len(steps) > _MOST_LISTED:
            half = _MOST_LISTED // 2
            steps[half:-half] = [f"... ({counted(len(steps) - 2 * half, 'window')}) ..."]
        by = chain.blocked_by
        end = "itself" if by == start else f"which color {color(by)} needs"
        overlaps = f"overlaps {window(by)}, {end}"
        if steps:
            texts.append(", ".join([window(start), *steps, f"which {overlaps}"]))
        else:
            texts.append(f"{window(start)} {overlaps}")
    choice = " or ".join(window(start, "" if i else "cards ") for i, start in enumerate(starts))
    return f"color {color(starts[0])} needs the window {choice}: {'; '.join(texts)}"


def _refuse(name: str, applies: bool, instance: Instance, needs: str) -> None:
    if not applies:
        raise SolverError(
            f"{name}: the instance has n = {instance.n} and h = {instance.hand_size};"
            f" this needs {needs}"
        )


def _begin_forced(instance: Instance, clock: Clock) -> _Forced:
    return _Forced(instance, clock, compiled=instance.N >= COMPILED_FROM)


def _begin_choices(instance: Instance, clock: Clock) -> PlainChoices | CompiledChoices:
    if instance.N < CHOICES_COMPILED_FROM:
        return PlainChoices(instance, clock)
    from hanabi.solitaire.choices_compiled import CompiledChoices

    return CompiledChoices(instance, clock)


class _Forced(Loops):
    """The copies of a stream without a choice."""

    def __init__(self, instance: Instance, clock: Clock, *, compiled: bool) -> None:
        super().__init__(instance, instance.n, clock, compiled=compiled)
        self.chosen, piles = self.zeros(instance.goal), self.wide(self.c)
        for stretch in self.stretches(self.N):
            self.kernel.choose_copies(self.columns, *stretch, piles, self.chosen)

    def most_open(self) -> tuple[int, int, int]:
        """Return how many windows there are, how many are open at once, and after which card."""
        if self.n < 2:
            return 0, 0, 0
        change = self.zeros(self.N + 1, "b")
        n_windows = self.kernel.open_and_close(self.chosen, change)
        self.clock.check()
        most, position = self.kernel.most_open(change)
        return int(n_windows), int(most), int(position)

    def open_after(self, position: int, count: int) -> list[tuple[int, int, int]]:
        """Return at most `count` of the windows that are open after the card at a position."""
        found = self.zeros(count)
        n_found = self.kernel.list_open(self.chosen, position, found)
        ends = self.chosen
        return [(int(k), int(ends[2 * k + 1]), int(ends[2 * k])) for k in found[:n_found]]

    def progress(self) -> tuple[int, Card | None]:
        """Return how many cards are played, and the first that is not, or None."""
        card = int(self.kernel.first_zero(self.chosen, 0))
        stuck = None if card < 0 else Card(card // self.n, card % self.n + 1)
        return len(self.nonzero(self.chosen)), stuck


def find_copies(instance: Instance, clock: Clock = NO_LIMIT) -> list[list[int]]:
    """Return the positions of six copies of each color of at most three values, or 0. O(N).

    The first 1; the last 2 before it and the first one after it; the last 3 before that 2, the
    first 3 between the 1 and that 2, and the first 3 after that 2. If there is no 2 after the 1,
    then "before that 2" means anywhere.
    """
    copies = [[0] * 6 for _ in range(instance.c)]
    cards = zip(instance.colors, instance.values, strict=True)
    for position, (color, value) in enumerate(clock.watch(cards), start=1):
        copy = copies[color]
        one, _, two_after, _, three_between, three_after = copy
        if value == 1:
            copy[0] = one or position
        elif value == 2:
            if not one:
                copy[1] = position
            else:
                copy[2] = two_after or position
        elif two_after:
            copy[5] = three_after or position
        else:
            copy[3] = position
            if one:
                copy[4] = three_between or position
    return copies


class PlainChoices:
    """The windows of a stream with n = 3 and h = 1, in plain Python.

    Each color that has to hold a card has two nodes, which are partners: its windows. If it has
    only one, the other node stands for a window that nothing overlaps, and that cannot be used. The
    nodes are in the order in which their windows open. To use a node's window means to use that of
    the partner of every node that it overlaps; and one that cannot be used means its partner.
    """

    def __init__(self, instance: Instance, clock: Clock) -> None:
        self.instance, self.clock = instance, clock
        self.copies = find_copies(instance, clock)
        never = instance.N + 1
        self.choosers: list[int] = []
        self.hopeless: int | None = None
        ends = []  # when windows open and close, two windows a color
        for color, copy in enumerate(self.copies):
            one, two_before, two_after, three_before, three_between, three_after = copy
            if three_after:
                continue
            holds_two, holds_three = two_before and three_between, two_after and three_before
            if not (holds_two or holds_three):
                self.hopeless = color
                return
            self.choosers.append(color)
            ends.append((two_before, one) if holds_two else (never, never))
            ends.append((three_before, two_after) if holds_three else (never, never))
        self.order = sorted(range(len(ends)), key=ends.__getitem__)
        self.places = sorted(range(len(ends)), key=self.order.__getitem__)
        self.partner = [self.places[window ^ 1] for window in self.order]
        self.ends = [ends[window] for window in self.order]
        self.overlapping: list[list[int]] = [[] for _ in ends]
        for i, (_, closes) in enumerate(clock.watch(self.ends, every=100)):
            for j in range(i + 1, len(ends)):
                if self.ends[j][0] >= closes:
                    break
                self.overlapping[i].append(j)
                self.overlapping[j].append(i)

    def is_window(self, node: int) -> bool:
        """Return whether the window of a node can be used at all."""
        return self.ends[node][0] <= self.instance.N

    def window(self, node: int) -> tuple[int, int, int, int]:
        """Return the color, the value and both ends of the window of a node."""
        window = self.order[node]
        return self.choosers[window // 2], 2 + window % 2, *self.ends[node]

    def _next_nodes(self, node: int) -> list[int]:
        if not self.is_window(node):
            return [self.partner[node]]
        return [self.partner[other] for other in self.overlapping[node]]

    def _explore(self, roots: Iterable[int]) -> tuple[list[int], list[int]]:
        """Search depth first; return nodes in the order they are left, and each one's tree."""
        left, tree = [], [-1] * len(self.partner)
        for label, root in enumerate(self.clock.watch(roots, every=100)):
            if tree[root] >= 0:
                continue
            tree[root] = label
            stack = [(root, iter(self._next_nodes(root)))]
            while stack:
                after = next((each for each in stack[-1][1] if tree[each] < 0), None)
                if after is None:
                    left.append(stack.pop()[0])
                else:
                    tree[after] = label
                    stack.append((after, iter(self._next_nodes(after))))
        return left, tree

    def _components(self) -> list[int]:
        """Return the strongly connected component of each node, numbered downstream.

        The relation turned round is the relation itself between partners: if a implies b, then the
        partner of b implies that of a.
        """
        left, _ = self._explore(range(len(self.partner)))
        _, tree = self._explore(self.partner[node] for node in reversed(left))
        return [tree[other] for other in self.partner]

    def contradictory(self) -> Iterator[int]:
        """Yield a node of each color whose two nodes imply each other."""
        self.components = self._components()
        for node, other in enumerate(self.partner):
            if node < other and self.components[node] == self.components[other]:
                yield node

    def reach(self, start: int) -> tuple[dict[int, int], int]:
        """Return where each node is reached from, and the one where a contradiction is.

        That is the nearest of the partner of `start` and the nodes that cannot be used.
        """
        before = {start: -1}
        waiting = deque([start])
        while True:
            node = waiting.popleft()
            for after in self._next_nodes(node):
                if after not in before:
                    before[after] = node
                    waiting.append(after)
                    if after == self.partner[start] or not self.is_window(after):
                        return before, after

    def winning_play(self) -> Play:
        """Return the play of a stream that can be won."""
        chosen = []
        chooser = 0
        for one, two_before, two_after, three_before, three_between, three_after in self.copies:
            if three_after:
                chosen += [one, two_after, three_after]
                continue
            two, three = self.places[2 * chooser], self.places[2 * chooser + 1]
            chooser += 1
            if self.components[two] > self.components[three]:
                chosen += [one, two_before, three_between]
            else:
                chosen += [one, two_after, three_before]
        return eager_play(self.instance, (position - 1 for position in chosen), self.clock)
