"""Games of players as training data: observations, masks, actions, rewards, seats and own cards.

Compiled games are played as `hanabi simulate` plays them, and written down; then their turns are
observed in compiled code, too. Any other player is played from views, and observed likewise.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from hanabi._version import __version__
from hanabi.env.labels import LabelFormat
from hanabi.env.layout import Layout, ObservationKind, RulesChoice, rules_of
from hanabi.env.step import Format, check_arrays, check_flag, check_whole
from hanabi.ground import InvalidInputError, MissingPackageError, quote
from hanabi.rules import Rules
from hanabi.rules import rules_to_json
from hanabi.rules import pack_rules
from hanabi.rules import load
from hanabi.players import record_team, team_of
from hanabi.players import Player
from hanabi.players import as_player, compile_team, format_player, settle_player
from hanabi.ground import Dispatcher
from hanabi.ground import open_executor

if TYPE_CHECKING:
    from hanabi.env.expert.kernels import Moves
    from hanabi.players import Record

__all__ = [
    "CHECKSUMS",
    "FORMS",
    "MANIFEST",
    "Expert",
    "Rows",
    "read_manifest",
    "read_parts",
    "read_shards",
    "write_shards",
]

_LONGEST = 1000  # games that are played before their turns are observed
_TURNS = 64  # guessed for the first game, to know how many games may fill some rows

_Given: TypeAlias = str | Player | type[Player]
_Each = TypeVar("_Each")


@dataclass(frozen=True)
class Expert:
    """The games of a player or a team, numbered by their deals, as rows of training data.

    Parameters
    ----------
    players
        One player for all seats, or a sequence with one per seat: texts that `parse_player` reads,
        players, or player classes. Those with compiled policies play fast, mixed or not.
    rules
        The rule set or a preset's name, by default the Hanabi Learning Environment's, for as many
        seats as players or 2; see `hanabi.env.rules_of`.
    seed, repeat
        The seed of the deals and decisions, and a number from 0: another one plays the same deals
        with other random decisions. The games are those of `hanabi.players.arena.outcomes`.
    kind
        The information about cards in observations.
    packed
        Whether observations have eight entries to a byte, as `numpy.packbits(bitorder="little")`.
    posteriors
        Whether rows have the exact chances of the own cards; this takes some microseconds a row,
        and 500 bytes.

    Raises
    ------
    InvalidInputError
        If an argument is out of range, there is no such player, or the encoding or a player does
        not support the rules.

    >>> expert = Expert("rule-based", seed=1)
    >>> moves = expert.play(2)
    >>> moves.observations.shape[1], moves.masks.shape[1], moves.cards.shape[1]
    (658, 20, 5)
    >>> int(moves.dones.sum()), moves.deals[[0, -1]].tolist()
    (2, [0, 1])
    """

    players: _Given | Sequence[_Given]
    rules: RulesChoice = None
    seed: int = 0
    repeat: int = 0
    kind: ObservationKind | int = ObservationKind.CARD_KNOWLEDGE
    packed: bool = False
    posteriors: bool = False
    layout: Layout = field(init=False, repr=False)
    """The meaning of entries and action numbers."""
    _team: tuple[Player, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_whole("seed", self.seed, None)
        check_whole("repeat", self.repeat, 0)
        check_flag("packed", self.packed)
        check_flag("posteriors", self.posteriors)
        is_team = isinstance(self.players, Sequence) and not isinstance(self.players, str)
        is_open = is_team and not isinstance(self.rules, Rules)
        seats = len(self.players) if is_open else None  # type: ignore[arg-type]
        rules = rules_of(self.rules, seats)
        layout = Layout(rules, ObservationKind.parse(self.kind))
        if self.posteriors:
            LabelFormat(layout, 1, all_seats=False)  # refuses hands that are too large to count
        named: list[Any] = [self.players] * rules.seats
        if is_team:
            named = [*self.players]  # type: ignore[misc]
        team = team_of([as_player(settle_player(each)) for each in named], rules)
        compile_team(team, rules)  # refuses rules that a player does not support
        object.__setattr__(self, "layout", layout)
        object.__setattr__(self, "_team", tuple(team))

    @property
    def is_compiled(self) -> bool:
        """Whether compiled code alone plays the games."""
        return compile_team(self._team, self.layout.rules) is not None

    def new_arrays(self, rows: int) -> Moves:
        """Return arrays for that many turns, to be passed to `fill`; see `Moves`."""
        from hanabi.env.expert.kernels import Moves

        return Moves(**{name: np.zeros(*each) for name, each in self._arrays(rows).items()})

    def play(self, games: int, *, first: int = 0) -> Moves:
        """Play the deals `first` .. `first + games - 1`, and return all their turns in order.

        Raises
        ------
        InvalidInputError
            If a number is negative.
        IllegalActionError, PlayerError
            As `hanabi.players.arena.outcomes`.

        >>> expert = Expert(["random", "first-legal"], seed=1)
        >>> moves = expert.play(3, first=7)
        >>> sorted(set(moves.deals.tolist())), moves.seats[:4].tolist()
        ([7, 8, 9], [0, 1, 0, 1])
        """
        check_whole("games", games, 0)
        check_whole("first", first, 0)
        return self.observe(self.record(games, first=first), first=first)

    def observe(self, record: Record, *, first: int = 0) -> Moves:
        """Return the turns of recorded games, whose deals are numbered from `first`.

        The actions must be legal.

        >>> from hanabi.players import RandomLegal
        >>> from hanabi.players.arena import record_team
        >>> expert = Expert("random")
        >>> record = record_team([RandomLegal()] * 2, expert.layout.rules, 2, seed=1)
        >>> len(expert.observe(record).actions) == record.turns.sum()
        np.True_
        """
        moves = self.new_arrays(int(record.turns.sum()))
        self._write(record, len(record.turns), first, moves)
        return moves

    def fill(self, moves: Moves, *, first: int = 0) -> tuple[int, int]:
        """Fill arrays with the turns of whole games, from the deal `first` on.

        Parameters
        ----------
        moves
            Arrays from `new_arrays`, or slices of such.
        first
            The number of the first deal.

        Returns
        -------
        tuple of int
            The number of rows written, and the first deal that found no room.

        Raises
        ------
        InvalidInputError
            If an array does not fit or cannot be written to, or if no game has a turn.

        >>> expert = Expert("random", seed=1)
        >>> moves = expert.new_arrays(100)
        >>> rows, following = expert.fill(moves)
        >>> bool(moves.deals[rows - 1] + 1 == following)
        True
        """
        from hanabi.env.expert.kernels import Moves

        check_whole("first", first, 0)
        if not isinstance(moves, Moves):
            raise InvalidInputError(f"moves: {quote(moves)} is no Moves, as new_arrays makes them")
        room = len(moves.actions) if isinstance(moves.actions, np.ndarray) else 0
        for name, (shape, dtype) in self._arrays(room).items():
            check_arrays(name, getattr(moves, name), shape, dtype, is_written=True)
        rows, mean = 0, float(_TURNS)
        while True:
            games = max(1, min(_LONGEST, int((room - rows) / mean)))
            record = self.record(games, first=first)
            ends = record.turns.cumsum()
            if not ends[-1]:
                raise InvalidInputError(f"deals {first} to {first + games - 1}: no game has a turn")
            fitting = int(np.searchsorted(ends, room - rows, side="right"))
            self._write(record, fitting, first, Moves._make(each[rows:] for each in moves))
            first += fitting
            rows += int(ends[fitting - 1]) if fitting else 0
            if fitting < games:
                return rows, first
            mean = max(1.0, ends[-1] / games)

    def config(self) -> dict[str, Any]:
        """Return everything that determines the rows of a deal, for JSON.

        >>> Expert("random", seed=1).config()["players"]
        ['random']
        """
        names = [format_player(each) for each in self._team]
        return {
            "hanabi": __version__,
            "players": names[:1] if len(set(names)) == 1 else names,
            "rules": rules_to_json(self.layout.rules),
            "seed": self.seed,
            "repeat": self.repeat,
            "kind": self.layout.kind.name,
            "packed": bool(self.packed),
            "posteriors": bool(self.posteriors),
            "entries": self.layout.size,
            "actions": self.layout.actions,
            "sections": [[each.name, each.start, each.stop] for each in self.layout.sections],
        }

    def record(self, games: int, *, first: int = 0) -> Record:
        """Play deals as `play` does, and return their decks and actions, which `observe` takes."""
        return record_team(
            self._team, self.layout.rules, games, seed=self.seed, first=first, repeat=self.repeat
        )

    def _arrays(self, rows: int) -> dict[str, tuple[tuple[int, ...], Any]]:
        """Return the shape and type of each array of some rows."""
        layout, hand = self.layout, self.layout.rules.hand_size
        kinds = layout.rules.colors * layout.rules.ranks
        columns = layout.packed_size if self.packed else layout.size
        return {
            "observations": ((rows, columns), np.uint8),
            "masks": ((rows, layout.actions), np.bool_),
            "actions": ((rows,), np.int16),
            "rewards": ((rows,), np.float32),
            "dones": ((rows,), np.bool_),
            "seats": ((rows,), np.int8),
            "cards": ((rows, hand), np.int8),
            "posteriors": ((rows, hand, kinds) if self.posteriors else (rows, 0, 0), np.float32),
            "deals": ((rows,), np.int64),
        }

    def _write(self, record: Record, games: int, first: int, moves: Moves) -> None:
        """Observe the first games of a record."""
        from hanabi.env.expert.kernels import write_chances, write_moves

        options = Format(self.layout, 1, "disabled", self.packed, all_seats=False).options()
        words = pack_rules(self.layout.rules)
        write_moves(words, options, record, games, first, moves)
        if self.posteriors:
            write_chances(words, record, games, moves.posteriors)


# Files of many games, which a later run can continue.


class Rows(Protocol):
    """Numbered games as rows, which `write_shards` writes: `Expert`, and what is made of one."""

    @property
    def is_compiled(self) -> bool:
        """Whether threads can play, as compiled code does; otherwise processes play."""

    def config(self) -> dict[str, Any]:
        """Return everything that determines the rows of a game, for JSON."""

    def play(self, games: int, *, first: int = 0) -> Any:
        """Return the rows of games as a named tuple of arrays."""


MANIFEST = "expert.json"
"""The file that says what the shards beside it hold."""

CHECKSUMS = "SHA256SUMS"
"""The file with the checksums of the shards, as `sha256sum --check` reads it."""

_PART = ".part-"


def write_shards(
    expert: Rows,
    folder: str | Path,
    games: int,
    *,
    shard: int = 1000,
    form: str = "npz",
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Write the turns of the deals 0 .. `games - 1` to files of `shard` games each.

    Each file appears when it is complete. After an interrupt or a kill, the same call goes on with
    the files that are missing or whose checksum is not the one in `CHECKSUMS`; in the end all bytes
    are the same as without it. `MANIFEST` holds `Expert.config` and the arguments.

    Parameters
    ----------
    expert
        The games.
    folder
        The folder, which is made if it does not exist.
    games, shard
        The number of games, and that of each file.
    form
        One of `FORMS`. `parquet` needs pyarrow (the extra `parquet`).
    workers
        Threads, or processes for players without compiled policies. Default: one for each core.
    progress
        Called after each file with the number of games that are done, and of all.

    Returns
    -------
    int
        The number of games played in this call.

    Raises
    ------
    InvalidInputError
        If an argument is out of range, the folder holds other games, or cannot be written.
    MissingPackageError
        If pyarrow is not installed.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     expert = Expert("random", seed=1, packed=True)
    ...     first, again = (write_shards(expert, folder, 5, shard=2) for _ in range(2))
    ...     first, again, sorted(each.name for each in Path(folder).iterdir())[2:]
    (5, 0, ['games-000000000.npz', 'games-000000002.npz', 'games-000000004.npz'])
    """
    check_whole("games", games, 1)
    check_whole("shard", shard, 1)
    if form not in FORMS:
        raise InvalidInputError(f"form = {quote(form)} is none of {', '.join(FORMS)}")
    if form == "parquet":
        _pyarrow()
    config = expert.config() | {"games": games, "shard": shard, "form": form}
    home = Path(folder)
    try:
        _open_folder(home, config)
        pieces = [(first, min(shard, games - first)) for first in range(0, games, shard)]
        paths = {piece: _shard(home, piece[0], form) for piece in pieces}
        sums = _read_checksums(home, paths.values())
        left = [piece for piece in pieces if not _is_whole(paths[piece], sums)]
        fresh = sum(count for _, count in left)
        done = games - fresh

        def emit(piece: tuple[int, int], checksum: str) -> None:
            nonlocal done
            sums[paths[piece].name] = checksum
            _write_checksums(home, sums)
            done += piece[1]
            if progress is not None:
                progress(done, games)

        kind = "threads" if expert.is_compiled else "processes"
        with open_executor(kind, workers) as pool:
            Dispatcher(
                pool,
                partial(_write_shard, expert, home, form),
                emit,
                most=2 * pool.workers,
                in_order=False,
                name=lambda piece: f"deals {piece[0]} to {piece[0] + piece[1] - 1}",
            ).run(left)
        for part in home.glob(f"{_PART}*"):  # of runs that were killed
            part.unlink(missing_ok=True)
    except OSError as error:
        raise InvalidInputError(f"{quote(str(folder))}: {error.strerror or error}") from None
    return fresh


