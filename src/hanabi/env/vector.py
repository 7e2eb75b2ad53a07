"""Thousands of games at once, stepped and observed by compiled code."""

from __future__ import annotations

import os
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import wraps
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from hanabi.env.batch import Snapshot, batch_of, game_of, new_batch
from hanabi.env.labels import LabelFormat, Labels, posteriors_by_convention
from hanabi.env.layout import Layout, ObservationKind, RulesChoice, rules_of
from hanabi.env.partners import Asked, Partners, PartnersChoice
from hanabi.env.step import (
    AUTORESETS,
    Format,
    Prepared,
    Step,
    array_of,
    check_actions,
    check_arrays,
    check_flag,
    check_whole,
    deck_words,
    raise_illegal,
)
from hanabi.ground import InvalidInputError, Stream, quote
from hanabi.rules import Game, Rules, pack_deck, pack_rules

if TYPE_CHECKING:
    from hanabi.env.kernels import Company, Outputs
    from hanabi.players import Player
    from hanabi.rules import Deals

__all__ = [
    "AUTORESETS",
    "MOST_THREADS",
    "OneCaller",
    "Threads",
    "VectorEnv",
    "alone",
]

# Threads that share the games of an environment among them.

MOST_THREADS = 1024
"""The most threads of an environment; more threads than processors bring no gain."""

P = ParamSpec("P")
T = TypeVar("T")
_Work: TypeAlias = Callable[[int, int], int | None]


_forks = 0  # forks between the first process and this one; os.getpid() would take longer


def _count_fork() -> None:
    global _forks
    _forks += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_count_fork)


