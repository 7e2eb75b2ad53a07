"""Positions as the arrays that the kernels of this package read, and the tables they fill."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from hanabi.cards import Card
from hanabi.compiled.rng import seed_stream
from hanabi.verdict import Status
from hanabi.winnable.kernels import frames as w
from hanabi.winnable.kernels.frames import Deal, HashTable, Merged, Stream, Words
from hanabi.winnable.kernels.labelled import Relaxed
from hanabi.winnable.kernels.search import Scratch
from hanabi.winnable.pace import latest
from hanabi.winnable.position import Goal, Position, cards_of

__all__ = ["STATUS_OF", "Workspace", "make_table"]

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
        kinds, suffix = [self.types.get(card, -1) for card in deck], [0]
        for kind in reversed(kinds):
            suffix.append(suffix[-1] | (1 << kind if kind >= 0 else 0))
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
            suffix=np.array(suffix[::-1], np.int64),
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
