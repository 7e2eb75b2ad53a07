"""A disk cache of compiled code, in a folder named after everything the code was made from.

Numba's own cache goes stale when a callee in another file changes, falls back to folders that are
not named by a hash, and runs whatever a damaged file contains. Here

- the folder's name is a hash of all kernel sources, the bounds-check switch and the versions of
  Python, NumPy, Numba and llvmlite; all checkouts with equal sources share it;
- a file is written completely or not at all, and is read only if its checksum matches;
- the files are pickles, which can run any code when loaded, so the folder must be one that no
  other user can write to;
- without such a folder every run compiles again, and :func:`cache_problem` returns the reason.

Like `hanabi.compiled.hot`, this module uses private parts of Numba; the tests run with the versions
in `constraints.txt`.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import platform
import shutil
import stat
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba.core.caching
import numba.core.compiler
import numba.core.config
import numba.core.event
import numba.core.serialize
import numpy as np

from hanabi.compiled.parts import is_part, read_part, write_kernel, write_part
from hanabi.compiling import COMPILING
from hanabi.errors import quote

__all__ = ["KernelCache", "cache_problem", "is_hashed"]

# Much of Numba is not annotated.
NullCache: Any = numba.core.caching.NullCache
CompileResult: Any = numba.core.compiler.CompileResult
Listener: Any = numba.core.event.Listener
_register: Any = numba.core.event.register
settings: Any = numba.core.config
serialize: Any = numba.core.serialize

_ROOM = Path(__file__).parent
_PACKAGE, _OWN = __package__.split(".")
_CHECKSUM = hashlib.sha256
_CHECKSUM_SIZE = _CHECKSUM().digest_size
_NAME_LENGTH = 16
_KEPT_SECONDS = 30 * 24 * 3600  # after that long unused, folders of other sources are deleted
_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH

_problems: list[str] = []


def cache_problem() -> str | None:
    """Return the reason why compiled code is not cached, or None if it is.

    The reason is the first problem met, in one line; it is known once something was compiled.
    """
    return _problems[0] if _problems else None


def is_hashed(module: str) -> bool:
    """Whether the folder's hash covers a module: one of this package, or of kernels.

    >>> is_hashed("hanabi.game.kernels.rules"), is_hashed("hanabi.game.state")
    (True, False)
    """
    package, *rooms = module.split(".")
    return package == _PACKAGE and (rooms[:-1] == [_OWN] or "kernels" in rooms[-2:])


class KernelCache(NullCache):  # type: ignore[misc]
    """The cache that a Numba dispatcher uses for one kernel."""

    def __init__(self, function: Any) -> None:
        self.name = f"{function.__module__}.{function.__qualname__}".removeprefix(f"{_PACKAGE}.")
        self._line = function.__code__.co_firstlineno

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return the compiled kernel for these types, or None if it must be compiled."""
        target.refresh()
        folder = _folder()
        if folder is None or not _is_ours(signature):
            return None
        content = _read(self._path(folder, signature, target.codegen()))
        if content is None:
            return None
        kept, parts = pickle.loads(content)  # noqa: S301 - we wrote it: see _own
        if kept != signature:
            return None
        return read_part(target, parts) if is_part() else CompileResult._rebuild(target, *parts)

    def save_overload(self, signature: Any, result: Any) -> None:
        """Store a compiled kernel."""
        folder = _folder()
        if folder is None or not _is_ours(signature):
            return
        parts = write_part(result) if is_part() else write_kernel(result)
        if parts is None:
            return
        content = serialize.dumps((signature, parts))
        try:
            # If the sources were edited while this process ran, the code has no folder.
            if _name() == folder.name:
                _write(self._path(folder, signature, result.codegen), content)
        except OSError as error:
            _note(folder, error)

    def _path(self, folder: Path, signature: Any, codegen: Any) -> Path:
        """Return the file for this kernel, these types and this processor."""
        key = repr((self.name, self._line, str(signature), codegen.magic_tuple(), is_part()))
        return folder / f"{self.name}-{_CHECKSUM(key.encode()).hexdigest()[:_NAME_LENGTH]}"


