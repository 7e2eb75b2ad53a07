"""The value of each action to a seat if everybody follows a player whom it knows."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import factorial, prod
from typing import TYPE_CHECKING, NamedTuple

from hanabi.ground import Clock, InvalidInputError, Stream, quote
from hanabi.players.belief import Belief
from hanabi.players.compiled import complete_view, recall
from hanabi.players.partners.weighing import MOST_COUNTED, MOST_HANDS, CompiledWeigher
from hanabi.players.protocol import CompiledPlayer, Player, Policy, name_of
from hanabi.rules import Action, Card, View, check_turn
from hanabi.solvers import ActionChances, Chances, Range
from hanabi.worlds import Hidden

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.ground import Words
    from hanabi.players.belief.kernels import BeliefPolicy
    from hanabi.players.kernels.trials import Worlds
    from hanabi.rules import Packed

__all__ = ["MOST_DEALS", "SeatChances", "misleads", "seat_chances"]

MOST_DEALS = 1_000_000
"""Most deals of a seat to examine."""

_AT_ONCE = 500  # games between two checks of the clock, some milliseconds


@dataclass(frozen=True, slots=True, repr=False)
class SeatChances(Chances):
    """The value of each action to a seat, as `Chances` over the seat's possible deals.

    Attributes
    ----------
    is_believed
        Whether the others would have acted as they did in these deals. If there is no such deal,
        the deals are those that agree with hints and conventions.
    decisions, contradicted
        Number of decisions that the others have made, and how many of them the player would not
        have made; 0 if it would have made all of them in one of the deals. If no deal agrees, the
        least number among up to 200 of the deals.
    misread
        Legal actions without a value, because the others would misread them and the player could
        not continue.
    hands
        The hidden cards of the seat's hand in slot order, in each of these deals.
    """

    is_believed: bool
    decisions: int
    contradicted: int
    misread: tuple[Action, ...]
    hands: frozenset[tuple[Card, ...]]


def seat_chances(
    player: Player, view: View, *, seconds: float | None = None, most: int = MOST_DEALS
) -> SeatChances:
    """Return the value of each action to the seat to act if everybody follows a player.

    If the seat itself has given the others false information, conventions no longer bound its hand:
    all deals are tried that agree with the hints, and each seat remembers what it saw. The same
    holds if no deal by conventions explains what the others did.

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

    >>> from hanabi.rules import Game, Rules
    >>> from hanabi.players import Convention, play_game
    >>> from hanabi.ground.rng import Stream
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

    from hanabi.players.kernels.trials import is_told_truly
    from hanabi.players.partners import kernels
    from hanabi.rules import unpack_deck

    clock, deals = Clock(seconds), _deals(player, view, most)
    policy, position, memory = deals.policy, deals.position, deals.memory
    counted = deals.cards[: 1 if deals.is_believed else MOST_COUNTED]
    wrong, never = kernels.count_contradictions(
        policy, position, memory, deals.places, counted, np.zeros(1, np.uint64)
    )
    own = deals.cards[:, : len(deals.places) - view.deck_left]
    worlds = kernels.open_deals(policy, position, memory, deals.places, deals.cards)
    found, misread = [], []
    for action in view.legal_actions:
        if getattr(player, "needs_same_partners", False) and not is_told_truly(
            policy.inner, worlds, action.code
        ):
            misread.append(action)
            continue
        found.append(_tried(policy, worlds, action, view, clock))
    return SeatChances(
        tuple(found),
        len(deals.cards),
        clock.elapsed,
        is_believed=deals.is_believed,
        decisions=never.size,
        contradicted=int(wrong.min()),
        misread=tuple(misread),
        hands=frozenset(map(tuple, map(unpack_deck, np.unique(own, axis=0)))),
    )


class _Deals(NamedTuple):
    """A seat's deals, the places of their cards, and the policy with its memory in all of them."""

    policy: BeliefPolicy
    position: Packed
    memory: Words
    places: Words
    cards: Words
    is_believed: bool


