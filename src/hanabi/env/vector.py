"""Thousands of games at once, stepped and observed by compiled code."""

from __future__ import annotations

import os
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, wraps
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from hanabi.env.layout import Layout, ObservationKind
from hanabi.env.step import (
    AUTORESETS,
    Format,
    Step,
    array_of,
    check_actions,
    check_arrays,
    check_whole,
    deck_words,
    raise_illegal,
)
from hanabi.errors import InvalidInputError, quote
from hanabi.game import Action, Game, Rules
from hanabi.game.packing import pack_deck, pack_rules, unpack_deck
from hanabi.rng import Stream

if TYPE_CHECKING:
    from hanabi.env.kernels.batch import Batch, Outputs

__all__ = [
    "AUTORESETS",
    "MOST_THREADS",
    "OneCaller",
    "Snapshot",
    "Threads",
    "VectorEnv",
    "alone",
    "batch_of",
    "game_of",
    "new_batch",
]

# All that the games of an environment are, to be kept and put back.


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """The games of an environment at a moment; it can be pickled.

    Attributes
    ----------
    rules
        The rule set.
    seed
        Of the deals.
    decks, states
        int64 (n, ...): cards and positions, as :mod:`hanabi.game.kernels.packed` lays them out.
    last, named
        int64 and uint8 (n, ...): the last action, and what was named of each card.
    streams
        uint64 (n,): where the stream of drawn actions is.
    games
        int64 (n,): how many games each place has begun.
    legal
        int64 (n, ...): the legal actions, as :mod:`hanabi.env.kernels.encode` keeps bits.
    taken
        int16 (n, ...): the numbers of the actions since the deal, as many as turns.
    """

    rules: Rules
    seed: int
    decks: npt.NDArray[np.int64]
    states: npt.NDArray[np.int64]
    last: npt.NDArray[np.int64]
    named: npt.NDArray[np.uint8]
    streams: npt.NDArray[np.uint64]
    games: npt.NDArray[np.int64]
    legal: npt.NDArray[np.int64]
    taken: npt.NDArray[np.int16]

    @classmethod
    def of(cls, rules: Rules, seed: int, batch: Batch) -> Snapshot:
        """Return copies of the arrays of games."""
        return cls(rules, seed, **{name: array.copy() for name, array in batch._asdict().items()})


def batch_of(
    snapshot: object,
    rules: Rules,
    like: Batch,
    share: Callable[[Callable[[int, int], int]], list[int]],
) -> Batch:
    """Return copies of the arrays of a snapshot, whoever made it, once all games are known to be.

    Parameters
    ----------
    snapshot
        What may have been changed, or read from a file.
    rules, like
        The rules, and arrays of the types and shapes that are wanted.
    share
        What does the work of all games; see `Threads`.

    Raises
    ------
    InvalidInputError
        If it is no snapshot, or of other rules, or of another number of games; or names the first
        array that no game by the rules leads to: each is played again.
    """
    from hanabi.env.kernels import batch as damage
    from hanabi.env.kernels.batch import Batch

    if not isinstance(snapshot, Snapshot):
        raise InvalidInputError(f"{quote(snapshot)} is no state that get_state returned")
    if snapshot.rules != rules:
        raise InvalidInputError("the state is of other rules than the environment")
    check_whole("seed", snapshot.seed, None)
    copies = dict[str, npt.NDArray[Any]]()
    for name, array in like._asdict().items():
        given = getattr(snapshot, name, None)  # of an earlier release it lacks some
        check_arrays(name, given, array.shape, array.dtype)
        copies[name] = np.array(given, order="C")
    batch, words = Batch(**copies), pack_rules(rules)
    found = share(lambda *ends: damage.find_damage(batch, words, *ends))
    if wrong := [each for each in found if each >= 0]:
        game, which = divmod(min(wrong), damage.N_DAMAGES)
        raise InvalidInputError(f"{damage.NAMES[which]}[{game}]: no game by the rules stands so")
    if (batch.games < 0).any():
        raise InvalidInputError("games: a place has begun less than no game")
    return batch


def game_of(batch: Batch, layout: Layout, index: int) -> Game:
    """Return one of the games as it stands, with all that was done in it."""
    from hanabi.game import layout as k

    state, actions, seats = batch.states[index], _actions_of(layout), layout.rules.seats
    numbers = batch.taken[index, : state[k.TURN]].tolist()
    taken = [actions[turn % seats][number] for turn, number in enumerate(numbers)]
    return Game(layout.rules, unpack_deck(batch.decks[index]), tuple(taken), state.tobytes())


@lru_cache(maxsize=64)
def _actions_of(layout: Layout) -> list[list[Action]]:
    """Return what each number says when each seat acts."""
    seats, numbers = range(layout.rules.seats), range(layout.actions)
    return [[layout.action(number, seat) for number in numbers] for seat in seats]


