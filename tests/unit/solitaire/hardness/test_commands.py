"""`hanabi reduce`, `hanabi sat` and `hanabi explain`."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from hanabi.front.app import main
from hanabi.solitaire.hardness import read_dimacs
from vectors import DATA

SATLIB = sorted((DATA / "satlib").glob("*.cnf"))
EXAMPLE = "p cnf 3 2\n1 -2 3 0\n1 2 -3 0\n"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    def run_it(*words: object) -> tuple[int, str, str]:
        status = main([str(word) for word in words])
        captured = capfdbinary.readouterr()
        return status, captured.out.decode(), captured.err.decode()

    return run_it


@pytest.fixture
def formula(tmp_path: Path) -> Path:
    path = tmp_path / "formula.cnf"
    path.write_text(EXAMPLE, encoding="utf-8")
    return path


def test_there_are_twelve_formulas() -> None:
    assert len(SATLIB) == 12


@pytest.mark.parametrize("path", SATLIB, ids=lambda path: path.stem)
def test_sat_on_satlib(path: Path, run: Run) -> None:
    status, out, err = run("sat", path)
    assert err == ""
    if path.name.startswith("uuf"):
        assert (status, out) == (20, "s UNSATISFIABLE\n")
        return
    first, second = out.splitlines()
    assert (status, first) == (10, "s SATISFIABLE")
    literals = list(map(int, second.removeprefix("v ").split()))
    with path.open(encoding="utf-8") as file:
        formula = read_dimacs(file)
    assert list(map(abs, literals)) == [*range(1, formula.n_vars + 1), 0]
    assert formula.satisfied_by([literal > 0 for literal in literals[:-1]])


@pytest.mark.parametrize(
    "variant", ["paper", "one_card_b", "slides", "compact", "constant_two", "three_values"]
)
def test_sat_with_other_variants(variant: str, run: Run) -> None:
    status, out, _ = run("sat", SATLIB[1], "--variant", variant, "--verbose")
    assert status == 10
    assert [line[0] for line in out.splitlines()] == ["c", "c", "c", "s", "v"]


def test_sat_in_json_and_without_variables(formula: Path, run: Run) -> None:
    status, out, _ = run("sat", formula, "--json", "--variant", "one_card_a", "--hand-size", 2)
    data = json.loads(out)
    assert (status, data["status"], data["variant"]) == (10, "satisfiable", "one_card_a")
    assert len(data["assignment"]) == 3
    formula.write_text("p cnf 0 0\n", encoding="utf-8")
    assert run("sat", formula) == (10, "s SATISFIABLE\nv 0\n", "")
    formula.write_text("p cnf 0 1\n0\n", encoding="utf-8")
    assert run("sat", formula) == (20, "s UNSATISFIABLE\n", "")


def test_sat_out_of_time(run: Run) -> None:
    status, out, _ = run(
        "sat", DATA / "satlib" / "uf75-01.cnf", "--variant", "paper", "--time", 1e-9
    )
    assert (status, out) == (0, "s UNKNOWN\n")


def test_reduce_solve_verify_and_read_back(formula: Path, tmp_path: Path, run: Run) -> None:
    cards, answer = tmp_path / "cards.json", tmp_path / "answer.json"
    assert run("reduce", formula, "-o", cards) == (0, "", "")
    status, out, _ = run("reduce", formula)
    assert (status, out) == (0, cards.read_text(encoding="utf-8"))
    data = json.loads(out)
    assert (data["n"], data["c"], len(data["cards"])) == (15, 7, 183)
    assert data["annotation"]["clauses"] == [[1, -2, 3], [1, 2, -3]]
    status, out, _ = run("solve", cards, "--method", "sat", "--json")
    answer.write_text(out, encoding="utf-8")
    assert json.loads(out)["status"] == "winnable"
    assert run("verify", cards, answer)[0] == 0


def test_reduce_with_every_option(formula: Path, run: Run) -> None:
    words = ["--hand-size", 3, "--multiplicity", 4, "--copies", "exact", "--reduction-by", "same"]
    data = json.loads(run("reduce", formula, *words)[1])
    assert data["hand_size"] == 3
    assert len(data["cards"]) == 4 * data["n"] * data["c"]
    slides = json.loads(run("reduce", formula, "--variant", "slides", "--step", 20)[1])
    assert slides["n"] == 60
    printed = json.loads(run("reduce", formula, "--as-printed")[1])
    assert printed["n"] == 14
    deck = json.loads(run("reduce", formula, "--players", 2, "--hand-size", 2)[1])
    assert (deck["hand_size"], deck["annotation"]["colors"][-1]) == (3, "filler")


def test_explain_reads_cards_and_formulas(formula: Path, tmp_path: Path, run: Run) -> None:
    cards = tmp_path / "cards.json"
    run("reduce", formula, "-o", cards)
    status, out, _ = run("explain", cards)
    assert (status, out) == run("explain", formula)[:2]
    assert "\nC1 hand dump\n 4 5 3\n d d d\n" in out
    assert "(x1 or not x2 or x3) and (x1 or x2 or not x3)" in out.replace("\n", " ")
    status, out, _ = run("explain", SATLIB[0], "--variant", "compact")
    assert status == 0
    assert "more cards (--first, --last)" in out.replace("\n", " ")


def test_a_play_is_read_back_by_every_command_that_takes_cards(
    formula: Path, tmp_path: Path, run: Run
) -> None:
    cards, answer = tmp_path / "cards.json", tmp_path / "answer.json"
    run("reduce", formula, "--variant", "constant_two", "-o", cards)
    answer.write_text(run("solve", cards, "--json")[1], encoding="utf-8")
    literals = json.loads(answer.read_text(encoding="utf-8"))["assignment"]
    for clause in ((1, -2, 3), (1, 2, -3)):
        assert set(clause) & set(literals)
    told = f"assignment  {' '.join(map(str, literals))}\n"
    assert told in run("solve", cards)[1]
    assert told in run("verify", cards, answer)[1]
    assert told in run("explain", cards, "--play", answer)[1]
    verified = run("verify", cards, answer, "--json")[1]
    assert json.loads(verified) == {"ok": True, "assignment": literals}


def test_cards_that_are_no_reduction_say_so(formula: Path, tmp_path: Path, run: Run) -> None:
    cards = tmp_path / "cards.json"
    data = json.loads(run("reduce", formula, "--variant", "constant_two")[1])
    data["annotation"]["clauses"] = [[x, y, z] for x in (1, -1) for y in (2, -2) for z in (3, -3)]
    cards.write_text(json.dumps(data), encoding="utf-8")
    found = json.loads(run("solve", cards, "--json")[1])
    missed = data["annotation"]["clauses"][found["missed_clause"] - 1]
    assert not set(missed) & set(found["assignment"])
    assert "so the cards are no sound reduction" in run("solve", cards)[1].replace(
        "\n            ", " "
    )


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        ("x", "annotation: 'x' is not an object"),
        ({"variant": "paper"}, "annotation: variables is missing"),
    ],
)
def test_a_broken_annotation(
    formula: Path, tmp_path: Path, run: Run, annotation: object, message: str
) -> None:
    cards = tmp_path / "cards.json"
    data = json.loads(run("reduce", formula)[1]) | {"annotation": annotation}
    cards.write_text(json.dumps(data), encoding="utf-8")
    for command in ("solve", "explain"):
        status, _, error = run(command, cards)
        assert (status, message in error) == (2, True), error


def test_a_play_that_does_not_win_assigns_nothing(formula: Path, tmp_path: Path, run: Run) -> None:
    play = tmp_path / "play.json"
    play.write_text('[[1, "store"]]', encoding="utf-8")
    status, _, error = run("explain", formula, "--play", play)
    assert status == 2
    assert "play.json: the play does not win" in error


def test_a_color_has_one_name_everywhere(formula: Path, tmp_path: Path, run: Run) -> None:
    cards = tmp_path / "cards.json"
    run("reduce", formula, "-o", cards)
    data = json.loads(cards.read_text(encoding="utf-8"))
    told = run("explain", cards, "--first", 2, "--last", 11)[1]
    assert "Colors: 0 is x1, 1 is not x1, 2 is x2," in told
    written = [[int(row) for row in line.split()] for line in told.splitlines()[-2:]]
    assert list(map(list, zip(*written, strict=True))) == data["cards"][1:11]
    shown = run("solve", cards, "--show", "--method", "sat")[1]
    value, color = data["cards"][0]
    assert f"store    {color}:{value} " in shown
    assert not set(re.findall(r"\b[rygbpt]\d", shown))


@pytest.mark.parametrize(
    ("words", "text", "message"),
    [
        (["sat"], "p cnf 2 1\n1 3 0\n", "line 2: '3' is beyond the header's 2 variables"),
        (["reduce"], "hello\n", "line 1: 'hello' before the header"),
        (
            ["reduce", "--hand-size", "1", "--multiplicity", "2"],
            EXAMPLE,
            "'four_values' does with h = 1",
        ),
        (["reduce", "-o", "/no/such/folder/x"], EXAMPLE, "cannot write '/no/such/folder/x'"),
        (["explain"], '{"cards": [[1, 0]]}', "no hand size: give --hand-size H"),
        (["explain", "--hand-size", "1"], EXAMPLE, "--hand-size is for streams"),
        (["explain", "--svg", "/no/such/folder/x"], EXAMPLE, "cannot write '/no/such/folder/x'"),
        (["explain", "--last", "500"], EXAMPLE, "cards 1 .. 500 are not within 1 .. 183"),
    ],
)
def test_bad_input_is_one_line_on_standard_error(
    words: list[str], text: str, message: str, tmp_path: Path, run: Run
) -> None:
    path = tmp_path / "input"
    path.write_text(text, encoding="utf-8")
    status, _, err = run(words[0], path, *words[1:])
    assert (status, err.count("\n")) == (2, 1)
    assert message in err


def test_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = io.BytesIO(EXAMPLE.encode())

    monkeypatch.setattr("sys.stdin", Stdin)
    assert run("sat", "-")[0] == 10
