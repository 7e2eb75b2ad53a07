"""The modules of the package import each other in one direction, inside functions too."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import hanabi

ROOT = Path(hanabi.__file__).parent


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_by(path: Path, modules: set[str]) -> set[str]:
    """Every module that a file names in an import, for types or at any depth."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            found |= {name if name in modules else node.module for name in names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found & modules


def test_no_modules_import_each_other() -> None:
    paths = {module_of(path): path for path in ROOT.rglob("*.py")}
    assert len(paths) > 200
    # What a package's own __init__ takes from its modules is its list of contents.
    graph = {
        name: imported_by(path, set(paths)) - {name}
        for name, path in paths.items()
        if path.name != "__init__.py"
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" -> ".join(error.args[1])) from None
