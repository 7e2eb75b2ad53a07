"""Moves of players and of chance, and the history of their results."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import NamedTuple

from hanabi.ground import InvalidInputError, quote
from hanabi.rules import Action, Kind, discard, hint_color, hint_rank, play

__all__ = [
    "COLOR_CHAR",
    "HanabiCard",
    "HanabiCardKnowledge",
    "HanabiHistoryItem",
    "HanabiMove",
    "HanabiMoveType",
    "color_char_to_idx",
    "color_idx_to_char",
]

# Cards, and the knowledge that hints give about one. Colors and ranks count from 0 here.

COLOR_CHAR = ["R", "Y", "G", "W", "B"]
"""One letter for each color."""


def color_idx_to_char(color_idx: int) -> str | None:
    """Return the letter of a color, or None for -1, a hidden color.

    >>> color_idx_to_char(3), color_idx_to_char(-1)
    ('W', None)
    """
    return None if color_idx == -1 else COLOR_CHAR[color_idx]


def color_char_to_idx(color_char: str) -> int:
    """Return the color that a letter stands for.

    Raises
    ------
    InvalidInputError
        If no color has this letter. It is a `ValueError`, too.

    >>> color_char_to_idx("W")
    3
    """
    if color_char not in COLOR_CHAR:
        raise InvalidInputError(f"{quote(color_char)} is none of {' '.join(COLOR_CHAR)}")
    return COLOR_CHAR.index(color_char)


class _Card(NamedTuple):
    color: int
    rank: int


class HanabiCard:
    """A card; a hidden one has color and rank -1.

    >>> HanabiCard(3, 0), HanabiCard(-1, -1), HanabiCard(3, 0).to_dict()
    (W1, XX, {'color': 'W', 'rank': 0})
    """

    __slots__ = ("_card",)

    def __init__(self, color: int, rank: int) -> None:
        self._card = _Card(color, rank)

    def color(self) -> int:
        """Return the color, from 0."""
        return self._card.color

    def rank(self) -> int:
        """Return the rank, from 0."""
        return self._card.rank

    def valid(self) -> bool:
        """Return whether the card is visible."""
        return min(self._card) >= 0

    def to_dict(self) -> dict[str, str | int | None]:
        """Return the color's letter (None if hidden) and the rank."""
        return {"color": color_idx_to_char(self.color()), "rank": self.rank()}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HanabiCard) and self._card == other._card

    def __hash__(self) -> int:
        return hash(self._card)

    def __repr__(self) -> str:
        return f"{COLOR_CHAR[self.color()]}{self.rank() + 1}" if self.valid() else "XX"


@dataclass(frozen=True, slots=True, repr=False)
class HanabiCardKnowledge:
    """The knowledge that hints give about a card: what they named, and what they leave possible.

    Only a hint that touches the card names its color. Ruling out all other colors does not.

    >>> knowledge = HanabiCardKnowledge(None, 0, (0, 1), (0,))
    >>> knowledge, knowledge.color(), knowledge.rank(), knowledge.color_plausible(2)
    (X1|RY1, None, 0, False)
    """

    _color: int | None
    _rank: int | None
    _colors: Collection[int]
    _ranks: Collection[int]

    def color(self) -> int | None:
        """Return the named color, or None."""
        return self._color

    def rank(self) -> int | None:
        """Return the named rank, or None."""
        return self._rank

    def color_plausible(self, color_index: int) -> bool:
        """Return whether no hint rules the color out."""
        return color_index in self._colors

    def rank_plausible(self, rank_index: int) -> bool:
        """Return whether no hint rules the rank out."""
        return rank_index in self._ranks

    def to_dict(self) -> dict[str, str | int | None]:
        """Return the named color's letter and the named rank, each None if there is none."""
        color = None if self._color is None else COLOR_CHAR[self._color]
        return {"color": color, "rank": self._rank}

    def __repr__(self) -> str:
        color = "X" if self._color is None else COLOR_CHAR[self._color]
        rank = "X" if self._rank is None else str(self._rank + 1)
        colors = "".join(COLOR_CHAR[each] for each in self._colors)
        return f"{color}{rank}|{colors}{''.join(str(each + 1) for each in self._ranks)}"


