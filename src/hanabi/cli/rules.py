"""The rule sets of the command line are those of the library."""

from __future__ import annotations

from hanabi.game.rules_json import DEFAULT_PRESET, rules_of_json

__all__ = ["DEFAULT_PRESET", "rules_of_json"]
