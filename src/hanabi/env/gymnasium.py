"""Hanabi for Gymnasium: many games as one vector environment.

This module needs the extra `rl`. The games, their observations and action numbers are those of
:class:`hanabi.env.VectorEnv`. In each game the agent acts for the seat to act, so one agent plays
all seats, unless you ask another one when `infos["seat"]` says so.
"""

from __future__ import annotations

import secrets
import sys
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from hanabi.env.layout import Layout, ObservationKind, RulesChoice
from hanabi.env.step import Prepared, Step, check_whole
from hanabi.env.vector import VectorEnv
from hanabi.errors import InvalidInputError, MissingPackageError, quote
from hanabi.game import Game

try:
    from gymnasium import register, registry, spaces
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
except ImportError as error:
    raise MissingPackageError(f"hanabi.env.gymnasium needs {error.name}", extra="rl") from None

__all__ = ["HanabiVectorEnv", "make"]

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
    kind, packed, threads
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
        render_mode: str | None = None,
    ) -> None:
        check_whole("num_envs", num_envs, 1)
        if render_mode not in (None, *_RENDER_MODES):
            modes = ", ".join(_RENDER_MODES)
            raise InvalidInputError(f"render_mode = {quote(render_mode)} is none of {modes}")
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
        given = dict(options or {})
        for name in given.keys() - {*_OPTIONS}:
            raise InvalidInputError(f"options: {quote(name)} is none of {', '.join(_OPTIONS)}")
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
        show = Game._repr_svg_ if self.render_mode == "svg" else str
        return tuple(show(self.games.game(index)) for index in range(self.num_envs))

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


def make(num_envs: int, rules: RulesChoice = None, **arguments: Any) -> HanabiVectorEnv:
    """Return a :class:`HanabiVectorEnv`; the arguments are the same.

    `gymnasium.make_vec("hanabi.env.gymnasium:hanabi/Hanabi-v1", num_envs=4, rules="hle")` makes the
    same environment.

    >>> make(2, "hanab_live").reset(seed=1)[0].shape
    (2, 658)
    """
    return HanabiVectorEnv(num_envs, rules, **arguments)


_ID = "hanabi/Hanabi-v1"

if _ID not in registry:
    register(_ID, vector_entry_point="hanabi.env.gymnasium:HanabiVectorEnv")
