from __future__ import annotations

import csv
import errno
import json
from pathlib import Path

import pytest

from hanabi.players import FirstLegal, Player, RandomLegal, RuleBased, simulate
from hanabi.rules import Rules

from ...conftest import Run

WORDS = ("tournament", "random", "first-legal", "-n", 10, "--seed", 1)


def test_json(run: Run) -> None:
    outcome = run(*WORDS, "--rules", "bergh2016", "--json")
    assert outcome.status == 0
    data = json.loads(outcome.out)
    rules = Rules.bergh2016(2)
    assert (data["seats"], data["deals"], data["players"]) == (2, 10, ["random", "first-legal"])
    alone = simulate(RandomLegal(), rules, 10, seed=1)
    first: tuple[Player, ...] = (RandomLegal(), FirstLegal())
    mixed = [simulate(team, rules, 10, seed=1) for team in (first, first[::-1])]
    team = {(each["stranger"], each["team"]): each for each in data["teams"]}
    assert team[0, 0]["kept"] == alone.kept.mean
    assert team[0, 0]["games"] == 10
    both = team[0, 1]
    assert both["games"] == 20
    assert both["kept"] == pytest.approx((mixed[0].kept.mean + mixed[1].kept.mean) / 2)
    assert both["bombed"] == mixed[0].n_bombed + mixed[1].n_bombed
    assert "change" not in team[1, 1]
    (pair,) = data["differences"]
    assert pair["better"] + pair["equal"] + pair["worse"] == 10


def test_text_and_files(run: Run, tmp_path: Path) -> None:
    picture, data = tmp_path / "t.png", tmp_path / "t.csv"
    outcome = run(*WORDS, "--players", 3, "--plot", picture, "--csv", data)
    lines = outcome.out.splitlines()
    assert lines[0] == "3 players, hanab_live rules, 10 deals, seed 1"
    assert max(map(len, lines)) <= 80
    assert "1 - 2 alone" in outcome.out
    assert sum("joins" in line for line in lines) == 2
    assert picture.read_bytes().startswith(b"\x89PNG")
    rows = list(csv.DictReader(data.read_text().splitlines()))
    assert [(row["stranger"], row["team"], row["games"]) for row in rows] == [
        ("random", "random", "10"),
        ("random", "first-legal", "30"),
        ("first-legal", "random", "30"),
        ("first-legal", "first-legal", "10"),
    ]


@pytest.mark.parametrize(
    ("rules", "other", "key"),
    [
        ("hanab_live", "keeps its points", "kept"),
        ('{"preset": "hle", "bombed_scores_zero": false}', "scores 0", "zeroed"),
    ],
)
def test_bombs_are_counted_both_ways(run: Run, rules: str, other: str, key: str) -> None:
    words = (*WORDS, "--rules", rules)
    lines = run(*words).out.splitlines()
    data = json.loads(run(*words, "--json").out)
    assert any(team["bombed"] for team in data["teams"])
    at = lines.index(f"mean score if a bombed game {other}; then its standard error")
    cells = [f"{team[key]:.2f} {team[f'{key}_error']:.2f}" for team in data["teams"]]
    assert [" ".join(line.split()) for line in lines[at + 2 : at + 4]] == [
        f"1 {cells[0]} {cells[1]}",
        f"2 {cells[2]} {cells[3]}",
    ]
    quiet = run("tournament", "rule-based", "iggi", "-n", 4, "--seed", 1).out
    assert "bombed" not in quiet


