"""The gadgets of the paper's reduction from 3-SAT, and its variants [Baffier2017, section 5].

Variable x_i has two colors, one for the literal x_i and one for its negation; another color is the
dummy. Between two gadgets, every literal's color has one of two levels: *low*, o + 1, or
*high*, o + l, where the offset o grows by the step l from clause to clause (l = 5 in the paper).
High means that the literal is true.

Values below are relative: to the offset for literals, to the dummy color's progress for dummies.
Each lemma is proven by exhaustive search in `tests/exact/test_hardness.py`.

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
from enum import Enum, IntEnum

from hanabi.ground import InvalidInputError, quote

__all__ = [
    "BLUEPRINTS",
    "Blueprint",
    "Cards",
    "Gadget",
    "Group",
    "Keep",
    "blueprint",
    "five_step_clause",
    "hand_dump",
    "hand_reduction",
    "one_card_clause",
    "slides_clause",
    "two_step_clause",
    "variable_gadget",
]


class Group(Enum):
    """The colors that get the cards."""

    POSITIVE = "the variable's literal"
    NEGATIVE = "its negation"
    CLAUSE = "the three literals of the clause"
    REST = "all other literals"
    COMPLEMENT = "the negations of the clause's literals"
    DUMMY = "the dummy color"


class Keep(IntEnum):
    """The condition on which an assignment's play stores a card that cannot be played at once."""

    NEVER = 0
    ALWAYS = 1
    IF_TRUE = 2
    """If the literal of the card's color is true."""
    IF_FALSE = 3


@dataclass(frozen=True, slots=True)
class Cards:
    """A run of values in each color of a group, color after color.

    Attributes
    ----------
    group
        The colors.
    values
        Relative values, in the order in which they come in one color.
    role
        The purpose of the cards, in a few words.
    kept
        The values that are worth storing, under the condition `when`.
    """

    group: Group
    values: tuple[int, ...]
    role: str
    kept: tuple[int, ...] = ()
    when: Keep = Keep.NEVER

    @property
    def keeps(self) -> tuple[Keep, ...]:
        """For each value, the condition on which it is stored."""
        return tuple(self.when if value in self.kept else Keep.NEVER for value in self.values)


Gadget = tuple[Cards, ...]


def hand_reduction(amount: int, *inside: Cards, role: str = "hand reduction") -> Gadget:
    """Return R(i): dummies 2 .. i+1, then the cards of `inside`, then dummy 1.

    Every dummy occurs once, so the i dummies must stay in hand while `inside` comes. The hand is
    smaller by i there, and has no other cards if R(i) fills it. Hand reductions are never nested.
    """
    if amount < 1:
        raise InvalidInputError(f"a hand cannot be reduced by {amount}")
    opens, closes = (f"{role} opens", f"{role} closes") if inside else (role, role)
    values = _span(2, amount + 1)
    opening = Cards(Group.DUMMY, values, opens, values, Keep.ALWAYS)
    return opening, *inside, Cards(Group.DUMMY, (1,), closes)


def hand_dump(hand: int = 2) -> Gadget:
    """Return D = R(h) around nothing: no card stays in a hand of `hand` cards past it.

    >>> [cards.values for cards in hand_dump()]
    [(2, 3), (1,)]
    """
    return hand_reduction(hand, role="hand dump")


def _span(first: int, last: int) -> tuple[int, ...]:
    return tuple(range(first, last + 1))


def variable_gadget(step: int) -> Gadget:
    """Return V = 2 2' 1 3 .. l 1' 3' .. l', with primes for the negation's color [lemma 5.2].

    With room for one card, 2 and 2' cannot both be stored: at most one of the two colors gets
    beyond 1, and then it gets to l. For l = 2 nothing follows the 1.

    >>> [(cards.group.name, cards.values) for cards in variable_gadget(5)]
    [('POSITIVE', (2,)), ('NEGATIVE', (2,)), ('POSITIVE', (1, 3, 4, 5)), ('NEGATIVE', (1, 3, 4, 5))]
    """
    rest = (1, *_span(3, step))
    return (
        Cards(Group.POSITIVE, (2,), "variable", (2,), Keep.IF_TRUE),
        Cards(Group.NEGATIVE, (2,), "variable", (2,), Keep.IF_TRUE),
        Cards(Group.POSITIVE, rest, "variable"),
        Cards(Group.NEGATIVE, rest, "variable"),
    )


_LIFT = "true literals advance"
_CARRY = "other literals advance"
_TEST = "false literals advance, but not three"


