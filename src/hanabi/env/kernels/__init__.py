"""Kernels of environments: action numbers, memory of the last action, encoding, and batches."""
