"""`hanabi reduce` reduces a formula or graph to cards."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Literal

from hanabi.ground import naming
from hanabi.shell import (
    STDOUT,
    Count,
    Form,
    Output,
    ProgressLine,
    Source,
    check_outputs,
    name_of,
    normal_problem,
    parse_problem,
    read_text,
    written_bytes,
)
from hanabi.solitaire.hardness import stream_of, write_json
from hanabi.solitaire.hardness.reduction import ReductionName

__all__ = ["reduce_command"]


def reduce_command(
    formula: Source,
    /,
    *,
    variant: ReductionName = "paper",
    hand_size: Count | None = None,
    multiplicity: Count | None = None,
    values: Count | None = None,
    copies: Literal["beside", "exact"] = "beside",
    reduction_by: Literal["fresh", "same"] = "fresh",
    step: Count = 5,
    rounds: Count | None = None,
    players: Count | None = None,
    as_printed: bool = False,
    output: Output = None,
) -> int:
    """Reduce a formula to cards that can be won if and only if it is satisfiable.

    Prints one JSON document that "hanabi solve" and "hanabi explain" read. Its annotation gives the
    purpose of each card and each color. Clauses are first converted to what the variant takes, most
    often three different variables each; variables added for that come after the formula's own.

    The variants "clique" and "two_colors_by_hand" reduce a graph to cards that can be won if and
    only if it has a clique with one vertex of each class. A graph has a header "p edge VERTICES
    EDGES" and lines "n VERTEX CLASS" and "e VERTEX VERTEX".

    The variants "most_cards_two_copies", for any graph, and "most_cards_one_copy", for one in which
    every vertex has three neighbors, ask for an independent set: as many more cards can be played
    as it has vertices. Lines "n VERTEX CLASS" change nothing here.

    Parameters
    ----------
    formula
        A DIMACS file, or - for standard input.
    variant
        The reduction. Default: paper; four_values makes the fewest cards.
    hand_size
        Cards in hand. Default: the fewest that the variant allows. With --players, cards of each
        player.
    multiplicity
        Most copies of a card. Default: the fewest that the variant allows.
    values
        Values of a color. Default: the fewest that the variant allows.
    copies
        Where --multiplicity adds copies: "beside" the first copy of each card, or until each card
        has "exact"-ly as many. Default: beside.
    reduction_by
        Reduce a larger hand by "fresh" dummy colors, or by the "same" one. Default: fresh.
    step
        Values by which a color advances in a clause (variant slides). Default: 5.
    rounds
        Repetitions of the list of constraints (variant two_colors_by_hand). Default: enough for the
        proof, one more than vertices that are not the first of their class.
    players
        Make a deck for this many players.
    as_printed
        Use the source's own text, errors included.
    output
        Write to this file.
    """
    check_outputs([formula], {"--output": output}, forms={"--output": Form.JSON})
    text = read_text(formula)
    with naming(name_of(formula)):
        given = parse_problem(text, variant)
    stream = stream_of(
        normal_problem(given, variant),
        variant=variant,
        hand_size=hand_size,
        multiplicity=multiplicity,
        values=values,
        copies=copies,
        reduction_by=reduction_by,
        step=step,
        rounds=rounds,
        players=players,
        as_printed=as_printed,
    )
    target = STDOUT if output is None else output
    with written_bytes(target) as file, nullcontext() if target == STDOUT else ProgressLine():
        write_json(stream, file)
    return 0
