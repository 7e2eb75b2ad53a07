"""Set packing by CP-SAT, the solver of OR-Tools: an extra, for large tables."""

from __future__ import annotations

from collections.abc import Sequence

from hanabi.errors import MissingPackageError
from hanabi.hints.packing import greedy, packing_bound
from hanabi.hints.safety import bits

__all__ = ["pack_by_cp_sat"]

_ROUNDING = 1e-6


def pack_by_cp_sat(sets: Sequence[int], seconds: float) -> tuple[list[int], int]:
    """Return disjoint sets, and an upper bound on their number; equal if `seconds` were enough.

    One worker with a fixed seed: the same answer every time, if it is proved.

    Raises
    ------
    MissingPackageError
        If OR-Tools is not installed.

    >>> pack_by_cp_sat([0b0011, 0b0110, 0b1100], seconds=10)
    ([3, 12], 2)
    """
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise MissingPackageError("cp-sat needs OR-Tools", extra="packing") from None
    model = cp_model.CpModel()
    chosen = [model.new_bool_var("") for _ in sets]
    covering: dict[int, list[cp_model.IntVar]] = {}
    for each, is_chosen in zip(sets, chosen, strict=True):
        for element in bits(each):
            covering.setdefault(element, []).append(is_chosen)
    for rivals in covering.values():
        model.add_at_most_one(rivals)
    model.maximize(sum(chosen))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    solver.parameters.max_time_in_seconds = seconds
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return greedy(sets), packing_bound(sets)
    found = [each for each, is_chosen in zip(sets, chosen, strict=True) if solver.value(is_chosen)]
    upper = min(int(solver.best_objective_bound + _ROUNDING), packing_bound(sets))
    return found, upper
