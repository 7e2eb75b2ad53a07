"""HiGHS at work on one integer program: the part that runs in a child process.

HiGHS looks at its clock now and then only, at times after minutes, so a large program is solved in
a process that can be ended (`hanabi.ground.workers.child`). That process loads this file alone, so
it imports NumPy and HiGHS, but nothing else of this package.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

__all__ = ["COLUMNS", "answer", "model_of", "new_highs"]

COLUMNS = {
    "cost": "f8",
    "lower": "f8",
    "upper": "f8",
    "row_lower": "f8",
    "row_upper": "f8",
    "value": "f8",
    "start": "i4",
    "index": "i4",
    "whole": "i4",
}
"""The columns of a program, with the types of their numbers; `whole` lists the integer columns."""


def model_of(columns: dict[str, Any]) -> Any:
    """Return the program as HiGHS takes it, without the demand for whole numbers."""
    import highspy

    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(columns["cost"]), len(columns["row_lower"])
    model.col_cost_ = columns["cost"]
    model.col_lower_, model.col_upper_ = columns["lower"], columns["upper"]
    model.row_lower_, model.row_upper_ = columns["row_lower"], columns["row_upper"]
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_, model.a_matrix_.index_ = columns["start"], columns["index"]
    model.a_matrix_.value_ = columns["value"]
    return model


def new_highs(model: Any) -> Any:
    """Return an object of HiGHS that says nothing, with the program."""
    # The class that `highspy` documents prints a line when an object is made; this is its base.
    from highspy._core import _Highs

    highs = _Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    highs.passModel(model)
    return highs


def answer(request: dict[str, Any], numbers: array[int], send: Callable[..., None]) -> None:
    """Solve the program, and send each better point: facts, and then the point if there is one.

    The last facts say whether HiGHS has come to an end. If nothing has to be whole, the duals of
    the rows and of the columns follow the point.
    """
    import highspy
    import numpy as np
    from highspy import HighsModelStatus as Status

    columns, data, start = {}, memoryview(numbers).cast("B"), 0
    for name, size in request["sizes"].items():
        columns[name] = np.frombuffer(data, dtype=COLUMNS[name], count=size, offset=start)
        start += columns[name].nbytes
    highs = new_highs(model_of(columns))
    whole = columns["whole"]
    highs.changeColsIntegrality(len(whole), whole, [highspy.HighsVarType.kInteger] * len(whole))
    if not len(whole):
        highs.setOptionValue("solver", "ipm")  # the faster one for what is large
    if request["seconds"] is not None:
        highs.setOptionValue("time_limit", request["seconds"])
    better = highspy.cb.HighsCallbackType.kCallbackMipImprovingSolution

    def called(_: Any, __: str, said: Any, ___: object, ____: object) -> None:
        facts = {"is_over": False, "value": said.mip_primal_bound}
        send(facts, np.array(said.mip_solution, dtype="f8").tobytes())

    highs.setCallback(called, None)
    highs.startCallback(better)
    highs.run()
    status, info = highs.getModelStatus(), highs.getInfo()
    if info.primal_solution_status == 2:
        solution = highs.getSolution()
        point = np.array(solution.col_value)
        if not len(whole):
            point = np.concatenate((point, solution.row_dual, solution.col_dual))
    else:
        point = np.zeros(0)
    is_over = status in (Status.kOptimal, Status.kInfeasible)
    send({"is_over": is_over, "value": info.objective_function_value}, point.tobytes())