class Threads:
    """Threads, each with its own range of `n` games; with `threads` = 1 the caller's thread works.

    A range that was begun is always finished: an interrupt of the caller is raised only once all
    ranges are done, so games are never left half-stepped.

    Raises InvalidInputError if there are too many threads, or the system cannot start as many.

    >>> threads = Threads(10, threads=2)
    >>> threads.share(lambda first, last: last - first)
    [5, 5]
    >>> threads.close()
    """

    def __init__(self, n: int, threads: int) -> None:
        if threads > MOST_THREADS:
            raise InvalidInputError(f"threads = {quote(threads)} is more than {MOST_THREADS:,}")
        self._ranges = [(n * i // threads, n * (i + 1) // threads) for i in range(threads)]
        self._process = 0  # the process in which the threads run, as `_forks` counts
        self._inbox: SimpleQueue[_Job | None] | None = None
        if threads > 1:
            self._open()

    def share(self, work: _Work) -> list[int]:
        """Call `work` on all ranges, as first game and one past the last; return its results."""
        if self._inbox is None:
            return [int(work(*ends) or 0) for ends in self._ranges]
        if self._process != _forks:  # a forked process has only the thread that forked
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
        """End the threads; from then on the caller's thread does the work."""
        if self._inbox is not None:
            _end(self._inbox, len(self._ranges))
            self._inbox = None

    def _open(self) -> None:
        """Start the threads with a new inbox, which no other process can have locked."""
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
    """The ranges that are left to do, and the results of the others."""

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
        """Do the next range if one is left."""
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
        del job  # it holds the arrays of an environment


def _end(inbox: SimpleQueue[_Job | None], threads: int) -> None:
    for _ in range(threads):
        inbox.put(None)


class OneCaller:
    """Base class of objects that one thread at a time may call, by methods decorated by `alone`."""

    def __init__(self) -> None:
        self._caller: dict[int, int] = {}  # the thread that is in a method, by process
        self._begun: int | None = None  # the process in which an unfinished change began

    def _begin(self) -> None:
        """Note that a change begins; after an interrupt, the caller may not know its result."""
        self._begun = _forks


def alone(method: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Any, P], T]:
    """Raise an error in a thread if another one is in a method of the same object.

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
_FEW = 16_384  # games that are checked sooner (2 nanoseconds each) than threads are woken


class VectorEnv(OneCaller):
    """A vectorized environment: `n` games of the same rules, each taking one action a step.

    Parameters
    ----------
    n
        Number of games.
    rules
        The rule set, or the name of a preset, by default the Hanabi Learning Environment's; see
        `rules_of` and `Layout`.
    seats
        The number of seats, by default 2, or that of the given rule set.
    seed
        The seed of the deals. Place g of n plays the deals g, g + n, g + 2 n, ... of the seed,
        however fast other games end. Deal `index` is `rules.spec.shuffle(seed, index)`.
    autoreset
        `next_step`: the step after a game's last one deals the next game, ignoring its action, with
        reward 0. `same_step`: the last step itself deals the next game; `finals` holds the last
        observations of the game that ended. `disabled`: a game that is over stays over until
        `reset`; its actions are ignored.
    kind
        The information about cards in observations.
    packed
        Whether observations have eight entries to a byte, as `numpy.packbits(bitorder="little")`.
    all_seats
        Whether every seat observes, not only the one to act.
    threads
        Number of threads that share a step, each with its own range of games.
    partners
        Players that act in the games beside the caller, who is then a learner: a step goes on from
        its action to its next turn, or to the end of the game. A player, its class or its name sits
        at all other seats; a sequence has one for each, from the learner's left on, None for
        another seat of the learner. Compiled players act inside the compiled step. If one is not
        compiled, all are asked view by view: by this process, or by `threads` processes.
    learner
        The learner's seat; `rotate`: seat (g + j) modulo the number of seats in game j of place g,
        both from 0. Rewards are the points since the learner's last action, or since the deal. If a
        game is over before its first turn, `dones` says so after the deal. Observations, `finals`
        and `seats` are always about the learner: about its next seat if a partner had the next turn
        when the game ended.

    Raises
    ------
    InvalidInputError
        If an argument is out of range, or the encoding does not support the rules.

    Notes
    -----
    On one core a step takes about 0.4 microseconds a game, plus 30 microseconds a call. A game
    needs about 1 kB, plus its part of the arrays. A call raises an error while another thread's
    call is running.

    >>> env = VectorEnv(1000, "hle", seed=7)
    >>> step = env.reset()
    >>> step.observations.shape, step.masks.shape
    ((1000, 658), (1000, 20))
    >>> step = env.step(env.draw_actions())
    >>> step.rewards.dtype, int(step.dones.sum()), step.seats[:3].tolist()
    (dtype('float32'), 0, [1, 1, 1])
    >>> beside = VectorEnv(1000, "hle", seed=7, partners="piers", learner="rotate")
    >>> beside.reset().seats[:3].tolist(), beside.step(beside.draw_actions()).seats[:3].tolist()
    ([0, 1, 0], [0, 1, 0])
    """

    def __init__(
        self,
        n: int,
        rules: RulesChoice = None,
        *,
        seats: int | None = None,
        seed: int = 0,
        autoreset: str = "next_step",
        kind: ObservationKind | int = ObservationKind.CARD_KNOWLEDGE,
        packed: bool = False,
        all_seats: bool = False,
        threads: int = 1,
        partners: PartnersChoice | None = None,
        learner: int | str = 0,
    ) -> None:
        super().__init__()
        check_whole("n", n, 1)
        check_whole("threads", threads, 1)
        check_whole("seed", seed, None)
        rules = rules_of(rules, seats)
        self._n = n = int(n)
        self._layout = Layout(rules, ObservationKind.parse(kind))
        self._words = pack_rules(rules)
        self._cards = pack_deck(list(rules.spec.cards()))
        self._format = Format(self._layout, n, autoreset, packed, all_seats)
        self._options = self._format.options()
        try:
            self._batch, own = new_batch(self._layout, n), self._format.new_arrays()
        except (MemoryError, ValueError, OverflowError):  # NumPy's errors for huge sizes
            raise InvalidInputError(f"n = {quote(n)}: no memory for so many games") from None
        # The caller gets views and may reshape them.
        self._own, self._outputs = Step._make(each[...] for each in own), self._format.outputs(own)
        self._n_threads = int(threads)
        if partners is None and learner != 0:
            raise InvalidInputError(f"learner = {quote(learner)}: there are no partners")
        self._partners = None if partners is None else Partners.of(partners, learner, rules)
        self._asked: Asked | None = None
        if self._partners is not None and self._partners.policy is None:
            self._asked = Asked(self._partners, self._layout, self._n_threads)
        self._threads = Threads(n, 1 if self._asked else self._n_threads)
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
        """The meaning of observation entries and action numbers."""
        return self._layout

    @property
    @alone
    def scores(self) -> npt.NDArray[np.int64]:
        """The points of each game so far, int64 (n,), as the rules count them."""
        from hanabi.env.kernels import count_points

        points = np.zeros(self._n, np.int64)
        count_points(self._words, self._batch.states, points)
        return points

    def new_arrays(self) -> Step:
        """Return arrays for the results of a step, to be passed as `step(..., out=...)`."""
        return self._format.new_arrays()

    def prepare(self) -> Prepared:
        """Return arrays as `new_arrays` does, which steps do not check again: keep them private."""
        return self._format.prepare()

    @alone
    def reset(
        self,
        *,
        seed: int | None = None,
        decks: Sequence[Iterable[tuple[int, int]]] | npt.ArrayLike | None = None,
        mask: npt.ArrayLike | None = None,
        out: Step | Prepared | None = None,
    ) -> Step:
        """Deal all games anew, and return the first observations.

        Parameters
        ----------
        seed
            A seed, to start again with its first deals. Without a seed each place goes on to its
            next deal; in a new environment that is its first one.
        decks
            The cards in draw order of each game that is dealt, as decks or pairs (color from 0,
            rank from 1), or one array of them, (games, cards, 2). The hands come first, beginning
            with the whole hand of seat 0. Later games are again those of the seed.
        mask
            Whether each game is dealt, bool (n,); the others go on.
        out
            Arrays to write to, from `new_arrays`. By default they are the environment's own, which
            every step overwrites.

        Raises
        ------
        InvalidInputError
            If an array does not fit, or a deck's cards are not those of the rules.

        >>> env = VectorEnv(2)
        >>> deck = env.rules.spec.shuffle(seed=5)
        >>> _ = env.reset(decks=[deck, deck])
        >>> env.game(1).deck == deck
        True
        """
        results, outputs = self._outputs_of(out)
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
        return results

    @alone
    def step(self, actions: npt.ArrayLike, *, out: Step | Prepared | None = None) -> Step:
        """Take one action in each game, and return the results.

        Parameters
        ----------
        actions
            Whole numbers (n,). Those of games that are over are ignored.
        out
            As for `reset`.

        Raises
        ------
        IllegalActionError
            If an action is illegal; the message names the first such game and the rule. No game has
            changed then.
        InvalidInputError
            If an array does not fit, or if the last step was interrupted, so that its results have
            not been returned: `look` returns them.

        >>> VectorEnv(3).step([5, 0, 5])
        Traceback (most recent call last):
        hanabi.ground.errors.IllegalActionError: game 1, action 0: turn 1, seat 0 cannot discard
            slot 0: no
        discards while all 8 hint tokens are there
        """
        from hanabi.env import kernels as k

        if self._begun is not None:
            raise InvalidInputError("the last step was interrupted: look() shows what came of it")
        results, outputs = self._outputs_of(out)
        given = check_actions(actions, self._n)
        batch, words, company, options = self._batch, self._words, self._company, self._options
        if self._n < _FEW:
            illegal = [k.find_illegal(batch, words, given, 0, self._n)]
        else:
            illegal = self._threads.share(lambda *ends: k.find_illegal(batch, words, given, *ends))
        first = min((each for each in illegal if each >= 0), default=-1)
        if first >= 0:
            game = game_of(batch, self._layout, first)
            raise_illegal(self._layout, game, first, int(given[first]))
        self._is_new = False
        self._begin()
        if self._asked is not None:
            self._asked.step(company, batch, options, given, outputs)
        else:
            self._threads.share(
                lambda *ends: k.step_games(company, batch, options, given, outputs, *ends)
            )
        self._begun = None
        return results

    @alone
    def draw_actions(self, out: npt.NDArray[np.int32] | None = None) -> npt.NDArray[np.int32]:
        """Draw a uniformly random legal action for each game; 0 where a game is over.

        Each game draws from its own stream, which then continues.

        >>> env = VectorEnv(4)
        >>> env.draw_actions().dtype
        dtype('int32')
        """
        from hanabi.env import kernels as k

        actions = np.zeros(self._n, np.int32) if out is None else out
        check_arrays("out", actions, (self._n,), np.int32, is_written=True)
        self._threads.share(lambda *ends: k.draw_actions(self._batch, actions, *ends))
        return actions

    @alone
    def look(self, *, out: Step | None = None) -> Step:
        """Return the current observations, with rewards 0."""
        out, outputs = self._outputs_of(out)
        self._look(outputs)
        return out

    @alone
    def labels(self, *, joint: bool = True, out: Labels | None = None) -> Labels:
        """Return each observer's own cards and their chances, for the current observations.

        Parameters
        ----------
        joint
            If true, chances are exact by hints and copies; if false, each slot is looked at alone.
            See `posteriors_of`.
        out
            Arrays to write to, from an earlier call. By default they are new.

        Raises
        ------
        InvalidInputError
            If an argument does not fit, or hands are too large; see `LabelFormat`.

        Notes
        -----
        On one core about a microsecond an observer (`python -m benchmarks.env`).

        >>> env = VectorEnv(1000, "hle", seed=7)
        >>> labels = env.labels()
        >>> labels.cards.shape, labels.posteriors.shape
        ((1000, 5), (1000, 5, 25))
        >>> [str(card) for card in env.game(0).hands[0]], labels.cards[0].tolist()
        (['y4', 'p1', 'b2', 'g2', 'y2'], [8, 20, 16, 11, 6])
        """
        from hanabi.env.labels import kernels as k

        check_flag("joint", joint)
        form = LabelFormat(self._layout, self._n, self._format.all_seats)
        out = form.new_arrays() if out is None else form.check(out)
        batch, company, arrays = self._batch, self._company, form.outputs(out)
        self._threads.share(
            lambda *ends: k.write_labels(company, batch, bool(joint), arrays, *ends)
        )
        return out

    @alone
    def labels_by_convention(self, player: Player, *, worlds: int = 300, seed: int = 0) -> Labels:
        """Return the cards of the seats to act, and their chances by a player's conventions.

        Parameters
        ----------
        player, worlds
            As for `posteriors_by_convention`, which is asked about each game in turn.
        seed
            The seed of the draws; game g draws with `seed + g`.

        Returns
        -------
        labels
            For one observer a game. Posteriors are 0 where the game is over, or no world was found
            that agrees with the others' decisions.

        Raises
        ------
        InvalidInputError
            If all seats observe, or as for `posteriors_by_convention`.

        >>> from hanabi.players import Information
        >>> env = VectorEnv(2, "hle", seed=7)
        >>> env.labels_by_convention(Information(), worlds=20).posteriors.shape
        (2, 5, 25)
        """
        check_whole("seed", seed, None)
        if self._format.all_seats:
            raise InvalidInputError("all_seats: worlds are drawn for the seat to act only")
        form = LabelFormat(self._layout, self._n, all_seats=False)
        labels, rules = form.new_arrays(), self.rules
        for index in range(self._n):
            game = game_of(self._batch, self._layout, index)
            hand = game.hands[game.seat_to_act]
            numbers = [card.color * rules.ranks + card.rank - 1 for card in hand]
            labels.cards[index] = numbers + [-1] * (rules.hand_size - len(hand))
            if not game.is_over:
                view = game.view(game.seat_to_act)
                found = posteriors_by_convention(player, view, worlds=worlds, seed=seed + index)
                labels.posteriors[index] = found.posteriors
        return labels

    @alone
    def get_state(self) -> Snapshot:
        """Return a copy of the full state of the games, which determines all that follows.

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
        """Restore the games from `get_state`; `look` then returns their observations.

        Every game is checked by playing it again, which takes some microseconds a game.

        Raises
        ------
        InvalidInputError
            If the snapshot is of other rules or another number of games, or one of its games is not
            possible by the rules.
        """
        batch = batch_of(snapshot, self.rules, self._batch, self._threads.share)
        self._reseed(snapshot.seed)
        self._is_new, self._begun = False, None
        self._batch = batch
        if self._asked is not None:
            self._asked.go_on(self._company, batch, range(self._n))
        elif self._partners is not None:
            from hanabi.env.partners.kernels import resume_games

            resume_games(self._company, batch)

    @alone
    def game(self, index: int) -> Game:
        """Return the current state of a game, with its actions so far.

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
        """End the threads; the caller's thread does the work of later calls."""
        self._threads.close()
        if self._asked is not None:
            self._asked.close()

    def __getstate__(self) -> dict[str, Any]:
        """Return the arguments and the state of the games; results of steps are left out."""
        form = self._format
        return {
            "arguments": {
                "n": self._n,
                "rules": self.rules,
                "autoreset": form.autoreset,
                "kind": self._layout.kind,
                "packed": form.is_packed,
                "all_seats": form.all_seats,
                "threads": self._n_threads,
                "partners": None if self._partners is None else self._partners.given,
                "learner": 0 if self._partners is None else self._partners.learner,
            },
            "games": self.get_state(),
            "is_new": self._is_new,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Make the environment anew; its copy has arrays and threads of its own."""
        self.__init__(**state["arguments"])  # type: ignore[misc]
        self.set_state(state["games"])
        self._look(self._outputs)
        self._is_new = state["is_new"]

    def __repr__(self) -> str:
        return f"<VectorEnv of {self._n} games of {self.rules.seats} seats>"

    def _reseed(self, seed: int) -> None:
        """Make the next deals the first ones of a seed."""
        from hanabi.rules import Deals

        self._seed = seed = int(seed)
        # Decisions are drawn from another stream than the cards.
        seeds = np.array([seed & _MASK, Stream(~seed).word()], np.uint64)
        self._deals = Deals(self._words, self._cards, seeds)
        self._company = self._company_in(self._deals)
        self._batch.games[:] = 0

    def _company_in(self, deals: Deals) -> Company:
        """Return who acts in the games, as the kernels need it."""
        from hanabi.env.kernels import Alone

        return Alone(deals) if self._partners is None else self._partners.company(deals, self._n)

    def _deal(self, games: Sequence[int], words: npt.NDArray[np.int64] | None) -> None:
        from hanabi.env import kernels as k

        for row, game in enumerate(games):
            k.deal_next(self._batch, self._deals, game)
            if words is not None:
                k.deal_given(self._batch, self._words, game, words[row])
        if self._asked is not None:
            self._asked.go_on(self._company, self._batch, games)
        elif self._partners is not None:
            from hanabi.env.partners.kernels import begin_games

            begin_games(self._company, self._batch, np.array(games, np.int64))

    def _outputs_of(self, out: Step | Prepared | None) -> tuple[Step, Outputs]:
        """Return the caller's or the environment's own arrays, also as the kernels take them."""
        if isinstance(out, Prepared):
            return out
        if out is None or out is self._own:
            return self._own, self._outputs
        return self._format.check(out), self._format.outputs(out)

    def _look(self, outputs: Outputs) -> None:
        from hanabi.env import kernels as k

        outputs.rewards[:] = 0
        batch, company, options = self._batch, self._company, self._options
        self._threads.share(lambda *ends: k.look(company, batch, options, outputs, *ends))
        self._begun = None
