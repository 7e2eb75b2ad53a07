"""Hanabi for PettingZoo: one game, in which the agents act in turn.

This module needs the extra `rl`. Observations are those of the Hanabi Learning Environment;
:class:`hanabi.env.Layout` names their entries. Every agent can observe at any time. `env` has the
interface for agents in turn, and takes the arguments of PettingZoo's own Hanabi; `parallel_env` has
the one for agents at once.
"""

from __future__ import annotations

import copy
import secrets
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from hanabi.env.layout import ObservationKind, RulesChoice
from hanabi.env.pyhanabi.state import HanabiGame
from hanabi.env.step import illegal_reward_of
from hanabi.env.vector import VectorEnv
from hanabi.ground import InvalidInputError, MissingPackageError, quote
from hanabi.rules import Game, Rules

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise MissingPackageError(f"hanabi.env.pettingzoo needs {error.name}", extra="rl") from None

__all__ = ["HanabiAEC", "HanabiParallel", "env", "parallel_env", "raw_env"]

Observation: TypeAlias = dict[str, npt.NDArray[Any]] | npt.NDArray[Any]

_MODES = ("human", "ansi", "svg")
_MASKS = ("observation", "info")
_KINDS = {kind.name.lower(): kind for kind in ObservationKind}
_OLD = (
    "players",
    "colors",
    "ranks",
    "hand_size",
    "max_information_tokens",
    "max_life_tokens",
    "observation_type",
    "random_start_player",
)
_OLD_HAND = 5  # for any number of players


