"""Winning lines: from the search's moves to hanab.live's actions, and their referee."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hanabi.game import Game
from hanabi.game.replay import find_action
from hanabi.notation import RecordedAction
from hanabi.winnable.arrays import Board

__all__ = ["Line", "line_of", "replay"]

Line = tuple[RecordedAction, ...]
"""Actions in hanab.live's encoding: a card is named by its index in the deck."""


def line_of(board: Board, moves: Iterable[int]) -> Line:
    """Return the actions that stand for a search's moves from the board's position.

    A hint, which is only a way to wait, becomes one that touches a card of the next seat that has
    one; trash becomes the first card in hand that the goal does not need.
    """
    table = _Table(board)
    return tuple(table.act(move >> 6, move & 63) for move in moves)


class _Table:
    """The hands as deck indices, while a search's moves are carried out."""

    def __init__(self, board: Board) -> None:
        position = board.position
        self.rules, self.deck = position.rules, position.deck
        self.kinds = board.deal.deck.tolist()
        self.hands = [list(hand) for hand in position.hands]
        self.piles, self.hints = board.piles, position.hints
        self.drawn, self.seat = position.drawn, position.seat

    def act(self, kind: int, card: int) -> RecordedAction:
        from hanabi.winnable.kernels import search as k

        hand, seat = self.hands[self.seat], self.seat
        self.seat = (seat + 1) % self.rules.seats
        if kind == k.PASS:
            kind = k.HINT if self.hints else k.DISCARD_TRASH
        if kind == k.HINT:
            self.hints -= 1
            return self.hint(seat)
        if kind in (k.PLAY, k.DROP, k.MISTAKE_DROP):
            index = next(i for i in hand if self.kinds[i] == card)
        else:
            index = self.trash(hand)
        hand.remove(index)
        if self.drawn < len(self.deck):
            hand.append(self.drawn)
            self.drawn += 1
        if kind in (k.DISCARD_TRASH, k.DROP):
            self.hints = min(self.hints + 1, self.rules.hints)
            return RecordedAction(1, index)
        if kind == k.PLAY:
            self.piles |= 1 << card
            color, rank = self.deck[index]
            if self.rules.completion_bonus and rank == len(self.rules.spec.copies[color]):
                self.hints = min(self.hints + 1, self.rules.hints)
        return RecordedAction(0, index)

    def trash(self, hand: Sequence[int]) -> int:
        """Return a card that is not needed; in the last round, when none is left, the first."""
        seen = self.piles
        for index in hand:
            kind = self.kinds[index]
            if kind < 0 or seen >> kind & 1:
                return index
            seen |= 1 << kind
        return hand[0]

    def hint(self, seat: int) -> RecordedAction:
        for step in range(1, self.rules.seats):
            target = (seat + step) % self.rules.seats
            if self.hands[target]:
                return RecordedAction(3, target, self.deck[self.hands[target][0]].rank)
        return RecordedAction(3, (seat + 1) % self.rules.seats, 1)


def replay(game: Game, line: Iterable[RecordedAction]) -> Game:
    """Return the position after the actions of a line.

    Raises
    ------
    IllegalActionError
        If an action is against the rules.
    """
    for action in line:
        game = game.apply(find_action(game, action))
    return game
