"""The search with open hands, compiled."""
