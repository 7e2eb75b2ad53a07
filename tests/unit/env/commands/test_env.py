"""`hanabi env` writes games of players, and refuses what it cannot do."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from hanabi.env.expert import Expert, read_shards
from hanabi.rules import Rules

from ...conftest import Run

ADAPTER = Path(__file__).parents[4] / "docs" / "conformance" / "vector_env.py"
ENDGAME = Path(__file__).parents[4] / "docs" / "data" / "endgame.txt"


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


def test_a_kit_is_written_and_checked(run: Run, tmp_path: Path) -> None:
    written = run("env", "golden", "-o", tmp_path / "kit", "--steps", 300, "--players", 2)
    assert written.status == 0, written.err
    assert "perfect score" in written.out
    same = run("env", "check", ADAPTER, "--kit", tmp_path / "kit")
    assert same.status == 0
    assert same.out.startswith("equal in ")
    assert "left out    mask at the end of a game, seat at the end of a game\n" in same.out
    late = tmp_path / "late.py"
    late.write_text(
        f"from runpy import run_path\nours = run_path({str(ADAPTER)!r})\nreset = ours['reset']\n"
        "def step(action):\n    return *ours['step'](action)[:3], False, None\n"
    )
    other = run("env", "check", late, "--steps", 300, "--players", 3)
    assert other.status == 1
    assert "the done is 0, not 1" in other.out
    assert "left out    seat\n" in other.out
    told = json.loads(run("env", "check", late, "--kit", tmp_path / "kit", "--json").out)
    assert (told["equal"], told["not_compared"]) == (False, ["seat"])
    assert len(told["difference"]["actions"]) == told["difference"]["step"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["paint"], "'paint' is no action; there are expert, values, golden, check"),
        (["golden"], "-o: name a folder"),
        (["golden", "x", "-o", "y"], "env golden takes no 'x'"),
        (["golden", "-o", "x", "--steps", "0"], "--steps 0: 1 to 10,000,000"),
        (["golden", "-o", "x", "--players", "6"], "seats = 6 is none of 2, 3, 4, 5"),
        (["golden", "-o", "x", "-n", "5"], "env golden takes no --games"),
        (["check"], "env check: name one adapter"),
        (["check", "my_env.py"], "'my_env.py': No such file"),
        (["check", "a.py", "--kit", "x", "--steps", "5"], "--kit: it has its own steps and seed"),
        (["check", str(ADAPTER), "--kit", "x"], "'x' holds no kit"),
        (["expert", "random", "--json", "-o", "x"], "env expert takes no --json"),
        (["expert", "-o", "x"], "name a player"),
        (["expert", "random"], "-o: name a folder"),
        (["expert", "random", "-o", "-"], "-o: name a folder"),
        (["expert", "random", "-o", "x", "-n", "0"], "-n: at least one game"),
        (["expert", "random", "-o", "x", "--shard", "0"], "--shard: at least one game"),
        (["expert", "nobody", "-o", "x"], "no player 'nobody'"),
        (["expert", "random", "-o", "x", "--rules", "chess"], "'chess'"),
        (["expert", "open-hands", "-o", "x"], "open"),
        (["expert", "random", "--left", "2", "-o", "x"], "env expert takes no --left"),
        (["values", "-o", "x"], "name a player"),
        (["values", "random", "--from", "p2v0s1", "-o", "x"], "name a player"),
        (["values", "--from", "p2v0s1", "-n", "1", "-o", "x"], "--from: the games have their own"),
        (["values", "random", "--left", "16", "-o", "x"], "left = 16: with a hand of 5 at most 20"),
        (["values", "--from", str(ENDGAME), "-o", "x"], "it is a position without its history"),
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
