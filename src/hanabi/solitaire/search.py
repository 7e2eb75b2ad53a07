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
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from hanabi.ground import BudgetEndedError, Clock, Status, Verdict
from hanabi.solitaire.bounds import find_missing
from hanabi.solitaire.eager import eager_play
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.play import DrawAction, Play, n_played
from hanabi.solitaire.search_plain import find_winning_copies

if TYPE_CHECKING:
    from hanabi.solitaire.layers import Layers

__all__ = ["DEFAULT_MEMORY", "MostCards", "Tell", "most_cards", "solve", "usable_part"]

DEFAULT_MEMORY = 2**30
"""Bytes that a search may use unless told otherwise."""

_PLAIN_STATES = 2000
_PLAIN_CARDS = 400
_LOADING = 0.5  # seconds that loading the compiled search takes
_WIDTHS = (64, 4096)
_FEW = 256  # values of a color between two looks at the clock: there may be many colors

Tell = Callable[[str], None]
"""What takes a line about the progress of a search."""


def solve(
    instance: Instance,
    *,
    target: int | None = None,
    seconds: float | None = None,
    memory: int | None = None,
    states: int | None = None,
    progress: Tell | None = None,
    clock: Clock | None = None,
) -> Verdict[Play]:
    """Decide whether `target` cards (by default all n * c) can be put on the piles.

    `target` is at most n * c, `memory` by default 1 GiB, and all else as for `solver.solve`. After
    some more than so many `states` the search is given up: a limit that is the same at all speeds.
    A running `clock` takes the place of `seconds`.

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
    >>> verdict = solve(Instance(1, [(0, 2), (0, 1), (0, 2)]))
    >>> str(verdict.status), len(verdict.witness)
    ('winnable', 3)
    """
    clock = clock or Clock(seconds)
    goal = instance.goal if target is None else min(target, instance.goal)
    run = _Run(instance, goal, clock, memory or DEFAULT_MEMORY, progress, states)
    play, lower, upper = None, 0, instance.goal
    try:
        missing = find_missing(instance, "search", clock) if goal == instance.goal else None
        if missing is not None:
            return missing
        chosen = run.find()
        if chosen is not None:
            play = eager_play(instance, chosen, clock)
            lower = goal if goal == instance.goal else n_played(instance, play)
            status, reason = Status.WINNABLE, f"a line that plays {goal} cards was found"
        elif run.was_cut:
            status = Status.UNKNOWN
            reason = f"the memory holds too few states a layer; none of {run.states:,} led on"
        else:
            status, upper = Status.UNWINNABLE, goal - 1
            reason = f"all {run.states:,} states lead to a needed card that finds no room in hand"
            if run.states == 0:
                reason = f"more than {instance.hand_size} cards have to be in hand at one time"
    except BudgetEndedError as error:
        status, reason = Status.UNKNOWN, f"{error} after {run.states:,} states"
    return Verdict(
        status,
        "search",
        reason,
        witness=play,
        lower=lower,
        upper=upper,
        states=run.states,
        seconds=clock.elapsed,
    )


