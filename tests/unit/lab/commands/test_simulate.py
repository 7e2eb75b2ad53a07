from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from hanabi.lab import Store
from hanabi.players import FirstLegal, Player, RandomLegal, RuleBased, outcomes, simulate
from hanabi.reviews import review_game
from hanabi.rules import Rules
from hanabi.rules.deck import DeckSpec
from hanabi.rules.notation import parse_link
from hanabi.rules.replay import replay

from ...conftest import Run


def test_json(run: Run) -> None:
    outcome = run(
        "simulate", "rule-based:play=0.7", "-n", 300, "--players", 3, "--seed", 4,
        "--rules", "bergh2016", "--json",
    )  # fmt: skip
    assert outcome.status == 0
    data = json.loads(outcome.out)
    tally = simulate(RuleBased(play=0.7), Rules.bergh2016(3), 300, seed=4)
    assert data.pop("games_per_second") > 0
    low, high = data.pop("confidence_interval")
    assert low < data["mean"] < high
    for name, scores in (("kept", tally.kept), ("zeroed", tally.zeroed)):
        scored = data.pop(name)
        assert scored["mean"] == scores.mean
        assert scored["standard_error"] == pytest.approx(scores.standard_error)
        assert scored["histogram"] == list(scores.histogram)
    scores = tally.scored(Rules.bergh2016(3))
    assert data.pop("standard_error") == pytest.approx(scores.standard_error)
    assert data == {
        "games": 300,
        "mean": scores.mean,
        "perfect": scores.perfect,
        "bombed": tally.n_bombed,
        "histogram": list(scores.histogram),
        "deals": 300,
        "players": ["rule-based:play=0.7"],
        "seats": 3,
        "rules": "bergh2016",
        "seed": 4,
    }


@pytest.mark.parametrize("words", [["--workers", 1], ["-j", 2], ["--executor", "serial"]])
def test_who_works_does_not_matter(run: Run, words: list[object]) -> None:
    data = json.loads(run("simulate", "random", "-n", 100, "--seed", 1, "--json", *words).out)
    tally = simulate(RandomLegal(), Rules.hanab_live(3), 100, seed=1)
    assert data["histogram"] == list(tally.zeroed.histogram)
    assert data["kept"]["histogram"] == list(tally.kept.histogram)


def test_a_mixed_team(run: Run) -> None:
    out = run("simulate", "random", "first-legal", "-n", 20, "--seed", 3, "--json").out
    data = json.loads(out)
    team: list[Player] = [RandomLegal(), FirstLegal()]
    tally = simulate(team, Rules.hanab_live(2), 20, seed=3)
    assert (data["seats"], data["kept"]["histogram"]) == (2, list(tally.kept.histogram))


def test_repeats_play_the_same_deals_again(run: Run) -> None:
    out = run("simulate", "random", "-n", 50, "--repeat", 3, "--seed", 1, "--json").out
    data = json.loads(out)
    parts = [simulate(RandomLegal(), Rules.hanab_live(3), 50, seed=1, repeat=r) for r in range(3)]
    assert (data["games"], data["deals"]) == (150, 50)
    assert data["kept"]["histogram"] == list((parts[0] + parts[1] + parts[2]).kept.histogram)


def test_text_tells_the_seed(run: Run) -> None:
    out = run("simulate", "first-legal", "-n", 5).out
    title = out.splitlines()[0]
    assert title.startswith("first-legal; 3 players, hanab_live rules, seed ")
    again = run("simulate", "first-legal", "-n", 5, "--seed", title.split()[-1]).out
    histogram = out.index("score  games")
    assert out[histogram:] == again[again.index("score  games") :]
    assert "bombed      5 of 5 games, 100%" in out
    assert "if a bombed game keeps its points, 0.000 if not" in out
    assert max(map(len, out.splitlines())) <= 80


def test_rules_as_json(run: Run) -> None:
    rules = '{"preset": "hanab_live", "bombed_scores_zero": false}'
    data = json.loads(
        run("simulate", "first-legal", "-n", 9, "--seed", 2, "--rules", rules, "--json").out
    )
    assert data["mean"] == data["kept"]["mean"] > data["zeroed"]["mean"]


