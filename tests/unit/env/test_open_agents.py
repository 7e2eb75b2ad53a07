"""Games rebuilt from observations, and the files of the Hanabi Open Agent Dataset."""

from __future__ import annotations

import json
import pickle
import re
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzz.mutations import mutated
from fuzz.rounds import rounds
from hanabi.env import Layout, game_of_observations
from hanabi.env.open_agents import game_of_lists, games_of_pickle
from hanabi.front.app import main
from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.rules import Game, Rules
from hanabi.rules.notation import GameRecord
from hanabi.rules.replay import record_actions, replay
from oracles.encoding import encoding, numbers, one

HLE = Path(__file__).parents[2] / "data" / "hle" / "games.jsonl"

Lists = list[list[Any]]


def played(players: int, seed: int, turns: int = 200) -> list[Game]:
    """Return the positions of a random game."""
    rules = Rules.hle(players)
    games, rng = [Game.start(rules, rules.spec.shuffle(seed=seed))], Stream(seed)
    while not games[-1].is_over and len(games) <= turns:
        actions = games[-1].legal_actions
        games.append(games[-1].apply(actions[rng.below(len(actions))]))
    return games


def lists_of(games: list[Game], *, whole: bool = True) -> Lists:
    """Return a game as the data set has it, or with observations as lists, slowly encoded."""
    seen: list[Any] = []
    done = []
    for turn, action in enumerate(games[-1].actions):
        seat = games[turn].seat_to_act
        bits = encoding(games[: turn + 1], seat)
        seen.append(int("".join(map(str, bits)), 2) if whole else bits)
        known = numbers(games[turn], seat)
        done.append(one(len(known), known[action]))
    return [seen, done]


def read(data: bytes) -> tuple[list[GameRecord], list[str]]:
    """Return the games of a file, and what is said of those that are none."""
    games = games_of_pickle(data)
    found: list[GameRecord] = []
    told: list[str] = []
    while True:
        try:
            found.append(next(games))
        except StopIteration:
            return found, told
        except InvalidInputError as error:
            told.append(str(error))


@settings(max_examples=15)
@given(st.integers(2, 5), st.integers(0, 2**32), st.integers(0, 5), st.booleans())
def test_games_come_back(players: int, seed: int, protocol: int, whole: bool) -> None:
    courses = [played(players, seed + each) for each in range(2)]
    found, told = read(pickle.dumps([lists_of(games, whole=whole) for games in courses], protocol))
    assert told == []
    for record, games in zip(found, courses, strict=True):
        end = games[-1]
        assert record.actions == record_actions(games)
        again = replay(record)[-1]
        assert (again.score, again.discards, again.piles) == (end.score, end.discards, end.piles)
        # Only what was not drawn, and what was drawn last, has not been seen.
        seen = end.rules.deck_size - int(str(record.extra["unseen"]))
        drawn = end.rules.deck_size - end.deck_left
        assert seen in (drawn, drawn - 1)
        assert record.deck[:seen] == end.deck[:seen]
        assert sorted(record.deck) == sorted(end.deck)
        assert list(record.deck[seen:]) == sorted(record.deck[seen:])


@pytest.mark.parametrize("players", range(2, 6))
def test_games_of_the_real_learning_environment_come_back(players: int) -> None:
    """What it showed in a game is in `tests/data/hle`, four entries to a hexadecimal digit."""
    kept = [json.loads(line) for line in HLE.read_text(encoding="utf-8").splitlines()]
    [game] = [each for each in kept if each["config"] == f"{players} players" and "whole" in each]
    rules, actions = Rules.hle(players), game["actions"]
    size = Layout(rules).size
    seen = [
        [int(bit) for digit in turn[number % players] for bit in f"{int(digit, 16):04b}"][:size]
        for number, turn in enumerate(game["whole"][: len(actions)])
    ]
    record = game_of_observations(seen, actions)
    drawn = rules.deck_size - int(str(record.extra["unseen"]))
    letters = [f"{'RYGWB'[card.color]}{card.rank}" for card in record.deck]
    assert "".join(letters[:drawn]) == game["deck"][: 2 * drawn]
    points = [after.score - before.score for before, after in pairwise(replay(record))]
    assert points == game["rewards"]


@pytest.mark.parametrize("turns", [1, 2, 3, 9])
def test_games_that_break_off_come_back_as_far_as_they_were_seen(turns: int) -> None:
    games = next(
        games
        for seed in range(50)
        if (games := played(2, seed, turns))[-1].actions[-1].is_hint and len(games) == turns + 1
    )
    record = game_of_lists(lists_of(games))
    assert record.actions == record_actions(games)
    assert replay(record)[-1].piles == games[-1].piles


def test_a_card_that_nobody_saw_is_not_made_up() -> None:
    """In a game of one turn nobody has seen the hand of who acts."""
    first = next(
        games for seed in range(50) if not (games := played(2, seed, 1))[-1].actions[-1].is_hint
    )
    with pytest.raises(InvalidInputError, match="turn 0: nobody saw the card"):
        game_of_lists(lists_of(first))


@pytest.mark.parametrize("players", [2, 5])
def test_every_wrong_entry_is_noticed(players: int) -> None:
    """Whichever entry of whichever turn is changed, no game shows that."""
    games = played(players, 5)
    seen, done = lists_of(games, whole=False)
    chosen = [action.index(1) for action in done]
    draw = np.random.default_rng(1)
    for entry in draw.choice(len(seen[0]), 60, replace=False):
        turn = int(draw.integers(len(seen)))
        wrong = np.array(seen)
        wrong[turn, entry] ^= 1
        with pytest.raises(InvalidInputError):
            game_of_observations(wrong, chosen)
    assert game_of_observations(seen, chosen).players == players


