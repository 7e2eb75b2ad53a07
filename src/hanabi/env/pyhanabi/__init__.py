"""The classes of the Hanabi Learning Environment's `pyhanabi`, over the rules of this package.

`from hanabi.env import pyhanabi` stands for `from hanabi_learning_environment import pyhanabi`:
names, numbers and orders are the same. What is not the same: decks are shuffled by this package's
streams, so that a seed gives other deals; an illegal move raises an error where the original ends
the process; a state is observed only when no card is still to be dealt.
"""

from hanabi.env.pyhanabi.moves import (
    COLOR_CHAR,
    HanabiCard,
    HanabiCardKnowledge,
    HanabiHistoryItem,
    HanabiMove,
    HanabiMoveType,
    color_char_to_idx,
    color_idx_to_char,
)
from hanabi.env.pyhanabi.parameters import AgentObservationType
from hanabi.env.pyhanabi.state import (
    CHANCE_PLAYER_ID,
    HanabiEndOfGameType,
    HanabiGame,
    HanabiObservation,
    HanabiState,
    ObservationEncoder,
    ObservationEncoderType,
)

__all__ = [
    "CHANCE_PLAYER_ID",
    "COLOR_CHAR",
    "AgentObservationType",
    "HanabiCard",
    "HanabiCardKnowledge",
    "HanabiEndOfGameType",
    "HanabiGame",
    "HanabiHistoryItem",
    "HanabiMove",
    "HanabiMoveType",
    "HanabiObservation",
    "HanabiState",
    "ObservationEncoder",
    "ObservationEncoderType",
    "color_char_to_idx",
    "color_idx_to_char",
]
