"""The full game with all cards face up, decided by SAT solvers in child processes.

The position becomes a formula, and CaDiCaL and Glucose race for an answer. A model is decoded to a
line, which is replayed by the rules. For a goal that cannot be reached, :func:`certify` returns the
formula with a proof for any DRAT checker.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TextIO

import numpy as np
import numpy.typing as npt

from hanabi.ground import (
    NO_LIMIT,
    BudgetEndedError,
    Clock,
    Cnf,
    Engine,
    InvalidInputError,
    Satisfiability,
    SatResult,
    SolverError,
    Status,
    Verdict,
    at_most,
    dimacs,
    quote,
    race,
    solve_here,
)
from hanabi.rules import Action, Card, Game, RecordedAction, find_action, format_card
from hanabi.solvers.winnable.images import only_image
from hanabi.solvers.winnable.position import (
    Goal,
    Line,
    Position,
    cards_of,
    check_supported,
    free_wastes,
    highest_goal,
    most_wasted,
    replay,
)

__all__ = [
    "TRUE",
    "Act",
    "Clauses",
    "GameCertificate",
    "GameEncoding",
    "Literals",
    "certify",
    "encode",
    "line_of_acts",
    "solve",
    "values",
    "write_dimacs",
]

# The full game with all cards face up as a formula, satisfiable exactly if a goal can be reached.
#
# Time is counted in acts: plays, discards and mistakes, each of which takes one card out of a
# hand. Act k draws card `drawn + k`, so the draws are known in advance and need no variables.
# Hints only pass the turn: between two acts there is one hint for each seat that is skipped. The
# variables, for each act k and the state before it:
#
# ======================  ========================================================================
# `seat` (k, s)           seat s acts; it gets card `drawn + k`
# `out` (i, k)            card i leaves its hand; `left` (i, k): it has left before act k
# `piled` (x, k)          needed card x has been played before act k; `played` (x, k): it is played
# `play`, `drop`, `miss`  the kind of act; none of them: the goal has been reached
# `wait` (k, d)           d hints are given just before; `whole` (k): one by each seat, and no more
# `tokens` (k, h)         more than h tokens are left before the hints; `held` (k, h): after them
# ======================  ========================================================================
#
# Two reductions keep the answer. Mistakes are made only where discarding is forbidden, as in
# :mod:`hanabi.solvers.winnable.search`. And *a full round of hints is given only where all tokens
# are there, by itself*: let Y win with any other, and let X be Y without that round, n rounds
# behind in all, so X has n times the number of seats more tokens. X has the same cards and has lost
# no turns. The only act that can be illegal for X but legal for Y is a discard, with all tokens
# available. Just before an act at which X could gain no token as Y does, with no hint due and all
# of X's tokens available, X gives one round. (If nobody else holds a card by then, all needed cards
# are in X's hand, and it plays those instead.)
#
# Points are counted twice, as plays and as heights of the piles (`count_points`). Otherwise a
# solver would have to try all assignments of plays to see that too few cards can be played in
# time.
#
# Cards above the goal's piles are never played: the goal is reached with exactly its points.
#
# With a *horizon* only lines of so many turns count (`limit_turns`). Both reductions keep a
# shortest line: X takes as many turns as Y, or fewer.

# Clauses about arrays of literals, some of which are constants, and about unary numbers.
#
# A *unary number* is a column of literals: row m is true if the number is more than m. Arrays of
# unary numbers have one number per column.

Literals = npt.NDArray[np.int32]
TRUE = 2**31 - 1
"""The constant true in arrays of literals; its negation is false. Clauses contain neither."""


class Clauses:
    """A formula under construction.

    Attributes
    ----------
    cnf
        The clauses so far.
    clock
        Checked before each addition; raises BudgetEndedError when it runs out.
    """

    def __init__(self, clock: Clock = NO_LIMIT) -> None:
        self.cnf, self.clock = Cnf(), clock

    def fresh(self, *shape: int) -> Literals:
        """Return new variables."""
        return self.cnf.new_vars(shape)

    def constant(self, value: bool, shape: tuple[int, ...]) -> Literals:
        """Return an array filled with one constant, to be overwritten with variables."""
        return np.full(shape, TRUE if value else -TRUE, np.int32)

    def add(self, *parts: Literals) -> None:
        """Add one clause for each entry of the parts, broadcast together."""
        self.clock.check()
        rows = np.stack([part.ravel() for part in np.broadcast_arrays(*parts)], axis=1)
        rows = rows[~(rows == TRUE).any(axis=1)]
        kept = rows != -TRUE
        self.cnf.add_ragged(rows[kept], kept.sum(axis=1))

    def one_of(self, rows: Literals, *unless: Literals) -> None:
        """Require that some literal in each row is true."""
        self.add(*rows.T, *unless)

    def exclude(self, rows: Literals) -> None:
        """Require that at most one literal in each row is true; for short rows."""
        for first in range(rows.shape[1] - 1):
            self.add(-rows[:, first, None], -rows[:, first + 1 :])

    def mark(self, done: Literals, now: Literals) -> None:
        """Require each row of `done` to be true exactly after the column where `now` is true."""
        self.add(-done[:, :-1], done[:, 1:])
        self.add(-now, done[:, 1:])
        self.add(-now, -done[:, :-1])
        self.add(-done[:, 1:], done[:, :-1], now)

    def same(self, ones: Literals, others: Literals, *unless: Literals) -> None:
        """Require that both are equal, entry by entry."""
        self.add(*unless, -ones, others)
        self.add(*unless, ones, -others)

    def order(self, numbers: Literals) -> None:
        """Require that each column is a unary number."""
        self.add(-numbers[1:], numbers[:-1])

    def is_sum(self, total: Literals, parts: Iterable[Literals]) -> None:
        """Require that unary numbers are the sums of others, column by column.

        All must be ordered. The shortest are added first, in pairs, by the encoding of
        [Bailleux2003]: unit propagation derives both bounds of a sum from the bounds of its parts.
        """
        rest = sorted(parts, key=len)
        while len(rest) > 2:
            ones, others, *rest = rest
            partial = self.fresh(len(ones) + len(others), total.shape[1])
            self.order(partial)
            self._add_up(partial, ones, others)
            rest = sorted([*rest, partial], key=len)
        nothing = self.constant(False, (0, total.shape[1]))
        self._add_up(total, *rest, *[nothing] * (2 - len(rest)))

    def _add_up(self, total: Literals, ones: Literals, others: Literals) -> None:
        total, ones, others = (self._framed(numbers) for numbers in (total, ones, others))
        one, other = np.indices((len(ones) - 1, len(others) - 1)).reshape(2, -1)
        self.add(-ones[one], -others[other], total[one + other])
        self.add(ones[one + 1], others[other + 1], -total[one + other + 1])

    def _framed(self, numbers: Literals) -> Literals:
        """Return unary numbers between a row of true and a row of false."""
        row = self.constant(True, (1, numbers.shape[1]))
        return np.concatenate([row, numbers, -row])


def values(literals: Literals, model: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return the values of literals and constants in a model."""
    is_constant = (variables := np.abs(literals)) == TRUE
    true: npt.NDArray[np.bool_] = model[np.where(is_constant, 0, variables)] | is_constant
    return ~(true ^ (literals > 0))


