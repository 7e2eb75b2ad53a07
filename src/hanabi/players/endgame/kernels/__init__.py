"""The search in all deals that can be, compiled."""
