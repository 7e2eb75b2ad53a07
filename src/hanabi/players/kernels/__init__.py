"""Random play, and what stands between the compiled policies and their games."""
