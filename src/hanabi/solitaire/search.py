"""The fast exact solver: a compiled layer-by-layer search over packed states.

The search is stated and proven in `hanabi.solitaire.search_plain`, which also solves small
instances. Here it is given memory and time: layers are first cut to their best few states, since
most winnable instances are won by a narrow search; a search that ends without a cut is a proof,
one that was cut is repeated wider, up to what the memory holds.

When the arena that holds all layers is full, the current layer is kept as a checkpoint and the
layers before it are forgotten; the winning line is then rebuilt stretch by stretch, by running each
stretch again from its checkpoint. The search is deterministic, so states keep their numbers.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hanabi.solitaire.bounds import find_missing
from hanabi.solitaire.eager import eager_play
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.play import Action, Play, n_played
from hanabi.solitaire.search_plain import find_winning_copies
from hanabi.verdict import Status, Verdict

if TYPE_CHECKING:
    from hanabi.solitaire.layers import Layers

__all__ = ["DEFAULT_MEMORY", "MostCards", "most_cards", "solve"]

DEFAULT_MEMORY = 2**30
"""Bytes that a search may use unless told otherwise."""

_PLAIN_STATES = 2000
_WIDTHS = (64, 4096)

Progress = Callable[[str], None]


def solve(
    instance: Instance,
    *,
    target: int | None = None,
    seconds: float | None = None,
    memory: int | None = None,
    progress: Progress | None = None,
) -> Verdict[Play]:
    """Decide whether `target` cards (by default all n * c) can be put on the piles.

    Parameters
    ----------
    instance
        Any n, c, r, h.
    target
        Number of cards to play, at most n * c.
    seconds, memory
        Budgets; the verdict is UNKNOWN when one ends. Memory is in bytes (default 1 GiB).
    progress
        Called with a line about once a second.

    Returns
    -------
    Verdict
        The witness is a play that puts at least `target` cards on the piles; `lower` and `upper`
        bound the most cards that can be played, as far as this search tells.

    Notes
    -----
    Exponential in the worst case (the problem is NP-complete [Baffier2017, theorem 5.1]); a
    standard 50-card deck takes some 100 states for any hand size.

    >>> from hanabi.solitaire import Instance
    >>> verdict = solve(Instance(1, [(2, 0), (1, 0), (2, 0)]))
    >>> str(verdict.status), len(verdict.witness)
    ('winnable', 3)
    """
    started = time.perf_counter()
    goal = instance.goal if target is None else min(target, instance.goal)
    if goal == instance.goal and (missing := find_missing(instance, "search")) is not None:
        return missing
    if instance.N <= 400 and not _is_compiled():
        try:
            chosen, states = find_winning_copies(instance, target=goal, most_states=_PLAIN_STATES)
        except OverflowError:
            pass
        else:
            return _verdict(instance, goal, chosen, states, started, cut=False)
    deadline = None if seconds is None else started + seconds
    run = _Run(instance, goal, deadline, memory or DEFAULT_MEMORY, progress)
    chosen = run.find()
    if run.stopped:
        return Verdict(
            Status.UNKNOWN,
            "search",
            f"{run.stopped} after {run.states:,} states",
            lower=0,
            upper=instance.goal,
            states=run.states,
            seconds=time.perf_counter() - started,
        )
    return _verdict(instance, goal, chosen, run.states, started, cut=run.was_cut)


def _is_compiled() -> bool:
    """Whether the compiled search is loaded already, so that there is nothing to save."""
    return "hanabi.kernels.solitaire_search" in sys.modules


def _verdict(
    instance: Instance,
    target: int,
    chosen: list[int] | None,
    states: int,
    started: float,
    *,
    cut: bool,
) -> Verdict[Play]:
    if chosen is not None:
        play = eager_play(instance, chosen)
        return Verdict(
            Status.WINNABLE,
            "search",
            f"a line that plays {target} cards was found",
            witness=play,
            lower=target if target == instance.goal else n_played(instance, play),
            upper=instance.goal,
            states=states,
            seconds=time.perf_counter() - started,
        )
    status = Status.UNKNOWN if cut else Status.UNWINNABLE
    if cut:
        reason = f"the memory holds too few states a layer; none of {states:,} led on"
    elif states == 0:
        reason = f"more than {instance.hand_size} cards have to be in hand at one time"
    else:
        reason = f"all {states:,} states lead to a needed card that finds no room in hand"
    return Verdict(
        status,
        "search",
        reason,
        lower=0,
        upper=instance.goal if cut else target - 1,
        states=states,
        seconds=time.perf_counter() - started,
    )


class _Run:
    """One question, searched wider and wider within the budgets."""

    def __init__(
        self,
        instance: Instance,
        target: int,
        deadline: float | None,
        memory: int,
        progress: Progress | None,
    ) -> None:
        self.instance, self.target = instance, target
        self.deadline, self.memory, self.progress = deadline, memory, progress
        self.states = 0
        self.was_cut = False
        self.stopped = ""
        self._said = time.perf_counter()

    def find(self) -> list[int] | None:
        """Return the positions of the copies that a line to the target plays, or None."""
        from hanabi.solitaire.layers import Layers, widest

        limit = widest(self.instance, self.memory)
        for width in (*(w for w in _WIDTHS if w < limit), limit):
            layers = Layers(self.instance, self.target, width, self.memory)
            before = self.states
            while (outcome := layers.advance(self._chunk(layers))) is None:
                self.states = before + layers.states
                if self._is_over(layers):
                    return None
            self.states = before + layers.states
            self.was_cut = layers.was_cut
            if outcome:
                return layers.winning_copies()
            if not layers.was_cut:
                return None
        return None

    def _chunk(self, layers: Layers) -> int:
        """States until the clock is looked at again: a tenth of a second or so."""
        return max(1000, 1_000_000 // (20 + layers.words * 10 + self.instance.hand_size))

    def _is_over(self, layers: Layers) -> bool:
        now = time.perf_counter()
        if self.progress is not None and now - self._said >= 1:
            self._said = now
            self.progress(
                f"search: card {layers.position} of {self.instance.N},"
                f" {layers.size:,} states in the layer, {self.states:,} in all"
            )
        if self.deadline is not None and now > self.deadline:
            self.stopped = "out of time"
        return bool(self.stopped)


@dataclass(frozen=True, slots=True)
class MostCards:
    """The most cards that can be put on the piles: bounds, and a play that reaches the lower."""

    lower: int
    upper: int
    play: Play | None

    @property
    def is_exact(self) -> bool:
        """Whether the bounds meet."""
        return self.lower == self.upper


def most_cards(
    instance: Instance,
    *,
    seconds: float | None = None,
    memory: int | None = None,
    progress: Progress | None = None,
) -> MostCards:
    """Return the most cards that can be put on the piles, by bisection over the target.

    Each step is one search; when a budget ends, the bounds found so far are returned.

    >>> from hanabi.solitaire import Instance
    >>> most = most_cards(Instance(0, [(2, 0), (1, 0), (1, 1)], c=2))
    >>> most.lower, most.upper, most.play.to_json()
    (2, 2, [[1, 'discard'], [2, 'play'], [3, 'play']])
    """
    deadline = None if seconds is None else time.perf_counter() + seconds
    usable, origin = _usable(instance)
    lower, upper, play = 0, _reachable(usable), eager_play(instance, [])
    while lower < upper:
        target = (lower + upper + 1) // 2
        left = None if deadline is None else deadline - time.perf_counter()
        if left is not None and left <= 0:
            break
        verdict = solve(usable, target=target, seconds=left, memory=memory, progress=progress)
        if verdict.witness is not None:
            lower = verdict.lower
            played = (move.position for move in verdict.witness if move.action is Action.PLAY)
            play = eager_play(instance, [origin[position - 1] for position in played])
        elif verdict.status is Status.UNWINNABLE:
            upper = target - 1
        else:
            break
    return MostCards(lower, upper, play)


def _usable(instance: Instance) -> tuple[Instance, list[int]]:
    """Return the stream without cards above a missing one, and where its cards stood.

    Colors are numbered anew, so the size depends on the stream alone, however large n and c are.
    """
    present = set(zip(instance.colors, instance.values, strict=True))
    top: dict[int, int] = {}
    for color, value in sorted(present):
        if value == top.get(color, 0) + 1:
            top[color] = value
    number = {color: index for index, color in enumerate(top)}
    origin = [
        position
        for position, (value, color) in enumerate(instance.cards)
        if value <= top.get(color, 0)
    ]
    cards = [(instance.values[i], number[instance.colors[i]]) for i in origin]
    return Instance(instance.hand_size, cards), origin


def _reachable(instance: Instance) -> int:
    """Cards below the first one of each color that never occurs."""
    present = set(zip(instance.colors, instance.values, strict=True))
    total = 0
    for color in range(instance.c):
        value = 1
        while value <= instance.n and (color, value) in present:
            value += 1
        total += value - 1
    return total
