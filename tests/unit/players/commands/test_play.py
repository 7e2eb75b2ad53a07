"""One game of a simulation, played again to be seen."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from hanabi.players import outcomes, parse_player
from hanabi.players.arena import outcome_of, play_deal
from hanabi.players.registry import PLAYERS
from hanabi.rules import Rules
from hanabi.rules.notation import GameRecord, parse_input, parse_link
from hanabi.rules.replay import replay as replayed

from ...conftest import Run

BOT = "docs/my_bot.py:MyPlayer"
LESS = {
    "monte-carlo": ":playouts=5",
    "rollouts": ":playouts=50",
    "uct": ":playouts=50",
    "open-hands": ":samples=4",
}
SEEING = {"cheating", "open-hands:samples=4"}
TEAMS = [
    *([name + LESS.get(name, "")] * 2 for name in PLAYERS),
    ["endgame:budget=20/information"] * 4,
    ["random", "rule-based", "first-legal"],
    ["rule-based", "random", "endgame/rule-based"],
    [BOT, "random"],
]


@pytest.mark.parametrize("names", TEAMS, ids="-".join)
def test_it_is_the_game_of_the_simulation(names: list[str]) -> None:
    team = [parse_player(name) for name in names]
    rules = replace(Rules.hanab_live(len(team)), open_hands=not SEEING.isdisjoint(names))
    for repeat, deals in ((0, range(3)), (2, range(3, 5))):
        expected = outcomes(team, rules, len(deals), seed=7, first=deals.start, repeat=repeat)
        ends = [play_deal(team, rules, deal, seed=7, repeat=repeat) for deal in deals]
        assert [outcome_of(end) for end in ends] == expected
        assert [end.deck for end in ends] == [rules.spec.shuffle(7, deal) for deal in deals]


def test_the_command_shows_the_deal_of_simulate(run: Run) -> None:
    played = json.loads(run("simulate", BOT, "-n", 6, "--seed", 4, "--worst", 6, "--json").out)
    for each in played["worst"]:
        words = ["play", BOT, "--seed", 4, "--deal", each["deal"]]
        assert run(*words, "--link").out.strip() == each["link"]
        assert json.loads(run(*words, "--json").out)["score"] == each["score"]


def test_a_link(run: Run) -> None:
    words = ["play", "rule-based", "--players", 4, "--seed", 3, "--deal", 11]
    outcome = run(*words, "--link")
    assert (outcome.status, outcome.err, outcome.out.count("\n")) == (0, "", 1)
    end = play_deal([parse_player("rule-based")] * 4, Rules.hanab_live(4), 11, seed=3)
    assert replayed(parse_link(outcome.out.strip()))[-1] == end
    shown = run(*words).out
    assert shown.startswith("rule-based; 4 players, hanab_live rules, seed 3, deal 11\n")
    assert f"the end     {end.score} of 25 points" in shown
    assert shown.splitlines()[-1] == outcome.out.strip()


def test_every_position(run: Run) -> None:
    words = ["play", "random", BOT, "--seed", 3, "--deal", 1, "--repeat", 2, "--show"]
    lines = run(*words).out.splitlines()
    title = f"random, {BOT}; 2 players, hanab_live rules, seed 3, deal 1, repeat 2"
    assert " ".join(lines[:2]) == title
    team = [parse_player("random"), parse_player(BOT)]
    end = play_deal(team, Rules.hanab_live(2), 1, seed=3, repeat=2)
    turns = [line.split()[1] for line in lines if line.startswith("turn ")]
    assert turns == [str(number) for number in range(1, end.turn + 1)]
    assert "the deal" in lines


def test_json_is_a_game_for_the_other_commands(run: Run, tmp_path: Path) -> None:
    out = run("play", "rule-based", "--seed", 5, "--json").out
    end = play_deal([parse_player("rule-based")] * 3, Rules.hanab_live(3), 0, seed=5)
    data = json.loads(out)
    assert (data["score"], data["ended"]) == (end.score, end.end_reason.name.lower())
    assert replayed(parse_link(data["link"]))[-1] == end
    assert data["simulation"] == {
        "players": ["rule-based"], "rules": "hanab_live", "seed": 5, "deal": 0, "repeat": 0,
    }  # fmt: skip
    record = parse_input(out)
    assert isinstance(record, GameRecord)
    assert replayed(record)[-1] == end
    file = tmp_path / "game.json"
    file.write_text(out, encoding="utf-8")
    assert f"the end     {end.score} of 25 points" in run("show", file).out


def test_a_game_that_the_site_does_not_have(run: Run) -> None:
    rules = '{"preset": "official", "hand_size": 2}'
    words = ["play", "rule-based", "--seed", 5, "--rules", rules]
    data = json.loads(run(*words, "--json").out)
    assert data["link"] is None
    assert len(data["deck"].split()) == 50
    assert {"type", "target", "value"} == data["actions"][0].keys()
    assert "no link     a link has no place for hands of 2 cards" in run(*words).out
    outcome = run(*words, "--link")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err == "hanabi: error: a link has no place for hands of 2 cards\n"


def test_a_random_seed_is_told(run: Run) -> None:
    title = run("play", "random").out.splitlines()[0]
    seed = title.split("seed ")[1].split(",")[0]
    link = run("play", "random", "--seed", seed, "--link").out.strip()
    assert replayed(parse_link(link))[-1].deck == Rules.hanab_live(3).spec.shuffle(int(seed))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "name a player"),
        (["nobody"], "no player 'nobody'"),
        (["random", "--show", "--link"], "give one of --show, --link and --json"),
        (["random", "--deal", "1.5"], "'1.5' is not an integer >= 0"),
        (["random", "random", "--players", 3], "2 players for 3 seats"),
        (["random", "--rules", "x"], "'x' is not a rule set"),
    ],
)
def test_bad_options(run: Run, words: list[object], message: str) -> None:
    outcome = run("play", *words)
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


def test_an_error_of_a_player_is_one_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "class Fails:\n    def act(self, view, rng):\n        return [][view.turn]\n"
    (tmp_path / "fails.py").write_text(source, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    fault = "turn 1, seat 0: fails.py:3: IndexError: list index out of range"
    for name in ("./fails.py:Fails", "endgame/fails.py:Fails", "fails:Fails"):
        for words in (["play", name], ["simulate", name, "-n", 5]):
            outcome = run(*words, "--seed", 2)
            assert (outcome.status, outcome.out) == (2, "")
            assert outcome.err == f"hanabi: error: seed 2, deal 0: {fault}\n"
    outcome = run("tournament", "random", "fails.py:Fails", "--seed", 2, "--store", "x.db", "-n", 9)
    assert outcome.status == 2
    kept, error = outcome.err.splitlines()
    assert kept == "hanabi: 9 of 36 games are stored in x.db"
    assert fault in error


def test_the_players_are_listed(run: Run) -> None:
    out = run("players").out
    listed = json.loads(run("players", "--json").out)
    assert [each["name"] for each in listed] == [*PLAYERS, "endgame/PLAYER", "belief/PLAYER"]
    for each in listed:
        assert each["about"].endswith(".")
        assert each["name"] in out.splitlines()
        name, _, inner = each["name"].partition("/")
        inner = inner and "/convention"
        parts = [
            f"{key}={('no', 'yes')[value] if isinstance(value, bool) else value}"
            for key, value in each["parameters"].items()
        ]
        assert ", ".join(parts) in " ".join(out.split())
        assert parse_player(f"{name}:{','.join(parts)}{inner}") == parse_player(name + inner)


@pytest.mark.parametrize("command", ["simulate", "tournament", "play"])
def test_help_says_where_players_are_listed(run: Run, command: str) -> None:
    told = " ".join(run(command, "--help").out.replace("\u2502", "").split())
    assert f"hanabi {command} [OPTIONS] PLAYER..." in told
    assert '"hanabi players" lists them' in told
    assert "--players --seats" in told


def test_it_shows_why(run: Run) -> None:
    """Below each move of a player that says why, in the names of the table."""
    shown = run("play", "information", "first-legal", "--seed", 1, "--show").out
    lines = shown.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("turn 2 "))
    assert re.fullmatch(r" {9}the first of \d+ legal actions", lines[at + 1])
    assert re.search(r"^ {9}message \d+ of \d+: Bob plays card", shown, re.MULTILINE)
    assert "seat" not in shown
    assert "slot" not in shown
