"""`hanabi reduce` reduces a formula to cards."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Literal

from hanabi.cli.files import STDOUT, Form, check_outputs, written_bytes
from hanabi.cli.options import Count, Output, Source, Variant, name_of, read_text
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
    """Reduce a formula to cards that can be won if and only if it is satisfiable.

    Prints one JSON document that "hanabi solve" and "hanabi explain" read. Its annotation gives the
    purpose of each card and each color. Clauses are first converted to three different variables
    each; variables added for that come after the formula's own.

    Parameters
    ----------
    formula
        A DIMACS file, or - for standard input.
    variant
        The reduction. Default: paper; constant_two makes the fewest cards.
    hand_size
        Cards in hand. Default: the fewest that the variant allows. With --players, cards of each
        player.
    multiplicity
        Most copies of a card. Default: the fewest that the variant allows.
    copies
        Where --multiplicity adds copies: "beside" the first copy of each card, or until each card
        has "exact"-ly as many. Default: beside.
    reduction_by
        Reduce a larger hand by "fresh" dummy colors, or by the "same" one. Default: fresh.
    step
        Values by which a color advances in a clause (variant slides). Default: 5.
    players
        Make a deck for this many players.
    as_printed
        Use the source's own text, errors included.
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
