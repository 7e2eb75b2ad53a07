"""Seats at our tables for agents made for HLE, the Hanabi Learning Environment.

A view holds all that HLE's observations do, so its agents can play with any player. They decide one
turn at a time, in about a millisecond besides their own time. Networks take a seat as
:class:`hanabi.env.Network`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, Protocol

import numpy as np

from hanabi.env.layout import ObservationKind
from hanabi.env.pyhanabi.moves import HanabiMove
from hanabi.env.pyhanabi.state import CHANCE_PLAYER_ID, HanabiObservation, HanabiState
from hanabi.env.rl_env import HanabiEnv, move_of
from hanabi.ground import InvalidInputError, PlayerError, Stream
from hanabi.players import shown
from hanabi.rules import Action, Card, Deck, Event, Rules, View

__all__ = ["AgentSeat"]


class _Agent(Protocol):
    """An agent of HLE."""

    def act(self, observation: dict[str, Any], /) -> Mapping[str, Any] | int | None:
        """Return a move."""
        ...


class AgentSeat:
    """An agent made for HLE, as a player.

    Each seat of each game has its own agent, which gets the observations of its own turns as HLE's
    dictionaries, and returns moves as dictionaries or numbers. It must draw nothing from elsewhere,
    or games cannot be repeated.

    Parameters
    ----------
    player
        The agent's class, which is called with a dictionary of HLE's parameters.
    kind
        The information in the observations: MINIMAL or CARD_KNOWLEDGE.

    Raises
    ------
    InvalidInputError
        If the observations would show hidden cards; at the start of a game, if HLE has other rules.
    PlayerError
        If the agent returns no move.

    >>> from hanabi.players import simulate
    >>> class Last:
    ...     def __init__(self, config):
    ...         self.players = config["players"]
    ...     def act(self, observation):
    ...         return observation["legal_moves"][-1]
    >>> simulate(AgentSeat(Last), Rules.hle(2), 3, seed=1).games
    3
    """

    def __init__(
        self,
        player: Callable[[dict[str, Any]], _Agent],
        kind: ObservationKind = ObservationKind.CARD_KNOWLEDGE,
    ) -> None:
        self.player, self._kind = player, _checked(kind)

    def start(self, rules: Rules, _: int, /) -> None:
        """Make an agent for a game."""
        self._env = _env_of(rules, self._kind)
        self._agent = self.player(_config_of(rules, self._kind))

    def observe(self, _: Event, /) -> None:
        """Do nothing: the next observation holds what the agent may know."""

    def act(self, view: View, _: Stream, /) -> Action:
        """Return the agent's move."""
        move = self._agent.act(self._env.seen_by(_observe(self._env, view)))
        if isinstance(move, int | np.integer):
            return _action(view, self._env.game.get_move(int(move)), move)
        if not isinstance(move, Mapping):
            raise _failure(view, f"the agent returns {shown(move)}, which is no move")
        try:
            found = move_of(move)
        except ValueError as error:
            raise _failure(view, f"the agent returns {shown(move)}: {error}") from None
        return _action(view, found, move)


def _action(view: View, move: HanabiMove, given: object) -> Action:
    """Return the action that a move is, if it is a player's."""
    try:
        return move.action(view.seat, view.rules.seats)
    except InvalidInputError:
        raise _failure(view, f"{shown(given)} is no move of a player") from None


def _failure(view: View, message: str) -> PlayerError:
    return PlayerError(f"turn {view.turn + 1}, seat {view.seat}: {message}")


def _checked(kind: ObservationKind) -> ObservationKind:
    if kind is ObservationKind.SEER:
        raise InvalidInputError(
            "kind: a seer's observation shows hidden cards, and a view does not"
        )
    return ObservationKind.parse(kind)


def _config_of(rules: Rules, kind: ObservationKind) -> dict[str, Any]:
    """Return HLE's parameters for a rule set."""
    return {
        "players": rules.seats,
        "colors": rules.colors,
        "ranks": rules.ranks,
        "hand_size": rules.hand_size,
        "max_information_tokens": rules.hints,
        "max_life_tokens": rules.lives,
        "observation_type": int(kind),
        "random_start_player": False,
        "seed": 0,
    }


_envs: dict[tuple[Rules, ObservationKind], HanabiEnv] = {}


def _env_of(rules: Rules, kind: ObservationKind) -> HanabiEnv:
    """Return an environment of HLE with these rules."""
    key = rules, kind
    if key not in _envs:
        env = HanabiEnv(_config_of(rules, kind))
        # HLE does not end a game in which nobody can act; such a seat is not asked here.
        theirs = replace(env.game.rules, stop_when_stuck=rules.stop_when_stuck)
        names = [each.name for each in fields(rules)]
        if wrong := [name for name in names if getattr(rules, name) != getattr(theirs, name)]:
            raise InvalidInputError(
                f"rules: {', '.join(wrong)}: not as in the Hanabi Learning Environment"
            )
        _envs[key] = env
    return _envs[key]


def _observe(env: HanabiEnv, view: View) -> HanabiObservation:
    """Return HLE's observation of a view, by playing its game again with some hidden cards."""
    seats, first = view.rules.seats, view.first_seat
    state = env.state = HanabiState(env.game, _some_deck(view))
    for turn, action in enumerate([*view.actions, None]):
        while state.cur_player() == CHANCE_PLAYER_ID:
            state.deal_random_card()
        if action is not None:
            state.apply_move(HanabiMove.of(action, (first + turn) % seats, seats))
    return state.observation((view.seat - first) % seats)


def _some_deck(view: View) -> Deck:
    """Return a deck that agrees with all that a view shows; player 0 of HLE begins the game."""
    seats, size = view.rules.seats, view.rules.hand_size
    deck, left = list(view.deck), view.unseen
    hidden = {
        index: [card for card in left if known.is_possible(card)]
        for index, known in zip(
            view.hand_indices[view.seat], view.knowledge[view.seat], strict=True
        )
        if deck[index] is None
    }
    found = _assign(sorted(hidden.items(), key=lambda item: len(item[1])), left)
    if found is None:
        raise InvalidInputError("the view does not leave its seat a possible hand")
    for index, card in found.items():
        deck[index] = card
        left[card] -= 1
    rest = iter(sorted(left.elements()))
    dealt = [deck[seat * size : (seat + 1) * size] for seat in range(seats)]
    dealt = dealt[view.first_seat :] + dealt[: view.first_seat]
    cards = [*(card for hand in dealt for card in hand), *deck[seats * size :]]
    return Deck(next(rest) if card is None else card for card in cards)


def _assign(
    hidden: Sequence[tuple[int, list[Card]]], left: Counter[Card]
) -> dict[int, Card] | None:
    """Give each hidden card one of its identities, no more than are left of each; or None."""
    if not hidden:
        return {}
    (index, cards), *others = hidden
    for card in cards:
        if left[card]:
            left[card] -= 1
            rest = _assign(others, left)
            left[card] += 1
            if rest is not None:
                return {index: card, **rest}
    return None
