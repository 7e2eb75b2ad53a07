"""Late positions as data: the values of `hanabi chances`, and what the environment shows."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hanabi.env import Expert, VectorEnv
from hanabi.env.expert import write_shards
from hanabi.env.values import Valued, Values, read_values
from hanabi.lab.recorded import Recorded
from hanabi.rules import Action, Kind, Rules

from ..conftest import Run

RULES = Rules.hle(2)


@pytest.fixture(scope="module")
def games() -> list[dict[str, Any]]:
    work = Recorded(("information",), RULES, seed=1)
    return [*work.documents(work.run(0, 3))]


def whole(folder: Path) -> Valued:
    return Valued(*map(np.concatenate, zip(*read_values(folder), strict=True)))


def values_of(run: Run, game: str, *options: str) -> tuple[int, dict[int, Any]]:
    """Return the cases, and the values of each action's number, as the command prints them."""
    found = json.loads(run("chances", game, "--json", "--time", 0, *options).out)
    numbers = {}
    for each in found["actions"]:
        action = Action(Kind(each["type"]), each["target"], each["value"])
        number = VectorEnv(1).layout.number(action, found["seat"])
        numbers[number] = [
            [float(Fraction(each[what][end])) for end in ("low", "high")]
            for what in ("perfect", "points")
        ]
    return found["cases"], numbers


def test_values_are_those_of_chances_beside_what_the_environment_shows(
    run: Run, tmp_path: Path, games: list[dict[str, Any]]
) -> None:
    words = ["--left", 1, "--shard", 2, "-j", 1, "-o", tmp_path / "a"]
    done = run("env", "values", "information", "-n", 3, "--seed", 1, *words)
    assert done.status == 0, done.err
    assert "hands open  100.0 % of positions, 100.0 % of actions exact" in done.out
    rows = whole(tmp_path / "a")
    course = Expert("information", RULES, seed=1).play(1, first=int(rows.deals[0]))
    assert f"positions   {len(rows.left)}, with {rows.masks.sum()} legal actions" in done.out
    assert set(rows.left.tolist()) == {0, 1}
    for row in np.flatnonzero(rows.deals == rows.deals[0]):
        game = games[rows.deals[row]]
        path = tmp_path / "game.json"
        path.write_text(json.dumps(game))
        for side, options in (("open", ()), ("seat", ("--seat",))):
            cases, numbers = values_of(run, f"{path}@{rows.turns[row]}", *options)
            assert getattr(rows, f"{side}_cases")[row] == cases
            both = [getattr(rows, f"{side}_{what}")[row] for what in ("perfect", "points")]
            for number, ends in enumerate(np.stack(both, axis=1).tolist()):
                assert rows.masks[row, number] == (number in numbers)
                assert ends == numbers.get(number, ends)
                assert np.isnan(ends).all() == (number not in numbers)
        env = VectorEnv(1)
        step = env.reset(decks=[[(card["suitIndex"], card["rank"]) for card in game["deck"]]])
        for action in course.actions[: rows.turns[row]]:
            step = env.step([action])
        seen = np.unpackbits(rows.observations[row], count=env.layout.size, bitorder="little")
        assert (seen == step.observations[0]).all()
        assert (rows.masks[row] == step.masks[0]).all()
        assert rows.actions[row] == course.actions[rows.turns[row]]
        assert (rows.cards[row] == course.cards[rows.turns[row]]).all()


@pytest.mark.parametrize("form", ["npz", "parquet"])
def test_recorded_games_give_the_same_rows(
    run: Run, tmp_path: Path, games: list[dict[str, Any]], form: str
) -> None:
    if form == "parquet":
        pytest.importorskip("pyarrow")
    (tmp_path / "games.jsonl").write_text("".join(json.dumps(game) + "\n" for game in games))
    given = ["--from", tmp_path / "games.jsonl", "--posteriors"]
    words = ["--left", 1, "--shard", 1, "-j", 1, "--format", form, "-o", tmp_path / "a"]
    done = run("env", "values", *given, *words)
    assert done.status == 0, done.err
    assert "3, of which 3 were judged now" in done.out
    assert "3, of which 0 were judged now" in run("env", "values", *given, *words).out
    expert = Expert("information", RULES, seed=1, packed=True, posteriors=True)
    again = Values(expert, left=1).play(3)
    for name, read in whole(tmp_path / "a")._asdict().items():
        played = getattr(again, name)
        assert read.dtype == played.dtype
        assert np.array_equal(read, played, equal_nan=read.dtype == np.float64)
    values = Values(Expert("random", RULES, seed=1), left=0)
    write_shards(values, tmp_path / "b", 1, form=form, workers=1)  # without a late position
    none = whole(tmp_path / "b")
    assert [each.shape for each in none] == [each.shape for each in values.play(1)]
    assert none.masks.shape == (0, 20)
    assert "holds other games" in run("env", "expert", "random", "-o", tmp_path / "a").err


def test_games_that_do_not_go_together_are_named(
    run: Run, tmp_path: Path, games: list[dict[str, Any]]
) -> None:
    lines = [json.dumps(each) for each in (games[0], games[0] | {"rules": "hanab_live"})]
    (tmp_path / "games.jsonl").write_text("\n".join(lines))
    refused = run("env", "values", "--from", tmp_path / "games.jsonl", "-o", tmp_path / "a")
    assert refused.status == 2
    assert refused.err.rstrip().endswith("it has other rules than the games before")
