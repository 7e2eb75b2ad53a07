"""Partners: players that act in an environment's games between the turns of a learner.

Compiled partners act inside the compiled step. Other ones are asked view by view, in this process
or in several.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from hanabi.env.batch import game_of
from hanabi.env.layout import Layout
from hanabi.ground import (
    IllegalActionError,
    InvalidInputError,
    PlayerError,
    Stream,
    open_executor,
    quote,
)
from hanabi.players import Player, RandomLegal, as_player, compile_team, turns
from hanabi.rules import Game, Rules

if TYPE_CHECKING:
    from hanabi.env.kernels import Batch, Company, Outputs
    from hanabi.env.partners.kernels import Seating
    from hanabi.ground import Words
    from hanabi.rules import Deals

__all__ = ["ROTATE", "Asked", "Partner", "Partners", "PartnersChoice"]

ROTATE = "rotate"
"""In place of the learner's seat: another one in each game."""

Partner: TypeAlias = Player | type[Player] | str
"""A player, its class, or its name."""

PartnersChoice: TypeAlias = Partner | Sequence[Partner | None]
"""One partner for all seats, or one for each seat from the learner's left on; None: the learner."""


class Partners(NamedTuple):
    """The players of all seats but the learner's.

    Attributes
    ----------
    given, learner
        The arguments; see `hanabi.env.VectorEnv`.
    team
        The player of each seat in the first game of place 0; None for the learner.
    policy
        Their policy, or None if one of them is not compiled.
    """

    given: PartnersChoice
    learner: int | str
    team: tuple[Player | None, ...]
    policy: tuple[object, ...] | None

    @classmethod
    def of(cls, given: PartnersChoice, learner: int | str, rules: Rules) -> Partners:
        """Return the partners that the arguments `partners` and `learner` of an environment mean.

        Raises
        ------
        InvalidInputError
            If there is no such seat or player, there are too many or too few of them, or one does
            not support the rules.

        >>> partners = Partners.of(["piers", "information"], 1, Rules.hle(3))
        >>> [type(each).__name__ for each in partners.team]
        ['Information', 'NoneType', 'Piers']
        >>> Partners.of("piers", 3, Rules.hle(3))
        Traceback (most recent call last):
        hanabi.ground.errors.InvalidInputError: learner = 3 is neither in 0 .. 2 nor 'rotate'
        """
        seats = rules.seats
        is_seat = isinstance(learner, int | np.integer) and not isinstance(learner, bool)
        if learner != ROTATE and not (is_seat and 0 <= int(learner) < seats):
            raise InvalidInputError(
                f"learner = {quote(learner)} is neither in 0 .. {seats - 1} nor {ROTATE!r}"
            )
        listed: list[Any] = [given] * (seats - 1)
        if isinstance(given, Sequence) and not isinstance(given, str):
            listed = list(given)
        if len(listed) != seats - 1:
            raise InvalidInputError(
                f"partners: {len(listed)}, not {seats - 1}, for {seats} seats with the learner's"
            )
        players = [None if each is None else as_player(each) for each in listed]
        if not any(each is not None for each in players):
            raise InvalidInputError("partners: nobody beside the learner")
        first = 0 if learner == ROTATE else int(learner)
        turned = [None, *players]
        team = tuple(turned[(seat - first) % seats] for seat in range(seats))
        return cls(given, learner, team, compile_team(team, rules))

    @property
    def seating(self) -> Seating:
        """Where the learner sits, for the kernels."""
        from hanabi.env.partners.kernels import Seating

        bits = sum(1 << seat for seat, player in enumerate(self.team) if player is None)
        return Seating(bits, self.learner == ROTATE)

    def company(self, deals: Deals, games: int) -> Company:
        """Return what the kernels need to know of the partners in so many games."""
        from hanabi.env.partners.kernels import Beside, Waiting
        from hanabi.players import policy as policies

        if self.policy is None:
            return Waiting(deals, self.seating)
        words = int(policies.memory_size(self.policy, deals.rules))
        memories = np.zeros((games, words), np.int64)
        return Beside(deals, self.seating, self.policy, memories, np.empty(0, np.int64))


