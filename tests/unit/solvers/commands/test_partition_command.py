from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from hanabi.front.app import main

GAME = Path(__file__).parents[3] / "data" / "hanab_live" / "games" / "2906.json"


class Outcome(NamedTuple):
    status: int
    out: str
    err: str


Run = Callable[..., Outcome]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run_it(*arguments: object) -> Outcome:
        status = main(["partition", *map(str, arguments)])
        return Outcome(status, *capsys.readouterr())

    return run_it


@pytest.fixture
def scarce(tmp_path: Path) -> Path:
    path = tmp_path / "table.json"
    table = {"colors": 4, "rows": [[0, 1], [0, 2], [0, 3]], "unseen": [1, 3, 3, 3]}
    path.write_text(json.dumps(table))
    return path


def test_the_stable_form(run: Run, scarce: Path) -> None:
    assert json.loads(run(scarce, "--json").out) == {
        "size": 2,
        "parts": [[0, 1], [2, 3]],
        "why": [
            "card 1 is 0 or 1",
            "cards 2, 3 are 2, and of what else they can be (0) only 1 copy is unseen",
        ],
    }
    assert json.loads(run(scarce, "--json", "--joint").out)["size"] == 2
    assert json.loads(run(scarce, "--json", "--rows").out)["size"] == 1


def test_other_reasons(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text('{"colors": 3, "rows": [[0, 1], [0, 2]], "unseen": [0, 1, 1]}')
    data = json.loads(run(path, "--json").out)
    assert data["parts"] == [[0, 1], [2]]
    assert data["why"] == [
        "card 1 is 0 or 1",
        "card 2 can be nothing else: all other copies are seen",
    ]


def test_text(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "table.txt"
    path.write_text("  Red Blue\n1 .\n1 1\nUnseen 2 1\n")
    assert run(path).out.splitlines() == [
        "        Red Blue",
        "card 1    1    .",
        "card 2    1    1",
        "unseen    2    1",
        "",
        "1 part (no split has more)",
        "  (Red, Blue): card 1 is Red",
    ]


def test_a_hand_in_a_game(run: Run) -> None:
    apart = json.loads(run(f"{GAME}@30", "--json").out)
    together = json.loads(run(f"{GAME}@30", "--json", "--joint").out)
    assert (apart["turn"], apart["hints"][0], apart["hints"][5]) == (30, "red", "1")
    assert sorted(hint for part in apart["parts"] for hint in part) == list(range(10))
    assert sorted(hint for part in together["parts"] for hint in part) == list(range(10))
    assert 2 <= apart["size"] <= together["size"]
    text = run(f"{GAME}@30", "--seat", 0).out
    assert "after 30 moves" in text
    assert "unseen" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((f"{GAME}@9999",), "the game has only"),
        ((f"{GAME}@3", "--seat", 7), "seat 7"),
        (("missing.txt",), "cannot read"),
        (("missing.json@3",), "cannot read"),
    ],
)
def test_bad_input(run: Run, arguments: tuple[object, ...], message: str) -> None:
    outcome = run(*arguments)
    assert outcome.status == 2
    assert message in outcome.err


def test_bad_tables(run: Run, scarce: Path) -> None:
    assert "--seat is for a hand in a game" in run(scarce, "--seat", 1).err
    scarce.write_text('{"colors": 1, "rows": [[0], [0]], "unseen": [1]}')
    assert "no hand fits the table" in run(scarce).err
    scarce.write_text("A B\n1")
    outcome = run(scarce)
    assert (outcome.status, outcome.out) == (2, "")
    assert f"{scarce}: line 2" in outcome.err


TABLES = [
    '{"colors": 2, "rows": [[0, 1], [1]]}',
    '{"colors": 2, "rows": [[0, 5]]}',
    "nonsense",
    '{"id": "last", "colors": 3, "rows": [[0, 1], [2]]}',
]


def test_a_table_a_line(run: Run, tmp_path: Path) -> None:
    path, out = tmp_path / "tables.jsonl", tmp_path / "answers.jsonl"
    path.write_text("\n".join(TABLES) + "\n")
    outcome = run(path)
    assert outcome.status == 2
    assert outcome.err == "hanabi: error: 2 of 4 lines could not be answered\n"
    first, *bad, last = map(json.loads, outcome.out.splitlines())
    (tmp_path / "one.json").write_text(TABLES[0])
    assert first == json.loads(run(tmp_path / "one.json", "--json").out)
    assert [(each["line"], each["error"][:20]) for each in bad] == [
        (2, "rows[0][1]: 5 is not"),
        (3, "there are no cards: "),
    ]
    assert (last["item"], last["parts"]) == ("last", [[0, 1], [2]])
    # A file of answers is gone on with, by the options of `hanabi solve`.
    for _ in range(2):
        assert run(path, "-o", out, "-j", 2).status == 2
        assert len(out.read_text().splitlines()) == 4


def test_tables_in_a_folder(run: Run, tmp_path: Path) -> None:
    for number in (10, 2):
        (tmp_path / f"{number}.json").write_text(TABLES[0])
    outcome = run(tmp_path)
    assert (outcome.status, outcome.err) == (0, "")
    assert [json.loads(line)["item"] for line in outcome.out.splitlines()] == ["2.json", "10.json"]


def test_options_for_many(run: Run, scarce: Path) -> None:
    for option in (["-o", scarce.parent / "a.jsonl"], ["--workers", "2"]):
        outcome = run(scarce, *option)
        assert (outcome.status, outcome.out) == (2, "")
        assert "is for many tables, not for a single one" in outcome.err
