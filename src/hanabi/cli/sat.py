"""`hanabi sat` decides a formula by playing cards."""

from __future__ import annotations

import json as json_module
import sys

from hanabi.cli.arguments import Count, Seconds, Source
from hanabi.cli.reduce import Variant, read_formula
from hanabi.cli.terminal import Progress
from hanabi.hardness import decide_by_cards

__all__ = ["sat_command"]

_SATISFIABLE, _UNSATISFIABLE, _UNKNOWN = 10, 20, 0


def sat_command(
    formula: Source,
    /,
    *,
    variant: Variant = "constant_two",
    hand_size: Count | None = None,
    multiplicity: Count | None = None,
    time: Seconds = 0.0,
    memory: Count | None = None,
    verbose: bool = False,
    json: bool = False,
) -> int:
    """Decide a formula by way of cards, and print a satisfying assignment.

    The formula becomes cards, the cards a formula again, which a SAT solver decides; its model is
    a winning play, and the play is read as an assignment. Each step is checked. Exits with 10 and
    "s SATISFIABLE", with 20 and "s UNSATISFIABLE", or with 0 and "s UNKNOWN".

    Parameters
    ----------
    formula
        A DIMACS file, or - for standard input.
    variant
        Which reduction; by default "constant_two", the fastest.
    hand_size
        Cards in hand; by default the least that the variant has.
    multiplicity
        Most copies of a card; by default the least that the variant has.
    time
        Seconds for everything; by default 0, no limit.
    memory
        Megabytes that the solver may use.
    verbose
        Say in comment lines how large everything is, and how it was decided.
    json
        Print one JSON document, with the play, instead.
    """
    given = read_formula(formula)
    with Progress():
        decision = decide_by_cards(
            given,
            variant=variant,
            hand_size=hand_size,
            multiplicity=multiplicity,
            seconds=time or None,
            memory=None if memory is None else memory << 20,
        )
    cards, verdict = decision.reduction, decision.verdict
    status = {True: "SATISFIABLE", False: "UNSATISFIABLE", None: "UNKNOWN"}[decision.is_satisfiable]
    literals = [
        number if value else -number
        for number, value in enumerate(decision.assignment or (), start=1)
    ]
    if json:
        data = {
            "status": status.lower(),
            "assignment": None if decision.assignment is None else literals,
            "variant": variant,
            "cards": cards.N,
            "reason": verdict.reason,
            "seconds": round(decision.seconds, 6),
            "play": None if verdict.witness is None else verdict.witness.to_json(),
        }
        sys.stdout.write(json_module.dumps(data) + "\n")
    else:
        if verbose:
            sys.stdout.write(
                f"c {given.n_vars} variables, {given.n_clauses} clauses, made into {cards.N} cards:"
                f" n = {cards.n}, c = {cards.c}, h = {cards.hand_size}, r = {cards.r}\n"
                f"c {verdict.status}: {verdict.reason}\nc {decision.seconds:.3f} s in all\n"
            )
        sys.stdout.write(f"s {status}\n")
        if decision.assignment is not None:
            sys.stdout.write(f"v {' '.join(map(str, [*literals, 0]))}\n")
    return {True: _SATISFIABLE, False: _UNSATISFIABLE, None: _UNKNOWN}[decision.is_satisfiable]
