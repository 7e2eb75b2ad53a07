"""The examples of the pages that need packages outside the extras, where these are installed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[3] / "docs"
BLOCKS = [
    block
    for page in ("environments.md", "expert-games.md")
    for block in re.findall(r"```python\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)
]
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
    exec(compile(block, str(DOCS), "exec"), scope)  # the page's own text


def test_every_package_has_an_example() -> None:
    assert {name for block in BLOCKS for name in needed(block)} == {*PACKAGES}
