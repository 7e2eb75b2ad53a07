"""Which rules and variants the players of this package play."""

from __future__ import annotations

from hanabi.game.config import Rules
from hanabi.game.understanding import Understanding
from hanabi.variants.unknown import TABLE_FIELDS, field_names

__all__ = ["KNOWN_RULES", "KNOWN_VARIANT", "refuse_rules"]

KNOWN_RULES = field_names(
    """
    spec seats hand_size hints lives completion_bonus discard_at_full_hints empty_hints
    bombed_scores_zero open_hands final_round keep_slots stop_when_stuck deck_plays half_tokens
    all_or_nothing speedrun variant
    """
)
"""The rules by which players act legally, and their searches score what the game does."""

KNOWN_VARIANT = TABLE_FIELDS | field_names(
    "color_clues_touch_nothing rank_clues_touch_nothing sudoku alternating_clues clue_starved"
    " throw_it_in_a_hole"
)
"""The same of variants."""


def refuse_rules(
    rules: Rules,
    player: str,
    how: str = "",
    *,
    unless: frozenset[str] = frozenset(),
    needs_plain_clues: bool = False,
) -> None:
    """Raise if a player does not play by some rules.

    Parameters
    ----------
    rules
        The rules.
    player, how
        Its name, and with which parameter that is so.
    unless
        Rules that this player does not know, though others do.
    needs_plain_clues
        Whether it reads more out of a hint than what the hint touches.

    Raises
    ------
    InvalidInputError
        Naming what it does not know.

    >>> from hanabi.game import Rules
    >>> black, white = (Rules.hanab_live(3, variant=f"{c} (5 Suits)") for c in ("Black", "White"))
    >>> refuse_rules(black, "information", needs_plain_clues=True)
    >>> refuse_rules(white, "information", needs_plain_clues=True)
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: the information player does not play White (5 Suits): it needs
    clues and piles as in the plain game
    """
    who = f"the {player} player {how}".rstrip()
    Understanding(who, KNOWN_RULES - unless, KNOWN_VARIANT, needs_plain_clues).check(rules)
