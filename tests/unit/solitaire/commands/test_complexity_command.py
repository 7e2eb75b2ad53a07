"""`hanabi complexity`: tables, one case, the case of a stream, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hanabi.solitaire.hardness import (
    approximation_table,
    classify,
    classify_least_hand,
    classify_most_cards,
    complexity_tables,
)

from ...conftest import Run

ROOT = Path(__file__).parents[4]


def test_the_tables_are_those_of_the_page(run: Run) -> None:
    printed = run("complexity").out
    assert f"$ hanabi complexity\n{printed}```" in (ROOT / "docs/complexity.md").read_text()
    for title, rows in complexity_tables():
        assert title in printed
        assert all(cell in printed for row in rows for cell in row)
    tables = json.loads(run("complexity", "--json").out)
    assert [table["title"] for table in tables] == [title for title, _ in complexity_tables()]


@pytest.mark.parametrize("problem", ["most cards", "least hand"])
def test_the_table_of_an_approximation(run: Run, problem: str) -> None:
    option = f"--{problem.replace(' ', '-')}"
    printed = run("complexity", option).out
    page = (ROOT / "docs/complexity.md").read_text()
    assert f"$ hanabi complexity {option}\n{printed}```" in page
    assert all(cell in printed for row in approximation_table(problem) for cell in row)
    [table] = json.loads(run("complexity", option, "--json").out)
    assert problem in table["title"]


def test_a_case_of_an_approximation(run: Run, tmp_path: Path) -> None:
    printed = run("complexity", "--most-cards", "--hand-size", 1, "--values", 3).out
    assert "barrier     no scheme, unless P = NP\nguarantee   a factor of 3/2\n" in printed
    assert "reduction   most_cards_two_copies\n" in printed
    document = json.loads(run("complexity", "--most-cards", "--colors", 1, "--json").out)
    assert document == classify_most_cards(colors=1).to_json()
    least = json.loads(run("complexity", "--least-hand", "--values", 3, "--json").out)
    assert least == classify_least_hand(values=3).to_json()
    source = tmp_path / "stream.txt"
    source.write_text("hand 1  r2 r1 y1 y2 y1 r3 y3 r4 y4", encoding="utf-8")
    for option, theorem in (("--most-cards", 4), ("--least-hand", 5)):
        printed = run("complexity", source, option).out
        assert printed.index(f"NP-hard (theorem {theorem})") < printed.index(
            f"P (theorem {theorem}"
        )
        assert f"decide it   hanabi solve {source} {option}" in printed.replace("\n", " ")


def test_a_case_with_parameters(run: Run) -> None:
    printed = run("complexity", "--parameter", "h", "--colors", 2).out
    assert "class       W[1]-hard (theorem 3)\n" in printed
    assert "hanabi reduce graph.col --variant two_colors_by_hand -o cards.json\n" in printed
    document = json.loads(run("complexity", "--parameter", "nc", "--json").out)
    assert (document["class"], document["parameters"]) == ("FPT", ["c", "n"])


def test_one_case(run: Run) -> None:
    outcome = run("complexity", "--hand-size", 1, "--multiplicity", 2, "--values", 4)
    assert outcome.status == 0
    assert "class       NP-complete (theorem 1)\n" in outcome.out
    assert "hanabi reduce formula.cnf --variant four_values -o cards.json\n" in outcome.out
    document = json.loads(run("complexity", "--colors", 2, "--json").out)
    assert document == classify(colors=2).to_json()
    assert (document["class"], document["method"], document["hand_size"]) == (
        "NP-complete", "two_colors", None,
    )  # fmt: skip


def test_the_case_of_a_stream(run: Run, tmp_path: Path) -> None:
    source = tmp_path / "stream.txt"
    source.write_text("hand 1  r2 r1 y1 y2 y1 r3 y3 r4 y4", encoding="utf-8")
    printed = run("complexity", source).out
    assert "N = 9, h = 1, r = 2, n = 4, c = 2" in printed
    assert printed.index("NP-complete (theorem 1)") < printed.index("P (theorem 2)")
    document = json.loads(run("complexity", source, "--hand-size", 0, "--json").out)
    assert [each["method"] for each in document["classes"]] == ["forced", "forced"]
    assert document["instance"]["hand_size"] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--values", "0"], "--values 0: at least 1"),
        (["--hand-size", "1.5"], "'1.5' is not an integer >= 0"),
        (["--parameter", "hx"], "parameter 'x': one of c, h, n, N"),
        (["--parameter", "h", "--hand-size", "2"], "parameter h: it has the value 2"),
        (["--parameter", "h", "--most-cards"], "--parameter is for the decision"),
        (["--least-hand", "--hand-size", "2"], "--hand-size is what is asked for"),
        (["--least-hand", "--most-cards"], "--most-cards and --least-hand: one of them"),
        (["docs/figures/example.cnf"], "it is a formula, not cards"),
        (["tests/data/hanab_live/games/2906.json", "--colors", "5"], "--colors is part of the"),
        (["no-such-file.json"], "no-such-file.json"),
    ],
)
def test_bad_input_is_refused(
    run: Run, arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    outcome = run("complexity", *arguments)
    assert outcome.status == 2
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
