"""The examples of the page that need packages outside the extras, where these are installed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[3] / "docs/environments.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
PACKAGES = ("supersuit", "torchrl", "jax", "torch")


def needed(block: str) -> list[str]:
    found = re.findall(r"^(?:from|import) (\w+)", block, re.MULTILINE)
    return [name for name in PACKAGES if name in found]


@pytest.mark.filterwarnings("ignore")  # of packages that are not ours
@pytest.mark.parametrize(
    "block",
    [block for block in BLOCKS if needed(block)],
    ids=lambda block: "-".join(needed(block)),
)
def test_examples_with_other_packages_run(block: str) -> None:
    for name in needed(block):
        pytest.importorskip(name, reason=f"{name} is not installed", exc_type=ImportError)
    scope: dict[str, Any] = {"__name__": "example"}
    exec(compile(block, str(PAGE), "exec"), scope)  # the page's own text


def test_every_package_has_an_example() -> None:
    assert {name for block in BLOCKS for name in needed(block)} == {*PACKAGES}
