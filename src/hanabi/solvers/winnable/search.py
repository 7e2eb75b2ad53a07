"""A search over full positions, exact if it exhausts them, and relaxations that refute goals.

The relaxations, with their proofs, are in the second half of the module. The search finds winning
lines. Its positions are those of the real game, with each hand as the set of needed cards in it
(second copies in one hand are trash) and all trash alike. Cards that the goal does not need are
never played on purpose: a line that first scores the goal's points plays none. Four reductions keep
the answer; in each, X does what the search keeps and Y what it leaves out, and X wins if Y does.

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

import numpy as np

from hanabi.ground import NO_LIMIT, Clock, Status, seed_stream
from hanabi.rules import Action, Card, Kind, hint_rank
from hanabi.solvers.winnable.kernels import relaxation as w
from hanabi.solvers.winnable.kernels import search as k
from hanabi.solvers.winnable.kernels.relaxation import (
    Deal,
    HashTable,
    Merged,
    Relaxed,
    Stream,
    Words,
    labelled_answer,
    merged_answer,
)
from hanabi.solvers.winnable.kernels.search import Scratch
from hanabi.solvers.winnable.pace import latest
from hanabi.solvers.winnable.position import Goal, Line, Position, cards_of

__all__ = [
    "STATUS_OF",
    "Found",
    "GameSearch",
    "Workspace",
    "labelled",
    "line_of",
    "make_table",
    "merged",
]

# Positions as the arrays that the kernels of this package read, and the tables they fill.

STATUS_OF = (Status.UNWINNABLE, Status.WINNABLE, Status.UNKNOWN)
"""The status for each of the kernels' answers LOST, WON and UNKNOWN."""


def make_table(rows: int, width: int) -> HashTable:
    """Return an empty table with at least `rows` rows, rounded up to a power of two."""
    size = 1 << max(rows - 1, 1).bit_length()
    keys = np.empty((size, width), np.int64)
    return HashTable(keys, np.zeros(size, np.int8), np.zeros(3, np.int64))


