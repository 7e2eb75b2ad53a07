"""Every name that the reference shows can be imported from where it shows it."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
SHOWN = [
    name
    for page in sorted(REFERENCE.glob("*.md"))
    for name in re.findall(r"^::: ([\w.]+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
]


@pytest.mark.parametrize("module", SHOWN)
def test_names_of_the_reference_can_be_imported(module: str) -> None:
    names = import_module(module).__all__
    assert names
    assert len(set(names)) == len(names)
    for name in names:
        assert hasattr(import_module(module), name), name


def test_the_reference_shows_modules_once() -> None:
    assert len(SHOWN) > 50
    assert len(set(SHOWN)) == len(SHOWN)
