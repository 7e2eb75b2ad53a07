"""Search over positions with all cards face up, compiled."""
