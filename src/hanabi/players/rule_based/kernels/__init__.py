"""The rule-based player, compiled."""
