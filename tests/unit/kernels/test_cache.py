"""Compiled code on disk, seen by processes that import a small package of two kernels."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import hanabi
from hanabi.ground.compiled.cache import reached

SOURCES = Path(hanabi.__file__).parent
CALLER = """
from hanabi.ground.compiled import jit
from hanabi.kernels.callee import step

@jit
def total(n: int) -> int:
    return step(n) + 1
"""
CALLEE = """
from hanabi.ground.compiled import jit

@jit
def step(n: int) -> int:
    return n * {factor}
"""
SCRIPT = """
import json
{first}
from hanabi.ground.compiled import cache_problem
from hanabi.kernels.callee import step
from hanabi.kernels.caller import total
hits = lambda: sum(map(len, (total.stats.cache_hits, step.stats.cache_hits)))
print(json.dumps([total(7), hits(), cache_problem()]))
"""


class Outcome(NamedTuple):
    """What one process found: the kernel's result, the loads from disk, and what was wrong."""

    result: int
    hits: int
    problem: str | None


def package(folder: Path, factor: int = 3) -> Path:
    """Make a package of the name `hanabi` with the machinery of the real one and two kernels."""
    kernels = folder / "hanabi/kernels"
    kernels.mkdir(parents=True)
    (folder / "hanabi/__init__.py").touch()
    (folder / "hanabi/ground/compiled").mkdir(parents=True)
    (folder / "hanabi/ground/__init__.py").touch()
    rooms = (f"ground/compiled/{name}.py" for name in ("__init__", "cache", "parts"))
    for name in ("ground/errors.py", "ground/compiling.py", *rooms):
        shutil.copy(SOURCES / name, folder / "hanabi" / name)
    (kernels / "caller.py").write_text(CALLER)
    edit(folder, factor)
    return folder


def edit(folder: Path, factor: int) -> None:
    (folder / "hanabi/kernels/callee.py").write_text(CALLEE.format(factor=factor))


def start(
    place: Path, script: str = SCRIPT.format(first=""), **environment: str
) -> subprocess.Popen[str]:
    # Python's own cache would show an edit only a second later.
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    env = kept | {"PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1"} | environment
    command = [sys.executable, "-W", "error", "-c", script]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=env, cwd=place, stdout=pipe, stderr=pipe, text=True)


def finish(process: subprocess.Popen[str]) -> Outcome:
    out, err = process.communicate()
    assert (process.returncode, err) == (0, "")
    return Outcome(*json.loads(out))


def run(place: Path, cache: Path | str, first: str = "", **environment: str) -> Outcome:
    script = SCRIPT.format(first=first)
    return finish(start(place, script, XDG_CACHE_HOME=str(cache), **environment))


def run_script(place: Path, script: str, cache: Path) -> str:
    """Return what a script prints that uses the package at a place."""
    out, err = start(place, script, XDG_CACHE_HOME=str(cache)).communicate()
    assert err == ""
    return out


def files(cache: Path) -> list[Path]:
    return sorted(path for path in cache.rglob("*") if path.is_file())


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return package(tmp_path / "place")


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def test_equal_sources_share_compiled_code_wherever_they_stand(
    place: Path, cache: Path, tmp_path: Path
) -> None:
    assert run(place, cache) == (22, 0, None)
    kept = files(cache)
    assert [path.name.rpartition("-")[0] for path in kept] == [
        "kernels.callee.step",
        "kernels.caller.total",
    ]
    before = [path.stat().st_mtime_ns for path in kept]
    other = package(tmp_path / "elsewhere" / "deeper")
    os.utime(other / "hanabi/kernels/caller.py", (0, 0))
    assert run(other, cache) == (22, 1, None)  # the caller holds the code of its callee
    assert [path.stat().st_mtime_ns for path in files(cache)] == before


def test_an_edited_callee_is_compiled_again(place: Path, cache: Path) -> None:
    assert run(place, cache).result == 22
    edit(place, factor=5)
    assert run(place, cache) == (36, 0, None)
    edit(place, factor=3)
    assert run(place, cache) == (22, 1, None)