class HanabiMoveType(IntEnum):
    """The type of a move."""

    INVALID = 0
    PLAY = 1
    DISCARD = 2
    REVEAL_COLOR = 3
    REVEAL_RANK = 4
    DEAL = 5


@dataclass(frozen=True, slots=True, repr=False)
class HanabiMove:
    """A move. Fields that its type does not use are -1. Targets count from the player who moves.

    >>> HanabiMove.get_reveal_color_move(1, 3), HanabiMove.get_play_move(0).to_dict()
    ((Reveal player +1 color W), {'action_type': 'PLAY', 'card_index': 0})
    """

    _type: HanabiMoveType
    _card_index: int = -1
    _target_offset: int = -1
    _color: int = -1
    _rank: int = -1

    @staticmethod
    def get_discard_move(card_index: int) -> HanabiMove:
        """Return a discard of the card at an index; index 0 is the oldest card."""
        return HanabiMove(HanabiMoveType.DISCARD, card_index)

    @staticmethod
    def get_play_move(card_index: int) -> HanabiMove:
        """Return a play of the card at an index; index 0 is the oldest card."""
        return HanabiMove(HanabiMoveType.PLAY, card_index)

    @staticmethod
    def get_reveal_color_move(target_offset: int, color: int) -> HanabiMove:
        """Return a color hint to the player `target_offset` seats on."""
        return HanabiMove(HanabiMoveType.REVEAL_COLOR, -1, target_offset, color)

    @staticmethod
    def get_reveal_rank_move(target_offset: int, rank: int) -> HanabiMove:
        """Return a rank hint to the player `target_offset` seats on."""
        return HanabiMove(HanabiMoveType.REVEAL_RANK, -1, target_offset, -1, rank)

    @staticmethod
    def get_deal_move(color: int, rank: int) -> HanabiMove:
        """Return the deal of a card."""
        return HanabiMove(HanabiMoveType.DEAL, -1, -1, color, rank)

    @classmethod
    def of(cls, action: Action, seat: int, seats: int) -> HanabiMove:
        """Return the move for this package's `action` by `seat` at a table of `seats`."""
        match action.kind:
            case Kind.PLAY:
                return cls.get_play_move(action.target)
            case Kind.DISCARD:
                return cls.get_discard_move(action.target)
            case Kind.HINT_COLOR:
                return cls.get_reveal_color_move((action.target - seat) % seats, action.value)
        return cls.get_reveal_rank_move((action.target - seat) % seats, action.value - 1)

    def action(self, seat: int, seats: int) -> Action:
        """Return this package's action for the move by `seat` at a table of `seats`.

        Raises
        ------
        InvalidInputError
            If it is not a move of a player.
        """
        target = (seat + self._target_offset) % seats
        match self._type:
            case HanabiMoveType.PLAY:
                return play(self._card_index)
            case HanabiMoveType.DISCARD:
                return discard(self._card_index)
            case HanabiMoveType.REVEAL_COLOR:
                return hint_color(target, self._color)
            case HanabiMoveType.REVEAL_RANK:
                return hint_rank(target, self._rank + 1)
        raise InvalidInputError(f"{self} is no move of a player")

    def type(self) -> HanabiMoveType:
        """Return the type of the move."""
        return self._type

    def card_index(self) -> int:
        """Return the index of the card that is played or discarded."""
        return self._card_index

    def target_offset(self) -> int:
        """Return the number of seats from the player to the hint's target."""
        return self._target_offset

    def color(self) -> int:
        """Return the color that is hinted or dealt."""
        return self._color

    def rank(self) -> int:
        """Return the rank that is hinted or dealt."""
        return self._rank

    def to_dict(self) -> dict[str, str | int | None]:
        """Return the move as a dictionary, in the form that agents use.

        Raises
        ------
        InvalidInputError
            If the move is invalid.
        """
        told: dict[str, str | int | None] = {"action_type": self._type.name}
        match self._type:
            case HanabiMoveType.PLAY | HanabiMoveType.DISCARD:
                return told | {"card_index": self._card_index}
            case HanabiMoveType.REVEAL_COLOR:
                color = color_idx_to_char(self._color)
                return told | {"target_offset": self._target_offset, "color": color}
            case HanabiMoveType.REVEAL_RANK:
                return told | {"target_offset": self._target_offset, "rank": self._rank}
            case HanabiMoveType.DEAL:
                return told | {"color": color_idx_to_char(self._color), "rank": self._rank}
        raise InvalidInputError(f"{self} is no move")

    def __repr__(self) -> str:
        match self._type:
            case HanabiMoveType.PLAY:
                return f"(Play {self._card_index})"
            case HanabiMoveType.DISCARD:
                return f"(Discard {self._card_index})"
            case HanabiMoveType.REVEAL_COLOR:
                return f"(Reveal player +{self._target_offset} color {COLOR_CHAR[self._color]})"
            case HanabiMoveType.REVEAL_RANK:
                return f"(Reveal player +{self._target_offset} rank {self._rank + 1})"
            case HanabiMoveType.DEAL:
                card = f"{COLOR_CHAR[self._color]}{self._rank + 1}" if self._color >= 0 else "XX"
                return f"(Deal {card})"
        return "(INVALID)"