class _Run:
    """One question, searched wider and wider within the budgets."""

    def __init__(
        self,
        instance: Instance,
        target: int,
        clock: Clock,
        memory: int,
        progress: Tell | None,
        most_states: int | None,
    ) -> None:
        self.instance, self.target, self.most_states = instance, target, most_states
        self.clock, self.memory, self.progress = clock, memory, progress
        self.states = 0
        self.was_cut = False
        self._said = 0.0

    def find(self) -> list[int] | None:
        """Return the positions of the copies that a line to the target plays, or None.

        Raises BudgetEndedError when the time ends, or after enough states.
        """
        if "hanabi.solitaire.kernels.search" not in sys.modules:  # else nothing is to be saved
            left, states = self.clock.left, self.most_states
            is_short = left is not None and left < 2 * _LOADING
            if is_short or (states is not None and states <= _PLAIN_STATES):
                try:
                    return self._find_plain(self.clock, states)
                except OverflowError as error:
                    (self.states,) = error.args
                    raise BudgetEndedError("given up") from None
            if self.instance.N <= _PLAIN_CARDS:
                with suppress(OverflowError, BudgetEndedError):
                    return self._find_plain(Clock(_LOADING), _PLAIN_STATES)
        return self._find_compiled()

    def _find_plain(self, clock: Clock, most_states: int | None = None) -> list[int] | None:
        chosen, self.states = find_winning_copies(
            self.instance, target=self.target, most_states=most_states, clock=clock
        )
        return chosen

    def _find_compiled(self) -> list[int] | None:
        from hanabi.solitaire.layers import Layers, widest

        limit = widest(self.instance, self.memory)
        for width in (*(w for w in _WIDTHS if w < limit), limit):
            self.clock.check()
            layers = Layers(self.instance, self.target, width, self.memory)
            before = self.states
            while (outcome := layers.advance()) is None:
                self.states = before + layers.states
                self._tell(layers)
                self.clock.check()
                if self.most_states is not None and self.states > self.most_states:
                    raise BudgetEndedError("given up")
            self.states = before + layers.states
            self.was_cut = layers.was_cut
            if outcome:
                return layers.winning_copies(self.clock)
            if not layers.was_cut:
                return None
        return None

    def _tell(self, layers: Layers) -> None:
        if self.progress is not None and self.clock.elapsed - self._said >= 1:
            self._said = self.clock.elapsed
            self.progress(
                f"search: card {layers.position} of {self.instance.N},"
                f" {layers.size:,} states in the layer, {self.states:,} in all"
            )


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
    progress: Tell | None = None,
) -> MostCards:
    """Return the most cards that can be put on the piles, by bisection over the target.

    Each step is one search; when a budget ends, the bounds found so far are returned.

    >>> from hanabi.solitaire import Instance
    >>> most = most_cards(Instance(0, [(0, 2), (0, 1), (1, 1)], c=2))
    >>> most.lower, most.upper, most.play.to_json()
    (2, 2, [[1, 'discard'], [2, 'play'], [3, 'play']])
    """
    clock = Clock(seconds)
    lower, upper, chosen = 0, instance.goal, []
    try:
        usable, origin, upper = usable_part(instance, clock)
        while lower < upper:
            target = (lower + upper + 1) // 2
            verdict = solve(
                usable, target=target, seconds=clock.left, memory=memory, progress=progress
            )
            if verdict.witness is not None:
                lower = verdict.lower
                played = (
                    move.position for move in verdict.witness if move.action is DrawAction.PLAY
                )
                chosen = [origin[position - 1] for position in played]
            elif verdict.status is Status.UNWINNABLE:
                upper = target - 1
            else:
                break
        return MostCards(lower, upper, eager_play(instance, chosen, clock))
    except BudgetEndedError:
        return MostCards(lower, upper, None)


def usable_part(instance: Instance, clock: Clock) -> tuple[Instance, list[int], int]:
    """Return the stream without cards above a missing one, where they stood, how many differ.

    Colors are numbered anew, so the size depends on the stream alone, however large n and c are.
    """
    present = set(clock.watch(zip(instance.colors, instance.values, strict=True)))
    top: dict[int, int] = {}
    for color in sorted(set(instance.colors)):
        values = clock.watch(count(1), every=_FEW)
        first_missing = next(value for value in values if (color, value) not in present)
        if first_missing > 1:
            top[color] = first_missing - 1
    number = {color: index for index, color in enumerate(top)}
    stream = zip(instance.colors, instance.values, strict=True)
    origin = [
        position
        for position, (color, value) in enumerate(clock.watch(stream))
        if value <= top.get(color, 0)
    ]
    cards = [(number[instance.colors[i]], instance.values[i]) for i in clock.watch(origin)]
    return Instance(instance.hand_size, cards), origin, sum(top.values())
