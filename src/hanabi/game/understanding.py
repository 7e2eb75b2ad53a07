"""The rules that code beside the engine understands: all others are refused by name.

The engine plays by every rule. Code that draws its own conclusions from rules must know them all,
so it declares an `Understanding`. A field that was added to `Rules`, `Variant` or `Suit` later is
refused where it is not at its default, until somebody teaches that code the new rule and the tests
(`tests/contracts/test_understanding.py`) compare it with all lines of small games.

Most declarations start from `RULES_OF_2026` and `VARIANT_OF_2026`, add what the code has learned
since (`RULES_OF_2026 | {"free_hints"}`), and remove what it does not know.
"""

from __future__ import annotations

from dataclasses import dataclass

from hanabi.errors import InvalidInputError, quote
from hanabi.game.config import Rules
from hanabi.variants.variant import TABLE_FIELDS, field_names, refuse_unknown, unknown_fields

__all__ = ["RULES_OF_2026", "Understanding"]

RULES_OF_2026 = field_names(
    """
    spec seats hand_size hints lives completion_bonus discard_at_full_hints empty_hints
    bombed_scores_zero open_hands final_round keep_slots stop_when_stuck deck_plays half_tokens
    all_or_nothing speedrun variant
    """
)
"""The fields of `Rules` as it was in November 2026. Do not add to them: a room that learns a newer
rule adds it to its own declaration, so that the other rooms go on refusing it."""


@dataclass(frozen=True, slots=True)
class Understanding:
    """The rules that some code knows.

    Attributes
    ----------
    who
        The code, as errors name it.
    rules
        The names of the fields of `Rules` that it knows.
    variant
        The same of `Variant`; by default those that only decide which cards and clues there are.
    needs_plain_clues
        Whether clues must touch, and piles accept, the same cards as in the plain game.

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
        """Raise an error that names the first unknown rule that is not at its default.

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
