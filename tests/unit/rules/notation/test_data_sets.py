"""Games of public data sets: logs of a study, and arrays of actions."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi import review
from hanabi.front.app import main
from hanabi.ground.errors import HanabiError, InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.rules import Game, Kind, Rules
from hanabi.rules.notation import GameRecord, game_to_json, parse_input
from hanabi.rules.notation.datasets import (
    games_of_arrays,
    games_of_file,
    is_study_log,
    parse_study_log,
    read_tensors,
)
from hanabi.rules.replay import record_actions, replay
from hanabi.shell.session.problem import Question, pose_position
from oracles.kaggle import kaggle_replay

LOGS = Path(__file__).parents[3] / "data" / "hanabi_data"
LONG = LOGS / "game003d9bcb9d27dacf.log"


def tensors(arrays: dict[str, npt.NDArray[Any]]) -> bytes:
    """Write arrays of 32-bit integers as a .safetensors file."""
    header, body = {}, b""
    for name, array in arrays.items():
        data = np.asarray(array, "<i4").tobytes()
        offsets = [len(body), len(body) + len(data)]
        header[name] = {"dtype": "I32", "shape": list(array.shape), "data_offsets": offsets}
        body += data
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body


def played(players: int, seed: int) -> list[Game]:
    """Return the positions of a random game by the rules of those arrays."""
    rules = replace(Rules.hanab_live(players), stop_when_stuck=False)
    games, rng = [Game.start(rules, rules.spec.shuffle(seed=seed))], Stream(seed)
    while not games[-1].is_over:
        actions = games[-1].legal_actions
        games.append(games[-1].apply(actions[rng.below(len(actions))]))
    return games


def number_of(game: Game, action: Any) -> int:
    """Number an action as the arrays do: by kinds, then seats, then values."""
    size, others = game.rules.hand_size, game.rules.seats - 1
    step = (action.target - game.seat_to_act - 1) % game.rules.seats
    if action.kind is Kind.DISCARD:
        return int(action.target)
    if action.kind is Kind.PLAY:
        return size + int(action.target)
    first: int = 2 * size + (others * 5 if action.kind is Kind.HINT_RANK else 0)
    return int(first + step * 5 + action.value - (action.kind is Kind.HINT_RANK))


def arrays_of(courses: list[list[Game]]) -> dict[str, npt.NDArray[Any]]:
    players = courses[0][0].rules.seats
    idle = 2 * courses[0][0].rules.hand_size + 10 * (players - 1)
    actions = np.full((len(courses), max(map(len, courses)), players), idle)
    for row, games in enumerate(courses):
        for turn, action in enumerate(games[-1].actions):
            seat = turn % players
            actions[row, turn, seat] = number_of(games[turn], action)
    return {
        "actions": actions,
        "decks": np.array([[(c.color, c.rank - 1) for c in games[0].deck] for games in courses]),
        "game_ids": np.arange(len(courses)) + 100,
        "num_actions": np.array([len(games) - 1 for games in courses]),
        "num_players": np.array(players),
        "scores": np.array([games[-1].score for games in courses]),
    }


@settings(max_examples=20)
@given(st.integers(2, 5), st.integers(0, 2**32))
def test_games_come_back_from_arrays(players: int, seed: int) -> None:
    courses = [played(players, seed + each) for each in range(2)]
    found = [*games_of_file(tensors(arrays_of(courses)))]
    for record, games in zip(found, courses, strict=True):
        assert record.actions == record_actions(games)
        end = replay(record)[-1]
        assert (end.score, end.deck) == (record.extra["score"], games[0].deck)
        again = parse_input(json.dumps(game_to_json(record)))
        assert isinstance(again, GameRecord)
        assert replay(again)[-1] == end
    assert [record.id for record in found] == [100, 101]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda a: a.pop("decks"), "'decks' is missing"),
        (lambda a: a.update(num_players=np.array(9)), "9 is not in 2 .. 6"),
        (lambda a: a.update(scores=np.array([1])), "'scores' is of 1 games, not 2"),
        (lambda a: a.update(num_actions=np.array([999, 1])), "999 is not within"),
        (lambda a: a.update(decks=a["decks"] + 4), "is no color and rank"),
        (lambda a: a.update(actions=a["actions"] * 0 + 20), "no actions of seat 0 alone"),
        (lambda a: a.update(actions=a["actions"][:, :, :1]), "their last sizes"),
        (lambda a: a.update(game_ids=np.array(3)), "has 0 dimensions"),
    ],
)
def test_arrays_that_are_no_games_are_refused(change: Any, message: str) -> None:
    arrays = arrays_of([played(2, 1), played(2, 2)])
    change(arrays)
    with pytest.raises(InvalidInputError, match=message):
        [*games_of_arrays(arrays)]


@settings(max_examples=200)
@given(st.binary(max_size=80), st.integers(0, 400), st.integers(0, 400))
def test_a_damaged_file_is_read_or_refused(noise: bytes, start: int, end: int) -> None:
    whole = tensors(arrays_of([played(2, 1)]))
    for data in (noise, whole[:start] + noise + whole[start + end :]):
        told = ""
        try:
            [*games_of_file(data)]
        except HanabiError as error:
            told = str(error)
        assert "\n" not in told


def test_the_file_needs_integers() -> None:
    text = json.dumps({"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}).encode()
    with pytest.raises(InvalidInputError, match="F32"):
        read_tensors(len(text).to_bytes(8, "little") + text + b"\0" * 4)


def test_a_log_is_replayed_to_its_score() -> None:
    text = LONG.read_text(encoding="utf-8")
    record = parse_input(text)
    assert isinstance(record, GameRecord)
    assert is_study_log(text)
    positions = replay(record)
    assert (positions[-1].score, record.names) == (15, ("intentional", "You"))
    assert record.extra["score"] == 15
    said = [line.split(" has ")[1] for line in text.splitlines() if line.startswith("You has")]
    colors = dict(zip("rygbp", ("red", "yellow", "green", "blue", "white"), strict=True))
    hand = ", ".join(f"{colors[str(card)[0]]} {card.rank}" for card in positions[0].hands[1])
    assert hand == said[0]  # what the log says in prose
    assert review(pose_position(record, Question())).prospects[0].upper == 25


def test_every_log_here_is_read_or_refused_by_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for log in LOGS.glob("*.log"):
        shutil.copy(log, tmp_path)
    assert main(["convert", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    games = [json.loads(line) for line in out.splitlines()]
    assert len(games) == 2
    for game in games:
        record = parse_input(json.dumps(game))
        assert isinstance(record, GameRecord)
        assert replay(record)[-1].score == game["score"]
    assert "game3f79f9ed3a579d03.log: line 10: 'MOVE: 0 1 None 0 None 1'" in err
    assert err.splitlines()[-1] == "hanabi: 2 games written, 1 left out"


def test_a_log_of_other_cards_is_refused() -> None:
    text = LONG.read_text(encoding="utf-8")
    with pytest.raises(InvalidInputError, match="not those of seed 2814"):
        parse_study_log(text.replace("2813", "2814"))
    with pytest.raises(InvalidInputError, match="line 4"):
        parse_study_log(text.replace("MOVE: 0 1 None 1 None 1", "MOVE: 0 1 None 1 None", 1))


def test_arrays_are_an_input_of_many(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.safetensors"
    file.write_bytes(tensors(arrays_of([played(3, 1), played(3, 2)])))
    assert main(["review", str(file), "--json", "--workers", "1"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["item"] for line in lines] == [100, 101]
    arrays = arrays_of([played(3, 1), played(3, 2), played(3, 3)])
    arrays["decks"][1, 7] = 9
    file.write_bytes(tensors(arrays))
    assert main(["convert", str(file)]) == 2
    out, err = capsys.readouterr()
    assert [json.loads(line)["id"] for line in out.splitlines()] == [100, 102]
    assert "left out: 2: game 101: [9, 9] is no color and rank" in err
    file.write_bytes(tensors(arrays_of([played(3, 1), played(3, 2)])))
    for ending in (".csv", ".parquet"):
        target = tmp_path / f"games{ending}"
        assert main(["convert", str(file), "-o", str(target)]) == 0
        assert target.stat().st_size > 500
    rows = (tmp_path / "games.csv").read_text(encoding="utf-8").splitlines()
    assert rows[0] == "id,players,variant,names,deck,actions,moves,score,ended"
    assert len(rows) == 3
    assert main(["convert", str(file), "-o", str(tmp_path / "games.xml")]) == 2
    assert "ends in none of .jsonl, .csv, .parquet" in capsys.readouterr().err


@settings(max_examples=20)
@given(st.integers(2, 5), st.integers(0, 2**32), st.integers(4, 5), st.integers(1, 4))
def test_games_come_back_from_replays(players: int, seed: int, size: int, lives: int) -> None:
    rules = replace(Rules.hle(players), hand_size=size, lives=lives)
    end = Game.start(rules, rules.spec.shuffle(seed=seed))
    rng = Stream(seed)
    while not end.is_over:
        actions = end.legal_actions
        end = end.apply(actions[rng.below(len(actions))])
    record = parse_input(json.dumps(kaggle_replay(end)))
    assert isinstance(record, GameRecord)
    found = replay(record)[-1]
    told = ("piles", "lives", "hints", "score", "end_reason", "actions", "discards")
    for each in told:
        assert getattr(found, each) == getattr(end, each)
    # The environment draws no card once the last life is lost: another one stands in its place.
    is_short = end.lives == 0 and found.missing > 0
    known = len(record.deck) - is_short
    assert (record.deck[:known], bool(record.remarks)) == (end.deck[:known], is_short)
    assert known == len(end.deck) - end.deck_left - is_short
    assert record.names[0] == "Player 1"


HISTORY = "info.actionHistory"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"name": "open_spiel_hanabi_arena"},
            "name: 'open_spiel_hanabi_arena'; of Kaggle's replays",
        ),
        ({"name": ["halite"]}, "of Kaggle's replays only those of open_spiel_hanabi are read"),
        ({"info": {}}, "info.openSpielGameStringResolved: missing"),
        ({"info": None}, "info: null is not an object"),
        ("chess()", "'chess()' is not OpenSpiel's Hanabi"),
        ("hanabi(colors=4)", "'colors=4': games with this are not read"),
        ("hanabi(random_start_player=True)", "'random_start_player=True': games with this"),
        ("hanabi(observation_type=seer)", "'observation_type=seer': games with this"),
        ("hanabi(players=6)", "players: 6 is not in 2 .. 5"),
        ("hanabi(hand_size=x)", "hand_size: 'x' is not an integer"),
        (["0"] * 9, f"{HISTORY}: 9 entries; the deal alone takes 10 cards"),
        (["25"] * 10, f"{HISTORY}: [0]: '25' is no card"),
        (["0"] * 10 + ["-1"], f"{HISTORY}: [10]: '-1' is no action"),
        (["0"] * 10 + ["20"], f"{HISTORY}: [10]: 20 is no action of 2 players"),
        ([*["0"] * 9, 0], "is not a string"),
        (["0"] * 11 + ["[1, 2]"], f"{HISTORY}: [11]: '[1, 2]' is no card"),
    ],
)
def test_replays_that_are_not_understood_are_refused(change: Any, message: str) -> None:
    rules = Rules.hle(2)
    data = kaggle_replay(Game.start(rules, rules.spec.shuffle(seed=1)))
    if isinstance(change, dict):
        data |= change
    elif isinstance(change, str):
        data["info"]["openSpielGameStringResolved"] = change
    else:
        data["info"]["actionHistory"] = change
    with pytest.raises(InvalidInputError) as refused:
        parse_input(json.dumps(data))
    assert message in str(refused.value)
