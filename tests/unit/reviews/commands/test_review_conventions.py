"""`hanabi review --conventions`: what each move meant, in text, JSON and on the page."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

from ...conftest import Run

ROOT = Path(__file__).parents[3]
GAMES = ROOT / "data" / "hanab_live" / "games"
SHORT = ("review", "p2v0s5", "--actions", "03lbah1bbf")


def test_each_move_has_its_notes(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "game.html"
    data = json.loads(run(*SHORT, "--conventions", "level=1", "--json", "--html", page).out)
    notes = [each["conventions"] for each in data["moves"]]
    for move, note in zip(data["moves"], notes, strict=True):
        assert (note["why"] is not None) == (move["action"]["type"] in (2, 3))
        assert all(each["says"] and each["convention"] for each in note["readings"])
        assert len(note["expected"]) == 1
    assert any(note["readings"] for note in notes)
    text = " ".join(run(*SHORT, "--conventions", "level=1").out.split())
    assert "focus is card" in text
    assert "slot" not in text
    for note in notes:
        for each in (*note["readings"], *note["slips"], *note["expected"]):
            says = each["says"].removeprefix(f"slot {note['focus']} ")
            assert re.sub(r"slot (\d)", lambda slot: f"card {5 - int(slot[1])}", says) in text
    shown = html.unescape(page.read_text(encoding="utf-8"))
    assert "Focus is card" in shown


def test_without_it_nothing_is_said(run: Run) -> None:
    data = json.loads(run(*SHORT, "--json").out)
    assert all("conventions" not in each for each in data["moves"])


def test_many_games_have_them(run: Run, tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "one.json").write_bytes((GAMES / "2906.json").read_bytes())
    words = ("review", tmp_path / "games", "--json", "--workers", 1, "--conventions", "level=1")
    data = json.loads(run(*words).out)
    assert all("conventions" in each for each in data["moves"])


@pytest.mark.parametrize(
    ("game", "level", "message"),
    [
        (GAMES / "2906.json", "level=26", "--conventions: level = 26"),
        (GAMES / "2906.json", "hoho", "'hoho'"),
        (GAMES / "1885550.json", "level=1", "Orange (3 Suits)"),
    ],
)
def test_bad_input(run: Run, game: Path, level: str, message: str) -> None:
    outcome = run("review", game, "--conventions", level)
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert message in outcome.err