def test_rules_with_their_own_numbers_of_cards(run: Run) -> None:
    rules = '{"copies": [[3, 2], [2, 1]], "hand_size": 2}'
    words = ("simulate", "first-legal", "-n", 9, "--seed", 2, "--players", 2, "--json")
    data = json.loads(run(*words, "--rules", rules).out)
    table = replace(Rules.hanab_live(2), spec=DeckSpec(((3, 2), (2, 1))), hand_size=2)
    assert data["mean"] == simulate(FirstLegal(), table, 9, seed=2).scored(table).mean
    told = run(*words, "--rules", '{"copies": [[1000000000]]}')
    assert told.status == 2
    assert "rules.copies: a deck of 1,000,000,000 cards; the most are 10,000" in told.err


def test_a_store_is_not_played_again(run: Run, tmp_path: Path) -> None:
    words = ("simulate", "random", "--seed", 1, "--store", tmp_path / "runs.db", "--json")
    first = json.loads(run(*words, "-n", 100).out)
    again = json.loads(run(*words, "-n", 100).out)
    assert (first["histogram"], first["mean"]) == (again["histogram"], again["mean"])
    assert first["games_per_second"] > 0
    assert again["games_per_second"] is None
    more = json.loads(run(*words, "-n", 150).out)
    assert more["games"] == 150
    with Store(tmp_path / "runs.db") as store:
        (work,) = store.works()
        assert store.ranges(work.key) == [(0, 150)]