class Asked:
    """Partners that are asked view by view, about some games after the other.

    Parameters
    ----------
    partners
        The partners, not all of them compiled.
    layout
        The numbers of actions.
    workers
        The number of processes that ask them; with 1, this one.
    """

    def __init__(self, partners: Partners, layout: Layout, workers: int) -> None:
        self._partners, self._layout = partners, layout
        self._stack = ExitStack()
        self._pool = self._stack.enter_context(open_executor("processes", workers))

    def go_on(self, company: Company, batch: Batch, games: Iterable[int]) -> None:
        """Let the partners act in these games until the learner is to act, or they are over."""
        from hanabi.env import kernels as env
        from hanabi.env.partners.kernels import turned
        from hanabi.rules import layout as k

        seats, parts = self._layout.rules.seats, list[_Part]()
        for index in games:
            by = int(turned(self._partners.seating, batch, index, seats))
            team = self._partners.team
            team = team[seats - by :] + team[: seats - by]
            state = batch.states[index]
            if state[k.END] == k.IN_PROGRESS and team[state[k.SEAT]] is not None:
                game = game_of(batch, self._layout, index)
                parts.append(_Part(index, team, game, int(batch.streams[index])))
        if self._pool.is_alone:
            found = [_take_turns(part) for part in parts]
        else:
            tasks = [self._pool.submit(_take_turns, part) for part in parts]
            found = [task.result() for task in tasks]
        for part, (numbers, state) in zip(parts, found, strict=True):
            batch.streams[part.place] = state
            for number in numbers:
                env.act(company, batch, part.place, number)

    def step(
        self,
        company: Company,
        batch: Batch,
        options: Words,
        actions: npt.NDArray[np.int32],
        outputs: Outputs,
    ) -> None:
        """Take the learner's actions, all legal, and write the results, as `step_games` does."""
        from hanabi.env import kernels as env

        n, deals = len(actions), company.deals
        games, points = batch.games.copy(), np.zeros((2, n), np.int64)
        env.step_games(company, batch, options, actions, outputs, 0, n)
        was_over, is_new = outputs.dones.copy(), batch.games != games
        env.count_points(deals.rules, batch.states, points[0])
        self.go_on(company, batch, range(n))
        env.count_points(deals.rules, batch.states, points[1])
        outputs.rewards[~is_new] += (points[1] - points[0])[~is_new]
        env.look(company, batch, options, outputs, 0, n)
        if options[env.AUTORESET] == env.SAME_STEP:
            ended = np.flatnonzero(outputs.dones & ~is_new)
            outputs.finals[ended] = outputs.observations[ended]
            for index in ended.tolist():
                env.deal_next(batch, deals, index)
            self.go_on(company, batch, ended.tolist())
            for index in ended.tolist():
                env.look(company, batch, options, outputs, index, index + 1)
            outputs.dones[:] = was_over
            outputs.dones[ended] = True

    def close(self) -> None:
        """End the processes."""
        self._stack.close()


class _Part(NamedTuple):
    """A game in which partners are to act: its place, the players, and its stream's state."""

    place: int
    team: tuple[Player | None, ...]
    game: Game
    stream: int


def _take_turns(part: _Part) -> tuple[list[int], int]:
    """Return the numbers of the partners' next actions, and the state of the stream after them."""
    layout, game, rng, numbers = Layout(part.game.rules), part.game, Stream(0), list[int]()
    rng.state = part.stream
    players = [RandomLegal() if each is None else each for each in part.team]  # it is never asked
    try:
        for turn in turns(players, game, rng):
            numbers.append(layout.number(turn.action, turn.before.seat_to_act))
            if part.team[turn.after.seat_to_act] is None:
                break
    except IllegalActionError as error:
        raise PlayerError(f"game {part.place}, a partner: {error}") from None
    return numbers, rng.state
