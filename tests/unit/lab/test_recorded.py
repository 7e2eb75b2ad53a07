"""Games with their actions, and gains: exact over all deals of a small deck."""

from __future__ import annotations

import json
import math
import pickle
import sys
from dataclasses import dataclass, replace
from itertools import permutations
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from hanabi.front.app import main
from hanabi.ground.errors import InvalidInputError, PlayerError, StoreError
from hanabi.ground.rng import Stream
from hanabi.lab import Job, Store, key_of, open_executor, run
from hanabi.lab import outcomes as read_outcomes
from hanabi.lab.recorded import (
    Gains,
    Recorded,
    compare_gains,
    estimate_mean,
    gain_of,
    summarize_gains,
    without_luck,
)
from hanabi.lab.report.results import kept_games
from hanabi.lab.stats import compare, deals_needed
from hanabi.players import FirstLegal, Player, RandomLegal, RuleBased, outcomes
from hanabi.players.protocol import ForfeitError, play_game
from hanabi.players.registry import as_player, compile_team
from hanabi.rules import Action, Game, Rules
from hanabi.rules.deck import Deck, DeckSpec
from hanabi.rules.notation import parse_input
from hanabi.rules.replay import replay_of, rules_of

SMALL = replace(
    Rules.hanab_live(2),
    spec=DeckSpec(((2, 2, 1),)),
    hand_size=1,
    hints=2,
    bombed_scores_zero=False,
)


@pytest.mark.parametrize(
    ("players", "rules"),
    [
        (("rule-based",), Rules.bergh2016(3)),
        (("first-legal",), Rules.official(2)),
        (("random", "rule-based:play=0.4", "first-legal"), Rules.hanab_live(3)),
        (("information", "random"), Rules.hanab_live(2)),  # their memories soon differ
        (("rule-based",), Rules.hanab_live(2, variant="Rainbow (5 Suits)")),
    ],
    ids=lambda each: "-".join(each) if isinstance(each, tuple) else f"{each.seats}",
)
def test_the_games_are_those_of_the_simulation(players: tuple[str, ...], rules: Rules) -> None:
    work = Recorded(players, rules, seed=3, repeat=1)
    records = work.run(2, 3)
    assert records == work.run(2, 1) + work.run(3, 2)
    assert len(records) == 3 * work.width
    team = list(players) * (1 if len(players) > 1 else rules.seats)
    seats = [as_player(each) for each in team]
    assert work._rows(records)["outcome"].tolist() == outcomes(
        seats, rules, 3, seed=3, first=2, repeat=1
    )
    for deal, (end, document) in enumerate(
        zip(work.ends(records, 2), work.documents(records, 2), strict=True), start=2
    ):
        assert end is not None
        assert end.actions == work.play(deal).actions
        record = parse_input(json.dumps(document))
        back = replay_of(record).positions[-1]  # type: ignore[arg-type]
        assert (back.deck, back.actions, back.score) == (end.deck, end.actions, end.score)
        assert rules_of(record) == rules  # type: ignore[arg-type]
        assert document["simulation"] == {
            "players": [*work.team()], "seed": 3, "deal": deal, "repeat": 1,
        }  # fmt: skip


def test_a_record_that_is_not_its_game_is_noticed() -> None:
    work = Recorded(("first-legal",), Rules.official(2), seed=1)
    rows = work._rows(work.run(0, 1)).copy()
    rows["outcome"] += 2
    with pytest.raises(StoreError, match="deal 0"):
        next(work.ends(rows.tobytes()))


@dataclass(frozen=True)
class Leaves(FirstLegal):
    """A program that forfeits every game."""

    def act(self, *_: object) -> Action:
        raise ForfeitError("gone")


def test_a_forfeited_game_is_left_out_and_has_no_gain() -> None:
    work = Recorded((cast("Player", Leaves()),), Rules.official(2), seed=1)
    records = work.run(0, 2)
    assert work._rows(records)["outcome"].tolist() == [0, 0]
    assert ([*work.ends(records)], [*work.documents(records)]) == ([None, None], [])
    gains = Gains((cast("Player", Leaves()),), Rules.official(2), seed=1, baseline="random")
    with pytest.raises(PlayerError, match="a forfeited game has no gain"):
        gains.run(0, 1)


