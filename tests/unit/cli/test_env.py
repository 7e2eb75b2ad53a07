"""`hanabi env` writes games of players, and refuses what it cannot do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hanabi.env.expert import Expert, read_shards
from hanabi.game import Rules

from .conftest import Run


def test_games_are_written_and_a_later_run_goes_on(run: Run, tmp_path: Path) -> None:
    words = ["env", "expert", "random", "-n", 5, "--shard", 2, "-o", tmp_path / "games", "-j", 1]
    first = run(*words, "--seed", 7)
    assert first.status == 0, first.err
    assert "5, of which 5 were played now; seed 7" in first.out
    (tmp_path / "games" / "games-000000002.npz").unlink()
    again = run(*words)  # the seed is that of the folder
    assert "5, of which 2 were played now; seed 7" in again.out
    whole = Expert("random", Rules.hle(2), seed=7, packed=True).play(5)
    parts = [moves.observations for moves in read_shards(tmp_path / "games")]
    assert (np.concatenate(parts) == whole.observations).all()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["paint"], "'paint' is no action: expert"),
        (["expert", "-o", "x"], "name a player"),
        (["expert", "random"], "-o: name a folder"),
        (["expert", "random", "-o", "-"], "-o: name a folder"),
        (["expert", "random", "-o", "x", "-n", "0"], "-n: at least one game"),
        (["expert", "random", "-o", "x", "--shard", "0"], "--shard: at least one game"),
        (["expert", "nobody", "-o", "x"], "no player 'nobody'"),
        (["expert", "random", "-o", "x", "--rules", "chess"], "'chess'"),
        (["expert", "open-hands", "-o", "x"], "open"),
    ],
)
def test_bad_input_is_quoted_in_one_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = run("env", *words)
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert told in outcome.err
    assert not any(tmp_path.iterdir())
