"""Environments for learners, and games as training data."""

from hanabi.doors import open_door

TYPE_CHECKING = False
if TYPE_CHECKING:
    # fmt: off
    from hanabi.env.batch import Snapshot
    from hanabi.env.evaluate import FunctionNetwork, Network
    from hanabi.env.expert import Expert
    from hanabi.env.labels import Convinced, Labels, posteriors_by_convention, posteriors_of
    from hanabi.env.layout import Layout, ObservationKind, Section, rules_of
    from hanabi.env.open_agents import games_of_pickle
    from hanabi.env.recorded import game_of_observations
    from hanabi.env.step import Step
    from hanabi.env.symmetry import Symmetry, color_symmetries
    from hanabi.env.vector import AUTORESETS, VectorEnv

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

open_door(__name__)
