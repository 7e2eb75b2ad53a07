"""The ladder: a program's row beside ours, equal to what a simulation says."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from benchmarks import ladder

from hanabi.lab.stats import compare, summarize
from hanabi.players import RuleBased, outcomes
from hanabi.players.process import process_player
from hanabi.rules import Rules

BOT = f"{sys.executable} {Path(__file__).parents[3] / 'docs/bots/first_bot.py'}"


def test_a_row(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ["--seats", "2", "--games", "4", "--seed", "3", "--workers", "1"]
    words += ["--store", str(tmp_path / "a.store")]
    monkeypatch.setattr(sys, "argv", ["ladder", f"process:{BOT}", "rule-based", *words])
    ladder.main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "2 seats, 4 deals of seed 3, hanab.live's rules"
    assert lines[-2].startswith("...")
    assert "first_bot.py" in lines[-2]
    rules = Rules.hanab_live(2)
    theirs = outcomes(process_player(BOT), rules, 4, seed=3)
    ours = outcomes(RuleBased(), rules, 4, seed=3)
    for line, played in ((lines[-2], theirs), (lines[-1], ours)):
        found = summarize([played], rules)
        for each in (found.kept, found.zeroed):
            assert f"{each.value:.2f} +- {each.standard_error:.2f}" in line
        assert f"{found.perfect:.1%}" in line
    gain = compare([ours], [theirs], rules).difference
    assert lines[-1].endswith(f"{gain.value:+.2f} +- {gain.standard_error:.2f}")


def test_a_program_that_fails_forfeits(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--seats", "2", "--games", "2", "--workers", "1", "--forfeit", "--markdown"]
    monkeypatch.setattr(sys, "argv", ["ladder", "process:false", "first-legal", *words])
    ladder.main()
    row = capsys.readouterr().out.splitlines()[-2]
    assert row.startswith("| process:false | 2 | 0.00 +- 0.00 |")
