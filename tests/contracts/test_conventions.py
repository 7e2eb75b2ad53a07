"""Each convention's rule is found under its name, and the table of conventions is sound."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hanabi import conventions as hgroup
from hanabi.conventions.conventions import CONVENTIONS, LEVELS, VARIANT_CONVENTIONS, Convention

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
