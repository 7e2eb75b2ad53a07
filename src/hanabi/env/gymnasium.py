"""Hanabi for Gymnasium: many games as one vector environment, or a single game.

This module needs the extra `rl`. The games, their observations and action numbers are those of
:class:`hanabi.env.VectorEnv`. In each game the agent acts for the seat to act, so one agent plays
all seats, unless `partners` play the others, or you ask another one when `infos["seat"]` says so.

The module registers both as `hanabi/Hanabi-v1`, for `gymnasium.make_vec` and `gymnasium.make`.
"""

from __future__ import annotations

import secrets
import sys
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from hanabi.env.layout import Layout, ObservationKind, RulesChoice
from hanabi.env.partners import PartnersChoice
from hanabi.env.step import Prepared, Step, check_whole, illegal_reward_of
from hanabi.env.vector import VectorEnv
from hanabi.ground import InvalidInputError, MissingPackageError, quote
from hanabi.rules import Game

try:
    from gymnasium import Env, register, registry, spaces
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
except ImportError as error:
    raise MissingPackageError(f"hanabi.env.gymnasium needs {error.name}", extra="rl") from None

__all__ = ["HanabiEnv", "HanabiVectorEnv", "make"]

_Array: TypeAlias = npt.NDArray[Any]

_MODES = {mode.name.lower(): mode for mode in AutoresetMode}
"""Gymnasium's modes by our names for them."""

_OPTIONS = ("reset_mask", "decks")
_RENDER_MODES = ("ansi", "svg")


class HanabiVectorEnv(GymnasiumVectorEnv[_Array, _Array, _Array]):
    """Games of the same rules as one of Gymnasium's vector environments.

    Observations are uint8 (num_envs, size), 0 or 1. `infos` has `action_mask`, int8 (num_envs,
    actions), 1 where an action is legal, and `seat`, int32 (num_envs,), the seat to act. Rewards
    are float32, terminations bool; nothing is ever truncated. With `same_step`, `infos` has
    `final_obs` where a game has ended, in rows that `_final_obs` marks.

    Results stay as they are for as long as you hold them, as if each had been copied. An array is
    written to again only once nothing refers to it any more, not even a view or a tensor of it.

    Parameters
    ----------
    num_envs
        Number of games.
    rules, seats
        The rule set or a preset's name, and the number of seats; see `hanabi.env.rules_of`.
    seed
        The seed of the deals until `reset` gives another. By default it is random.
    autoreset
        `next_step` (Gymnasium's default), `same_step` or `disabled`, or a member of Gymnasium's
        `AutoresetMode`. If disabled, step and reset in Gymnasium's way: give the games that are
        over to `reset(options={"reset_mask": mask})`.
    kind, packed, threads, partners, learner
        As for `hanabi.env.VectorEnv`.
    render_mode
        `ansi`: `render` returns each table as text; `svg`: as a picture; None.

    Raises
    ------
    InvalidInputError
        If an argument is out of range; the message names it.

    Notes
    -----
    A step takes two to three microseconds more than one of `hanabi.env.VectorEnv`, plus, with
    thousands of games, 1 to 2 % (`python -m benchmarks.env`).

    >>> env = HanabiVectorEnv(4, "hle", seats=3)
    >>> observations, infos = env.reset(seed=7)
    >>> observations.shape, infos["action_mask"].shape, env.single_action_space
    ((4, 956), (4, 30), Discrete(30))
    >>> actions = env.action_space.sample(mask=tuple(infos["action_mask"]))
    >>> _, rewards, terminations, truncations, infos = env.step(actions)
    >>> rewards.shape, infos["seat"].tolist(), env.metadata["autoreset_mode"].value
    ((4,), [1, 1, 1, 1], 'NextStep')
    """

    def __init__(
        self,
        num_envs: int,
        rules: RulesChoice = None,
        *,
        seats: int | None = None,
        seed: int | None = None,
        autoreset: str | AutoresetMode = "next_step",
        kind: ObservationKind | int = ObservationKind.CARD_KNOWLEDGE,
        packed: bool = False,
        threads: int = 1,
        partners: PartnersChoice | None = None,
        learner: int | str = 0,
        render_mode: str | None = None,
    ) -> None:
        check_whole("num_envs", num_envs, 1)
        _check_render_mode(render_mode)
        if isinstance(autoreset, AutoresetMode):
            autoreset = autoreset.name.lower()
        self.games = VectorEnv(
            num_envs,
            rules,
            seats=seats,
            seed=secrets.randbits(63) if seed is None else seed,
            autoreset=autoreset,
            kind=kind,
            packed=packed,
            threads=threads,
            partners=partners,
            learner=learner,
        )
        self.num_envs, self.render_mode = int(num_envs), render_mode
        self.metadata = {
            "name": "hanabi",
            "render_modes": list(_RENDER_MODES),
            "autoreset_mode": _MODES[autoreset],
        }
        layout = self.games.layout
        size, most = (layout.packed_size, 255) if packed else (layout.size, 1)
        self.single_observation_space = spaces.Box(0, most, (size,), np.uint8)
        self.observation_space = spaces.Box(0, most, (self.num_envs, size), np.uint8)
        self.single_action_space = spaces.Discrete(layout.actions)
        self.action_space = spaces.MultiDiscrete([layout.actions] * self.num_envs)
        self._everywhere = np.ones(self.num_envs, np.bool_)
        self._everywhere.setflags(write=False)
        self._results = _Results(self.games)

    @property
    def layout(self) -> Layout:
        """The meaning of observation entries and action numbers."""
        return self.games.layout

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[_Array, dict[str, Any]]:
        """Deal all games anew, or some, and return observations and infos.

        Parameters
        ----------
        seed
            A seed of the deals of all games; place g of n plays its deals g, g + n, g + 2 n, ...
            Without one each place goes on to its next deal.
        options
            `reset_mask`, bool (num_envs,): the games to deal, the others go on. `decks`: the cards
            of each game that is dealt, as for `hanabi.env.VectorEnv.reset`.

        Raises
        ------
        InvalidInputError
            If an argument does not fit; the message names it.
        """
        given = _options_of(options, _OPTIONS)
        if seed is not None:
            check_whole("seed", seed, 0)
            super().reset(seed=int(seed))
        step = self.games.reset(
            seed=seed,
            decks=given.get("decks"),
            mask=given.get("reset_mask"),
            out=self._results.unused(),
        )
        return step.observations[...], self._infos(step)

    def step(self, actions: _Array) -> tuple[_Array, _Array, _Array, _Array, dict[str, Any]]:
        """Take one action in each game; return observations, rewards, both ends, and infos.

        Raises
        ------
        IllegalActionError
            If an action is illegal; the message names the game and the rule. No game has changed
            then.
        InvalidInputError
            If the actions do not fit.
        """
        step = self.games.step(actions, out=self._results.unused())
        infos = self._infos(step)
        if len(step.finals) and step.dones.any():
            infos["final_obs"], infos["_final_obs"] = step.finals[...], step.dones.copy()
            infos["final_info"], infos["_final_info"] = {}, step.dones.copy()
        truncations = np.zeros(self.num_envs, np.bool_)
        return step.observations[...], step.rewards[...], step.dones[...], truncations, infos

    def render(self) -> tuple[str, ...] | None:
        """Return each table, with all cards, as text or as SVG, by `render_mode`."""
        if self.render_mode is None:
            return None
        return tuple(
            _shown(self.games.game(index), self.render_mode) for index in range(self.num_envs)
        )

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        del kwargs
        self.games.close()

    def __repr__(self) -> str:
        return f"HanabiVectorEnv(num_envs={self.num_envs}, seats={self.games.rules.seats})"

    def _infos(self, step: Step) -> dict[str, Any]:
        return {
            "action_mask": step.masks.view(np.int8),
            "_action_mask": self._everywhere,
            "seat": step.seats[...],
            "_seat": self._everywhere,
        }


