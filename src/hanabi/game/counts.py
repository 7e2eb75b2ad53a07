"""Exact counts of action sequences, the way to compare two programs' rules."""

from __future__ import annotations

from hanabi.errors import InvalidInputError, counted, quote
from hanabi.game.state import Game

__all__ = ["perft"]


def perft(game: Game, depth: int) -> int:
    """Return the number of sequences of `depth` legal actions from `game`. O(result / branching).

    Games that end earlier do not count; depth 0 gives 1. Counts stay below 2**63. As for chess,
    where the name comes from, equal numbers make it likely that two programs have the same rules.

    Raises
    ------
    InvalidInputError
        If `depth` is negative, or cards of the deck are missing.

    >>> from hanabi.game import Rules
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> [perft(game, depth) for depth in range(4)]
    [1, 15, 275, 5125]
    """
    from hanabi.game.kernels.perft import perft as count

    if depth < 0:
        raise InvalidInputError(f"depth {quote(depth)} is negative")
    if game.missing:
        raise InvalidInputError(f"{counted(game.missing, 'card')} of the deck are missing")
    return int(count(game.packed, depth)) if depth else 1
