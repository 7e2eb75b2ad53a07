"""Hostile text, at every place where text can come in: the terminal gets it escaped and short."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from hanabi.front.app import main
from hanabi.ground.tables import markdown_table, text_table
from hanabi.lab.store import sealed
from hanabi.lab.work import key_of_text
from hanabi.shell.command.terminal import ProgressLine, Screen, complain

from ..conftest import Run

DATA = Path(__file__).parents[2] / "data/hanab_live"
GAME: dict[str, Any] = json.loads((DATA / "games/2906.json").read_text(encoding="utf-8"))

OBEYED = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
LONGEST = 1300

HOSTILE = {
    "escape": "Zo\x1b[2J\x1b]0;owned\x07",
    "return": "Zo\rhanabi: all is well",
    "newline": "Zo\nwinnable",
    "nul": "Zo\x00e",
    "csi": "Zo\x9b31m",
    "override": "Zo\u202eevil",
    "separator": "Zo\u2028e",
    "surrogate": "Zo\udce9",
    "long": "Zo" + "x" * 1_000_000,
}
hostile = pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())


@pytest.fixture
def tame(run: Run) -> Callable[..., str]:
    """Run a command; check what it wrote, and return that."""

    def run_it(*arguments: object) -> str:
        outcome = run(*arguments)
        assert outcome.status in (0, 1, 2, 10, 20)
        for written in (outcome.out, outcome.err):
            assert OBEYED.findall(written) == []
            assert max(map(len, written.split("\n"))) <= LONGEST
        assert outcome.err.count("\n") <= 2
        return outcome.out + outcome.err

    return run_it


def put(path: Path, content: object) -> Path:
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return path


@hostile
def test_games(tame: Callable[..., str], tmp_path: Path, text: str) -> None:
    path = tmp_path / "game.json"
    names = [text, *GAME["players"][1:]]
    put(path, {**GAME, "players": names, "notes": [[text]], "tags": text})
    for shows in (["show", path], ["show", path, "--at", 1], ["solve", path, "--show"]):
        assert "Zo" in tame(*shows)
    for command in ("link", "solve"):
        tame(command, path)
    tame("solve", path, "--lost-at")
    tame("partition", f"{path}@3")
    assert "so Zo" in tame("link", path, "--at", 0)


@hostile
def test_other_entries_of_games(tame: Callable[..., str], tmp_path: Path, text: str) -> None:
    path = tmp_path / "game.json"
    options = put(path, {**GAME, "options": {text: True, f"{text}2": True}})
    assert re.search(r"error: .*options\.", tame("show", options))
    for change in (
        {"options": {"variant": text}},
        {"options": {"startingPlayer": text}},
        {"variant": text},
        {"id": text},
        {"players": [text, {text: text}]},
        {"notes": text},
        {"seed": [text]},
        {"deck": [{"suitIndex": text, "rank": 1}]},
        {"deck": text, "players": 2},
        {"actions": [{"type": text, "target": 0}]},
        {"actions": [{"type": 0, "target": {text: [text]}}]},
    ):
        put(path, {**GAME, **change})
        for command in ("show", "link", "solve"):
            assert "error: " in tame(command, path)


@hostile
def test_other_inputs(tame: Callable[..., str], tmp_path: Path, text: str) -> None:
    path = tmp_path / "input"
    for content in (
        text,
        f"hand 1 {text}",
        {text: 1, "cards": [[1, 0]]},
        {"hand_size": text, "cards": [[1, 0]]},
        {"players": 2, "deck": text},
        {"players": 2, "deck": "r1", "rules": text},
        {"players": 2, "deck": "r1", "rules": {text: 1}},
        [text],
        text + json.dumps(GAME),
        json.dumps(GAME) + text,
    ):
        put(path, content)
        for command in ("solve", "show", "link", "partition"):
            tame(command, path)
        tame("verify", path, path)


@hostile
def test_plays(tame: Callable[..., str], tmp_path: Path, text: str) -> None:
    deck = put(tmp_path / "deck", "hand 1 r1")
    for play in (text, [text], [[text, "play"]], [[1, text]], {"status": text}, {"play": text}):
        assert "error: " in tame("verify", deck, put(tmp_path / "play", play))


@hostile
def test_answers(tame: Callable[..., str], tmp_path: Path, text: str) -> None:
    for answer in (
        {"status": text, "link": None},
        {"status": [text], "link": text},
        {"status": text, "link": f"https://hanab.live/replay-json/{text}"},
        {"status": 1, "link": "https://hanab.live/replay-json/215lw,00,0", "actions": [text]},
    ):
        assert "error: " in tame("link", put(tmp_path / "answer", answer))


@hostile
def test_tables(tame: Callable[..., str], tmp_path: Path, text: str) -> None:
    path = tmp_path / "table"
    assert "error: " in tame("partition", put(path, f"{text} Blue\nNewest 1"))
    for content in (
        f"{text} Blue\nNewest 1 1\nUnseen 1 1",
        f"A B\n1 {text}",
        f"A B\n{text} 1 .",
        f"A B\nUnseen 1 {text}",
        {"colors": text, "rows": []},
        {"colors": 2, "rows": [[text]]},
        {text: 1},
    ):
        tame("partition", put(path, content))


@pytest.mark.parametrize("name", ["escape", "csi", "override", "long"])
def test_names_of_columns(tame: Callable[..., str], tmp_path: Path, name: str) -> None:
    table = put(tmp_path / "table", f"{HOSTILE[name].split()[0]} Blue\nNewest 1 1\nUnseen 1 1")
    assert "Zo" in tame("partition", table)


@hostile
def test_formulas(tame: Callable[..., str], tmp_path: Path, text: str) -> None:
    path = tmp_path / "formula.cnf"
    for content in (
        f"c {text}\np cnf 1 1\n1 0\n",
        f"p cnf {text} 1\n1 0\n",
        f"p cnf 1 1\n{text} 0\n",
        f"p cnf 1 1\n1 0\n%\n{text}\n",
    ):
        put(path, content)
        for command in ("sat", "reduce", "explain"):
            tame(command, path, *(["-o", tmp_path / "out"] if command == "reduce" else []))


@hostile
def test_annotations(tame: Callable[..., str], run: Run, tmp_path: Path, text: str) -> None:
    formula = put(tmp_path / "formula.cnf", "p cnf 3 1\n1 -2 3 0\n")
    given = json.loads(run("reduce", formula).out)
    path = tmp_path / "cards"
    about = given["annotation"]
    gadget = {**about["gadgets"][0], "role": text}
    for change in (
        {"variant": text},
        {"colors": [*about["colors"][:-1], text]},
        {"gadgets": [gadget, *about["gadgets"][1:]]},
    ):
        put(path, {**given, "annotation": {**about, **change}})
        assert "Zo" in tame("explain", path)


@hostile
def test_arguments(tame: Callable[..., str], tmp_path: Path, text: str) -> None:
    for command in (
        [text],
        ["show", text],
        ["show", f"https://hanab.live/replay-json/{text}"],
        ["show", f"https://hanab.live/replay/{text}"],
        ["show", f"https://example.com/{text}"],
        ["show", "-", f"--{text}"],
        ["show", "-", "--turns", text],
        ["solve", text, "--rules", text],
        ["solve", "-", "--time", text],
        ["partition", f"{text}@3"],
        ["verify", text, text],
        ["sat", text],
        ["reduce", DATA.parent / "satlib" / text, "-o", text],
        ["explain", text, "--variant", text],
        ["count", text],
        ["deck", "--copies", text],
        ["simulate", text],
        ["simulate", "random", "--rules", text],
        ["simulate", "random", "--rules", json.dumps({text: 1})],
        ["tournament", "random", text],
        ["paper", text],
        ["results", text, "--store", tmp_path / "no.db"],
        ["results", "--store", text],
    ):
        assert "error: " in tame(*command)


def test_a_long_link_is_named_by_its_beginning(run: Run) -> None:
    link = "https://hanab.live/replay-json/2" + "-" * 100_000
    error = run("show", link).err
    assert error.startswith("hanabi: error: https://hanab.live/replay-json/2-")
    assert "... (100,032 characters): character 100033: the link ends too early" in error


@pytest.mark.parametrize("text", [HOSTILE["escape"], HOSTILE["override"], HOSTILE["newline"]])
def test_file_names(tame: Callable[..., str], tmp_path: Path, text: str) -> None:
    path = tmp_path / text.replace("/", "")
    put(path, "r1 q7")
    for command in ("show", "solve", "link", "partition", "sat", "reduce", "explain"):
        assert "error: " in tame(command, path)
    folder = tmp_path / f"folder {text}"
    folder.mkdir()
    assert "no .json, .jsonl or .txt files" in tame("solve", folder)


@pytest.fixture
def store(run: Run, tmp_path: Path) -> Path:
    path = tmp_path / "runs.db"
    run("simulate", "random", "-n", 2, "--seed", 1, "--store", path)
    return path


def edit(store: Path, column: str, value: object) -> None:
    """Forge a store: all keys and checksums agree with what is written."""
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute(f"UPDATE works SET {column} = ?", (value,))
        ((_, kind, version, config, created, _),) = connection.execute("SELECT * FROM works")
        key = key_of_text(kind, version, config) if isinstance(config, str) else "0" * 16
        chunks = connection.execute("SELECT * FROM chunks").fetchall()
        connection.execute("DELETE FROM works")
        connection.execute("DELETE FROM chunks")
        work = sealed((key, kind, version, config, created))
        connection.execute("INSERT INTO works VALUES (?, ?, ?, ?, ?, ?)", work)
        connection.executemany(
            "INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?)",
            [sealed((key, *cells)) for _, *cells, _ in chunks],
        )


def config_of(store: Path) -> dict[str, Any]:
    with closing(sqlite3.connect(store)) as connection:
        (text,) = connection.execute("SELECT config FROM works").fetchone()
    config: dict[str, Any] = json.loads(text)
    return config


@hostile
def test_stores(tame: Callable[..., str], store: Path, text: str) -> None:
    config = config_of(store)
    for change in (
        {"players": [text]},
        {"players": text},
        {"players": {text: text}},
        {"rules": {text: 1}},
        {"rules": text},
        {"seed": text},
        {"repeat": text},
    ):
        edit(store, "config", json.dumps({**config, **change}))
        for action in ("list", "show"):
            tame("results", action, "--store", store)
        if len(text) < LONGEST:  # a page for others to read is not cut
            tame("results", "export", "--format", "markdown", "--store", store)
    for broken in ("[]", "{", '{"players": 1, "players": 2}', b"\xff"):
        edit(store, "config", broken)
        assert "is damaged and left out" in tame("results", "--store", store)
    edit(store, "config", json.dumps(config))
    if "\udce9" not in text:  # SQLite keeps no such text
        edit(store, "kind", text)
        for action in ("list", "show"):
            tame("results", action, "--store", store)


def test_whatever_is_written_is_printable(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen()
    for text in HOSTILE.values():
        screen.line(text, (text, "bold"))
        screen.entry(text[:5], text)
        complain(text)
        for table in (text_table, markdown_table):
            lines = table(["a", text], [[text, 1]]).split("\n")
            assert len(lines) == 2 + (table is markdown_table)
            assert OBEYED.findall("".join(lines)) == []
    written = "".join(capsys.readouterr())
    assert OBEYED.findall(written) == []


def test_progress_is_printable(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    for name in ("_AFTER", "_EVERY"):
        monkeypatch.setattr(f"hanabi.shell.command.terminal.{name}", 0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    with ProgressLine() as progress:
        progress("Zo\x1b[2J \x9b31m\n")
    assert " Zo\\x1b[2J \\x9b31m\\n" in capsys.readouterr().err


def test_letters_of_the_world_are_shown(run: Run, tmp_path: Path) -> None:
    names = ["Zoé", "日本", *GAME["players"][2:]]
    assert main(["show", str(put(tmp_path / "g.json", {**GAME, "players": names}))]) == 0
    out = run("show", tmp_path / "g.json", "--at", 0).out
    assert "> Zoé " in out
    assert "  日本 " in out
