"""Checks of proofs end with their clock, whichever checker runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from hanabi.ground.clock import Clock
from hanabi.ground.errors import BudgetEndedError
from hanabi.ground.sat import check
from hanabi.ground.sat.cnf import Cnf


def contradiction() -> Cnf:
    cnf = Cnf(n_vars=1)
    cnf.add_clause([1])
    cnf.add_clause([-1])
    return cnf


def test_the_clock_is_heard() -> None:
    with pytest.raises(BudgetEndedError):
        check.check_proof(contradiction(), "0\n", Clock(0))


def test_a_checker_that_does_not_end_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    endless = tmp_path / "drat-trim"
    endless.write_text("#!/bin/sh\nexec tail -f /dev/null\n", encoding="utf-8")
    endless.chmod(0o755)
    monkeypatch.setattr(check, "which", lambda _: str(endless))
    with pytest.raises(BudgetEndedError, match="out of time"):
        check.check_proof(contradiction(), "0\n", Clock(0.1))
