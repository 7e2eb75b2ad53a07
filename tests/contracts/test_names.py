"""Names stay importable where the reference of release 1.0.0 showed them."""

from __future__ import annotations

from importlib import import_module

import pytest

from hanabi.hardness import NormalForm, ThreeSat

MOVED = {
    "hanabi.lab.difficulty": "hanabi.lab.decks",
    "hanabi.lab.sequential": "hanabi.lab.tournament",
    "hanabi.players.installed": "hanabi.players.registry",
    "hanabi.svg.curve": "hanabi.svg.charts",
    "hanabi.svg.grid": "hanabi.svg.charts",
    "hanabi.svg.scores": "hanabi.svg.charts",
    "hanabi.svg.solitaire": "hanabi.svg.board",
}


@pytest.mark.parametrize(("former", "now"), MOVED.items())
def test_moved_names_are_the_same(former: str, now: str) -> None:
    names = import_module(former).__all__
    assert names
    for name in names:
        assert getattr(import_module(former), name) is getattr(import_module(now), name)


def test_renamed_classes_are_the_same() -> None:
    assert ThreeSat is NormalForm
