"""The interface of the Hanabi Learning Environment's `rl_env`, over the rules of this package.

`from hanabi.env import rl_env` replaces `from hanabi_learning_environment import rl_env`;
:mod:`hanabi.env.pyhanabi` lists the differences. It plays one game at a time and uses dictionaries.
For training, :class:`hanabi.env.VectorEnv` writes the same vectors about a thousand times as fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from hanabi.env import pyhanabi
from hanabi.ground import IllegalActionError, InvalidInputError, quote
from hanabi.rules import Deck

__all__ = ["Agent", "Environment", "HanabiEnv", "IllegalMoveError", "make", "move_of"]

_TYPES = [each.name for each in pyhanabi.HanabiMoveType]


class IllegalMoveError(IllegalActionError, AssertionError):
    """A move that breaks a rule; agents of the original expect an `AssertionError`."""


class Environment:
    """Base class of environments."""

    def reset(self) -> dict[str, Any]:
        """Begin a game, and return the observations of all players."""
        raise NotImplementedError

    def step(self, action: Mapping[str, Any] | int) -> tuple[dict[str, Any], float, bool, dict]:  # type: ignore[type-arg]
        """Make a move, and return observations, the reward, whether the game is over, and {}."""
        raise NotImplementedError


class HanabiEnv(Environment):
    """An environment for one game at a time, with observations as dictionaries.

    Parameters
    ----------
    config
        The parameters of `pyhanabi.HanabiGame`.

    Attributes
    ----------
    game, state
        The parameters, and the state of the current game.
    observation_encoder
        The encoder that turns observations into vectors.
    players
        The number of players.

    Raises
    ------
    InvalidInputError
        If a parameter is out of range.

    >>> env = make("Hanabi-Full", num_players=2)
    >>> seen = env.reset()
    >>> seen["current_player"], len(seen["player_observations"][0]["vectorized"])
    (0, 658)
    >>> _, reward, done, _ = env.step({"action_type": "PLAY", "card_index": 0})
    >>> reward in (0, 1), done
    (True, False)
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        if not isinstance(config, Mapping):
            raise InvalidInputError(f"config: {quote(config)} is no dictionary")
        self.game = pyhanabi.HanabiGame(config)
        self.observation_encoder = pyhanabi.ObservationEncoder(self.game)
        self.players = self.game.num_players()
        self.state: pyhanabi.HanabiState

    def reset(self, *, deck: Iterable[tuple[int, int]] | None = None) -> dict[str, Any]:
        """Begin a game, and return the observations of all players.

        Parameters
        ----------
        deck
            The cards in the order of the deal, player 0's hand first, as pairs (color from 0, rank
            from 1). By default the deck is shuffled.
        """
        self.state = pyhanabi.HanabiState(self.game, None if deck is None else Deck(deck))
        return self._go_on()

    def step(
        self, action: Mapping[str, Any] | int
    ) -> tuple[dict[str, Any], float, bool, dict[str, Any]]:
        """Make a move, given as a dictionary in the form of `legal_moves` or as a move's number.

        Returns
        -------
        observation
            The observations of all players; `observation["player_observations"][i]` is player i's.
        reward
            The change of the score, which is 0 once the lives are lost.
        done
            Whether the game is over.
        info
            An empty dictionary.

        Raises
        ------
        IllegalMoveError
            If the move breaks a rule; the message names the rule. It is an `AssertionError`, too.
        InvalidInputError
            If `action` is not a move. It is a `ValueError`, too.
        """
        if isinstance(action, Mapping):
            move = move_of(action)
        elif isinstance(action, int | np.integer) and not isinstance(action, bool):
            move = self.game.get_move(int(action))
            if move.type() is pyhanabi.HanabiMoveType.INVALID:
                last = self.game.max_moves() - 1
                raise IllegalMoveError(f"action {action} is not in 0 .. {last}")
        else:
            raise InvalidInputError(f"{quote(action)} is neither a dictionary nor a number")
        before = self.state.score()
        try:
            self.state.apply_move(move)
        except IllegalActionError as error:
            raise IllegalMoveError(f"{move}: {error}") from None
        seen = self._go_on()
        return seen, self.state.score() - before, self.state.is_terminal(), {}

    def vectorized_observation_shape(self) -> list[int]:
        """Return the number of entries of an observation, in a list."""
        return self.observation_encoder.shape()

    def num_moves(self) -> int:
        """Return the number of possible moves."""
        return self.game.max_moves()

    def _go_on(self) -> dict[str, Any]:
        """Deal all pending cards, and return the observations of all players."""
        while self.state.cur_player() == pyhanabi.CHANCE_PLAYER_ID:
            self.state.deal_random_card()
        return {
            "player_observations": [
                self.seen_by(self.state.observation(player)) for player in range(self.players)
            ],
            "current_player": self.state.cur_player(),
        }

    def seen_by(self, observation: pyhanabi.HanabiObservation) -> dict[str, Any]:
        """Return an observation of this game as the dictionary that agents get."""
        moves = observation.legal_moves()
        piles = observation.fireworks()
        return {
            "current_player": self.state.cur_player(),
            "current_player_offset": observation.cur_player_offset(),
            "life_tokens": observation.life_tokens(),
            "information_tokens": observation.information_tokens(),
            "num_players": observation.num_players(),
            "deck_size": observation.deck_size(),
            "fireworks": dict(zip(pyhanabi.COLOR_CHAR, piles, strict=False)),
            "legal_moves": [move.to_dict() for move in moves],
            "legal_moves_as_int": [self.game.get_move_uid(move) for move in moves],
            "observed_hands": [
                [card.to_dict() for card in hand] for hand in observation.observed_hands()
            ],
            "discard_pile": [card.to_dict() for card in observation.discard_pile()],
            "card_knowledge": [
                [known.to_dict() for known in hand] for hand in observation.card_knowledge()
            ],
            "vectorized": self.observation_encoder.encode(observation),
            "pyhanabi": observation,
        }


