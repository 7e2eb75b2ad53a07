"""Hint partitions [ODwyer2018]: the number of messages that a hint is certain to be able to carry.

`possibilities` describes the public knowledge of a hand, read or taken from a game. `partition`
splits the hints into as many sets as possible, each certain to contain a legal hint. It uses
`packing` to find safe sets and to choose disjoint ones, and `kernels` for thousands of hands.
`check` verifies an answer. Importing this package imports neither NumPy nor Numba.
"""

from hanabi.solvers.hints.check import verify_partition
from hanabi.solvers.hints.partition import Partition, find_partition
from hanabi.solvers.hints.possibilities import (
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
