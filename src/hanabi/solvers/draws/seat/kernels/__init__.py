"""A plan for a team in which one seat does not see its hand, compiled."""