class _Results:
    """Sets of arrays for results. A set is used again once no caller holds any part of it.

    Callers get views. A view refers to the array, so the array's reference count shows whether one
    is left.
    """

    def __init__(self, games: VectorEnv) -> None:
        self._games = games
        self._sets: list[Prepared] = []
        self._unheld: tuple[int, ...] = ()

    def __reduce__(self) -> tuple[type[_Results], tuple[VectorEnv]]:
        """Copy no arrays: those of a copy would not be the ones that kernels write to."""
        return _Results, (self._games,)

    def unused(self) -> Prepared:
        """Return a set of arrays that nobody else refers to."""
        for arrays in self._sets:
            if _references(arrays) == self._unheld:
                return arrays
        self._sets = [*self._sets[1 - _MOST_SETS :], self._games.prepare()]
        self._unheld = self._unheld or _references(self._sets[-1])
        return self._sets[-1]


_MOST_SETS = 4
"""Sets of arrays to keep; a set that leaves is its holder's."""


def _references(arrays: Prepared) -> tuple[int, ...]:
    return tuple(map(sys.getrefcount, arrays.step))


class HanabiEnv(Env[_Array, np.int64]):
    """One game as one of Gymnasium's environments.

    Observations are uint8 (size,), 0 or 1. `info` has `action_mask`, int8 (actions,), 1 where an
    action is legal, and `seat`, the seat to act. Nothing is ever truncated. A step after the end
    changes nothing and brings no reward.

    Parameters
    ----------
    rules, seats, seed, kind, packed, partners, learner
        As for :class:`HanabiVectorEnv`, with `num_envs=1`.
    illegal_reward
        If this is a number, an illegal action ends the game with this number as its reward. By
        default an illegal action raises an error.
    render_mode
        `ansi`: `render` returns the table as text; `svg`: as a picture; None.

    Raises
    ------
    InvalidInputError
        If an argument is out of range; the message names it.

    Notes
    -----
    Gymnasium's `check_env` takes illegal actions, so give it an environment with an
    `illegal_reward`. To play many games, :class:`HanabiVectorEnv` is far faster.

    >>> env = HanabiEnv("hle", seats=3)
    >>> observation, info = env.reset(seed=7)
    >>> observation.shape, info["seat"], env.action_space
    ((956,), 0, Discrete(30))
    >>> action = env.action_space.sample(mask=info["action_mask"])
    >>> _, reward, terminated, truncated, info = env.step(action)
    >>> info["seat"], terminated, truncated
    (1, False, False)
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (the base class has it so)
        "name": "hanabi",
        "render_modes": list(_RENDER_MODES),
        "render_fps": 1,
    }

    def __init__(
        self,
        rules: RulesChoice = None,
        *,
        seats: int | None = None,
        seed: int | None = None,
        kind: ObservationKind | int = ObservationKind.CARD_KNOWLEDGE,
        packed: bool = False,
        partners: PartnersChoice | None = None,
        learner: int | str = 0,
        illegal_reward: float | None = None,
        render_mode: str | None = None,
    ) -> None:
        _check_render_mode(render_mode)
        self._illegal_reward = illegal_reward_of(illegal_reward)
        self.games = VectorEnv(
            1,
            rules,
            seats=seats,
            seed=secrets.randbits(63) if seed is None else seed,
            autoreset="disabled",
            kind=kind,
            packed=packed,
            partners=partners,
            learner=learner,
        )
        self.render_mode = render_mode
        layout = self.games.layout
        size, most = (layout.packed_size, 255) if packed else (layout.size, 1)
        self.observation_space = spaces.Box(0, most, (size,), np.uint8)
        self.action_space = spaces.Discrete(layout.actions)
        self._is_over = False

    @property
    def layout(self) -> Layout:
        """The meaning of observation entries and action numbers."""
        return self.games.layout

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[_Array, dict[str, Any]]:
        """Deal a game: the first one of a seed, or the next one; return observation and info.

        Parameters
        ----------
        seed
            The seed of this deal and the following ones.
        options
            `deck`: the cards in draw order, pairs (color from 0, rank from 1), seat 0's hand first.

        Raises
        ------
        InvalidInputError
            If an argument does not fit; the message names it.
        """
        given = _options_of(options, ("deck",))
        if seed is not None:
            check_whole("seed", seed, 0)
            super().reset(seed=int(seed))
        decks = [list(given["deck"])] if "deck" in given else None
        step = self.games.reset(seed=seed, decks=decks)
        self._is_over = bool(step.dones[0])
        return _first(step)

    def step(self, action: np.int64 | int) -> tuple[_Array, float, bool, bool, dict[str, Any]]:
        """Take the action of the seat to act; return observation, reward, both ends, and info.

        Raises
        ------
        IllegalActionError
            If the action breaks a rule, unless such actions end the game; the message names the
            rule.
        """
        now = self.games.look()
        if self._is_over:
            reward = 0.0
        elif self._illegal_reward is not None and action not in np.flatnonzero(now.masks[0]):
            reward, self._is_over = self._illegal_reward, True
        else:
            now = self.games.step(np.array([action]))
            reward, self._is_over = float(now.rewards[0]), bool(now.dones[0])
        observation, info = _first(now)
        return observation, reward, self._is_over, False, info

    def render(self) -> str | None:
        """Return the table, with all cards, as text or as SVG, by `render_mode`."""
        return None if self.render_mode is None else _shown(self.games.game(0), self.render_mode)

    def __str__(self) -> str:
        return f"HanabiEnv(seats={self.games.rules.seats})"


def _first(step: Step) -> tuple[_Array, dict[str, Any]]:
    """Return copies of the observation and the info of the only game."""
    info = {"action_mask": step.masks[0].astype(np.int8), "seat": int(step.seats[0])}
    return step.observations[0].copy(), info


def _check_render_mode(given: str | None) -> None:
    if given not in (None, *_RENDER_MODES):
        modes = ", ".join(_RENDER_MODES)
        raise InvalidInputError(f"render_mode = {quote(given)} is none of {modes}")


def _shown(game: Game, render_mode: str) -> str:
    return game._repr_svg_() if render_mode == "svg" else str(game)


def _options_of(given: dict[str, Any] | None, known: tuple[str, ...]) -> dict[str, Any]:
    """Return the options of a reset after checking their names."""
    for name in (given or {}).keys() - {*known}:
        raise InvalidInputError(f"options: {quote(name)} is none of {', '.join(known)}")
    return dict(given or {})


def make(num_envs: int, rules: RulesChoice = None, **arguments: Any) -> HanabiVectorEnv:
    """Return a :class:`HanabiVectorEnv`; the arguments are the same.

    `gymnasium.make_vec("hanabi.env.gymnasium:hanabi/Hanabi-v1", num_envs=4, rules="hle")` makes the
    same environment, and `gymnasium.make` of the same name a :class:`HanabiEnv`.

    >>> make(2, "hanab_live").reset(seed=1)[0].shape
    (2, 658)
    """
    return HanabiVectorEnv(num_envs, rules, **arguments)


_ID = "hanabi/Hanabi-v1"

if _ID not in registry:
    register(
        _ID,
        entry_point="hanabi.env.gymnasium:HanabiEnv",
        vector_entry_point="hanabi.env.gymnasium:HanabiVectorEnv",
    )
