"""Stores whose files were damaged, are old, or are of somebody else."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from fuzz.stores import make_first_schema
from hanabi.ground.errors import StoreError
from hanabi.lab import Job, Store, key_of, open_executor, run

from .works import Squares, squares

KEY = key_of(Squares())


def fill(path: Path) -> None:
    """Make a store of six squares in three chunks."""
    with Store(path) as store:
        store.add(Squares())
        for first in (0, 2, 4):
            store.put(KEY, first, 2, squares(first, 2), seconds=0.5)


def change(path: Path, statement: str) -> None:
    """Do to a store what this package never does."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()


DAMAGE = [
    "UPDATE chunks SET payload = zeroblob(8) WHERE first = 2",
    "UPDATE chunks SET payload = 'texttext' WHERE first = 2",
    "UPDATE chunks SET payload = x'' WHERE first = 2",
    "UPDATE chunks SET first = 3 WHERE first = 2",
    "UPDATE chunks SET first = -2 WHERE first = 2",
    "UPDATE chunks SET first = 'x' WHERE first = 2",
    "UPDATE chunks SET count = 1 WHERE first = 2",
    "UPDATE chunks SET count = 0 WHERE first = 2",
    "UPDATE chunks SET count = 9223372036854775807 WHERE first = 2",
    "UPDATE chunks SET seconds = 'x' WHERE first = 2",
    "UPDATE chunks SET seconds = seconds + 1 WHERE first = 2",
    "UPDATE chunks SET finished = 1e300 WHERE first = 2",
    "UPDATE chunks SET checksum = NULL WHERE first = 2",
    "UPDATE chunks SET checksum = 7 WHERE first = 2",
]


@pytest.mark.parametrize("statement", DAMAGE)
def test_a_damaged_chunk_is_told_left_out_and_done_again(tmp_path: Path, statement: str) -> None:
    path, told = tmp_path / "a.store", list[str]()
    fill(path)
    change(path, statement)
    with Store(path, warn=told.append) as store:
        for _ in range(2):
            assert store.ranges(KEY) == [(0, 2), (4, 2)]
            assert store.works()[0].items == 4
        with pytest.raises(StoreError, match="item 2 of 6"):
            store.payload(KEY, 6)
        assert len(told) == 1
        assert tuple(told) == store.damaged
        assert "is damaged and left out" in told[0]
        with open_executor("serial") as pool:
            run([Job(Squares(), 6)], store, executor=pool)
        assert store.payload(KEY, 6) == squares(0, 6)
    with Store(path) as store:
        assert store.payload(KEY, 6) == squares(0, 6)
        assert store.damaged == ()  # nothing of it is left


@pytest.mark.parametrize(
    "change_of",
    [
        "config = '{'", "config = '[]'", "config = '{\"a\":1}'", "config = x'7b7d'", "version = 2",
        "version = 'x'", "kind = 'games'", "created = 'x'", "created = created + 1",
        "checksum = NULL", "checksum = 7", "key = 'other'",
    ],
)  # fmt: skip
def test_damaged_work_is_told_and_its_chunks_are_kept(tmp_path: Path, change_of: str) -> None:
    path = tmp_path / "a.store"
    fill(path)
    change(path, f"UPDATE works SET {change_of}")
    with Store(path) as store:
        assert store.works() == []
        assert "is damaged and left out" in store.damaged[0]
        assert store.add(Squares()) == KEY
        assert store.payload(KEY, 6) == squares(0, 6)
        assert [stored.items for stored in store.works() if stored.key == KEY] == [6]


def test_chunks_of_no_work_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.store"
    fill(path)
    change(path, "UPDATE chunks SET key = 'gone' WHERE first")
    with Store(path) as store:
        assert [stored.items for stored in store.works()] == [2]
        (line,) = store.damaged
        assert "2 chunks of a work that is not there, 'gone': left out" in line


def test_records_of_another_length_are_left_out(tmp_path: Path) -> None:
    with Store(tmp_path / "a.store") as store:
        key = store.add(Squares())
        store.put(key, 0, 2, squares(0, 2), seconds=0)
        store.put(key, 2, 1, b"1", seconds=0)
        assert store.ranges(key) == [(0, 2)]
        assert len(store.damaged) == 1
        with pytest.raises(StoreError, match="have 4 bytes, not 2"):
            store.payload(key, 2, width=2)
        store.add(Squares())
        store.put(key, 2, 1, squares(2, 1), seconds=0)
        assert store.payload(key, 3, width=4) == squares(0, 3)


def test_a_store_of_the_first_schema_is_brought_up(tmp_path: Path) -> None:
    path, old = tmp_path / "a.store", tmp_path / "old.store"
    fill(path)
    make_first_schema(old, path)
    with Store(old) as store, Store(path) as new, Store(old) as again:
        assert store.works() == new.works() == again.works()
        assert store.chunks(KEY) == new.chunks(KEY)
        assert store.payload(KEY, 6) == squares(0, 6)
        store.put(KEY, 6, 1, squares(6, 1), seconds=0)
        assert again.payload(KEY, 7) == squares(0, 7)
        assert store.damaged == ()
    change(old, "UPDATE chunks SET payload = zeroblob(8) WHERE first = 0")
    with Store(old) as store:
        assert store.ranges(KEY) == [(2, 5)]


def test_what_cannot_be_right_in_the_first_schema_is_left_out(tmp_path: Path) -> None:
    path, old = tmp_path / "a.store", tmp_path / "old.store"
    fill(path)
    make_first_schema(old, path)
    change(old, "UPDATE chunks SET payload = x'01' WHERE first = 2")
    with Store(old) as store:
        assert store.ranges(KEY) == [(0, 2), (4, 2)]
        assert len(store.damaged) == 1


def test_a_store_that_cannot_be_brought_up_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, old = tmp_path / "a.store", tmp_path / "old.store"
    fill(path)
    make_first_schema(old, path)

    def fail(_: object) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("hanabi.lab.store.is_chunk", fail)
        with pytest.raises(KeyboardInterrupt):
            Store(old)
    with closing(sqlite3.connect(old)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    with Store(old) as store:
        assert store.payload(KEY, 6) == squares(0, 6)


@pytest.mark.parametrize(
    "statement",
    [
        "PRAGMA user_version = 0", "PRAGMA user_version = 1", "PRAGMA user_version = -3",
        "PRAGMA application_id = 7", "ALTER TABLE chunks RENAME COLUMN payload TO load",
        "CREATE TABLE cats (name)", "DROP TABLE chunks",
        "CREATE TRIGGER sqlites AFTER INSERT ON chunks BEGIN DELETE FROM works; END",
    ],
)  # fmt: skip
def test_other_tables_are_no_store(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "a.store"
    fill(path)
    change(path, statement)
    before = path.read_bytes()
    with pytest.raises(StoreError, match="is no store of results"):
        Store(path)
    assert path.read_bytes() == before
