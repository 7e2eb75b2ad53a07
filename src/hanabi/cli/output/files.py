"""The files that commands write: never over what is read, and whole or not at all."""

from __future__ import annotations

import json
import os
import re
import secrets
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from errno import EINVAL, EISDIR, ENOTDIR
from io import TextIOWrapper
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO, TextIO

from hanabi.cli.output.forms import STDOUT, Form, form_of
from hanabi.errors import InvalidInputError, quote
from hanabi.report.tables import Cell, markdown_table, write_csv

__all__ = [
    "STDOUT",
    "check_figure",
    "check_outputs",
    "replaced",
    "write_result",
    "write_table",
    "written",
    "written_bytes",
]

_OPEN_FILE = re.compile(r"/(?:dev|proc/self)/(?:std(?P<name>out|err)|fd/(?P<number>[0-9]{1,9}))")
_BESIDE_A_STORE = ("-wal", "-shm", "-journal")
_LONGEST_ENDING = 16


def check_outputs(
    inputs: Iterable[str | None],
    outputs: Mapping[str, str | None],
    *,
    store: str | None = None,
    forms: Mapping[str, Form] = MappingProxyType({}),
) -> None:
    """Refuse files to write that are read, that are the same, or that cannot be written.

    To be called before any work, with everything that a command was given: outputs by the names of
    their options, None for what is not given. Nothing is made or changed. A file is recognised
    under every name: relative, by links of both kinds, or as standard input. What is no regular
    file (a terminal, a pipe, /dev/null) may be given twice. With a store goes what SQLite keeps.

    An output that has one of `forms` is refused if its ending contradicts it; where the ending
    chooses, `form_of` is asked by the command.

    >>> check_outputs(["a.cnf"], {"--output": "./a.cnf"})
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: --output './a.cnf' is the input
    """
    taken = [(_File(path), "the input") for path in inputs if path is not None]
    if store is not None:
        taken.append((_File(store), "the store"))
        beside = (os.path.realpath(store) + ending for ending in _BESIDE_A_STORE)
        taken += [(_File(path), "a part of the store") for path in beside]
    for option, path in outputs.items():
        if path is None:
            continue
        if not path:
            raise InvalidInputError(f"{option}: the name of the file is empty")
        if path != STDOUT and _descriptor(path) is None:
            with _told(path):
                _target(path)  # what cannot be written anyway; the rest shows when it is
        file = _File(path, is_output=True)
        for other, what in taken:
            if file.is_same(other):
                raise InvalidInputError(f"{option} {quote(path)} is {what}")
        taken.append((file, f"the file of {option}, too"))
    if store is not None and not Path(store).exists():
        form_of("--store", store, Form.STORE)
    for option, form in forms.items():
        form_of(option, outputs[option], form)


class _File:
    """What tells one file from another, whether or not there is such a file."""

    def __init__(self, path: str, *, is_output: bool = False) -> None:
        self._status: os.stat_result | None = None
        self._name = ""
        with suppress(OSError, ValueError, AttributeError):  # too long a name, no standard input
            if path == STDOUT:
                # The name of both streams; it is no file to write twice, but one to overwrite.
                self._name = "standard output" if is_output else ""
                self._status = None if is_output else os.fstat(sys.stdin.fileno())
                return
            self._name = os.path.normcase(os.path.realpath(path))
            self._status = os.stat(path)  # noqa: PTH116

    def is_same(self, other: _File) -> bool:
        """Return whether both are one regular file, or the name of a file that there is not."""
        if self._status is None or other._status is None:
            return bool(self._name) and self._name == other._name
        return stat.S_ISREG(self._status.st_mode) and os.path.samestat(self._status, other._status)


def check_figure(path: str | Path | None) -> None:
    """Refuse a picture that cannot be drawn before all the work, not after."""
    if path is not None:
        from hanabi.report.canvas import open_figure

        open_figure(path)


@contextmanager
def written(path: str) -> Iterator[TextIO]:
    r"""Open a file to be written in UTF-8 with lines that end in "\n", as `written_bytes` does."""
    if path == STDOUT:
        yield sys.stdout
        sys.stdout.flush()
        return
    with written_bytes(path) as file, TextIOWrapper(file, "utf-8", newline="\n") as stream:
        yield stream


