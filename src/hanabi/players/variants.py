"""Which players play which variants."""

from __future__ import annotations

from hanabi.errors import InvalidInputError
from hanabi.game.config import Rules

__all__ = ["refuse_half_tokens", "refuse_variant"]


def refuse_variant(rules: Rules, player: str, how: str = "") -> None:
    """Raise if clues touch, or piles take, other cards than in the plain game.

    For players that read more out of a hint than what it touches.

    >>> from hanabi.game import Rules
    >>> refuse_variant(Rules.hanab_live(3, variant="Black (5 Suits)"), "information")
    >>> refuse_variant(Rules.hanab_live(3, variant="White (5 Suits)"), "information")
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: the information player does not play White (5 Suits): it needs
    clues and piles as in the plain game
    """
    variant = rules.variant
    who = f"the {player} player {how}".rstrip()
    if variant is not None and not variant.is_read_plainly:
        raise InvalidInputError(
            f"{who} does not play {variant.name}: it needs clues and piles as in the plain game"
        )


def refuse_half_tokens(rules: Rules, player: str) -> None:
    """Raise if a discard gives back half a token, for players that count tokens.

    >>> from hanabi.game import Rules
    >>> refuse_half_tokens(Rules.hle(2), "information")
    """
    if rules.half_tokens:
        raise InvalidInputError(f"the {player} player does not play with half tokens")
