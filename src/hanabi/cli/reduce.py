"""`hanabi reduce` turns a formula into cards."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Literal

from hanabi.cli.files import STDOUT, Form, check_outputs, written_bytes
from hanabi.cli.options import Count, Output, Source, Variant
from hanabi.cli.sources import name_of, read_text
from hanabi.cli.terminal import ProgressLine
from hanabi.errors import InvalidInputError
from hanabi.hardness import Formula, read_dimacs, stream_of, to_three_sat, write_json
from hanabi.notation import lines_of

__all__ = ["read_formula", "reduce_command"]


def reduce_command(
    formula: Source,
    /,
    *,
    variant: Variant = "paper",
    hand_size: Count | None = None,
    multiplicity: Count | None = None,
    copies: Literal["beside", "exact"] = "beside",
    reduction_by: Literal["fresh", "same"] = "fresh",
    step: Count = 5,
    players: Count | None = None,
    as_printed: bool = False,
    output: Output = None,
) -> int:
    """Turn a formula into cards that can be won exactly if it is satisfiable.

    Prints one JSON document that "hanabi solve" and "hanabi explain" read, with an annotation: what
    each card and each color is for. Clauses are first brought to three different variables each;
    variables added for that come after the formula's own.

    Parameters
    ----------
    formula
        A DIMACS file, or - for standard input.
    variant
        Which reduction: "paper" is the default, "constant_two" makes the fewest cards.
    hand_size
        Cards in hand; by default the least that the variant has. With --players, of each player.
    multiplicity
        Most copies of a card; by default the least that the variant has.
    copies
        More copies "beside" the first, or until each card has "exact"-ly as many.
    reduction_by
        A larger hand is reduced by "fresh" dummy colors, or by the "same" one.
    step
        Values that a color advances in a clause, by default 5 (variant slides).
    players
        Make a deck for this many players.
    as_printed
        The source's own text, slips included.
    output
        Write to this file.
    """
    check_outputs([formula], {"--output": output}, forms={"--output": Form.JSON})
    given = to_three_sat(read_formula(formula)).formula
    stream = stream_of(
        given,
        variant=variant,
        hand_size=hand_size,
        multiplicity=multiplicity,
        copies=copies,
        reduction_by=reduction_by,
        step=step,
        players=players,
        as_printed=as_printed,
    )
    target = STDOUT if output is None else output
    with written_bytes(target) as file, nullcontext() if target == STDOUT else ProgressLine():
        write_json(stream, file)
    return 0


def read_formula(source: str) -> Formula:
    """Read a formula from a DIMACS file or standard input."""
    try:
        return read_dimacs(lines_of(read_text(source)))
    except InvalidInputError as error:
        name = name_of(source)
        raise InvalidInputError(str(error) if name in str(error) else f"{name}: {error}") from None
