"""The working memory of the compiled search: an arena of layers, checkpoints, and the way back."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.ground import NO_LIMIT, Clock
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.kernels import search as kernel
from hanabi.solitaire.kernels import states

__all__ = ["Layers", "widest"]

_FIRST_ROWS = 4096
_MOST_ROWS = 2**30  # arena indices are 32-bit
_PAUSE = 0.03  # seconds between two looks at the clock, as aimed at
_WORK = 2**20  # steps in the first stretch between two looks
_HORIZON = 1024  # positions ahead that the bound on cards held together looks


class _Checkpoint(NamedTuple):
    position: int
    rows: Any
    upcoming: Any


def _fields(instance: Instance) -> tuple[states.Fields, int]:
    """Return the layout of a row, and the hand size that matters (no more than there are cards)."""
    h = min(instance.hand_size, instance.goal)
    pile_bits, card_bits = max(1, instance.n.bit_length()), max(1, instance.goal.bit_length())
    piles_per_word, cards_per_word = 63 // pile_bits, 63 // card_bits
    offset = -(-instance.c // piles_per_word)
    words = max(1, offset + -(-h // cards_per_word))
    return states.Fields(pile_bits, piles_per_word, offset, card_bits, cards_per_word, words), h


def widest(instance: Instance, memory: int) -> int:
    """Return the most states a layer may keep so that a search fits `memory` bytes.

    Before it is cut a layer can be h + 1 times as large; the arena holds two such layers.
    """
    fields, h = _fields(instance)
    row = 8 * fields.words + 4
    scratch = 3 * 8 + 4 * 4  # order, score, signature; up to four table slots
    return max(1, min(_MOST_ROWS // 4, memory // ((h + 1) * (2 * row + scratch))) - 2)


class Layers:
    """A search in progress: at most `width` states a layer, about `memory` bytes in all."""

    def __init__(self, instance: Instance, target: int, width: int, memory: int) -> None:
        fields, h = _fields(instance)
        self.words = fields.words
        self._width = width
        self._before_cut = width * (h + 1) + 2
        row = 8 * fields.words + 4
        least = 2 * self._before_cut + 2
        self._most_rows = max(least, min(_MOST_ROWS, memory // (2 * row)))
        self._work = _WORK
        self._checkpoints: list[_Checkpoint] = []
        self._search = self._allocate(instance, target, fields, h, min(least, _FIRST_ROWS))
        kernel.begin(self._search)

    def _allocate(
        self, instance: Instance, target: int, fields: states.Fields, h: int, rows: int
    ) -> states.Search:
        total, goal, c = instance.N, instance.goal, instance.c
        values = np.asarray(instance.values)
        cards = np.asarray(instance.colors) * np.int32(instance.n) + values - np.int32(1)
        return states.Search(
            cards=cards.astype(np.int32, copy=False),
            n=instance.n,
            c=c,
            h=h,
            target=target,
            fields=fields,
            following=np.empty(total, np.int32),
            upcoming=np.empty(goal, np.int32),
            last=np.empty(goal, np.int32),
            layer_start=np.empty(total + 1, np.int64),
            layer_position=np.empty(total + 1, np.int64),
            control=np.zeros(states.N_CONTROLS, np.int64),
            pile=np.empty(c, np.int32),
            hand=np.empty(h + 1, np.int32),
            saved_hand=np.empty(h + 1, np.int32),
            mark=np.empty(goal, np.int64),
            load=np.empty(min(total, _HORIZON) + 1, np.int64),
            bucket=np.empty(2 * goal + h + 3, np.int64),
            **self._arena(rows),
        )

    def _arena(self, rows: int) -> dict[str, Any]:
        """Return an arena of so many rows, and what goes by the largest layer in it."""
        layer = min(self._before_cut, rows)
        return {
            "arena": np.empty((rows, self.words), np.int64),
            "parent": np.empty(rows, np.int32),
            "table": np.empty(1 << (2 * layer).bit_length(), np.int32),
            "order": np.empty(layer, np.int64),
            "score": np.empty(layer, np.int64),
            "signature": np.empty(layer, np.uint64),
        }

    @property
    def states(self) -> int:
        """States expanded so far."""
        return int(self._search.control[states.STATES])

    @property
    def position(self) -> int:
        """Cards of the stream searched so far."""
        return int(self._search.control[states.POSITION])

    @property
    def size(self) -> int:
        """States in the current layer."""
        control = self._search.control
        return int(control[states.TOP] - control[states.START])

    @property
    def was_cut(self) -> bool:
        """Whether some layer was cut: then finding nothing proves nothing."""
        return bool(self._search.control[states.CUT])

    def advance(self) -> bool | None:
        """Search some twentieth of a second; return True (won), False (nothing) or None."""
        outcome = self._run()
        if outcome == kernel.FULL:
            if len(self._search.arena) < self._most_rows:
                self._grow()
            else:
                self._set_checkpoint()
        return {kernel.WON: True, kernel.EXHAUSTED: False}.get(outcome)

    def _run(self) -> int:
        """Let the kernel work for a while, and learn how fast it is."""
        started = time.perf_counter()
        outcome = kernel.advance(self._search, self._width, self._work)
        seconds = time.perf_counter() - started
        if seconds > _PAUSE:
            self._work = max(1, self._work // 2)
        elif outcome == kernel.PAUSED and seconds < _PAUSE / 3:
            self._work *= 2
        return outcome

    def decide_many(
        self,
        streams: npt.NDArray[np.int32],
        outcomes: npt.NDArray[np.int8],
        clock: Clock = NO_LIMIT,
    ) -> None:
        """Search each row of `streams` (card numbers) with this memory, at its full size.

        Raises BudgetEndedError if the clock runs out.
        """
        while len(self._search.arena) < self._most_rows:
            self._grow()
        done, resumed = 0, False
        while done < len(streams):
            # Back in Python now and then, so that the loop can be interrupted.
            clock.check()
            done = kernel.decide_many(
                self._search, streams, done, resumed, self._width, 16 * _WORK, outcomes
            )
            resumed = True

    def _grow(self) -> None:
        """Move to an arena four times as large."""
        old = self._search
        used = int(old.control[states.TOP])
        self._search = old._replace(**self._arena(min(4 * len(old.arena), self._most_rows)))
        self._search.arena[:used] = old.arena[:used]
        self._search.parent[:used] = old.parent[:used]

    def _set_checkpoint(self) -> None:
        """Keep only the current layer, which becomes the first of the arena."""
        q = self._search
        start, top = int(q.control[states.START]), int(q.control[states.TOP])
        rows = q.arena[start:top].copy()
        checkpoint = _Checkpoint(self.position, rows, q.upcoming.copy())
        self._checkpoints.append(checkpoint)
        self._restore(checkpoint)

    def _restore(self, checkpoint: _Checkpoint) -> None:
        q, size = self._search, len(checkpoint.rows)
        q.arena[:size] = checkpoint.rows
        q.parent[:size] = -1
        q.upcoming[:] = checkpoint.upcoming
        q.layer_start[0] = 0
        q.control[states.POSITION] = checkpoint.position
        q.control[states.START], q.control[states.TOP] = 0, size
        q.control[states.LAYERS] = 1
        q.control[states.PHASE] = kernel.DRAW
        q.control[states.WINNER] = -1

    def winning_copies(self, clock: Clock = NO_LIMIT) -> list[int]:
        """Return the 0-based positions of the copies that the line found plays.

        Each stretch before the last checkpoint is searched once more. Raises BudgetEndedError if
        the clock runs out.
        """
        q = self._search
        chosen = np.zeros(len(q.cards), np.bool_)
        awaited = np.zeros(len(q.upcoming), np.int32)
        index = int(q.control[states.WINNER])
        index = kernel.trace(q, index, chosen, awaited)
        while self._checkpoints:
            end = self._checkpoints.pop().position
            if self._checkpoints:
                self._restore(self._checkpoints[-1])
            else:
                kernel.begin(q)
            q.control[states.STOP] = end
            while self.position < end:
                clock.check()
                self._run()
            index = kernel.trace(q, int(q.control[states.START]) + index, chosen, awaited)
        return [int(position) for position in np.flatnonzero(chosen)]