class EveryOrder:
    """In place of a random stream: every order of the cards left, equally often."""

    def __init__(self) -> None:
        self._calls = 0

    def word(self) -> int:
        return 7

    def shuffled(self, items: list[int]) -> list[int]:
        orders = [*permutations(sorted(items))]
        self._calls += 1
        return [*orders[self._calls % len(orders)]]


@pytest.mark.parametrize(
    ("player", "baseline"),
    [
        ("first-legal", "rule-based"),
        ("rule-based:play=0.3", "rule-based"),
        ("random", "rule-based"),
        ("random", "information"),
    ],
)
def test_over_all_deals_the_gain_is_the_difference_exactly(player: str, baseline: str) -> None:
    """Every deal of five cards, three of them left to draw, in all six orders."""
    theirs = as_player(baseline)
    policy = compile_team([theirs] * 2, SMALL)
    assert policy is not None
    decks = sorted({*permutations([(0, 1), (0, 1), (0, 2), (0, 2), (0, 3)])})
    assert len(decks) == 30
    total = differing = difference = 0
    for cards in decks:
        ends = []
        for seated in (as_player(player), theirs):
            game = Game.start(SMALL, Deck(cards))
            ends.append(play_game([seated] * 2, game, Stream(5)))
        difference += ends[0].score - ends[1].score
        points, _, differs = gain_of(policy, ends[0], 6, cast("Stream", EveryOrder()))
        total, differing = total + points, differing + differs
    assert differing > 10
    assert total == 6 * difference


def test_a_gain_is_nothing_beside_itself() -> None:
    rules = Rules.bergh2016(2)
    work = Gains(("rule-based",), rules, seed=1, baseline="rule-based", orders=2)
    found = summarize_gains([(work, work.run(0, 25))])
    assert (found.points.value, found.points.standard_error) == (0, 0)
    assert (found.perfect.value, found.differing, found.plain.equal) == (0, 0, 25)
    assert math.isnan(found.saved)


def test_the_gain_agrees_with_many_deals_and_its_error_is_smaller() -> None:
    rules = Rules.bergh2016(3)
    ours, theirs = RuleBased(play=0.65), RuleBased()
    many = 20_000
    truth = compare(
        [outcomes(ours, rules, many, seed=9)], [outcomes(theirs, rules, many, seed=9)], rules
    ).difference
    work = Gains((ours,), rules, seed=8, baseline=theirs, orders=30)
    found = summarize_gains([(work, work.run(0, 200))])
    gap = abs(found.points.value - truth.value)
    assert gap < 4 * math.hypot(found.points.standard_error, truth.standard_error)
    assert found.points.standard_error < 0.75 * found.plain.difference.standard_error
    assert found.saved > 1.7
    rows = work._rows(work.run(0, 5))
    assert rows["baseline"].tolist() == outcomes(theirs, rules, 5, seed=8)
    again = Recorded((ours,), rules, seed=8)
    assert rows["codes"].tolist() == again._rows(again.run(0, 5))["codes"].tolist()


def test_the_fitted_control_variate_is_unbiased_and_never_costs_much() -> None:
    """Gains that remove luck, or only add noise: the interval holds the truth as it should."""
    rng = np.random.default_rng(4)
    for noise in (0.2, 3.0):
        held, saved = 0, []
        for _ in range(400):
            luck, skill = rng.normal(size=(2, 60))
            gain = 0.5 + 0.3 * skill + noise * rng.exponential(size=60) - noise
            plain = 0.5 + 0.3 * skill + luck
            found = estimate_mean(without_luck(plain, gain), 0.95)
            held += found.low <= 0.5 <= found.high
            saved.append(estimate_mean(plain, 0.95).standard_error / found.standard_error)
        assert held > 0.91 * 400
        assert np.mean(saved) > (1.5 if noise < 1 else 0.97)


