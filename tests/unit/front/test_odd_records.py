"""Records that go otherwise than games do today, from the command line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from ..conftest import Run

DATA = Path(__file__).parents[2] / "data" / "hanab_live"
SITE, PARTIAL = DATA / "site", DATA / "games" / "1890204.json"


def answered(run: Run, *arguments: object) -> dict[str, Any]:
    outcome = run(*arguments)
    assert outcome.status == 0, outcome.err
    data: dict[str, Any] = json.loads(outcome.out)
    return data


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize(
    ("name", "score", "end"),
    [
        ("ended_by_timeout", 0, "timed out"),
        ("starting_player", 29, "out of turns"),
        ("moves_after_end", 19, "stuck"),
        ("strike4", 0, "bombed"),
        ("morph", 2, "in progress"),
    ],
)
def test_the_score_and_the_end_of_a_record(run: Run, name: str, score: int, end: str) -> None:
    path = SITE / f"{name}.json"
    found = answered(run, "review", path, "--json", "--time", 600)
    assert (found["score"], found["end"]) == (score, end)
    assert bool(found["unusual"]) is (name != "ended_by_timeout")
    played = answered(run, "solve", path, "--lost-at", "--json", "--time", 600)["as_played"]
    assert (played["score"], played["end"]) == (score, end)


def test_positions_keep_their_own_points(run: Run) -> None:
    found = answered(run, "review", SITE / "ended_by_timeout.json", "--json")
    assert [move["score"] for move in found["moves"]] == [0, 1, 1, 2]


def test_tables_tell_the_record_s_score_and_reason(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    for name, score, ended in (("ended_by_timeout", 0, "timed_out"), ("strike4", 0, "bombed")):
        out = tmp_path / f"{name}.csv"
        assert run("convert", SITE / f"{name}.json", "-o", out).status == 0
        [row] = csv.DictReader(io.StringIO(out.read_text()))
        assert (int(row["score"]), row["ended"], int(row["moves"])) == (score, ended, 4)
        out = out.with_suffix(".parquet")
        assert run("convert", SITE / f"{name}.json", "-o", out).status == 0
        [row] = pq.read_table(out).to_pylist()
        assert (row["score"], row["ended"], row["moves"]) == (score, ended, 4)


def test_show_marks_where_the_rules_end_a_game(run: Run) -> None:
    out = run("show", SITE / "moves_after_end.json").out
    head, _, tail = out.partition("turn 63")
    assert "Note: the game is over after move 63 by the rules of today" in head
    assert "here the rules of today end the game: stuck" in tail.partition("turn 64")[0]
    assert "the end     19 of 30 points" in tail
    assert "lives 0" in run("show", SITE / "strike4.json", "--at", 4).out


def test_show_and_review_know_who_goes_first(run: Run) -> None:
    path = SITE / "starting_player.json"
    out = run("show", path, "--turns", "0-1").out
    assert "> Bob" in out.partition("turn 1")[0]
    assert "turn 1   Bob hints Alice" in out
    found = answered(run, "review", path, "--json", "--time", 600)
    assert [move["player"] for move in found["moves"][:3]] == ["Bob", "Alice", "Bob"]
    assert [move["seat"] for move in found["moves"][:3]] == [1, 0, 1]
    assert "options.startingPlayer: a link has no place for it" in run("link", path).err
    assert "seat 1 goes first" in run("difficulty", path).err
    assert answered(run, "chances", f"{path}@80", "--json")["player"] == "Bob"
    [line] = run("convert", path).out.splitlines()
    assert json.loads(line)["options"]["startingPlayer"] == 1


def test_pages_say_how_a_game_ended(run: Run) -> None:
    page = run("view", SITE / "ended_by_timeout.json").out
    assert "0 of 25 points: the time ran out, with 2 on the piles" in page
    page = run("view", SITE / "moves_after_end.json").out
    assert "The game is over after move 63 by the rules of today" in page
    assert page.count("over by the rules of today: stuck") > 0
    page = run("view", "--review", SITE / "strike4.json").out
    assert "over by the rules of today: bombed" in page


def test_a_partial_deck_is_taken_as_far_as_it_goes(run: Run) -> None:
    missing = "the record lists 18 of 55 cards of the deck: 37 are missing"
    shown = run("show", PARTIAL)
    assert shown.status == 0
    assert missing in words(shown.out)
    assert "turn 7 " in shown.out
    found = answered(run, "review", PARTIAL, "--json")
    assert (found["score"], found["best"], found["unusual"]) == (
        2,
        {"lower": 2, "upper": 30},
        [missing],
    )
    assert found["moves"][-1]["pace"] is not None
    told = run("solve", PARTIAL).out
    assert "unknown 37 of 55 cards of the deck are missing" in words(told)
    assert "as played 7 moves, 2 of 30 points so far" in words(told)
    assert "a link needs the whole deck" in run("link", PARTIAL).err
    assert "37 cards of the deck missing" in run("difficulty", PARTIAL).err
    assert "37 cards to draw: chances are exact for at most 15" in run("chances", PARTIAL).err