def new_batch(layout: Layout, n: int) -> Batch:
    """Return the arrays of `n` games that are not dealt yet."""
    from hanabi.env.kernels.batch import Batch
    from hanabi.env.kernels.encode import LAST_SIZE, WORD_BITS
    from hanabi.game import layout as k
    from hanabi.game.kernels.packed import most_turns

    rules = pack_rules(layout.rules)
    cards, words = layout.rules.deck_size, int(rules[k.STATE_SIZE])
    return Batch(
        np.zeros((n, cards), np.int64),
        np.zeros((n, words), np.int64),
        np.zeros((n, LAST_SIZE), np.int64),
        np.zeros((n, cards), np.uint8),
        np.zeros(n, np.uint64),
        np.zeros(n, np.int64),
        np.zeros((n, layout.actions // WORD_BITS + 2), np.int64),
        np.zeros((n, most_turns(rules)), np.int16),
    )


# Threads that share the games of an environment.

MOST_THREADS = 1024
"""As many as an environment may have; more than processors gain nothing."""

P = ParamSpec("P")
T = TypeVar("T")
_Work: TypeAlias = Callable[[int, int], int | None]


_forks = 0  # between this process and the one that was started; to ask its number takes longer


def _count_fork() -> None:
    global _forks
    _forks += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_count_fork)


class Threads:
    """Threads, each with its own range of `n` games; a single one is the caller's own.

    A range that was begun is finished, whatever happens to the caller: an interrupt is raised once
    all ranges are done, so that games are never left half-way.

    Raises InvalidInputError if there are to be too many threads, or the system starts no more.

    >>> threads = Threads(10, threads=2)
    >>> threads.share(lambda first, last: last - first)
    [5, 5]
    >>> threads.close()
    """

    def __init__(self, n: int, threads: int) -> None:
        if threads > MOST_THREADS:
            raise InvalidInputError(f"threads = {quote(threads)} is more than {MOST_THREADS:,}")
        self._ranges = [(n * i // threads, n * (i + 1) // threads) for i in range(threads)]
        self._process = 0  # in which the threads run, as `_forks` counts
        self._inbox: SimpleQueue[_Job | None] | None = None
        if threads > 1:
            self._open()

    def share(self, work: _Work) -> list[int]:
        """Do the work of all ranges, given as first and past the last game; return its numbers."""
        if self._inbox is None:
            return [int(work(*ends) or 0) for ends in self._ranges]
        if self._process != _forks:  # a fork has no threads but the one that forked
            self._open()
        job = _Job(work, self._ranges)
        interrupt: BaseException | None = None
        while True:
            try:
                while job.posted < len(self._ranges):  # one too many finds nothing left
                    self._inbox.put(job)
                    job.posted += 1
                while not job.is_done:
                    job.news.get()
                break
            except BaseException as error:  # noqa: BLE001 (raised below)
                interrupt = error
        if interrupt is not None:
            raise interrupt
        return job.results()

    def close(self) -> None:
        """End the threads; work is done by the caller from then on."""
        if self._inbox is not None:
            _end(self._inbox, len(self._ranges))
            self._inbox = None

    def _open(self) -> None:
        """Start the threads, with an inbox that no other process has locked."""
        inbox = self._inbox = SimpleQueue()
        try:
            for _ in self._ranges:
                threading.Thread(target=_serve, args=(inbox,), daemon=True).start()
        except RuntimeError as error:
            self.close()
            raise InvalidInputError(f"threads = {len(self._ranges)}: {error}") from None
        self._process = _forks
        weakref.finalize(self, _end, inbox, len(self._ranges)).atexit = False


class _Job:
    """Ranges that are left to do, and what came of the others."""

    def __init__(self, work: _Work, ranges: list[tuple[int, int]]) -> None:
        self.news: SimpleQueue[None] = SimpleQueue()  # interrupts do not break it
        self.posted = 0
        self._work = work
        self._left = deque(enumerate(ranges))
        self._found: list[int | BaseException | None] = [None] * len(ranges)

    @property
    def is_done(self) -> bool:
        return None not in self._found

    def do_one(self) -> None:
        """Do a range, if one is left."""
        with suppress(IndexError):
            number, ends = self._left.popleft()
            try:
                self._found[number] = int(self._work(*ends) or 0)
            except BaseException as error:  # noqa: BLE001 (raised by the caller)
                self._found[number] = error
            self.news.put(None)

    def results(self) -> list[int]:
        for each in self._found:
            if isinstance(each, BaseException):
                raise each
        return [each for each in self._found if isinstance(each, int)]


def _serve(inbox: SimpleQueue[_Job | None]) -> None:
    while (job := inbox.get()) is not None:
        job.do_one()
        del job  # which holds the arrays of an environment


def _end(inbox: SimpleQueue[_Job | None], threads: int) -> None:
    for _ in range(threads):
        inbox.put(None)


class OneCaller:
    """What one thread at a time may call; for a class whose methods are decorated by `alone`."""

    def __init__(self) -> None:
        self._caller: dict[int, int] = {}  # by process, the thread that is in a method
        self._begun: int | None = None  # the process in which a change was begun and has not ended

    def _begin(self) -> None:
        """Note that a change begins, which an interrupt may keep the caller from hearing of."""
        self._begun = _forks


def alone(method: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Any, P], T]:
    """Refuse a thread while another one is in a method of the same object.

    >>> class Counter(OneCaller):
    ...     @alone
    ...     def count(self):
    ...         return 1
    >>> Counter().count()
    1
    """

    @wraps(method)
    def guarded(self: OneCaller, /, *args: P.args, **kwargs: P.kwargs) -> T:
        process, me = _forks, threading.get_ident()
        try:
            if self._caller.setdefault(process, me) != me:  # one operation, for all threads
                raise InvalidInputError(
                    "another thread is in this environment: give each thread one of its own"
                )
            if self._begun not in (None, process):
                raise InvalidInputError(
                    "this process was forked in the middle of a step: make a new environment"
                )
            return method(self, *args, **kwargs)
        finally:
            if self._caller.get(process) == me:
                del self._caller[process]

    return guarded


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