@pytest.mark.parametrize(
    "players",
    [
        ("docs/bots/beginner.py:Beginner",),  # it remembers
        (f"process:{sys.executable} docs/bots/first_bot.py",),
        ("docs/my_bot.py:MyPlayer", "random", "rule-based"),
    ],
    ids=lambda players: players[0][:12],
)
def test_any_player_has_a_gain(players: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[3])
    rules = Rules.hanab_live(3)
    work = Gains(players, rules, seed=2, baseline="rule-based", orders=3)
    records = work.run(0, 2)
    assert records == work.run(0, 1) + work.run(1, 1)
    found = summarize_gains([(work, records)])
    assert found.differing > 5
    assert found.plain.difference.value == pytest.approx(
        np.mean([end.score for end in work.ends(records) if end is not None])
        - np.mean([each >> 1 for each in outcomes(RuleBased(), rules, 2, seed=2)])
    )


def test_few_deals_have_no_fit() -> None:
    gain = np.array([1.0, 2.0, 4.0])
    assert without_luck(np.array([5.0, 5.0, 9.0]), gain).tolist() == gain.tolist()
    assert math.isnan(estimate_mean(gain[:1], 0.95).standard_error)


@pytest.mark.parametrize(
    ("baseline", "orders", "message"),
    [
        ("first-legal", 10, "'first-legal' cannot play positions on: only compiled players can"),
        ("rule-based", 0, "orders = 0 is not in 1 .. 10,000"),
        ("nobody", 10, "no player 'nobody'"),
    ],
)
def test_bad_baselines(baseline: str, orders: int, message: str) -> None:
    with pytest.raises(InvalidInputError) as error:
        Gains(("random",), Rules.official(2), seed=1, baseline=baseline, orders=orders)
    assert message in str(error.value)


def test_cards_that_the_site_lacks_have_no_recorded_form() -> None:
    work = Recorded(("first-legal",), SMALL, seed=1)
    with pytest.raises(InvalidInputError, match="games of 2 seats and 5 such cards have no"):
        next(work.documents(work.run(0, 1)))


def test_runs_of_other_deals_are_no_repeats() -> None:
    work = Gains(("random",), Rules.official(2), seed=1, baseline="random", orders=1)
    records = work.run(0, 2)
    with pytest.raises(InvalidInputError, match="runs: one or more"):
        summarize_gains([(work, records), (work, records[: work.width])])


def test_a_store_keeps_them_apart_from_plain_games() -> None:
    rules = Rules.official(2)
    plain = Recorded(("random",), rules, seed=1)
    gains = [
        Gains(("random",), rules, seed=1, baseline=b, orders=1) for b in ("random", "rule-based")
    ]
    works = [plain, *gains, replace(gains[0], orders=2)]
    assert len({key_of(work) for work in works}) == 4
    assert [pickle.loads(pickle.dumps(work)) for work in works] == works
    store, job = Store.memory(), Job(plain, 3)
    with open_executor("serial") as pool:
        run([job, Job(gains[0], 3)], store, executor=pool)
    expected = outcomes(RandomLegal(), rules, 3, seed=1)
    assert read_outcomes(store, job).tolist() == expected
    assert read_outcomes(store, Job(gains[0], 3)).tolist() == expected


# The command.


def hanabi(*words: object) -> int:
    return main([str(word) for word in words])


