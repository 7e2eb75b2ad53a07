"""The option tables of the pages are what the commands' own help says."""

from __future__ import annotations

import doctest
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[3] / "docs"
_SPEC = spec_from_file_location("make_options", DOCS / "make_options.py")
assert _SPEC is not None
assert _SPEC.loader is not None
make_options = module_from_spec(_SPEC)
_SPEC.loader.exec_module(make_options)

PAGES = [path for path in sorted(DOCS.glob("*.md")) if "<!-- options of" in path.read_text("utf-8")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_tables_of_a_page_are_up_to_date(page: Path) -> None:
    text = page.read_text("utf-8")
    assert len(make_options.BLOCK.findall(text)) == text.count("<!-- options of")
    assert make_options.refresh(text) == text, "run: python docs/make_options.py"


def test_a_table_that_differs_from_the_help_is_written_anew() -> None:
    page = "x\n<!-- options of hanabi players -->\n| `--jsn` | |\n<!-- end of options -->\ny\n"
    fresh = make_options.refresh(page)
    assert "`--json` | [shared](command-line.md#shared-options)" in fresh
    assert "--jsn" not in fresh
    assert make_options.refresh(fresh) == fresh


def test_every_option_of_a_command_is_in_its_table() -> None:
    told = make_options.table("solve")
    assert all(f"`{name}`" in told for name in ("--players", "--hand-size", "--time", "-o"))
    assert "SOURCE" not in told
    assert "--no-" not in told


def test_a_shared_option_is_explained_once() -> None:
    shared = dict(make_options.shared())
    assert ("`--json`", "Print one JSON document.") in shared
    page = (DOCS / "command-line.md").read_text("utf-8")
    assert all(page.count(f"| {names} | {meaning} |") == 1 for names, meaning in shared)
    assert "`--seed`, `--rules`" in make_options.table("play")


def test_the_command_line_page_is_generated_in_part() -> None:
    assert DOCS / "command-line.md" in PAGES
    assert doctest.testmod(make_options).failed == 0
