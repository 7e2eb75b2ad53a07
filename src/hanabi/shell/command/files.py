"""Files that commands write: their forms, checks before any work, and safe replacement."""

from __future__ import annotations

import json
import os
import re
import secrets
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from errno import EINVAL, EISDIR, ENOTDIR
from io import TextIOWrapper
from itertools import compress
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import BinaryIO, TextIO

from cyclopts import Parameter

from hanabi.ground import Cell, InvalidInputError, markdown_table, quote, write_csv
from hanabi.lab import LONG
from hanabi.shell.command.options import File, given

__all__ = [
    "PICTURES",
    "STDOUT",
    "Form",
    "Pictures",
    "check_document",
    "check_figure",
    "check_outputs",
    "form_of",
    "is_json",
    "replaced",
    "write_document",
    "write_each",
    "write_result",
    "write_table",
    "written",
    "written_bytes",
]

STDOUT = "-"
"""The name of standard output."""


class Form(Enum):
    """A form of files, with the endings that name it; messages recommend the first."""

    JSON = (".json",)
    LINES = (".jsonl", ".ndjson")
    CSV = (".csv",)
    MARKDOWN = (".md",)
    PARQUET = (".parquet",)
    HTML = (".html", ".htm")
    SVG = (".svg",)
    PNG = (".png",)
    PDF = (".pdf",)
    TIKZ = (".tex", ".tikz")
    CNF = (".cnf", ".dimacs")
    DRAT = (".drat", ".drup")
    STORE = (".db", ".store", ".sqlite")


_FORMS = {ending: form for form in Form for ending in form.value}
_OTHERS = frozenset(
    f".{ending}"
    for ending in (
        *("7z", "bz2", "gz", "tar", "xz", "zip", "zst", "npy", "npz", "pickle", "pkl"),
        *("bmp", "eps", "gif", "jpeg", "jpg", "ps", "webp", "toml", "xml", "yaml", "yml"),
        *("arrow", "feather", "safetensors", "tsv", "xls", "xlsx"),
    )
)
"""Endings of forms that nothing here is written in."""


def form_of(option: str, path: str | None, *forms: Form, default: Form | None = None) -> Form:
    """Return the form that the ending of a file's name chooses.

    Parameters
    ----------
    option
        The option that the file was given for, as errors quote it.
    path
        The file; None or `-` is standard output, which takes the first form.
    forms
        What the option can write.
    default
        The form for an unknown or missing ending. By default these are refused if there are several
        forms to choose from.

    Raises
    ------
    InvalidInputError
        If the ending names another form, or none of several.

    >>> form_of("-o", "games.CSV", Form.LINES, Form.CSV), form_of("--proof", "out", Form.DRAT)
    (<Form.CSV: ('.csv',)>, <Form.DRAT: ('.drat', '.drup')>)
    >>> form_of("--svg", "cards.pdf", Form.SVG)
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: --svg 'cards.pdf' does not end in .svg
    """
    if path is None or path == STDOUT:
        return default or forms[0]
    ending = PurePath(path).suffix.lower()
    form = _FORMS.get(ending)
    if form in forms:
        return form
    if form is None and ending not in _OTHERS:
        default = default or (forms[0] if len(forms) == 1 else None)
        if default is not None:
            return default
    endings = ", ".join(form.value[0] for form in forms)
    told = f"ends in none of {endings}" if len(forms) > 1 else f"does not end in {endings}"
    raise InvalidInputError(f"{option} {quote(path)} {told}")


