"""The store of results: one SQLite file, one row for each finished chunk.

Every chunk is written in its own transaction, so a kill at any moment leaves all finished chunks.
Only the process that coordinates the workers writes. A damaged row is reported, left out, and
computed again.
"""

from __future__ import annotations

import hashlib
import math
import sqlite3
import threading
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias
from weakref import finalize

from hanabi.ground import InvalidInputError, StoreError, counted, quote
from hanabi.lab.work import Range, Work, canonical, key_of, key_of_text, merged
from hanabi.rules import as_object, load

__all__ = [
    "MEMORY",
    "Chunk",
    "Database",
    "Row",
    "Store",
    "Stored",
    "config_of",
    "is_chunk",
    "is_whole",
    "sealed",
]

# The SQLite file of a store: opening it, telling it from other files, upgrading it.
#
# Schema 2 gave every row a checksum. A new store is created in the first schema and upgraded from
# there, so that old and new stores end with the same tables.

# Checks of rows: each must be whole, of the right types, and within range.
#
# A file can be damaged, and anybody can have written it. Every row ends with a checksum of its
# other cells; a row that does not match its checksum counts as missing.

Row: TypeAlias = tuple[Any, ...]
"""The cells of a row, as SQLite returns them."""

_CHECKSUM_LENGTH = 16
_MOST = 2**63 - 1
_LAST_SECOND = 253_402_300_799  # of the year 9999


def sealed(row: Sequence[object]) -> Row:
    """Return a row with its checksum at the end.

    >>> sealed(("a", 1))
    ('a', 1, 'c2cf3c9453d362d6')
    """
    return (*row, _checksum(row))


def is_whole(row: Sequence[object]) -> bool:
    """Return whether the last cell is the checksum of the cells before it."""
    return bool(row[-1] == _checksum(row[:-1]))


def _checksum(cells: Iterable[object]) -> str:
    """Return the start of the SHA-256 of some cells, their types and lengths included."""
    digest = hashlib.sha256()
    for cell in cells:
        data = cell if isinstance(cell, bytes) else ascii(cell).encode()
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return digest.hexdigest()[:_CHECKSUM_LENGTH]


def is_chunk(row: Sequence[Any]) -> bool:
    """Return whether these are valid cells of a chunk, apart from the checksum."""
    key, first, count, payload, seconds, finished = row
    if not (isinstance(key, str) and isinstance(payload, bytes)):
        return False
    if not (type(first) is int and type(count) is int):
        return False
    is_range = first >= 0 and count >= 1 and first + count <= _MOST
    are_records = is_range and len(payload) >= count and len(payload) % count == 0
    return are_records and _is_time(seconds) and _is_time(finished)


def config_of(row: Sequence[Any]) -> dict[str, Any] | None:
    """Return the configuration in the cells of a work, or None if the cells are invalid."""
    key, kind, version, config, created = row
    if not (isinstance(key, str) and isinstance(kind, str) and isinstance(config, str)):
        return None
    if type(version) is not int or not _is_time(created):
        return None
    if key != key_of_text(kind, version, config):
        return None
    try:
        return as_object(load(config), "config")
    except InvalidInputError:
        return None


def _is_time(seconds: object) -> bool:
    return isinstance(seconds, float) and math.isfinite(seconds) and 0 <= seconds <= _LAST_SECOND


MEMORY = ":memory:"
"""The name of a database in memory, which ends with the process."""

_APPLICATION = 0x48414E42  # "HANB"
_PATIENCE = 10.0
_FORMS = (
    (
        """CREATE TABLE works (
            key TEXT PRIMARY KEY, kind TEXT NOT NULL, version INTEGER NOT NULL,
            config TEXT NOT NULL, created REAL NOT NULL
        ) WITHOUT ROWID""",
        """CREATE TABLE chunks (
            key TEXT NOT NULL REFERENCES works (key) ON DELETE CASCADE,
            "first" INTEGER NOT NULL, "count" INTEGER NOT NULL,
            payload BLOB NOT NULL, seconds REAL NOT NULL, finished REAL NOT NULL,
            PRIMARY KEY (key, "first", "count")
        )""",
    ),
    (
        "ALTER TABLE works ADD COLUMN checksum TEXT",
        "ALTER TABLE chunks ADD COLUMN checksum TEXT",
    ),
)
"""The statements that each schema adds to the previous one."""

