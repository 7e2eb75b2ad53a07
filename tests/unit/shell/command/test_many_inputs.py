"""Which files of a folder are inputs, what is said of the others, and several files at once."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from hanabi.shell.command.items import ANSWERS, Items, opened_items

from ...conftest import Run

GAMES = Path(__file__).parents[3] / "data" / "hanab_live" / "games"
DECK = '{"players": 2, "deck": "r1 r2 r3", "rules": {"hand_size": 1}}'
LOST = '{"players": 2, "deck": "r1 r3 r2", "rules": {"hand_size": 1}}'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "in"
    found.mkdir()
    return found


def lines_in(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def places(lines: list[dict[str, Any]]) -> list[tuple[object, object]]:
    return [(line.get("item"), line.get("line")) for line in lines]


def test_endings_are_in_any_case(run: Run, folder: Path) -> None:
    for name in ("1.json", "2.JSON", "3.Txt", "4.TXT.GZ", "5.jsonl", "6.JSONL", "7.ndjson"):
        text = DECK.encode()
        (folder / name).write_bytes(gzip.compress(text) if name.endswith("GZ") else text)
    outcome = run("solve", folder)
    assert (outcome.status, outcome.err) == (0, "")
    assert places(lines_in(outcome.out)) == [
        ("1.json", None), ("2.JSON", None), ("3.Txt", None), ("4.TXT.GZ", None),
        ("5.jsonl", 1), ("6.JSONL", 1), ("7.ndjson", 1),
    ]  # fmt: skip
    for name in ("6.JSONL", "7.ndjson"):
        assert places(lines_in(run("solve", folder / name).out)) == [(None, None)]


def test_lines_of_a_file_in_a_folder_stand_by_file_and_number(run: Run, folder: Path) -> None:
    """Two files may have the same ids: their lines stay apart, and a later run finds them."""
    (folder / "a.jsonl").write_text(f'{DECK}\n\n{LOST[:-1]}, "id": 7}}\n')
    (folder / "b.jsonl").write_text(f'{DECK[:-1]}, "id": 7}}\nnonsense\n')
    out = folder / "out.jsonl"
    assert run("solve", folder, "-o", out).status == 2
    lines = lines_in(out.read_text())
    assert places(lines) == [("a.jsonl", 1), ("a.jsonl", 3), ("b.jsonl", 1), ("b.jsonl", 2)]
    assert [line.get("status") for line in lines] == ["winnable", "unwinnable", "winnable", None]
    before = out.read_bytes()
    outcome = run("solve", folder, "-o", out)
    assert "1 of 4 inputs could not be answered, 1 as in an earlier run" in outcome.err
    assert out.read_bytes() == before
    (folder / "a.jsonl").write_text(f'{LOST}\n{DECK}\n\n{LOST[:-1]}, "id": 7}}\n')
    assert "made again" not in run("solve", folder, "-o", out).err
    assert sorted(places(lines_in(out.read_text()))) == [
        ("a.jsonl", 1), ("a.jsonl", 2), ("a.jsonl", 4), ("b.jsonl", 1), ("b.jsonl", 2),
    ]  # fmt: skip


@pytest.mark.parametrize("command", [*ANSWERS])
def test_answers_in_the_folder_of_their_inputs_are_no_inputs(
    run: Run, folder: Path, command: str
) -> None:
    words: tuple[object, ...] = (command,)
    if command == "difficulty":
        words += ("--by", "random", "-n", 4, "--each", 4, "--sample", 2)
    text = '{"colors": 2, "rows": [[0, 1], [1]]}' if command == "partition" else None
    (folder / "x.json").write_text(text or (GAMES / "2906.json").read_text(encoding="utf-8"))
    (folder / "bad.json").write_text("{")
    out, table = folder / "out.jsonl", folder / "table.csv"
    for target in (out, table):
        assert run(*words, folder, "-o", target).status == 2
    before = out.read_bytes(), table.read_bytes()
    for target in (out, table):
        outcome = run(*words, folder, "-o", target)
        assert outcome.err.splitlines() == [
            f"hanabi: note: {folder}: left out: 2 files of answers, 1 other file (.csv)",
            "hanabi: error: 1 of 2 files could not be answered, 1 as in an earlier run",
        ]
    assert (out.read_bytes(), table.read_bytes()) == before


def test_an_output_that_a_killed_run_left_unfinished_is_no_input(run: Run, folder: Path) -> None:
    (folder / "x.json").write_text(DECK)
    for torn in ("", '{"status": "winn'):
        (folder / "out.jsonl").write_text(torn)
        assert run("solve", folder, "-o", folder / "out.jsonl").status == 0
        assert places(lines_in((folder / "out.jsonl").read_text())) == [("x.json", None)]
        (folder / "out.jsonl").unlink()


def test_what_is_left_out_is_counted_in_one_line(run: Run, folder: Path) -> None:
    (folder / "x.json").write_text(DECK)
    for name in ("a.md", "b.md", "c.csv", "d", "other.log", ".hidden"):
        (folder / name).touch()
    for name in ("sub", "sub.json", ".git"):
        (folder / name).mkdir()
    outcome = run("solve", folder)
    assert outcome.status == 0
    assert outcome.err == (
        f"hanabi: note: {folder}: left out: 5 other files (.md, .csv, .log, ...), 2 folders\n"
    )
    (folder / "x.json").unlink()
    outcome = run("solve", folder)
    assert outcome.status == 2
    assert outcome.err.endswith("files in this folder, but 5 other files (.md, .csv, .log,"
                                " ...), 2 folders\n")  # fmt: skip


def test_an_output_that_would_be_an_input_is_refused(run: Run, folder: Path) -> None:
    (folder / "x.json").write_bytes((GAMES / "2906.json").read_bytes())
    for words, name, advice in (
        (("solve",), "out.txt", "name it .jsonl"),
        (("review",), "OUT.TXT", "name it .jsonl"),
        (("convert",), "games.jsonl", "write it to another folder"),
    ):
        outcome = run(*words, folder, "-o", folder / name)
        assert (outcome.status, outcome.out) == (2, "")
        assert f"would be an input in this folder: {advice}" in outcome.err
        assert [path.name for path in folder.iterdir()] == ["x.json"]
    assert run("convert", folder, "-o", folder / "games.csv").status == 0


# Several files.


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, game in (("a", "2906"), ("b", "1889209")):
        (tmp_path / name).mkdir()
        for copy in ("x.json", f"{name}.json"):
            (tmp_path / name / copy).write_bytes((GAMES / f"{game}.json").read_bytes())
    return tmp_path


def test_several_files_are_like_a_folder_of_them(run: Run, two: Path) -> None:
    by_difficulty = ("--by", "random", "-n", 4, "--each", 4, "--sample", 2, "--json")
    for words in (("solve",), ("review", "--json"), ("difficulty", *by_difficulty)):
        outcome = run(*words, "a/a.json", "b/b.json")
        assert (outcome.status, outcome.err) == (0, "")
        assert [line["item"] for line in lines_in(outcome.out)] == ["a.json", "b.json"]
    outcome = run("convert", "a/a.json", "b/b.json", "-o", "games.csv")
    assert outcome.status == 0
    with Path("games.csv").open(newline="") as stream:
        assert [row["id"] for row in csv.DictReader(stream)] == ["a.json", "b.json"]
    assert [line["id"] for line in lines_in(run("convert", "b/b.json", "a/a.json").out)] == [
        1889209, 2906,
    ]  # fmt: skip


def test_files_with_the_same_name_stay_apart(run: Run, two: Path) -> None:
    names = ["a/x.json", "b/x.json", "a.json"]
    for _ in range(2):
        outcome = run("review", "a/x.json", "b/x.json", "a/a.json", "-o", "r.jsonl")
        assert (outcome.status, outcome.err) == (0, "")
        lines = lines_in(Path("r.jsonl").read_text())
        assert [(line["item"], line["id"]) for line in lines] == [
            *zip(names, (2906, 1889209, 2906), strict=True)
        ]


def test_several_files_may_hold_lines(run: Run, two: Path) -> None:
    Path("some.jsonl").write_text(f"{DECK}\n{LOST}\n")
    lines = lines_in(run("solve", "some.jsonl", "a/a.json").out)
    assert places(lines) == [("some.jsonl", 1), ("some.jsonl", 2), ("a.json", None)]


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ("b", "'b' holds many inputs: give it alone"),
        ("", "'' is no file: give it alone, or only files"),
        ("p2v0s5", "'p2v0s5' is no file: give it alone, or only files"),
        ("no.json", "cannot read 'no.json': there is no such file"),
        ("x.safetensors", "'x.safetensors' holds many inputs: give it alone"),
    ],
)
def test_what_is_no_single_file_stands_alone(run: Run, two: Path, other: str, told: str) -> None:
    for sources in (("a/a.json", other), (other, "a/a.json"))[: 2 if other else 1]:
        outcome = run("solve", *sources, "-o", "o.jsonl")
        assert (outcome.status, outcome.out) == (2, "")
        assert told in outcome.err
        assert outcome.err.count("\n") == 1
        assert not Path("o.jsonl").exists()


def test_standard_input_stands_alone(run: Run, two: Path) -> None:
    outcome = run("solve", "-", "a/a.json")
    assert (outcome.status, outcome.out) == (2, "")
    assert "'-' is no file: give it alone, or only files" in outcome.err


def test_none_of_several_files_is_an_output(run: Run, two: Path) -> None:
    before = Path("b/b.json").read_bytes()
    outcome = run("review", "a/a.json", "b/b.json", "-o", "b/b.json")
    assert "--output 'b/b.json' is the input" in outcome.err
    assert Path("b/b.json").read_bytes() == before


def test_inputs_of_a_folder_are_opened_one_by_one(folder: Path) -> None:
    for number in range(3):
        (folder / f"{number}.jsonl").write_text(f"{DECK}\n{DECK}\n")
    with opened_items(str(folder)) as given:
        assert isinstance(given, Items)
        assert (given.noun, given.total) == ("inputs", None)
        labels = [item.label for item in given.each]
    assert labels == [f"{number}.jsonl:{line}" for number in range(3) for line in (1, 2)]


# One document.


@pytest.mark.parametrize(
    ("words", "start"),
    [
        (("solve",), '{"status": "'),
        (("solve", "--solitaire"), '{"status": "'),
        (("review",), '{"best": '),
        (("difficulty", "--by", "random", "-n", 4, "--each", 4, "--sample", 2), '{"status": "'),
    ],
)
def test_a_single_answer_is_written_as_a_document(
    run: Run, two: Path, words: tuple[object, ...], start: str
) -> None:
    outcome = run(*words, "a/a.json", "-o", "ans.json")
    assert outcome.status == 0
    assert outcome.out.count("\n") > 1  # for people
    text = Path("ans.json").read_text()
    assert (text[: len(start)], text.count("\n")) == (start, 1)
    document = json.loads(text)
    Path("ans.json").unlink()
    shown = run(*words, "a/a.json", "--json", "-o", "ans.json").out
    again = json.loads(Path("ans.json").read_text())
    assert (
        again.keys() == document.keys() == json.loads(run(*words, "a/a.json", "--json").out).keys()
    )
    assert shown == "" or words[0] == "difficulty"


def test_a_partition_is_written_as_a_document(run: Run, two: Path) -> None:
    outcome = run("partition", "a/a.json@10", "--json", "-o", "ans.json")
    assert (outcome.status, outcome.out) == (0, "")
    document = json.loads(Path("ans.json").read_text())
    assert document == json.loads(run("partition", "a/a.json@10", "--json").out)
    assert "part" in run("partition", "a/a.json@10", "-o", "ans.json").out


@pytest.mark.parametrize("command", ["solve", "review", "partition"])
def test_a_single_answer_replaces_no_file_of_lines(run: Run, two: Path, command: str) -> None:
    source = "a/a.json@10" if command == "partition" else "a/a.json"
    for name in ("kept.jsonl", "kept.csv", "kept"):
        Path(name).write_text("kept\n")
        outcome = run(command, source, "-o", name)
        assert (outcome.status, outcome.out) == (2, "")
        assert f"--output '{name}' is for many" in outcome.err
        assert Path(name).read_text() == "kept\n"