# Files are written whole or not at all, and never over an input.

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
    """Refuse output files that are also inputs, that coincide, or that cannot be written.

    Call it before any work, with all files of a command: outputs by the names of their options,
    None for options that are not given. It creates and changes nothing. A file is recognised under
    every name: relative, by links of both kinds, or as standard input. Anything but a regular file
    (a terminal, a pipe, /dev/null) may be given twice. A store includes SQLite's files beside it.

    An output listed in `forms` is refused if its ending contradicts its form. Where the ending
    chooses the form, the command calls `form_of`.

    >>> check_outputs(["a.cnf"], {"--output": "./a.cnf"})
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: --output './a.cnf' is the input
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
                _target(path)  # other problems show when the file is written
        file = _File(path, is_output=True)
        for other, what in taken:
            if file.is_same(other):
                raise InvalidInputError(f"{option} {quote(path)} is {what}")
        taken.append((file, f"the file of {option}, too"))
    if store is not None and not Path(store).exists():
        form_of("--store", store, Form.STORE)
    for option, form in forms.items():
        form_of(option, outputs.get(option), form)


def is_json(path: str) -> bool:
    """Return whether the ending of a file is that of a JSON document."""
    return PurePath(path).suffix.lower() in Form.JSON.value


def check_document(output: str | None, noun: str) -> None:
    """Refuse an output of a single input that is not a JSON document.

    >>> check_document("a.json", "games")
    >>> check_document("a.csv", "games")
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: --output 'a.csv' is for many games, not for a single
        one: ...
    """
    if output is not None and not is_json(output):
        raise InvalidInputError(
            f"--output {quote(output)} is for many {noun}, not for a single one:"
            " that is written to a .json file"
        )


class _File:
    """Return the identity of a file, whether or not it exists."""

    def __init__(self, path: str, *, is_output: bool = False) -> None:
        self._status: os.stat_result | None = None
        self._name = ""
        with suppress(OSError, ValueError, AttributeError):  # too long a name, no standard input
            if path == STDOUT:
                # The name of both streams: it may be written twice, but not over an input.
                self._name = "standard output" if is_output else ""
                self._status = None if is_output else os.fstat(sys.stdin.fileno())
                return
            self._name = os.path.normcase(os.path.realpath(path))
            self._status = os.stat(path)  # noqa: PTH116

    def is_same(self, other: _File) -> bool:
        """Return whether both are the same regular file, or the same name of a missing one."""
        if self._status is None or other._status is None:
            return bool(self._name) and self._name == other._name
        return stat.S_ISREG(self._status.st_mode) and os.path.samestat(self._status, other._status)


def check_figure(path: str | Path | None) -> None:
    """Refuse a picture that cannot be drawn, before any work."""
    if path is not None:
        from hanabi.lab import open_figure

        open_figure(path)


PICTURES = MappingProxyType({"--svg": Form.SVG, "--tikz": Form.TIKZ, "--pdf": Form.PDF})
"""The options of commands that draw a picture, and the forms of their files."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Pictures:
    """The files that a picture is written to.

    Parameters
    ----------
    svg
        Draw the picture to this file, as SVG.
    tikz
        Draw the picture to this file, for LaTeX with TikZ.
    pdf
        Draw the picture to this file, as PDF.

    >>> Pictures(svg="a.svg").files()
    {'--svg': 'a.svg'}
    """

    svg: File | None = None
    tikz: File | None = None
    pdf: File | None = None

    def files(self) -> dict[str, str | None]:
        """Return the files by option, as `check_outputs` takes them.

        Raises MissingPackageError if what writes PDF is not installed.
        """
        if self.pdf is not None:
            from hanabi.shell.report.pictures import check_pdf

            check_pdf()
        return dict(given(self))

    def writes(self, svg: str) -> list[tuple[str | None, Callable[[str], object]]]:
        """Return how a picture is written to the files, for `write_each`."""
        from hanabi.shell.report.pictures import tikz_of, write_pdf

        def pdf(path: str) -> None:
            with written_bytes(path) as pages:
                write_pdf(svg, pages)

        return [
            (self.svg, lambda path: write_document(path, [svg])),
            (self.tikz, lambda path: write_document(path, [tikz_of(svg)])),
            (self.pdf, pdf),
        ]


