"""Stores of known games, and what can happen to their files."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

from hanabi.lab import Simulation, Store
from hanabi.lab.store import sealed
from hanabi.lab.work import canonical, key_of_text
from hanabi.rules import Rules

__all__ = ["GAMES", "WORKS", "damage", "edited", "make_first_schema", "make_store"]

GAMES = 24
WORKS = tuple(
    Simulation((player,), Rules.hanab_live(2), seed=1, repeat=repeat)
    for player, repeat in (("random", 0), ("random", 1), ("rule-based", 0))
)

_NUMBERS = (
    None, -1, 0, 1, 5, 2**40, 2**63 - 1, -(2**63), 0.5, -1.0, 1e300, float("inf"), 2**53 + 0.0,
)  # fmt: skip
_TEXTS = (
    "", "x", "7", "{", "{}", "[]", "null", "NaN", "1" * 5000, "[" * 5000,
    '{"a":' * 900 + "1" + "}" * 900,
    "\x1b[2J\r\n\u202e", "\0", "x" * 100_000, "games", "squares",
)  # fmt: skip
_BLOBS = (b"", b"\0", b"\xff" * 3, bytes(64), b"\xff" * 64)
_PLAYERS: tuple[Any, ...] = (
    None, [], {}, "random", [7], ["\x1b[2J"], ["\ud800"], ["no-such"], ["random"] * 9,
    ["a/" * 5000], ["x" * 100_000], [["random"]], ["rule-based:hint=\u0663"],
)  # fmt: skip
_RULES: tuple[Any, ...] = (
    None, [], {}, {"copies": []}, {"copies": [[10**9] * 5], "seats": 3, "hand_size": 5},
    {"copies": [[1]], "seats": 10**30, "hand_size": -1}, {"copies": "abc"}, {"seats": 2},
    {"copies": [[3, 2, 2, 2, 1]] * 5, "seats": 2, "hand_size": 5, "hints": "\x1b[2J"},
    {"copies": [[1]], "seats": 1, "hand_size": 1},
)  # fmt: skip
_COLUMNS = {
    "works": ("key", "kind", "version", "config", "created", "checksum"),
    "chunks": ("key", "first", "count", "payload", "seconds", "finished", "checksum"),
}

_FIRST_SCHEMA = """
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
PRAGMA application_id = 1212239426;
PRAGMA user_version = 1;
PRAGMA journal_mode = WAL;
"""


def make_store(path: Path) -> None:
    """Make a store of all `WORKS`, in chunks of several sizes, one of them overlapping another."""
    with Store(path) as store:
        for work in WORKS:
            key = store.add(work)
            for first, count in ((0, 1), (1, 3), (4, 12), (8, 8), (16, 8)):
                store.put(key, first, count, work.run(first, count), seconds=0.01)


def make_first_schema(path: Path, source: Path) -> None:
    """Write what a store holds as the first release of this package did."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(_FIRST_SCHEMA)
        connection.execute("ATTACH ? AS source", (str(source),))
        for table, columns in _COLUMNS.items():
            names = ", ".join(f'"{name}"' for name in columns[:-1])
            connection.execute(f"INSERT INTO {table} SELECT {names} FROM source.{table}")
        connection.commit()


