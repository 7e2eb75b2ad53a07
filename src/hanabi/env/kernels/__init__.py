"""Kernels of environments: numbers of actions, what is remembered, the encoding, batches."""
