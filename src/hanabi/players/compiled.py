"""What compiled players need to play whole deals."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hanabi.errors import InvalidInputError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.game.config import Rules

__all__ = ["pack_deals", "play_compiled"]

_MOST_CARDS = 1 << 15


def pack_deals(
    rules: Rules, seeds: tuple[int, int]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
    """Return the rules, the cards in the order of `DeckSpec.cards`, and the seeds, as arrays.

    Parameters
    ----------
    rules
        The rule set.
    seeds
        Of the deals and of the decisions.

    Raises
    ------
    InvalidInputError
        If the deck has 32,768 cards or more: counts of cards share words.

    >>> from hanabi.game import Rules
    >>> pack_deals(Rules.official(2), (1, 2))[1].size
    50
    """
    import numpy as np

    from hanabi.game.packing import pack_deck, pack_rules

    if rules.deck_size >= _MOST_CARDS:
        raise InvalidInputError(f"a deck of {rules.deck_size:,} cards is too large to simulate")
    words = np.array([seed & (1 << 64) - 1 for seed in seeds], np.uint64)
    return pack_rules(rules), pack_deck(list(rules.spec.cards())), words


def play_compiled(
    play_games: Callable[..., None],
    rules: Rules,
    options: npt.NDArray[np.int64],
    seeds: tuple[int, int],
    first: int,
    games: int,
) -> npt.NDArray[np.int64]:
    """Return the outcomes of deals in the `play_games` of a compiled policy.

    >>> import numpy as np
    >>> from hanabi.game import Rules
    >>> from hanabi.players.kernels.random_play import play_games
    >>> options = np.zeros(1, np.int64)
    >>> play_compiled(play_games, Rules.official(2), options, (1, 2), 0, 3).shape
    (3,)
    """
    import numpy as np

    packed, cards, words = pack_deals(rules, seeds)
    outcomes = np.empty(games, np.int64)
    play_games(packed, cards, options, words, first, outcomes)
    return outcomes
