"""A disk cache of compiled code, in a folder named after everything the code was made from.

Numba's own cache goes stale when a callee in another file changes, falls back to folders that are
not named by a hash, and runs whatever a damaged file contains. Here

- the folder's name is a hash of this package, the bounds-check switch and the versions of Python,
  NumPy, Numba and llvmlite;
- a file's name is a hash of the kernel, its types, the processor and every kernel source that the
  kernel can reach: its own module, those that define or serve the records it takes, and all that
  these import. So an edit compiles only what depends on it, and checkouts share equal code;
- a file is written completely or not at all, and is read only if its checksum matches;
- the files are pickles, which can run any code when loaded, so the folder must be one that no
  other user can write to;
- without such a folder every run compiles again, and :func:`cache_problem` returns the reason.

Like `hanabi.ground.compiled.hot`, this module uses private parts of Numba; the tests run with the
versions in `constraints.txt`.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import platform
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite
import numba.core.caching
import numba.core.compiler
import numba.core.config
import numba.core.event
import numba.core.serialize
import numpy as np

from hanabi.ground.compiled.parts import is_part, read_part, write_kernel, write_part
from hanabi.ground.compiling import COMPILING
from hanabi.ground.errors import quote

__all__ = ["KernelCache", "cache_problem", "is_hashed", "note_registered", "reached"]

# Much of Numba is not annotated.
NullCache: Any = numba.core.caching.NullCache
CompileResult: Any = numba.core.compiler.CompileResult
Listener: Any = numba.core.event.Listener
_register: Any = numba.core.event.register
settings: Any = numba.core.config
serialize: Any = numba.core.serialize

_ROOM = Path(__file__).parent
_PACKAGE, *_OWN = __package__.split(".")
_CHECKSUM = hashlib.sha256
_CHECKSUM_SIZE = _CHECKSUM().digest_size
_NAME_LENGTH = 16
_DAY = 24 * 3600
_KEPT_SECONDS = 30 * _DAY  # after that long unused, code is deleted
_IMPORT = re.compile(
    rf"^(?:from ({_PACKAGE}[\w.]*) import (?:\(([^)]*)\)|(.*))|import ({_PACKAGE}[\w.]*))", re.M
)
_COMMENT = re.compile("#.*")
_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH

_problems: list[str] = []
_servers: dict[type, set[str]] = {}  # of each record: the modules of the kernels registered for it


def cache_problem() -> str | None:
    """Return the reason why compiled code is not cached, or None if it is.

    The reason is the first problem met, in one line; it is known once something was compiled.
    """
    return _problems[0] if _problems else None


def is_hashed(module: str) -> bool:
    """Whether the folder's hash covers a module: one of this package, or of kernels.

    >>> is_hashed("hanabi.rules.kernels.rules"), is_hashed("hanabi.rules.state")
    (True, False)
    """
    package, *rooms = module.split(".")
    return package == _PACKAGE and (rooms[:-1] == _OWN or "kernels" in rooms[-2:])


def note_registered(record: type, module: str) -> None:
    """Note that a module registers a kernel for a record: code that takes the record depends on it.

    See `hanabi.ground.compiled.dispatch`.
    """
    _servers.setdefault(record, set()).add(module)


class KernelCache(NullCache):  # type: ignore[misc]
    """The cache that a Numba dispatcher uses for one kernel."""

    def __init__(self, function: Any) -> None:
        self.name = f"{function.__module__}.{function.__qualname__}".removeprefix(f"{_PACKAGE}.")
        self._module = function.__module__
        self._line = function.__code__.co_firstlineno
        reached((self._module,))  # now, so that the sources read are those being imported

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return the compiled kernel for these types, or None if it must be compiled."""
        target.refresh()
        path = self._path(signature, target.codegen())
        content = None if path is None else _read(path)
        if content is None:
            return None
        kept, parts = pickle.loads(content)  # noqa: S301 - we wrote it: see _own
        if kept != signature:
            return None
        return read_part(target, parts) if is_part() else CompileResult._rebuild(target, *parts)

    def save_overload(self, signature: Any, result: Any) -> None:
        """Store a compiled kernel."""
        path = self._path(signature, result.codegen)
        if path is None:
            return
        parts = write_part(result) if is_part() else write_kernel(result)
        if parts is None:
            return
        content = serialize.dumps((signature, parts))
        try:
            # If the sources were edited while this process ran, the code belongs to no file.
            if all(_read_source(name) == _source(name) for name in self._sources(signature)):
                _write(path, content)
                _forget_old()
        except OSError as error:
            _note(path.parent, error)

    def _path(self, signature: Any, codegen: Any) -> Path | None:
        """Return the file for these types and this processor, or None if there is no folder."""
        folder = _folder()
        if folder is None or not _is_ours(signature):
            return None
        sources = _digest(self._sources(signature))
        key = (self.name, self._line, str(signature), codegen.magic_tuple(), is_part(), sources)
        return folder / f"{self.name}-{_CHECKSUM(repr(key).encode()).hexdigest()[:_NAME_LENGTH]}"

    def _sources(self, signature: Any) -> tuple[str, ...]:
        return reached((self._module, *sorted(set(_modules(signature)))))


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
    """Whether all records among these types, and the kernels for them, have sources we can hash.

    Records of third parties, and kernels of theirs registered for ours, do not.
    """
    return all(map(is_hashed, _modules(types)))


