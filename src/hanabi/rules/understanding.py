"""Declarations of the rules that code outside the engine understands.

The engine plays by every rule. Other code that draws conclusions from rules must know all of them,
so it declares an `Understanding`. Its check raises an error that names the first rule that is not
declared and not at its default. That includes fields added to `Rules`, `Variant` or `Suit` later,
until somebody teaches the code the new rule and the tests
(`tests/contracts/test_understanding.py`) compare it with all lines of small games.

Most declarations start from `RULES_OF_2026` and `VARIANT_OF_2026`, add rules that the code has
learned since (`RULES_OF_2026 | {"free_hints"}`), and remove rules that it does not know.
"""

from __future__ import annotations

from dataclasses import dataclass

from hanabi.ground import InvalidInputError, quote
from hanabi.rules.config import Rules
from hanabi.rules.variants.variant import TABLE_FIELDS, field_names, refuse_unknown, unknown_fields

__all__ = ["RULES_OF_2026", "Understanding"]

RULES_OF_2026 = field_names(
    """
    spec seats hand_size hints lives completion_bonus discard_at_full_hints empty_hints
    bombed_scores_zero open_hands final_round keep_slots stop_when_stuck deck_plays half_tokens
    all_or_nothing speedrun variant
    """
)
"""The fields of `Rules` as of November 2026. Do not add to them: code that learns a newer rule adds
it to its own declaration, so that all other code goes on refusing the rule."""


@dataclass(frozen=True, slots=True)
class Understanding:
    """The rules that some part of the code knows.

    Attributes
    ----------
    who
        The code, as errors name it.
    rules
        The names of the fields of `Rules` that it knows.
    variant
        The names of the fields of `Variant` that it knows; by default those that only decide which
        cards and clues exist.
    needs_plain_clues
        Whether it requires clues that touch, and piles that accept, the same cards as in the plain
        game.

    >>> knows = Understanding("the clerk", frozenset({"spec", "seats", "hand_size"}))
    >>> knows.check(Rules.official(3))
    >>> knows.check(Rules.hanab_live(3))
    Traceback (most recent call last):
    hanabi.ground.errors.InvalidInputError: the clerk does not know the rule empty_hints = False
    """

    who: str
    rules: frozenset[str]
    variant: frozenset[str] = TABLE_FIELDS
    needs_plain_clues: bool = False

    def check(self, rules: Rules, error: type[Exception] = InvalidInputError) -> None:
        """Raise an error that names the first unknown rule not at its default, if there is one.

        >>> Understanding("the clerk", frozenset()).check(Rules.official(2))
        Traceback (most recent call last):
        hanabi.ground.errors.InvalidInputError: the clerk does not know the rule spec = ...
        """
        variant = rules.variant
        if variant is not None and self.needs_plain_clues and not variant.is_read_plainly:
            raise error(
                f"{self.who} does not play {variant.name}:"
                " it needs clues and piles as in the plain game"
            )
        # By default the last round has one turn a seat.
        for name, value in unknown_fields(rules, self.rules, final_round=rules.seats):
            raise error(f"{self.who} does not know the rule {name} = {quote(value)}")
        if variant is not None:
            refuse_unknown(variant, self.variant, self.who, error)
