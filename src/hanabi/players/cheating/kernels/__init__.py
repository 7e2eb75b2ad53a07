"""The cheating player, compiled."""
