"""A portfolio of solvers, cheapest first; every winning line is replayed by the rules.

1. The merged hand (`hanabi.solvers.winnable.search`) takes one pass over the deck and decides 95 %
   of the lost decks.
2. `greedy` wins 99.8 % of the rest. These searches of a few hundred moves always try the move with
   the highest score first (plays whose followers are in hand; waiting while others can play; trash;
   finally needed cards), and turn back only from positions that the merged hand refutes. The first
   search follows the scores, later ones add noise. Most decks take tens of microseconds.
3. The labelled relaxation with a few labels decides the lost decks whose last round cannot be
   ordered.
4. `greedy`, many more times and with varying penalties on hints, wins most of the other winnable
   decks.
5. `search`, guided by that relaxation, decides the others, except a few that need a longer search
   without it, such as those in which five cards of one copy each come last.
6. `sat` decides nearly everything left. With many seats, where hands are small, it comes before
   most of 5: there it decides in seconds positions that the search seldom does. So do longer and
   noisier searches without a guide, some before the formula and more after it.
7. All of these repeat with more labels, turns, moves and seconds, until one decides or a budget
   runs out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from hanabi.ground import Clock, Status, Verdict
from hanabi.solvers.winnable.images import Image
from hanabi.solvers.winnable.pace import comes_late
from hanabi.solvers.winnable.position import Line
from hanabi.solvers.winnable.sat import solve as solve_by_sat
from hanabi.solvers.winnable.search import GameSearch, Workspace, labelled, line_of, merged

__all__ = ["Decision", "Portfolio"]

ROUNDS = 12
MANY_SEATS = 4
"""Fewest seats at which SAT decides sooner than search."""
SAT_SECONDS = 10.0
"""Wall-clock time for the first SAT attempt; later rounds get more."""
SHORT_SAT_SECONDS, LONG_SAT_SECONDS = 5.0, 400.0
"""The same with many seats, before and after `MORE_WILD`. Formulas not decided soon take about 30 s
of an idle core, seldom a few hundred, and nothing else decides them."""
MOVES_A_SECOND = {"labelled": 300_000.0, "guided": 300.0, "free": 2_000.0}
"""Moves a second on a slow or busy core in the labelled relaxation and in searches with and without
a guide. Calls cannot be interrupted, so each gets as many moves as fit into the time left, by this
speed or, from the second search on, by the last speed measured."""
MEASURABLE_SECONDS = 0.1
HINT_PENALTIES = (0, 150, 300, 450)
"""Penalties on the score of hints in successive attempts: some endings need many tokens."""
GREEDY_ATTEMPTS = tuple((300, min(attempt, 4), 0) for attempt in range(20))
"""Most moves, noise and hint penalty of each attempt."""
MORE_GREEDY_ATTEMPTS = tuple(
    (300, 4, HINT_PENALTIES[attempt // 20 % 4]) for attempt in range(1_000)
)
WILD_ATTEMPTS = tuple((1_500, 6, HINT_PENALTIES[attempt // 20 % 4]) for attempt in range(600))
"""Longer, less greedy attempts; they take about 0.2 s, which pays off with small hands."""
MORE_WILD = 10
"""Number of times that `WILD_ATTEMPTS` are repeated if the first formula does not decide."""
GREEDY_ROWS = 1 << 12
FIRST_ATTEMPTS = 2
"""Attempts that every image of a variant gets before any gets more: merged hand and greedy."""
OTHER_LINES = 48
"""Number of further lines tried if a line of an image cannot be replayed in the variant."""


@dataclass(slots=True)
class _Entry:
    """A running portfolio; `status` is None while it has more to try."""

    portfolio: Portfolio
    attempts: Iterator[Verdict[Line]]
    status: Status | None = None


class Decision:
    """The decision whether any image of a game can reach a goal, made round by round."""

    def __init__(self, portfolios: Iterable[Portfolio], clock: Clock) -> None:
        self._clock, self._entries = clock, list[_Entry]()
        self._rounds = _in_turn(portfolios, self._entries)
        self._states, self._trail = 0, list[str]()
        self._lost: Verdict[Line]

    def go_on(self) -> Verdict[Line] | None:
        """Run one round; return the verdict, or None if undecided. The first round is cheap.

        The verdict is UNKNOWN once the time is over or nothing is left to try.
        """
        for each in self._rounds:
            if each is None:
                return None
            entry, verdict = each
            self._states += verdict.states
            self._trail.append(f"{verdict.method}: {verdict.reason}")
            if verdict.status is Status.WINNABLE:
                line = entry.portfolio.lift(verdict)
                if line is not None:
                    return self._told(replace(verdict, witness=line))
                self._trail.append("all lines that were found need what the variant does not allow")
                entry.status = Status.UNKNOWN
            elif verdict.status is Status.UNWINNABLE:
                entry.status, self._lost = verdict.status, verdict
            elif self._clock.is_over:
                return self._told(replace(verdict, reason="the time is over"))
        if any(entry.status is not Status.UNWINNABLE for entry in self._entries):
            return self._told(
                Verdict(Status.UNKNOWN, "portfolio", "no part of the portfolio decided")
            )
        if (images := len(self._entries)) > 1:
            reason = f"lost in each of the {images} ways to build the piles; {self._lost.reason}"
            self._lost = replace(self._lost, reason=reason)
        return self._told(self._lost)

    def _told(self, verdict: Verdict[Line]) -> Verdict[Line]:
        return replace(verdict, states=self._states, trail=tuple(self._trail))


def _in_turn(
    portfolios: Iterable[Portfolio], entries: list[_Entry]
) -> Iterator[tuple[_Entry, Verdict[Line]] | None]:
    """Run the first attempts of each portfolio, one after the other, and yield the verdicts.

    Undecided portfolios then take turns. All are listed in `entries`; None ends a round.
    """
    for portfolio in portfolios:
        entries.append(_Entry(portfolio, portfolio.attempts()))
        for verdict in islice(entries[-1].attempts, FIRST_ATTEMPTS):
            yield entries[-1], verdict
            if entries[-1].status is not None:
                break
    while running := [entry for entry in entries if entry.status is None]:
        yield None
        for entry in running:
            following = next(entry.attempts, None)
            if following is None:
                entry.status = Status.UNKNOWN
            else:
                yield entry, following


@dataclass(frozen=True, slots=True)
class Portfolio:
    """All solvers on one goal of an image, within budgets of time, memory and table rows."""

    workspace: Workspace
    image: Image
    clock: Clock
    memory: int
    rows: int
    speeds: dict[str, float] = field(default_factory=MOVES_A_SECOND.copy)

    def lift(self, verdict: Verdict[Line]) -> Line | None:
        """Return a winning line of the variant, from the line found or from others, or None."""
        if verdict.witness is None:
            return None
        points = sum(self.workspace.goal)
        lifted = self.image.lift(verdict.witness, points)
        if lifted is not None:
            return lifted
        workspaces = [self.workspace]
        if untouched := self.image.untouched():
            workspaces.append(self.workspace.with_untouched(untouched))
        for workspace in workspaces:
            search = GameSearch(workspace, rows=GREEDY_ROWS)
            for attempt in range(OTHER_LINES):
                if self.clock.is_over:
                    return None
                found = search.run(300, 1 + attempt % 6, HINT_PENALTIES[attempt % 4])
                if found.status is Status.WINNABLE:
                    lifted = self.image.lift(line_of(workspace, found.moves), points)
                    if lifted is not None:
                        return lifted
        return None

    def attempts(self) -> Iterator[Verdict[Line]]:
        """Yield the verdicts of more and more expensive attempts."""
        cards, all_labels = self.workspace.deal.cards, len(self.workspace.types)
        is_early = self.workspace.position.drawn < cards
        if is_early:
            yield self._merged()
            greedy = GameSearch(self.workspace, rows=GREEDY_ROWS)
            yield self._searched("greedy", greedy, GREEDY_ATTEMPTS)
            for labels in (2, 4, 6, 8):
                yield self._labelled(labels, cards, 20_000)
            yield self._searched("greedy", greedy, MORE_GREEDY_ATTEMPTS)
            yield self._guided(6, cards, 8, 2_000)
            if self.workspace.deal.seats >= MANY_SEATS:
                yield self._searched("greedy", greedy, WILD_ATTEMPTS)
                yield self._satisfied(SHORT_SAT_SECONDS, workers=1)
                yield self._searched("greedy", greedy, WILD_ATTEMPTS * MORE_WILD)
                yield self._satisfied(LONG_SAT_SECONDS, workers=1)
            yield self._guided(9, cards, 72, 1_000)
            for labels in (4, 6, 8):
                yield self._labelled(labels, cards, 300_000)
            yield self._labelled(all_labels, cards, 8_000_000 // self.workspace.deal.seats**2)
            yield self._guided(0, cards, 2, 72_000)
            if self.workspace.deal.seats < MANY_SEATS:
                yield self._satisfied(SAT_SECONDS)
        effort = 2_400
        for number in range(ROUNDS):
            if is_early:
                yield self._guided(9, cards, effort, 1_000)
                for labels, turns in ((9, 8), (12, 0), (12, 12)):
                    yield self._guided(labels, max(cards - turns, 0), effort // 48, 1_000)
                for labels in (8, 12, all_labels):
                    yield self._labelled(labels, cards, effort * 300)
                for turns in (6, 10, 16):
                    yield self._labelled(8, max(cards - turns, 0), effort * 300)
            yield self._guided(0, cards, 4, effort * 30)
            if is_early:
                yield self._satisfied(SAT_SECONDS * 2 ** (number + 1))
            effort *= 2

    def _merged(self) -> Verdict[Line]:
        if merged(self.workspace, self.clock, self.memory) is Status.UNWINNABLE:
            reason = "even one hand of all seats' size, with unlimited hints, cannot reach it"
            return Verdict(Status.UNWINNABLE, "merged hands", reason, states=1)
        return Verdict(Status.UNKNOWN, "merged hands", "no refutation", states=1)

    def _labelled(self, labels: int, turns_from: int, limit: int) -> Verdict[Line]:
        limit = self._affordable("labelled", limit)  # not measured: few moves say little of many
        status, tried = labelled(self.workspace, labels, turns_from, limit)
        what = f"{labels} labelled cards"
        if turns_from < self.workspace.deal.cards:
            what += f", turns from card {turns_from}"
        if status is Status.UNWINNABLE:
            # The late cards are a hint to the reader; `explain` finds and proves the cause.
            late = comes_late(self.workspace.position, self.workspace.goal)
            reason = f"the last cards cannot be played in turn ({what}, {tried} moves)"
            reason += f"; {late}" if late else ""
            return Verdict(status, "last round", reason, states=tried)
        return Verdict(Status.UNKNOWN, "last round", f"no refutation ({what})", states=tried)

    def _guided(self, labels: int, turns_from: int, attempts: int, moves: int) -> Verdict[Line]:
        """Search a few times, guided by a labelled relaxation if `labels` is not 0."""
        search = GameSearch(
            self.workspace,
            rows=min(max(moves * 4, 1 << 16), self.rows),
            labels=labels,
            turns_from=turns_from,
            guide_rows=min(1 << 20, self.rows),
        )
        tries = (
            (moves, attempt % 6, HINT_PENALTIES[attempt // 6 % len(HINT_PENALTIES)])
            for attempt in range(attempts)
        )
        return self._searched("guided search" if labels else "search", search, tries)

    def _searched(
        self, method: str, search: GameSearch, attempts: Iterable[tuple[int, int, int]]
    ) -> Verdict[Line]:
        """Search until an attempt decides."""
        tried, kind = 0, "guided" if method == "guided search" else "free"
        for limit, noise, hint_penalty in attempts:
            clock = Clock()
            found = search.run(self._affordable(kind, limit), noise, hint_penalty)
            self._learn(kind, found.tried, clock)
            tried += found.tried
            if found.status is not Status.UNKNOWN or self.clock.is_over:
                break
        if found.status is Status.UNWINNABLE:
            return Verdict(found.status, method, "all lines lose", states=tried)
        if found.status is Status.UNKNOWN:
            return Verdict(found.status, method, f"no line in {tried} moves", states=tried)
        line = line_of(self.workspace, found.moves)
        reason = f"a line of {len(line)} actions, replayed"
        return Verdict(found.status, method, reason, line, states=tried)

    def _affordable(self, kind: str, limit: int) -> int:
        """Return the number of moves that fit into the time left, at most `limit`."""
        left = self.clock.left
        return limit if left is None else min(limit, int(left * self.speeds[kind]) + 1)

    def _learn(self, kind: str, moves: int, clock: Clock) -> None:
        if clock.elapsed > MEASURABLE_SECONDS:
            self.speeds[kind] = moves / clock.elapsed

    def _satisfied(self, seconds: float, workers: int = 2) -> Verdict[Line]:
        if self.clock.left is not None:
            seconds = min(seconds, self.clock.left)
        return solve_by_sat(
            self.image.game,
            self.workspace.goal,
            seconds=seconds,
            memory=self.memory,
            workers=workers,
        )
