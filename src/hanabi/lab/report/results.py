"""The contents of a store as plain rows: one for each piece of work, or one for each game."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from hanabi.ground import Cell, InvalidInputError, MissingPackageError, printable, quote, rounded
from hanabi.lab.recorded import FORFEITED, Gain, Gains, Recorded, gain_in
from hanabi.lab.stats import Estimate, Summary, summarize
from hanabi.lab.store import Store, Stored
from hanabi.lab.work import Simulation, rules_from_json
from hanabi.players import PLAYERS, WRAPPERS
from hanabi.rules import (
    PRESETS,
    EndReason,
    GameRecord,
    Replay,
    Rules,
    as_array,
    as_integer,
    as_text,
    defaults_of,
    write_parameters,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "LONG",
    "RECORDS",
    "SCORES",
    "KeptGames",
    "describe_team",
    "estimate_cells",
    "find_work",
    "game_rows",
    "kept_games",
    "outcome_rows",
    "record_row",
    "score_cells",
    "shorten_player",
    "summary_rows",
    "table_of_documents",
    "write_parquet",
]

SCORES = MappingProxyType(
    {
        "games": "int64",
        "mean": "double",
        "standard_error": "double",
        "perfect": "int64",
        "bombed": "int64",
        "mean_kept": "double",
        "mean_zeroed": "double",
    }
)
"""The columns of `score_cells`, and their types."""

SUMMARY = MappingProxyType(
    {
        "key": "string",
        "players": "string",
        "rules": "string",
        "seats": "int64",
        "seed": "uint64",
        "repeat": "int64",
        **SCORES,
        "seconds": "double",
        "gain_over": "string",
        "gain": "double",
        "gain_standard_error": "double",
    }
)
"""The columns of `summary_rows`, and their types."""

GAMES = MappingProxyType(
    {
        "key": "string",
        "players": "string",
        "seed": "uint64",
        "repeat": "int64",
        "deal": "int64",
        "points": "int64",
        "bombed": "int64",
    }
)
"""The columns of `game_rows`, and their types."""

_BATCH = 100_000
_LONGEST_PLAYER = 1_000
_RECORD = 2  # bytes


@dataclass(frozen=True, slots=True)
class KeptGames:
    """Games of a store, from the first deal up to the first gap.

    `rules_name` is the name of a preset, or "other". `outcomes` are `points << 1 | is_bombed`, by
    deal. `gain` is the gain over the player `baseline`, if the work keeps it. `forfeited` is the
    number of forfeited games, if the work keeps the actions; they have the outcome 0.
    """

    stored: Stored
    rules: Rules
    rules_name: str
    outcomes: npt.NDArray[np.int64]
    baseline: str | None = None
    gain: Gain | None = None
    forfeited: int = 0

    @property
    def players(self) -> str:
        """The players, one for all seats or one for each, as printable text."""
        # Anyone may have written the file.
        return printable(describe_team(self.stored.config["players"]))

    @property
    def summary(self) -> Summary | None:
        """The summary of the games; None if there are none."""
        return summarize([self.outcomes], self.rules) if len(self.outcomes) else None


def kept_games(store: Store, stored: Stored) -> KeptGames | None:
    """Return the games of some work, or None if it is work of another kind, or of a later version.

    Unfinished work contributes only the games before the first gap. They are there whatever their
    outcome; games after a gap may be there only because they ended sooner, which would bias the
    results.

    Raises InvalidInputError if the configuration or the results cannot be those of a simulation.

    >>> store = Store.memory()
    >>> key = store.add(Simulation(("random",), Rules.hle(2), seed=1))
    >>> store.put(key, 0, 2, bytes([6, 0, 8, 0]), seconds=0.1)
    >>> games = kept_games(store, store.works()[0])
    >>> games.rules_name, games.outcomes.tolist()
    ('hle', [6, 8])
    """
    kinds = {each.kind: each.version for each in (Simulation, Recorded, Gains)}
    if stored.version > kinds.get(stored.kind, -1):
        return None
    try:
        rules = _rules_of(stored)
        ranges = store.ranges(stored.key)
        n = ranges[0][1] if ranges and ranges[0][0] == 0 else 0
        records = store.payload(stored.key, n)
        outcomes = _outcomes(records, n, rules, stored.kind)
        forfeited = _forfeited(records, n) if n and stored.kind == Recorded.kind else 0
        baseline = gain = None
        if stored.kind == Gains.kind and n:
            baseline = printable(as_text(stored.config.get("baseline"), "baseline"))
            orders = as_integer(stored.config.get("orders"), "orders", 1)
            gain = gain_in(rules, orders, [records])
    except InvalidInputError as error:
        raise InvalidInputError(f"work {quote(stored.key)}: {error}") from None
    return KeptGames(stored, rules, _name_of(rules), outcomes, baseline, gain, forfeited)


def _rules_of(stored: Stored) -> Rules:
    """Return the rules in a configuration; raise if no simulation can have it."""
    config = stored.config
    for seat, player in enumerate(as_array(config.get("players"), "players")):
        as_text(player, f"players[{seat}]")
    for name, high in (("seed", 2**64 - 1), ("repeat", 2**63 - 1)):
        as_integer(config.get(name), name, high=high)
    return rules_from_json(config.get("rules"))


def _outcomes(records: bytes, games: int, rules: Rules, kind: str) -> npt.NDArray[np.int64]:
    import numpy as np

    width = _RECORD
    if kind != Simulation.kind and games:  # an outcome, and more
        width = len(records) // games
    if len(records) != width * games or width % _RECORD:
        raise InvalidInputError(f"{len(records)} bytes are no records of {games} games")
    outcomes = np.frombuffer(records, "<u2")[:: width // _RECORD].astype(np.int64)
    most = int(outcomes.max(initial=0)) >> 1
    if most > rules.max_score:
        raise InvalidInputError(f"a score of {most} with {rules.max_score} points at most")
    return outcomes


def _forfeited(records: bytes, games: int) -> int:
    """Return the number of forfeited games in records that begin with an outcome and the turns."""
    import numpy as np

    words = np.frombuffer(records, "<u2").reshape(games, -1)
    return int((words[:, 1:2] == FORFEITED).sum())


def _name_of(rules: Rules) -> str:
    for name, preset in PRESETS.items():
        try:
            if preset(rules.seats) == rules:
                return name
        except InvalidInputError:  # a preset that does not exist for this number of seats
            continue
    return "other"


def shorten_player(text: str) -> str:
    """Return the text of a player without parameters at their default values.

    >>> shorten_player("rule-based:hint=2,discard=2,play=0.6")
    'rule-based:hint=2'
    >>> shorten_player("belief:worlds=50,seats=2/convention:plays=yes")
    'belief:worlds=50/convention'
    """
    if len(text) > _LONGEST_PLAYER:  # no real player is that long
        return text
    own, slash, improved = text.partition("/")
    name, _, rest = own.partition(":")
    # A store may name anybody's file or module; displaying it must not run them.
    if name not in (WRAPPERS if slash else PLAYERS):
        return text
    usual = write_parameters(defaults_of((WRAPPERS if slash else PLAYERS)[name]))[1:].split(",")
    special = [part for part in rest.split(",") if part not in usual]
    short = f"{name}:{','.join(special)}" if rest and special else name
    return f"{short}/{shorten_player(improved)}" if slash else short


def describe_team(players: Iterable[str]) -> str:
    """Return the players as one text: one for all seats, or one for each.

    >>> describe_team(["random", "rule-based:hint=3"])
    'random; rule-based'
    """
    return "; ".join(map(shorten_player, players))


def find_work(store: Store, key: str) -> Stored:
    """Return the work whose key begins with this text.

    Raises InvalidInputError if there is no such work, or more than one.

    >>> find_work(Store.memory(), "ab")
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: no results have the key 'ab'
    """
    found = [each for each in store.works() if each.key.startswith(key)]
    if not key or not found:
        raise InvalidInputError(f"no results have the key {quote(key)}")
    if len(found) > 1:
        raise InvalidInputError(f"{len(found)} results have a key that begins with {quote(key)}")
    return found[0]


def score_cells(summary: Summary) -> list[Cell]:
    """Return the summary of some games as cells of the columns `SCORES`.

    Means are given by the rules, and under both scorings of a bombed game. `perfect` and `bombed`
    are numbers of games.

    >>> import numpy as np
    >>> score_cells(summarize([np.array([6, 8])], Rules.hle(2)))
    [2, 3.5, 0.5, 0, 0, 3.5, 3.5]
    """
    return [
        summary.games,
        rounded(summary.score.value),
        rounded(summary.score.standard_error),
        summary.scores.perfect,
        summary.tally.n_bombed,
        rounded(summary.kept.value),
        rounded(summary.zeroed.value),
    ]


def estimate_cells(estimate: Estimate | None) -> list[Cell]:
    """Return a value and its standard error as cells, both None if there is no estimate.

    >>> estimate_cells(None)
    [None, None]
    """
    if estimate is None:
        return [None, None]
    return [rounded(estimate.value), rounded(estimate.standard_error)]


def summary_rows(works: Iterable[KeptGames]) -> Iterator[list[Cell]]:
    """Yield a row for each work that has games, with the columns `SUMMARY`.

    >>> [*summary_rows([])]
    []
    """
    for games in works:
        summary = games.summary
        if summary is None:
            continue
        config = games.stored.config
        yield [
            games.stored.key,
            games.players,
            games.rules_name,
            games.rules.seats,
            config["seed"],
            config["repeat"],
            *score_cells(summary),
            round(games.stored.seconds, 3),
            games.baseline,
            *estimate_cells(None if games.gain is None else games.gain.points),
        ]


def game_rows(works: Iterable[KeptGames]) -> Iterator[list[Cell]]:
    """Yield a row for each game, with the columns `GAMES`.

    `points` are the cards on the piles, even in a bombed game; `bombed` is 0 or 1.

    >>> [*game_rows([])]
    []
    """
    for games in works:
        config, players = games.stored.config, games.players
        about = [games.stored.key, players, config["seed"], config["repeat"]]
        yield from outcome_rows(about, games.outcomes)


def outcome_rows(about: Sequence[Cell], outcomes: Iterable[int]) -> Iterator[list[Cell]]:
    """Yield a row for each game of a run; each row begins with the cells `about`.

    >>> [*outcome_rows(["key", "random", 1, 0], [6, 9])]
    [['key', 'random', 1, 0, 0, 3, 0], ['key', 'random', 1, 0, 1, 4, 1]]
    """
    for deal, outcome in enumerate(map(int, outcomes)):
        yield [*about, deal, outcome >> 1, outcome & 1]


def write_parquet(
    columns: Mapping[str, str], rows: Iterable[Sequence[Cell]], path: str | Path
) -> None:
    """Write a table as a Parquet file, with pyarrow (the extra `parquet`).

    Parameters
    ----------
    columns
        Names of the columns, with the names of their pyarrow types.
    rows
        Rows with one cell for each column; read in batches, so there may be millions.
    path
        The file; overwritten.

    Raises
    ------
    MissingPackageError
        If pyarrow is not installed.
    OSError
        If the file cannot be written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_parquet({"a": "string", "b": "int64"}, [["x", 1]], f"{folder}/t.parquet")
    """
    if find_spec("pyarrow") is None:
        raise MissingPackageError("Parquet files need pyarrow", extra="parquet")
    import pyarrow as pa
    from pyarrow import parquet

    schema = pa.schema([(name, pa.type_for_alias(kind)) for name, kind in columns.items()])
    kinds = columns.values()
    waiting = iter(rows)
    with parquet.ParquetWriter(path, schema) as writer:
        while batch := list(islice(waiting, _BATCH)):
            arrays = [
                pa.array(map(_encodable, cells) if kind in _TEXT else cells, kind)
                for cells, kind in zip(zip(*batch, strict=True), kinds, strict=True)
            ]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))


def _encodable(cell: Cell) -> Cell:
    """Return a cell with halves of surrogate pairs escaped, for which UTF-8 has no bytes."""
    return cell.encode("utf-8", "backslashreplace").decode() if isinstance(cell, str) else cell


# Recorded games as rows of a table.

RECORDS: Mapping[str, str] = MappingProxyType(
    {
        "id": "string",
        "players": "int64",
        "variant": "string",
        "names": "string",
        "deck": "string",
        "actions": "string",
        "moves": "int64",
        "score": "int64",
        "ended": "string",
    }
)
"""The columns and their types.

