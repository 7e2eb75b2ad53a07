"""`hanabi sat` decides a formula by playing cards."""

from __future__ import annotations

import sys

from hanabi.ground import naming
from hanabi.rules import lines_of
from hanabi.shell import Count, ProgressLine, Source, Unhurried, name_of, print_json, read_text
from hanabi.solitaire.hardness import decide_by_cards, read_dimacs
from hanabi.solitaire.hardness.reduction import ReductionName

__all__ = ["sat_command"]

_ENDINGS = {True: ("SATISFIABLE", 10), False: ("UNSATISFIABLE", 20), None: ("UNKNOWN", 0)}
"""What is said, and the exit status."""


def sat_command(
    formula: Source,
    /,
    *,
    variant: ReductionName = "four_values",
    hand_size: Count | None = None,
    multiplicity: Count | None = None,
    budget: Unhurried = Unhurried(),
    verbose: bool = False,
    json: bool = False,
) -> int:
    """Decide a formula by way of cards, and print a satisfying assignment.

    The formula becomes cards, and the cards become a formula again, which a SAT solver decides. Its
    model gives a winning play, and the play gives an assignment. Each step is checked. Exits with
    10 and "s SATISFIABLE", with 20 and "s UNSATISFIABLE", or with 0 and "s UNKNOWN".

    Parameters
    ----------
    formula
        A DIMACS file, or - for standard input.
    variant
        The reduction, one that takes formulas. Default: four_values, the fastest.
    hand_size
        Cards in hand. Default: the fewest that the variant allows.
    multiplicity
        Most copies of a card. Default: the fewest that the variant allows.
    verbose
        Add comment lines with the size of each step and the method that decided.
    json
        Print one JSON document, with the play, instead.
    """
    text = read_text(formula)
    with naming(name_of(formula)):
        given = read_dimacs(lines_of(text))
    with ProgressLine():
        decision = decide_by_cards(
            given,
            variant=variant,
            hand_size=hand_size,
            multiplicity=multiplicity,
            seconds=budget.seconds,
            memory=budget.bytes,
        )
    cards, verdict = decision.reduction, decision.verdict
    said, status = _ENDINGS[decision.is_satisfiable]
    literals = [
        number if value else -number
        for number, value in enumerate(decision.assignment or (), start=1)
    ]
    if json:
        data = {
            "status": said.lower(),
            "assignment": None if decision.assignment is None else literals,
            "variant": variant,
            "cards": cards.N,
            "reason": verdict.reason,
            "seconds": round(decision.seconds, 6),
            "play": None if verdict.witness is None else verdict.witness.to_json(),
        }
        print_json(data)
    else:
        if verbose:
            sys.stdout.write(
                f"c {given.n_vars} variables, {given.n_clauses} clauses, made into {cards.N} cards:"
                f" n = {cards.n}, c = {cards.c}, h = {cards.hand_size}, r = {cards.r}\n"
                f"c {verdict.status}: {verdict.reason}\nc {decision.seconds:.3f} s in all\n"
            )
        sys.stdout.write(f"s {said}\n")
        if decision.assignment is not None:
            sys.stdout.write(f"v {' '.join(map(str, [*literals, 0]))}\n")
    return status