def _deals(player: Player, view: View, most: int) -> _Deals:
    """Return the deals in which the others act as they did, or else those by conventions."""
    check_turn(view)
    if not isinstance(player, CompiledPlayer) or not getattr(player, "draws_nothing", False):
        raise InvalidInputError(
            f"chances with partners need a compiled, deterministic player, not"
            f" {quote(name_of(player))}"
        )
    policy, deals = Belief(player, seats=0, slack=0.0).compiled(view.rules), None
    is_misled = misleads(policy.inner, view)
    if not is_misled:
        deals = _deals_by_conventions(policy, view, most)
        if deals is not None and deals.is_believed:
            return deals
    weigher = CompiledWeigher(player, Hidden.of(view), 1, Stream(0))
    try:
        found = _deals_by_hints(weigher, most)
    except InvalidInputError:
        if deals is None:
            raise
        return deals
    if found is None and is_misled:
        deals = _deals_by_conventions(policy, view, most)
        if deals is not None:
            deals = deals._replace(policy=weigher.policy, memory=weigher.memory)
    found = found or deals
    if found is None:
        raise InvalidInputError("no deal agrees with what the seat knows by the conventions")
    return found


def misleads(policy: Policy, view: View) -> bool:
    """Whether the seat to act has given the others false information, if all follow a policy."""
    import numpy as np

    from hanabi.players.partners.kernels import has_misled

    actions = np.array([action.code for action in view.actions], np.int64)
    return bool(has_misled(policy, complete_view(view), actions))


def _deals_by_conventions(policy: BeliefPolicy, view: View, most: int) -> _Deals | None:
    """Return the deals that conventions leave: those in which the others act so, or else all."""
    import numpy as np

    from hanabi.players.kernels.trials import open_believed
    from hanabi.players.partners.kernels import weigh_worlds
    from hanabi.worlds import list_worlds

    position, memory = recall(view, policy)
    hidden, room, n = open_believed(policy, position, memory), 1 << 10, -1
    while n < 0:
        cards = np.empty((min(room, most), hidden.places.size), np.int64)
        n = list_worlds(hidden, cards)
        if n < 0 and room >= most:
            raise InvalidInputError(f"more than {most:,} deals agree with what the seat knows")
        room *= 8
    if n == 0:
        return None
    cards, own = cards[:n], cards[:n, : len(hidden.fits)]
    # In lexicographic order, deals with the same hand are adjacent.
    first = np.flatnonzero(np.append(True, (own[1:] != own[:-1]).any(axis=1)))
    likely: npt.NDArray[np.float64] = np.empty(len(first), np.float64)
    rng = np.zeros(1, np.uint64)
    weigh_worlds(policy, position, memory, hidden.places, cards[first], rng, likely)
    believed = cards[np.repeat(likely > 0, np.diff(np.append(first, n)))]
    deals = believed if len(believed) else cards
    return _Deals(policy, position, memory, hidden.places, deals, len(believed) > 0)


def _deals_by_hints(weigher: CompiledWeigher, most: int) -> _Deals | None:
    """Return the deals that hints leave in which the others act as they did; None if none does."""
    import numpy as np

    from hanabi.rules import pack_deck
    from hanabi.worlds import list_worlds

    deck_left, hands = weigher.hidden.view.deck_left, weigher.hidden.hands(MOST_HANDS)
    if hands is None:
        raise InvalidInputError(f"more than {MOST_HANDS:,} hands agree with the hints")
    hidden, tables, left = weigher.hidden.packed(), [], most
    for first in range(0, len(hands), weigher.chunk):
        chunk = [hand for hand, _ in hands[first : first + weigher.chunk]]
        for hand, likely in zip(chunk, weigher.weigh(chunk), strict=True):
            if not likely:
                continue
            rest = weigher.hidden.view.unseen - Counter(hand)
            orders = factorial(deck_left) // prod(map(factorial, rest.values()))
            if orders > left:
                raise InvalidInputError(f"more than {most:,} deals agree with what the seat knows")
            left -= orders
            hidden.fits[:] = hidden.cards == pack_deck(hand)[:, None]
            table = np.empty((orders, hidden.places.size), np.int64)
            tables.append(table[: list_worlds(hidden, table)])
    if not tables:
        return None
    cards = np.concatenate(tables)
    return _Deals(weigher.policy, weigher.position, weigher.memory, hidden.places, cards, True)


def _tried(
    policy: BeliefPolicy, worlds: Worlds, action: Action, view: View, clock: Clock
) -> ActionChances:
    from hanabi.players.kernels.trials import sum_scores

    cases, perfect, points, done = len(worlds.cards), 0, 0, 0
    while done < cases and not clock.is_over:
        last = min(done + _AT_ONCE, cases)
        counts = sum_scores(policy.inner, worlds, action.code, done, last)
        points, perfect, done = points + counts[0], perfect + counts[1], last
    left, most = cases - done, view.most_points
    return ActionChances(
        action,
        Range(Fraction(perfect, cases), Fraction(perfect + left, cases)),
        Range(Fraction(points, cases), Fraction(points + most * left, cases)),
    )