def move_of(action: Mapping[str, Any]) -> pyhanabi.HanabiMove:
    """Return the move that a dictionary describes.

    Raises
    ------
    IllegalMoveError
        If it describes none.

    >>> move_of({"action_type": "PLAY", "card_index": 0})
    (Play 0)
    """
    kind = action.get("action_type")
    try:
        match kind:
            case "PLAY":
                return pyhanabi.HanabiMove.get_play_move(int(action["card_index"]))
            case "DISCARD":
                return pyhanabi.HanabiMove.get_discard_move(int(action["card_index"]))
            case "REVEAL_COLOR":
                color = pyhanabi.color_char_to_idx(action["color"])
                return pyhanabi.HanabiMove.get_reveal_color_move(
                    int(action["target_offset"]), color
                )
            case "REVEAL_RANK":
                return pyhanabi.HanabiMove.get_reveal_rank_move(
                    int(action["target_offset"]), int(action["rank"])
                )
    except KeyError as error:
        raise IllegalMoveError(f"{quote(dict(action))} has no {error.args[0]}") from None
    raise IllegalMoveError(f"action_type: {quote(kind)} is none of {', '.join(_TYPES[1:-1])}")


def make(
    environment_name: str = "Hanabi-Full", num_players: int = 2, pyhanabi_path: str | None = None
) -> HanabiEnv:
    """Return an environment by its name.

    Parameters
    ----------
    environment_name
        `Hanabi-Full` (or `Hanabi-Full-CardKnowledge`), `Hanabi-Full-Minimal`, `Hanabi-Small` (two
        colors, hands of two, one life) or `Hanabi-Very-Small` (one color).
    num_players
        2 to 5.
    pyhanabi_path
        The place of the original's library; ignored.

    Raises
    ------
    InvalidInputError
        If there is no such environment. It is a `ValueError`, too.

    >>> make("Hanabi-Small", 2).vectorized_observation_shape()
    [171]
    """
    del pyhanabi_path
    kinds = pyhanabi.AgentObservationType
    full = {"colors": 5, "ranks": 5, "max_information_tokens": 8, "max_life_tokens": 3}
    small = {"ranks": 5, "hand_size": 2, "max_information_tokens": 3, "max_life_tokens": 1}
    configs: dict[str, dict[str, int]] = {
        "Hanabi-Full": full,
        "Hanabi-Full-CardKnowledge": full,
        "Hanabi-Full-Minimal": full | {"observation_type": kinds.MINIMAL},
        "Hanabi-Small": small | {"colors": 2},
        "Hanabi-Very-Small": small | {"colors": 1},
    }
    if environment_name not in configs:
        raise InvalidInputError(f"{quote(environment_name)} is none of {', '.join(configs)}")
    return HanabiEnv(configs[environment_name] | {"players": num_players})


class Agent:
    """Base class of agents, which are made from a config and act on observations."""

    def __init__(self, config: Mapping[str, Any], *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError

    def reset(self, config: Mapping[str, Any]) -> None:
        """Start again with other parameters."""
        raise NotImplementedError

    def act(self, observation: Mapping[str, Any]) -> dict[str, Any] | int | None:
        """Return a move for this player's observation, or None if it is another player's turn."""
        raise NotImplementedError
