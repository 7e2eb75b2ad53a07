"""The search over full positions: it finds winning lines, and is exact when it exhausts.

The positions are those of the real game, with each hand as the set of needed cards in it (second
copies in one hand are trash) and all trash alike. Cards that the goal does not need are never
played on purpose: a line that first scores the goal's points plays none. Four reductions keep the
answer; in each, X does what the search keeps and Y what it leaves out, and X wins if Y does.

1. *A needed card is discarded only if its hand has no trash.* X discards the trash t, Y the needed
   card u. X copies Y and does with u what Y does with t. Only if Y plays t by mistake where u fits,
   the two differ afterwards: X has u on its pile and a life more; hints are equal, all of them, for
   else Y would discard (2). If Y later plays another copy of u and gets a hint for it, X discards
   that copy, for the same hint; if Y gets none, X plays the copy by mistake, and lives are equal.
2. *A card is played by mistake only where discarding is forbidden.* X discards and has a hint more,
   Y errs and has a life less. X copies Y. Where Y discards and X's hints are full, X errs instead,
   and both are equal. A color's completion can at most make them equal in hints.
3. *All hints are one*, and so are the copies of a type in one hand: all cards are face up.
4. *In a last round in which nobody acts twice, who can play does*, and otherwise passes in any way.
   X plays c where Y passes; X copies Y, and passes where Y plays another copy of c.

Mistakes do matter: where discarding is forbidden, they let a seat draw without a play, and cost no
turn of the others, as a round of hints would. Having more hints is not always better, either, for
the same reason; so positions are only compared with equal hints and lives.

Every position reached by a draw is given to the merged-hand relaxation and, if a guide is used, to
a labelled one. Positions proven lost stay in a table as long as there is room.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hanabi.winnable.arrays import Board, clear, reopen
from hanabi.winnable.relaxation import label_mask

if TYPE_CHECKING:
    from hanabi.winnable.kernels.words import Table

__all__ = ["Found", "Hunt"]


@dataclass(frozen=True, slots=True)
class Found:
    """The end of one search: an answer of the kernels, the moves tried, the line if won."""

    answer: int
    tried: int
    moves: tuple[int, ...] = ()


class Hunt:
    """Repeated searches from one position, with more noise and longer limits each time.

    Parameters
    ----------
    board
        The position, not yet won, and the goal.
    rows
        Size of the table of positions.
    labels
        Number of the latest cards whose seats the guide tracks; 0: no guide.
    turns_from
        Drawn cards from which on the guide counts turns and hints; None: never.
    guide_limit, guide_rows
        Most moves for one question to the guide, and the size of its table.
    """

    def __init__(
        self,
        board: Board,
        *,
        rows: int,
        labels: int = 0,
        turns_from: int | None = None,
        guide_limit: int = 1_000,
        guide_rows: int = 16,
    ) -> None:
        self._board = board
        self._scratch = board.scratch(rows)
        cards = board.position.rules.deck_size
        turns = cards if turns_from is None else min(turns_from, cards)
        mask = label_mask(board, labels, turns) if labels else 0
        self._guide = board.guide(
            mask, turns, 0, guide_limit if labels else 0, guide_rows if labels else 1
        )

    def run(self, limit: int, temper: int, thrift: int = 0) -> Found:
        """Search with at most `limit` moves.

        `temper` (0: none) is the noise in their order; `thrift` makes hints come later.
        """
        from hanabi.winnable.kernels import search as k
        from hanabi.winnable.kernels.words import UNKNOWN, WON

        table = self._scratch.table
        scratch = self._scratch._replace(merged=self._board.merged)
        answer = int(
            k.search(
                self._board.deal, limit, temper, thrift, self._guide, scratch, self._board.stream
            )
        )
        tried = int(table.used[1])
        table.used[1] = 0
        if answer == WON:
            line = scratch.frames[: table.used[2], k.MOVE].tolist()
            return Found(answer, tried, tuple(line))
        if answer == UNKNOWN:
            _refresh(table)
            _refresh(self._guide.table)
        return Found(answer, tried)


def _refresh(table: Table) -> None:
    """Make a table ready for another search: keep what is known, unless it fills up."""
    if table.used[0] * 2 > len(table.marks):
        clear(table)
    else:
        reopen(table)