def test_an_interrupt_says_how_to_go_on(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(plan: object, store: Store, **_: object) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("hanabi.lab.run", interrupted)
    outcome = run("simulate", "random", "-n", 7, "--seed", 3, "--store", tmp_path / "a b.db")
    assert outcome.status == 130
    kept, command, end = outcome.err.splitlines()
    assert kept == f"hanabi: 0 of 7 games are stored in {tmp_path}/a b.db; to go on:"
    words = "hanabi simulate random --games 7 --seed 3"
    assert command == f"hanabi: {words} --store '{tmp_path}/a b.db'"
    assert end == "hanabi: interrupted"
    outcome = run("simulate", "random", "-n", 7)
    assert outcome.err.splitlines()[0].endswith("with --store FILE finished games are")


def test_a_single_game_has_no_error(run: Run) -> None:
    data = json.loads(run("simulate", "random", "-n", 1, "--seed", 1, "--json").out)
    assert data["standard_error"] is None
    assert data["confidence_interval"] is None
    assert "+-" not in run("simulate", "random", "-n", 1).out


def test_seats_is_another_word_for_players(run: Run) -> None:
    outs = [
        json.loads(run("simulate", "random", "-n", 9, "--seed", 1, word, 4, "--json").out)
        for word in ("--players", "--seats")
    ]
    assert outs[0]["seats"] == 4
    assert outs[0]["histogram"] == outs[1]["histogram"]


@pytest.mark.parametrize("repeat", [1, 3])
def test_the_worst_deals(run: Run, tmp_path: Path, repeat: int) -> None:
    words = ["simulate", "rule-based", "-n", 40, "--seed", 6, "--repeat", repeat, "--worst", 5]
    data = json.loads(run(*words, "--json").out)
    rules = Rules.hanab_live(3)
    played = sorted(
        (0 if outcome & 1 else outcome >> 1, outcome >> 1, deal, number)
        for number in range(repeat)
        for deal, outcome in enumerate(
            outcomes([RuleBased()] * 3, rules, 40, seed=6, repeat=number)
        )
    )
    worst = data["worst"]
    assert [(each["score"], each["deal"], each["repeat"]) for each in worst] == [
        (score, deal, number) for score, _, deal, number in played[:5]
    ]
    for each in worst:
        game = replay(parse_link(each["link"]))[-1]
        assert (game.score, game.deck) == (each["score"], rules.spec.shuffle(6, each["deal"]))
    page = tmp_path / "worst.html"
    run(*words, "-o", page)
    text = page.read_text(encoding="utf-8")
    assert len(text) < 3_000_000
    rows = dict(
        re.findall(r'<th scope="row"><a href="[^"]*">([^<]*)</a>(.*?)</tr>', text, re.DOTALL)
    )
    for each in worst:
        again = f", repeat {each['repeat']}" if each["repeat"] else ""
        row = rows.pop(f"Deal {each['deal']}{again}")
        found = review_game(replay(parse_link(each["link"]))[-1], seconds=60)
        assert f">{each['score']}/25 <" in row
        assert f'"Possible">{found.prospects[0].lower}<' in row
        assert f'"Lost">{sum(cost for _, cost in found.lost)}<' in row
        assert f'/{found.lost[0][0]}">Turn {found.lost[0][0]}: ' in row
    assert (rows, text.count("<template data-game=")) == ({}, 5)
    table = run(*words).out.splitlines()[-8:]
    assert table[0].split()[:2] == ["score", "deal"]
    assert [line.split()[-1] for line in table[1:6]] == [each["link"] for each in worst]
    command = table[-1].removeprefix("to see the first: hanabi ").split()
    assert f"the end     {worst[0]['score']} of 25 points" in run(*command).out


def test_a_game_that_goes_otherwise_again_is_told(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = """
games = 0
class Moody:
    def act(self, view, rng):
        global games
        games += view.turn == 0
        return view.legal_actions[0 if games < 3 else -1]
"""
    (tmp_path / "moody.py").write_text(source, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    outcome = run("simulate", "moody.py:Moody", "-n", 1, "--seed", 1, "-j", 1, "--worst", 1)
    assert outcome.status == 0
    assert "ended otherwise when it was played again: some player's decisions" in outcome.err


def test_the_page_of_the_worst_says_what_is_not_decided(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "worst.html"
    words = ["simulate", "smart", "-n", 5, "--seed", 1, "--worst", 2, "-o", page, "--time", 1e-6]
    outcome = run(*words)
    assert "note: in 2 games not all is decided; only losses that are certain" in outcome.err
    text = page.read_text(encoding="utf-8")
    assert text.count("Not decided: the time or the memory was used up") == 2
    assert "In 2 games not all is decided" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["random", "--worst", 2, "--time", 3], "--time is for the reviews of a page"),
        (["random", "--worst", 301, "-o", "a.html"], "a page is for --worst 1 to 300 games"),
        (["random", "--worst", 5_000], "--worst 5000: at most 1,000 games are replayed"),
        ([], "name a player"),
        (["nobody"], "no player 'nobody'"),
        (["random", "random", "--players", 3], "2 players for 3 seats"),
        (["random", "-n", 0], "-n: at least one game"),
        (["random", "--repeat", 0], "--repeat: at least once"),
        (["random", "--workers", 0], "workers = 0 is less than 1"),
        (["random", "-j", 10_000], "workers = 10000 is more than"),
        (["random", "-n", 10**18], "1,000,000,000,000,000,000 games in all; at most 100,000,000"),
        (["random", "-n", 1, "--repeat", 10**12], "repeats of 1 team; at most 100,000 in all"),
        (["random", "-n", 2_000, "--repeat", 100_000], "200,000,000 games in all"),
        (["random", "--executor", "magic"], "executor 'magic'"),
        (["random", "--rules", "x"], "rules: 'x' is not a rule set; there are official"),
        (["random", "--rules", "{"], "the JSON ends too early"),
        (["random", "--rules", '{"hnts": 3}'], "hnts"),
        (["random", "--seats", 9], "seats = 9 is not 2 to 6"),
        (["random", "-n", "1.5"], "'1.5' is not an integer"),
        (["random", "--store", "README.md"], "README.md"),
        (["random", "--store", ":memory:"], "':memory:': nothing would be kept"),
        (["random", "--store", "no/such/folder.db"], "no/such/folder.db"),
    ],
)
def test_bad_options(run: Run, words: list[object], message: str) -> None:
    outcome = run("simulate", *words)
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


def test_where_the_time_of_a_player_in_python_goes(run: Run) -> None:
    words = ["simulate", "docs/my_bot.py:MyPlayer", "-n", 3, "--seed", 1]
    outcome = run(*words, "--profile")
    assert outcome.status == 0
    plain = run(*words, "-j", 1).out
    _, _, table = outcome.out.partition("where the time goes")
    calls = {line.split("  ")[0]: line.split()[-1] for line in table.splitlines()[1:]}
    [acts] = [n for place, n in calls.items() if re.fullmatch(r"my_bot.py:\d+ act", place)]
    assert int(acts.replace(",", "")) > 50
    assert max(map(len, table.splitlines())) <= 80
    without_speed = [line for line in plain.splitlines() if not line.startswith("speed")]
    assert set(without_speed) <= set(outcome.out.splitlines())
    for other in (["-j", 2], ["--executor", "processes"]):
        refused = run(*words, "--profile", *other)
        assert refused.status == 2
        assert "--profile measures this process" in refused.err


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    source = """
import os, sys
def fail(depth):
    return fail(depth - 1) if depth else 1 // 0
class Deep:
    def act(self, view, rng):
        return fail(3)
class Ending:
    def act(self, view, rng):
        os._exit(0)
class Telling:
    def act(self, view, rng):
        for _ in range(200):
            print("thinking" * 40)
        return view.legal_actions[0]
class Noting:
    def act(self, view, rng):
        with open("seen.txt", "a") as file:
            print(view.turn, file=file)
        return view.legal_actions[0]
class Remembering:
    turns = 0
    def act(self, view, rng):
        self.turns += 1
        return view.legal_actions[-1 if self.turns % 5 else 0]
"""
    (tmp_path / "bots.py").write_text(source, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("hanabi.players.own._played", {})  # as in a new process
    return tmp_path


@pytest.mark.parametrize("command", ["simulate", "tournament", "play"])
def test_all_frames_of_an_error_are_shown_if_asked_for(
    run: Run, bots: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    words: list[object] = {
        "simulate": ["bots.py:Deep", "-n", 3, "-j", 1],
        "tournament": ["bots.py:Deep", "random", "-n", 1, "-j", 1],
        "play": ["bots.py:Deep"],
    }[command]  # type: ignore[assignment]
    for variable in ("", "1"):
        monkeypatch.setenv("HANABI_TRACEBACK", variable)
        outcome = run(command, *words)
        *frames, told = outcome.err.splitlines()
        assert outcome.status == 2
        assert told.startswith("hanabi: error: ")
        assert told.endswith("bots.py:4: ZeroDivisionError: integer division or modulo by zero")
        if variable:
            assert sum('bots.py", line' in line for line in frames) >= 2
            assert any("in act" in line for line in frames)
        else:
            assert not frames


@pytest.mark.parametrize("name", ["Ending", "Remembering"])
def test_no_run_ends_or_goes_wrong_without_a_word(run: Run, bots: Path, name: str) -> None:
    for words in (
        ["simulate", f"bots.py:{name}", "-n", 3],
        ["tournament", f"bots.py:{name}", "random", "-n", 1],
        ["play", f"bots.py:{name}"],
    ):
        outcome = run(*words, "--seed", 1)
        assert outcome.status == 2
        assert outcome.out == ""
        [told] = outcome.err.splitlines()
        assert told.startswith("hanabi: error: seed 1, deal 0: turn ")


@pytest.mark.parametrize("options", [(), ("--profile",)])
def test_no_game_is_played_twice_but_to_ask_again(
    run: Run, bots: Path, options: tuple[str, ...]
) -> None:
    """The first game is played once, and a fresh player asked for it from its end on."""
    assert run("simulate", "bots.py:Noting", "-n", 1, "--seed", 1, *options).status == 0
    seen = list(map(int, (bots / "seen.txt").read_text().split()))
    assert seen == [*range(len(seen) // 2), *reversed(range(len(seen) // 2))]


def test_whoever_reads_no_further_is_no_error_of_a_player(bots: Path) -> None:
    assert _read_one_line(["play", "bots.py:Telling", "--seed", "1"]) == (141, b"")


def _read_one_line(words: list[str]) -> tuple[int, bytes]:
    """Return how a command ends, and what it complains of, that nobody reads further."""
    command = [sys.executable, "-m", "hanabi", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        assert child.stdout.readline()
        child.stdout.close()
        return child.wait(60), child.stderr.read()