@contextmanager
def edited(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a store so that any cell takes any value."""
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql NOTNULL")
        tables = [(sql, name) for name, sql in found]
        free = [(sql.replace(" NOT NULL", ""), name) for sql, name in tables]
        _set_tables(connection, free)
        with closing(sqlite3.connect(path)) as writer:
            yield writer
            writer.commit()
        _set_tables(connection, tables)


def _set_tables(connection: sqlite3.Connection, tables: list[tuple[str, str]]) -> None:
    connection.execute("PRAGMA writable_schema = ON")
    connection.executemany("UPDATE sqlite_master SET sql = ? WHERE name = ?", tables)
    connection.commit()
    connection.execute("PRAGMA writable_schema = RESET")


def damage(random: Random, path: Path, kind: str) -> None:
    """Damage a store.

    Parameters
    ----------
    random
        Decides everything.
    path
        The file; closed.
    kind
        `cells`: other values, whose checksums disagree; `forged`: other values whose keys and
        checksums agree; `bytes`: anywhere in the file.
    """
    if kind == "bytes":
        path.write_bytes(_damaged_bytes(random, bytearray(path.read_bytes())))
        return
    with edited(path) as connection:
        for _ in range(random.choice((1, 1, 2, 5))):
            _change_row(random, connection, is_forged=kind == "forged")


def _damaged_bytes(random: Random, data: bytearray) -> bytes:
    choice = random.randrange(5)
    if choice == 0:
        del data[random.randrange(len(data)) :]
    elif choice == 1:
        at = random.randrange(len(data) // 512) * 512
        data[at : at + 512] = bytes(512)
    else:
        # What is read first decides most: the header, and the first page with the tables.
        most = random.choice((100, 4096, len(data), len(data), len(data)))
        for _ in range(random.choice((1, 1, 2, 20))):
            data[random.randrange(most)] ^= 1 << random.randrange(8)
    return bytes(data)


def _change_row(random: Random, connection: sqlite3.Connection, *, is_forged: bool) -> None:
    table = random.choice(tuple(_COLUMNS))
    has_checksums = connection.execute("PRAGMA user_version").fetchone()[0] > 1
    columns = _COLUMNS[table] if has_checksums else _COLUMNS[table][:-1]
    rows = connection.execute(f"SELECT * FROM {table}").fetchall()
    if not rows:
        return
    row = dict(zip(columns, old := random.choice(rows), strict=True))
    column = random.choice(columns)
    row[column] = _other_value(random, row[column])
    if is_forged:
        if table == "works" and random.random() < 0.8:
            row["config"] = _other_config(random)
            if isinstance(row["kind"], str) and isinstance(row["version"], int):
                row["key"] = key_of_text(row["kind"], row["version"], row["config"])
        if has_checksums:
            # As SQLite will give them back.
            row["checksum"] = sealed([row[name] for name in columns[:-1]])[-1]
    names = ", ".join(f'"{name}" = ?' for name in columns)
    where = " AND ".join(f'"{name}" IS ?' for name in columns)
    statement = f"UPDATE OR REPLACE {table} SET {names} WHERE {where}"
    with suppress(sqlite3.IntegrityError):  # a primary key is not NULL
        connection.execute(statement, (*row.values(), *old))
    if is_forged and table == "works":
        move = "UPDATE OR REPLACE chunks SET key = ? WHERE key IS ?"
        connection.execute(move, (row["key"], old[0]))


def _other_value(random: Random, value: Any) -> Any:
    if isinstance(value, bytes) and value and random.random() < 0.6:
        changed = bytearray(value)
        choice = random.randrange(4)
        if choice == 0:
            return bytes(len(value))
        if choice == 1:
            return value[: random.randrange(len(value))]
        if choice == 2:
            return value * 2
        changed[random.randrange(len(value))] ^= 1 << random.randrange(8)
        return bytes(changed)
    if isinstance(value, int) and random.random() < 0.4:
        return value + random.choice((-3, -1, 1, 2, 8))
    if isinstance(value, str) and value and random.random() < 0.3:
        at = random.randrange(len(value))
        return value[:at] + random.choice("0a\x1b}") + value[at + 1 :]
    return random.choice(random.choice((_NUMBERS, _TEXTS, _BLOBS)))


def _other_config(random: Random) -> str:
    config: dict[str, Any] = dict(random.choice(WORKS).config())
    name = random.choice(("players", "players", "rules", "rules", "seed", "repeat", "gone"))
    if name == "gone":
        del config[random.choice(tuple(config))]
    elif name in ("seed", "repeat"):
        config[name] = random.choice((None, -1, 2**63, 2**64, 2**300, 0.5, "x", [], True))
    else:
        config[name] = random.choice(_PLAYERS if name == "players" else _RULES)
    return canonical(config)
