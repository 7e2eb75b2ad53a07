"""Each convention's rule is found under its name, and the table of conventions is sound."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from hanabi import conventions as hgroup
from hanabi.conventions.conventions import (
    CONVENTIONS,
    LEVELS,
    TERMS,
    VARIANT_CONVENTIONS,
    Convention,
)
from hanabi.shell.viewer.glossary import explained

ALL = (*CONVENTIONS, *VARIANT_CONVENTIONS)
SOURCES = "".join(
    path.read_text("utf-8") for path in sorted(Path(hgroup.__file__).parent.glob("*.py"))
)


@pytest.mark.parametrize("convention", ALL, ids=lambda each: each.name)
def test_a_rule_is_found_under_its_name(convention: Convention) -> None:
    """Its name begins a docstring or a comment, or a sentence in it, and is followed by a colon."""
    named = re.findall(rf'(?:"""|# |\. |   ){re.escape(convention.name)}: ', SOURCES)
    assert len(named) == 1


def test_the_table_is_sound() -> None:
    assert len({each.name for each in ALL}) == len({each.link for each in ALL}) == len(ALL)
    assert {each.kind for each in ALL} == {"action", "reading", "variant"}
    assert [each.level for each in CONVENTIONS] == sorted(each.level for each in CONVENTIONS)
    assert {each.level for each in CONVENTIONS} == set(range(1, LEVELS + 1))
    assert all(re.fullmatch(r"[^ ].*[^ .]", each.says) for each in ALL)


@pytest.mark.parametrize("name", TERMS)
def test_a_term_is_explained_where_it_comes_first(name: str) -> None:
    html = unescape(explained(f"<{name}> ({name})"))
    assert re.fullmatch(
        rf'<<dfn tabindex="0" title="[^ ].*[^ .]">{re.escape(name)}</dfn>> \({re.escape(name)}\)',
        html,
    )
    assert "hint" not in html


def test_terms_are_found_in_their_forms() -> None:
    html = explained("Focus is chop-moved: 2 strikes, unfocused, a prompt")
    assert re.findall(r">([^<]*)</dfn>", html) == ["Focus", "chop-moved", "strikes"]