class Workspace:
    """A position and a goal, packed, with the working arrays of the kernels.

    Attributes
    ----------
    types
        The index of each goal card's bit.
    deal
        The constants.
    frame
        The position as a search frame.
    merged
        The working arrays of the merged-hand relaxation.
    """

    def __init__(self, position: Position, goal: Goal, seed: int = 0) -> None:
        self.position, self.goal = position, goal
        # One bit between the colors is always 0.
        above = [color + sum(goal[:color]) for color in range(len(goal))]
        self.types = {card: above[card.color] + card.rank - 1 for card in sorted(cards_of(goal))}
        self.deal = self._deal()
        self.frame: Words = np.zeros(w.FRAME_WORDS, np.int64)
        self.frame[w.PILES] = piles = self.mask(cards_of(position.piles))
        for seat, hand in enumerate(position.hands):
            types = self.mask(position.deck[index] for index in hand)
            self.frame[w.HANDS + seat] = types & ~piles
            self.frame[w.SIZES] += len(hand) << (8 * seat)
        last = position.last_turns
        self.frame[w.TURNS] = w.NO_LIMIT if last is None else last
        self.frame[w.DRAWN], self.frame[w.PLAYED] = position.drawn, position.score
        self.frame[w.HINTS], self.frame[w.LIVES] = position.hints, position.lives
        self.frame[w.SEAT] = position.seat
        self.stream: Stream = np.empty(1, np.uint64)
        seed_stream(self.stream, np.uint64(seed), np.uint64(0))
        stack = np.zeros((position.rules.deck_size + 2, w.FRAME_WORDS), np.int64)
        self.merged = Merged(make_table(1 << 12, 2), stack)

    def with_untouched(self, cards: Iterable[Card]) -> Workspace:
        """Return a workspace for lines whose hints stay legal if no clue touches these cards.

        The search does not track which cards the trash is, so it gives hints to needed cards only.
        If it finds nothing, that proves nothing.
        """
        workspace = Workspace(self.position, self.goal)
        workspace.deal = workspace.deal._replace(touched=self.deal.needed & ~self.mask(cards))
        return workspace

    def within(self, acts: int) -> Workspace:
        """Return a workspace whose merged hand takes at most so many cards out of hands.

        It answers for a deck without the cards that come later.
        """
        position, workspace = self.position, Workspace(self.position, self.goal)
        cards, last = min(self.deal.cards, position.drawn + acts), position.last_turns
        turns = acts - (cards - position.drawn)
        workspace.deal = self.deal._replace(
            cards=cards,
            last_turns=turns if last is None else min(turns, last),
            deck=self.deal.deck[:cards],
            suffix=_suffix(self.deal.deck[:cards].tolist()),
        )
        return workspace

    def mask(self, cards: Iterable[Card]) -> int:
        """Return the mask of the given cards that the goal needs."""
        mask = 0
        for card in cards:
            if card in self.types:
                mask |= 1 << self.types[card]
        return mask

    def _deal(self) -> Deal:
        rules, deck = self.position.rules, self.position.deck
        tops = self.mask(Card(c, len(row)) for c, row in enumerate(rules.spec.copies))
        kinds = [self.types.get(card, -1) for card in deck]
        return Deal(
            cards=rules.deck_size,
            seats=rules.seats,
            hand_size=rules.hand_size,
            goal=sum(self.goal),
            hint_cost=rules.hint_cost,
            most_hints=rules.hints * rules.hint_cost,
            last_turns=w.NO_LIMIT if rules.final_round is None else rules.final_round,
            bonus=rules.completion_bonus,
            full_discard=rules.discard_at_full_hints,
            empty_hints=rules.empty_hints,
            touched=0,
            bottoms=self.mask(Card(color, 1) for color in range(rules.colors)),
            tops=tops,
            needed=self.mask(self.types),
            deck=np.array(kinds, np.int64),
            suffix=_suffix(kinds),
        )

    def scratch(self, rows: int) -> Scratch:
        """Return the working arrays of a search from the position, with `rows` table rows."""
        rules = self.position.rules
        most = rules.seats + rules.hand_size * 2 + 64
        depth = 2 * rules.deck_size + self.deal.most_hints + 2 * rules.seats + 40
        frames = np.zeros((depth, w.FRAME_WORDS), np.int64)
        frames[0] = self.frame
        moves, scores = np.zeros((depth, most), np.int64), np.zeros(most, np.int64)
        return Scratch(frames, moves, scores, make_table(rows, w.HANDS + rules.seats + 2))

    def relaxed(self, labels: int, turns_from: int, limit: int, rows: int) -> Relaxed:
        """Return the relaxation that labels the latest cards, those played, and `tops` if needed.

        It also answers for later positions. With a limit of 0 it must not be used.
        """
        rules = self.position.rules
        cards = latest(self.position, self.goal, labels) if labels else ()
        labelled = self.mask(cards) | int(self.frame[w.PILES])
        if turns_from < rules.deck_size:
            labelled |= self.deal.tops
        depth = 2 * rules.deck_size + self.deal.most_hints + 40 if limit else 1
        most = rules.seats * (2 * rules.hand_size + 64) + 2 if limit else 1
        return Relaxed(
            labelled,
            turns_from,
            limit,
            np.zeros((depth, w.FRAME_WORDS), np.int64),
            np.zeros((depth, most), np.int64),
            make_table(rows, w.HANDS + rules.seats + 1),
            self.merged,
        )


def _suffix(kinds: Iterable[int]) -> Words:
    """Return the masks of the types from each card on."""
    suffix = [0]
    for kind in reversed([*kinds]):
        suffix.append(suffix[-1] | (1 << kind if kind >= 0 else 0))
    return np.array(suffix[::-1], np.int64)


