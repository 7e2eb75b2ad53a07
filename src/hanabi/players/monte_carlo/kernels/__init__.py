"""Monte Carlo players, compiled."""
