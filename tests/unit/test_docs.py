"""Every example in the documentation is run."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

import hanabi

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


def test_every_public_name_is_in_the_reference() -> None:
    """What a room exports, and what `import hanabi` gives, is on a page of the reference."""
    pages = (ROOT / "docs" / "reference").glob("*.md")
    shown = {
        line[4:] for page in pages for line in page.read_text().splitlines() if line[:4] == "::: "
    }
    rooms = {
        path.parent
        for path in (ROOT / "src" / "hanabi").glob("*/__init__.py")
        if "__all__" in path.read_text(encoding="utf-8") and path.parent.name != "compiled"
    }
    assert {f"hanabi.{room.name}" for room in rooms} <= shown
    homes = vars(hanabi)["_HOMES"]
    assert homes.keys() <= shown
