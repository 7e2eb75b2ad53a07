"""Relaxations: easier games that are won whenever the real one is.

A relaxation that cannot be won proves that the real game cannot. While cards are left to draw, a
play or a discard replaces one of the `seats * hand_size` cards in the hands by the next card of the
deck. Call a type (color and rank) of the goal *secured* while it is on its pile or in hand. Any
second copy of a secured type is trash, like everything that the goal does not need.

A position is lost if some type is neither secured nor still to be drawn, or by **pace**: if more
points are missing than there are cards to draw and turns in the last round, for each plays at most
one card.

Labelled cards
--------------
Some types, the *labelled* ones, carry the seat that holds them; the rest is anonymous. While fewer
than `turns_from` cards have been drawn, anyone may act at any time; afterwards turns and hints are
those of the game, except that cards may be discarded with all hints there (so that more hints are
never worse; they start at their maximum). In the last round the seats act in order, after the one
that drew the last card; passing is free.

A state is: cards drawn, secured types M, number s of played cards, labelled types in each hand, and
the seat to act and its hints where they count. Which anonymous cards have been played is left open.
Let C be what the secured types can build without the labelled ones in hand, and K all types at or
below a labelled type that has been played; any s cards with K that lie in C may have been. Moves:

- a labelled card is played if all cards below it are in C, and these, K and it are at most s + 1;
- an anonymous card is played if s < |C|, by a seat with fewer than `hand_size` labelled cards;
- such a seat discards trash if |M| - s is less than the number of slots;
- it drops an anonymous secured type, if that comes again and s cards can still have been played;
- a labelled card is dropped if there is another copy of it;
- a drawn labelled card goes to the seat that acted, unless its type is on the piles.

Every real game is one of this relaxation: forget the seats of anonymous cards and which of them
were played. Some moves are left out:

(a) anonymous discards, where an anonymous card can be played and anyone may act;
(b) drops of anonymous types, where trash can be discarded.

For let state X be *at least* state Y if both agree but for anonymous types and s, M(X) contains
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

(c) a seat that can play does, and otherwise discards trash if it has some.

Let X play c where Y discards z from the same hand, both drawing the same card. X copies Y, and
discards z where Y plays or drops c, or drops the second copy of c that Y plays: it never has a
lower pile, and never holds less of what is still needed, nor fewer hints.

With all types labelled and `turns_from` the first card, only discards at full hints remain between
the relaxation and the real game. Few labels refute fastest: those of the cards that can only be
played late (`latest`).

The merged hand
---------------
With no labels, and with anyone acting in the last round, nothing is left to choose but what to drop
from a hand that is full of needed cards none of which can be played: by (a) and (b), playing comes
first and trash second. Such a state is told by the cards drawn and the secured types alone, and the
relaxation costs one pass over the deck for each, seldom more than a few hundred.

Nothing but the last round and hints is lost by merging the hands: before it, a slot can be said to
belong to a seat, since the card that leaves and the card that comes are in the same hand.
"""

from __future__ import annotations

from hanabi.cards import Card
from hanabi.verdict import Status
from hanabi.winnable.arrays import Board, make_table
from hanabi.winnable.pace import waits
from hanabi.winnable.position import Goal, Position

__all__ = ["labelled", "latest", "merged"]

_STATUS = (Status.UNWINNABLE, Status.WINNABLE, Status.UNKNOWN)


def merged(position: Position, goal: Goal) -> Status:
    """Return whether the merged hand reaches `goal`; UNWINNABLE then holds for the real game too.

    UNKNOWN if more than fifty million states would be needed.

    >>> from hanabi.game import Rules
    >>> rules = Rules.official(2)
    >>> print(merged(Position.start(rules, rules.spec.shuffle(seed=1)), (5, 5, 5, 5, 5)))
    winnable
    """
    return _STATUS[merged_answer(Board(position, goal))]


def merged_answer(board: Board) -> int:
    """Return LOST, WON or UNKNOWN of the kernels, with larger tables as long as they fill up."""
    from hanabi.winnable.kernels.merged import merged_answer as kernel
    from hanabi.winnable.kernels.words import UNKNOWN

    drawn = board.position.drawn
    while True:
        answer = kernel(board.deal, drawn, board.secured, board.played, board.merged, board.stack)
        rows = len(board.merged.marks)
        if answer != UNKNOWN or rows >= 1 << 26:
            return int(answer)
        board.merged = make_table(rows * 16, 2)


def latest(position: Position, goal: Goal, number: int) -> tuple[Card, ...]:
    """Return the `number` needed cards that must wait longest, the last ones first.

    A card must wait for the first copies of all cards below it and its own.

    >>> from hanabi.game import Rules
    >>> rules = Rules.official(2)
    >>> latest(Position.start(rules, rules.spec.shuffle(seed=1)), (5, 5, 5, 5, 5), 2)
    (Card(color=4, rank=5), Card(color=3, rank=5))
    """
    found = waits(position, goal)
    ordered = sorted(found, key=lambda card: (-found[card], -card.color, -card.rank))
    return tuple(ordered[:number])


def label_mask(board: Board, number: int, turns_from: int) -> int:
    """Return the mask of the latest cards, of those played, and of the highest if turns count."""
    from hanabi.winnable.kernels.words import TOPS

    mask = board.piles
    if turns_from < board.position.rules.deck_size:
        mask |= int(board.deal.game[TOPS])
    for card in latest(board.position, board.goal, number):
        mask |= board.bits[card]
    return mask


def labelled(
    position: Position,
    goal: Goal,
    *,
    labels: int,
    turns_from: int | None = None,
    limit: int = 1_000_000,
    seed: int = 0,
) -> Status:
    """Return whether the labelled relaxation reaches `goal`.

    UNWINNABLE then holds for the real game too.

    Parameters
    ----------
    position, goal
        Before the last round.
    labels
        How many of the latest cards are labelled.
    turns_from
        Number of drawn cards from which on turns and hints count; by default all cards.
    limit
        Most moves tried; UNKNOWN if they do not suffice.
    seed
        Of the order in which moves are tried.

    >>> from hanabi.game import Rules
    >>> rules = Rules.official(2)
    >>> position = Position.start(rules, rules.spec.shuffle(seed=1))
    >>> print(labelled(position, (5, 5, 5, 5, 5), labels=4))
    winnable
    """
    board = Board(position, goal, seed)
    cards = position.rules.deck_size
    turns_from = cards if turns_from is None else min(turns_from, cards)
    return _STATUS[labelled_answer(board, labels, turns_from, limit)[0]]


def labelled_answer(board: Board, labels: int, turns_from: int, limit: int) -> tuple[int, int]:
    """Return the kernel's answer and the number of moves tried."""
    from hanabi.winnable.kernels.labelled import labelled_answer as kernel

    mask = label_mask(board, labels, turns_from)
    guide = board.guide(mask, turns_from, 0, limit, min(limit, 1 << 22) * 2)
    answer = kernel(
        board.deal, mask, turns_from, limit, board.stream, guide.frames, guide.moves,
        guide.table, board.merged, board.stack,
    )  # fmt: skip
    return int(answer), int(guide.table.used[1])
