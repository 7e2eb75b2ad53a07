"""Thousands of games at once, stepped and observed by compiled code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from hanabi.env.arrays import (
    array_of,
    check_actions,
    check_arrays,
    check_whole,
    deck_words,
    raise_illegal,
)
from hanabi.env.layout import Layout, ObservationKind
from hanabi.env.snapshot import Snapshot, batch_of, game_of, new_batch
from hanabi.env.step import AUTORESETS, Format, Step
from hanabi.env.threads import OneCaller, Threads, alone
from hanabi.errors import InvalidInputError, quote
from hanabi.game import Game, Rules
from hanabi.game.packing import pack_deck, pack_rules
from hanabi.rng import Stream

if TYPE_CHECKING:
    from hanabi.env.kernels.batch import Outputs

__all__ = ["AUTORESETS", "VectorEnv"]

_MASK = (1 << 64) - 1


class VectorEnv(OneCaller):
    """`n` games of the same rules, which take one action each at a step.

    Parameters
    ----------
    n
        Number of games.
    rules
        The rule set, by default the Hanabi Learning Environment's for two seats; see `Layout`.
    seed
        Of the deals: place g of n plays the deals g, g + n, g + 2 n, ... of the seed, each of them
        `rules.spec.shuffle(seed, index)`, whoever is asked, and however fast other games end.
    autoreset
        `next_step`: the step after a game's last one deals the next game, whatever its action, with
        reward 0. `same_step`: the last step itself does; what ended is in `finals`. `disabled`:
        a game that is over stays so until `reset`; its actions mean nothing.
    kind
        What observations tell of cards.
    packed
        Whether observations are eight entries to a byte, as `numpy.packbits(bitorder="little")`.
    all_seats
        Whether every seat observes, and not only the one to act.
    threads
        Threads that share a step, each with its own range of games.

    Raises
    ------
    InvalidInputError
        If an argument is out of range, or the rules have what the encoding has no place for.

    Notes
    -----
    A step of one core takes some 0.4 microseconds a game, and 30 to be called. Games need about 1
    kB each, and their arrays. A thread that calls while another one is in a call is refused.

    >>> env = VectorEnv(1000, seed=7)
    >>> step = env.reset()
    >>> step.observations.shape, step.masks.shape
    ((1000, 658), (1000, 20))
    >>> step = env.step(env.draw_actions())
    >>> step.rewards.dtype, int(step.dones.sum()), step.seats[:3].tolist()
    (dtype('float32'), 0, [1, 1, 1])
    """

    def __init__(
        self,
        n: int,
        rules: Rules | None = None,
        *,
        seed: int = 0,
        autoreset: str = "next_step",
        kind: ObservationKind | int = ObservationKind.CARD_KNOWLEDGE,
        packed: bool = False,
        all_seats: bool = False,
        threads: int = 1,
    ) -> None:
        super().__init__()
        check_whole("n", n, 1)
        check_whole("threads", threads, 1)
        check_whole("seed", seed, None)
        rules = Rules.hle(2) if rules is None else rules
        if not isinstance(rules, Rules):
            raise InvalidInputError(f"rules = {quote(rules)} is no rule set")
        self._n = n = int(n)
        self._layout = Layout(rules, ObservationKind.parse(kind))
        self._words = pack_rules(rules)
        self._cards = pack_deck(list(rules.spec.cards()))
        self._format = Format(self._layout, n, autoreset, packed, all_seats)
        self._options = self._format.options()
        try:
            self._batch, own = new_batch(self._layout, n), self._format.new_arrays()
        except (MemoryError, ValueError, OverflowError):  # NumPy has words for each size
            raise InvalidInputError(f"n = {quote(n)}: no memory for so many games") from None
        # The caller gets views, and may give them another shape.
        self._own, self._outputs = Step._make(each[...] for each in own), self._format.outputs(own)
        self._threads = Threads(n, int(threads))
        self._reseed(seed)
        self._deal(range(n), None)
        self._is_new = True

    @property
    def n(self) -> int:
        """Number of games."""
        return self._n

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self._layout.rules

    @property
    def layout(self) -> Layout:
        """What the entries of observations and the numbers of actions mean."""
        return self._layout

    @property
    @alone
    def scores(self) -> npt.NDArray[np.int64]:
        """The points of each game so far, int64 (n,), as the rules count them."""
        from hanabi.env.kernels.batch import count_points

        points = np.zeros(self._n, np.int64)
        count_points(self._words, self._batch.states, points)
        return points

    def new_arrays(self) -> Step:
        """Return arrays that a step can be written to; `step(..., out=...)` takes them."""
        return self._format.new_arrays()

    @alone
    def reset(
        self,
        *,
        seed: int | None = None,
        decks: Sequence[Iterable[tuple[int, int]]] | npt.ArrayLike | None = None,
        mask: npt.ArrayLike | None = None,
        out: Step | None = None,
    ) -> Step:
        """Deal all games anew, and return what is seen.

        Parameters
        ----------
        seed
            Starts again with the first deals of a seed. Without one each place goes on to its next
            deal; of a new environment that is its first.
        decks
            The cards in draw order of each game that is dealt, as decks or pairs (color from 0,
            rank from 1), or one array of these, (games, cards, 2). The hands come first, that of
            seat 0 whole. Later games are again those of the seed.
        mask
            Which games are dealt, bool (n,); the others go on.
        out
            Arrays to write to, as `new_arrays` makes them; else the environment's own, which every
            step writes to.

        Raises
        ------
        InvalidInputError
            If an array does not fit, or a deck does not have the cards of the rules.

        >>> env = VectorEnv(2)
        >>> deck = env.rules.spec.shuffle(seed=5)
        >>> _ = env.reset(decks=[deck, deck])
        >>> env.game(1).deck == deck
        True
        """
        out, outputs = self._outputs_of(out)
        chosen = np.arange(self._n)
        if mask is not None:
            flags = array_of("mask", mask)
            check_arrays("mask", flags, (self._n,), np.bool_)
            chosen = np.flatnonzero(flags)
        words = None
        if decks is not None:
            words = deck_words(self.rules, decks, len(chosen))
        seed = self._seed if seed is None and self._is_new else seed
        check_whole("seed", 0 if seed is None else seed, None)
        self._begin()
        if seed is not None:
            self._reseed(seed)
        self._is_new = False
        self._deal(chosen.tolist(), words)
        self._look(outputs)
        return out

    @alone
    def step(self, actions: npt.ArrayLike, *, out: Step | None = None) -> Step:
        """Take one action a game, and return what is seen then.

        Parameters
        ----------
        actions
            Whole numbers (n,). Those of games that are over are not looked at.
        out
            As for `reset`.

        Raises
        ------
        IllegalActionError
            Naming the first game whose action is illegal, and the rule; then nothing has changed.
        InvalidInputError
            If an array does not fit, or the last step was interrupted, so that nobody has seen
            what came of it: `look` shows it.

        >>> VectorEnv(3).step([5, 0, 5])
        Traceback (most recent call last):
        hanabi.errors.IllegalActionError: game 1, action 0: turn 0, seat 0 cannot discard slot 0: no
        discards while all 8 hint tokens are there
        """
        from hanabi.env.kernels import batch as k

        if self._begun is not None:
            raise InvalidInputError("the last step was interrupted: look() shows what came of it")
        out, outputs = self._outputs_of(out)
        given = check_actions(actions, self._n)
        batch, words, deals, options = self._batch, self._words, self._deals, self._options
        illegal = self._threads.share(lambda *ends: k.find_illegal(batch, words, given, *ends))
        first = min((each for each in illegal if each >= 0), default=-1)
        if first >= 0:
            game = game_of(batch, self._layout, first)
            raise_illegal(self._layout, game, first, int(given[first]))
        self._is_new = False
        self._begin()
        self._threads.share(lambda *ends: k.step(batch, deals, options, given, outputs, *ends))
        self._begun = None
        return out

    @alone
    def draw_actions(self, out: npt.NDArray[np.int32] | None = None) -> npt.NDArray[np.int32]:
        """Return an action of each game, any legal one with the same probability.

        They are drawn from a stream of each game's own, which goes on; 0 where a game is over.

        >>> env = VectorEnv(4)
        >>> env.draw_actions().dtype
        dtype('int32')
        """
        from hanabi.env.kernels import batch as k

        actions = np.zeros(self._n, np.int32) if out is None else out
        check_arrays("out", actions, (self._n,), np.int32, is_written=True)
        self._threads.share(lambda *ends: k.draw_actions(self._batch, actions, *ends))
        return actions

    @alone
    def look(self, *, out: Step | None = None) -> Step:
        """Return what is seen now, with rewards 0."""
        out, outputs = self._outputs_of(out)
        self._look(outputs)
        return out

    @alone
    def get_state(self) -> Snapshot:
        """Return all that the games are, as copies: what comes next follows from it.

        >>> env = VectorEnv(2)
        >>> snapshot = env.get_state()
        >>> after = [env.step(env.draw_actions()).observations.copy() for _ in range(9)]
        >>> env.set_state(snapshot)
        >>> all((env.step(env.draw_actions()).observations == each).all() for each in after)
        True
        """
        return Snapshot.of(self.rules, self._seed, self._batch)

    @alone
    def set_state(self, snapshot: Snapshot) -> None:
        """Put the games where they were when `get_state` was asked; `look` then shows them.

        Raises
        ------
        InvalidInputError
            If it is of other rules, or another number of games, or one of them is none: each is
            played again, some microseconds a game.
        """
        batch = batch_of(snapshot, self.rules, self._batch, self._threads.share)
        self._reseed(snapshot.seed)
        self._is_new, self._begun = False, None
        self._batch = batch

    @alone
    def game(self, index: int) -> Game:
        """Return a game as it stands, with all that was done in it.

        Raises
        ------
        InvalidInputError
            If there is no such game.

        >>> print(VectorEnv(1).game(0).view(0))
        turn 0: seat 0 to act, 8 hints, 3 lives, 40 cards to draw, score 0
        ...
        """
        check_whole("game", index, None)
        if not 0 <= index < self._n:
            raise InvalidInputError(f"game {quote(index)} is not in 0 .. {self._n - 1}")
        return game_of(self._batch, self._layout, index)

    def close(self) -> None:
        """End the threads; what is still asked is done by the caller's own."""
        self._threads.close()

    def __repr__(self) -> str:
        return f"<VectorEnv of {self._n} games of {self.rules.seats} seats>"

    def _reseed(self, seed: int) -> None:
        """Let the next deals be the first ones of a seed."""
        from hanabi.game.kernels.deals import Deals

        self._seed = seed = int(seed)
        # Decisions are drawn from another stream than the cards.
        seeds = np.array([seed & _MASK, Stream(~seed).word()], np.uint64)
        self._deals = Deals(self._words, self._cards, seeds)
        self._batch.games[:] = 0

    def _deal(self, games: Iterable[int], words: npt.NDArray[np.int64] | None) -> None:
        from hanabi.env.kernels import batch as k

        for row, game in enumerate(games):
            k.deal_next(self._batch, self._deals, game)
            if words is not None:
                k.deal_given(self._batch, self._words, game, words[row])

    def _outputs_of(self, out: Step | None) -> tuple[Step, Outputs]:
        """Return a caller's arrays, or the environment's own, and what kernels write to."""
        if out is None or out is self._own:
            return self._own, self._outputs
        return self._format.check(out), self._format.outputs(out)

    def _look(self, outputs: Outputs) -> None:
        from hanabi.env.kernels import batch as k

        outputs.rewards[:] = 0
        batch, words, options = self._batch, self._words, self._options
        self._threads.share(lambda *ends: k.look(batch, words, options, outputs, *ends))
        self._begun = None
