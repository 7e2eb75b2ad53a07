"""Every example in the documentation is run."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_of_a_page_hold(page: Path) -> None:
    failed, _ = doctest.testfile(
        str(page),
        module_relative=False,
        optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS,
        encoding="utf-8",
    )
    assert failed == 0


def test_the_pages_with_algorithms_have_examples() -> None:
    parser = doctest.DocTestParser()
    page = next(page for page in PAGES if page.name == "linear-time.md")
    assert len(parser.get_examples(page.read_text(encoding="utf-8"))) > 20