class _Watch(Listener):  # type: ignore[misc]
    """Reports when our kernels are compiled; other Numba functions are not ours to report."""

    def on_start(self, event: Any) -> None:
        kernel = event.data["dispatcher"]._cache
        if isinstance(kernel, KernelCache):
            is_kept = _is_ours(event.data["args"]) and _folder() is not None
            COMPILING.start(kernel.name, is_kept=is_kept)

    def on_end(self, event: Any) -> None:
        if isinstance(event.data["dispatcher"]._cache, KernelCache):
            COMPILING.end()


_register("numba:compile", _Watch())


def _is_ours(types: Iterable[Any]) -> bool:
    """Whether all records among these types belong to kernels, so that the hash covers the code.

    Kernels registered for third-party records have sources that the hash does not cover.
    """
    for kind in types:
        record = getattr(kind, "instance_class", None)
        if record is not None and not is_hashed(record.__module__):
            return False
        if not _is_ours(getattr(kind, "types", ())):
            return False
    return True


def _name() -> str:
    """Return the hash of everything that compiled code depends on, except the processor."""
    patterns = (
        "kernels/*.py",
        "kernels.py",
        "layout.py",
    )  # kernels, and the constants that they use
    found = (path for pattern in patterns for path in _ROOM.parent.rglob(pattern))
    sources = sorted([*_ROOM.glob("*.py"), *found])
    if not sources:
        raise FileNotFoundError("no sources are there to tell what the compiled code belongs to")
    versions = (
        platform.python_implementation(),
        platform.python_version(),
        np.__version__,
        numba.__version__,
        llvmlite.__version__,
    )
    digest = hashlib.sha256(repr((versions, settings.BOUNDSCHECK)).encode())
    for source in sources:
        content = source.read_bytes()
        name = source.relative_to(_ROOM.parent).as_posix()
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:_NAME_LENGTH]


@cache
def _folder() -> Path | None:
    """Return this process's folder, creating it if necessary; None if there is none."""
    folder = None
    try:
        top = _base() / "hanabi"
        folder = top / _name()
        top.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        for place in (top, folder):
            place.mkdir(mode=0o700, exist_ok=True)
            _own(place)
        with suppress(OSError):  # a read-only folder can still be read
            os.utime(folder)
            _forget_old(top)
    except (OSError, RuntimeError) as error:
        _note(getattr(error, "filename", None) or folder, error)
        return None
    return folder


def _base() -> Path:
    """Return the user's cache folder; the XDG standard says to ignore relative paths."""
    # Numba's own setting may also come from a `.numba_config.yaml` in the current folder.
    for name in (os.environ.get("NUMBA_CACHE_DIR"), os.environ.get("XDG_CACHE_HOME")):
        if name and Path(name).is_absolute():
            return Path(name)
    base = Path("~/.cache").expanduser()
    if not base.is_absolute():
        raise FileNotFoundError(f"the home folder is no absolute path: {quote(str(base.parent))}")
    return base


def _own(folder: Path) -> None:
    """Refuse a folder, or a link to one, that other users own or may write to."""
    if not hasattr(os, "geteuid"):
        return
    if {folder.lstat().st_uid, folder.stat().st_uid} != {os.geteuid()}:
        raise PermissionError(f"{folder} belongs to another user")
    if folder.stat().st_mode & _OTHERS_MAY_WRITE:
        raise PermissionError(f"other users may write to {folder}")


def _forget_old(top: Path) -> None:
    for folder in top.iterdir():
        if (
            len(folder.name) == _NAME_LENGTH
            and time.time() - folder.stat().st_mtime > _KEPT_SECONDS
        ):
            shutil.rmtree(folder, ignore_errors=True)


def _read(path: Path) -> bytes | None:
    """Return a file's content, or None if it is missing or damaged."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    checksum, content = content[:_CHECKSUM_SIZE], content[_CHECKSUM_SIZE:]
    return content if _CHECKSUM(content).digest() == checksum else None


def _write(path: Path, content: bytes) -> None:
    """Write a file atomically: concurrent readers find the old file, the new one or none."""
    handle, name = tempfile.mkstemp(prefix=".", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_CHECKSUM(content).digest() + content)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _note(place: Path | str | None, error: Exception) -> None:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    where = f" in {place}" if place else ""
    _problems.append(f"compiled code cannot be kept{where}: {' '.join(reason.split())}")