`deck` has the cards in draw order, `b5 y1 ...`. `actions` are those of hanab.live, each as
`type:target` or `type:target:value`; the target of a play or discard is the index of the card in
the deck. `ended` is the reason why a finished game ended: a value of `EndReason`, or of
`RecordedEnd` if it did not end by the rules. `score` is the final score, 0 in the latter case.
`names` are an array in JSON.
"""


def record_row(name: str, record: GameRecord, replay: Replay) -> list[Cell]:
    """Return the row of a replayed game.

    >>> import json
    >>> from hanabi.rules.replay import replay_of
    >>> from hanabi.rules.notation import parse_input
    >>> hint = {"type": 3, "target": 1, "value": 1}
    >>> record = parse_input(json.dumps({"seed": "p2v0s5", "actions": [hint]}))
    >>> record_row("a", record, replay_of(record))[5:]
    ['3:1:1', 1, 0, '']
    """
    return [name, *_cells(record, replay)]


def _cells(record: GameRecord, replay: Replay) -> Iterator[Cell]:
    variant = record.variant_data
    yield record.players
    yield record.variant
    yield json.dumps(record.names, ensure_ascii=False)
    yield " ".join(variant.format_card(*card) for card in record.deck)
    yield " ".join(
        ":".join(str(part) for part in (each.type, each.target, each.value) if part is not None)
        for each in record.actions
    )
    yield len(replay.positions) - 1
    yield replay.score
    yield replay.end.name.lower() if replay.end is not EndReason.IN_PROGRESS else ""


# JSON documents as rows of a table: a column for every value that at least one of them has.

LONG = "large_string"
"""The type of columns of long text, which cells of spreadsheets cannot hold."""

_TEXT = ("string", LONG)
_FIRST = ("item", "line")
_NUMBERS = {"int64", "double"}
_MOST = 2**63
_LONGEST_ARRAY = 1_000  # characters


def table_of_documents(
    documents: Callable[[], Iterable[Mapping[str, Any]]],
) -> tuple[dict[str, str], Iterator[list[Cell]]]:
    """Return the columns, with the names of their pyarrow types, and the rows. O(values).

    An object within a document becomes one column for each of its values, named like `best.lower`;
    an array becomes one column of JSON texts. A missing value is an empty cell. Columns with an
    array of arrays or objects, or with more than a thousand characters of JSON, have the type
    `LONG`.

    Parameters
    ----------
    documents
        Returns the documents; it is called twice and must return the same ones.

    >>> documents = [{"best": {"lower": 3}, "moves": [1]}, {"seconds": 0.5}]
    >>> columns, rows = table_of_documents(lambda: documents)
    >>> columns
    {'best.lower': 'int64', 'moves': 'string', 'seconds': 'double'}
    >>> [*rows]
    [[3, '[1]', None], [None, None, 0.5]]
    """
    kinds: dict[str, str | None] = {}
    for document in documents():
        for name, value in _flat(document):
            kinds[name] = _joined(kinds.get(name), value)
    parents = {name[:at] for name in kinds for at, letter in enumerate(name) if letter == "."}
    names = [name for name, kind in kinds.items() if kind is not None or name not in parents]
    names.sort(key=lambda name: name not in _FIRST)
    columns = {name: kinds[name] or "string" for name in names}

    def rows() -> Iterator[list[Cell]]:
        for document in documents():
            values = dict(_flat(document))
            yield [_cell(values.get(name), kind) for name, kind in columns.items()]

    return columns, rows()


def _flat(document: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in document.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{path}{name}.")
        else:
            yield f"{path}{name}", value


def _joined(kind: str | None, value: Any) -> str | None:
    """Return the type of a column after one more value."""
    if value is None:
        return kind
    if isinstance(value, list) and _is_long(value):
        return LONG
    if isinstance(value, bool):
        own = "bool"
    elif isinstance(value, int) and -_MOST <= value < _MOST:
        own = "int64"
    else:
        own = "double" if isinstance(value, float) else "string"
    if kind in (None, own):
        return own
    if kind == LONG:
        return LONG
    return "double" if {kind, own} == _NUMBERS else "string"


def _is_long(array: list[Any]) -> bool:
    """Return whether an array is longer than a cell of a spreadsheet should be."""
    if any(isinstance(each, list | dict) for each in array):
        return True
    return len(json.dumps(array)) > _LONGEST_ARRAY


def _cell(value: Any, kind: str) -> Cell:
    if value is None:
        return None
    if kind in _TEXT:
        return value if isinstance(value, str) else json.dumps(value)
    return float(value) if kind == "double" else value
