"""Positions as the arrays that the kernels of this room read, and the tables they fill."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hanabi.winnable.position import Goal, Position

if TYPE_CHECKING:
    from hanabi.winnable.kernels.search import Guide, Scratch
    from hanabi.winnable.kernels.words import Deal, Stream, Table, Words

__all__ = ["Board", "clear", "make_table", "reopen"]

_DEPTH_PER_CARD = 2


def make_deal(position: Position, goal: Goal) -> tuple[Deal, list[int]]:
    """Return the constants of `position` and `goal`, and each color's first bit."""
    import numpy as np

    from hanabi.winnable.kernels import words as w

    rules = position.rules
    game = np.zeros(w.GAME_WORDS, np.int64)
    game[w.CARDS], game[w.SEATS] = rules.deck_size, rules.seats
    game[w.HAND_SIZE], game[w.GOAL] = rules.hand_size, sum(goal)
    game[w.MOST_HINTS], game[w.BONUS] = rules.hints, rules.completion_bonus
    game[w.LAST_TURNS] = w.NO_LIMIT if rules.final_round is None else rules.final_round
    game[w.FULL_DISCARD], game[w.EMPTY_HINTS] = rules.discard_at_full_hints, rules.empty_hints
    first_bits, bit, bottoms, tops, needed = [], 0, 0, 0, 0
    for color, height in enumerate(goal):
        first_bits.append(bit)
        if height:
            bottoms |= 1 << bit
            needed |= ((1 << height) - 1) << bit
            if height == len(rules.spec.copies[color]):
                tops |= 1 << (bit + height - 1)
        bit += height + 1
    game[w.BOTTOMS], game[w.TOPS], game[w.NEEDED] = bottoms, tops, needed
    deck = [
        first_bits[card.color] + card.rank - 1 if card.rank <= goal[card.color] else -1
        for card in position.deck
    ]
    suffix = [0]
    for kind in reversed(deck):
        suffix.append(suffix[-1] | (1 << kind if kind >= 0 else 0))
    suffix.reverse()
    return w.Deal(game, np.array(deck, np.int64), np.array(suffix, np.int64)), first_bits


def make_table(rows: int, width: int) -> Table:
    """Return an empty table with at least `rows` rows (rounded up to a power of two)."""
    import numpy as np

    from hanabi.winnable.kernels.words import Table

    size = 1 << max(rows - 1, 1).bit_length()
    return Table(np.empty((size, width), np.int64), np.zeros(size, np.int8), np.zeros(3, np.int64))


def clear(table: Table) -> None:
    """Empty a table."""
    table.marks[:] = 0
    table.used[0] = 0


def reopen(table: Table) -> None:
    """Let undecided states be searched again."""
    from hanabi.winnable.kernels.words import MARKED_UNKNOWN, REOPENED

    marks = table.marks
    marks[marks == MARKED_UNKNOWN] = REOPENED


class Board:
    """A position and a goal, packed, with the working arrays of the kernels.

    Attributes
    ----------
    deal
        The constants.
    secured, played
        Mask of the types on the piles or in hand, and number of those on the piles.
    bits
        The mask of each goal card (color, rank).
    """

    def __init__(self, position: Position, goal: Goal, seed: int = 0) -> None:
        import numpy as np

        from hanabi.compiled.rng import seed_stream
        from hanabi.winnable.kernels.merged import STACK_WORDS

        self.position, self.goal = position, goal
        self.deal, first_bits = make_deal(position, goal)
        self.bits = {
            (color, rank): 1 << (first_bits[color] + rank - 1)
            for color, height in enumerate(goal)
            for rank in range(1, height + 1)
        }
        self.piles = 0
        for color, height in enumerate(position.piles):
            for rank in range(1, height + 1):
                self.piles |= self.bits[color, rank]
        kinds = self.deal.deck.tolist()
        self.hands = []
        for hand in position.hands:
            mask = 0
            for index in hand:
                mask |= 1 << kinds[index] if kinds[index] >= 0 else 0
            self.hands.append(mask & ~self.piles)
        self.played = position.score
        self.secured = self.piles
        for mask in self.hands:
            self.secured |= mask
        self.stream: Stream = np.empty(1, np.uint64)
        seed_stream(self.stream, np.uint64(seed), np.uint64(0))
        self.stack: Words = np.zeros((position.rules.deck_size + 2, STACK_WORDS), np.int64)
        self.merged = make_table(1 << 12, 2)

    @property
    def turns_left(self) -> int:
        """Turns of the last round, or those that it will have."""
        from hanabi.winnable.kernels.words import LAST_TURNS

        left = self.position.turns_left
        return int(self.deal.game[LAST_TURNS]) if left is None else left

    def scratch(self, rows: int) -> Scratch:
        """Return the arrays of a search, with its first position, and a table of `rows` rows."""
        import numpy as np

        from hanabi.winnable.kernels import search as k

        position, rules = self.position, self.position.rules
        most = rules.seats + rules.hand_size * 2 + 64
        depth = _DEPTH_PER_CARD * rules.deck_size + rules.hints + 2 * rules.seats + 40
        frames = np.zeros((depth, k.FRAME_WORDS), np.int64)
        root = frames[0]
        root[k.PILES] = self.piles
        for seat, mask in enumerate(self.hands):
            root[k.HANDS + seat] = mask
            root[k.SIZES] += len(position.hands[seat]) << (8 * seat)
        root[k.DRAWN], root[k.HINTS], root[k.LIVES] = (
            position.drawn,
            position.hints,
            position.lives,
        )
        root[k.SEAT], root[k.TURNS] = position.seat, self.turns_left
        return k.Scratch(
            frames,
            np.zeros((depth, most), np.int64),
            np.zeros(most, np.int64),
            make_table(rows, k.HANDS + rules.seats + 2),
            self.merged,
            self.stack,
        )

    def guide(self, labelled: int, turns_from: int, first: int, limit: int, rows: int) -> Guide:
        """Return the arrays of a labelled relaxation, with its first position."""
        import numpy as np

        from hanabi.winnable.kernels import labelled as k
        from hanabi.winnable.kernels.search import Guide

        position, rules = self.position, self.position.rules
        depth = 2 * rules.deck_size + rules.hints + 40 if limit else 1
        most = rules.seats * (2 * rules.hand_size + 64) + 2
        frames = np.zeros((depth, k.FRAME_WORDS), np.int64)
        root = frames[0]
        root[k.SECURED] = self.secured
        for seat, mask in enumerate(self.hands):
            root[k.LABELS + seat] = mask & labelled
        root[k.DRAWN], root[k.PLAYED], root[k.TURNS] = position.drawn, self.played, self.turns_left
        root[k.SEAT], root[k.HINTS] = -1, rules.hints
        if position.drawn >= turns_from:
            root[k.SEAT], root[k.HINTS] = position.seat, position.hints
        words = np.array([labelled, turns_from, first, limit], np.int64)
        moves = np.zeros((depth, most if limit else 1), np.int64)
        return Guide(words, frames, moves, make_table(rows, k.LABELS + rules.seats + 1))
