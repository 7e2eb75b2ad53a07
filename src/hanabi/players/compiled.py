"""Compiled policies asked from Python: for one decision, and for whole deals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hanabi.errors import InvalidInputError
from hanabi.game.actions import Action
from hanabi.game.view import View
from hanabi.players.recall import borrow, recall
from hanabi.rng import Stream

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.deck import Deck
    from hanabi.game.config import Rules
    from hanabi.players.protocol import Policy

__all__ = ["decide", "play_deals", "play_decks"]

_MOST_CARDS = 1 << 15


def decide(policy: Policy, view: View, rng: Stream) -> Action:
    """Return what a policy does for the seat that looks, as it does in whole deals.

    The game is played again to learn what the policy remembers: O(history), some tens of
    microseconds an action.

    Raises
    ------
    InvalidInputError
        If the game is over.

    >>> from hanabi.game import Game, Rules
    >>> from hanabi.players import Convention
    >>> rules = Rules.hanab_live(2)
    >>> view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
    >>> decide(Convention().compiled(rules), view, Stream(1)).is_hint
    True
    """
    import numpy as np

    from hanabi.players.kernels import policy as policies

    position, memory = recall(view, policy)
    scratch = np.empty(policies.scratch_size(policy, position.rules), np.int64)
    with borrow(rng) as words:
        code = policies.decide(policy, position, words, memory, scratch)
    return Action.from_code(int(code))


def play_deals(
    policy: Policy, rules: Rules, seeds: tuple[int, int], first: int, games: int
) -> npt.NDArray[np.int64]:
    """Play deals with a policy at every seat, and return one outcome each.

    Parameters
    ----------
    policy
        What `CompiledPlayer.compiled` returned for the rules, or a team of several.
    rules
        The rules, seats included.
    seeds
        Deal `index` is `rules.spec.shuffle(seeds[0], index)`, and its decisions are drawn from
        `Stream(seeds[1], index)`.
    first, games
        The first index, and how many.

    Returns
    -------
    ndarray
        Shape (games,): `points << 1 | is_bombed`, points being the cards on the piles, those of a
        bombed game too; none where another end takes them. -1: what seats remember has parted, as
        after an information player found nothing true to say; that game has to be played from
        views.

    Raises
    ------
    InvalidInputError
        If the deck has 32,768 cards or more: counts of cards share words.

    >>> from hanabi.game import Rules
    >>> from hanabi.players import RandomLegal
    >>> rules = Rules.official(2)
    >>> play_deals(RandomLegal().compiled(rules), rules, (1, 2), 0, 3).shape
    (3,)
    """
    import numpy as np

    from hanabi.game.kernels.deals import Deals
    from hanabi.game.packing import pack_deck, pack_rules
    from hanabi.players.kernels.games import play_games

    if rules.deck_size >= _MOST_CARDS:
        raise InvalidInputError(f"a deck of {rules.deck_size:,} cards is too large to simulate")
    words = np.array([seed & (1 << 64) - 1 for seed in seeds], np.uint64)
    deals = Deals(pack_rules(rules), pack_deck(list(rules.spec.cards())), words)
    outcomes = np.empty(games, np.int64)
    play_games(policy, deals, first, outcomes)
    return outcomes


def play_decks(
    policy: Policy, rules: Rules, decks: Sequence[Deck], seed: int, *, first: int = 0
) -> npt.NDArray[np.int64]:
    """Play decks of the rules with a policy at every seat, and return one outcome each.

    Game i draws its decisions from `Stream(seed, first + i)`; outcomes are those of `play_deals`.

    >>> from hanabi.game import Rules
    >>> from hanabi.players import RandomLegal
    >>> rules = Rules.official(2)
    >>> decks = [rules.spec.shuffle(1, index) for index in range(3)]
    >>> policy = RandomLegal().compiled(rules)
    >>> bool((play_decks(policy, rules, decks, 2) == play_deals(policy, rules, (1, 2), 0, 3)).all())
    True
    """
    import numpy as np

    from hanabi.game.packing import pack_deck, pack_rules
    from hanabi.players.kernels import games

    packed = np.array([pack_deck(deck) for deck in decks], np.int64)
    packed = packed.reshape(len(decks), rules.deck_size)
    outcomes = np.empty(len(decks), np.int64)
    word = np.uint64(seed & (1 << 64) - 1)
    games.play_decks(policy, pack_rules(rules), packed, word, first, outcomes)
    return outcomes
