"""A search over full positions; it finds winning lines, and is exact if it exhausts them.

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
3. *All hints are equivalent*, and so are the copies of a type in one hand: all cards are face up.
4. *In a last round in which nobody acts twice, a seat that can play does*, and otherwise passes in
   any way. X plays c where Y passes; X copies Y, and passes where Y plays another copy of c.

Mistakes do matter: where discarding is forbidden, they let a seat draw without a play, and, unlike
a round of hints, cost the others no turn. For the same reason more hints are not always better, so
positions are compared only if their hints and lives are equal.

After each draw, the position is tested by the merged-hand relaxation and, if a guide is used, by a
labelled one. Positions proven lost stay in a table as long as there is room.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from hanabi.game import Action, Kind, hint_rank
from hanabi.verdict import Status
from hanabi.winnable.arrays import STATUS_OF, Workspace
from hanabi.winnable.kernels import frames as w
from hanabi.winnable.kernels import search as k
from hanabi.winnable.position import Line, Position

__all__ = ["Found", "GameSearch", "line_of"]

_GUIDE_LIMIT = 1_000
"""Most moves for one call of the guide."""


class Found(NamedTuple):
    """The result of one search: the moves tried, and the line if it is won."""

    status: Status
    tried: int
    moves: tuple[int, ...] = ()


class GameSearch:
    """Repeated searches from one position that is not yet won.

    The guide labels the `labels` latest cards (0: no guide), and counts turns and hints once
    `turns_from` cards have been drawn (None: never). Its
    table has `guide_rows` rows, that of the search `rows`.
    """

    def __init__(
        self,
        workspace: Workspace,
        *,
        rows: int,
        labels: int = 0,
        turns_from: int | None = None,
        guide_rows: int = 1,
    ) -> None:
        self._workspace = workspace
        self._scratch = workspace.scratch(rows)
        turns = (
            workspace.deal.cards if turns_from is None else min(turns_from, workspace.deal.cards)
        )
        limit = _GUIDE_LIMIT if labels else 0
        self._guide = workspace.relaxed(labels, turns, limit, guide_rows if labels else 1)

    def run(self, limit: int, noise: int, hint_penalty: int = 0) -> Found:
        """Search with at most `limit` moves.

        `noise` (0: none) perturbs their order; `hint_penalty` moves hints back.
        """
        deal, stream = self._workspace.deal, self._workspace.stream
        table = self._scratch.table
        status = STATUS_OF[
            k.search(deal, limit, noise, hint_penalty, self._guide, self._scratch, stream)
        ]
        tried = int(table.used[1])
        table.used[1] = 0
        if status is Status.WINNABLE:
            line = self._scratch.frames[: table.used[2], w.MOVE].tolist()
            return Found(status, tried, tuple(line))
        if status is Status.UNKNOWN:
            # Keep known states, unless a table fills up; undecided ones are searched again.
            for used in (table, self._guide.table):
                if used.used[0] * 2 > len(used.marks):
                    used.marks[:] = 0
                    used.used[0] = 0
                else:
                    used.marks[used.marks == w.MARKED_UNKNOWN] = w.REOPENED
        return Found(status, tried)


def line_of(workspace: Workspace, moves: Iterable[int]) -> Line:
    """Return the actions for a search's moves, to be replayed by the rules.

    A hint, which is only a way to wait, becomes one that touches a card of the next seat with
    cards; trash becomes the first card in hand that the goal does not need.
    """
    position, deal, types = workspace.position, workspace.deal, workspace.deal.deck.tolist()
    hands, drawn, hints = [list(hand) for hand in position.hands], position.drawn, position.hints
    line, played = list[Action](), int(workspace.frame[w.PILES])
    for turn, move in enumerate(moves, position.seat):
        kind, card, hand = move >> 6, move & 63, hands[turn % len(hands)]
        if kind == k.HINT or (kind == k.PASS and hints >= deal.hint_cost):
            line.append(_hint(position, hands, turn))
            hints -= deal.hint_cost
            continue
        if kind in (k.PLAY, k.DROP, k.MISTAKE_DROP):
            index = next(index for index in hand if types[index] == card)
        else:
            index = _trash([(index, types[index]) for index in hand], played)
        is_discard = kind in (k.DISCARD_TRASH, k.DROP, k.PASS)
        slot = hand.index(index)
        line.append(Action(Kind.DISCARD if is_discard else Kind.PLAY, slot))
        if kind == k.PLAY:
            played |= 1 << card
        completes = kind == k.PLAY and deal.bonus and deal.tops >> card & 1
        if is_discard or completes:
            hints = min(hints + 1, deal.most_hints)
        del hand[slot]
        if drawn < len(types):
            hand.insert(slot if position.rules.keep_slots else len(hand), drawn)
            drawn += 1
    return tuple(line)


def _trash(hand: list[tuple[int, int]], played: int) -> int:
    """Return a card that is not needed; in the last round, if there is none, the first."""
    seen = played
    for index, kind in hand:
        if kind < 0 or seen >> kind & 1:
            return index
        seen |= 1 << kind
    return hand[0][0]


def _hint(position: Position, hands: list[list[int]], turn: int) -> Action:
    for step in range(1, len(hands)):
        seat = (turn + step) % len(hands)
        if hands[seat]:
            return hint_rank(seat, position.deck[hands[seat][0]].rank)
    return hint_rank((turn + 1) % len(hands), 1)
