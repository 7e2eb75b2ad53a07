"""The colors of the pages: words and marks can be told from their ground in both schemes.

Ratios are those of WCAG 2.2: 4.5 for words, 3 for marks.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import hanabi
from hanabi.ground.svg.looks import contrast

SHEET = Path(hanabi.__file__).parent / "shell/web/static/page.css"
PICTURES = Path(hanabi.__file__).parent / "ground/svg/style.css"
PLAYER = Path(hanabi.__file__).parent / "shell/viewer/assets/player.css"
_PAIR = re.compile(r"--([\w-]+): (?:light-dark\((#\w+), (#\w+)\)|var\(--([\w-]+)\));")


def colors(scheme: int) -> dict[str, str]:
    """Return the colors of pages by name: in the light scheme (0) or the dark one (1)."""
    found: dict[str, str] = {}
    for name, light, dark, other in _PAIR.findall(SHEET.read_text(encoding="utf-8")):
        found[name] = found[other] if other else (light, dark)[scheme]
    return found


def alone(sheet: Path, scheme: int) -> dict[str, str]:
    """Return the colors of pictures, or of the review, where no page says others."""
    parts = sheet.read_text(encoding="utf-8").split("@media (prefers-color-scheme: dark)")
    return dict(re.findall(r"var\(--([\w-]+), (#\w+)\)", parts[scheme]))


GROUNDS = ("ground", "panel", "good-ground", "bad-ground", "half-ground")
WORDS = (
    *((name, ground) for name in ("ink", "dim", "link", "go", "bad") for ground in GROUNDS),
    ("on-go", "go"), ("panel", "link"), ("panel", "go"), ("panel", "bad"), ("ground", "ink"),
    ("hanabi-ink", "hanabi-plate"), ("hanabi-dim", "ground"), ("hanabi-note", "ground"),
    ("hanabi-on-mark", "hanabi-note"), ("hanabi-on-mark", "hanabi-good"),
    ("hanabi-on-mark", "hanabi-bad"),
)  # fmt: skip
MARKS = (
    ("now", "ground"), ("now", "panel"), ("line", "ground"), ("line", "panel"),
    *((f"hanabi-{name}", "ground") for name in ("touch", "note", "good", "bad", "edge")),
    *((f"hanabi-{name}", "hanabi-plate") for name in ("touch", "note", "good", "bad", "edge")),
    *((f"hanabi-{name}", "hanabi-back") for name in ("touch", "note", "good", "bad")),
)  # fmt: skip


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("pairs", "least"), [(WORDS, 4.5), (MARKS, 3.0)], ids=["words", "marks"])
def test_words_and_marks_stand_out(
    pairs: tuple[tuple[str, str], ...], least: float, scheme: int
) -> None:
    named = colors(scheme)
    ratios = {pair: contrast(*(named[name] for name in pair)) for pair in pairs}
    assert {pair: ratio for pair, ratio in ratios.items() if ratio < least} == {}


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("sheet", [PICTURES, PLAYER], ids=["pictures", "reviews"])
def test_what_stands_alone_has_the_colors_of_pages(sheet: Path, scheme: int) -> None:
    """Its theme is the system's; a page's may be another, so it states all colors again."""
    within, others = colors(scheme), alone(sheet, scheme)
    others.pop("hanabi-ground", None)
    assert len(others) > 9
    assert {name: within[name] for name in others} == others