# Relaxations: easier games that are won whenever the real one is.
#
# A relaxation that cannot be won proves that the real game cannot. While cards are left to draw,
# a play or a discard replaces one of the `seats * hand_size` cards in the hands by the next card
# of the deck. Call a type (color and rank) of the goal *secured* while it is on its pile or in
# hand. Any second copy of a secured type is trash, like everything that the goal does not need.
#
# A position is lost if some type is neither secured nor still to be drawn, or by **pace**: if more
# points are missing than there are cards to draw plus turns in the last round, since each allows at
# most one play.
#
# **Labelled cards.** Some types, the *labelled* ones, carry the seat that holds them;
# the others are anonymous. While fewer than `turns_from` cards have been drawn, anyone may act at
# any time. Afterwards turns and hints are those of the game, except that cards may be discarded
# with all hints available (so that more hints are never worse; they start at their maximum). In
# the last round the seats act in order, after the one that drew the last card; passing is free.
#
# A state is: cards drawn, secured types M, number s of played cards, labelled types in each hand,
# and the seat to act and its hints where they count. It leaves open which anonymous cards were
# played. Let C be the types that the secured ones can build without the labelled ones in hand,
# and K all types at or below a labelled type that has been played; any s cards with K that lie in
# C may have been. The moves are:
#
# - a labelled card is played if all cards below it are in C, and these, K and it number at most
#   s + 1;
# - an anonymous card is played if s < |C|, by a seat with fewer than `hand_size` labelled cards;
# - such a seat discards trash if |M| - s is less than the number of slots;
# - such a seat drops an anonymous secured type, if another copy is still to come and s cards can
#   still have been played;
# - a labelled card is dropped if there is another copy of it;
# - a drawn labelled card goes to the seat that acted, unless its type is on the piles.
#
# Every real game is also a game of this relaxation: forget the seats of anonymous cards and which
# of them were played. Some moves are left out:
#
# (a) anonymous discards, if an anonymous card can be played and anyone may act;
# (b) drops of anonymous types, if trash can be discarded.
#
# Proof. Let state X be *at least* state Y if they differ only in anonymous types and s, M(X)
# contains M(Y), and s(X) >= s(Y). Claim: X wins if Y does. X answers a move with a labelled card
# by the same move, which it has, since its C is larger, K equal and s no smaller. It answers a
# move with an anonymous card, by the same seat, with the first that it has of: a play, a discard
# of trash, a drop of a type that Y lacks (or drops). Then X is at least Y again. One exists:
# otherwise s(X) = |C(X)|, all slots of X hold secured types not played, and Y has all of these,
# so that as many of Y's slots are taken by them; then Y has no trash, has played no fewer, and
# could neither play nor discard anything else. Where (a) is used, the state after the play is at
# least the one after the discard; for (b), the state that keeps the type is at least the other,
# with s and hints equal, so that every play is answered by a play and every discard by a discard.
#
# If all types are labelled, s and K give the piles themselves. Then, while anyone may act,
#
# (c) a seat that can play does, and otherwise discards trash if it has any.
#
# Let X play c where Y discards z from the same hand, both drawing the same card. X copies Y, and
# discards z where Y plays or drops c, or drops the second copy of c that Y plays: it never has a
# lower pile, and never holds less of what is still needed, nor fewer hints.
#
# With all types labelled and `turns_from` the first card, only discards at full hints remain
# between the relaxation and the real game. Few labels refute fastest: those of the cards that can
# only be played late (`latest`).
#
# **The merged hand.** With no labels, and with anyone acting in the last round, the only choice is
# which card to drop from a hand that is full of needed, unplayable cards: by (a) and (b), playing
# comes first and discarding trash second. The cards drawn and the secured types alone determine
# such a state, and the relaxation costs one pass over the deck for each state, seldom more than a
# few hundred.
#
# Merging the hands loses only the last round and the hints: before the last round, each slot can be
# assigned to a seat, since the card that leaves and the card that arrives are in the same hand.

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
