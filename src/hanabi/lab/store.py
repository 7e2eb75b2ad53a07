"""The store of results: one SQLite file, one row for each finished chunk.

Every chunk is written in its own transaction, so a kill at any moment leaves all finished chunks.
Only the process that coordinates the workers writes. A damaged row is reported, left out, and
computed again.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hanabi.errors import StoreError, counted, quote
from hanabi.lab.database import MEMORY, Database, Row, config_of, is_chunk, is_whole, sealed
from hanabi.lab.work import Range, Work, canonical, key_of, merged

__all__ = ["Chunk", "Store", "Stored"]


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

    >>> from hanabi.game import Rules
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

    def payload(self, key: str, items: int, *, width: int | None = None) -> bytes:
        """Return the concatenated records of the items 0 .. `items - 1`.

        Parameters
        ----------
        key
            The key of the work.
        items
            The number of items.
        width
            The required length of a record in bytes; None for any length.

        Raises
        ------
        StoreError
            If an item is not done, or its record has another length.
        """
        parts: list[bytes] = []
        end = 0
        for chunk, payload in self._read(key)[0]:
            first, count = chunk.first, chunk.count
            if first <= end < min(first + count, items):
                found = len(payload) // count
                if width is not None and found != width:
                    raise StoreError(
                        f"store {quote(self._name)}: the records of the work {quote(key)} have"
                        f" {counted(found, 'byte')}, not {width}"
                    )
                stop = min(first + count, items)
                parts.append(payload[(end - first) * found : (stop - first) * found])
                end = stop
        if end < items:
            raise StoreError(f"item {end} of {items} of the work {quote(key)} is not done")
        return b"".join(parts)

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
