"""Solve any instance: the right solver, chosen by structure and cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hanabi.clock import Clock
from hanabi.errors import BudgetEndedError, InvalidInputError, counted, quote
from hanabi.solitaire import few_values, search, single_color, unique
from hanabi.solitaire.bounds import find_missing, keep_everything, largest_crowd
from hanabi.solitaire.eager import eager_play
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.play import Play
from hanabi.solitaire.search import Tell
from hanabi.verdict import Status, Verdict

__all__ = ["METHODS", "solve"]

METHODS = (
    "auto", "unique", "single_color", "forced", "two_sat", "table", "search", "paths", "sat",
)  # fmt: skip
"""What `method` may be; `auto` chooses."""

# The general solvers take turns. Each knows streams that are hard for the others. A first search
# decides most small streams; for others it is too short to load compiled code. It is bounded by
# states rather than by time, so that the same solver decides on a busy machine.
_SMALL = 150  # cards
_FIRST_SHARE = 0.4  # of all time, at most
_FIRST_STATES, _FIRST_SECONDS = 2000, 0.5
_FIRST_STATES_IF_SMALL, _FIRST_SECONDS_IF_SMALL = 100_000, 10.0
_FIRST_TURN, _GROWTH = 0.25, 4  # seconds of a turn, and how much longer the next one is
_SEARCH_FROM = 1.0  # seconds of a turn: loading the compiled search takes half a second
_GENERAL = "search", "paths", "sat"


def solve(
    instance: Instance,
    *,
    method: str = "auto",
    seconds: float | None = None,
    memory: int | None = None,
    progress: Tell | None = None,
) -> Verdict[Play]:
    """Decide whether `instance` can be won, and give a winning play.

    `auto` takes the polynomial-time solvers where they apply (r = 1, c = 1, h = 0, n <= 2, or
    n = 3 with h = 1); otherwise cheap bounds, then search, paths and SAT in turns. The verdict's
    `trail` says what was tried and why.

    Parameters
    ----------
    instance
        What to solve.
    method
        One of `METHODS`.
    seconds, memory
        Budgets (memory in bytes). When they end the verdict is UNKNOWN, with bounds on the most
        cards that can be played.
    progress
        Called with a line about once a second by the slow solvers.

    Raises
    ------
    InvalidInputError
        If there is no such method.
    SolverError
        If the method does not solve this instance (`unique` with r > 1, a table too large ...).

    >>> verdict = solve(Instance(1, [(0, 2), (0, 1), (1, 1), (1, 2), (1, 1)]))
    >>> str(verdict.status), verdict.method
    ('winnable', 'forced')
    """
    if method not in METHODS:
        raise InvalidInputError(f"unknown method {quote(method)}: one of {', '.join(METHODS)}")
    if method == "auto":
        return _solve_auto(instance, Clock(seconds), memory, progress)
    if method == "unique":
        return unique.solve(instance, seconds=seconds)
    if method == "single_color":
        return single_color.solve(instance, seconds=seconds)
    if method == "forced":
        return few_values.solve_forced(instance, seconds=seconds)
    if method == "two_sat":
        return few_values.solve_two_sat(instance, seconds=seconds)
    if method == "search":
        return search.solve(instance, seconds=seconds, memory=memory, progress=progress)
    if method == "paths":
        from hanabi.solitaire import paths

        return paths.solve(instance, seconds=seconds, memory=memory)
    if method == "table":
        from hanabi.solitaire import table

        return table.solve(instance, seconds=seconds, memory=memory or table.DEFAULT_MEMORY)
    from hanabi.solitaire import sat

    return sat.solve(instance, seconds=seconds, memory=memory)


def _solve_auto(
    instance: Instance, clock: Clock, memory: int | None, progress: Tell | None
) -> Verdict[Play]:
    if instance.c == 1:
        verdict = single_color.solve(instance, seconds=clock.left)
        return replace(verdict, trail=("one color: solved in linear time by the lazy algorithm",))
    if instance.r <= 1:
        verdict = unique.solve(instance, seconds=clock.left)
        return replace(verdict, trail=("no card repeats: solved in linear time by greedy play",))
    if instance.n <= 2 or instance.hand_size == 0:
        verdict = few_values.solve_forced(instance, seconds=clock.left)
        why = "without a hand" if instance.n > 2 else "at most two values"
        return replace(verdict, trail=(f"{why}: solved in linear time, as nothing can be chosen",))
    if instance.n == 3 and instance.hand_size == 1:
        verdict = few_values.solve_two_sat(instance, seconds=clock.left)
        return replace(verdict, trail=("three values and one card in hand: solved as 2-SAT",))
    try:
        by_bounds = _solve_by_bounds(instance, clock)
    except BudgetEndedError as error:
        by_bounds = Verdict(Status.UNKNOWN, "bounds", str(error), upper=instance.goal)
    if by_bounds is not None:
        return replace(by_bounds, seconds=clock.elapsed)
    return _take_turns(instance, clock, memory, progress)


def _take_turns(
    instance: Instance, clock: Clock, memory: int | None, progress: Tell | None
) -> Verdict[Play]:
    """Let the general solvers work in turns, each longer than the last, until one decides."""
    is_small = instance.N <= _SMALL
    share = _FIRST_SECONDS_IF_SMALL if is_small else _FIRST_SECONDS
    if clock.left is not None:
        share = min(share, clock.left * _FIRST_SHARE)
    verdict = search.solve(
        instance,
        seconds=share,
        memory=memory,
        states=_FIRST_STATES_IF_SMALL if is_small else _FIRST_STATES,
        progress=progress,
    )
    lower, upper, states = verdict.lower, verdict.upper, verdict.states
    reasons, given_up = {"search": verdict.reason}, set[str]()
    for method, seconds in _turns():
        is_decided = verdict.status is not Status.UNKNOWN
        if is_decided or clock.is_over or len(given_up) == len(_GENERAL):
            break
        if method in given_up:
            continue
        turn = Clock(seconds if clock.left is None else min(seconds, clock.left))
        verdict = solve(
            instance, method=method, seconds=turn.left, memory=memory, progress=progress
        )
        states += verdict.states
        lower, upper = max(lower, verdict.lower), min(upper, verdict.upper)
        reasons.pop(method, None)  # the last one to work comes last
        reasons[method] = verdict.reason
        if not turn.is_over:
            given_up.add(method)
    trail = ["the bounds leave it open", *(f"{name}: {why}" for name, why in reasons.items())]
    return replace(
        verdict,
        lower=lower,
        upper=upper,
        states=states,
        seconds=clock.elapsed,
        trail=tuple(trail),
    )


def _turns() -> Iterator[tuple[str, float]]:
    """Yield who works next, and for how many seconds."""
    seconds = _FIRST_TURN
    while True:
        yield "paths", seconds
        yield "sat", seconds
        if seconds >= _SEARCH_FROM:
            yield "search", seconds
        seconds *= _GROWTH


def _solve_by_bounds(instance: Instance, clock: Clock) -> Verdict[Play] | None:
    """Return the verdict if a cheap bound gives it."""
    goal = instance.goal
    missing = find_missing(instance, "bounds", clock)
    if missing is not None:
        return missing
    crowd = largest_crowd(instance, clock)
    if len(crowd.cards) > instance.hand_size:
        names = " ".join(instance.card_name(*card) for card in crowd.cards[:12])
        more = f" and {len(crowd.cards) - 12} more" if len(crowd.cards) > 12 else ""
        return Verdict(
            Status.UNWINNABLE,
            "bounds",
            f"after card {crowd.position}, the hand has to hold"
            f" {counted(len(crowd.cards), 'card')} at once: {names}{more}",
            upper=goal - 1,
            trail=("too many last copies wait for a lower card together",),
        )
    hand, chosen = keep_everything(instance, clock)
    if hand <= instance.hand_size:
        return Verdict(
            Status.WINNABLE,
            "bounds",
            f"keeping every needed card takes a hand of {hand} only",
            witness=eager_play(instance, chosen, clock),
            lower=goal,
            upper=goal,
            trail=("nothing ever has to be let go",),
        )
    return None