def read_manifest(folder: str | Path) -> dict[str, Any] | None:
    """Return what a folder's `MANIFEST` says, or None if it has none.

    >>> read_manifest("no such folder") is None
    True
    """
    try:
        found = load((Path(folder) / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def read_shards(folder: str | Path) -> Iterator[Moves]:
    """Yield the turns of each file that `write_shards` wrote, in the order of the deals.

    Raises
    ------
    InvalidInputError
        If the folder holds no such files, or one of them is missing or damaged.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     expert = Expert("random", seed=1)
    ...     _ = write_shards(expert, folder, 3, shard=2)
    ...     [int(moves.dones.sum()) for moves in read_shards(folder)]
    [2, 1]
    """
    from hanabi.env.expert.kernels import Moves

    return read_parts(folder, Moves)


def read_parts(folder: str | Path, rows: Callable[..., _Each]) -> Iterator[_Each]:
    """Yield `rows` of the arrays of each file, as `read_shards` does.

    >>> next(read_parts("no such folder", dict))
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: 'no such folder' holds no games of an expert
    """
    home = Path(folder)
    try:
        config = read_manifest(home) or {}
        games, shard, form = config["games"], config["shard"], config["form"]
        read, firsts = FORMS[form][1], range(0, games, shard)
    except (ValueError, TypeError, KeyError):
        raise InvalidInputError(f"{quote(str(folder))} holds no games of an expert") from None
    for first in firsts:
        path = _shard(home, first, form)
        try:
            yield rows(**read(path))
        except Exception as error:  # noqa: BLE001 (libraries raise many kinds)
            raise InvalidInputError(f"{quote(path.name)} cannot be read: {error}") from None


def _open_folder(home: Path, config: dict[str, Any]) -> None:
    """Make a folder with its manifest, or check that it is to hold the same games."""
    home.mkdir(parents=True, exist_ok=True)
    manifest, text = home / MANIFEST, json.dumps(config, indent=1) + "\n"
    if not manifest.exists():
        if any(not path.name.startswith(_PART) for path in home.iterdir()):
            raise InvalidInputError(f"{quote(str(home))}: the folder is not empty")
        write_whole(manifest, lambda file: file.write(text.encode()))
        return
    found = read_manifest(home) or {}
    differing = [name for name in config | found if found.get(name) != config.get(name)]
    if differing:
        raise InvalidInputError(f"{quote(str(home))} holds other games: {differing[0]} differs")


def _shard(home: Path, first: int, form: str) -> Path:
    return home / f"games-{first:09}.{form}"


def _write_shard(expert: Rows, home: Path, form: str, piece: tuple[int, int]) -> str:
    first, count = piece
    moves = expert.play(count, first=first)
    path = _shard(home, first, form)
    write_whole(path, lambda file: FORMS[form][0](file, moves))
    return _checksum(path)


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _is_whole(path: Path, sums: Mapping[str, str]) -> bool:
    """Return whether a file is there with the content that was written."""
    return path.name in sums and path.is_file() and _checksum(path) == sums[path.name]


def _read_checksums(home: Path, paths: Iterable[Path]) -> dict[str, str]:
    """Return the checksums of these files, as far as they are known, by name."""
    try:
        lines = (home / CHECKSUMS).read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return {}
    found = {name: checksum for checksum, _, name in (line.partition("  ") for line in lines)}
    return {path.name: found[path.name] for path in paths if path.name in found}


def _write_checksums(home: Path, sums: Mapping[str, str]) -> None:
    text = "".join(f"{sums[name]}  {name}\n" for name in sorted(sums))
    write_whole(home / CHECKSUMS, lambda file: file.write(text.encode()))


def write_whole(target: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write a file under another name, and rename it when it is complete.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(Path(folder, "a"), lambda file: file.write(b"all"))
    ...     [(each.name, each.read_bytes()) for each in Path(folder).iterdir()]
    [('a', b'all')]
    """
    part = target.with_name(f"{_PART}{secrets.token_hex(8)}{target.suffix}")
    try:
        with part.open("xb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())  # some disks report late that they are full
        part.replace(target)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _write_npz(file: BinaryIO, moves: Any) -> None:
    np.savez(file, **moves._asdict())


def _read_npz(path: Path) -> dict[str, npt.NDArray[Any]]:
    with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        return dict(arrays)


def _pyarrow() -> Any:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise MissingPackageError("Parquet files need pyarrow", extra="parquet") from None
    return pa, parquet


def _write_parquet(file: BinaryIO, moves: Any) -> None:
    pa, parquet = _pyarrow()
    columns = {}
    for name, array in moves._asdict().items():
        if array.ndim == 1:
            columns[name] = pa.array(array)
        elif array.shape[1]:  # bytes, as lists would take ten times as long
            kind = pa.binary(array.itemsize * prod(array.shape[1:]))
            parts = [None, pa.py_buffer(array)]
            columns[name] = pa.FixedSizeBinaryArray.from_buffers(kind, len(array), parts)
    # Dictionaries of values would take longer, and save little.
    parquet.write_table(pa.table(columns), file, compression="snappy", use_dictionary=False)


_TYPES = {"masks": np.bool_, "cards": np.int8, "posteriors": np.float32} | {
    f"{side}_{what}": np.float64 for side in ("open", "seat") for what in ("perfect", "points")
}


def _read_parquet(path: Path) -> dict[str, npt.NDArray[Any]]:
    pa, parquet = _pyarrow()
    arrays: dict[str, npt.NDArray[Any]] = {}
    for name, column in zip((table := parquet.read_table(path)).column_names, table, strict=True):
        if pa.types.is_fixed_size_binary(column.type):
            kind = np.dtype(_TYPES.get(name, np.uint8))
            row: tuple[int, ...] = (column.type.byte_width // kind.itemsize,)
            if name == "posteriors":
                row = (arrays["cards"].shape[1], row[0] // arrays["cards"].shape[1])
            elif kind == np.float64:
                row = (row[0] // 2, 2)
            rows: npt.NDArray[Any] = np.frombuffer(b"".join(column.to_pylist()), kind)
            arrays[name] = rows.reshape(len(column), *row)
        else:
            arrays[name] = column.to_numpy()
    return {"posteriors": np.empty((len(table), 0, 0), np.float32)} | arrays


FORMS: dict[str, tuple[Callable[[BinaryIO, Any], None], Callable[[Path], dict[str, Any]]]] = {
    "npz": (_write_npz, _read_npz),
    "parquet": (_write_parquet, _read_parquet),
}
"""The forms of files by their ending: how each is written and read."""
