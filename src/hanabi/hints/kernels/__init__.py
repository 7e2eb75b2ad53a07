"""Hint partitions of many hands, compiled."""
