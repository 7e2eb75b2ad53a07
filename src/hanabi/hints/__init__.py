"""Hint partitions [ODwyer2018]: how many messages a hint can surely carry.

`possibilities` holds what is known of a hand, read or taken from a game;
`partition` splits the hints into as many sets as possible, each surely with a possible hint, with
`safety` (which sets are safe) and `packing` (disjoint ones); `check` verifies an answer; `bulk`
does thousands of hands compiled. Importing this package imports neither NumPy nor Numba.
"""

from __future__ import annotations

from hanabi.hints.check import verify_partition
from hanabi.hints.partition import Partition, find_partition
from hanabi.hints.possibilities import (
    Possibilities,
    PossibilityTable,
    parse_table,
    possibilities_of,
    table_from_json,
)

__all__ = [
    "Partition",
    "Possibilities",
    "PossibilityTable",
    "find_partition",
    "parse_table",
    "possibilities_of",
    "table_from_json",
    "verify_partition",
]
