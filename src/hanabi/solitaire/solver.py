"""Solve any instance: the right solver, chosen by structure and cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal, TypeAlias, get_args

from hanabi.ground import (
    BudgetEndedError,
    Clock,
    InvalidInputError,
    Status,
    Verdict,
    counted,
    quote,
)
from hanabi.solitaire import few_states, few_values, search, single_color, unique
from hanabi.solitaire.bounds import find_missing, keep_everything, largest_crowd
from hanabi.solitaire.eager import eager_play
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.play import Play
from hanabi.solitaire.search import Tell

__all__ = ["METHODS", "Method", "solve"]

Method: TypeAlias = Literal[
    "auto", "unique", "single_color", "forced", "two_sat", "table", "search", "paths", "sat"
]
"""What `method` may be; `auto` chooses."""
METHODS: tuple[str, ...] = get_args(Method)
"""The names of the methods."""

_FIRST_STATES = 1000  # of a search before all else; a tenth where SAT is to start at once
_FIRST_CARDS = 400  # more cards make states slow
_FIRST_SHARE = 0.4  # of all time, at most
_SMALL = 36  # cards to build: a state of the first search costs little
_COUNTED_CARDS = 5000  # more cards make it slow to tell how many states there are
_COUNTED_MEMORY = 2**26  # bytes of states that take some hundredths of a second
_FEW_COLORS, _FEW_COLORS_CARDS = 4, 550  # SAT is the quickest here, unless states are few
_STARTS = {"paths": 0.0, "sat": 0.05, "search": 1.0}
"""Seconds after which each general solver starts. Each is quick on streams that are hard for the
others, so they run at the same time. Loading the compiled search takes half a second."""
_STARTS_WITH_FEW_COLORS = {"sat": 0.0, "paths": 1.0, "search": 3.0}
"""The same where colors are few."""
_LOOK = 0.02  # seconds between two checks for a late start or an interrupt


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
    n = 3 with h = 1); otherwise cheap bounds, then a short search: one that is made for few states
    where few are expected. Then paths, SAT and search work at the same time, until one of them
    decides. Where colors are few and states are many, SAT starts at once, long before the others.
    The verdict's `trail` says what was tried and why.

    Parameters
    ----------
    instance
        What to solve.
    method
        One of `METHODS`.
    seconds, memory
        Budgets (memory in bytes; solvers at work at the same time share it). When they end the
        verdict is UNKNOWN, with bounds on the most cards that can be played.
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
    clock = Clock(seconds)
    if method == "auto":
        return _solve_auto(instance, clock, memory, progress)
    if method == "unique":
        return unique.solve(instance, seconds=seconds)
    if method == "single_color":
        return single_color.solve(instance, seconds=seconds)
    if method == "forced":
        return few_values.solve_forced(instance, seconds=seconds)
    if method == "two_sat":
        return few_values.solve_two_sat(instance, seconds=seconds)
    if method == "table":
        from hanabi.solitaire import table

        return table.solve(instance, seconds=seconds, memory=memory or table.DEFAULT_MEMORY)
    return _solve_generally(instance, method, clock, memory, progress)


def _solve_generally(
    instance: Instance, method: str, clock: Clock, memory: int | None, progress: Tell | None
) -> Verdict[Play]:
    if method == "search":
        return search.solve(instance, clock=clock, memory=memory, progress=progress)
    if method == "paths":
        from hanabi.solitaire import paths

        return paths.solve(instance, clock=clock, memory=memory)
    from hanabi.solitaire import sat

    return sat.solve(instance, clock=clock, memory=memory)


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
    tried, states = ["the bounds leave it open"], 0
    for name, found in _first_searches(instance, clock, memory):
        tried.append(f"{name}: {found.reason}")
        states += found.states
        if found.status is not Status.UNKNOWN:
            break
    else:
        found = _race(instance, clock, memory, progress, tried)
        states += found.states
    return replace(found, states=states, seconds=clock.elapsed, trail=tuple(tried))


def _has_few_colors(instance: Instance) -> bool:
    """Whether colors are few and values many, but not so many that the formula is large."""
    is_large = instance.N > _FEW_COLORS_CARDS
    return instance.c <= _FEW_COLORS and instance.goal > _SMALL and not is_large


def _first_searches(
    instance: Instance, clock: Clock, memory: int | None
) -> Iterator[tuple[str, Verdict[Play]]]:
    """Yield what short searches find, for which nothing is loaded."""

    def share() -> float | None:
        return None if clock.left is None else clock.left * _FIRST_SHARE

    if instance.goal > _SMALL and instance.N <= _COUNTED_CARDS:
        most = few_states.expected_states(instance) + _FIRST_STATES
        room = _COUNTED_MEMORY if memory is None else min(memory, _COUNTED_MEMORY)
        if most * few_states.bytes_of_a_state(instance) <= room:
            yield "few states", few_states.solve(instance, states=most, clock=Clock(share()))
    if instance.N <= _FIRST_CARDS:
        most = _FIRST_STATES // 10 if _has_few_colors(instance) else _FIRST_STATES
        yield "search", search.solve(instance, seconds=share(), memory=memory, states=most)


def _race(
    instance: Instance,
    clock: Clock,
    memory: int | None,
    progress: Tell | None,
    tried: list[str],
) -> Verdict[Play]:
    """Run the general solvers at the same time until one decides or all have ended.

    Each starts after so many seconds, or when no other works, and runs in a thread, which mostly
    waits for compiled code or for a child process. Appends the reason of each solver that ends to
    `tried`.
    """
    from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

    starts = _STARTS_WITH_FEW_COLORS if _has_few_colors(instance) else _STARTS
    memory = None if memory is None else memory // len(starts)
    started, shared = Clock(), Clock(clock.left)
    waiting, running = dict(starts), dict[Future[Verdict[Play]], str]()
    verdict, states = Verdict[Play](Status.UNKNOWN, "auto", "out of time", upper=instance.goal), 0
    with ThreadPoolExecutor(len(starts)) as pool:
        try:
            while (waiting or running) and verdict.status is Status.UNKNOWN:
                for method, when in list(waiting.items()):
                    if when <= started.elapsed or not running:
                        del waiting[method]
                        future = pool.submit(
                            _solve_generally, instance, method, shared, memory, progress
                        )
                        running[future] = method
                for future in wait(running, _LOOK, FIRST_COMPLETED).done:
                    method, found = running.pop(future), future.result()
                    tried.append(f"{method}: {found.reason}")
                    states += found.states
                    if verdict.status is Status.UNKNOWN:
                        lower = max(found.lower, verdict.lower)
                        upper = min(found.upper, verdict.upper)
                        verdict = replace(found, lower=lower, upper=upper)
        finally:
            shared.end()
    return replace(verdict, states=states)


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
