"""The least hand that wins, the most cards that can be played, and the fewest that must come.

Each by the quickest means first.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from hanabi.ground import BudgetEndedError, Clock, Status, Verdict
from hanabi.solitaire import few_values, search
from hanabi.solitaire.bounds import find_missing, keep_everything, largest_crowd
from hanabi.solitaire.eager import eager_play
from hanabi.solitaire.gains import quick_most_cards
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.play import DrawAction, Play
from hanabi.solitaire.search import MostCards, Tell, usable_part
from hanabi.solitaire.solver import solve

__all__ = ["FewestCards", "LeastHand", "MostCards", "fewest_cards", "least_hand", "most_cards"]

_SHORT = 0.1  # seconds of a first search


def most_cards(
    instance: Instance,
    *,
    seconds: float | None = None,
    memory: int | None = None,
    progress: Tell | None = None,
) -> MostCards:
    """Return the most cards that can be put on the piles.

    Easy cases, and a guarantee for all others, come from :mod:`hanabi.solitaire.gains`. A short
    search is followed by the program of paths, and by search again where that ends early. When a
    budget ends, the bounds found so far are returned.

    >>> most = most_cards(Instance(0, [(0, 2), (0, 1), (1, 1)], c=2))
    >>> most.lower, most.upper, most.play.to_json()
    (2, 2, [[1, 'discard'], [2, 'play'], [3, 'play']])
    """
    clock = Clock(seconds)
    most = MostCards(0, instance.goal, None)
    with suppress(BudgetEndedError):
        most = quick_most_cards(instance, clock)
        if most.is_exact:
            return most
    short = _shorter(clock, _SHORT)
    by_search = search.most_cards(instance, seconds=short, memory=memory, progress=progress)
    most = _tighter(most, by_search)
    if most.is_exact and most.play is not None:
        return most
    with suppress(BudgetEndedError):
        most = _tighter(most, _most_by_paths(instance, clock, memory, progress))
    if most.is_exact and most.play is not None:
        return most
    by_search = search.most_cards(instance, seconds=clock.left, memory=memory, progress=progress)
    return _tighter(most, by_search)


def _tighter(one: MostCards, other: MostCards) -> MostCards:
    best = max(one, other, key=lambda most: (most.lower, most.play is not None))
    return MostCards(best.lower, min(one.upper, other.upper), best.play)


def _most_by_paths(
    instance: Instance, clock: Clock, memory: int | None, progress: Tell | None
) -> MostCards:
    from hanabi.solitaire.paths.optimum import fewest_left_out

    usable, origin, upper = usable_part(instance, clock)
    left = clock.left
    share = Clock(None if left is None else left / 2)
    found = fewest_left_out(usable, clock=share, memory=memory, progress=progress)
    # What is left out is counted from all values of the usable colors, of which some never come.
    upper = min(upper, usable.goal - found.lower)
    if found.play is None or found.upper is None:
        return MostCards(0, upper, None)
    chosen = (origin[move.position - 1] for move in found.play if move.action is DrawAction.PLAY)
    play = eager_play(instance, chosen)
    return MostCards(usable.goal - found.upper, upper, play)


@dataclass(frozen=True, slots=True)
class LeastHand:
    """The least hand size that wins.

    Attributes
    ----------
    lower
        No smaller hand wins.
    upper
        This hand wins; None if no hand ever does.
    verdict
        The verdict at `upper` with its play, or the reason why no hand wins.
    reason
        One sentence.
    """

    lower: int
    upper: int | None
    verdict: Verdict[Play]
    reason: str

    @property
    def is_exact(self) -> bool:
        """Whether the least hand size is known (or known not to exist)."""
        return self.upper is None or self.lower == self.upper


def least_hand(
    instance: Instance,
    *,
    method: str = "auto",
    seconds: float | None = None,
    memory: int | None = None,
    progress: Tell | None = None,
) -> LeastHand:
    """Return the least hand size with which the stream of `instance` is winnable.

    Bisection between the bounds, since more hand never hurts: O(log(nc)) runs of `solve`. When a
    budget ends the bounds reached so far are returned.

    >>> least_hand(Instance(0, [(0, 2), (0, 3), (0, 1), (0, 2), (1, 1), (1, 2), (1, 3)])).upper
    1
    """
    clock, goal = Clock(seconds), instance.goal
    try:
        missing = find_missing(instance, "bounds", clock)
        if missing is not None:
            return LeastHand(0, None, missing, missing.reason)
        if method in ("auto", "forced") and instance.n <= 2:
            return _forced_least_hand(instance, clock)
        lower = len(largest_crowd(instance, clock).cards)
        upper, chosen = keep_everything(instance, clock)
        play = eager_play(instance, chosen, clock)
    except BudgetEndedError as error:
        return _least(0, goal, Verdict(Status.UNKNOWN, "bounds", str(error), upper=goal))
    best = Verdict(
        Status.WINNABLE, "bounds", "every needed card is kept", play, lower=goal, upper=goal
    )
    if method == "auto" and instance.r <= 1:
        return LeastHand(upper, upper, best, "no card repeats: every card has to be kept")
    found = _Bracket(lower, upper, best)
    has_programs = method == "paths" or (method == "auto" and instance.c > 1)
    if has_programs:
        if method == "auto":
            short = Clock(_shorter(clock, _SHORT))
            found.bisect(instance.with_hand_size, "search", short, memory, progress)
        found.narrow(instance, clock, memory, progress)
    found.bisect(instance.with_hand_size, method, clock, memory, progress)
    return _least(found.lower, found.upper, found.best)


@dataclass(frozen=True, slots=True)
class FewestCards:
    """The length of the shortest beginning of a stream that can be won.

    Attributes
    ----------
    lower
        No shorter beginning wins.
    upper
        This one does; None if none is known to.
    verdict
        The verdict at `upper` with its play, or on the whole stream.
    """

    lower: int
    upper: int | None
    verdict: Verdict[Play]

    @property
    def is_exact(self) -> bool:
        """Whether the length is known (or known not to exist)."""
        return self.lower == self.upper or self.verdict.status is Status.UNWINNABLE


def fewest_cards(
    instance: Instance,
    verdict: Verdict[Play] | None = None,
    *,
    method: str = "auto",
    seconds: float | None = None,
    memory: int | None = None,
    progress: Tell | None = None,
) -> FewestCards:
    """Return the fewest cards of the stream after which everything can have been played.

    Bisection, since more cards never hurt: play the beginning, and discard the rest. `verdict` is
    that on the whole stream, if it is known. When a budget ends the bounds so far are returned.

    >>> found = fewest_cards(Instance(1, [(0, 2), (0, 3), (0, 1), (0, 2), (0, 3)]))
    >>> found.lower, found.upper, found.verdict.witness.to_json()[-1]
    (4, 4, [2, 'play'])
    """
    clock = Clock(seconds)
    if verdict is None:
        verdict = solve(
            instance, method=method, seconds=clock.left, memory=memory, progress=progress
        )
    play = verdict.witness
    if verdict.status is not Status.WINNABLE or play is None:
        return FewestCards(0, None, verdict)
    first: dict[tuple[int, int], int] = {}
    for position, card in enumerate(zip(instance.colors, instance.values, strict=True), start=1):
        first.setdefault(card, position)
    upper = max((move.position for move in play if move.action is DrawAction.PLAY), default=0)
    if max(play.positions, default=0) > upper:  # the rest is not needed
        play = Play(move for move in play if move.position <= upper)
        verdict = replace(verdict, witness=play)
    found = _Bracket(max(first.values(), default=0), upper, verdict)
    found.bisect(instance.first, method, clock, memory, progress)
    return FewestCards(found.lower, found.upper, found.best)


def _forced_least_hand(instance: Instance, clock: Clock) -> LeastHand:
    hand = few_values.least_hand(instance, clock)
    verdict = few_values.solve_forced(instance.with_hand_size(hand or 0), seconds=clock.left)
    if not verdict.is_winnable:
        return _least(0, instance.goal, verdict)
    return LeastHand(hand or 0, hand, verdict, "all windows are forced")


def _shorter(clock: Clock, seconds: float) -> float:
    return seconds if clock.left is None else min(seconds, clock.left)


class _Bracket:
    """Bounds on the least number that wins, and the verdict at the upper one."""

    def __init__(self, lower: int, upper: int, best: Verdict[Play]) -> None:
        self.lower, self.upper, self.best = lower, upper, best

    def bisect(
        self,
        instance_of: Callable[[int], Instance],
        method: str,
        clock: Clock,
        memory: int | None,
        progress: Tell | None,
    ) -> None:
        """Halve what is open until the clock runs out."""
        while self.lower < self.upper and not clock.is_over:
            middle = (self.lower + self.upper) // 2
            verdict = solve(
                instance_of(middle),
                method=method,
                seconds=clock.left,
                memory=memory,
                progress=progress,
            )
            if verdict.status is Status.WINNABLE:
                self.upper, self.best = middle, verdict
            elif verdict.status is Status.UNWINNABLE:
                self.lower = middle + 1
            else:
                break

    def narrow(
        self, instance: Instance, clock: Clock, memory: int | None, progress: Tell | None
    ) -> None:
        """Let the program of paths raise the lower bound and lower the upper one."""
        if self.lower == self.upper:
            return
        from hanabi.solitaire.paths.optimum import least_hand

        try:
            found = least_hand(instance, self.lower, clock=clock, memory=memory, progress=progress)
        except BudgetEndedError:
            return
        self.lower = found.lower
        if found.upper is not None and found.upper < self.upper:
            self.upper, goal = found.upper, instance.goal
            reason = "a path was found for each color, and their windows fit the hand"
            self.best = Verdict(
                Status.WINNABLE, "paths", reason, found.play, lower=goal, upper=goal
            )


def _least(lower: int, upper: int, best: Verdict[Play]) -> LeastHand:
    reason = (
        f"a hand of {upper} wins and none smaller does"
        if lower == upper
        else f"a hand of {upper} wins; the least lies in {lower} .. {upper}"
    )
    return LeastHand(lower, upper, best, reason)
