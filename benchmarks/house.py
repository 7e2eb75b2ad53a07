"""The structure of the package in numbers.

``python -m benchmarks.house`` prints them; `tests/contracts/test_house.py` bounds some of them.
With ``PYTHONPATH=TREE/src`` they are those of another work tree.
"""

from __future__ import annotations

import ast
import re
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from functools import cache
from graphlib import CycleError, TopologicalSorter
from io import StringIO
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import FrameType
from typing import NamedTuple

import hanabi
from hanabi.doors import names_behind
from hanabi.front.app import main as run_command

ROOT = Path(hanabi.__file__).parent
MOST_LINES = 900  # of a file
MOST_PARAMETERS = 7  # of a kernel
MOST_IMPORTS = 0.07  # of all lines
FEW_LINES, MOST_SMALL = 80, 12  # of a small module; small modules that only one other imports
ENGINE = {"packed.py", "facts.py", "rules.py", "deals.py"}  # of rules/kernels
# Sections of the words of a position, and the bits of codes, which only the engine takes apart.
LAYOUT = re.compile(
    r"(?:rules|state)\[(?:rules\[)?(?:k\.)?(?:CARDS|KNOWN|SIZES|DISCARDS|COPIES|HEIGHTS|TOUCHES)\b"
    r"|\w*code\)? (?:& 31|>> 5)\b|\baction\)? (?:& 7|>> 3|>> 8)\b"
)


def sources() -> list[Path]:
    """Return the files of the package."""
    return sorted(ROOT.rglob("*.py"))


def lines_of(path: Path) -> int:
    """Return the number of lines of a file."""
    return path.read_text(encoding="utf-8").count("\n")


def _module(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(path: Path, modules: set[str], *, past_doors: bool) -> set[str]:
    """Return every module that a file imports from, for types or at any depth."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            for alias in node.names:
                home, name = node.module, alias.name
                if past_doors:
                    home, name = _past_doors(home, name)
                found.add(f"{home}.{name}" if f"{home}.{name}" in modules else home)
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found & modules


@cache
def _door(room: str) -> dict[str, tuple[str, str]]:
    return names_behind((ROOT / room / "__init__.py").read_text(encoding="utf-8"))


def _past_doors(module: str, name: str) -> tuple[str, str]:
    """Return the module that a name of a room comes from, and the name there."""
    _, _, room = module.partition(".")
    if room not in rooms() or name not in _door(room):
        return module, name
    return _past_doors(*_door(room)[name])


def _graph(*, past_doors: bool = False) -> dict[str, set[str]]:
    """Return the modules that each module imports: doors, or what stands behind them."""
    modules = {_module(path): path for path in sources()}
    return {
        module: _imports(path, set(modules), past_doors=past_doors) - {module}
        for module, path in modules.items()
    }


class Crossing(NamedTuple):
    """A name that a module of one room imports from another room."""

    module: str
    room: str
    home: str
    name: str

    @property
    def is_inside(self) -> bool:
        """Whether the import reaches past the room's door, into one of its modules."""
        return self.home != f"hanabi.{self.room}"

    @property
    def is_of_kernel(self) -> bool:
        """Whether compiled code imports, which names the modules that it is made from."""
        return "kernels" in self.module.split(".")[-2:] or self.module.endswith(".layout")


def rooms() -> set[str]:
    """Return the packages directly below the package."""
    return {path.parent.name for path in ROOT.glob("*/__init__.py")}


def crossings() -> list[Crossing]:
    """Return what modules import from rooms other than their own."""
    known, found = rooms(), list[Crossing]()
    for path in sources():
        own = path.relative_to(ROOT).parts[0]
        if own not in known:
            continue  # `hanabi` itself, whose names are for users
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("hanabi"):
                continue
            for alias in node.names:
                home = f"{node.module}.{alias.name}" if node.module == "hanabi" else node.module
                parts = str(home).split(".")
                if len(parts) > 1 and parts[1] in known - {own}:
                    found.append(Crossing(_module(path), parts[1], str(home), alias.name))
    return found


def floors() -> list[list[str]]:
    """Return the rooms by floor: each imports from lower floors only.

    Commands and pages of all rooms stand on the floor above the highest room that they import.
    """
    below: dict[str, set[str]] = {room: set() for room in rooms()}
    for each in crossings():
        own, *rest = each.module.split(".")[1:]
        is_top = rest[:1] in (["commands"], ["pages"])
        below.setdefault("commands and pages" if is_top else own, set()).add(each.room)
    found = list[list[str]]()
    sorter = TopologicalSorter(below)
    sorter.prepare()
    while sorter.is_active():
        ready = sorter.get_ready()
        found.append(sorted(ready))
        sorter.done(*ready)
    return found


def import_share() -> float:
    """Return how much of all lines belongs to import statements, without the doors of rooms."""
    files = [path for path in sources() if path.parent.parent != ROOT or path.name != "__init__.py"]
    lines = sum(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for path in files
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
    )
    return lines / sum(map(lines_of, files))


def small_modules() -> dict[Path, str]:
    """Return the small modules with one importer, and which that is: they may belong to it."""
    importers: dict[str, list[str]] = {}
    for module, imported in _graph(past_doors=True).items():
        for name in imported:
            importers.setdefault(name, []).append(module)
    return {
        path: importers[_module(path)][0]
        for path in sources()
        if path.name != "__init__.py"
        and lines_of(path) < FEW_LINES
        and len(importers.get(_module(path), ())) == 1
    }


def import_circle() -> list[str]:
    """Return modules that import each other, in a circle, or none; doors are modules, too."""
    try:
        TopologicalSorter(_graph()).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def kernels() -> Iterator[tuple[Path, ast.FunctionDef]]:
    """Yield the functions of all kernels."""
    for path in sources():
        if "kernels" in (*path.parts, path.stem) or path.parent.name == "compiled":
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef):
                    yield path, node


