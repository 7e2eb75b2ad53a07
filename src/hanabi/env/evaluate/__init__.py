"""Networks at the table: with each other and with any player, many games at a time.

A network is a function of the observations of many games. `Network` makes it a player, which
`hanabi simulate` and `hanabi tournament` seat like any other one: games then go on turn by turn,
all at once, and compiled partners decide in compiled code.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hanabi.env.layout import Layout, ObservationKind
from hanabi.env.step import Format
from hanabi.env.batch import new_batch
from hanabi.ground import InvalidInputError, PlayerError
from hanabi.rules import Action, Rules, View
from hanabi.rules import pack_rules
from hanabi.players import RandomLegal
from hanabi.players import deals_of
from hanabi.players import Player, blaming
from hanabi.players import compile_team
from hanabi.ground import Stream

if TYPE_CHECKING:
    from hanabi.env.evaluate.kernels import Tables

__all__ = ["FunctionNetwork", "Network"]

_AT_ONCE = 2048  # games in step
_FINISHED = -1


class Network(ABC):
    """The base class of players that decide by observations, in many games at once.

    Write a class with `decide_many`, and name it as any player of your own:
    `hanabi simulate my_net.py:MyNet information`. Its parameters are those of its `__init__`. It
    must keep nothing between calls, and draw nothing at random, or games cannot be repeated.

    >>> class Cautious(Network):
    ...     def decide_many(self, observations, masks):
    ...         return masks[:, ::-1] * np.arange(masks.shape[1])
    >>> from hanabi.players.arena import simulate
    >>> simulate([Cautious(), RandomLegal()], Rules.hle(2), 4, seed=1).games
    4
    """

    kind: ObservationKind | int = ObservationKind.CARD_KNOWLEDGE
    """The information about cards in observations: CARD_KNOWLEDGE or MINIMAL."""

    @abstractmethod
    def decide_many(
        self, observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.bool_], /
    ) -> npt.ArrayLike:
        """Return an action, or a score for each action, for the seat to act in each game.

        Parameters
        ----------
        observations
            uint8 (n, size), 0 or 1; see `Layout`.
        masks
            bool (n, actions): whether each action is legal.

        Returns
        -------
        array_like
            Whole numbers (n,): the numbers of legal actions. Or numbers (n, actions): of the legal
            actions, the first one with the highest score is taken. Anything that NumPy converts to
            an array will do.
        """

    def act(self, view: View, _: Stream, /) -> Action:
        """Return the network's action for one view, as every player does; about a millisecond.

        Raises
        ------
        InvalidInputError
            If observations cannot show the rules, or would show hidden cards.
        PlayerError
            If the network returns no legal action.
        """
        layout = _layout_of(view.rules, self.kind)
        mask = np.zeros((1, layout.actions), np.bool_)
        mask[0, [layout.number(action, view.seat) for action in view.legal_actions]] = True
        place = f"turn {view.turn + 1}, seat {view.seat}"
        number = _numbers(self, layout.observe(view)[None], mask, lambda _: place)[0]
        return layout.action(int(number), view.seat)

    def play_many(
        self,
        team: Sequence[Player],
        rules: Rules,
        seeds: tuple[int, int],
        first: int,
        games: int,
    ) -> npt.NDArray[np.int64]:
        """Play deals in step with a team of which it is a member; see `PlaysMany`."""
        # Their seats follow the game in the policy of the team as random players, which keep
        # nothing in mind.
        partners = [RandomLegal() if isinstance(each, Network) else each for each in team]
        policy = compile_team(partners, rules)
        if policy is None:
            return np.full(games, _FINISHED, np.int64)
        parts = [
            _play_in_step(team, rules, policy, seeds, start, min(_AT_ONCE, first + games - start))
            for start in range(first, first + games, _AT_ONCE)
        ]
        return np.concatenate([np.empty(0, np.int64), *parts])


class FunctionNetwork(Network):
    """A function as a network.

    Parameters
    ----------
    function
        As `Network.decide_many`.
    kind
        The information about cards in observations: CARD_KNOWLEDGE or MINIMAL.

    Raises
    ------
    InvalidInputError
        If the observations would show hidden cards.

    >>> from hanabi.players.arena import simulate
    >>> weights = np.random.default_rng(1).normal(size=(658, 20))
    >>> network = FunctionNetwork(lambda observations, masks: observations @ weights)
    >>> simulate(network, Rules.hle(2), 100, seed=1).games
    100
    """

    def __init__(
        self,
        function: Callable[[npt.NDArray[np.uint8], npt.NDArray[np.bool_]], npt.ArrayLike],
        kind: ObservationKind | int = ObservationKind.CARD_KNOWLEDGE,
    ) -> None:
        self.function, self.kind = function, _blind(kind)

    def decide_many(
        self, observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.bool_], /
    ) -> npt.ArrayLike:
        """Return what the function returns."""
        return self.function(observations, masks)


def _play_in_step(
    team: Sequence[Player],
    rules: Rules,
    policy: Any,
    seeds: tuple[int, int],
    first: int,
    games: int,
) -> npt.NDArray[np.int64]:
    """Play some deals at once. In each turn, the same seat acts in all of them."""
    from hanabi.env.evaluate import kernels
    from hanabi.rules import layout as k

    words = pack_rules(rules)
    layouts = [
        _layout_of(rules, each.kind if isinstance(each, Network) else ObservationKind.MINIMAL)
        for each in team
    ]
    batch = new_batch(layouts[0], games)
    tables: Tables = kernels.Tables(batch, kernels.new_memories(policy, words, games))
    kernels.begin_games(policy, deals_of(rules, seeds), first, tables)
    live, turn = np.arange(games), 0
    while live.size:
        seat = turn % rules.seats
        network, layout = team[seat], layouts[seat]
        actions = np.empty(live.size, np.int64)
        if isinstance(network, Network):
            observations = np.empty((live.size, layout.size), np.uint8)
            masks = np.empty((live.size, layout.actions), np.bool_)
            options = Format(layout, games, "disabled", is_packed=False, all_seats=False).options()
            kernels.see_games(batch, words, options, live, observations, masks)
            deals = first + live
            place = partial(_place, seeds[0], deals, f"turn {turn + 1}, seat {seat}")
            actions[:] = _codes(layout)[seat][_numbers(network, observations, masks, place)]
        else:
            kernels.decide_games(policy, words, tables, live, actions)
        kernels.act_games(policy, words, tables, live, actions)
        live, turn = live[batch.states[live, k.END] == k.IN_PROGRESS], turn + 1
    outcomes = np.empty(games, np.int64)
    kernels.end_games(policy, words, tables, outcomes)
    return outcomes


def _numbers(
    network: Network,
    observations: npt.NDArray[np.uint8],
    masks: npt.NDArray[np.bool_],
    place: Callable[[int], str],
) -> npt.NDArray[np.int64]:
    """Return the numbers of a network's actions, after checking them; a row's place is printed."""
    with blaming(when=f"{place(0)}: ", where=type(network).__name__):
        told = network.decide_many(observations, masks.copy())
    try:
        found = np.asarray(told)
    except Exception as error:  # noqa: BLE001 (whatever the library of the array raises)
        raise PlayerError(f"{place(0)}: the network returns no array: {error}") from None
    rows = len(masks)
    if found.shape == (rows,) and found.dtype.kind in "iu":
        numbers = found.astype(np.int64)
        is_legal = (numbers >= 0) & (numbers < masks.shape[1])
        is_legal &= masks[np.arange(rows), np.where(is_legal, numbers, 0)]
        if not is_legal.all():
            row = int(np.flatnonzero(~is_legal)[0])
            raise PlayerError(
                f"{place(row)}: the network's action {numbers[row]} (row {row}) is not legal"
            )
        return numbers
    if found.shape != masks.shape or found.dtype.kind not in "biuf":
        raise PlayerError(
            f"{place(0)}: the network returns {found.dtype} {found.shape}, neither whole numbers"
            f" ({rows},) nor scores {masks.shape}"
        )
    scores = np.where(masks, found.astype(np.float64), -np.inf)
    if (is_nan := np.isnan(scores).any(1)).any():
        row = int(is_nan.argmax())
        raise PlayerError(
            f"{place(row)}: the network returns scores that are not numbers (row {row})"
        )
    # A legal action may have the score -inf, too.
    best = scores.max(1, keepdims=True)
    chosen: npt.NDArray[np.int64] = ((scores == best) & masks).argmax(1)
    return chosen


def _place(seed: int, deals: npt.NDArray[np.int64], turn: str, row: int) -> str:
    """Return where a row's game stands, as games one by one name it."""
    return f"seed {seed}, deal {deals[row]}: {turn}"


def _blind(kind: int) -> ObservationKind:
    """Return a kind of observations, which must show no hidden card."""
    if (parsed := ObservationKind.parse(kind)) is ObservationKind.SEER:
        raise InvalidInputError("kind = 2: a network that sees its own cards is no player")
    return parsed


_layout = lru_cache(maxsize=64)(Layout)


def _layout_of(rules: Rules, kind: int) -> Layout:
    """Return a layout whose observations show no hidden card."""
    return _layout(rules, _blind(kind))


@lru_cache(maxsize=64)
def _codes(layout: Layout) -> list[npt.NDArray[np.int64]]:
    """Return the words of all actions, for each seat."""
    numbers = range(layout.actions)
    return [
        np.array([layout.action(number, seat).code for number in numbers], np.int64)
        for seat in range(layout.rules.seats)
    ]
