"""The information player, compiled."""
