from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pyarrow import parquet

from hanabi.ground.errors import HanabiError, InvalidInputError
from hanabi.lab import Simulation, Store
from hanabi.lab.report import results
from hanabi.lab.report.results import (
    GAMES,
    SUMMARY,
    KeptGames,
    find_work,
    game_rows,
    kept_games,
    shorten_player,
    summary_rows,
    write_parquet,
)
from hanabi.players.registry import format_player, parse_player
from hanabi.rules import Rules

WORK = Simulation(("rule-based:hint=2",), Rules.hle(2), seed=2**64 - 1, repeat=3)


def words(*outcomes: int) -> bytes:
    return b"".join(each.to_bytes(2, "little") for each in outcomes)


def games_of(store: Store) -> KeptGames:
    games = kept_games(store, store.works()[0])
    assert games is not None
    return games


def filled() -> Store:
    store = Store.memory()
    store.put(store.add(WORK), 0, 3, words(50, 20, 7), seconds=1.5)
    return store


def test_rows() -> None:
    games = games_of(filled())
    ((*about, seconds, baseline, gain, error),) = summary_rows([games])
    assert about == [
        games.stored.key, "rule-based:hint=2", "hle", 2, 2**64 - 1, 3, 3, 11.666667, 7.264832, 1, 1,
        12.666667, 11.666667,
    ]  # fmt: skip
    assert (seconds, baseline, gain, error) == (1.5, None, None, None)
    assert [row[4:] for row in game_rows([games])] == [[0, 25, 0], [1, 10, 0], [2, 3, 1]]


def test_games_beyond_a_gap_do_not_count() -> None:
    store = filled()
    key = store.works()[0].key
    store.put(key, 5, 2, words(0, 0), seconds=1.0)
    assert games_of(store).outcomes.tolist() == [50, 20, 7]
    behind = Store.memory()
    behind.put(behind.add(WORK), 1, 1, words(0), seconds=1.0)
    assert games_of(behind).summary is None
    assert list(summary_rows([games_of(behind)])) == []


def test_rules_without_a_name() -> None:
    store = Store.memory()
    store.add(Simulation(("random",), replace(Rules.hle(5), hints=3), seed=1))
    store.add(Simulation(("random",), Rules.official(1), seed=1))
    names = [games.rules_name for each in store.works() if (games := kept_games(store, each))]
    assert sorted(names) == ["official", "other"]


def test_players_without_their_defaults() -> None:
    full = "rule-based:hint=3,discard=2,play=0.7,useless=1.0"
    assert shorten_player(full) == "rule-based:play=0.7"
    assert shorten_player("random") == "random"
    wrapped = "endgame:budget=50/rule-based:hint=2"
    assert shorten_player(format_player(parse_player(wrapped))) == wrapped
    assert shorten_player("gone:x=1,y=2") == "gone:x=1,y=2"


def test_keys() -> None:
    store = filled()
    key = store.works()[0].key
    assert find_work(store, key[:3]).key == key
    for n in range(40):
        store.add(replace(WORK, seed=n))
    first = next(k[:1] for k in (each.key for each in store.works()))
    for bad, message in (("", "no results"), ("xyz", "no results"), (first, "begins with")):
        with pytest.raises(InvalidInputError, match=message):
            find_work(store, bad)


@pytest.mark.parametrize(("columns", "make"), [(SUMMARY, summary_rows), (GAMES, game_rows)])
def test_parquet(
    columns: dict[str, str], make: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert callable(make)
    monkeypatch.setattr(results, "_BATCH", 2)
    rows = list(make([games_of(filled())]))
    path = tmp_path / "a.parquet"
    write_parquet(columns, iter(rows), path)
    table = parquet.read_table(path)
    assert [list(row.values()) for row in table.to_pylist()] == rows
    assert table.column_names == list(columns)
    write_parquet(columns, [], path)
    assert parquet.read_table(path).schema == table.schema


def test_parquet_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "find_spec", lambda _: None)
    with pytest.raises(HanabiError, match=r"pip install '\.\[parquet\]'"):
        write_parquet(GAMES, [], tmp_path / "a.parquet")
