"""Hanabi for PettingZoo: one game, in which the agents act in turn.

This module needs the extra `rl`. Observations are those of the Hanabi Learning Environment;
:class:`hanabi.env.Layout` names their entries. Every agent can observe at any time.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from hanabi.env.layout import ObservationKind
from hanabi.env.step import Step
from hanabi.env.vector import VectorEnv
from hanabi.errors import InvalidInputError, MissingPackageError, quote
from hanabi.game import Game, Rules

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise MissingPackageError(f"hanabi.env.pettingzoo needs {error.name}", extra="rl") from None

__all__ = ["HanabiAEC", "env", "raw_env"]

Observation = dict[str, npt.NDArray[Any]]


class HanabiAEC(AECEnv):  # type: ignore[misc]
    """A game as a PettingZoo environment; agent `player_i` has seat i.

    An observation is a dictionary of `observation`, uint8 (size,), and `action_mask`, int8
    (actions,), which is all 0 for agents that are not to act. Every agent is rewarded with the
    points of every move. The last error takes them back if the rules say so.

    Parameters
    ----------
    rules
        The rule set, by default the Hanabi Learning Environment's for two seats.
    kind
        The information about cards in observations.
    render_mode
        `ansi`: return the table as text; `svg`: return it as a picture; `human`: print the text
        after every step; None.

    Raises
    ------
    InvalidInputError
        If an argument is out of range.

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
        "render_modes": ["human", "ansi", "svg"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        rules: Rules | None = None,
        *,
        kind: ObservationKind | int = ObservationKind.CARD_KNOWLEDGE,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        modes = self.metadata["render_modes"]
        if render_mode not in (None, *modes):
            raise InvalidInputError(
                f"render_mode = {quote(render_mode)} is none of {', '.join(modes)}"
            )
        self.render_mode = render_mode
        self._games = VectorEnv(1, rules, kind=kind, all_seats=True, autoreset="disabled")
        self._is_seeded = False
        layout = self._games.layout
        self.possible_agents = [f"player_{seat}" for seat in range(self._games.rules.seats)]
        self.agents: list[str] = []
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, (layout.size,), np.uint8),
                    "action_mask": spaces.Box(0, 1, (layout.actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
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
        deck: Iterable[tuple[int, int]] | None = (options or {}).get("deck")
        if seed is None and not self._is_seeded:
            seed = secrets.randbits(63)
        decks = None if deck is None else [list(deck)]
        self._step = self._games.reset(seed=seed, decks=decks)
        self._is_seeded = True
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._agent_to_act(self._step)

    def observe(self, agent: str) -> Observation:
        """Return an agent's current observation."""
        mask = np.zeros(self._step.masks.shape[1], np.int8)
        if agent == self._agent_to_act(self._step):
            mask[:] = self._step.masks[0]
        seen = self._step.observations[0, self.possible_agents.index(agent)]
        return {"observation": seen.copy(), "action_mask": mask}

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
        self.agent_selection = self._agent_to_act(self._step)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

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

    def _agent_to_act(self, step: Step) -> str:
        return self.possible_agents[int(step.seats[0])]


def raw_env(**arguments: Any) -> HanabiAEC:
    """Return a :class:`HanabiAEC` without wrappers."""
    return HanabiAEC(**arguments)


def env(**arguments: Any) -> AECEnv:
    """Return an environment in PettingZoo's wrappers, which check the order of calls and actions.

    >>> game = env()
    >>> game.reset(seed=1)
    >>> for agent in game.agent_iter(max_iter=2):
    ...     seen, reward, ended, cut, _ = game.last()
    ...     game.step(game.action_space(agent).sample(seen["action_mask"]))
    """
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw_env(**arguments)))