def _modules(types: Iterable[Any]) -> Iterator[str]:
    """Yield the modules that define the records among these types, or register kernels for them."""
    for kind in types:
        record = getattr(kind, "instance_class", None)
        if record is not None:
            yield record.__module__
            for base in record.__mro__:
                yield from _servers.get(base, ())
        yield from _modules(getattr(kind, "types", ()))


class _Source(NamedTuple):
    """A module's source: its checksum, and the kernel modules that it imports."""

    checksum: bytes
    imports: tuple[str, ...]


@cache
def _source(module: str) -> _Source:
    """Return a source as it was when this process first needed it."""
    return _read_source(module)


def _read_source(module: str) -> _Source:
    text = _file_of(module).read_text(encoding="utf-8")
    named = set()
    for package, several, one, whole in _IMPORT.findall(text):
        named.add(package or whole)
        for name in _COMMENT.sub("", several or one).split(","):
            named |= {f"{package}.{word}" for word in name.split()[:1]}  # without its `as`
    imports = sorted(name for name in named if _is_source(name))
    return _Source(_CHECKSUM(text.encode()).digest(), tuple(imports))


def _is_source(name: str) -> bool:
    """Whether a name is that of a module whose code, or constants, kernels are made from."""
    rooms = name.split(".")[1:]
    return (rooms[-1:] == ["layout"] or "kernels" in rooms[-2:]) and _file_of(name).is_file()


def _file_of(module: str) -> Path:
    place = _ROOM.parents[1].joinpath(*module.split(".")[1:])
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


@cache
def reached(modules: tuple[str, ...]) -> tuple[str, ...]:
    """Return the modules that kernels of these modules can reach, in alphabetical order.

    The package `hanabi.ground.compiled` is left out: the folder's name stands for all of it.

    >>> reached(("hanabi.rules.kernels.packed",))
    ('hanabi.rules.kernels.packed', 'hanabi.rules.layout')
    """
    found, left = set[str](), [name for name in modules if _is_source(name)]
    while left:
        module = left.pop()
        if module not in found:
            found.add(module)
            left += _source(module).imports
    return tuple(sorted(found))


@cache
def _digest(modules: tuple[str, ...]) -> str:
    digest = _CHECKSUM()
    for module in modules:
        digest.update(module.encode() + b"\n" + _source(module).checksum)
    return digest.hexdigest()


def _name() -> str:
    """Return the hash of what all compiled code depends on, except the processor."""
    sources = sorted(_ROOM.glob("*.py"))
    if not sources:
        raise FileNotFoundError("no sources are there to tell what the compiled code belongs to")
    versions = (
        platform.python_implementation(),
        platform.python_version(),
        np.__version__,
        numba.__version__,
        llvmlite.__version__,
    )
    digest = _CHECKSUM(repr((versions, settings.BOUNDSCHECK)).encode())
    for source in sources:
        content = source.read_bytes()
        digest.update(f"{source.name} {len(content)}\n".encode() + content)
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
        _use(folder)
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


def _use(place: Path) -> None:
    """Note that a folder or file is in use, once a day; a read-only one can still be read."""
    with suppress(OSError):
        if time.time() - place.stat().st_mtime > _DAY:
            os.utime(place)


@cache
def _forget_old() -> None:
    """Delete folders of other compilers and versions, and code of other sources, long unused."""
    folder = _folder()
    if folder is None:
        return
    for place in (*folder.parent.iterdir(), *folder.iterdir()):
        is_ours = place.parent == folder or len(place.name) == _NAME_LENGTH
        with suppress(FileNotFoundError):  # another process does the same
            if is_ours and time.time() - place.stat().st_mtime > _KEPT_SECONDS:
                shutil.rmtree(place) if place.is_dir() else place.unlink()


def _read(path: Path) -> bytes | None:
    """Return a file's content, or None if it is missing or damaged."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    checksum, content = content[:_CHECKSUM_SIZE], content[_CHECKSUM_SIZE:]
    if _CHECKSUM(content).digest() != checksum:
        return None
    _use(path)
    return content


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