_SCHEMA = len(_FORMS)
_LAYOUT = r"""
SELECT m.type, m.name, c.cid, c.name, c.type, c."notnull", c.pk, c.hidden
FROM sqlite_master AS m LEFT JOIN pragma_table_xinfo(m.name) AS c
WHERE m.name NOT LIKE 'sqlite\_%' ESCAPE '\'
"""


class Database:
    """An open file of results; any thread may use it, one at a time.

    Parameters
    ----------
    name
        The file, created if it does not exist; or `MEMORY`.

    Raises
    ------
    StoreError
        If the file cannot be opened, is no store, or was made by a newer version.

    >>> Database(MEMORY).query("SELECT key FROM works")
    []
    """

    def __init__(self, name: str) -> None:
        if not name:
            raise StoreError("the name of the store is empty")
        if "\0" in name:
            raise StoreError(f"{quote(name)}: a NUL in the name of a store")
        self._name = name
        # SQLite would read a name that begins with "file:" as a URI with options.
        file = name if name == MEMORY else str(Path(name).absolute())
        self._lock = threading.RLock()
        with self._translated():
            # Transactions begin and end explicitly.
            self._connection = sqlite3.connect(
                file, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
            )
        # Without this, Python 3.13 and later warn if the connection is left to the garbage
        # collector. Closing it late loses nothing.
        finalize(self, self._connection.close)
        try:
            self._open()
        except BaseException:
            self._connection.close()
            raise

    def close(self) -> None:
        """Close the file."""
        with self._translated():
            self._connection.close()

    def query(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        """Return the rows of a statement."""
        with self._translated():
            return self._connection.execute(statement, tuple(values)).fetchall()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit everything written inside the block, or nothing."""
        with self._translated():
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _open(self) -> None:
        # So a damaged text reads as damaged, and does not hide the other rows.
        self._connection.text_factory = lambda text: text.decode(errors="replace")
        with self._translated():
            self.query("PRAGMA foreign_keys = ON")
            self.query("BEGIN")  # another process may be creating it
            schema = self._schema()
            self.query("COMMIT")
            self._write_ahead()
        if schema < _SCHEMA:
            self._bring_up()

    def _schema(self) -> int:
        """Return the number of the schema, 0 if there are no tables yet."""
        application, schema = (
            self.query(f"PRAGMA {name}")[0][0] for name in ("application_id", "user_version")
        )
        layout = set(self.query(_LAYOUT))
        if not layout and not application and not schema:
            return 0
        if application == _APPLICATION and schema > _SCHEMA:
            raise StoreError(
                f"{quote(self._name)} was made by a newer version of hanabi (form {schema};"
                f" this one knows {_SCHEMA})"
            )
        if application != _APPLICATION or schema < 1 or layout != _layout_of(schema):
            raise StoreError(f"{quote(self._name)} is no store of results")
        return int(schema)

    def _write_ahead(self) -> None:
        """Let readers go on while a writer writes; committed rows survive a kill."""
        deadline = time.monotonic() + _PATIENCE
        while True:
            # SQLite does not wait by itself if another process does the same.
            try:
                ((mode,),) = self._connection.execute("PRAGMA journal_mode = WAL").fetchall()
                break
            except sqlite3.OperationalError as error:
                is_busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
                if not is_busy or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
        if mode == "wal":  # not on every file system; in other modes this would be less safe
            self.query("PRAGMA synchronous = NORMAL")

    def _bring_up(self) -> None:
        """Upgrade the tables to the current schema in one transaction."""
        with self.transaction():
            schema = self._schema()  # another process may have upgraded it first
            for statement in chain(*_FORMS[schema:]):
                self.query(statement)
            if schema < _SCHEMA:
                self._seal_rows()
                self.query(f"PRAGMA application_id = {_APPLICATION}")
                self.query(f"PRAGMA user_version = {_SCHEMA}")

    def _seal_rows(self) -> None:
        """Give checksums to the rows of the first schema; invalid rows get none."""
        for row in self.query("SELECT key, kind, version, config, created FROM works"):
            if config_of(row) is not None:
                self.query("UPDATE works SET checksum = ? WHERE key = ?", (sealed(row)[-1], row[0]))
        for (number,) in self.query("SELECT rowid FROM chunks"):
            for row in self.query(
                'SELECT key, "first", "count", payload, seconds, finished FROM chunks'
                " WHERE rowid = ?",
                (number,),
            ):
                if is_chunk(row):
                    change = "UPDATE chunks SET checksum = ? WHERE rowid = ?"
                    self.query(change, (sealed(row)[-1], number))

    @contextmanager
    def _translated(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except (sqlite3.Error, UnicodeError) as error:
                raise StoreError(f"store {quote(self._name)}: {error}") from None


def _layout_of(schema: int) -> set[Row]:
    """Return the columns that a store of this schema has."""
    with closing(sqlite3.connect(MEMORY)) as fresh:
        for statement in chain(*_FORMS[:schema]):
            fresh.execute(statement)
        return set(fresh.execute(_LAYOUT))


@dataclass(frozen=True, slots=True)
class Chunk:
    """A finished chunk of items; `finished` is when it was stored, in seconds since 1970."""

    first: int
    count: int
    seconds: float
    finished: float


@dataclass(frozen=True, slots=True)
class Stored:
    """The results of some `Work` in a store: the number of items, and their seconds of work.

    `created` is when the work was first stored, in seconds since 1970.
    """

    key: str
    kind: str
    version: int
    config: dict[str, Any]
    created: float
    items: int
    seconds: float


class Store:
    """A file of results.

    Any thread may use it, one at a time. Several processes may use the same file: if two compute
    the same chunk, their records are equal.

    Parameters
    ----------
    path
        The file, created if it does not exist. While it is open, SQLite keeps two more files
        beside it, with `-wal` and `-shm` added to the name. A store of an earlier version is
        upgraded, its results included.
    must_exist
        Whether a missing file is an error.
    warn
        Called with one line for each damaged row, once per row; such rows are left out. The lines
        are also in `damaged`.

    Raises
    ------
    StoreError
        If the file cannot be opened, is no store, or was made by a newer version.

    >>> from hanabi.rules import Rules
    >>> from hanabi.lab import Simulation
    >>> store = Store.memory()
    >>> key = store.add(Simulation(("random",), Rules.official(2), seed=1))
    >>> store.put(key, 0, 2, b"abcd", seconds=0.1)
    >>> store.put(key, 1, 3, b"cdefgh", seconds=0.1)
    >>> store.ranges(key), store.payload(key, 4), store.damaged
    ([(0, 4)], b'abcdefgh', ())
    """

    def __init__(
        self,
        path: str | Path,
        *,
        must_exist: bool = False,
        warn: Callable[[str], None] | None = None,
    ) -> None:
        self._name = str(path)
        self._warn = warn
        self._told: dict[str, None] = {}  # in order
        self._telling = threading.Lock()
        if must_exist and self._name not in ("", MEMORY) and not Path(path).is_file():
            raise StoreError(f"there is no store {quote(self._name)}")
        self._file = Database(self._name)

    @classmethod
    def memory(cls) -> Store:
        """Return a store in memory, which ends with the process."""
        return cls(MEMORY)

    @property
    def path(self) -> Path | None:
        """The file, or None if it is in memory."""
        return None if self._name == MEMORY else Path(self._name)

    @property
    def damaged(self) -> tuple[str, ...]:
        """The damaged rows found so far and left out, one line each."""
        return tuple(self._told)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; a closed store cannot be used."""
        self._file.close()

    def add(self, work: Work) -> str:
        """Register some work, unless the store has it already, and return its key.

        Damaged rows of the work are deleted.
        """
        key = key_of(work)
        row = sealed((key, work.kind, work.version, canonical(work.config()), time.time()))
        with self._file.transaction():
            kept = self._file.query("SELECT * FROM works WHERE key = ?", (key,))
            if all(self._config(each) is None for each in kept):
                self._file.query(
                    "INSERT INTO works VALUES (?, ?, ?, ?, ?, ?)"
                    " ON CONFLICT (key) DO UPDATE SET kind = excluded.kind,"
                    " version = excluded.version, config = excluded.config,"
                    " created = excluded.created, checksum = excluded.checksum",
                    row,
                )
            for number in self._read(key)[1]:
                self._file.query("DELETE FROM chunks WHERE rowid = ?", (number,))
        return key

    def put(self, key: str, first: int, count: int, payload: bytes, *, seconds: float) -> None:
        """Store the records of the items `first` .. `first + count - 1`; durable on return.

        Raises
        ------
        StoreError
            If the payload does not split into `count` records of equal length, or cannot be
            written.
        """
        row = (key, first, count, payload, float(seconds), time.time())
        if not is_chunk(row):
            raise StoreError(f"{len(payload)} bytes are no records of {count} items from {first}")
        with self._file.transaction():
            self._file.query(
                "INSERT OR REPLACE INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?)", sealed(row)
            )

    def chunks(self, key: str) -> list[Chunk]:
        """Return the finished chunks of some work, ordered by first item; they may overlap."""
        return [chunk for chunk, _ in self._read(key)[0]]

    def ranges(self, key: str) -> list[Range]:
        """Return the finished items of some work as disjoint ranges, in order."""
        return merged((chunk.first, chunk.count) for chunk in self.chunks(key))

    def payload(self, key: str, items: int, *, width: int | None = None, first: int = 0) -> bytes:
        """Return the concatenated records of the items `first` .. `items - 1`.

        Parameters
        ----------
        key
            The key of the work.
        items
            The number of items, those before `first` included.
        width
            The required length of a record in bytes; None for any length.
        first
            The first item.

        Raises
        ------
        StoreError
            If an item is not done, or its record has another length.
        """
        parts: list[bytes] = []
        end = first
        for chunk, payload in self._read(key)[0]:
            start, count = chunk.first, chunk.count
            if start <= end < min(start + count, items):
                found = len(payload) // count
                if width is not None and found != width:
                    raise StoreError(
                        f"store {quote(self._name)}: the records of the work {quote(key)} have"
                        f" {counted(found, 'byte')}, not {width}"
                    )
                stop = min(start + count, items)
                parts.append(payload[(end - start) * found : (stop - start) * found])
                end = stop
        if end < items:
            raise StoreError(f"item {end} of {items} of the work {quote(key)} is not done")
        return b"".join(parts)

    def merge(self, *others: Store) -> int:
        """Add all results of other stores, all of them or none, and return how many were new.

        Equal results in several stores are kept once, so a merge can be repeated. Damaged rows are
        left out, as everywhere.

        Raises
        ------
        StoreError
            If two stores have different results for the same item; the message names the store, the
            work and the item. Nothing is merged then.

        >>> from hanabi.rules import Rules
        >>> from hanabi.lab import Simulation
        >>> stores = [Store.memory() for _ in range(3)]
        >>> for first, store in enumerate(stores[1:]):
        ...     key = store.add(Simulation(("random",), Rules.official(2), seed=1))
        ...     store.put(key, first, 2, b"abcdef"[2 * first :][:4], seconds=0.1)
        >>> stores[0].merge(*stores[1:]), stores[0].payload(key, 3)
        (3, b'abcdef')
        """
        new = 0
        with self._file.transaction():
            for other in others:
                for stored in other.works():
                    new += self._take_work(stored, other)
        return new

    def _take_work(self, stored: Stored, other: Store) -> int:
        """Add the results of some work of another store, and return how many were new."""
        key = stored.key
        row = key, stored.kind, stored.version, canonical(stored.config), stored.created
        kept = self._file.query("SELECT * FROM works WHERE key = ?", (key,))
        if all(self._config(each) is None for each in kept):
            self._file.query("INSERT OR REPLACE INTO works VALUES (?, ?, ?, ?, ?, ?)", sealed(row))
        mine, bad = self._read(key)
        for number in bad:
            self._file.query("DELETE FROM chunks WHERE rowid = ?", (number,))
        theirs = other._read(key)[0]
        held = _Records(self._name, key)
        for chunk, payload in mine:
            held.add(self._name, chunk, payload)
        before = held.items
        for chunk, payload in theirs:
            if held.add(other._name, chunk, payload):
                cells = key, chunk.first, chunk.count, payload, chunk.seconds, chunk.finished
                self._file.query(
                    "INSERT OR REPLACE INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?)", sealed(cells)
                )
        return held.items - before

    def works(self) -> list[Stored]:
        """Return all work in the store, the oldest first."""
        rows = self._file.query("SELECT * FROM works")
        works = [
            self._stored(row, config) for row in rows if (config := self._config(row)) is not None
        ]
        for key, n in self._file.query(
            "SELECT key, count(*) FROM chunks WHERE key NOT IN (SELECT key FROM works) GROUP BY key"
        ):
            self._tell(f"{counted(n, 'chunk')} of a work that is not there, {quote(key)}: left out")
        return sorted(works, key=lambda stored: (stored.created, stored.key))

    def _stored(self, row: Row, config: dict[str, Any]) -> Stored:
        key, kind, version, _, created, _ = row
        chunks = self.chunks(key)
        items = sum(count for _, count in merged((each.first, each.count) for each in chunks))
        seconds = sum(chunk.seconds for chunk in chunks)
        return Stored(key, kind, version, config, created, items, seconds)

    def _config(self, row: Row) -> dict[str, Any] | None:
        """Return the configuration in a row of the works, or None if it is damaged."""
        config = config_of(row[:-1]) if is_whole(row) else None
        if config is None:
            self._tell(f"the work {quote(row[0])} is damaged and left out")
        return config

    def _read(self, key: str) -> tuple[list[tuple[Chunk, bytes]], list[int]]:
        """Return the chunks of some work in order, and the numbers of the damaged rows."""
        good: list[tuple[Chunk, bytes, int]] = []
        bad: list[tuple[object, object, int]] = []
        for number, *row in self._file.query("SELECT rowid, * FROM chunks WHERE key = ?", (key,)):
            _, first, count, payload, seconds, finished, _ = row
            if is_whole(row) and is_chunk(row[:-1]):
                good.append((Chunk(first, count, seconds, finished), payload, number))
            else:
                bad.append((first, count, number))
        # All records of some work have the same length; chunks of any other length are damaged.
        widths: Counter[int] = Counter()
        for chunk, payload, _ in good:
            widths[len(payload) // chunk.count] += chunk.count
        width = max(widths, key=lambda each: (widths[each], -each), default=0)
        chunks = []
        for chunk, payload, number in sorted(good, key=lambda each: (each[0].first, each[0].count)):
            if len(payload) == width * chunk.count:
                chunks.append((chunk, payload))
            else:
                bad.append((chunk.first, chunk.count, number))
        for first, count, _ in bad:
            what = f"a chunk of {quote(count)} from {quote(first)} on"
            self._tell(f"{what} of the work {quote(key)} is damaged and left out")
        return chunks, [number for _, _, number in bad]

    def _tell(self, message: str) -> None:
        """Report a damaged row, once."""
        line = f"store {quote(self._name)}: {message}"
        with self._telling:
            if line in self._told:
                return
            self._told[line] = None
        if self._warn is not None:
            self._warn(line)


class _Records:
    """The records of some work that two stores hold, compared wherever both have an item."""

    def __init__(self, name: str, key: str) -> None:
        self._name, self._key = name, key
        self._width = 0
        self._starts: list[int] = []  # of disjoint parts, in order
        self._parts: list[bytes] = []
        self.items = 0
        """How many different items there are."""

    def add(self, name: str, chunk: Chunk, payload: bytes) -> bool:
        """Add a chunk of a store, and return whether it holds a new item."""
        width = len(payload) // chunk.count
        self._width = self._width or width
        if width != self._width:
            widths = f"{counted(width, 'byte')}, not {self._width}"
            raise self._conflict(name, f"records of the work {quote(self._key)} have {widths}")
        at, end, gaps = chunk.first, chunk.first + chunk.count, list[tuple[int, int]]()
        place = max(bisect_right(self._starts, at) - 1, 0)
        while at < end and place < len(self._starts):
            start, part = self._starts[place], self._parts[place]
            stop = start + len(part) // width
            if start > at:
                gaps.append((at, min(start, end)))
                at = min(start, end)
            if at < min(stop, end):
                ours = part[(at - start) * width : (min(stop, end) - start) * width]
                offset = (at - chunk.first) * width
                self._compare(name, at, ours, payload[offset : offset + len(ours)])
                at = min(stop, end)
            place += 1
        if at < end:
            gaps.append((at, end))
        for start, stop in gaps:
            where = bisect_right(self._starts, start)
            self._starts.insert(where, start)
            records = payload[(start - chunk.first) * width : (stop - chunk.first) * width]
            self._parts.insert(where, records)
            self.items += stop - start
        return bool(gaps)

    def _compare(self, name: str, first: int, ours: bytes, theirs: bytes) -> None:
        if ours == theirs:
            return
        pairs = enumerate(zip(ours, theirs, strict=True))
        byte = next(place for place, (mine, other) in pairs if mine != other)
        item = first + byte // self._width
        raise self._conflict(name, f"item {item} of the work {quote(self._key)} has another result")

    def _conflict(self, name: str, what: str) -> StoreError:
        return StoreError(
            f"store {quote(name)} contradicts {quote(self._name)} or a store merged before it:"
            f" {what}; nothing is merged"
        )