class _Table:
    """A game as both interfaces show it: its spaces, and what its agents see.

    Parameters
    ----------
    rules, seats
        The rule set or a preset's name, and the number of seats; see `hanabi.env.rules_of`.
    kind
        The information about cards in observations.
    masks
        Where the legal actions are: `observation` or `info`.
    render_mode
        `ansi`: return the table as text; `svg`: return it as a picture; `human`: print the text
        after every step; None.
    old
        Arguments of PettingZoo's own Hanabi, in place of rules, seats and kind.
    """

    def __init__(
        self,
        rules: RulesChoice = None,
        *,
        seats: int | None = None,
        kind: ObservationKind | int | None = None,
        masks: str = "observation",
        render_mode: str | None = None,
        **old: Any,
    ) -> None:
        if render_mode not in (None, *_MODES):
            raise InvalidInputError(
                f"render_mode = {quote(render_mode)} is none of {', '.join(_MODES)}"
            )
        if masks not in _MASKS:
            raise InvalidInputError(f"masks = {quote(masks)} is none of {', '.join(_MASKS)}")
        if old:
            given = {"rules": rules, "seats": seats, "kind": kind}
            rules, kind = _read_old(old, given)
            seats = None
        self.render_mode = render_mode
        self._games = VectorEnv(
            1,
            rules,
            seats=seats,
            kind=ObservationKind.CARD_KNOWLEDGE if kind is None else kind,
            all_seats=True,
            autoreset="disabled",
        )
        self._step = self._games.look()
        self._is_seeded, self._masks = False, masks
        layout = self._games.layout
        self.possible_agents = [f"player_{seat}" for seat in range(self._games.rules.seats)]
        self.agents: list[str] = []
        seen: spaces.Space[Any] = spaces.Box(0, 1, (layout.size,), np.uint8)
        if masks == "observation":
            mask = spaces.Box(0, 1, (layout.actions,), np.int8)
            seen = spaces.Dict({"observation": seen, "action_mask": mask})
        # Each agent has spaces of its own, because each has its own random stream.
        self.observation_spaces = {agent: copy.deepcopy(seen) for agent in self.possible_agents}
        self.action_spaces = {
            agent: spaces.Discrete(layout.actions) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    @property
    def game(self) -> Game:
        """The current game."""
        return self._games.game(0)

    def observe(self, agent: str) -> Observation:
        """Return an agent's current observation."""
        seat = self.possible_agents.index(agent)
        seen: npt.NDArray[np.uint8] = self._step.observations[0, seat].copy()
        if self._masks == "info":
            return seen
        return {"observation": seen, "action_mask": self._mask_of(agent)}

    def render(self) -> str | None:
        """Return the table with all cards as text or SVG, or print it, by `render_mode`."""
        if self.render_mode == "svg":
            return self.game._repr_svg_()
        if self.render_mode == "ansi":
            return str(self.game)
        if self.render_mode == "human":
            print(self.game)  # noqa: T201
        return None

    def close(self) -> None:
        """Do nothing: there are no resources to release."""

    def _deal(self, seed: int | None, options: Mapping[str, Any] | None) -> None:
        """Deal a game: the first one of a seed, or the next one; with no seed at all, a random one.

        `options` may have a `deck`; others are ignored, as PettingZoo's tests require.
        """
        deck: Iterable[tuple[int, int]] | None = (options or {}).get("deck")
        if seed is None and not self._is_seeded:
            seed = secrets.randbits(63)
        decks = None if deck is None else [list(deck)]
        self._step = self._games.reset(seed=seed, decks=decks)
        self._is_seeded = True
        self.agents = self.possible_agents.copy()

    @property
    def _to_act(self) -> str:
        return self.possible_agents[int(self._step.seats[0])]

    def _mask_of(self, agent: str) -> npt.NDArray[np.int8]:
        """Return the legal actions of an agent: none unless it is to act."""
        mask = self._step.masks[0].astype(np.int8)
        return mask if agent == self._to_act else np.zeros_like(mask)

    def _infos_now(self) -> dict[str, dict[str, Any]]:
        if self._masks == "info":
            return {agent: {"action_mask": self._mask_of(agent)} for agent in self.agents}
        return {agent: {} for agent in self.agents}


def _read_old(old: Mapping[str, Any], given: Mapping[str, Any]) -> tuple[Rules, ObservationKind]:
    """Return the rules and the kind that the arguments of PettingZoo's own Hanabi mean."""
    for name, value in old.items():
        if name not in _OLD:
            raise InvalidInputError(f"{quote(name)} is no argument of this environment")
        for other in [other for other, is_given in given.items() if is_given is not None]:
            raise InvalidInputError(f"{name} = {quote(value)}: {other} is given, too")
    if old.get("random_start_player"):
        value = quote(old["random_start_player"])
        raise InvalidInputError(f"random_start_player = {value}: seat 0 begins every game here")
    kind = old.get("observation_type", "card_knowledge")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise InvalidInputError(f"observation_type = {quote(kind)} is none of {', '.join(_KINDS)}")
    game = HanabiGame({"hand_size": _OLD_HAND} | {**old, "observation_type": _KINDS[kind]})
    return game.rules, _KINDS[kind]


class HanabiAEC(_Table, AECEnv):  # type: ignore[misc]
    """A game as a PettingZoo environment; agent `player_i` has seat i.

    An observation is a dictionary of `observation`, uint8 (size,), and `action_mask`, int8
    (actions,), which is all 0 for agents that are not to act. Every agent is rewarded with the
    points of every move. The last error takes them back if the rules say so.

    Parameters
    ----------
    rules, seats
        The rule set or a preset's name, by default the Hanabi Learning Environment's for two seats;
        see `hanabi.env.rules_of`.
    kind
        The information about cards in observations, by default card knowledge.
    masks
        `observation`, or `info`: then an observation is the plain vector, as wrappers such as
        SuperSuit's expect, and `infos[agent]["action_mask"]` has the legal actions.
    render_mode
        `ansi`: return the table as text; `svg`: return it as a picture; `human`: print the text
        after every step; None.
    old
        Arguments of PettingZoo's own Hanabi in place of rules, seats and kind, with its defaults:
        `players` (2), `colors` (5), `ranks` (5), `hand_size` (5 for any number of players),
        `max_information_tokens` (8), `max_life_tokens` (3), `observation_type` (`minimal`,
        `card_knowledge` or `seer`). `random_start_player` must be False.

    Raises
    ------
    InvalidInputError
        If an argument is out of range; the message names it.

    >>> game = HanabiAEC(render_mode="ansi")
    >>> game.reset(seed=1)
    >>> game.agent_selection, game.observe("player_0")["observation"].shape
    ('player_0', (658,))
    >>> game.step(5)
    >>> game.agent_selection, game.rewards["player_1"] in (0, 1)
    ('player_1', True)
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "hanabi_v1",
        "render_modes": list(_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal a game: the first one of a seed, or the next one.

        Parameters
        ----------
        seed
            The seed of this deal and the following ones. Without any seed the first deal is random.
        options
            `deck`: the cards in draw order, pairs (color from 0, rank from 1), seat 0's hand first.
            Other options are ignored.

        Raises
        ------
        InvalidInputError
            If the deck's cards are not those of the rules.
        """
        self._deal(seed, options)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = self._infos_now()
        self.agent_selection = self._to_act

    def step(self, action: int | None) -> None:
        """Take the action of the agent to act; pass None once the agent has terminated.

        Raises
        ------
        IllegalActionError
            If the action breaks a rule; the message names the rule.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._step = self._games.step(np.array([action]))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, float(self._step.rewards[0]))
        self.terminations = dict.fromkeys(self.agents, bool(self._step.dones[0]))
        self.infos = self._infos_now()
        self.agent_selection = self._to_act
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()


class HanabiParallel(_Table, ParallelEnv):  # type: ignore[misc]
    """The same game for agents that are all asked at every step.

    Only the action of the agent to act counts, whose action mask is not all 0; those of the others
    are ignored. All agents are rewarded alike, and all terminate at the end.

    Parameters
    ----------
    arguments
        As for :class:`HanabiAEC`.
    illegal_reward
        If this is a number, an illegal action ends the game, and its agent is rewarded with this
        number, the others with 0, as PettingZoo's `TerminateIllegalWrapper` does it. By default an
        illegal action raises an error.

    Raises
    ------
    InvalidInputError
        If an argument is out of range; the message names it.

    >>> game = HanabiParallel("hle", seats=3)
    >>> seen, infos = game.reset(seed=1)
    >>> [int(each["action_mask"].sum()) > 0 for each in seen.values()]
    [True, False, False]
    >>> seen, rewards, ended, cut, infos = game.step({"player_0": 5, "player_1": 0, "player_2": 0})
    >>> [int(each["action_mask"].sum()) > 0 for each in seen.values()]
    [False, True, False]
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "hanabi_v1",
        "render_modes": list(_MODES),
        "render_fps": 1,
    }

    def __init__(
        self, rules: RulesChoice = None, *, illegal_reward: float | None = None, **arguments: Any
    ) -> None:
        super().__init__(rules, **arguments)
        self._illegal_reward = illegal_reward_of(illegal_reward)

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Deal a game as `HanabiAEC.reset` does; return observations and infos of all agents."""
        self._deal(seed, options)
        return {agent: self.observe(agent) for agent in self.agents}, self._infos_now()

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Take the action of the agent to act; return observations, rewards, both ends, and infos.

        Raises
        ------
        IllegalActionError
            If the action breaks a rule, unless such actions end the game.
        InvalidInputError
            If the agent to act has no action here. Once the game is over, nothing is returned.
        """
        agents, agent = self.agents, self._to_act
        if not agents:
            return {}, {}, {}, {}, {}
        if agent not in actions:
            raise InvalidInputError(f"actions: there is none of {agent}, who is to act")
        number = actions[agent]
        rewards = dict.fromkeys(agents, 0.0)
        if self._illegal_reward is not None and number not in np.flatnonzero(self._step.masks[0]):
            rewards[agent], is_over = self._illegal_reward, True
        else:
            self._step = self._games.step(np.array([number]))
            rewards = dict.fromkeys(agents, float(self._step.rewards[0]))
            is_over = bool(self._step.dones[0])
        seen, infos = {each: self.observe(each) for each in agents}, self._infos_now()
        if is_over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return seen, rewards, dict.fromkeys(agents, is_over), dict.fromkeys(agents, False), infos


