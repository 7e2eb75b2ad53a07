"""The compiled search, from a view."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from hanabi.game.actions import Action
from hanabi.game.view import View
from hanabi.players.recall import open_stream, recall
from hanabi.rng import Stream

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Words = npt.NDArray[np.int64]

__all__ = ["policies_of", "search"]


def policies_of(rows: Iterable[Words]) -> tuple[int | None, int | None, int | None]:
    """Return which policies have to be let in, as the kernels of `policies` want it.

    >>> import numpy as np
    >>> policies_of([np.array([1, 0]), np.array([0])])
    (1, None, None)
    """
    from hanabi.players.kernels import policies as k

    used = {int(row[k.POLICY]) for row in rows}
    with_rules, with_information, with_convention = (
        1 if policy in used else None for policy in (k.RULE_BASED, k.INFORMATION, k.CONVENTION)
    )
    return with_rules, with_information, with_convention


def search(view: View, policy: Words, limits: Words, stream: Stream) -> Action:
    """Return the action of `hanabi.players.endgame.kernels.search.search` for the seat that looks.

    Raises
    ------
    InvalidInputError
        If the game is over.

    >>> from hanabi.game import Game, Rules
    >>> from hanabi.players import RuleBased
    >>> from hanabi.players.endgame import Endgame
    >>> rules, player = Rules.bergh2016(), RuleBased()
    >>> view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
    >>> print(search(view, player.policy(rules), Endgame(player).limits(rules), Stream(1)))
    hint 1 to seat 1
    """
    import numpy as np

    from hanabi.players.endgame.kernels import search as endgame
    from hanabi.players.kernels import policies

    flags = policies_of([policy])
    rules, deck, state, memory = recall(view, policy)
    room = np.empty(policies.room_size(rules, *flags), np.int64)
    own = open_stream(stream)
    code = endgame.search(rules, deck, state, policy, limits, own, memory, room, *flags)
    return Action.from_code(int(code))
