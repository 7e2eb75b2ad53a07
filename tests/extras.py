"""What the extras of the package bring, and whether an error says that it is not there."""

from __future__ import annotations

import importlib.util

from hanabi.ground.errors import MissingPackageError

__all__ = ["MODULES", "why_missing"]

MODULES = {
    "matplotlib": "plots",
    "flint": "flint",
    "ortools": "packing",
    "distributed": "distributed",
    "pyarrow": "parquet",
    "gymnasium": "rl",
    "pettingzoo": "rl",
    "starlette": "web",
    "uvicorn": "web",
    "jinja2": "web",
    "drup": "dev",
}
"""The extra that a module comes with; that of development, where it has a wheel."""


def why_missing(error: BaseException | None) -> str | None:
    """Return what an error, or one that led to it, says of a missing extra; None if nothing.

    Where all extras are installed, no error can mean this.
    """
    if all(map(_is_installed, MODULES)):
        return None
    while error is not None:
        if isinstance(error, MissingPackageError):
            return str(error)
        name = (error.name or "") if isinstance(error, ModuleNotFoundError) else ""
        extra = MODULES.get(name.partition(".")[0])
        if extra is not None:
            return f"{name} is not installed: it comes with the extra {extra}"
        error = error.__cause__ or error.__context__
    return None


def _is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ValueError:  # what stands in its place was not imported from anywhere
        return False