@pytest.mark.parametrize("rules", ["hanab_live", "bergh2016", '{"preset": "hle", "hints": 4}'])
def test_every_reader_reads_the_games(
    rules: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.jsonl"
    words = ("simulate", "rule-based", "-n", 3, "--seed", 2, "--players", 2, "--rules", rules)
    assert hanabi(*words, "--games-out", file, "-j", 1, "--json") == 0
    data = json.loads(capsys.readouterr().out)
    games = [json.loads(line) for line in file.read_text().splitlines()]
    assert [game["simulation"]["deal"] for game in games] == [0, 1, 2]
    assert sum(game["score"] for game in games) == pytest.approx(3 * data["mean"])
    for reader in ("solve", "review"):
        assert hanabi(reader, file) == 0
        assert "error" not in (out := capsys.readouterr().out)
        assert out
    one = tmp_path / "one.json"
    one.write_text(json.dumps(games[0]))
    assert hanabi("solve", one, "--lost-at") == 0
    assert f"{games[0]['score']} of 25 points" in capsys.readouterr().out


def test_a_tournament_writes_the_games_of_all_teams(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.jsonl"
    words = ("tournament", "random", "first-legal", "-n", 2, "--seed", 1, "-j", 1)
    assert hanabi(*words, "--games-out", file, "--json") == 0
    recorded = json.loads(capsys.readouterr().out)
    assert hanabi(*words, "--json") == 0
    assert json.loads(capsys.readouterr().out) == recorded
    games = [json.loads(line)["simulation"] for line in file.read_text().splitlines()]
    assert len(games) == 8
    assert [game["players"] for game in games[4:6]] == [["random", "first-legal"]] * 2


def test_a_gain_is_printed_and_its_sign_decided(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("simulate", "rule-based:play=1", "--seed", 1, "--rules", "bergh2016", "-j", 1)
    more = ("--gain-over", "rule-based", "--orders", 5, "--power", "0.1")
    assert hanabi(*words, *more, "--until-clear", "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["deals"], data["clear"], data["gain"]["over"]) == (100, True, "rule-based")
    low, high = data["gain"]["confidence_interval"]
    assert low < data["gain"]["points"] < high < 0
    assert data["gain"]["plain"]["worse"] > 50
    error = data["gain"]["plain"]["standard_error"]  # 2.8 = 1.96 + 0.84, for 95 % and 80 %
    assert data["power"]["paired"] == pytest.approx((2.8016 * error * 10 / 0.1) ** 2, rel=0.01)
    assert 0.5 < data["power"]["gain"] / data["power"]["paired"] < 1.5
    assert hanabi(*words, *more, "-n", 20) == 0
    out = capsys.readouterr().out
    assert "over rule-based (95 %:" in out
    assert "on the same deals," in out
    assert "a difference of 0.1: " in out


def test_a_run_stops_at_its_error(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--seed", 1, "--rules", "bergh2016", "-j", 1, "--json")
    assert hanabi("simulate", "rule-based", "--until-error", "0.1", *words) == 0
    data = json.loads(capsys.readouterr().out)
    assert 0.08 < data["standard_error"] <= 0.1
    assert 500 < data["deals"] < 1_000
    assert hanabi("simulate", "rule-based", "--until-error", "0.1", "-n", 150, *words) == 0
    assert json.loads(capsys.readouterr().out)["deals"] == 150
    both = ("tournament", "rule-based", "rule-based:hint=2", "--until-error", "0.2", *words)
    assert hanabi(*both, "--power", "0.5") == 0
    data = json.loads(capsys.readouterr().out)
    assert max(team["standard_error"] for team in data["teams"]) <= 0.2
    ((needed),) = data["power"]["needed"]
    assert (needed["a"], needed["b"]) == (0, 1)
    assert 50 < needed["deals"] < 5_000


def test_a_tournament_measures_gains_as_a_simulation_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each team alone as by `simulate`; a stranger's two seats as two repeats; one store."""
    players = ("rule-based:play=1", "rule-based:play=0.65")
    store_file = tmp_path / "games.store"
    gain = ("--gain-over", "rule-based", "--orders", 3)
    table = ("--seed", 1, "--rules", "bergh2016", "-n", 30, "-j", 1, "--players", 2)
    same = (*table, *gain, "--store", store_file)
    assert hanabi("tournament", *players, *same, "--json", "--power", 0.1) == 0
    data = json.loads(capsys.readouterr().out)
    cells = {(each["stranger"], each["team"]): each for each in data["teams"]}
    for number, player in enumerate(players):
        assert hanabi("simulate", player, *same, "--json") == 0
        alone = json.loads(capsys.readouterr().out)["gain"]
        mine = cells[number, number]["gain"]
        assert mine == {name: alone[name] for name in mine}
    rules = Rules.bergh2016(2)
    with Store(tmp_path / "games.store") as store:
        teams = [(players[0],), (players[1],), players, players[::-1]]
        works = [Gains(team, rules, 1, baseline="rule-based", orders=3) for team in teams]
        runs = [(work, store.payload(key_of(work), 30, width=work.width)) for work in works]
        assert len(store.works()) == 4
        stored = {each.key: each for each in store.works()}
        games = kept_games(store, stored[key_of(works[0])])
    values = [
        without_luck(
            (rows["outcome"] >> 1) * (1.0 - (rows["outcome"] & 1))
            - (rows["baseline"] >> 1) * (1.0 - (rows["baseline"] & 1)),
            rows["points"] / 3,
        )
        for work, records in runs[:2]
        for rows in [work._rows(records)]
    ]
    (pair,) = data["differences"]
    truth = estimate_mean(values[0] - values[1])
    assert pair["by_gain"]["difference"] == pytest.approx(truth.value)
    assert pair["by_gain"]["standard_error"] == pytest.approx(truth.standard_error)
    assert data["power"]["needed"][0]["deals"] == deals_needed(
        truth.standard_error * math.sqrt(30), 0.1
    )
    mixed = summarize_gains(runs[2:])
    assert mixed.repeats == 2
    assert cells[0, 1]["gain"]["points"] == pytest.approx(mixed.points.value)
    joined = compare_gains(runs[2:], runs[1:2])
    assert cells[0, 1]["change"]["by_gain"]["difference"] == pytest.approx(joined.value)
    # A store has what a gain is made of.
    assert games is not None
    assert games.gain == summarize_gains(runs[:1])
    assert hanabi("results", "show", key_of(works[0]), "--store", tmp_path / "games.store") == 0
    out = capsys.readouterr().out
    assert f"gain        {games.gain.points.value:+.3f} +- " in out
    assert " over rule-based (95 %:" in out
    words = ("results", "show", key_of(works[0]), "--store", tmp_path / "games.store", "--json")
    assert hanabi(*words) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["gain"] == pytest.approx(games.gain.points.value, abs=1e-6)
    assert row["gain_over"].startswith("rule-based:")
    assert hanabi("tournament", *players, *same) == 0
    out = capsys.readouterr().out
    assert "gain over rule-based at all seats, with luck removed" in out
    assert max(map(len, out.splitlines())) <= 80


def test_a_gauntlet_ends_when_its_gains_are_clear(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("tournament", "rule-based", "first-legal", "--gauntlet", "--until-clear", "--seed", 1)
    more = ("--rules", "bergh2016", "-j", 1, "--json", "--gain-over", "random", "--orders", 1)
    assert hanabi(*words, *more) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["deals"], data["clear"]) == (100, [[0, 1]])
    assert data["gain_over"] == {"player": "random", "orders": 1}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--orders", "5"], "--orders goes with --gain-over"),
        (["--gain-over", "first-legal"], "--gain-over: 'first-legal' cannot play positions on"),
        (["--gain-over", "random", "--orders", "0"], "orders = 0 is not in 1"),
        (["--gain-over", "nobody"], "--gain-over: no player 'nobody'"),
    ],
)
def test_what_a_tournament_refuses(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hanabi("tournament", "random", "first-legal", "--seed", 1, *words) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--orders", "5"], "--orders goes with --gain-over"),
        (["--until-clear"], "--until-clear goes with --gain-over"),
        (["--until-error", "0"], "a standard error of 0.0 cannot be reached"),
        (["--until-error", "nan"], "a standard error of nan cannot be reached"),
        (["--power", "0"], "a difference of 0.0 is none"),
        (["--gain-over", "first-legal"], "--gain-over: 'first-legal' cannot play positions on"),
        (["--gain-over", "random", "--orders", "0"], "orders = 0 is not in 1"),
        (["--games-out", "a.csv"], "--games-out"),
        (["--games-out", "-"], "--games-out -: standard output has the scores"),
        (
            ["--gain-over", "random", "--until-clear", "--until-error", "1"],
            "until an error is reached, or until all is clear, not both",
        ),
    ],
)
def test_bad_words(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(["simulate", "random", "-n", "5", *words]) == 2
    out, err = capsys.readouterr()
    assert message in err
    assert (out, err.count("\n"), [*tmp_path.iterdir()]) == ("", 1, [])
