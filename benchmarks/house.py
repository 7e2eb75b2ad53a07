"""The structure of the package in numbers.

``python -m benchmarks.house`` prints them; `tests/contracts/test_house.py` bounds some of them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import hanabi

ROOT = Path(hanabi.__file__).parent
MOST_LINES = 900  # of a file
MOST_PARAMETERS = 7  # of a kernel
MOST_IMPORTS = 0.072  # of all lines
FEW_LINES, MOST_SMALL = 80, 12  # of a small module; small modules that only one other imports
ENGINE = {"packed.py", "facts.py", "rules.py", "deals.py"}  # of game/kernels
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


def _imports(path: Path, modules: set[str]) -> set[str]:
    """Return every module that a file names in an import, for types or at any depth."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            found |= {name if name in modules else node.module for name in names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found & modules


def _graph() -> dict[Path, set[str]]:
    """Return the modules that each file imports."""
    modules = {_module(path) for path in sources()}
    return {path: _imports(path, modules) - {_module(path)} for path in sources()}


def import_share() -> float:
    """Return how much of all lines belongs to import statements."""
    lines = sum(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for path in sources()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
    )
    return lines / sum(map(lines_of, sources()))


def small_modules() -> dict[Path, str]:
    """Return the small modules with one importer, and which that is: they may belong to it."""
    importers: dict[str, list[str]] = {}
    for path, imported in _graph().items():
        for name in imported:
            importers.setdefault(name, []).append(_module(path))
    return {
        path: importers[_module(path)][0]
        for path in sources()
        if path.name != "__init__.py"
        and lines_of(path) < FEW_LINES
        and len(importers.get(_module(path), ())) == 1
    }


def import_circle() -> list[str]:
    """Return modules that import each other, in a circle, or none."""
    # What a package's own __init__ takes from its modules is its list of contents.
    graph = {
        _module(path): imported for path, imported in _graph().items() if path.name != "__init__.py"
    }
    try:
        TopologicalSorter(graph).prepare()
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
        if path.parent == ROOT / "game/kernels" and path.name in ENGINE:
            continue
        n = len(LAYOUT.findall(path.read_text(encoding="utf-8")))
        if n and path.parent != ROOT / "game":
            counts[path.relative_to(ROOT).as_posix()] = n
    return counts


def main() -> None:
    """Print the numbers."""
    n_kernels = sum(1 for _ in kernels())
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
    rooms: dict[str, int] = {}
    for path in sources():
        room = path.relative_to(ROOT).parts[0]
        rooms[room] = rooms.get(room, 0) + lines_of(path)
    for room, lines in sorted(rooms.items(), key=lambda each: -each[1]):
        print(f"  {lines:6,} {room}")


if __name__ == "__main__":
    main()
