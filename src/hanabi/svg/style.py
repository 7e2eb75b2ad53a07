"""The style sheet of all pictures: classes only, so that a page may forbid inline styles."""

from __future__ import annotations

from importlib.resources import files

__all__ = ["STYLE"]

STYLE = (files("hanabi.svg") / "style.css").read_text("utf-8")
"""CSS of every picture, light and dark; stand-alone ones hold it, pages serve it once.

A page that has a theme of its own sets `--hanabi-ink`, `--hanabi-plate` and the like (the names are
in the file), which then count instead.
"""
