"""Relaxations: easier games that are won whenever the real one is.

A relaxation that cannot be won proves that the real game cannot. While cards are left to draw, a
play or a discard replaces one of the `seats * hand_size` cards in the hands by the next card of the
deck. Call a type (color and rank) of the goal *secured* while it is on its pile or in hand. Any
second copy of a secured type is trash, like everything that the goal does not need.

A position is lost if some type is neither secured nor still to be drawn, or by **pace**: if more
points are missing than there are cards to draw plus turns in the last round, since each allows at
most one play.

Labelled cards
--------------
Some types, the *labelled* ones, carry the seat that holds them; the others are anonymous. While
fewer than `turns_from` cards have been drawn, anyone may act at any time. Afterwards turns and
hints are those of the game, except that cards may be discarded with all hints available (so that
more hints are never worse; they start at their maximum). In the last round the seats act in order,
after the one that drew the last card; passing is free.

A state is: cards drawn, secured types M, number s of played cards, labelled types in each hand, and
the seat to act and its hints where they count. It leaves open which anonymous cards were played.
Let C be the types that the secured ones can build without the labelled ones in hand, and K all
types at or below a labelled type that has been played; any s cards with K that lie in C may have
been. The moves are:

- a labelled card is played if all cards below it are in C, and these, K and it number at most
  s + 1;
- an anonymous card is played if s < |C|, by a seat with fewer than `hand_size` labelled cards;
- such a seat discards trash if |M| - s is less than the number of slots;
- such a seat drops an anonymous secured type, if another copy is still to come and s cards can
  still have been played;
- a labelled card is dropped if there is another copy of it;
- a drawn labelled card goes to the seat that acted, unless its type is on the piles.

Every real game is also a game of this relaxation: forget the seats of anonymous cards and which of
them were played. Some moves are left out:

(a) anonymous discards, if an anonymous card can be played and anyone may act;
(b) drops of anonymous types, if trash can be discarded.

Proof. Let state X be *at least* state Y if they differ only in anonymous types and s, M(X) contains
M(Y), and s(X) >= s(Y). Claim: X wins if Y does. X answers a move with a labelled card by the same
move, which it has, since its C is larger, K equal and s no smaller. It answers a move with an
anonymous card, by the same seat, with the first that it has of: a play, a discard of trash, a drop
of a type that Y lacks (or drops). Then X is at least Y again. One exists: otherwise s(X) = |C(X)|,
all slots of X hold secured types not played, and Y has all of these, so that as many of Y's slots
are taken by them; then Y has no trash, has played no fewer, and could neither play nor discard
anything else. Where (a) is used, the state after the play is at least the one after the discard;
for (b), the state that keeps the type is at least the other, with s and hints equal, so that every
play is answered by a play and every discard by a discard.

If all types are labelled, s and K give the piles themselves. Then, while anyone may act,

(c) a seat that can play does, and otherwise discards trash if it has any.

Let X play c where Y discards z from the same hand, both drawing the same card. X copies Y, and
discards z where Y plays or drops c, or drops the second copy of c that Y plays: it never has a
lower pile, and never holds less of what is still needed, nor fewer hints.

With all types labelled and `turns_from` the first card, only discards at full hints remain between
the relaxation and the real game. Few labels refute fastest: those of the cards that can only be
played late (`latest`).

The merged hand
---------------
With no labels, and with anyone acting in the last round, the only choice is which card to drop from
a hand that is full of needed, unplayable cards: by (a) and (b), playing comes first and discarding
trash second. The cards drawn and the secured types alone determine such a state, and the relaxation
costs one pass over the deck for each state, seldom more than a few hundred.

Merging the hands loses only the last round and the hints: before the last round, each slot can be
assigned to a seat, since the card that leaves and the card that arrives are in the same hand.
"""

from __future__ import annotations

from hanabi.clock import NO_LIMIT, Clock
from hanabi.verdict import Status
from hanabi.winnable.arrays import STATUS_OF, Workspace, make_table
from hanabi.winnable.kernels.frames import merged_answer
from hanabi.winnable.kernels.labelled import labelled_answer

__all__ = ["labelled", "merged"]

_GROWTH = 16
_ROW = 17  # bytes per row of a table with two words per state


def merged(workspace: Workspace, clock: Clock = NO_LIMIT, memory: int = 1 << 30) -> Status:
    """Return whether the merged hand reaches the goal; if not, the game is UNWINNABLE too.

    The table grows whenever it is full. The answer is UNKNOWN if the next table would take more
    than half of `memory` (bytes), or if the time is over.
    """
    while True:
        status = STATUS_OF[merged_answer(workspace.deal, workspace.frame, workspace.merged)]
        if status is not Status.UNKNOWN or clock.is_over:
            return status
        table = workspace.merged.table
        rows = len(table.marks)
        if table.used[0] * 4 < rows * 3:
            continue  # it returned only to check the time
        if rows * _GROWTH * _ROW > memory // 2:
            return status
        workspace.merged = workspace.merged._replace(table=make_table(rows * _GROWTH, 2))


def labelled(workspace: Workspace, labels: int, turns_from: int, limit: int) -> tuple[Status, int]:
    """Return whether the labelled relaxation reaches the goal, and the number of moves tried.

    For positions before the last round; if the answer is UNWINNABLE, so is the game. The `labels`
    latest cards are labelled, and turns and hints count once `turns_from` cards have been drawn.
    The answer is UNKNOWN if `limit` moves do not suffice.
    """
    relaxed = workspace.relaxed(labels, turns_from, limit, min(limit, 1 << 22) * 2)
    answer = labelled_answer(workspace.deal, workspace.frame, relaxed, workspace.stream)
    return STATUS_OF[answer], int(relaxed.table.used[1])