def long_files() -> list[str]:
    """Return the files with more lines than a file should have."""
    return [path.name for path in sources() if lines_of(path) > MOST_LINES]


def wide_kernels() -> list[str]:
    """Return the kernels with more parameters than a kernel should have."""
    return [
        f"{path.name}:{node.name}"
        for path, node in kernels()
        if len(node.args.args) + len(node.args.kwonlyargs) > MOST_PARAMETERS
    ]


def play_loops() -> list[str]:
    """Return the kernels that take one action after the other while a game is in progress."""
    return [
        f"{path.name}:{node.name}"
        for path, node in kernels()
        for loop in ast.walk(node)
        if isinstance(loop, ast.While)
        and ast.unparse(loop.test).endswith("[k.END] == k.IN_PROGRESS")
        and "state" in ast.unparse(loop.test)
    ]


def layout_patterns() -> dict[str, int]:
    """Return how often files outside the engine take words of a position apart."""
    counts = {}
    for path in sources():
        if path.parent == ROOT / "rules/kernels" and path.name in ENGINE:
            continue
        n = len(LAYOUT.findall(path.read_text(encoding="utf-8")))
        if n and path.parent != ROOT / "rules":
            counts[path.relative_to(ROOT).as_posix()] = n
    return counts


def answers() -> tuple[list[str], list[str]]:
    """Return the functions of `session` that answer whether something can be won, and the answers.

    >>> answers()
    (['answer_of', 'solve'], ['Answer'])
    """
    functions, classes = list[str](), list[str]()
    for path in sorted((ROOT / "shell/session").glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and node.name.endswith("Answer"):
                classes.append(node.name)
            elif isinstance(node, ast.FunctionDef) and node.returns and node.name[0] != "_":
                functions += [node.name] * ast.unparse(node.returns).endswith("Answer")
    return sorted(functions), sorted(classes)


def _room(frame: FrameType | None) -> str:
    """Return the room of the innermost frame of this package, from a frame outwards."""
    while frame is not None:
        path = frame.f_code.co_filename
        if path.startswith(f"{ROOT}/"):
            return path[len(f"{ROOT}/") :].partition("/")[0].removesuffix(".py")
        frame = frame.f_back
    return ""


@contextmanager
def traced() -> Iterator[Counter[tuple[str, str, str]]]:
    """Count the calls from one package to another: by both and the function that is called.

    A generator counts once. Threads that start inside are traced, child processes are not.
    """
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    calls, seen = Counter[tuple[str, str, str]](), dict[int, FrameType]()

    def trace(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(f"{ROOT}/"):
            return
        to, source = _room(frame), _room(frame.f_back)
        is_hop = to != source and {to, source} <= packages
        if is_hop and code.co_name != "<module>" and id(frame) not in seen:
            calls[source, to, code.co_qualname] += 1
            seen[id(frame)] = frame  # keeps it alive, so that no other frame has its number

    threading.setprofile(trace)
    sys.setprofile(trace)
    try:
        yield calls
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def _command(*words: str) -> None:
    with redirect_stdout(StringIO()):
        if run_command(words) != 0:
            raise AssertionError(words)


def solve_a_stream() -> None:
    """Solve a stream of Solitaire Hanabi in a file on the command line."""
    with NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("hand 2  r2 r4 r1 y1 y2 r3 y3 r4 y4\n")
        file.flush()
        _command("solve", file.name)


def simulate() -> None:
    """Play a few games on the command line."""
    _command("simulate", "rule-based", "--players", "2", "-n", "20", "--seed", "1")


def move_in_the_browser() -> None:
    """Sit down at a table, and take one action."""
    from starlette.testclient import TestClient

    from hanabi.front.site import make_app
    from hanabi.shell.web.settings import Settings

    origin = "http://localhost"
    app = make_app(Settings(workers=1))
    with TestClient(app, base_url=origin, headers={"origin": origin}) as browser:
        page = browser.post("/play/new", data={"partner1": "random", "seed": "1"}).text
        move = {
            name: re.findall(rf'name="{name}" value="(\d+)"', page)[0]
            for name in ("turn", "action")
        }
        if browser.post("/play/act", data=move).status_code != 200:
            raise AssertionError(move)


WALKS: tuple[Callable[[], None], ...] = (solve_a_stream, simulate, move_in_the_browser)


def main() -> None:
    """Print the numbers."""
    n_kernels = sum(1 for _ in kernels())
    crossed = crossings()
    doors = Counter(room for room, _ in {(each.room, each.name) for each in crossed})
    print(f"{len(rooms())} rooms; names that others import: {doors.total()}")
    print("  " + ", ".join(f"{room} {count}" for room, count in doors.most_common()))
    inside = [each for each in crossed if each.is_inside]
    kernel = sum(each.is_of_kernel for each in inside)
    print(f"imports that reach inside a room: {len(inside) - kernel}; of compiled code: {kernel}")
    for number, each in enumerate(floors(), start=1):
        print(f"floor {number}: {', '.join(each)}")
    print(f"{len(sources())} files, {sum(map(lines_of, sources())):,} lines")
    print(f"lines of imports: {import_share():.2%} (at most {MOST_IMPORTS:.1%})")
    small = small_modules()
    print(
        f"modules under {FEW_LINES} lines that only one other imports:"
        f" {len(small)} (at most {MOST_SMALL})"
    )
    for path, importer in small.items():
        print(f"  {lines_of(path):3} {path.relative_to(ROOT)}, by {importer}")
    print(f"import circle: {' -> '.join(import_circle()) or 'none'}")
    print(f"files over {MOST_LINES} lines: {', '.join(long_files()) or 'none'}")
    wide = ", ".join(wide_kernels()) or "none"
    print(f"{n_kernels} kernels; over {MOST_PARAMETERS} parameters: {wide}")
    print(f"loops that play a game: {', '.join(play_loops())}")
    patterns = layout_patterns()
    print(f"words of a position taken apart outside the engine: {sum(patterns.values())}")
    for name, count in patterns.items():
        print(f"  {count:3} {name}")
    functions, classes = answers()
    print(f"doors: {len(hanabi.__all__)} names of `hanabi`;", end=" ")
    print(f"whether it can be won is answered by {', '.join(functions)} with {', '.join(classes)}")
    for walk in WALKS:
        walk()  # imports and compiles
        with traced() as calls:
            walk()
        pairs = {(source, to) for source, to, _ in calls}
        print(
            f"{walk.__name__.replace('_', ' ')}: {calls.total()} hops from room to room,"
            f" through {len(calls)} functions, between {len(pairs)} pairs of rooms"
        )
    lines: dict[str, int] = {}
    for path in sources():
        room = path.relative_to(ROOT).parts[0]
        lines[room] = lines.get(room, 0) + lines_of(path)
    for room, number in sorted(lines.items(), key=lambda each: -each[1]):
        print(f"  {number:6,} {room}")


if __name__ == "__main__":
    main()
