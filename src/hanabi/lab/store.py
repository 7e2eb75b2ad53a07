"""Where results are kept: one SQLite file, one row for each finished chunk.

Every chunk is written in a transaction of its own, so a kill at any moment leaves all chunks that
were finished. Only the process that coordinates the workers writes.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hanabi.errors import InvalidInputError, StoreError, quote
from hanabi.lab.plan import Range, merged
from hanabi.lab.work import Work, canonical, key_of
from hanabi.notation.strict_json import as_object, as_text, load

__all__ = ["Chunk", "Store", "Stored"]

_APPLICATION = 0x48414E42  # "HANB"
_SCHEMA = 1
_PATIENCE = 10.0
_TABLES = """
CREATE TABLE works (
    key TEXT PRIMARY KEY, kind TEXT NOT NULL, version INTEGER NOT NULL,
    config TEXT NOT NULL, created REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE chunks (
    key TEXT NOT NULL REFERENCES works (key) ON DELETE CASCADE,
    "first" INTEGER NOT NULL, "count" INTEGER NOT NULL,
    payload BLOB NOT NULL, seconds REAL NOT NULL, finished REAL NOT NULL,
    PRIMARY KEY (key, "first", "count")
);
"""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A finished chunk.

    Attributes
    ----------
    first, count
        Its items.
    seconds
        How long a worker took.
    finished
        When it was stored, in seconds since 1970.
    """

    first: int
    count: int
    seconds: float
    finished: float


@dataclass(frozen=True, slots=True)
class Stored:
    """What a store holds of some work.

    Attributes
    ----------
    key, kind, version, config
        Of the work; see `Work`.
    created
        When it was first stored, in seconds since 1970.
    items
        How many items are done.
    seconds
        How long the workers took for them, added up.
    """

    key: str
    kind: str
    version: int
    config: dict[str, Any]
    created: float
    items: int
    seconds: float


class Store:
    """A file of results; made if there is none.

    Any thread may use it, one at a time. Several processes may: chunks that both work out are the
    same.

    Parameters
    ----------
    path
        The file. SQLite keeps two more beside it while it is open, named by `-wal` and `-shm`.
    must_exist
        Whether it is an error if there is no file.

    Raises
    ------
    StoreError
        If the file cannot be opened, is no store, or was made by a newer version.

    >>> from hanabi.game import Rules
    >>> from hanabi.lab import Simulation
    >>> store = Store.memory()
    >>> key = store.add(Simulation(("random",), Rules.official(2), seed=1))
    >>> store.put(key, 0, 2, b"abcd", seconds=0.1)
    >>> store.put(key, 1, 3, b"cdefgh", seconds=0.1)
    >>> store.ranges(key), store.payload(key, 4)
    ([(0, 4)], b'abcdefgh')
    """

    def __init__(self, path: str | Path, *, must_exist: bool = False) -> None:
        self._name = str(path)
        self._lock = threading.RLock()
        if must_exist and not self._is_memory and not Path(path).is_file():
            raise StoreError(f"there is no store {quote(self._name)}")
        with self._translated():
            # Transactions are begun and ended by hand.
            self._connection = sqlite3.connect(
                self._name, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
            )
        try:
            self._open()
        except BaseException:
            self._connection.close()
            raise

    @classmethod
    def memory(cls) -> Store:
        """Return a store that is gone with the process."""
        return cls(":memory:")

    @property
    def path(self) -> Path | None:
        """The file, or None if it is in memory."""
        return None if self._is_memory else Path(self._name)

    @property
    def _is_memory(self) -> bool:
        return self._name == ":memory:"

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; a closed store cannot be used."""
        with self._lock:
            self._connection.close()

    def add(self, work: Work) -> str:
        """Make room for the results of some work, unless there is, and return its key."""
        key, config = key_of(work), canonical(work.config())
        with self._transaction():
            self._connection.execute(
                "INSERT OR IGNORE INTO works VALUES (?, ?, ?, ?, ?)",
                (key, work.kind, work.version, config, time.time()),
            )
        return key

    def put(self, key: str, first: int, count: int, payload: bytes, *, seconds: float) -> None:
        """Store the records of the items `first` .. `first + count - 1`, for good on return.

        Raises
        ------
        StoreError
            If there are not equally long records for so many items, or it cannot be written.
        """
        if count < 1 or len(payload) % count or not payload:
            raise StoreError(f"{len(payload)} bytes are no records of {count} items")
        with self._transaction():
            self._connection.execute(
                "INSERT OR REPLACE INTO chunks VALUES (?, ?, ?, ?, ?, ?)",
                (key, first, count, payload, seconds, time.time()),
            )

    def chunks(self, key: str) -> list[Chunk]:
        """Return the finished chunks of some work by their first items. They may overlap."""
        with self._translated():
            rows = self._connection.execute(
                'SELECT "first", "count", seconds, finished FROM chunks WHERE key = ?'
                ' ORDER BY "first", "count"',
                (key,),
            ).fetchall()
        return [Chunk(*row) for row in rows]

    def ranges(self, key: str) -> list[Range]:
        """Return which items of some work are done, in order and apart from each other."""
        return merged((chunk.first, chunk.count) for chunk in self.chunks(key))

    def payload(self, key: str, items: int) -> bytes:
        """Return the records of the items 0 .. `items - 1`, one after the other.

        Raises
        ------
        StoreError
            If one of them is not done.
        """
        with self._translated():
            rows = self._connection.execute(
                'SELECT "first", "count", payload FROM chunks WHERE key = ? AND "first" < ?'
                ' ORDER BY "first", "count"',
                (key, items),
            )
            parts: list[bytes] = []
            end = 0
            for first, count, payload in rows:
                if first <= end < first + count:
                    width = len(payload) // count
                    stop = min(first + count, items)
                    parts.append(payload[(end - first) * width : (stop - first) * width])
                    end = stop
        if end < items:
            raise StoreError(f"item {end} of {items} of the work {key} is not done")
        return b"".join(parts)

    def works(self) -> list[Stored]:
        """Return what the store holds, the oldest work first."""
        with self._translated():
            rows = self._connection.execute(
                "SELECT key, kind, version, config, created FROM works ORDER BY created, key"
            ).fetchall()
        return [self._stored(*row) for row in rows]

    def _stored(self, key: str, kind: str, version: int, config: str, created: float) -> Stored:
        items = sum(count for _, count in self.ranges(key))
        seconds = sum(chunk.seconds for chunk in self.chunks(key))
        try:
            about = as_object(load(as_text(config, "config")), "config")
        except InvalidInputError as error:
            raise StoreError(f"store {quote(self._name)}: work {quote(key)}: {error}") from None
        return Stored(key, kind, version, about, created, items, seconds)

    def delete(self, key: str) -> None:
        """Forget some work and its results, if there are any."""
        with self._transaction():
            self._connection.execute("DELETE FROM works WHERE key = ?", (key,))

    def _open(self) -> None:
        with self._translated():
            self._connection.execute("PRAGMA foreign_keys = ON")
            self._connection.execute("BEGIN")  # another process may be making it
            application, schema, tables = [
                self._connection.execute(query).fetchone()[0]
                for query in (
                    "PRAGMA application_id",
                    "PRAGMA user_version",
                    "SELECT count(*) FROM sqlite_master",
                )
            ]
            self._connection.execute("COMMIT")
        if tables and application != _APPLICATION:
            raise StoreError(f"{quote(self._name)} is no store of results")
        if schema > _SCHEMA:
            raise StoreError(
                f"{quote(self._name)} was made by a newer version of hanabi (form {schema};"
                f" this one knows {_SCHEMA})"
            )
        with self._translated():
            self._write_ahead()
        if not tables:
            self._create()

    def _write_ahead(self) -> None:
        """Let readers not wait for the writer; what is committed outlives a kill."""
        self._connection.execute("PRAGMA synchronous = NORMAL")
        deadline = time.monotonic() + _PATIENCE
        while self._connection.execute("PRAGMA journal_mode").fetchone()[0] == "delete":
            # SQLite does not wait by itself if another process is at the same.
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.01)

    def _create(self) -> None:
        with self._transaction():
            # Another process may have been quicker.
            if self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                return
            for statement in _TABLES.split(";"):
                self._connection.execute(statement)
            self._connection.execute(f"PRAGMA application_id = {_APPLICATION}")
            self._connection.execute(f"PRAGMA user_version = {_SCHEMA}")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._translated():
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _translated(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except sqlite3.Error as error:
                raise StoreError(f"store {quote(self._name)}: {error}") from None
