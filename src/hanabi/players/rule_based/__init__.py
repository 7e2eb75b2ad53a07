"""The rule-based player of [Bergh2016, section 4], readable and compiled."""

from __future__ import annotations

from hanabi.players.rule_based.player import RuleBased

__all__ = ["RuleBased"]
