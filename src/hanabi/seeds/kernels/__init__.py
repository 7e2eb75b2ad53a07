"""Compiled kernels of seeds."""
