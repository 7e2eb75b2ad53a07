"""What a player sees, and its encoding."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np
import numpy.typing as npt

from hanabi.cards import Card
from hanabi.env.kernels import memory
from hanabi.env.layout import ObservationKind
from hanabi.env.pyhanabi.cards import HanabiCard, HanabiCardKnowledge
from hanabi.env.pyhanabi.moves import HanabiHistoryItem, HanabiMove
from hanabi.env.pyhanabi.parameters import Parameters
from hanabi.env.pyhanabi.telling import hand_lines, table_lines
from hanabi.game import Game

__all__ = ["HanabiObservation", "Moment", "ObservationEncoder", "ObservationEncoderType"]

_HIDDEN = HanabiCard(-1, -1)


@dataclass(frozen=True)
class Moment:
    """A position with what observations tell beyond it; nothing writes to the arrays."""

    params: Parameters
    game: Game
    last: npt.NDArray[np.int64]
    named: npt.NDArray[np.uint8]

    def knowledge(self, seat: int, *, is_observed: bool = True) -> list[HanabiCardKnowledge]:
        """Return what hints say of the cards of a seat; minimal observations tell nothing."""
        kind, rules = self.params.observation_type(), self.game.rules
        indices, deck = self.game.hand_indices[seat], self.game.deck
        if kind is ObservationKind.MINIMAL and is_observed:
            nothing = HanabiCardKnowledge(None, None, range(rules.colors), range(rules.ranks))
            return [nothing] * len(indices)
        result = []
        for index, known in zip(indices, self.game.knowledge[seat], strict=True):
            color, rank = deck[index].color, deck[index].rank - 1
            if kind is ObservationKind.SEER:
                result.append(HanabiCardKnowledge(color, rank, (color,), (rank,)))
                continue
            told = int(self.named[index])
            result.append(
                HanabiCardKnowledge(
                    color if told & memory.COLOR_NAMED else None,
                    rank if told & memory.RANK_NAMED else None,
                    known.colors,
                    tuple(each - 1 for each in known.ranks),
                )
            )
        return result

    def legal_numbers(self) -> list[int]:
        """Return the numbers of what the seat to act may do, as if the game were not over."""
        from hanabi.env.kernels.actions import write_legal
        from hanabi.env.kernels.bits import WORD_BITS
        from hanabi.game import layout as k

        position = self.game.packed
        position.state[k.END] = k.IN_PROGRESS
        row = np.empty(self.params.max_moves() // WORD_BITS + 2, np.int64)
        write_legal(position, row)
        numbers: list[int] = np.flatnonzero(_entries(row)).tolist()
        return numbers

    def legal_moves(self) -> list[HanabiMove]:
        """Return what the seat to act may do, as if the game were not over."""
        return [self.params.get_move(number) for number in self.legal_numbers()]

    def encode(self, seat: int) -> npt.NDArray[np.uint8]:
        """Return what a seat sees as entries 0 and 1."""
        from hanabi.env.kernels.bits import WORD_BITS
        from hanabi.env.kernels.encode import encode

        layout = self.params.layout
        row = np.empty(layout.size // WORD_BITS + 2, np.int64)
        encode(self.game.packed, self.last, self.named, seat, int(layout.kind), row)
        return _entries(row)[: layout.size]


def _entries(row: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
    """Return the bits of a row, as :mod:`hanabi.env.kernels.bits` keeps them, as 0 and 1."""
    return np.unpackbits(row.astype("<u4").view(np.uint8), bitorder="little")


class HanabiObservation:
    """What a player sees of a state; players count from this one.

    It stays as it was when the state goes on.
    """

    def __init__(
        self,
        moment: Moment,
        seat: int,
        last_moves: tuple[HanabiHistoryItem, ...],
        discards: tuple[HanabiCard, ...],
    ) -> None:
        self._moment, self._seat = moment, seat
        self._last_moves, self._discards = last_moves, discards

    @property
    def moment(self) -> Moment:
        """The position that is seen."""
        return self._moment

    @property
    def seat(self) -> int:
        """Who sees it, as the game of this package counts."""
        return self._seat

    def cur_player_offset(self) -> int:
        """Return how many seats on the player to act is."""
        game = self._moment.game
        return (game.seat_to_act - self._seat) % game.rules.seats

    def num_players(self) -> int:
        """Return the number of players."""
        return self._moment.game.rules.seats

    def observed_hands(self) -> list[list[HanabiCard]]:
        """Return all hands, the oldest card of each first; one's own cards are hidden."""
        game, kind = self._moment.game, self._moment.params.observation_type()
        hands = [
            [HanabiCard(card.color, card.rank - 1) for card in game.hands[seat]]
            for seat in self._seats
        ]
        if kind is not ObservationKind.SEER:
            hands[0] = [_HIDDEN] * len(hands[0])
        return hands

    def card_knowledge(self) -> list[list[HanabiCardKnowledge]]:
        """Return what hints say of the cards of all hands."""
        return [self._moment.knowledge(seat) for seat in self._seats]

    def discard_pile(self) -> list[HanabiCard]:
        """Return the discarded cards, errors included, the first one first."""
        return list(self._discards)

    def fireworks(self) -> list[int]:
        """Return the height of each pile."""
        return list(self._moment.game.piles)

    def deck_size(self) -> int:
        """Return how many cards are to be drawn."""
        return self._moment.game.deck_left

    def information_tokens(self) -> int:
        """Return how many hint tokens are left."""
        return self._moment.game.hints

    def life_tokens(self) -> int:
        """Return how many lives are left."""
        return self._moment.game.lives

    def last_moves(self) -> list[HanabiHistoryItem]:
        """Return moves and deals back to one's own last move, the last one first."""
        return list(self._last_moves)

    def legal_moves(self) -> list[HanabiMove]:
        """Return what one may do now; nothing if it is another one's turn."""
        return [] if self.cur_player_offset() else self._moment.legal_moves()

    def card_playable_on_fireworks(self, color: int, rank: int) -> bool:
        """Return whether the card can be played now; its rank counts from 0."""
        return self._moment.game.is_playable(Card(color, rank + 1))

    @cached_property
    def _seats(self) -> list[int]:
        seats = self.num_players()
        return [(self._seat + behind) % seats for behind in range(seats)]

    def __str__(self) -> str:
        pairs = zip(self.observed_hands(), self.card_knowledge(), strict=True)
        hands = [hand_lines(hand, knowledge) for hand, knowledge in pairs]
        game = self._moment.game
        lines = table_lines(game, hands, self.cur_player_offset(), game.deck_left)
        return "\n".join(lines) + "".join(f" {card}" for card in self._discards)

    __repr__ = __str__


class ObservationEncoderType(IntEnum):
    """Encodings of observations."""

    CANONICAL = 0


class ObservationEncoder:
    """Encodes observations of a game as lists of 0 and 1.

    >>> ObservationEncoder(Parameters({"players": 2})).shape()
    [658]
    """

    def __init__(
        self,
        game: Parameters,
        enc_type: ObservationEncoderType = ObservationEncoderType.CANONICAL,
    ) -> None:
        self._game = game
        self._type = ObservationEncoderType(enc_type)

    def shape(self) -> list[int]:
        """Return the number of entries, in a list."""
        return [self._game.layout.size]

    def encode(self, observation: HanabiObservation) -> list[int]:
        """Return the entries of an observation."""
        entries: list[int] = observation.moment.encode(observation.seat).tolist()
        return entries