def write_each(writes: Iterable[tuple[str | None, Callable[[str], object]]]) -> None:
    """Write files, standard output last: if its reader goes away, the files are there.

    Parameters
    ----------
    writes
        Files, None for one that was not asked for, and how each is written.

    >>> write_each([("-", lambda path: print(path)), ("a", print), (None, print)])
    a
    -
    """
    for path, write in sorted(writes, key=lambda each: each[0] == STDOUT):
        if path is not None:
            write(path)


def write_document(path: str, pieces: Iterable[str]) -> None:
    """Write a text in pieces, with a line feed at its end.

    >>> write_document("-", ["{", "}"])
    {}
    """
    with written(path) as stream:
        stream.writelines(pieces)
        stream.write("\n")


@contextmanager
def written(path: str) -> Iterator[TextIO]:
    r"""Open a file to be written in UTF-8 with lines that end in "\n", as `written_bytes` does.

    Halves of surrogate pairs, which names of files may hold, become escapes.
    """
    if path == STDOUT:
        yield sys.stdout
        sys.stdout.flush()
        return
    with (
        written_bytes(path) as file,
        TextIOWrapper(file, "utf-8", "backslashreplace", newline="\n") as stream,
    ):
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
    """Yield the name to write under; the file becomes `path` if the block succeeds.

    The file is written beside its place and renamed, so that a full disk or an interrupt leaves
    the previous file, and nothing else. A file keeps its mode (other hard links keep the old text);
    of a symbolic link, the target is replaced. A device, a pipe, or a file in a folder that takes
    no new files is written in place.

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
        ending = target.suffix[:_LONGEST_ENDING]  # which some writers choose the form by
        beside = target.with_name(f".hanabi-{secrets.token_hex(8)}{ending}")
        try:
            beside.touch(exist_ok=False)
            with suppress(FileNotFoundError):
                beside.chmod(stat.S_IMODE(target.stat().st_mode))
            yield beside
            with beside.open("rb+") as file:
                os.fsync(file.fileno())  # some disks report late that they are full
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)


def _target(path: str) -> Path:
    """Return the target of a path; raise OSError if it certainly cannot be written."""
    if "\0" in path:
        raise OSError(EINVAL, "a NUL in the name")
    target = Path(os.path.realpath(path))
    if target.is_file():
        target.open("ab").close()  # neither emptied nor changed
    elif target.is_dir() or path.endswith(os.sep):
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
    elif not target.exists():
        with suppress(FileNotFoundError):
            target.stat()  # raises for a name that is too long; Python 3.14 reports no file
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
    """Name the file in errors of the system."""
    try:
        yield
    except BrokenPipeError:  # the reader has closed the pipe
        raise
    except OSError as error:
        reason = error.strerror or error
        raise InvalidInputError(f"cannot write {quote(path)}: {reason}") from None


def write_table(
    path: str, form: Form, columns: Mapping[str, str], rows: Iterable[Sequence[Cell]]
) -> None:
    """Write a table in a form of tables; `-` is standard output, but not for Parquet.

    Columns have types as pyarrow calls them. CSV leaves out columns of long text.

    >>> write_table("-", Form.CSV, {"deal": "int64"}, [[3], [4]])
    deal
    3
    4
    """
    if form is Form.PARQUET:
        from hanabi.lab import write_parquet

        with replaced(path) as beside:
            write_parquet(columns, rows, beside)
        return
    with written(path) as stream:
        if form is Form.MARKDOWN:
            words = [at for at, kind in enumerate(columns.values()) if kind == "string"]
            stream.write(markdown_table(list(columns), rows, left=words) + "\n")
        else:
            kept = [kind != LONG for kind in columns.values()]
            cells = (
                [cell for cell, is_kept in zip(row, kept, strict=True) if is_kept] for row in rows
            )
            write_csv(stream, [*compress(columns, kept)], cells)


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
