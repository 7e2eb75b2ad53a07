"""`hanabi count --curve --samples` through the laboratory."""

from __future__ import annotations

import json
from pathlib import Path

from hanabi.lab import Store
from hanabi.solitaire.counting.playability import estimate_curve

from ...conftest import Run

WORDS = ("count", "2,1,1", "--colors", 2, "--curve", "--seed", 3, "--json")


def test_the_curve_is_that_of_the_library_and_is_kept(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "decks.db"
    first = run(*WORDS, "--samples", 300, "--store", path)
    curve = json.loads(first.out)["curve"]
    points = estimate_curve([(2, 1, 1)] * 2, samples=300, seed=3)
    assert [p["won"] for p in curve[1:]] == [p.won for p in points[1 : len(curve)]]
    with Store(path) as store:
        assert [each.items for each in store.works()] == [300]
    assert run(*WORDS, "--samples", 300, "--store", path).out == first.out
    run(*WORDS, "--samples", 500, "--store", path)
    with Store(path) as store:
        assert [each.items for each in store.works()] == [500]


def test_no_decks(run: Run) -> None:
    outcome = run(*WORDS, "--samples", 0)
    assert (outcome.status, outcome.out) == (2, "")
    assert "--samples: at least one deck" in outcome.err
