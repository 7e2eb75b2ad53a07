"""What code beside the engine understands of rules: anything else is refused by name.

The engine plays by every rule. Code that draws conclusions of its own from rules has to know them
all, so it declares an `Understanding`, and a field that was added to `Rules`, `Variant` or `Suit`
since then is refused where it is not at its default, until somebody has taught it the new rule and
the tests (`tests/contracts/test_understanding.py`) hold it against all lines of small games.
"""

from __future__ import annotations

from dataclasses import dataclass

from hanabi.errors import InvalidInputError, quote
from hanabi.game.config import Rules
from hanabi.variants.variant import TABLE_FIELDS, refuse_unknown, unknown_fields

__all__ = ["Understanding"]


@dataclass(frozen=True, slots=True)
class Understanding:
    """What somebody knows of rules.

    Attributes
    ----------
    who
        Who it is, in words.
    rules
        The fields of `Rules` that it knows, by their names.
    variant
        The fields of `Variant`; by default those that only say which cards and clues there are.
    needs_plain_clues
        Whether it needs clues that touch, and piles that take, what they do in the plain game.

    >>> knows = Understanding("the clerk", frozenset({"spec", "seats", "hand_size"}))
    >>> knows.check(Rules.official(3))
    >>> knows.check(Rules.hanab_live(3))
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: the clerk does not know the rule empty_hints = False
    """

    who: str
    rules: frozenset[str]
    variant: frozenset[str] = TABLE_FIELDS
    needs_plain_clues: bool = False

    def check(self, rules: Rules, error: type[Exception] = InvalidInputError) -> None:
        """Raise an error that names the first rule that is unknown and not at its default.

        >>> Understanding("the clerk", frozenset()).check(Rules.official(2))
        Traceback (most recent call last):
        hanabi.errors.InvalidInputError: the clerk does not know the rule spec = ...
        """
        variant = rules.variant
        if variant is not None and self.needs_plain_clues and not variant.is_read_plainly:
            raise error(
                f"{self.who} does not play {variant.name}:"
                " it needs clues and piles as in the plain game"
            )
        # The default of the last round is a turn a seat.
        for name, value in unknown_fields(rules, self.rules, final_round=rules.seats):
            raise error(f"{self.who} does not know the rule {name} = {quote(value)}")
        if variant is not None:
            refuse_unknown(variant, self.variant, self.who, error)
