"""Answers that a file keeps: they hold for the same content, question and revision, or are redone.

Every command that answers many inputs into a file is run on inputs that change between runs.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from hanabi.shell.command import kept
from hanabi.shell.command.kept import REVISIONS

from ...conftest import Run

GAMES = Path(__file__).parents[3] / "data" / "hanab_live" / "games"
WON, LOST = "hand 1  1 2 3", "hand 1  3 2 1"


class Case(NamedTuple):
    """A command, its options, two inputs on one line, and the keys that tell their answers."""

    words: Sequence[object]
    first: str
    second: str
    key: str

    def answers(self, run: Run, folder: Path) -> list[object]:
        """Return the answers to both inputs, each asked alone."""
        found = []
        for text in (self.first, self.second):
            (folder / "alone.txt").write_text(text)
            found.append(json.loads(run(*self.words, folder / "alone.txt", "--json").out)[self.key])
        (folder / "alone.txt").unlink()
        assert found[0] != found[1]
        return found


def deck(cards: str) -> str:
    return json.dumps({"players": 2, "deck": cards, "rules": {"hand_size": 1}})


def game(name: str) -> str:
    """Return a game on one line, without its number."""
    data = json.loads((GAMES / name).read_text(encoding="utf-8"))
    del data["id"]
    return json.dumps(data)


CASES = {
    "solve": Case(("solve",), deck("r1 r2 r3"), deck("r1 r3 r2"), "status"),
    "review": Case(("review",), game("1889209.json"), game("2906.json"), "score"),
    "partition": Case(
        ("partition",),
        '{"colors": 2, "rows": [[0, 1], [1]]}',
        '{"colors": 2, "rows": [[0], [1]]}',
        "size",
    ),
    "difficulty": Case(
        ("difficulty", "--by", "random", "-n", 4, "--each", 4, "--sample", 2),
        deck("r1 r2 r3"),
        deck("r1 r3 r2"),
        "status",
    ),
}
each_command = pytest.mark.parametrize("case", CASES.values(), ids=[*CASES])


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def by_item(path: Path, key: str) -> dict[object, object]:
    """Return the answers by item; each has one line."""
    lines = lines_of(path)
    found = {line.get("item", line.get("line")): line[key] for line in lines}
    assert len(found) == len(lines)
    return found


@each_command
def test_a_changed_file_is_answered_again(run: Run, tmp_path: Path, case: Case) -> None:
    first, second = case.answers(run, tmp_path)
    folder, out = tmp_path / "in", tmp_path / "out.jsonl"
    folder.mkdir()
    (folder / "x.txt").write_text(case.first)
    (folder / "y.txt").write_text(case.first)
    command = (*case.words, folder, "-o", out)
    assert run(*command).err == ""
    before = out.read_bytes()
    assert run(*command) == (0, "", "")
    assert out.read_bytes() == before
    assert all(len(line["hash"]) == 32 for line in lines_of(out))

    (folder / "x.txt").write_text(case.second)
    outcome = run(*command)
    assert outcome == (
        0, "", f"hanabi: note: {out}: made again: 1 answer to other content or another question\n",
    )  # fmt: skip
    assert by_item(out, case.key) == {"y.txt": first, "x.txt": second}
    assert run(*command) == (0, "", "")


@each_command
def test_exchanged_files_are_answered_again(run: Run, tmp_path: Path, case: Case) -> None:
    first, second = case.answers(run, tmp_path)
    folder, out = tmp_path / "in", tmp_path / "out.jsonl"
    folder.mkdir()
    for texts in ((case.first, case.second), (case.second, case.first)):
        for name, text in zip(("x.txt", "y.txt"), texts, strict=True):
            (folder / name).write_text(text)
        assert run(*case.words, folder, "-o", out).status == 0
        expected = [first, second] if texts[0] == case.first else [second, first]
        assert by_item(out, case.key) == dict(zip(("x.txt", "y.txt"), expected, strict=True))


@each_command
def test_another_folder_with_the_same_names_has_its_own_answers(
    run: Run, tmp_path: Path, case: Case
) -> None:
    first, second = case.answers(run, tmp_path)
    out = tmp_path / "out.jsonl"
    for name, text in (("a", case.first), ("b", case.second)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.txt").write_text(text)
        (tmp_path / name / f"{name}.txt").write_text(text)
        assert run(*case.words, tmp_path / name, "-o", out).status == 0
    # What the second folder does not have is kept.
    assert by_item(out, case.key) == {"a.txt": first, "x.txt": second, "b.txt": second}


@each_command
def test_a_line_put_before_others_changes_no_answer(run: Run, tmp_path: Path, case: Case) -> None:
    first, second = case.answers(run, tmp_path)
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    command = (*case.words, path, "-o", out)
    path.write_text(f"{case.first}\n{case.first}\n")
    assert run(*command).status == 0
    path.write_text(f"{case.second}\n{case.first}\n{case.first}\n")
    assert run(*command) == (0, "", "")  # nothing is made again
    assert by_item(out, case.key) == {1: second, 2: first, 3: first}
    path.write_text(f"{case.first}\n{case.second}")
    assert run(*command).status == 0
    assert by_item(out, case.key) == {1: first, 2: second, 3: first}  # as if not asked for


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_the_command_of_a_changed_file_gives_another_table(
    run: Run, tmp_path: Path, ending: str
) -> None:
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    folder, out = tmp_path / "d", tmp_path / f"o.{ending}"
    folder.mkdir()

    def statuses() -> list[object]:
        if ending == "csv":
            with out.open(newline="") as stream:
                return [row["status"] for row in csv.DictReader(stream)]
        from pyarrow import parquet

        return [row["status"] for row in parquet.read_table(out).to_pylist()]

    for text, status in ((WON, "winnable"), (LOST, "unwinnable"), (WON, "winnable")):
        (folder / "x.txt").write_text(text)
        assert run("solve", folder, "-o", out).status == 0
        assert statuses() == [status]


def test_another_question_is_answered_and_a_budget_is_none(run: Run, tmp_path: Path) -> None:
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_text(deck("r1 r3 r2") + "\n")
    assert run("solve", path, "-o", out).status == 0
    [line] = lines_of(out)
    assert line["best"]["lower"] < line["best"]["upper"]
    for words in (("--time", 5), ("--time", 0), ("--memory", 900), ("--workers", 1)):
        assert run("solve", path, "-o", out, *words) == (0, "", "")
    outcome = run("solve", path, "-o", out, "--best")
    assert "made again: 1 answer to other content or another question" in outcome.err
    [line] = lines_of(out)
    assert line["best"]["lower"] == line["best"]["upper"]


def test_an_undecided_answer_is_tried_again_with_a_larger_budget(run: Run, tmp_path: Path) -> None:
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_text(deck("r1 r2 r3") + "\n")
    assert run("solve", path, "-o", out).status == 0
    [line] = lines_of(out)
    undecided = line | {"status": "unknown", "budget": {"seconds": 0.001}}
    for words, is_tried in (
        (("--time", 0.0005), False),
        (("--time", 0.001), False),
        (("--time", 0.002), True),
        ((), True),
        (("--time", 0), True),
        (("--time", 0.0005, "--memory", 100), True),
    ):
        out.write_text(json.dumps(undecided) + "\n")
        outcome = run("solve", path, "-o", out, *words)
        said = f"hanabi: note: {out}: made again: 1 undecided answer of a smaller budget\n"
        assert outcome.err == (said if is_tried else ""), words
        [after] = lines_of(out)
        assert after == undecided if not is_tried else after["line"] == 1
    unlimited = undecided | {"budget": {"seconds": None}}
    out.write_text(json.dumps(unlimited) + "\n")
    assert run("solve", path, "-o", out).err == ""


def test_lines_of_undecided_answers_say_their_budget(run: Run, tmp_path: Path) -> None:
    games = tmp_path / "games"
    games.mkdir()
    name = next(
        path.name
        for path in sorted(GAMES.iterdir())
        if json.loads(run("solve", path, "--json").out)["status"] == "unknown"
    )
    (games / name).write_bytes((GAMES / name).read_bytes())
    (games / "won.txt").write_text(WON)
    out = tmp_path / "out.jsonl"
    for words, budget in (
        (("--time", 7), {"seconds": 7}),
        (("--time", 9, "--memory", 100), {"seconds": 9, "memory": 100 << 20}),
        (("--time", 0, "--memory", 100), {"seconds": None, "memory": 100 << 20}),
    ):
        assert run("solve", games, "-o", out, *words).status == 0
        lines = {line["item"]: line for line in lines_of(out)}
        assert lines[name]["budget"] == budget
        assert "budget" not in lines["won.txt"]
        assert len(lines_of(out)) == 2


def test_a_partition_that_is_no_maximum_is_tried_again(run: Run, tmp_path: Path) -> None:
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_text('{"colors": 2, "rows": [[0, 1], [1]]}\n')
    assert run("partition", path, "-o", out).status == 0
    [line] = lines_of(out)
    for budget, words in (
        ({}, ("--time", 5)),
        ({"seconds": 1}, ()),
        ({"seconds": 1}, ("--time", 2)),
    ):
        out.write_text(json.dumps(line | {"upper": 9, "budget": budget}) + "\n")
        assert (
            "1 undecided answer of a smaller budget"
            in run("partition", path, "-o", out, *words).err
        )
        assert lines_of(out) == [line]
    out.write_text(json.dumps(line | {"upper": 9, "budget": {}}) + "\n")
    assert run("partition", path, "-o", out).err == ""


def test_a_raised_revision_makes_answers_again(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_text(deck("r1 r2 r3") + "\n")
    assert run("solve", path, "-o", out).status == 0
    monkeypatch.setattr(kept, "__version__", "99.0")
    assert run("solve", path, "-o", out).err == ""
    monkeypatch.setattr(kept, "REVISIONS", {**REVISIONS, "solve": REVISIONS["solve"] + 1})
    assert "made again: 1 answer" in run("solve", path, "-o", out).err
    assert len(lines_of(out)) == 1


@each_command
def test_lines_of_an_earlier_version_are_kept_and_a_note_says_so(
    run: Run, tmp_path: Path, case: Case
) -> None:
    folder, out = tmp_path / "in", tmp_path / "out.jsonl"
    folder.mkdir()
    for name in ("x.txt", "y.txt"):
        (folder / name).write_text(case.first)
    command = (*case.words, folder, "-o", out)
    assert run(*command).status == 0
    old = "".join(
        json.dumps({key: value for key, value in line.items() if key != "hash"}) + "\n"
        for line in lines_of(out)
    )
    out.write_text(old)
    (folder / "z.txt").write_text(case.second)
    outcome = run(*command)
    assert (outcome.status, outcome.err.count("\n")) == (0, 1)
    assert f"{out}: 2 answers of an earlier version kept" in outcome.err
    assert out.read_text().startswith(old)
    assert [line["item"] for line in lines_of(out)] == ["x.txt", "y.txt", "z.txt"]


def test_a_run_killed_between_old_and_new_answers_goes_on(run: Run, tmp_path: Path) -> None:
    """Until a run ends, the old lines stand before the new ones: neither is lost nor doubled."""
    folder, out, whole = tmp_path / "in", tmp_path / "out.jsonl", tmp_path / "whole.jsonl"
    folder.mkdir()
    for number in range(4):
        (folder / f"{number}.txt").write_text(WON)
    assert run("solve", folder, "-o", out).status == 0
    old = out.read_text()
    for number in range(4):
        (folder / f"{number}.txt").write_text(LOST)
    assert run("solve", folder, "-o", whole).status == 0
    new = whole.read_text().splitlines(keepends=True)
    out.write_text(old + "".join(new[:2]) + new[2][:40])
    outcome = run("solve", folder, "-o", out)
    assert "made again: 4 answers" in outcome.err
    assert out.read_text().startswith("".join(new[:2]))
    assert by_item(out, "status") == {f"{number}.txt": "unwinnable" for number in range(4)}
    # The old question again: the new lines go, as the old ones did.
    for number in range(4):
        (folder / f"{number}.txt").write_text(WON)
    out.write_text(old + "".join(new))
    assert run("solve", folder, "-o", out).status == 0
    assert out.read_text() == old


def test_a_review_with_more_than_is_asked_holds(run: Run, tmp_path: Path) -> None:
    folder, out = tmp_path / "games", tmp_path / "r.jsonl"
    folder.mkdir()
    (folder / "a.json").write_bytes((GAMES / "2906.json").read_bytes())
    command = ("review", folder, "-o", out)
    assert run(*command, "--chances", "--moves", tmp_path / "m.csv").err == ""
    before = out.read_text()
    assert lines_of(out)[0]["with"] == ["chances", "reasons"]
    assert run(*command, "--by-player", tmp_path / "p.csv") == (0, "", "")
    assert out.read_text() == before
    assert "made again: 1 answer" in run(*command, "--conventions", "level=1").err
    assert lines_of(out)[0]["with"] == ["conventions level=1"]
    assert "made again: 1 answer" in run(*command, "--conventions", "level=2").err


def test_forged_marks_are_no_answers(run: Run, tmp_path: Path) -> None:
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_text(deck("r1 r2 r3") + "\n")
    assert run("solve", path, "-o", out).status == 0
    [line] = lines_of(out)
    for marks in (
        {"hash": 7},
        {"hash": [1]},
        {"budget": 7},
        {"budget": {"seconds": "x"}},
        {"with": 3},
    ):
        out.write_text(json.dumps(line | marks) + "\n")
        assert run("solve", path, "-o", out).status == 0
        assert [each["status"] for each in lines_of(out)] == ["winnable"]
