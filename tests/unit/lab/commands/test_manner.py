from __future__ import annotations

import json
from pathlib import Path

import pytest

from hanabi.lab import Recorded
from hanabi.lab.manner import count_manner, manner_of
from hanabi.rules import Rules, follow

from ...conftest import Run


def games_of(run: Run, path: Path, player: str, seats: int, n: int = 6) -> Path:
    words = ("--players", seats, "-n", n, "--seed", 1, "--games-out", path)
    assert run("simulate", player, *words).status == 0
    return path


def test_each_source_and_number_of_players_is_a_row(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    games_of(run, folder / "a.jsonl", "piers", 2)
    games_of(run, folder / "b.jsonl", "piers", 4)
    own = games_of(run, tmp_path / "own.jsonl", "random", 2)
    outcome = run("manner", folder, own)
    assert (outcome.status, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[0].split() == [
        *("players", "games", "information", "per", "play", "communicativeness")
    ]
    data = json.loads(run("manner", folder, own, "--json").out)
    assert [(each["players"], each["games"]) for each in data] == [(2, 6), (4, 6), (2, 6)]
    for line, each in zip(lines[1:], data, strict=True):
        name, seats, *_ = line.split()
        assert (name, seats) == (Path(each["source"]).name, str(each["players"]))
        player = "random" if name == "own.jsonl" else "piers"
        work = Recorded((player,), Rules.hanab_live(each["players"]), seed=1)
        ends = [end for end in work.ends(work.run(0, 6)) if end is not None]
        found = manner_of(count_manner(follow(end.deal, end.actions)) for end in ends)
        assert f"{found.information}  " in line
        assert line.endswith(str(found.communicativeness))
        assert each["information_per_play"]["value"] == found.information.value
        assert each["communicativeness"]["standard_error"] == found.communicativeness.standard_error
        assert (each["plays"], each["turns_with_token"]) == (found.plays, found.chances)


def test_a_game_without_plays(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text('{"seed": "p2v0s5", "actions": [{"type": 3, "target": 1, "value": 1}]}')
    line = run("manner", path).out.splitlines()[1]
    assert line.split() == ["game.json", "2", "1", "-", "1.000"]
    (data,) = json.loads(run("manner", path, "--json").out)
    assert data["information_per_play"] is None


def test_what_is_no_game_is_left_out(run: Run, tmp_path: Path) -> None:
    path = games_of(run, tmp_path / "games.jsonl", "random", 2, n=2)
    path.write_text(path.read_text() + '{"deck": "r1 r2"}\n')
    outcome = run("manner", path)
    assert outcome.status == 2
    assert outcome.out.splitlines()[1].split()[2] == "2"
    assert "left out: 3: " in outcome.err
    assert "1 input left out" in outcome.err


@pytest.mark.parametrize(
    ("text", "message"), [("hand 1 r2 r1 r1", "not a game"), ("neither", "'neither'")]
)
def test_bad_input(run: Run, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "input.txt"
    path.write_text(text)
    outcome = run("manner", path)
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err
