from __future__ import annotations

import shutil
import sqlite3
import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from hanabi.ground.errors import StoreError
from hanabi.lab import Store, key_of

from .works import Squares, squares


def test_what_is_put_is_there_after_reopening(tmp_path: Path) -> None:
    path = tmp_path / "a.store"
    with Store(path) as store:
        key = store.add(Squares())
        assert store.add(Squares()) == key == key_of(Squares())
        store.put(key, 4, 2, squares(4, 2), seconds=0.5)
        store.put(key, 0, 3, squares(0, 3), seconds=0.25)
        assert store.path == path
    with Store(path) as store:
        assert store.ranges(key) == [(0, 3), (4, 2)]
        assert [(chunk.first, chunk.count) for chunk in store.chunks(key)] == [(0, 3), (4, 2)]
        assert store.payload(key, 2) == squares(0, 2)
        with pytest.raises(StoreError, match="item 3 of 6"):
            store.payload(key, 6)
        store.put(key, 2, 3, squares(2, 3), seconds=0.25)  # overlaps both
        assert store.payload(key, 6) == squares(0, 6)
        (stored,) = store.works()
        assert (stored.key, stored.kind, stored.version, stored.config) == (key, "squares", 1, {})
        assert (stored.items, stored.seconds) == (6, 1.0)


@pytest.mark.parametrize(("count", "payload"), [(2, b"abc"), (0, b""), (1, b"")])
def test_torn_records_are_refused(count: int, payload: bytes) -> None:
    store = Store.memory()
    with pytest.raises(StoreError, match="no records of"):
        store.put(store.add(Squares()), 0, count, payload, seconds=0)


def test_results_of_unknown_work_are_refused() -> None:
    with pytest.raises(StoreError, match="FOREIGN KEY"):
        Store.memory().put("nobody", 0, 1, b"1", seconds=0)


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("my notes, longer than the header of a database " * 10, encoding="utf-8")
    with pytest.raises(StoreError, match="not a database"):
        Store(text)
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE cats (name)")
    connection.close()
    before = other.read_bytes()
    with pytest.raises(StoreError, match="is no store of results"):
        Store(other)
    assert other.read_bytes() == before
    for path in (tmp_path, tmp_path / "no/such/folder/a.store"):
        with pytest.raises(StoreError, match="unable to open"):
            Store(path)
    with pytest.raises(StoreError, match="there is no store"):
        Store(tmp_path / "new.store", must_exist=True)
    assert not (tmp_path / "new.store").exists()


def test_stores_of_newer_versions_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.store"
    Store(path).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="newer version of hanabi"):
        Store(path)


def test_a_store_that_is_locked_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hanabi.lab.store._PATIENCE", 0.05)
    path = tmp_path / "a.store"
    with Store(path) as store:
        key = store.add(Squares())
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked"):
            store.put(key, 0, 1, b"1", seconds=0)
        assert store.ranges(key) == []  # reading goes on
        other.execute("ROLLBACK")
        other.close()
        store.put(key, 0, 1, b"1", seconds=0)
        assert store.ranges(key) == [(0, 1)]


def test_a_torn_write_loses_nothing_else(tmp_path: Path) -> None:
    path, torn = tmp_path / "a.store", tmp_path / "torn.store"
    with Store(path) as store:
        key = store.add(Squares())
        sizes = []
        for first in range(20):
            store.put(key, first, 1, bytes(3000), seconds=0)
            sizes.append(Path(f"{path}-wal").stat().st_size)
        # As a machine that stops would leave it: the file, and the log up to some byte.
        for last in range(5, 20):
            shutil.copy(path, torn)
            log = Path(f"{path}-wal").read_bytes()
            Path(f"{torn}-wal").write_bytes(log[: sizes[last] - 100])
            with Store(torn) as copy:
                assert copy.ranges(key) == [(0, last)]
            for name in (torn, Path(f"{torn}-wal"), Path(f"{torn}-shm")):
                name.unlink(missing_ok=True)


def test_many_threads_may_write() -> None:
    store = Store.memory()
    key = store.add(Squares())

    def put(start: int) -> None:
        for first in range(start, 100, 4):
            store.put(key, first, 1, squares(first, 1), seconds=0)

    threads = [threading.Thread(target=put, args=(start,)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.payload(key, 100) == squares(0, 100)


def test_two_processes_may_open_a_store(tmp_path: Path) -> None:
    path = tmp_path / "a.store"
    with Store(path) as one, Store(path) as two:
        key = one.add(Squares())
        assert two.add(Squares()) == key
        one.put(key, 0, 2, squares(0, 2), seconds=0)
        two.put(key, 0, 2, squares(0, 2), seconds=0)
        two.put(key, 2, 2, squares(2, 2), seconds=0)
        assert one.payload(key, 4) == squares(0, 4)


def test_a_store_may_be_made_by_several_at_once(tmp_path: Path) -> None:
    failures: list[Exception] = []

    def make(path: Path) -> None:
        try:
            with Store(path) as store:
                store.add(Squares())
        except Exception as error:  # noqa: BLE001 (told below)
            failures.append(error)

    for number in range(20):
        path = tmp_path / f"{number}.store"
        threads = [threading.Thread(target=make, args=(path,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert failures == []


def test_the_name_of_a_store_is_not_empty() -> None:
    for must_exist in (False, True):
        with pytest.raises(StoreError, match="the name of the store is empty"):
            Store("", must_exist=must_exist)
    with pytest.raises(StoreError, match="a NUL in the name"):
        Store("a\0b")


@pytest.mark.parametrize("name", ["file:a.store", "file:a.store?mode=memory", "file::memory:"])
def test_a_name_is_that_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with Store(name) as store:
        key = store.add(Squares())
    assert [path.name for path in tmp_path.iterdir()] == [name]
    with Store(name, must_exist=True) as store:
        assert [work.key for work in store.works()] == [key]


class WithoutWriteAhead(sqlite3.Connection):
    """A connection to a file system where write-ahead logs cannot be."""

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        if "journal_mode" in statement:
            statement = "PRAGMA journal_mode"
        return super().execute(statement, *values)


def test_other_journals_are_accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = partial(sqlite3.connect, factory=WithoutWriteAhead)
    monkeypatch.setattr("hanabi.lab.store.sqlite3.connect", connect)
    with Store(tmp_path / "a.store") as store:
        key = store.add(Squares())
        store.put(key, 0, 2, squares(0, 2), seconds=0)
        assert not Path(f"{tmp_path}/a.store-wal").exists()
        assert store.payload(key, 2) == squares(0, 2)
