"""Rows of bits, of which observations and masks are made."""
