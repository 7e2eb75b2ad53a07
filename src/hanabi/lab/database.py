"""The SQLite file of a store: opening it, telling it from other files, upgrading it.

Schema 2 gave every row a checksum. A new store is created in the first schema and upgraded from
there, so that old and new stores end with the same tables.
"""

from __future__ import annotations

import hashlib
import math
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias
from weakref import finalize

from hanabi.errors import InvalidInputError, StoreError, quote
from hanabi.lab.work import key_of_text
from hanabi.notation.strict_json import as_object, load

__all__ = ["MEMORY", "Database", "Row", "config_of", "is_chunk", "is_whole", "sealed"]

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
