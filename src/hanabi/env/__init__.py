"""Environments for reinforcement learning: a vectorized one, and established interfaces.

:class:`VectorEnv` plays thousands of games a call, in compiled code, with the observations of the
Hanabi Learning Environment. :class:`Expert` writes games of this package's players as training
data, and :class:`Network` seats a network at any table. :mod:`hanabi.env.rl_env` has that
environment's own interface; :mod:`hanabi.env.gymnasium` and :mod:`hanabi.env.pettingzoo` have those
of Gymnasium and PettingZoo.
"""

from hanabi.env.evaluate import FunctionNetwork, Network
from hanabi.env.expert import Expert
from hanabi.env.labels import Convinced, Labels, posteriors_by_convention, posteriors_of
from hanabi.env.layout import Layout, ObservationKind, Section, rules_of
from hanabi.env.recorded import game_of_observations
from hanabi.env.step import Step
from hanabi.env.symmetry import Symmetry, color_symmetries
from hanabi.env.vector import AUTORESETS, Snapshot, VectorEnv

__all__ = [
    "AUTORESETS",
    "Convinced",
    "Expert",
    "FunctionNetwork",
    "Labels",
    "Layout",
    "Network",
    "ObservationKind",
    "Section",
    "Snapshot",
    "Step",
    "Symmetry",
    "VectorEnv",
    "color_symmetries",
    "game_of_observations",
    "posteriors_by_convention",
    "posteriors_of",
    "rules_of",
]
