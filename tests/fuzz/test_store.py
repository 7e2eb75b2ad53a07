"""Damaged and forged stores: read or refused in one line each, and never a wrong number."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from pathlib import Path
from random import Random
from typing import Any

import pytest

from fuzz.rounds import rounds
from fuzz.stores import GAMES, WORKS, damage, make_first_schema, make_store
from hanabi.front.app import main
from hanabi.lab import key_of

OBEYED = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
LONGEST_LINE = 1300
MOST_LINES = 12

PLAY = f"simulate random -n {GAMES} --players 2 --seed 1 --repeat 2 --executor serial --json"
CUP = f"tournament random rule-based -n {GAMES} --seed 1 --executor serial --json"
READING = ("list", "list --json", "show", "show --json", "export", "export --format markdown")
TRUTH = {key_of(work): work.run(0, GAMES) for work in WORKS}

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A store of each schema."""
    folder = tmp_path_factory.mktemp("stores")
    new, old = folder / "new.store", folder / "old.store"
    make_store(new)
    make_first_schema(old, new)
    return {"new": new, "old": old}


def told(command: str, path: Path, capfd: Capture) -> tuple[int, str]:
    """Run a command; check how it ends, and return its status and what it wrote."""
    status = main([*command.split(), "--store", str(path)])
    out, err = capfd.readouterr()
    lines = err.splitlines()
    assert status in (0, 2), err
    assert lines or not status
    assert all(line.startswith("hanabi: ") for line in lines), err
    assert len(lines) <= MOST_LINES
    assert max(map(len, lines), default=0) <= LONGEST_LINE
    assert not OBEYED.search(out + err)
    assert status == 0 or not out or command.startswith("results")
    return status, out


def check_games(text: str) -> int:
    """Check that exported games are the games that were played; return how many."""
    rows = list(csv.DictReader(io.StringIO(text)))
    for row in rows:
        outcome = int(row["points"]) << 1 | int(row["bombed"])
        assert TRUTH[row["key"]][2 * int(row["deal"])] == outcome
    return len(rows)


def answer(text: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(text)
    data.pop("games_per_second", None)
    return data


def damaged(clean: Path, folder: Path, name: str, kind: str) -> Path:
    path = folder / f"{name}.store"
    for beside in folder.glob(f"{name}.store*"):
        beside.unlink()
    shutil.copy(clean, path)
    damage(Random(name), path, kind)
    return path


def test_stores_that_are_whole(clean: dict[str, Path], tmp_path: Path, capfd: Capture) -> None:
    for form, store in clean.items():
        path = tmp_path / form
        shutil.copy(store, path)
        assert check_games(told("results export --games", path, capfd)[1]) == GAMES * len(WORKS)


@pytest.mark.parametrize("kind", ["cells", "bytes"])
def test_damage_changes_no_number(
    clean: dict[str, Path], tmp_path: Path, capfd: Capture, kind: str
) -> None:
    fresh = tmp_path / "fresh"
    expected = {command: answer(told(command, fresh, capfd)[1]) for command in (PLAY, CUP)}
    for seed in range(rounds(20)):
        name = f"{kind}{seed}"
        path = damaged(clean["new"], tmp_path, name, kind)
        try:
            for action in READING:
                told(f"results {action}", path, capfd)
            check_games(told("results export --games", path, capfd)[1])
            for command, wanted in expected.items():
                status, out = told(command, path, capfd)
                assert status or answer(out) == wanted
                assert kind == "bytes" or not status
        except BaseException as error:
            raise AssertionError(name) from error


@pytest.mark.parametrize(("form", "kind"), [("new", "forged"), ("old", "cells"), ("old", "bytes")])
def test_nonsense_is_told_in_one_line(
    clean: dict[str, Path], tmp_path: Path, capfd: Capture, form: str, kind: str
) -> None:
    for seed in range(rounds(20)):
        name = f"{form} {kind}{seed}".replace(" ", "-")
        path = damaged(clean[form], tmp_path, name, kind)
        try:
            for action in (*READING, "export --games"):
                told(f"results {action}", path, capfd)
            told(f"results export --games -o {tmp_path}/a.parquet", path, capfd)
            told(PLAY, path, capfd)
            told(CUP, path, capfd)
        except BaseException as error:
            raise AssertionError(name) from error


@pytest.mark.parametrize("kind", ["cells", "bytes", "forged"])
def test_a_paper_is_repeated_from_a_damaged_store(
    tmp_path: Path, capfd: Capture, kind: str
) -> None:
    command = f"paper table1 -n 2 --repeat 1 --executor serial --out {tmp_path}"
    store = tmp_path / "clean.store"
    told(command, store, capfd)
    table = (tmp_path / "table1.csv").read_text(encoding="utf-8")
    for seed in range(rounds(1)):
        path = damaged(store, tmp_path, f"paper-{kind}{seed}", kind)
        status, _ = told(command, path, capfd)
        is_same = (tmp_path / "table1.csv").read_text(encoding="utf-8") == table
        assert status or is_same or kind == "forged"
