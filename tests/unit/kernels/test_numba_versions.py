"""`compiled` uses private interfaces of Numba, which any release may change, so it is bounded."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import numba

ROOT = Path(__file__).parents[3]
# With each of these, at least `test_rng.py` and `test_bits.py` of this folder passed, which compile
# and call kernels. 0.61.0 failed, and 0.62.0 lacks the same interface. Before a newer Numba is let
# in, try it, and name it here and in constraints.txt.
TRIED = ["0.63.0", "0.65.0", "0.68.1"]


def minor(version: str) -> tuple[int, int]:
    first, second = version.split(".")[:2]
    return int(first), int(second)


def bounds() -> tuple[str, str]:
    """Return the lowest version of Numba that the package takes, and the first that it refuses."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (text,) = (text for text in project["dependencies"] if re.match(r"numba\b", text))
    found = re.fullmatch(r"numba>=([\d.]+),<([\d.]+)", text)
    assert found, text
    return found[1], found[2]


def test_the_package_takes_the_versions_that_were_tried_and_nothing_newer() -> None:
    least, too_new = bounds()
    assert sorted(TRIED, key=minor) == TRIED
    assert minor(least) == minor(TRIED[0])
    first, second = minor(TRIED[-1])
    assert minor(too_new) == (first, second + 1)


def test_the_pinned_version_is_the_newest_that_was_tried() -> None:
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert [pin for pin in pins if pin.startswith("numba==")] == [f"numba=={TRIED[-1]}"]


def test_the_installed_version_is_within_the_bounds() -> None:
    least, too_new = bounds()
    assert minor(least) <= minor(numba.__version__) < minor(too_new)
