"""Greedy play with look-ahead and seeded restarts: it wins almost every winnable deck.

A dive is the search of `hanabi.winnable.search` with a few hundred moves: it always tries the best
move by a score first (plays whose followers are in hand; waiting while others can play; trash; at
last needed cards), and turns back only from positions that the merged hand refutes. The first dive
follows the scores, later ones add noise.
"""

from __future__ import annotations

from hanabi.winnable.arrays import Board
from hanabi.winnable.search import Found, Hunt

__all__ = ["dive"]

DIVES = 20
MOVES = 300
HOTTEST = 4
ROWS = 1 << 12


def dive(board: Board, *, dives: int = DIVES) -> Found:
    """Return the first winning line of some dives, or the last answer.

    Tens of microseconds for most decks.

    >>> from hanabi.game import Rules
    >>> from hanabi.winnable.position import Position
    >>> rules = Rules.official(2)
    >>> board = Board(Position.start(rules, rules.spec.shuffle(seed=1)), (5, 5, 5, 5, 5))
    >>> found = dive(board)
    >>> found.answer, len(found.moves) > 40
    (1, True)
    """
    from hanabi.winnable.kernels.words import UNKNOWN

    hunt = Hunt(board, rows=ROWS)
    tried = 0
    for attempt in range(dives):
        found = hunt.run(MOVES, min(attempt, HOTTEST))
        tried += found.tried
        if found.answer != UNKNOWN:
            break
    return Found(found.answer, tried, found.moves)
