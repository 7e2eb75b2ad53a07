"""The parameters of a game."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hanabi.env.layout import Layout, ObservationKind
from hanabi.env.pyhanabi.moves import COLOR_CHAR, HanabiMove, HanabiMoveType
from hanabi.ground import InvalidInputError, Stream, quote
from hanabi.rules import DeckSpec, Rules

__all__ = ["AgentObservationType", "Parameters"]

AgentObservationType = ObservationKind

_MOST_RANKS = 5
_MOST_IN_HAND = 8  # the original keeps touched slots as bits of a byte


class Parameters:
    """The parameters of a game, and the random stream that shuffles its decks.

    Parameters
    ----------
    params
        Values as numbers or text: `players` (2 to 5), `colors` and `ranks` (1 to 5), `hand_size`,
        `max_information_tokens`, `max_life_tokens`, `seed` (-1: random), `random_start_player`,
        `observation_type`. Others are ignored.

    Raises
    ------
    InvalidInputError
        If a value is out of range.

    >>> game = Parameters({"players": 3})
    >>> game.max_moves(), game.hand_size(), game.num_cards(0, 0)
    (30, 5, 3)
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = params or {}
        players = _whole(given, "players", 2, 2, 5)
        colors = _whole(given, "colors", 5, 1, len(COLOR_CHAR))
        ranks = _whole(given, "ranks", 5, 1, _MOST_RANKS)
        rules = Rules.hle(players)
        self._rules = replace(
            rules,
            spec=DeckSpec((tuple(map(_copies, range(ranks), [ranks] * ranks)),) * colors),
            hand_size=_whole(given, "hand_size", rules.hand_size, 1, _MOST_IN_HAND),
            hints=_whole(given, "max_information_tokens", rules.hints, 0, None),
            lives=_whole(given, "max_life_tokens", rules.lives, 1, None),
        )
        kind = _whole(given, "observation_type", ObservationKind.CARD_KNOWLEDGE, 0, 2)
        self._layout = Layout(self._rules, ObservationKind(kind))
        actions = (self._layout.action(number, 0) for number in range(self._layout.actions))
        self._moves = tuple(HanabiMove.of(action, 0, players) for action in actions)
        self._numbers = {move: number for number, move in enumerate(self._moves)}
        self._random_start = _flag(given, "random_start_player")
        seed = _whole(given, "seed", -1, None, None)
        self._seed = secrets.randbits(31) if seed == -1 else seed
        self._stream = Stream(self._seed)

    @property
    def rules(self) -> Rules:
        """The parameters as rules of this package."""
        return self._rules

    @property
    def layout(self) -> Layout:
        """The meaning of observation entries and action numbers."""
        return self._layout

    @property
    def stream(self) -> Stream:
        """The stream that shuffles the decks; it continues from game to game."""
        return self._stream

    def draw_start_player(self) -> int:
        """Return the player who begins the next game: 0, or a random one if so configured."""
        return self._stream.below(self._rules.seats) if self._random_start else 0

    def num_players(self) -> int:
        """Return the number of players."""
        return self._rules.seats

    def num_colors(self) -> int:
        """Return the number of colors."""
        return self._rules.colors

    def num_ranks(self) -> int:
        """Return the number of ranks."""
        return self._rules.ranks

    def hand_size(self) -> int:
        """Return the number of cards dealt to each player."""
        return self._rules.hand_size

    def max_information_tokens(self) -> int:
        """Return the number of hint tokens."""
        return self._rules.hints

    def max_life_tokens(self) -> int:
        """Return the number of lives."""
        return self._rules.lives

    def observation_type(self) -> ObservationKind:
        """Return the kind of observations."""
        return self._layout.kind

    def max_moves(self) -> int:
        """Return the number of possible moves."""
        return len(self._moves)

    def num_cards(self, color: int, rank: int) -> int:
        """Return the number of copies of a card; its rank counts from 0."""
        return self._rules.spec.copies[color][rank]

    def get_move(self, move_uid: int) -> HanabiMove:
        """Return the move with a number, or an INVALID move if there is none."""
        if not 0 <= move_uid < self.max_moves():
            return HanabiMove(HanabiMoveType.INVALID)
        return self._moves[move_uid]

    def get_move_uid(self, move: HanabiMove) -> int:
        """Return the number of a player's move, or -1 if it has none."""
        return self._numbers.get(move, -1)

    def parameter_string(self) -> str:
        """Return all parameters as text, one a line."""
        values = {
            "colors": self.num_colors(),
            "hand_size": self.hand_size(),
            "max_information_tokens": self.max_information_tokens(),
            "max_life_tokens": self.max_life_tokens(),
            "observation_type": int(self.observation_type()),
            "players": self.num_players(),
            "random_start_player": str(self._random_start).lower(),
            "ranks": self.num_ranks(),
            "seed": self._seed,
        }
        return "".join(f"{name}={value}\n" for name, value in values.items())


def _copies(rank: int, ranks: int) -> int:
    """Return the copies of a rank, from 0: three of the first, one of the last, else two."""
    if rank == 0:
        return 3
    return 1 if rank == ranks - 1 else 2


def _whole(
    given: Mapping[str, Any], name: str, default: int, low: int | None, high: int | None
) -> int:
    value = given.get(name, default)
    try:
        number = int(value)
    except (TypeError, ValueError):
        raise InvalidInputError(f"{name} = {quote(value)} is not a whole number") from None
    if (low is not None and number < low) or (high is not None and number > high):
        limits = f"{low} or more" if high is None else f"{low} to {high}"
        raise InvalidInputError(f"{name} = {quote(value)} is not {limits}")
    return number


def _flag(given: Mapping[str, Any], name: str) -> bool:
    value = str(given.get(name, False)).lower()
    if value not in ("true", "1", "false", "0"):
        raise InvalidInputError(f"{name} = {quote(given[name])} is neither true nor false")
    return value in ("true", "1")
