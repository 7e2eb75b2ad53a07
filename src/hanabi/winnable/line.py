"""Winning lines: from the search's moves to hanab.live's actions, and their referee."""

from __future__ import annotations

from collections.abc import Iterable

from hanabi.game import Game
from hanabi.game.replay import find_action
from hanabi.notation import RecordedAction
from hanabi.winnable.arrays import Board
from hanabi.winnable.position import Position

__all__ = ["Line", "line_of", "replay"]

Line = tuple[RecordedAction, ...]
"""Actions in hanab.live's encoding: a card is named by its index in the deck."""


def line_of(board: Board, game: Game, moves: Iterable[int]) -> tuple[Line, Game]:
    """Return the actions that stand for a search's moves, and the game that the rules make of them.

    A hint, which is only a way to wait, becomes one that touches a card of the next seat that has
    one; trash becomes the first card in hand that the goal does not need.
    """
    from hanabi.winnable.kernels import search as k
    from hanabi.winnable.kernels.words import PILES

    position, types = board.position, board.deal.deck.tolist()
    hands, drawn = [list(hand) for hand in position.hands], position.drawn
    line, played = list[RecordedAction](), int(board.frame[PILES])
    for turn, move in enumerate(moves, position.seat):
        kind, card, hand = move >> 6, move & 63, hands[turn % len(hands)]
        if kind == k.HINT or (kind == k.PASS and game.hints):
            action = _hint(position, hands, turn)
        else:
            if kind in (k.PLAY, k.DROP, k.MISTAKE_DROP):
                index = next(index for index in hand if types[index] == card)
            else:
                index = _trash([(index, types[index]) for index in hand], played)
            action = RecordedAction(int(kind in (k.DISCARD_TRASH, k.DROP, k.PASS)), index)
            if kind == k.PLAY:
                played |= 1 << card
            hand.remove(index)
            if drawn < len(types):
                hand.append(drawn)
                drawn += 1
        line.append(action)
        game = game.apply(find_action(game, action))
    return tuple(line), game


def _trash(hand: list[tuple[int, int]], played: int) -> int:
    """Return a card that is not needed; in the last round, when none is left, the first."""
    seen = played
    for index, kind in hand:
        if kind < 0 or seen >> kind & 1:
            return index
        seen |= 1 << kind
    return hand[0][0]


def _hint(position: Position, hands: list[list[int]], turn: int) -> RecordedAction:
    for step in range(1, len(hands)):
        seat = (turn + step) % len(hands)
        if hands[seat]:
            return RecordedAction(3, seat, position.deck[hands[seat][0]].rank)
    return RecordedAction(3, (turn + 1) % len(hands), 1)


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
