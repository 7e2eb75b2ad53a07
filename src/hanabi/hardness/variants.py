"""The variants of the reduction: their gadgets, levels and numbers.

For v variables, m clauses, and at most k clauses with the same variable (without options for more
copies, larger hands or players):

=============  =  =  ===  =====================  ======================  =================
variant        h  r  l    n                      c                       N - n c
=============  =  =  ===  =====================  ======================  =================
paper          2  2  5    max(6m + 2, 5m + 5)    2v + 1                  8v(m + 1) + 3m
one_card_a     1  3  5    5m + 5                 2v + 1                  8v(m + 1) + 15m
one_card_b     1  3  5    max(6m, 5m + 5)        2v + 1                  8v + 10vm + 12m
slides         2  2  any  max(12m + 2, l(m+1))   2v + 1                  2v(l(m + 1) - 1)
compact        2  2  2    3m + 2                 2v + 1                  2v(2m + 1)
constant_five  2  2  5    5k + 5                 2v + 1 + ceil(2m / q)   8v + 27m
constant_two   2  2  2    2k + 2                 2v + 1 + ceil(m / q)    2v + 12m
=============  =  =  ===  =====================  ======================  =================

where q = floor(n / 3) hand reductions share a dummy color. (r is smaller if there are no clauses.)

Sources: [Baffier2017] section 5 (paper), 5.1 (one card, constant n with five steps), its slides;
compact and constant_two are new here.
"""

from __future__ import annotations

from dataclasses import dataclass

from hanabi.errors import InvalidInputError, quote
from hanabi.hardness.gadgets import (
    Gadget,
    Group,
    five_step_clause,
    one_card_clause,
    slides_clause,
    two_step_clause,
)

__all__ = ["VARIANTS", "Blueprint", "blueprint"]

VARIANTS = (
    "paper",
    "one_card_a",
    "one_card_b",
    "slides",
    "compact",
    "constant_five",
    "constant_two",
)
"""The names that :func:`blueprint` accepts."""


@dataclass(frozen=True, slots=True)
class Blueprint:
    """A variant of the reduction, independent of a formula.

    Attributes
    ----------
    name
        One of `VARIANTS`.
    clause
        The gadget of a clause; a variable's is `variable_gadget(step)`.
    hand, copies
        The hand size h that it is made for, and the largest number r of copies of a card in its
        stream.
    step
        l: low is offset + 1, high is offset + l, and the offset grows by l a clause.
    held
        The amount by which the hand is reduced during the variable gadgets.
    dump
        Number of dummy values that each hand reduction of the clause gadget takes.
    local
        Whether each variable has its own offset, which grows with its occurrences; n then depends
        only on k.
    tail
        After offset o, the last cards of a color start at o + tail. 2, but 1 as printed (E9).
    printed
        Whether this is the text as printed, including its slips.
    closing
        Whether a dump follows the last clause. In the slides, one follows each clause; in the
        repaired text, one precedes each, since the variable gadgets need one after them, too.
    """

    name: str
    clause: Gadget
    hand: int = 2
    copies: int = 2
    step: int = 5
    held: int = 1
    dump: int = 3
    local: bool = False
    tail: int = 2
    printed: bool = False
    closing: bool = False


def blueprint(variant: str, *, step: int = 5, as_printed: bool = False) -> Blueprint:
    """Return a variant.

    Parameters
    ----------
    variant
        One of `VARIANTS`.
    step
        l >= 2, for the slides' variant.
    as_printed
        Whether to follow the source's text, including its slips, for "paper", "one_card_a" and
        "slides".

    Raises
    ------
    InvalidInputError
        If there is no such variant, or it has no printed text.

    >>> blueprint("compact").step
    2
    """
    if variant not in VARIANTS:
        raise InvalidInputError(f"unknown variant {quote(variant)}: one of {', '.join(VARIANTS)}")
    if variant == "slides" and step < 2:
        raise InvalidInputError(f"step {quote(step)}: low and high differ only from 2 on")
    match variant, as_printed:
        case "paper", False:
            return Blueprint(variant, five_step_clause())
        case "paper", True:
            return Blueprint(variant, five_step_clause(), copies=3, tail=1, printed=True)
        case "one_card_a" | "one_card_b", False:
            clause = one_card_clause(variant[-1])
            return Blueprint(variant, clause, hand=1, copies=3, held=0, dump=2)
        case "one_card_a", True:
            return Blueprint(variant, one_card_clause(""), hand=1, copies=3, tail=1, printed=True)
        case "slides", False:
            return Blueprint(variant, slides_clause(step), step=step)
        case "slides", True:
            clause = slides_clause(step, as_printed=True)
            return Blueprint(variant, clause, step=step, tail=1, printed=True, closing=True)
        case "compact", False:
            return Blueprint(variant, two_step_clause(), step=2)
        case "constant_five", False:
            return Blueprint(variant, five_step_clause(Group.COMPLEMENT), local=True)
        case "constant_two", False:
            return Blueprint(variant, two_step_clause(Group.COMPLEMENT), step=2, local=True)
    raise InvalidInputError(f"as printed: no source prints a text for variant {quote(variant)}")