class Act(NamedTuple):
    """One act of a model's line."""

    hints: int
    """Number of hints given just before, by successive seats."""
    is_discard: bool
    """Whether the card is discarded; otherwise it is played, rightly or by mistake."""
    card: int
    """Its index in the deck."""


class GameEncoding(Clauses):
    """A formula that is satisfiable exactly if a goal can be reached, with a decoder of models.

    With `turns` it is satisfiable exactly if the goal can be reached in at most so many turns.
    """

    def __init__(
        self, position: Position, goal: Goal, clock: Clock = NO_LIMIT, turns: int | None = None
    ) -> None:
        self.position, self.goal, self.rules = position, goal, position.rules
        self.turns = turns
        super().__init__(clock)
        seats, draws = self.rules.seats, len(position.deck) - position.drawn
        in_hands = [card for hand in position.hands for card in hand]
        self.holders = [seat for seat, hand in enumerate(position.hands) for _ in hand]
        types = sorted(cards_of(goal) - cards_of(position.piles))
        self.last_turns = position.last_turns
        self.acts = len(in_hands) + draws
        if self.last_turns is not None:
            self.acts = min(self.acts, draws + self.last_turns)
        if turns is not None:
            self.acts = min(self.acts, len(types) + most_wasted(position, turns - len(types)))
        self.draws = min(draws, self.acts)
        self.cards = in_hands + list(range(position.drawn, position.drawn + self.draws))
        self.types = {card: row for row, card in enumerate(types)}
        n, k, hints = len(self.cards), self.acts, self.rules.hints
        self.seat = self.fresh(k, seats) if seats > 1 else self.constant(True, (k, 1))
        self.wait = self.fresh(k, seats) if seats > 1 else self.constant(True, (k, 1))
        self.whole = self.constant(False, (k,))
        self.play, self.alive, self.gain = self.fresh(k), self.fresh(k), self.fresh(k)
        may_drop = hints > 0 or self.rules.discard_at_full_hints
        self.drop = self.fresh(k) if may_drop else self.constant(False, (k,))
        may_miss = position.lives > 1 and not self.rules.discard_at_full_hints
        self.miss = self.fresh(k) if may_miss else self.constant(False, (k,))
        self.out, self.left = self.fresh(n, k), self.constant(False, (n, k + 1))
        for row, card in enumerate(self.cards):
            arrives = max(card - position.drawn + 1, 0)
            self.out[row, :arrives] = -TRUE
            later = self.left[row, arrives + 1 :]
            later[:] = self.fresh(later.size)
        self.piled = self.constant(False, (len(types), k + 1))
        self.piled[:, 1:] = self.fresh(len(types), k)
        self.played = self.fresh(len(types), k)
        self.say_who_acts()
        self.say_what_leaves()
        self.say_what_is_played()
        self.say_what_is_wasted()
        self.count_tokens()
        self.count_last_turns()
        points = self.count_points()
        if turns is not None:
            self.limit_turns(turns, points)

    def say_who_acts(self) -> None:
        """Link the seats of successive acts by the number of hints between them."""
        seats = self.rules.seats
        if seats == 1:
            return
        first = self.constant(False, (1, seats))
        first[0, self.position.seat - 1] = TRUE
        before = np.concatenate([first, self.seat[:-1]])
        for rows in (self.seat, self.wait):
            self.one_of(rows)
            self.exclude(rows)
        for hints in range(seats):
            after = np.roll(self.seat, -1 - hints, axis=1)
            wait = self.wait[:, hints, None]
            self.add(-before, -wait, after)
            self.add(-before, -after, wait)
            self.add(-wait, -after, before)

    def say_what_leaves(self) -> None:
        """Take one card at each act, out of the hand of the seat that acts."""
        out, left = self.out, self.left
        self.mark(left, out)
        self.one_of(out.T, -self.alive)
        self.add(-out, self.alive[None])
        for column in self.clock.watch(out.T, every=1):
            at_most(self.cnf, column[column != -TRUE], 1)
        owner = self.constant(False, (len(self.cards), self.rules.seats))
        owner[np.arange(len(self.holders)), self.holders] = TRUE
        owner[len(self.holders) :] = self.seat[: self.draws]
        self.owner = owner
        self.add(-out[:, :, None], -owner[:, None], self.seat[None])

    def say_what_is_played(self) -> None:
        """Play cards in the order of their ranks, each by a copy that leaves a hand."""
        piled, played = self.piled, self.played
        self.add(piled[:, -1])
        self.mark(piled, played)
        self.add(-played, self.play[None])
        self.one_of(played.T, -self.play)
        copies: list[list[int]] = [[] for _ in self.types]
        for row, card in enumerate(self.cards):
            kind = self.types.get(self.position.deck[card])
            if kind is None:
                self.add(-self.out[row], -self.play)
            else:
                copies[kind].append(row)
                self.add(-self.out[row], -self.play, played[kind])
        for (color, rank), kind in self.types.items():
            self.one_of(self.out[copies[kind]].T, -played[kind])
            below = self.types.get(Card(color, rank - 1))
            if below is not None:
                self.add(-piled[kind, 1:], piled[below, :-1])

    def say_what_is_wasted(self) -> None:
        """Make each act a play, a discard or a mistake, or none once the goal is reached."""
        kinds = np.stack([self.play, self.drop, self.miss], axis=1)
        self.exclude(kinds)
        self.one_of(kinds, -self.alive)
        self.add(-kinds, self.alive[:, None])
        self.add(-self.alive[1:], self.alive[:-1])
        at_most(self.cnf, self.miss[self.miss != -TRUE], self.position.lives - 1)
        for row, card in enumerate(self.cards):
            color, rank = self.position.deck[card]
            fits = self.height(color, rank - 1)[:-1]
            gone = self.height(color, rank)[:-1]
            self.add(-self.out[row], -self.miss, -fits, gone)

    def height(self, color: int, rank: int) -> Literals:
        """Return literals for whether a pile is at least `rank` high before each act."""
        kind = self.types.get(Card(color, rank))
        if kind is not None:
            row: Literals = self.piled[kind]
            return row
        return self.constant(rank <= self.position.piles[color], (self.acts + 1,))

    def count_tokens(self) -> None:
        """Count the hint tokens exactly, since more of them are not always better."""
        seats, cost, k = self.rules.seats, self.rules.hint_cost, self.acts
        most = self.rules.hints * cost
        # Two columns on either side: "more than -1" is true, "more than the most" false.
        tokens = self.constant(False, (k + 1, 1 + most + seats * cost))
        held = self.constant(False, (k, 1 + most + seats * cost))
        tokens[:, 0] = held[:, 0] = TRUE
        tokens[0, 1 : 1 + self.position.hints] = TRUE
        tokens[1:, 1 : 1 + most] = self.fresh(k, most)
        held[:, 1 : 1 + most] = self.fresh(k, most)
        self.add(-tokens[:, 1:], tokens[:, :-1])
        self.add(-held[:, 1:], held[:, :-1])
        full = held[:, most]
        self.allow_whole_rounds(tokens, held)
        for hints in range(seats):
            wait, whole = self.wait[:, hints, None], self.whole[:, None]
            paid = hints * cost
            self.add(-self.wait[:, hints], tokens[:, paid][:-1])
            before = tokens[:-1, 1 + paid : 1 + paid + most]
            self.same(before, held[:, 1 : 1 + most], -wait, whole)
        tops = [
            kind
            for (color, rank), kind in self.types.items()
            if self.rules.completion_bonus and rank == len(self.rules.spec.copies[color])
        ]
        self.add(-self.drop, self.gain)
        self.add(-self.played[tops], self.gain[None])
        self.one_of(np.concatenate([self.played[tops], self.drop[None]]).T, -self.gain)
        self.same(tokens[1:, 1 : 1 + most], held[:, :most], -self.gain[:, None])
        self.same(tokens[1:, 1 : 1 + most], held[:, 1 : 1 + most], self.gain[:, None])
        if not self.rules.discard_at_full_hints:
            self.add(-self.drop, -full)
        self.add(-self.miss, full)

    def allow_whole_rounds(self, tokens: Literals, held: Literals) -> None:
        """Allow a hint by every seat between two acts where that makes discarding legal."""
        rules, seats = self.rules, self.rules.seats
        most, paid = rules.hints * rules.hint_cost, seats * rules.hint_cost
        if seats == 1 or most < paid or rules.discard_at_full_hints:
            return
        # A last round no longer than a round of hints leaves no turn to act.
        endless = self.last_turns is None or self.last_turns > seats
        stop = self.acts if endless else self.draws
        self.whole[:stop] = self.fresh(stop)
        whole = self.whole[:stop]
        self.add(-whole, self.wait[:stop, 0])
        self.add(-whole, tokens[:stop, most])
        self.add(-whole, held[:stop, most - paid])
        self.add(-whole, -held[:stop, most - paid + 1])
        if not rules.empty_hints:
            for act in range(self.draws, stop):
                # Another seat must hold some card.
                witness = self.fresh(len(self.cards))
                self.cnf.add_clause([-int(self.whole[act]), *witness.tolist()])
                self.add(-witness, -self.left[:, act])
                self.add(-witness[:, None], -self.owner, -self.seat[act][None])

    def count_last_turns(self) -> None:
        """Limit acts and hints after the last draw to the turns of the last round."""
        if self.last_turns is None:
            return
        most, seats = self.last_turns, self.rules.seats
        used = self.constant(False, (self.acts - self.draws + 1, most + seats + 2))
        used[:, 0] = TRUE
        used[1:, 1 : most + 1] = self.fresh(len(used) - 1, most)
        acts = slice(self.draws, self.acts)
        for hints in range(seats + 1):
            given = self.wait[acts, hints] if hints < seats else self.whole[acts]
            after = used[1:, 1 + hints : 2 + hints + most]
            self.add(-self.alive[acts, None], -given[:, None], -used[:-1, : most + 1], after)

    def count_points(self) -> Literals:
        """Return the points before each act, as unary numbers between rows of constants.

        This bounds the acts that play nothing, in terms of the heights of the piles too.
        Before act k there are k points, less one for each earlier act that played nothing; of these
        there are no more than the acts to spare. Points are also the sum of the heights, and all
        are unary numbers. So unit propagation finds where too few cards can have been played, as
        :mod:`hanabi.solvers.winnable.pace` does. Without this the solver would have to try all
        assignments of plays.
        """
        needed = len(self.types)
        spare = self.acts - needed
        # Row m, column k: more than m - 1 of the missing points are scored before act k.
        points = self.constant(False, (needed + 2, self.acts + 1))
        if spare < 0:
            self.cnf.add_clause(())
            return points
        for act, column in enumerate(points.T):
            least, most = max(act - spare, 0), min(act, needed)
            column[: least + 1] = TRUE
            column[least + 1 : most + 1] = self.fresh(most - least)
        self.order(points)
        self.add(-points[:, :-1], points[:, 1:])
        self.add(-points[1:, 1:], points[:-1, :-1])
        self.add(-self.play, -points[:-1, :-1], points[1:, 1:])
        self.add(self.play, points[:, :-1], -points[:, 1:])
        colors = [
            self.piled[[kind for card, kind in self.types.items() if card.color == color]]
            for color in range(len(self.goal))
        ]
        self.is_sum(points[1:-1], colors)
        return points

    def limit_turns(self, turns: int, points: Literals) -> None:
        """Require that the acts and the hints between them take at most so many turns.

        Turns that play nothing are hints or waste a card. Of these, the discards beyond those that
        are free have their hints before them: this follows from the tokens, but only by counting,
        which SAT is bad at.
        """
        position, seats, acts = self.position, self.rules.seats, self.acts
        spare = turns - len(self.types)
        if spare < 0:
            return  # more points are missing than turns are left: `count_points` refutes it
        # Row j, column k: at least j hints are given before act k - 1 or just before it.
        given = self.constant(False, (spare + seats + 2, acts + 1))
        given[0] = TRUE
        given[1 : spare + 1, 1:] = self.fresh(spare, acts)
        self.order(given[: spare + 1])
        self.add(-given[:, :-1], given[:, 1:])
        for hints in range(seats + 1):
            now = self.wait[:, hints] if hints < seats else self.whole
            self.add(-now, -given[: spare + 1, :-1], given[hints : hints + spare + 1, 1:])
        free, cost = free_wastes(position), self.rules.hint_cost
        for wasted in range(spare + 2):
            # Before act k there are at least so many wastes if there are not k + 1 - wasted points.
            before = np.arange(max(wasted, 1), acts + 1)
            rows = np.minimum(before + 1 - wasted, len(points) - 1)
            unless = points[rows, before], -self.alive[before - 1]
            self.add(*unless, -given[spare + 1 - wasted, before])
            if free is not None and wasted > free:
                self.add(*unless, given[min(-((free - wasted) // cost), spare + 1), before])

    def decode(self, model: npt.NDArray[np.bool_]) -> tuple[Act, ...]:
        """Return the acts that a model describes, up to the play that reaches the goal."""
        needed = sum(self.goal) - self.position.score
        out, wait = values(self.out, model), values(self.wait, model)
        whole, play, drop = (values(x, model) for x in (self.whole, self.play, self.drop))
        acts: list[Act] = []
        for k in range(len(play)):
            if needed == 0:
                break
            hints = int(wait[k].argmax()) + self.position.rules.seats * int(whole[k])
            acts.append(Act(hints, bool(drop[k]), self.cards[int(out[:, k].argmax())]))
            needed -= int(play[k])
        return tuple(acts)

    def comments(self) -> Iterator[str]:
        """Yield one line for each variable for a card that leaves its hand."""
        yield f"satisfiable exactly if the piles {quote(self.goal)} can be reached"
        for card, row in zip(self.cards, self.out.tolist(), strict=True):
            name = format_card(*self.position.deck[card])
            for act, literal in enumerate(row, start=1):
                if literal != -TRUE:
                    yield f"{literal}: act {act} takes card {card}, {name}"


def encode(
    position: Position, goal: Goal, clock: Clock = NO_LIMIT, turns: int | None = None
) -> GameEncoding:
    """Return a formula that is satisfiable exactly if a goal can be reached from a position.

    With `turns`, at least 1, it is satisfiable exactly if so many turns suffice. The game must be
    unfinished; no pile of the goal may be below the present one or above the color's ranks.

    Raises
    ------
    InvalidInputError
        If the goal is not valid, or the number of turns.
    SolverError
        If the rules are not supported.
    BudgetEndedError
        When the clock runs out.

    >>> from hanabi import DeckSpec
    >>> from hanabi.rules import Rules
    >>> rules = Rules(spec=DeckSpec(((2, 2, 1),)), seats=2, hand_size=1)
    >>> position = Position.start(rules, [(0, 3), (0, 1), (0, 2), (0, 1), (0, 2)])
    >>> encode(position, (3,)).cnf
    Cnf(n_vars=233, n_clauses=884, n_literals=2301)
    """
    check_supported(position.rules)
    tops = highest_goal(position.rules)
    if len(goal) != len(tops) or any(
        not low <= height <= top
        for low, height, top in zip(position.piles, goal, tops, strict=True)
    ):
        raise InvalidInputError(f"goal {quote(goal)}: the piles are {quote(position.piles)}")
    if turns is not None and turns < 1:
        raise InvalidInputError(f"turns: {quote(turns)} is not 1 or more")
    return GameEncoding(position, goal, clock, turns)


ENGINES = (
    Engine("glucose42"),
    Engine("cadical195"),
    Engine("cadical195", {"seed": 1, "phase": 0}),
    Engine("glucose4"),
)
"""The racing solvers, in starting order; as many run at once as there are workers."""

_MEANING = {
    Satisfiability.SATISFIABLE: (Status.WINNABLE, "a line, replayed: "),
    Satisfiability.UNSATISFIABLE: (Status.UNWINNABLE, "no line exists: "),
    Satisfiability.UNKNOWN: (Status.UNKNOWN, ""),
}


@dataclass(frozen=True, slots=True, eq=False)
class GameCertificate:
    """A verdict on one goal with its formula and, if unwinnable, a proof."""

    verdict: Verdict[Line]
    encoding: GameEncoding
    proof: str | None = field(default=None, repr=False)
    """A DRAT proof that the formula is unsatisfiable, one step per line."""

    @property
    def cnf(self) -> Cnf:
        """The formula."""
        return self.encoding.cnf


def solve(
    game: Game,
    goal: Goal | None = None,
    *,
    turns: int | None = None,
    seconds: float | None = None,
    memory: int | None = None,
    workers: int = 2,
    conflicts_here: int = 0,
) -> Verdict[Line]:
    """Decide whether a goal can be reached from a game's present position.

    Parameters
    ----------
    game, goal, turns
        As for `hanabi.solvers.winnable.sat.encode`; the default goal is complete piles.
    seconds
        Wall-clock budget, encoding included.
    memory
        Limit on each solver's address space, in bytes.
    workers
        Number of solvers running at once.
    conflicts_here
        Conflicts to try in this process first, which saves the start of another one; they cannot
        be interrupted.

    Returns
    -------
    Verdict
        WINNABLE with a replayed line, UNWINNABLE, or UNKNOWN if a budget runs out.

    Raises
    ------
    InvalidInputError
        If the game is over and not won, or the goal is not valid.
    SolverError
        If the rules are not supported.

    >>> from hanabi import DeckSpec
    >>> from hanabi.rules import Rules
    >>> rules = Rules(spec=DeckSpec(((2, 1, 1),)), seats=2, hand_size=1)
    >>> print(solve(Game.start(rules, [(0, 2), (0, 1), (0, 1), (0, 3)])).status)
    winnable
    """
    clock = Clock(seconds)
    try:
        encoding = _encode(game, goal, clock, turns)
        if conflicts_here:
            answer = solve_here(encoding.cnf, ENGINES[0], conflicts=conflicts_here)
            if answer.status is not Satisfiability.UNKNOWN:
                return _verdict(game, encoding, answer, clock)
        answer = race(encoding.cnf, ENGINES, workers=workers, seconds=clock.left, memory=memory)
        return _verdict(game, encoding, answer, clock)
    except BudgetEndedError:
        reason = "the time budget ended while the formula was written"
        most, spent = game.rules.max_score, clock.elapsed
        return Verdict(Status.UNKNOWN, "sat", reason, lower=0, upper=most, seconds=spent)


def certify(
    game: Game,
    goal: Goal | None = None,
    *,
    turns: int | None = None,
    seconds: float | None = None,
    memory: int | None = None,
    solver: str = "cadical195",
) -> GameCertificate:
    """Decide as :func:`solve` does, with one solver; if the goal is out of reach, prove it.

    The proof is about the formula, whose two reductions :mod:`hanabi.solvers.winnable.sat` proves.
    The solver must be able to write proofs (`cadical195`, `glucose4`, `lingeling`, ...). Raises
    BudgetEndedError if the time is over before the formula is written.

    >>> from hanabi import DeckSpec
    >>> from hanabi.rules import Rules
    >>> rules = Rules(spec=DeckSpec(((1, 1, 1),)), seats=1, hand_size=1)
    >>> certificate = certify(Game.start(rules, [(0, 3), (0, 1), (0, 2)]))
    >>> print(certificate.verdict.status, certificate.proof[-2:])
    unwinnable
    0
    """
    clock = Clock(seconds)
    encoding = _encode(game, goal, clock, turns)
    answer = race(
        encoding.cnf, [Engine(solver)], workers=1, seconds=clock.left, memory=memory, proof=True
    )
    return GameCertificate(_verdict(game, encoding, answer, clock), encoding, answer.proof)


def write_dimacs(game: Game, file: TextIO, goal: Goal | None = None) -> None:
    """Write the formula of a goal in DIMACS format, with comments on its variables.

    The comments explain only the variables for which card leaves its hand at which act.

    >>> import io
    >>> from hanabi import DeckSpec
    >>> from hanabi.rules import Rules
    >>> rules, file = Rules(spec=DeckSpec(((1, 1),)), seats=1, hand_size=1), io.StringIO()
    >>> write_dimacs(Game.start(rules, [(0, 1), (0, 2)]), file)
    >>> for line in file.getvalue().splitlines()[:2]:
    ...     print(line)
    c satisfiable exactly if the piles (2,) can be reached
    c 11: act 1 takes card 0, r1
    """
    encoding = _encode(game, goal)
    dimacs.write(encoding.cnf, file, encoding.comments())


def line_of_acts(game: Game, acts: Iterable[Act]) -> Line:
    """Return the actions for some acts; each hint is the first legal one."""
    line: list[Action] = []
    for act in acts:
        for _ in range(act.hints):
            hint = next((action for action in game.legal_actions if action.is_hint), None)
            if hint is None:
                raise SolverError(f"turn {game.turn}: no hint can be given")
            line.append(hint)
            game = game.apply(hint)
        action = find_action(game, RecordedAction(int(act.is_discard), act.card))
        line.append(action)
        game = game.apply(action)
    return tuple(line)


def _encode(
    game: Game, goal: Goal | None, clock: Clock = NO_LIMIT, turns: int | None = None
) -> GameEncoding:
    goal = highest_goal(game.rules) if goal is None else goal
    return encode(Position.of_game(only_image(game).game), goal, clock, turns)


def _verdict(game: Game, encoding: GameEncoding, answer: SatResult, clock: Clock) -> Verdict[Line]:
    """Return what an answer says of the game, with the line of its model replayed."""
    image, goal, turns = only_image(game), encoding.goal, encoding.turns
    line = None
    if answer.model is not None:
        line_there = line_of_acts(image.game, encoding.decode(answer.model))
        if replay(image.game, line_there).piles != goal:
            raise SolverError(f"a model's line does not reach {goal}")
        if turns is not None and len(line_there) > turns:
            raise SolverError(f"a model's line takes {len(line_there)} turns, not {turns}")
        line = image.lift(line_there, sum(goal))
        if line is None:
            raise SolverError("a model's line gives hints that the variant does not allow")
    status, meaning = _MEANING[answer.status]
    effort = "" if answer.conflicts is None else f", {answer.conflicts} conflicts"
    size = f"{encoding.cnf.n_vars} variables, {encoding.cnf.n_clauses} clauses"
    points, most = sum(goal), game.rules.max_score
    is_lost = status is Status.UNWINNABLE and turns is None
    return Verdict(
        status,
        "sat",
        f"{meaning}{answer.reason} ({size}{effort})",
        witness=line,
        lower=points if status is Status.WINNABLE else encoding.position.score,
        upper=most - 1 if is_lost and points == most else most,
        seconds=clock.elapsed,
    )