def test_an_edit_compiles_only_what_can_reach_it(place: Path, cache: Path) -> None:
    run(place, cache)
    before = {path: path.stat().st_mtime_ns for path in files(cache)}
    with (place / "hanabi/kernels/caller.py").open("a") as source:
        source.write("# an edit\n")
    assert run(place, cache) == (22, 1, None)  # the callee, which does not import its caller
    after = {path: path.stat().st_mtime_ns for path in files(cache)}
    assert before.items() <= after.items()
    assert [path.name.rpartition("-")[0] for path in after.keys() - before.keys()] == [
        "kernels.caller.total"
    ]


RECORD = """
from typing import NamedTuple
from hanabi.ground.compiled import jit

class Shape(NamedTuple):
    side: int
"""
AREA = """
from hanabi.ground.compiled import jit
from hanabi.ground.compiled.dispatch import by_type

@by_type
@jit
def area(shape):
    return 0

@jit
def twice(shape):
    return 2 * area(shape)
"""
SERVED = """
from hanabi.ground.compiled import jit
from hanabi.kernels.generic import area
from hanabi.kernels.record import Shape

@area.register(Shape)
@jit
def _(shape):
    return shape.side * {factor}
"""
SERVE = """
import json
from hanabi.kernels import {module}
from hanabi.kernels.generic import twice
from hanabi.kernels.record import Shape
from hanabi.ground.compiled import cache_problem
print(json.dumps([twice(Shape(5)), sum(twice.stats.cache_hits.values()), cache_problem()]))
"""


def test_code_depends_on_the_kernels_registered_for_its_records(place: Path, cache: Path) -> None:
    """Neither the kernel called nor the record imports the module that serves the record."""
    kernels = place / "hanabi/kernels"
    shutil.copy(SOURCES / "ground/compiled/dispatch.py", place / "hanabi/ground/compiled")
    (kernels / "record.py").write_text(RECORD)
    (kernels / "generic.py").write_text(AREA)
    script = SERVE.format(module="served")
    for factor, result, hits in ((3, 30, 0), (3, 30, 1), (4, 40, 0), (3, 30, 1)):
        (kernels / "served.py").write_text(SERVED.format(factor=factor))
        assert finish(start(place, script, XDG_CACHE_HOME=str(cache))) == (result, hits, None)
    # Without that module, another kernel serves.
    unserved = SERVE.format(module="record")
    assert finish(start(place, unserved, XDG_CACHE_HOME=str(cache))) == (0, 0, None)


def imports_of(source: Path) -> set[str]:
    """Return the names that a module imports when it is imported, by Python's own parser."""
    names = set[str]()
    for node in ast.parse(source.read_text()).body:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{source} has a relative import, which the cache does not read"
            names |= {f"{node.module}.{alias.name}" for alias in node.names} | {str(node.module)}
    return names


def test_the_cache_finds_every_import_of_a_kernel_module() -> None:
    files = {
        ".".join((path.parent if path.stem == "__init__" else path.with_suffix("")).parts): path
        for path in (path.relative_to(SOURCES.parent) for path in SOURCES.rglob("*.py"))
        if {"kernels", "kernels.py", "layout.py"} & set(path.parts[-2:])
    }
    assert len(files) > 40
    for module, path in files.items():
        found, left = set[str](), {module}
        while left:
            name = left.pop()
            found.add(name)
            left |= (imports_of(SOURCES.parent / files[name]) & files.keys()) - found
        assert reached((module,)) == tuple(sorted(found)), path


def test_bounds_checks_have_code_of_their_own(place: Path, cache: Path) -> None:
    run(place, cache)
    assert run(place, cache, NUMBA_BOUNDSCHECK="1").hits == 0
    assert len(list((cache / "hanabi").iterdir())) == 2


