"""The value of each action, given a seat's knowledge, if everybody follows a player.

The seat's possible deals agree with the hints, with the player's conventions, and with the others'
decisions, assuming that they play like the player. All are equally likely. Each action is tried in
each deal.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from hanabi.clock import Clock
from hanabi.draws import ActionChances, Chances, Range
from hanabi.errors import InvalidInputError, quote
from hanabi.game import Action
from hanabi.game.view import View
from hanabi.players.belief import Belief
from hanabi.players.compiled import check_turn, recall
from hanabi.players.protocol import CompiledPlayer, Player, name_of

if TYPE_CHECKING:
    from hanabi.players.belief.kernels import BeliefPolicy
    from hanabi.players.endgame.kernels import Worlds

__all__ = ["MOST_DEALS", "SeatChances", "seat_chances"]

MOST_DEALS = 1_000_000
"""Most deals of a seat to examine."""

_AT_ONCE = 500  # games between two checks of the clock, some milliseconds


@dataclass(frozen=True, slots=True)
class SeatChances(Chances):
    """The value of each action to a seat, as `Chances` over the seat's possible deals.

    Attributes
    ----------
    is_believed
        Whether the others would have acted as they did in these deals. If there is no such deal,
        the deals are those that agree with hints and conventions.
    misread
        Legal actions without a value, because the others would misread them and the player could
        not continue.
    """

    is_believed: bool
    misread: tuple[Action, ...]


def seat_chances(
    player: Player, view: View, *, seconds: float | None = None, most: int = MOST_DEALS
) -> SeatChances:
    """Return the value of each action to the seat to act if everybody follows a player.

    Parameters
    ----------
    player
        The player that all seats follow: the others in the past and the future, the seat itself
        from now on. It must have a compiled policy and be deterministic, as the convention and
        information players are.
    view
        The view of the seat to act.
    seconds
        Limit of wall-clock time; None for no limit. Deals not played by then may have any possible
        result, so the values become bounds.
    most
        Most deals to examine, 1 to 1,000,000.

    Raises
    ------
    InvalidInputError
        If the game is over, another seat is to act, the player may decide at random or does not
        support these rules, or more deals are possible.

    >>> from hanabi.game import Game, Rules
    >>> from hanabi.players import Convention, play_game
    >>> from hanabi.rng import Stream
    >>> rules = Rules.hanab_live(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> end = play_game([Convention()] * 2, game, Stream(1))
    >>> for action in end.actions[:-3]:
    ...     game = game.apply(action)
    >>> found = seat_chances(Convention(), game.view(game.seat_to_act))
    >>> found.is_exact, found.is_believed, found.cases > 0
    (True, True, True)
    """
    import numpy as np

    from hanabi.players.kernels.policy import scratch_size
    from hanabi.players.partners import kernels

    policy = _policy(player, view)
    clock = Clock(seconds)
    position, memory = recall(view, policy)
    n_hidden = sum(card is None for card in view.deck)
    places, scratch = (
        np.empty(n_hidden, np.int64),
        np.empty(scratch_size(policy, position.rules), np.int64),
    )
    room = 1 << 10
    while True:
        cards = np.empty((min(room, most), n_hidden), np.int64)
        n, believed = kernels.list_deals(policy, position, memory, places, scratch, cards)
        if n >= 0:
            break
        if room >= most:
            raise InvalidInputError(f"more than {most:,} deals agree with what the seat knows")
        room *= 8
    if n == 0:
        raise InvalidInputError("no deal agrees with what the seat knows by the conventions")
    cases = believed or n
    worlds = kernels.open_deals(policy, position, memory, places, cards[:cases])
    found, misread = [], []
    for action in view.legal_actions:
        if getattr(player, "needs_same_partners", False) and not kernels.is_told_truly(
            policy, worlds, action.code
        ):
            misread.append(action)
            continue
        found.append(_tried(policy, worlds, action, view, clock))
    return SeatChances(
        tuple(found), cases, clock.elapsed, is_believed=believed > 0, misread=tuple(misread)
    )


def _policy(player: Player, view: View) -> BeliefPolicy:
    check_turn(view)
    if not isinstance(player, CompiledPlayer) or not getattr(player, "draws_nothing", False):
        raise InvalidInputError(
            f"chances with partners need a compiled, deterministic player, not"
            f" {quote(name_of(player))}"
        )
    return Belief(player, seats=0, slack=0.0).compiled(view.rules)


def _tried(
    policy: BeliefPolicy, worlds: Worlds, action: Action, view: View, clock: Clock
) -> ActionChances:
    from hanabi.players.partners.kernels import try_action

    cases, perfect, points, done = len(worlds.cards), 0, 0, 0
    while done < cases and not clock.is_over:
        last = min(done + _AT_ONCE, cases)
        counts = try_action(policy, worlds, action.code, done, last)
        perfect, points, done = perfect + counts[0], points + counts[1], last
    left, most = cases - done, view.most_points
    return ActionChances(
        action,
        Range(Fraction(perfect, cases), Fraction(perfect + left, cases)),
        Range(Fraction(points, cases), Fraction(points + most * left, cases)),
    )
