"""Many inputs at once: order, errors in place, several processes, kills and second runs."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hanabi.shell.command.items import Items, opened_items
from processes import is_running, only_on_linux, wait_until

from ...conftest import Run

DATA = Path(__file__).parents[3] / "data/hanab_live"
KEYS = ["status", "best", "reason", "method", "actions", "link", "seconds"]
HANABI = [sys.executable, "-m", "hanabi"]


@pytest.fixture(scope="module")
def decks() -> list[dict[str, Any]]:
    data: dict[str, list[dict[str, Any]]] = json.loads((DATA / "decks.json").read_text())
    return data["decks"]


def answers_in(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def check(answers: list[dict[str, Any]], decks: list[dict[str, Any]]) -> None:
    assert [answer["item"] for answer in answers] == [deck["id"] for deck in decks]
    for answer, deck in zip(answers, decks, strict=True):
        assert answer["status"] == ("winnable" if deck["winnable"] else "unwinnable")


def test_a_folder_of_games(run: Run) -> None:
    outcome = run("solve", DATA / "games")
    assert (outcome.status, outcome.err) == (0, "")
    answers = answers_in(outcome.out)
    names = [answer["item"] for answer in answers]
    assert names == sorted(
        (path.name for path in (DATA / "games").iterdir()), key=lambda n: int(n[:-5])
    )
    assert list(answers[0]) == [*KEYS, "item"]
    assert answers[0]["status"] == "winnable"
    statuses = [answer.get("status") for answer in answers]
    assert (statuses.count("winnable"), statuses.count("unwinnable")) == (21, 1)
    partial = answers[statuses.index("unknown")]
    assert partial["reason"] == "37 of 55 cards of the deck are missing"


def test_a_document_of_decks(run: Run, tmp_path: Path, decks: list[dict[str, Any]]) -> None:
    path = tmp_path / "some.json"
    some = decks[::40]
    path.write_text(json.dumps({"about": "some", "decks": some}), encoding="utf-8")
    outcome = run("solve", path)
    assert (outcome.status, outcome.err) == (0, "")
    check(answers_in(outcome.out), some)


def test_lines_without_a_name_have_the_documented_keys(
    run: Run, tmp_path: Path, decks: list[dict[str, Any]]
) -> None:
    path = tmp_path / "some.jsonl"
    lines = [json.dumps({"players": deck["players"], "deck": deck["deck"]}) for deck in decks[:3]]
    path.write_text("\n".join([*lines, "{"]), encoding="utf-8")
    outcome = run("solve", path)
    assert outcome.status == 2
    *answers, bad = answers_in(outcome.out)
    assert all(list(answer) == KEYS for answer in answers)
    assert bad["line"] == 4
    out = tmp_path / "out.jsonl"
    assert run("solve", path, "-o", out).status == 2
    assert [answer["line"] for answer in answers_in(out.read_text())] == [1, 2, 3, 4]


def test_an_array_of_decks(run: Run, tmp_path: Path, decks: list[dict[str, Any]]) -> None:
    path = tmp_path / "decks.json"
    some = decks[:3]
    path.write_text(json.dumps(some, indent=1), encoding="utf-8")
    outcome = run("solve", path)
    assert outcome.status == 0
    check([json.loads(line) for line in outcome.out.splitlines()], some)


@pytest.mark.parametrize("text", ["[]", "[1, 2]", '[{"id": 1}, 2]', "[[1, 0]]"])
def test_an_array_of_something_else(run: Run, tmp_path: Path, text: str) -> None:
    path = tmp_path / "decks.json"
    path.write_text(text, encoding="utf-8")
    outcome = run("solve", path)
    assert (outcome.status, outcome.out) == (2, "")
    assert "is not an object" in outcome.err


def test_a_second_run_continues(run: Run, tmp_path: Path, decks: list[dict[str, Any]]) -> None:
    path, out = tmp_path / "some.json", tmp_path / "out.jsonl"
    # The same name twice, a bad deck among them, and one more in the second run.
    some: list[dict[str, Any]] = [*decks[:3], decks[0], {"id": "bad", "deck": "q7", "players": 2}]
    path.write_text(json.dumps({"decks": some}), encoding="utf-8")
    assert run("solve", path, "--output", out).status == 2
    whole = out.read_bytes()
    lines = whole.splitlines(keepends=True)
    for kept in (lines[0], lines[0] + lines[1][:9], lines[0] + lines[1] + b'{"sta'):
        out.write_bytes(kept)
        outcome = run("solve", path, "-o", out)
        assert (outcome.status, outcome.out) == (2, "")
        assert "1 of 5 decks could not be answered" in outcome.err
        continued = answers_in(out.read_text())
        assert out.read_bytes().startswith(lines[0])
        assert [answer["item"] for answer in continued] == [deck["id"] for deck in some]
    before = out.read_bytes()
    assert run("solve", path, "-o", out).status == 2  # the bad one is still bad
    assert out.read_bytes() == before
    path.write_text(json.dumps({"decks": [*decks[5:7], *some[:-1]]}), encoding="utf-8")
    assert run("solve", path, "-o", out).status == 0  # the bad one is not asked for
    assert [answer["item"] for answer in answers_in(out.read_text())[5:]] == [
        deck["id"] for deck in decks[5:7]
    ]


def test_files_of_others_are_left_alone(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "notes.txt"
    exported = (DATA / "decks.json").read_text(encoding="utf-8").rstrip()
    for text in ("my notes\n", "[1]\n", '{"status": "winnable"}\n', "my notes", exported):
        out.write_text(text, encoding="utf-8")
        outcome = run("solve", DATA / "decks.json", "-o", out)
        assert outcome.status == 2
        assert "line 1 is no answer of hanabi solve" in outcome.err
        assert out.read_text(encoding="utf-8") == text
    outcome = run("solve", DATA / "decks.json", "-o", tmp_path / "no/such/folder")
    assert outcome.status == 2
    assert "cannot write" in outcome.err


@pytest.mark.parametrize("option", ["--show", "--exit-code", "--link"])
def test_options_for_a_single_input(run: Run, option: str) -> None:
    outcome = run("solve", DATA / "games", option)
    assert (outcome.status, outcome.out) == (2, "")
    assert f"{option} is for a single input, not for many" in outcome.err


def test_folders_and_documents_that_hold_nothing(run: Run, tmp_path: Path) -> None:
    outcome = run("solve", tmp_path)
    assert "no .json, .jsonl or .txt files in this folder" in outcome.err
    path = tmp_path / "a.json"
    path.write_text('{"decks": 7}', encoding="utf-8")
    assert "a.json: decks: 7 is not an array" in run("solve", path).err
    path.write_text('{"cards": [[1, 0]], "hand_size": 0, "about": "decks"}', encoding="utf-8")
    with opened_items(str(path)) as given:
        assert not isinstance(given, Items)


def children_of(pid: int) -> list[int]:
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8")
    except OSError:
        return []
    return [int(word) for word in text.split()]


@only_on_linux
def test_a_run_that_is_killed_can_be_continued(tmp_path: Path, decks: list[dict[str, Any]]) -> None:
    path, out = tmp_path / "decks.json", tmp_path / "out.jsonl"
    many = decks + decks[:200]  # some names occur twice
    path.write_text(json.dumps({"decks": many}), encoding="utf-8")
    command = [*HANABI, "solve", str(path), "-o", str(out), "--workers", "2"]
    with subprocess.Popen(command) as process:
        wait_until(lambda: len(children_of(process.pid)) == 2)
        workers = children_of(process.pid)
        written = out.stat().st_size
        wait_until(lambda: out.stat().st_size > written)  # by the workers
        process.kill()
    done = out.read_bytes().count(b"\n")
    assert 0 < done < len(many)
    wait_until(lambda: not any(is_running(pid) for pid in workers))
    with out.open("ab") as stream:
        stream.write(b'{"status": "winn')  # as if it had been killed while it wrote
    subprocess.run(command, check=True)
    check(answers_in(out.read_text(encoding="utf-8")), many)


@only_on_linux
def test_an_interrupt_ends_the_workers(tmp_path: Path, decks: list[dict[str, Any]]) -> None:
    path = tmp_path / "decks.json"
    path.write_text(json.dumps({"decks": decks * 20}), encoding="utf-8")
    with subprocess.Popen(
        [*HANABI, "solve", str(path), "--workers", "2"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as process:
        wait_until(lambda: len(children_of(process.pid)) == 2)
        workers = children_of(process.pid)
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        err = process.stderr.read()
    assert (process.returncode, err) == (130, b"hanabi: interrupted\n")
    wait_until(lambda: not any(is_running(pid) for pid in workers))


@pytest.mark.parametrize(
    ("command", "words"),
    [("solve", ()), ("review", ()), ("partition", ()), ("difficulty", ("--by", "random", "-n", 4,
     "--each", 4, "--sample", 2))],
)  # fmt: skip
def test_an_error_is_tried_again_when_its_file_has_changed(
    run: Run, tmp_path: Path, command: str, words: tuple[object, ...]
) -> None:
    good = (DATA / "games" / "2906.json").read_text(encoding="utf-8")
    if command == "partition":
        good = '{"colors": 2, "rows": [[0, 1], [1]]}'
    folder, out = tmp_path / "inputs", tmp_path / "out.jsonl"
    folder.mkdir()
    for name, text in (("1.json", good), ("2.json", good[:-9]), ("3.json", "{"), ("4.json", good)):
        (folder / name).write_text(text, encoding="utf-8")
    assert run(command, folder, *words, "-o", out).status == 2
    before = out.read_bytes()
    outcome = run(command, folder, *words, "-o", out)
    assert (outcome.status, outcome.err) == (
        2,
        "hanabi: error: 2 of 4 files could not be answered, 2 as in an earlier run\n",
    )
    assert out.read_bytes() == before

    (folder / "2.json").write_text(good, encoding="utf-8")
    outcome = run(command, folder, *words, "-o", out)
    assert outcome.err == (
        "hanabi: error: 1 of 4 files could not be answered, 1 as in an earlier run\n"
    )
    lines = answers_in(out.read_text())
    assert [line["item"] for line in lines] == ["1.json", "3.json", "4.json", "2.json"]
    assert ["error" in line for line in lines] == [False, True, False, False]
    assert out.read_bytes().splitlines()[0] == before.splitlines()[0]

    (folder / "3.json").write_text("{}", encoding="utf-8")  # another error
    assert run(command, folder, *words, "-o", out).status == 2
    lines = answers_in(out.read_text())
    assert [line["item"] for line in lines] == ["1.json", "4.json", "2.json", "3.json"]
    (folder / "3.json").write_text(good, encoding="utf-8")
    assert run(command, folder, *words, "-o", out).status == 0
    assert ["error" in line for line in answers_in(out.read_text())] == [False] * 4


def test_a_run_killed_before_it_dropped_an_error_goes_on(run: Run, tmp_path: Path) -> None:
    folder, out = tmp_path / "inputs", tmp_path / "out.jsonl"
    folder.mkdir()
    deck = '{"players": 2, "deck": "r1 r3 r2", "rules": {"hand_size": 1}}'
    (folder / "a.json").write_text(deck[:-1])
    (folder / "b.json").write_text("{")
    assert run("solve", folder, "-o", out).status == 2
    old = out.read_text()
    (folder / "a.json").write_text(deck)
    assert run("solve", folder, "-o", out).status == 2
    answer = out.read_text().splitlines()[-1]
    out.write_text(old + answer + "\n")  # the error of a.json still stands before its answer
    outcome = run("solve", folder, "-o", out)
    assert "1 of 2 files could not be answered, 1 as in an earlier run" in outcome.err
    assert out.read_text() == old.splitlines()[1] + "\n" + answer + "\n"
    (folder / "b.json").write_text(deck)
    assert run("solve", folder, "-o", out).status == 0
    assert [line["item"] for line in answers_in(out.read_text()) if "error" not in line] == [
        "a.json", "b.json",
    ]  # fmt: skip


def test_an_error_of_a_question_is_tried_again_when_another_is_asked(
    run: Run, tmp_path: Path
) -> None:
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_text('{"cards": [[1, 0], [2, 0]]}\n{"cards": [[2, 0], [1, 0]]}\n')
    assert run("solve", path, "-o", out).status == 2
    assert "no hand size" in answers_in(out.read_text())[0]["error"]
    assert run("solve", path, "--hand-size", 1, "-o", out).status == 0
    assert [line["status"] for line in answers_in(out.read_text())] == ["winnable"] * 2


def test_an_output_of_standard_output_makes_no_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = run("solve", "p2v0s1..2", "-o", "-")
    assert [each["item"] for each in answers_in(outcome.out)] == ["p2v0s1", "p2v0s2"]
    assert not [*tmp_path.iterdir()]
