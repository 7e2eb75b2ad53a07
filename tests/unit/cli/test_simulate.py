from __future__ import annotations

import json
import time

import pytest

from hanabi.game import Rules
from hanabi.players import RuleBased, simulate

from .conftest import Run


def test_json(run: Run) -> None:
    outcome = run(
        "simulate", "rule-based:play=0.7", "-n", 300, "--seats", 3, "--seed", 4,
        "--rules", "bergh2016", "--json",
    )  # fmt: skip
    assert outcome.status == 0
    data = json.loads(outcome.out)
    rules = Rules.bergh2016(3)
    tally = simulate(RuleBased(play=0.7), rules, 300, seed=4)
    scores = tally.scored(rules)
    assert data.pop("games_per_second") > 0
    assert data == {
        "games": 300,
        "mean": scores.mean,
        "standard_error": scores.standard_error,
        "perfect": scores.perfect,
        "bombed": tally.n_bombed,
        "histogram": list(scores.histogram),
        "seed": 4,
    }


def test_the_split_does_not_matter(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("simulate", "random", "-n", 100, "--seed", 1, "--json")
    plain = json.loads(run(*words).out)
    ticks = iter(range(10_000))
    monkeypatch.setattr(time, "perf_counter", lambda: next(ticks))  # one game a part
    split = json.loads(run(*words).out)
    assert plain["histogram"] == split["histogram"]
    assert next(ticks) > 200


def test_text_tells_the_seed(run: Run) -> None:
    out = run("simulate", "first-legal", "-n", 5).out
    title = out.splitlines()[0]
    assert title.startswith("first-legal, 3 seats, hanab_live rules, seed ")
    again = run("simulate", "first-legal", "-n", 5, "--seed", title.split()[-1]).out
    histogram = out.index("score  games")
    assert out[histogram:] == again[again.index("score  games") :]
    assert "bombed      5 of 5 games, 100.00%" in out


def test_a_single_game_has_no_error(run: Run) -> None:
    out = run("simulate", "random", "-n", 1, "--seed", 1, "--json").out
    assert json.loads(out)["standard_error"] is None
    assert "+-" not in run("simulate", "random", "-n", 1).out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nobody"], "no player 'nobody'"),
        (["random", "-n", 0], "-n: at least one game"),
        (["random", "--rules", "x"], "rules: 'x' is not a rule set; there are official"),
        (["random", "--seats", 9], "seats = 9 is not 2 to 6"),
        (["random", "-n", "1.5"], "'1.5' is not an integer"),
    ],
)
def test_bad_options(run: Run, words: list[object], message: str) -> None:
    outcome = run("simulate", *words)
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