@contextmanager
def written_bytes(path: str) -> Iterator[BinaryIO]:
    """Open a file to be written, as bytes; see `replaced`. `-` is standard output."""
    if path == STDOUT:
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    number = _descriptor(path)
    if number is not None:
        sys.stdout.flush()
        # Opened by its name, a file behind it would be emptied and written from its start.
        with _told(path), os.fdopen(os.dup(number), "wb") as file:
            yield file
        return
    with replaced(path) as target, target.open("wb") as file:
        yield file


@contextmanager
def replaced(path: str) -> Iterator[Path]:
    """Give the name to write under, which becomes the file `path` if all goes well.

    The file is written beside its place and renamed, so that a full disk or an interrupt leaves
    what was there before, and nothing else. A file keeps its mode (other hard links keep the old
    text); behind a symbolic link it is the target that is replaced. Where that cannot be done,
    since the file is a device or a pipe or its folder takes no new file, it is written in place.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     old = Path(f"{folder}/a.txt")
    ...     _ = old.write_text("old")
    ...     with suppress(KeyboardInterrupt), replaced(str(old)) as beside:
    ...         _ = beside.write_text("new")
    ...         raise KeyboardInterrupt
    ...     old.read_text(), [each.name for each in Path(folder).iterdir()]
    ('old', ['a.txt'])
    """
    with _told(path):
        target = _target(path)
        if not _is_replaceable(target):
            yield target
            return
        ending = target.suffix[:_LONGEST_ENDING]  # which says to some writers what to write
        beside = target.with_name(f".hanabi-{secrets.token_hex(8)}{ending}")
        try:
            beside.touch(exist_ok=False)
            with suppress(FileNotFoundError):
                beside.chmod(stat.S_IMODE(target.stat().st_mode))
            yield beside
            with beside.open("rb+") as file:
                os.fsync(file.fileno())  # some disks find out late that they are full
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)


def _target(path: str) -> Path:
    """Return what a path stands for; raise OSError if it surely cannot be written."""
    if "\0" in path:
        raise OSError(EINVAL, "a NUL in the name")
    target = Path(os.path.realpath(path))
    if target.is_file():
        target.open("ab").close()  # neither emptied nor changed
    elif target.is_dir() or path.endswith(os.sep):
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
    elif not target.exists():
        with suppress(FileNotFoundError):
            target.stat()  # tells of a name that is too long: Python 3.14 says there is none
        target.parent.stat()
        if not target.parent.is_dir():
            raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR))
    return target


def _is_replaceable(target: Path) -> bool:
    is_regular = target.is_file() or not target.exists()
    return is_regular and os.access(target.parent, os.W_OK | os.X_OK)


def _descriptor(path: str) -> int | None:
    """Return the number of the open file that a path such as /dev/stdout means, or None."""
    match = _OPEN_FILE.fullmatch(path)
    if match is None or os.name != "posix":
        return None
    return {"out": 1, "err": 2}[match["name"]] if match["name"] else int(match["number"])


@contextmanager
def _told(path: str) -> Iterator[None]:
    """Name the file in what the system says of it."""
    try:
        yield
    except BrokenPipeError:  # whoever reads has enough
        raise
    except OSError as error:
        reason = error.strerror or error
        raise InvalidInputError(f"cannot write {quote(path)}: {reason}") from None


def write_table(
    path: str, form: Form, columns: Mapping[str, str], rows: Iterable[Sequence[Cell]]
) -> None:
    """Write a table in a form of tables; `-` is standard output, but not for Parquet.

    Columns have types as pyarrow calls them.

    >>> write_table("-", Form.CSV, {"deal": "int64"}, [[3], [4]])
    deal
    3
    4
    """
    if form is Form.PARQUET:
        from hanabi.report.results import write_parquet

        with replaced(path) as beside:
            write_parquet(columns, rows, beside)
        return
    with written(path) as stream:
        if form is Form.MARKDOWN:
            words = [at for at, kind in enumerate(columns.values()) if kind == "string"]
            stream.write(markdown_table(list(columns), rows, left=words) + "\n")
        else:
            write_csv(stream, list(columns), rows)


def write_result(
    path: str,
    form: Form,
    document: object,
    columns: Mapping[str, str],
    rows: Iterable[Sequence[Cell]],
) -> None:
    """Write a result: as one JSON document on a line, or else as a table.

    >>> write_result("-", Form.JSON, {"games": 7}, {"deal": "int64"}, [[3]])
    {"games": 7}
    """
    if form not in (Form.JSON, Form.LINES):
        write_table(path, form, columns, rows)
        return
    with written(path) as stream:
        stream.write(json.dumps(document) + "\n")
