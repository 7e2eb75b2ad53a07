"""Solve any instance: the right solver, chosen by structure and cost."""

from __future__ import annotations

from dataclasses import replace

from hanabi.clock import Clock
from hanabi.errors import BudgetEndedError, InvalidInputError, counted, quote
from hanabi.solitaire import search, single_color, unique
from hanabi.solitaire.bounds import find_missing, keep_everything, largest_crowd
from hanabi.solitaire.eager import eager_play
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.play import Play
from hanabi.solitaire.search import Tell
from hanabi.verdict import Status, Verdict

__all__ = ["METHODS", "solve"]

METHODS = ("auto", "unique", "single_color", "table", "search", "paths", "sat")
"""What `method` may be; `auto` chooses."""

# How long the search tries before the rest of the time goes to SAT, which is slower on small
# instances, but alone copes with the thousands of cards that come from formulas.
_SEARCH_SHARE = 0.4
_SEARCH_SECONDS = 30.0
_SEARCH_SECONDS_IF_LARGE = 2.0
_LARGE = 1000  # cards to be played


def solve(
    instance: Instance,
    *,
    method: str = "auto",
    seconds: float | None = None,
    memory: int | None = None,
    progress: Tell | None = None,
) -> Verdict[Play]:
    """Decide whether `instance` can be won, and give a winning play.

    `auto` takes the linear-time solvers where they apply (r = 1, c = 1); otherwise cheap bounds,
    then the exact search, then SAT. The verdict's `trail` says what was tried and why.

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
    ('winnable', 'bounds')
    """
    if method not in METHODS:
        raise InvalidInputError(f"unknown method {quote(method)}: one of {', '.join(METHODS)}")
    if method == "auto":
        return _solve_auto(instance, Clock(seconds), memory, progress)
    if method == "unique":
        return unique.solve(instance, seconds=seconds)
    if method == "single_color":
        return single_color.solve(instance, seconds=seconds)
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
    try:
        by_bounds = _solve_by_bounds(instance, clock)
    except BudgetEndedError as error:
        by_bounds = Verdict(Status.UNKNOWN, "bounds", str(error), upper=instance.goal)
    if by_bounds is not None:
        return replace(by_bounds, seconds=clock.elapsed)
    trail = ["the bounds leave it open"]
    share = _SEARCH_SECONDS_IF_LARGE if instance.goal > _LARGE else _SEARCH_SECONDS
    if clock.left is not None:
        share = min(share, clock.left * _SEARCH_SHARE)
    verdict = search.solve(instance, seconds=share, memory=memory, progress=progress)
    trail.append(f"search: {verdict.reason}")
    if verdict.status is Status.UNKNOWN:
        from hanabi.solitaire import sat

        second = sat.solve(instance, seconds=clock.left, memory=memory)
        trail.append(f"sat: {second.reason}")
        verdict = replace(second, states=verdict.states)
    return replace(verdict, seconds=clock.elapsed, trail=tuple(trail))


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