NESTED = [123, 123, 123]
DEEP = b"]" * 100_000 + b"a" * 99_999
"""What stands for that in a pickle: lists in lists, so deep that Python cannot print them."""


def _longer(game: Lists) -> None:
    """Let the game go on after its end."""
    game[0].append(game[0][-1])
    game[1].append([*game[1][-1]])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda g: g.pop(), "no list of observations and one of actions"),
        (lambda g: g[0].pop(), r"\d+ observations, \d+ actions"),
        (lambda g: g.__setitem__(1, []), r"\d+ observations, 0 actions"),
        (lambda g: g.__setitem__(0, 7), "no list of observations"),
        (lambda g: g[0].__setitem__(3, 1 << 658), "no observation of 658 entries"),
        (lambda g: g[0].__setitem__(3, -1), "no observation of 658 entries"),
        (lambda g: g[0].__setitem__(3, [0] * 657 + [2]), "no observation of 658 entries"),
        (lambda g: g[0].__setitem__(3, [0] * 657), "no observation of 658 entries"),
        (lambda g: g[0].__setitem__(3, 0), "turn 3: entry"),
        (lambda g: g[1].__setitem__(0, 4), "turn 0: action 4 is none of 2 to 5 players"),
        (lambda g: g[1].__setitem__(0, [1]), "turn 0: action"),
        (lambda g: g[1].__setitem__(0, NESTED), r"turn 0: action list\(\.\.\.\) is none"),
        (lambda g: g[1].__setitem__(2, [0] * 20), "turn 2: action .* is not a 1 among 19 zeros"),
        (lambda g: g[1].__setitem__(2, [[1]] + [0] * 19), "turn 2: action"),
        (lambda g: g[1].__setitem__(2, [1] + [0] * 29), "turn 2: action"),
        (lambda g: g[1].__setitem__(0, one(20, 0)), "turn 1.*cannot discard slot 0"),
        (_longer, "the game is over"),
    ],
)
def test_what_is_no_game_is_told(change: Any, message: str) -> None:
    game = lists_of(played(2, 7))
    change(game)
    found, told = read(
        pickle.dumps([game, lists_of(played(2, 1))]).replace(b"K\x7bK\x7bK\x7b", DEEP)
    )
    [error] = told
    assert re.search(message, error)
    assert len(found) == 1  # the next one is read


@pytest.mark.parametrize(
    ("seen", "done", "message"),
    [
        ([[0] * 600], [1], r"observations \(1, 600\)"),
        ([0] * 658, [1], r"observations \(658,\)"),
        ([[3] * 658], [1], "entries 0 or 1"),
        ([[0] * 658, [0]], [1, 1], "the rows are not equally long"),
        ([[0] * 658], [1, 2], r"actions: int64 \(2,\), not those of 1 turn"),
        ([[0] * 658], [0.5], "actions: float64"),
        ([[0] * 658], [20], "turn 0: action 20 is not in 0 .. 19"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(seen: Any, done: Any, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        game_of_observations(seen, done)


def test_a_card_too_often_is_told() -> None:
    seen, done = lists_of(played(2, 1), whole=False)
    seen[0][:125] = one(25, 4) * 5  # five red fives
    with pytest.raises(InvalidInputError, match="r5 is seen 4 times too often"):
        game_of_lists([seen, done])


def test_a_damaged_file_is_read_as_far_as_it_goes_or_refused() -> None:
    whole = pickle.dumps([lists_of(played(2, seed)) for seed in range(3)])
    bits = pickle.dumps([lists_of(played(2, 3), whole=False)], protocol=0)
    refused = 0
    for seed in range(rounds(150)):
        random = Random(seed)
        data = mutated(random, random.choice((whole, bits)), (whole, bits))
        try:
            _, told = read(data)
        except BaseException as error:
            raise AssertionError(f"seed {seed}: {data!r}") from error
        refused += len(told)
        assert all(each.isprintable() and len(each) < 300 for each in told)
    assert refused > 10


def test_a_file_is_an_input_of_many(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = [lists_of(played(3, seed)) for seed in range(3)]
    games[1][0][4] ^= 1
    file = tmp_path / "agent_3_3.pkl"
    file.write_bytes(pickle.dumps(games))
    assert main(["convert", str(file)]) == 2
    out, err = capsys.readouterr()
    assert [json.loads(line)["rules"] for line in out.splitlines()] == ["hle", "hle"]
    assert "left out: 2: turn 4: entry 955 (knowledge" in err
    assert err.endswith("2 games written, 1 left out\n")
    assert main(["review", str(file), "--json", "--workers", "1", "--time", "5"]) == 2
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 3
    assert "entry 955" in out + err
    file.write_bytes(file.read_bytes()[:-9])
    assert main(["convert", str(file)]) == 2
    assert "the pickle breaks off" in capsys.readouterr().err
    assert main(["convert", str(tmp_path / "none.pkl")]) == 2
    assert "none.pkl': there is no such file" in capsys.readouterr().err


def test_nothing_in_a_file_is_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "hostile.pkl"
    file.write_bytes(b"cbuiltins\nopen\n(V" + str(tmp_path / "made").encode() + b"\nVw\ntR.")
    assert main(["convert", str(file)]) == 2
    assert "byte 0: b'c' makes no list" in capsys.readouterr().err
    assert not (tmp_path / "made").exists()
    pickle.loads(file.read_bytes()).close()
    assert (tmp_path / "made").exists()  # it would have been