@pytest.mark.parametrize("command", ["simulate", "tournament"])
def test_a_plain_baseline_says_what_to_do_instead(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("class Mine:\n    def act(self, view, rng): ...\n")
    outcome = run(command, "random", "iggi", "-n", 2, "--gain-over", "./mine.py:Mine")
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert "--gain-over: 'mine.py:Mine (" in outcome.err
    assert "such as rule-based or convention" in outcome.err
    assert "on the same deals in a tournament" in outcome.err


def test_the_table_is_printed_though_a_file_cannot_be_written(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "t.csv"
    old.write_text("old")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("hanabi.shell.command.files.write_csv", full)
    outcome = run(*WORDS, "--csv", old)
    assert outcome.status == 2
    assert outcome.err.startswith("hanabi: error: cannot write '/")
    assert outcome.err.endswith(": No space left on device\n")
    assert outcome.err.count("\n") == 1
    assert "mean score: one stranger" in outcome.out
    assert (old.read_text(), [*tmp_path.iterdir()]) == ("old", [old])


OPEN = ("tournament", *WORDS[1:3], "--beside", "rule-based", *WORDS[3:])


def test_an_open_table(run: Run, tmp_path: Path) -> None:
    outcome = run(*OPEN, "--seats", 3, "--rules", "bergh2016")
    assert outcome.status == 0
    lines = outcome.out.splitlines()
    assert lines[0] == "3 players, bergh2016 rules, 10 deals with each seating, seed 1"
    assert lines[2].split() == ["player", "beside", "mean", "score", "median", "bombed"]
    data = json.loads(run(*OPEN, "--seats", 3, "--rules", "bergh2016", "--json").out)
    teams = {(each["player"], each["partners"]): each for each in data["teams"]}
    for line, team in zip(lines[3:], data["teams"], strict=True):
        share = f"{team['bombed'] / team['games']:.0%}"
        numbers = f"{team['mean']:.2f} {team['standard_error']:.2f} {team['median']:g} {share}"
        beside = f"{team['partners']} {team['beside']}" if team["beside"] else "-"
        assert line.split() == f"{team['player']} {beside} {numbers}".split()
    for name in ("random", "first-legal"):
        assert [teams[name, n]["games"] for n in range(3)] == [10, 30, 30]
        assert [teams[name, n]["beside"] for n in range(3)] == [None, "rule-based", "rule-based"]
    rules, partner = Rules.bergh2016(3), RuleBased()
    ours: tuple[Player, ...] = (partner, partner, RandomLegal())
    tallies = [simulate(ours[n:] + ours[:n], rules, 10, seed=1) for n in range(3)]
    mean = sum(tally.zeroed.mean for tally in tallies) / 3
    assert teams["random", 2]["mean_zeroed"] == pytest.approx(mean)
    table = tmp_path / "open.csv"
    assert run(*OPEN, "--seats", 2, "--beside", "iggi", "-o", table).status == 0
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [(row["player"], row["beside"], row["partners"]) for row in rows] == [
        ("random", "", "0"),
        ("random", "rule-based", "1"),
        ("random", "iggi", "1"),
        ("first-legal", "", "0"),
        ("first-legal", "rule-based", "1"),
        ("first-legal", "iggi", "1"),
        ("rule-based", "", "0"),
        ("iggi", "", "0"),
    ]


def test_an_open_table_is_kept_and_its_games_are_written(run: Run, tmp_path: Path) -> None:
    words = (*OPEN[:5], "--seats", 3, "-n", 2, "--seed", 4)
    kept = ("--store", tmp_path / "open.db")
    assert [run(*words, *kept, "--part", f"{n}/2").status for n in (1, 2)] == [0, 0]
    stored = (tmp_path / "open.db").read_bytes()
    assert run(*words, *kept).out == run(*words).out
    assert (tmp_path / "open.db").read_bytes() == stored
    games = tmp_path / "games.jsonl"
    assert run(*words, "--games-out", games).status == 0
    teams = [json.loads(line)["simulation"]["players"] for line in games.read_text().splitlines()]
    joined = [sum(each.startswith("rule-based") for each in team) for team in teams]
    assert [joined.count(n) for n in range(3)] == [2 * 2, 2 * 2 * 3 + 2, 2 * 2 * 3]


def test_a_single_deal_has_no_errors(run: Run) -> None:
    out = run("tournament", "random", "first-legal", "-n", 1, "--seed", 1).out
    assert "standard errors" not in out
    assert "nan" not in out
    out = run("tournament", "random", "first-legal", "-n", 1, "--seed", 1, "--json").out
    assert json.loads(out)["differences"][0]["standard_error"] is None


def test_games_are_kept(run: Run, tmp_path: Path) -> None:
    words = (*WORDS, "--json", "--store", tmp_path / "cup.db")
    first = run(*words).out
    kept = (tmp_path / "cup.db").read_bytes()
    assert run(*words).out == first
    assert (tmp_path / "cup.db").read_bytes() == kept


def test_many_players_fit(run: Run) -> None:
    players = [f"rule-based:play=0.{n},discard={d}" for n in range(3, 9) for d in (1, 2)]
    words = ("-n", 1, "--seed", 1, "--rules", SMALL, "--executor", "serial")
    outcome = run("tournament", *players, *words)
    assert outcome.status == 0
    assert max(map(len, outcome.out.splitlines())) <= 80


SMALL = '{"preset": "bergh2016", "hand_size": 1, "lives": 1, "hints": 0, "final_round": 0}'


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "two players or more"),
        (["random", "random"], "players 1 and 2 are the same"),
        (["random", "nobody"], "no player 'nobody'"),
        (["random", "first-legal", "-n", 0], "-n: at least one game"),
        (["--beside", "random"], "a player or more beside partners"),
        (["random", "--beside", "random"], "players 1 and 2 are the same"),
        (["random", "--beside", "nobody"], "no player 'nobody'"),
        (["random", "--beside", "iggi", "--gauntlet"], "--gauntlet does not go with --beside"),
        (["random", "--beside", "iggi", "--plot", "a.svg"], "--plot does not go with --beside"),
        (["random", "--beside", "iggi", "--until-clear"], "--until-clear does not go with"),
        (["random", "--beside", "iggi", "-n", 10**8], "400,000,000 games in all; at most"),
        (["random", "first-legal", "--seats", 1], "seats = 1 is not"),
        (["random", "first-legal", "--plot", "a.gif"], "'a.gif': a plot's file ends in"),
        (["random", "first-legal", "-n", 10**8], "400,000,000 games in all; at most"),
        (["random", "first-legal", "--csv=-"], "standard output has the table"),
        (["random", "first-legal", "-n", 1, "--csv", "no/such/a.csv"], "no/such/a.csv"),
    ],
)
def test_bad_options(run: Run, words: list[object], message: str) -> None:
    outcome = run("tournament", *words)
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_gauntlet_ends_when_it_is_clear(run: Run, tmp_path: Path) -> None:
    words = ["tournament", "rule-based", "random", "first-legal", "--gauntlet", "--until-clear"]
    words += ["--rules", "bergh2016", "--seed", "1", "-j", "1"]
    outcome = run(*words, "--json", "--store", tmp_path / "games.store")
    found = json.loads(outcome.out)
    assert (found["deals"], found["clear"]) == (100, [[0, 1], [0, 2]])
    assert [(each["a"], each["b"]) for each in found["differences"]] == [(0, 1), (0, 2)]
    assert len(found["teams"]) == 7
    text = run(*words, "--plot", tmp_path / "a.svg", "--csv", tmp_path / "a.csv").out
    assert "100 deals" in text
    assert "all clear" in text
    assert len((tmp_path / "a.csv").read_text().splitlines()) == 8
    assert max(map(len, text.splitlines())) <= 80


def test_what_is_not_clear_is_named(run: Run) -> None:
    words = ["rule-based", "rule-based:hint=2", "-n", "110", "--until-clear", "--seed", "1"]
    text = run("tournament", *words, "--rules", "bergh2016", "-j", "1").out
    assert "110 deals" in text
    assert "not clear: 1 - 2" in text
