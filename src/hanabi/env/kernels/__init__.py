"""Kernels of the environments: action numbers, what observations remember, the encoding, batches."""
