"""The classes of the Hanabi Learning Environment's `pyhanabi`, over the rules of this package.

`from hanabi.env import pyhanabi` replaces `from hanabi_learning_environment import pyhanabi`:
names, numbers and orders are the same. There are three differences. This package's random streams
shuffle the decks, so a seed gives other deals. An illegal move raises an error, whereas the
original ends the process. A state can be observed only when no card is still to be dealt.
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
