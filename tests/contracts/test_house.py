"""What the structure of the package keeps to; `python -m benchmarks.house` prints all of it."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks import house

ROOT = Path(__file__).parents[2]


def test_modules_import_each_other_in_one_direction() -> None:
    assert len(house.sources()) > 200
    assert house.import_circle() == []


def test_files_and_kernels_stay_small() -> None:
    assert house.long_files() == []
    assert house.wide_kernels() == []


def test_files_are_as_long_as_their_subject() -> None:
    """Code that is cut too finely consists of imports, and of modules that one other uses."""
    assert 0.03 < house.import_share() <= house.MOST_IMPORTS
    assert len(house.small_modules()) <= house.MOST_SMALL


def test_one_loop_plays_games() -> None:
    """The other one goes down a tree of actions."""
    assert house.play_loops() == ["policy.py:play_on", "search.py:_descend"]


def test_only_the_engine_takes_words_apart() -> None:
    assert house.layout_patterns() == {}


def test_every_slow_test_that_is_listed_exists() -> None:
    """`make durations` writes the list anew."""
    names = (ROOT / "tests/thorough.txt").read_text(encoding="utf-8").splitlines()
    assert len(names) > 100
    for name in names:
        file, _, function = name.rpartition("::")
        text = (ROOT / file).read_text(encoding="utf-8")
        assert re.search(rf"(?m)^ *(def|class) {function.rpartition('.')[2]}\b", text), name
