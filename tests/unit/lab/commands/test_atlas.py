"""`hanabi atlas`: shares of lost deals, equal to what is solved one by one."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from hanabi.front.app import main
from hanabi.rules import Rules
from hanabi.rules.seeds import parse_seed
from hanabi.rules.variants import find_variant
from hanabi.solvers.winnable import solve


def test_lost_seeds_are_those_that_cannot_be_won(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lost, store = tmp_path / "lost.csv", tmp_path / "decks.store"
    words = ["atlas", "Black (5 Suits)", "-n", "40", "--players", "2", "--json", "-j", "1"]
    words += ["--lost", str(lost), "--store", str(store)]
    assert main(words) == 0
    [row] = json.loads(capsys.readouterr().out)
    seeds = [line["seed"] for line in csv.DictReader(lost.read_text().splitlines())]
    rules = Rules.hanab_live(2, variant="Black (5 Suits)")
    expected = [
        f"p2v21s{number}"
        for number in range(1, 41)
        if not solve(parse_seed(f"p2v21s{number}").deck, rules).is_winnable
    ]
    assert seeds == expected
    assert (row["lost"], row["open"], row["decks"]) == (len(expected), 0, 40)
    assert main(words) == 0  # from the store
    assert json.loads(capsys.readouterr().out) == [row]


def test_deals_left_open_are_tried_again_with_more_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["atlas", "Black (5 Suits)", "-n", "20", "--players", "2", "--json", "-j", "1"]
    assert main(words) == 0
    expected = capsys.readouterr().out
    hurried = [*words, "--time", "0.000001", "--store", str(tmp_path / "decks.store")]
    assert main(hurried) == 0
    [row] = json.loads(capsys.readouterr().out)
    assert row["open"] > 0
    monkeypatch.setattr("hanabi.lab.commands.atlas._PATIENCE", 10**8)
    assert main(hurried) == 0
    assert capsys.readouterr().out == expected


def test_deals_are_solved_under_other_rules(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["atlas", "3 Suits", "Rainbow (3 Suits)", "-n", "12", "--players", "2", "-j", "1"]
    words += ["--json", "--store", str(tmp_path / "decks.store")]
    assert main(words) == 0
    usual = json.loads(capsys.readouterr().out)
    rules = '{"hand_size": 2, "hints": 1}'
    assert main([*words, "--rules", rules]) == 0
    rows = json.loads(capsys.readouterr().out)
    for row in rows:
        table = replace(Rules.hanab_live(2, variant=row["variant"]), hand_size=2, hints=1)
        seeds = [parse_seed(f"p2v{find_variant(row['variant']).id}s{n}") for n in range(1, 13)]
        assert row["lost"] == sum(not solve(each.deck, table).is_winnable for each in seeds)
        assert row["rules"] == rules
    assert sum(row["lost"] for row in rows) > sum(row["lost"] for row in usual)
    assert all("rules" not in row for row in usual)
    assert main([*words, "--rules", "hanab_live"]) == 0  # the same deals, from the store
    assert json.loads(capsys.readouterr().out) == usual


def test_the_table_has_a_line_for_each_number_of_players(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["atlas", "3 Suits", "-n", "5", "--players", "2", "3", "-j", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.lstrip().startswith("3 Suits") for line in lines) == 2
    assert max(map(len, lines)) <= 80


def test_the_picture_has_the_shares_of_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["atlas", "Black (5 Suits)", "3 Suits", "-n", "20", "--players", "2", "3", "-j", "1"]
    path = tmp_path / "atlas.svg"
    assert main([*words, "--plot", str(path), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    picture = path.read_text(encoding="utf-8")
    for row in rows:
        assert f"{100 * row['share_lost']:.1f}" in picture
        assert row["variant"] in picture


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["No Such"], "is not a variant"),
        (["3 Suits", "-n", "0"], "--decks 0"),
        (["3 Suits", "--rules", "mine"], "'mine' is not a rule set"),
        (["3 Suits", "--rules", '{"copies": [[30]]}'], "rules: the cards are those of 3 Suits"),
        (["3 Suits", "--rules", '{"variant": "4 Suits"}'], "rules: the cards are those of 3 Suits"),
        (["Rainbow (3 Suits)", "--rules", "hle"], "rules: a variant goes with hanab_live, not hle"),
        (["3 Suits", "--players", "7"], "seats = 7"),
        (["3 Suits", "-n", "1", "--time", "0"], "seconds = 0"),
        (["3 Suits", "-n", "1", "--plot", "atlas.txt"], "atlas.txt"),
    ],
)
def test_bad_input_is_one_line(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["atlas", *words]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