def raw_env(rules: RulesChoice = None, **arguments: Any) -> HanabiAEC:
    """Return a :class:`HanabiAEC` without wrappers."""
    return HanabiAEC(rules, **arguments)


def env(
    rules: RulesChoice = None, *, illegal_reward: float | None = None, **arguments: Any
) -> AECEnv:
    """Return an environment in PettingZoo's wrappers, which check the order of calls and actions.

    The arguments are those of :class:`HanabiAEC`. With a number as `illegal_reward`, an illegal
    action ends the game, and its agent is rewarded with this number; PettingZoo's own Hanabi had
    -1. By default an illegal action raises an error.

    >>> game = env("hle")
    >>> game.reset(seed=1)
    >>> for agent in game.agent_iter(max_iter=2):
    ...     seen, reward, ended, cut, _ = game.last()
    ...     game.step(game.action_space(agent).sample(seen["action_mask"]))
    """
    game, reward = raw_env(rules, **arguments), illegal_reward_of(illegal_reward)
    if reward is not None:
        game = wrappers.TerminateIllegalWrapper(game, illegal_reward=reward)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(game))


def parallel_env(rules: RulesChoice = None, **arguments: Any) -> HanabiParallel:
    """Return a :class:`HanabiParallel`; the arguments are the same.

    >>> parallel_env(players=2, colors=2, hand_size=2, max_life_tokens=1).possible_agents
    ['player_0', 'player_1']
    """
    return HanabiParallel(rules, **arguments)