def _clause(dump: Gadget, carry: Gadget) -> Gadget:
    return (
        *dump,
        Cards(Group.CLAUSE, _span(6, 10), _LIFT),
        *carry,
        *dump,
        Cards(Group.CLAUSE, (3,), _TEST, (3,), Keep.IF_FALSE),
        Cards(Group.CLAUSE, (2, 4, 5, 6), _TEST),
    )


def _carry(others: Group) -> Cards:
    return Cards(others, (*_span(5, 10), 2, 3, 4), _CARRY, (5, 6), Keep.IF_FALSE)


def five_step_clause(others: Group = Group.REST) -> Gadget:
    """Return D [6 .. 10 for the clause] [5 .. 10, 2, 3, 4 for the others] D [3] [2, 4, 5, 6].

    A high color reaches 10, the next high, and no more [lemma 5.3]. A low color outside the clause
    stores 5 and 6, and reaches 6, the next low [lemma 5.4]. Of the clause's low colors two can
    store their 3 and reach 6; a third stops at 2 for good [lemma 5.5].

    The order 5 .. 10, 2, 3, 4 matters, and so does giving the cards color by color (E11).
    """
    return _clause(hand_dump(), (_carry(others),))


def one_card_clause(repair: str) -> Gadget:
    """Return the clause gadget for a hand of one card: two passes over the clause's colors.

    The first pass lets one false literal reach 6, and the second pass another one. A third has
    played no more than 3 and gets no further.

    As printed, the gadget cannot be won with one card: the dumps have three cards, and 5 .. 10, 2,
    3, 4 needs two (E15). Both repairs use two-card dumps. For the other literals, A has 6 .. 10,
    2 .. 5 (low colors store the 6), and B has R(1) around 6 .. 10, 2 .. 6.

    Parameters
    ----------
    repair
        "a", "b", or "" for the text as printed.
    """
    carry: Gadget = (_carry(Group.REST),)
    if repair == "a":
        order = (*_span(6, 10), *_span(2, 5))
        carry = (Cards(Group.REST, order, _CARRY, (6,), Keep.IF_FALSE),)
    elif repair == "b":
        carry = hand_reduction(1, Cards(Group.REST, (*_span(6, 10), *_span(2, 6)), _CARRY))
    return (
        *_clause(hand_dump(1 if repair else 2), carry),
        Cards(Group.CLAUSE, (4,), _TEST, (4,), Keep.IF_FALSE),
        Cards(Group.CLAUSE, (3, 5, 6), _TEST),
    )


def slides_clause(step: int, *, as_printed: bool = False) -> Gadget:
    """Return the clause gadget of the slides.

    D R(2)[others: l+1 .. 2l, 2 .. l+1] D [l+1 .. 2l] D [3] [2] [4 .. l+1]

    In the slides, every low index is one too small and jl is printed as 2j (E16). So as printed,
    low means o instead of o + 1, and the first clause is never tested. The slides put a dump after
    each clause; here it comes before.
    """
    low = 1 if as_printed else 2  # the smallest value of a color that is low
    top = low + step - 1
    carry = Cards(Group.REST, (*_span(step + 1, 2 * step), *_span(low, top)), _CARRY)
    return (
        *hand_dump(),
        *hand_reduction(2, carry),
        *hand_dump(),
        Cards(Group.CLAUSE, _span(step + 1, 2 * step), _LIFT),
        *hand_dump(),
        Cards(Group.CLAUSE, (low + 1,), _TEST, (low + 1,), Keep.IF_FALSE),
        Cards(Group.CLAUSE, (low,), _TEST),
        *([Cards(Group.CLAUSE, _span(low + 2, top), _TEST)] if step > 2 else []),
    )


def two_step_clause(others: Group = Group.REST) -> Gadget:
    """Return R(2)[others: 3, 4, 2, 3; clause: 3, 4] [3] [2]: the smallest clause gadget, l = 2.

    With no room in hand, a high color plays 3 and 4, and a low one outside the clause plays 2 and
    3. Then the clause's low colors need their 3 in hand when the 2 comes: only two have room.

    No dump is needed: the two dummies that open the next clause fill the hand.
    """
    return (
        *hand_reduction(2, Cards(others, (3, 4, 2, 3), _CARRY), Cards(Group.CLAUSE, (3, 4), _LIFT)),
        Cards(Group.CLAUSE, (3,), _TEST, (3,), Keep.IF_FALSE),
        Cards(Group.CLAUSE, (2,), _TEST),
    )


# Variants.

BLUEPRINTS = (
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
        One of `BLUEPRINTS`.
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
        One of `BLUEPRINTS`.
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
    if variant not in BLUEPRINTS:
        raise InvalidInputError(f"unknown variant {quote(variant)}: one of {', '.join(BLUEPRINTS)}")
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