@dataclass(frozen=True, slots=True, repr=False)
class HanabiHistoryItem:
    """A move that was made, and its result.

    Slots are bits of `_revealed` and `_newly_revealed`. `_color` and `_rank` are those of the card
    that was played or discarded, else -1.
    """

    _move: HanabiMove
    _player: int
    _scored: bool = False
    _information_token: bool = False
    _color: int = -1
    _rank: int = -1
    _revealed: int = 0
    _newly_revealed: int = 0
    _deal_to_player: int = -1

    def move(self) -> HanabiMove:
        """Return the move that was made."""
        return self._move

    def player(self) -> int:
        """Return the player who made the move; -1 is chance."""
        return self._player

    def scored(self) -> bool:
        """Return whether a card was played on its pile."""
        return self._scored

    def information_token(self) -> bool:
        """Return whether a hint token came back."""
        return self._information_token

    def color(self) -> int:
        """Return the color of the card that was played or discarded."""
        return self._color

    def rank(self) -> int:
        """Return the rank of the card that was played or discarded."""
        return self._rank

    def card_info_revealed(self) -> list[int]:
        """Return the slots that a hint touched."""
        return _slots(self._revealed)

    def card_info_newly_revealed(self) -> list[int]:
        """Return the slots whose color or rank a hint named for the first time."""
        return _slots(self._newly_revealed)

    def deal_to_player(self) -> int:
        """Return the player who was dealt a card."""
        return self._deal_to_player

    def seen_by(self, player: int, players: int, *, all_cards: bool) -> HanabiHistoryItem:
        """Return the item as `player` sees it: players count from there, and own cards are hidden.

        With `all_cards` no card is hidden.
        """
        if self._move.type() is not HanabiMoveType.DEAL:
            return replace(self, _player=(self._player - player) % players)
        receiver = (self._deal_to_player - player) % players
        is_hidden = receiver == 0 and not all_cards
        move = HanabiMove.get_deal_move(-1, -1) if is_hidden else self._move
        return replace(self, _move=move, _deal_to_player=receiver)

    def __repr__(self) -> str:
        parts = [f"<{self._move}"]
        if self._player >= 0:
            parts.append(f"by player {self._player}")
        if self._scored:
            parts.append("scored")
        if self._information_token:
            parts.append("info_token")
        if self._color >= 0:
            parts.append(f"{COLOR_CHAR[self._color]}{self._rank + 1}")
        if self._revealed:
            parts.append(f"reveal {','.join(map(str, self.card_info_revealed()))}")
        return " ".join(parts) + ">"


def _slots(bits: int) -> list[int]:
    return [slot for slot in range(bits.bit_length()) if bits >> slot & 1]
