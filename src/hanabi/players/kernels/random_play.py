"""Random play: any legal action, all with the same probability. The simplest compiled policy."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.compiled import Words
from hanabi.compiled.hot import jit_hot
from hanabi.compiled.rng import below
from hanabi.game.kernels.legal import legal_actions
from hanabi.game.kernels.words import Packed
from hanabi.players.kernels import policy as policies


class RandomPolicy(NamedTuple):
    """Draws any legal action."""


@policies.decide.register(RandomPolicy)
@jit_hot
def decide(
    policy: RandomPolicy,
    position: Packed,
    rng: npt.NDArray[np.uint64],
    memory: Words,
    scratch: Words,
) -> int:
    """Return an action of the seat to act."""
    return int(scratch[below(rng, legal_actions(position, scratch))])
