"""DIMACS files, with a strict reader.

The reader accepts the format that satisfiability solvers and SATLIB exchange: comment lines, one
header `p cnf VARIABLES CLAUSES`, clauses that end with 0 and may span lines, and SATLIB's tail (a
line `%`, then a line `0`). Everything else is reported with its line number.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from hanabi.ground.errors import InvalidInputError, counted, quote
from hanabi.ground.sat.cnf import Cnf

__all__ = ["read", "write"]

_ROWS_A_WRITE = 1 << 14


def write(cnf: Cnf, file: TextIO, comments: Iterable[str] = ()) -> None:
    """Write a formula in DIMACS form: comment lines, the header, one clause a line. O(literals).

    >>> import sys
    >>> cnf = Cnf(n_vars=2)
    >>> cnf.add([[1, -2], [-1, 2]])
    >>> write(cnf, sys.stdout, comments=["x <-> y"])
    c x <-> y
    p cnf 2 2
    1 -2 0
    -1 2 0
    """
    for comment in comments:
        file.writelines(f"c {line}\n" for line in comment.splitlines() or [""])
    file.write(f"p cnf {cnf.n_vars} {cnf.n_clauses}\n")
    literals = cnf.arrays()[0]
    start = 0
    for count, length in cnf.runs():
        for first in range(0, count, _ROWS_A_WRITE):
            rows = min(_ROWS_A_WRITE, count - first)
            flat = literals[start : start + rows * length].tolist()
            file.write(("%d " * length + "0\n") * rows % tuple(flat))
            start += rows * length


def read(file: Iterable[str]) -> Cnf:
    """Read a formula from the lines of a DIMACS file. O(size).

    Raises
    ------
    InvalidInputError
        For a missing, repeated or malformed header, a token that is no literal, a variable beyond
        the header's number, a clause without its 0, a number of clauses that differs from the
        header's, or text after SATLIB's `%`. The message names the line.

    >>> list(read(["c two clauses", "p cnf 3 2", "1 -3 0 2", "0", "%", "0"]))
    [[1, -3], [2]]
    >>> read(["p cnf 3 1", "1 x 0"])
    Traceback (most recent call last):
    ...
    hanabi.ground.errors.InvalidInputError: line 2: 'x' is not a literal
    """
    cnf, declared = None, 0
    clause: list[int] = []
    number = clause_line = 0
    is_over = False
    for number, line in enumerate(file, start=1):
        tokens = line.split()
        if not tokens or (tokens[0] == "c" and not is_over):
            continue
        if is_over:
            if tokens != ["0"]:
                raise InvalidInputError(f"line {number}: {quote(line.strip())} after the `%`")
        elif tokens[0] == "%":
            if len(tokens) > 1:
                raise InvalidInputError(f"line {number}: {quote(tokens[1])} after the `%`")
            is_over = True
        elif tokens[0] == "p":
            if cnf is not None:
                raise InvalidInputError(f"line {number}: a second header {quote(' '.join(tokens))}")
            n_vars, declared = _header(number, tokens)
            cnf = Cnf(n_vars)
        elif cnf is None:
            raise InvalidInputError(
                f"line {number}: {quote(tokens[0])} before the header `p cnf VARIABLES CLAUSES`"
            )
        else:
            for word in tokens:
                variable = _number(word.removeprefix("-"))
                if variable is None or word == "-0":
                    raise InvalidInputError(f"line {number}: {quote(word)} is not a literal")
                if variable > cnf.n_vars:
                    raise InvalidInputError(
                        f"line {number}: {quote(word)} is beyond the header's"
                        f" {counted(cnf.n_vars, 'variable')}"
                    )
                if variable:
                    clause_line = number
                    clause.append(-variable if word[0] == "-" else variable)
                    continue
                if cnf.n_clauses == declared:
                    raise InvalidInputError(
                        f"line {number}: more clauses than the header's {declared}"
                    )
                cnf.add_clause(clause)
                clause = []
    if cnf is None:
        raise InvalidInputError(f"line {number}: the file ends before `p cnf ...`")
    if clause:
        raise InvalidInputError(f"line {clause_line}: the last clause has no final 0")
    if cnf.n_clauses != declared:
        raise InvalidInputError(
            f"line {number}: the file ends after {counted(cnf.n_clauses, 'clause')},"
            f" the header says {declared}"
        )
    return cnf


def _header(number: int, tokens: list[str]) -> tuple[int, int]:
    sizes = [_number(token) for token in tokens[2:]]
    if len(sizes) != 2 or tokens[1] != "cnf" or None in sizes:
        raise InvalidInputError(
            f"line {number}: {quote(' '.join(tokens))} is not `p cnf VARIABLES CLAUSES`"
        )
    n_vars, declared = (size or 0 for size in sizes)
    if n_vars > 2**31 - 1:
        raise InvalidInputError(f"line {number}: {n_vars} variables: more than 2**31 - 1")
    return n_vars, declared


def _number(token: str) -> int | None:
    """Return the non-negative decimal number in `token`, or None."""
    return int(token) if token.isascii() and token.isdigit() and len(token) <= 18 else None