def test_without_a_folder_nothing_stale_is_found_elsewhere(place: Path, cache: Path) -> None:
    cache.touch()  # a file, so that no folder can be made
    for factor, result in ((3, 22), (5, 36)):
        edit(place, factor)
        found = run(place, cache, HOME=str(place))
        assert found[:2] == (result, 0)
        assert found.problem == f"compiled code cannot be kept in {cache}: File exists"
    assert not list(place.rglob("*.nb?"))
    assert not list(place.rglob("__pycache__"))


NOBODY = """
import os, pwd
def unknown(uid): raise KeyError(uid)
pwd.getpwuid = unknown
os.environ.pop("HOME")
"""


def test_a_user_without_a_home_compiles(place: Path) -> None:
    found = run(place, "", NOBODY)
    assert found == (22, 0, "compiled code cannot be kept: Could not determine home directory.")


def test_relative_paths_are_ignored(place: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    for _ in range(2):
        found = run(place, "cache", HOME=str(home), NUMBA_CACHE_DIR="numba")
        assert found.problem is None
    assert found.hits == 1
    assert len(files(home / ".cache/hanabi")) == 2
    assert sorted(path.name for path in place.iterdir()) == ["hanabi"]
    assert "'home'" in str(run(place, "cache", HOME="home").problem)


def test_numba_s_own_setting_comes_first(place: Path, cache: Path, tmp_path: Path) -> None:
    run(place, cache, NUMBA_CACHE_DIR=str(tmp_path / "numba"))
    assert not cache.exists()
    assert len(files(tmp_path / "numba/hanabi")) == 2


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: b"",
        lambda content: content[:20],
        lambda content: content[: len(content) // 2],
        lambda content: content[:-1],
        lambda content: content[:4000] + bytes(256) + content[4256:],
        lambda content: content + b"\0",
    ],
    ids=["empty", "a piece of the checksum", "half", "a byte short", "zeros", "a byte more"],
)
def test_damaged_files_are_replaced(place: Path, cache: Path, damage: Any) -> None:
    run(place, cache)
    whole = [path.read_bytes() for path in files(cache)]
    for path, content in zip(files(cache), whole, strict=True):
        path.write_bytes(damage(content))
    assert run(place, cache) == (22, 0, None)
    assert [len(path.read_bytes()) for path in files(cache)] == [len(one) for one in whole]
    assert run(place, cache) == (22, 1, None)


FULL_DISK = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
"""


def test_a_full_disk_is_named_and_leaves_no_pieces(place: Path, cache: Path) -> None:
    pytest.importorskip("resource")
    found = run(place, cache, FULL_DISK)
    (folder,) = (cache / "hanabi").iterdir()
    assert found == (22, 0, f"compiled code cannot be kept in {folder}: File too large")
    assert not files(cache)


def test_the_folder_is_private(place: Path, cache: Path) -> None:
    run(place, cache)
    top = cache / "hanabi"
    for folder in (top, *top.iterdir()):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for path in files(cache):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
@pytest.mark.parametrize("depth", [0, 1])
def test_folders_that_others_may_write_to_are_not_read(
    place: Path, cache: Path, mode: int, depth: int
) -> None:
    run(place, cache)
    top = cache / "hanabi"
    open_one = (top, *top.iterdir())[depth]
    open_one.chmod(mode)
    found = run(place, cache)
    assert found[:2] == (22, 0)
    assert str(found.problem).endswith(f": other users may write to {open_one}")


STRANGER = "import os; os.geteuid = lambda: {uid}"


def test_folders_of_others_are_not_read(place: Path, cache: Path, tmp_path: Path) -> None:
    run(place, cache)
    found = run(place, cache, STRANGER.format(uid=os.geteuid() + 1))
    assert found[:2] == (22, 0)
    assert str(found.problem).endswith(f": {cache}/hanabi belongs to another user")
    # A link of one's own to a folder of one's own is a way to have the cache on another disk.
    link = tmp_path / "linked"
    link.mkdir()
    (link / "hanabi").symlink_to(cache / "hanabi")
    assert run(place, link) == (22, 1, None)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to others")
@pytest.mark.parametrize("whose", ["link", "target"])
def test_links_across_users_are_not_followed(place: Path, cache: Path, whose: str) -> None:
    target = cache / "target"
    target.mkdir(parents=True)
    link = cache / "hanabi"
    link.symlink_to(target)
    os.chown(cache / {"link": "hanabi"}.get(whose, whose), 12345, -1, follow_symlinks=False)
    assert str(run(place, cache).problem).endswith(f": {link} belongs to another user")
    assert not files(cache)


def test_many_processes_may_start_at_once(place: Path, cache: Path) -> None:
    crowd = [start(place, XDG_CACHE_HOME=str(cache)) for _ in range(5)]
    for process in crowd:
        found = finish(process)
        assert (found.result, found.problem) == (22, None)
    assert len(files(cache)) == 2  # and no half-written ones
    assert run(place, cache) == (22, 1, None)


EDIT_NOW = """
from pathlib import Path
from hanabi.kernels import callee
callee.step(1)
with Path(callee.__file__).open("a") as source:
    source.write("# an edit\\n")
