"""The state of a game, in which single cards are dealt between the moves of players."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np
import numpy.typing as npt

from hanabi.env import kernels as memory
from hanabi.env.layout import ObservationKind, entries_of
from hanabi.env.pyhanabi.moves import (
    COLOR_CHAR,
    HanabiCard,
    HanabiCardKnowledge,
    HanabiHistoryItem,
    HanabiMove,
    HanabiMoveType,
)
from hanabi.env.pyhanabi.parameters import Parameters
from hanabi.ground import IllegalActionError, InvalidInputError, quote
from hanabi.rules import Action, Card, Deck, EndReason, Game, Kind

__all__ = [
    "CHANCE_PLAYER_ID",
    "HanabiEndOfGameType",
    "HanabiGame",
    "HanabiObservation",
    "HanabiState",
    "Moment",
    "ObservationEncoder",
    "ObservationEncoderType",
    "hand_lines",
    "table_lines",
]

# States and observations as text.


def hand_lines(hand: Sequence[HanabiCard], knowledge: Sequence[HanabiCardKnowledge]) -> list[str]:
    """Return a hand as text, one card a line, with the knowledge that hints give about it."""
    return [f"{card} || {known}" for card, known in zip(hand, knowledge, strict=False)]


def table_lines(
    game: Game, hands: Sequence[Sequence[str]], current: int, deck_size: int
) -> list[str]:
    """Return the table as text; the discards belong at the end of the last line.

    `current` is the index of the hand whose turn it is.
    """
    piles = "".join(f"{COLOR_CHAR[color]}{height} " for color, height in enumerate(game.piles))
    lines = [f"Life tokens: {game.lives}", f"Info tokens: {game.hints}", f"Fireworks: {piles}"]
    lines.append("Hands:")
    for number, hand in enumerate(hands):
        if number:
            lines.append("-----")
        if number == current:
            lines.append("Cur player")
        lines += hand
    return [*lines, f"Deck size: {deck_size}", "Discards:"]


# Observations and their encoding.

_HIDDEN = HanabiCard(-1, -1)


@dataclass(frozen=True)
class Moment:
    """A position, with the extra facts that observations contain; the arrays are read-only."""

    params: Parameters
    game: Game
    last: npt.NDArray[np.int64]
    named: npt.NDArray[np.uint8]

    def knowledge(self, seat: int, *, is_observed: bool = True) -> list[HanabiCardKnowledge]:
        """Return the knowledge about a seat's cards; minimal observations contain none."""
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
        """Return the numbers of the seat's legal actions, as if the game were not over."""
        from hanabi.env.kernels import write_legal
        from hanabi.env.rows.kernels import WORD_BITS
        from hanabi.rules import layout as k

        position = self.game.packed
        position.state[k.END] = k.IN_PROGRESS
        row = np.empty(self.params.max_moves() // WORD_BITS + 2, np.int64)
        write_legal(position, row)
        numbers: list[int] = np.flatnonzero(entries_of(row)).tolist()
        return numbers

    def legal_moves(self) -> list[HanabiMove]:
        """Return the legal moves of the seat to act, as if the game were not over."""
        return [self.params.get_move(number) for number in self.legal_numbers()]

    def encode(self, seat: int) -> npt.NDArray[np.uint8]:
        """Return the observation of a seat as entries 0 and 1."""
        from hanabi.env.kernels import encode
        from hanabi.env.rows.kernels import WORD_BITS

        layout = self.params.layout
        row = np.empty(layout.size // WORD_BITS + 2, np.int64)
        encode(self.game.packed, self.last, self.named, seat, int(layout.kind), row)
        return entries_of(row)[: layout.size]


class HanabiObservation:
    """A player's observation of a state; players count from this one.

    It does not change when the state does.
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
        """The observed position."""
        return self._moment

    @property
    def seat(self) -> int:
        """The observer's seat in this package's game."""
        return self._seat

    def cur_player_offset(self) -> int:
        """Return the number of seats from the observer to the player to act."""
        game = self._moment.game
        return (game.seat_to_act - self._seat) % game.rules.seats

    def num_players(self) -> int:
        """Return the number of players."""
        return self._moment.game.rules.seats

    def observed_hands(self) -> list[list[HanabiCard]]:
        """Return all hands, oldest cards first; the observer's own cards are hidden."""
        game, kind = self._moment.game, self._moment.params.observation_type()
        hands = [
            [HanabiCard(card.color, card.rank - 1) for card in game.hands[seat]]
            for seat in self._seats
        ]
        if kind is not ObservationKind.SEER:
            hands[0] = [_HIDDEN] * len(hands[0])
        return hands

    def card_knowledge(self) -> list[list[HanabiCardKnowledge]]:
        """Return the knowledge that hints give about the cards in all hands."""
        return [self._moment.knowledge(seat) for seat in self._seats]

    def discard_pile(self) -> list[HanabiCard]:
        """Return the discarded cards (errors included), first discard first."""
        return list(self._discards)

    def fireworks(self) -> list[int]:
        """Return the height of each pile."""
        return list(self._moment.game.piles)

    def deck_size(self) -> int:
        """Return the number of cards left to draw."""
        return self._moment.game.deck_left

    def information_tokens(self) -> int:
        """Return the number of hint tokens left."""
        return self._moment.game.hints

    def life_tokens(self) -> int:
        """Return the number of lives left."""
        return self._moment.game.lives

    def last_moves(self) -> list[HanabiHistoryItem]:
        """Return moves and deals, latest first, back to the observer's own last move."""
        return list(self._last_moves)

    def legal_moves(self) -> list[HanabiMove]:
        """Return the observer's legal moves; none if it is another player's turn."""
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
    """An encoder of a game's observations as lists of 0 and 1.

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


CHANCE_PLAYER_ID = -1
"""The player number of chance, which deals cards."""


class HanabiEndOfGameType(IntEnum):
    """The reason why a game is over, or NOT_FINISHED."""

    NOT_FINISHED = 0
    OUT_OF_LIFE_TOKENS = 1
    OUT_OF_CARDS = 2
    COMPLETED_FIREWORKS = 3


_ENDS = {
    EndReason.IN_PROGRESS: HanabiEndOfGameType.NOT_FINISHED,
    EndReason.BOMBED: HanabiEndOfGameType.OUT_OF_LIFE_TOKENS,
    EndReason.OUT_OF_TURNS: HanabiEndOfGameType.OUT_OF_CARDS,
    EndReason.COMPLETED: HanabiEndOfGameType.COMPLETED_FIREWORKS,
}


class HanabiState:
    """A game that is played move by move; cards are dealt one by one, player 0's hand first.

    It is built on a `Game`, which deals cards at once; the state shows only the cards dealt so far.
    Seat 0 of that game is the player who begins.

    Parameters
    ----------
    game
        The parameters. Their stream shuffles the deck and draws the player who begins.
    deck
        The cards in the order of the deal, as pairs (color from 0, rank from 1).

    >>> state = HanabiState(Parameters({"players": 2}))
    >>> state.cur_player() == CHANCE_PLAYER_ID, state.deck_size()
    (True, 50)
    >>> while state.cur_player() == CHANCE_PLAYER_ID:
    ...     state.deal_random_card()
    >>> state.cur_player(), state.deck_size(), state.legal_moves()[0]
    (0, 40, (Play 0))
    """

    def __init__(self, game: Parameters, deck: Deck | None = None) -> None:
        rules = game.rules
        self._params = game
        self._start = game.draw_start_player()
        if deck is None:
            deck = Deck(game.stream.shuffled(rules.spec.cards()))
        # The cards' indices in the deck of the underlying game, in the order of these deals.
        size, seats = rules.hand_size, rules.seats
        self._order = list(range(rules.deck_size))
        self._order[: size * seats] = [
            self._seat_of(player) * size + slot for player in range(seats) for slot in range(size)
        ]
        below = list(deck)
        for place, index in enumerate(self._order[: len(below)]):
            below[index] = deck[place]
        self._game = Game.start(rules, below)
        self._last = np.zeros(memory.LAST_SIZE, np.int64)
        self._named = np.zeros(rules.deck_size, np.uint8)
        memory.forget(self._last, self._named)
        self._dealt = 0
        self._history: list[HanabiHistoryItem] = []
        self._discards: list[HanabiCard] = []

    def copy(self) -> HanabiState:
        """Return an independent copy of the state."""
        other = copy(self)
        other._last, other._named = self._last.copy(), self._named.copy()
        other._history, other._discards = self._history.copy(), self._discards.copy()
        return other

    @property
    def game(self) -> Game:
        """The underlying game: seat 0 is the player who begins, and no card waits to be dealt."""
        return self._game

    def cur_player(self) -> int:
        """Return the player to act, or `CHANCE_PLAYER_ID` while a card is to be dealt."""
        if self._waiting():
            return CHANCE_PLAYER_ID
        return self._player_of(self._game.seat_to_act)

    def deal_random_card(self) -> None:
        """Deal the next card of the deck if a deal is due."""
        if self._waiting():
            self._deal()

    def apply_move(self, move: HanabiMove) -> None:
        """Make the move of the player to act, or of chance.

        Raises
        ------
        IllegalActionError
            If the move breaks a rule; the message names the rule.
        """
        if not self._waiting():
            action = self._action_of(move)
            self._take(action, self._game.apply(action), move)
            return
        if move.type() is not HanabiMoveType.DEAL:
            raise IllegalActionError(f"{move}: a card is to be dealt")
        self._bring_forward(Card(move.color(), move.rank() + 1))
        self._deal()

    def move_is_legal(self, move: HanabiMove) -> bool:
        """Return whether a move is legal now."""
        if self._waiting():
            card = Card(move.color(), move.rank() + 1)
            return move.type() is HanabiMoveType.DEAL and card in self._undealt()
        return move in self.legal_moves()

    def legal_moves(self) -> list[HanabiMove]:
        """Return the legal moves of the player to act, in the order of their numbers.

        As in the original, moves stay legal after the end of the game.
        """
        if self._waiting():
            return []
        return self._moment().legal_moves()

    def observation(self, player: int) -> HanabiObservation:
        """Return the observation of a player.

        Raises
        ------
        InvalidInputError
            If there is no such player, or a card is still to be dealt.
        """
        players = self.num_players()
        if not 0 <= player < players:
            raise InvalidInputError(f"player {quote(player)} is not in 0 .. {players - 1}")
        if self._waiting():
            raise InvalidInputError("there is nothing to observe while a card is to be dealt")
        recent: list[HanabiHistoryItem] = []
        all_cards = self._params.observation_type() is ObservationKind.SEER
        if any(each.player() >= 0 for each in self._history):
            for item in reversed(self._history[self._game.rules.hand_size * players :]):
                recent.append(item.seen_by(player, players, all_cards=all_cards))
                if item.player() == player:
                    break
        seat = self._seat_of(player)
        return HanabiObservation(self._moment(), seat, tuple(recent), tuple(self._discards))

    def deck_size(self) -> int:
        """Return the number of cards left to deal or draw."""
        return self._game.rules.deck_size - self._dealt

    def discard_pile(self) -> list[HanabiCard]:
        """Return the discarded cards (errors included), first discard first."""
        return self._discards.copy()

    def fireworks(self) -> list[int]:
        """Return the height of each pile."""
        return list(self._game.piles)

    def player_hands(self) -> list[list[HanabiCard]]:
        """Return all hands as dealt so far, oldest cards first."""
        dealt, deck = set(self._order[: self._dealt]), self._game.deck
        return [
            [
                HanabiCard(deck[index].color, deck[index].rank - 1)
                for index in self._game.hand_indices[self._seat_of(player)]
                if index in dealt
            ]
            for player in range(self.num_players())
        ]

    def information_tokens(self) -> int:
        """Return the number of hint tokens left."""
        return self._game.hints

    def life_tokens(self) -> int:
        """Return the number of lives left."""
        return self._game.lives

    def num_players(self) -> int:
        """Return the number of players."""
        return self._game.rules.seats

    def score(self) -> int:
        """Return the points, 0 once the lives are lost."""
        return self._game.score

    def end_of_game_status(self) -> HanabiEndOfGameType:
        """Return the reason why the game is over, or NOT_FINISHED."""
        return _ENDS[self._game.end_reason]

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self._game.is_over

    def card_playable_on_fireworks(self, color: int, rank: int) -> bool:
        """Return whether the card can be played now; its rank counts from 0."""
        return self._game.is_playable(Card(color, rank + 1))

    def move_history(self) -> list[HanabiHistoryItem]:
        """Return all moves and deals so far, earliest first."""
        return self._history.copy()

    def __str__(self) -> str:
        moment = self._moment()
        hands = [
            hand_lines(hand, moment.knowledge(self._seat_of(player), is_observed=False))
            for player, hand in enumerate(self.player_hands())
        ]
        lines = table_lines(self._game, hands, self.cur_player(), self.deck_size())
        return "\n".join(lines) + "".join(f" {card}" for card in self._discards)

    __repr__ = __str__

    def _seat_of(self, player: int) -> int:
        """Return a player's seat in the underlying game."""
        return (player - self._start) % self._params.num_players()

    def _player_of(self, seat: int) -> int:
        return (seat + self._start) % self._params.num_players()

    def _waiting(self) -> int:
        """Return the number of cards dealt in the underlying game but not yet here."""
        return self._game.rules.deck_size - self._game.deck_left - self._dealt

    def _undealt(self) -> list[Card]:
        return [self._game.deck[index] for index in self._order[self._dealt :]]

    def _moment(self) -> Moment:
        return Moment(self._params, self._game, self._last.copy(), self._named.copy())

    def _action_of(self, move: HanabiMove) -> Action:
        seat, seats = self._game.seat_to_act, self.num_players()
        if not 1 <= move.target_offset() < seats and move.card_index() < 0:
            raise IllegalActionError(f"{move} is no move of a player at a table of {seats}")
        return move.action(seat, seats)

    def _bring_forward(self, card: Card) -> None:
        """Make a card that is not dealt yet the next one to be dealt."""
        undealt = self._undealt()
        if card not in undealt:
            raise IllegalActionError(f"{quote(tuple(card))} is not to be dealt any more")
        at, cards = self._order[self._dealt + undealt.index(card)], list(self._game.deck)
        here = self._order[self._dealt]
        cards[here], cards[at] = cards[at], cards[here]
        state = self._game.packed.state.tobytes()
        self._game = Game(self._game.rules, Deck(cards), self._game.actions, state)

    def _deal(self) -> None:
        index = self._order[self._dealt]
        self._dealt += 1
        hands = self._game.hand_indices
        seat = next(seat for seat, hand in enumerate(hands) if index in hand)
        color, rank = self._game.deck[index]
        self._history.append(
            HanabiHistoryItem(
                HanabiMove.get_deal_move(color, rank - 1),
                CHANCE_PLAYER_ID,
                _deal_to_player=self._player_of(seat),
            )
        )

    def _take(self, action: Action, after: Game, move: HanabiMove) -> None:
        """Move to the position after an action, and record the action's result."""
        before, player = self._game, self.cur_player()
        named = self._named.copy()
        memory.take(before.packed, self._last, self._named, action.code)
        touched, newly, color, rank = int(self._last[memory.TOUCHED]), 0, -1, -1
        if action.is_hint and self._params.observation_type() is not ObservationKind.SEER:
            is_color = action.kind is Kind.HINT_COLOR
            bit = memory.COLOR_NAMED if is_color else memory.RANK_NAMED
            for slot, index in enumerate(before.hand_indices[action.target]):
                if touched >> slot & 1 and not named[index] & bit:
                    newly |= 1 << slot
        elif not action.is_hint:
            color, rank = before.hands[before.seat_to_act][action.target]
            rank -= 1
        scored = bool(self._last[memory.SCORED])
        if color >= 0 and not scored:
            self._discards.append(HanabiCard(color, rank))
        self._history.append(
            HanabiHistoryItem(
                move,
                player,
                scored,
                bool(self._last[memory.REGAINED]),
                color,
                rank,
                touched,
                newly,
            )
        )
        self._game = after


# The parameters as the original's class, which can start games.


class HanabiGame(Parameters):
    """The parameters of a game, from which new games are made.

    >>> HanabiGame({"players": 4, "seed": 1}).new_initial_state().deck_size()
    50
    """

    def new_initial_state(self) -> HanabiState:
        """Return a new game, before the deal."""
        return HanabiState(self)
