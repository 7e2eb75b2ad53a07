"""Compiled policies, and the search, from a view: what everybody knows is recalled.

The game is played again. The kernels want whole deals, so hidden cards are filled in as hints
allow. Which ones does not matter to a decision.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import TYPE_CHECKING

from hanabi.errors import InvalidInputError
from hanabi.game.actions import Action
from hanabi.game.view import View
from hanabi.players.public_knowledge import complete_deck, replay_view
from hanabi.players.worlds import open_stream
from hanabi.rng import Stream

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Words = npt.NDArray[np.int64]

__all__ = ["policies_of", "recall", "search"]


def policies_of(rows: Iterable[Words]) -> tuple[int | None, int | None, int | None]:
    """Return which policies have to be let in, as the kernels of `policies` want it.

    >>> import numpy as np
    >>> policies_of([np.array([1, 0]), np.array([0])])
    (1, None, None)
    """
    from hanabi.kernels import policies as k

    used = {int(row[k.POLICY]) for row in rows}
    with_rules, with_information, with_convention = (
        1 if policy in used else None for policy in (k.RULE_BASED, k.INFORMATION, k.CONVENTION)
    )
    return with_rules, with_information, with_convention


def search(view: View, policy: Words, limits: Words, stream: Stream) -> Action:
    """Return the action of `hanabi.kernels.endgame.search` for the seat that looks.

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

    from hanabi.kernels import endgame, policies

    flags = policies_of([policy])
    rules, deck, state, memory = recall(view, policy)
    room = np.empty(policies.room_size(rules, *flags), np.int64)
    own = open_stream(stream)
    code = endgame.search(rules, deck, state, policy, limits, own, memory, room, *flags)
    return Action.from_code(int(code))


def recall(view: View, policy: Words) -> tuple[Words, Words, Words, Words]:
    """Return the arrays `rules`, `deck`, `state` and `memory` of a policy for a view.

    O(history): some tens of microseconds an action.

    Raises
    ------
    InvalidInputError
        If the game is over.

    >>> from hanabi.game import Game, Rules
    >>> from hanabi.players import RuleBased
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> (recall(game.view(0), RuleBased().policy(rules))[2] == game.packed[2]).all()
    np.True_
    """
    from hanabi.kernels import policies
    from hanabi.kernels.game import END, IN_PROGRESS

    if view.end_reason:
        raise InvalidInputError(f"the game is over: {view.end_reason}")
    if policy[policies.POLICY] == policies.INFORMATION:
        now = replay_view(view, policy)
        rules, deck, state, memory = now.rules, now.deck, now.state, now.memory
    else:
        rules, deck, state, memory = _replay(view, policy)
    state[END] = IN_PROGRESS  # with the cards filled in no point might be left to score
    return rules, deck, state, memory


def _replay(view: View, policy: Words) -> tuple[Words, Words, Words, Words]:
    import numpy as np

    from hanabi.game.packing import pack_deck, pack_rules
    from hanabi.kernels.game import STATE_SIZE, deal

    kernel = _find_kernel(int(policy[0]))
    rules, deck = pack_rules(view.rules), pack_deck(complete_deck(view))
    state = np.empty(rules[STATE_SIZE], np.int64)
    memory = np.empty(kernel.memory_size(rules), np.int64)
    room = np.empty(kernel.room_size(rules), np.int64)
    deal(rules, deck, state)
    kernel.start(rules, deck, state, policy, memory, room)
    for action in view.actions:
        kernel.advance(rules, deck, state, policy, memory, action.code, room)
    return rules, deck, state, memory


def _find_kernel(policy: int) -> ModuleType:
    from hanabi.kernels import convention, policies, random_play, rule_based

    kernels = {
        policies.RANDOM: random_play,
        policies.RULE_BASED: rule_based,
        policies.CONVENTION: convention,
    }
    return kernels[policy]