"""


def test_code_is_not_kept_for_sources_that_changed_meanwhile(place: Path, cache: Path) -> None:
    assert run(place, cache, EDIT_NOW) == (22, 0, None)
    assert [path.name.rpartition("-")[0] for path in files(cache)] == ["kernels.callee.step"]


def test_code_goes_when_unused_for_a_month(place: Path, cache: Path) -> None:
    """Whole folders of other versions, and files of other sources; checked when code is stored."""
    run(place, cache)
    top = cache / "hanabi"
    (current,) = top.iterdir()
    callee, caller = files(cache)
    ages = {top / ("0" * 16): 31, top / ("1" * 16): 29, current: 40, top / "something-else": 99}
    for folder in ages:
        folder.mkdir(exist_ok=True)
    ages |= {callee: 40, caller: 40}
    for path, days in ages.items():
        os.utime(path, (time.time() - days * 86400,) * 2)
    with (place / "hanabi/kernels/caller.py").open("a") as source:
        source.write("# an edit\n")
    assert run(place, cache) == (22, 1, None)
    kept = {top / ("1" * 16), current, top / "something-else"}
    assert set(top.iterdir()) == kept  # the current one is in use, however long it was not
    assert callee.exists()  # it was used just now
    assert not caller.exists()


def test_a_package_without_sources_is_compiled_each_time(place: Path, cache: Path) -> None:
    hide = "from pathlib import Path; Path.glob = Path.rglob = lambda *_: iter(())"
    assert "no sources" in str(run(place, cache, hide).problem)
    assert not cache.exists()


def test_kernels_are_made_from_kernels_alone() -> None:
    """Code is named by no other sources: constants from elsewhere would go stale."""
    for source in SOURCES.glob("ground/compiled/*.py"):
        known = (
            "hanabi.ground.compiled",
            "hanabi.ground.compiling",
            "hanabi.ground.errors",
        )  # no kernels are there
        names = {name for name in imports_of(source) if name.startswith("hanabi.")}
        assert all(name.startswith(known) for name in names), source
    for source in [*SOURCES.rglob("kernels/*.py"), *SOURCES.rglob("kernels.py")]:
        later = re.search(r"(?m)^[ \t]+(from|import) hanabi", source.read_text())
        assert not later, f"{source} imports within a function"
        for name in imports_of(source):
            parts = name.split(".")
            is_room = (SOURCES.parent / "/".join(parts)).is_dir()  # `from room import kernels`
            is_hashed = {"kernels", "layout"} & set(parts) or parts[:3] == [
                "hanabi",
                "ground",
                "compiled",
            ]
            assert parts[0] != "hanabi" or is_hashed or is_room, f"{source} imports {name}"
