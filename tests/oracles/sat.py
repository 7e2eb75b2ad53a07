"""What it means that a model satisfies a formula."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.ground.sat import Cnf

__all__ = ["satisfies"]


def satisfies(cnf: Cnf, model: npt.NDArray[np.bool_]) -> bool:
    """Return whether each clause has a true literal; the model has one entry a variable from 1."""
    true = model.tolist()
    return all(any(true[abs(literal)] == (literal > 0) for literal in clause) for clause in cnf)
