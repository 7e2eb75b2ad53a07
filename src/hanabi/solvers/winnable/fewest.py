"""The fewest turns in which a score can be reached with all cards face up.

A lower bound, `least_schedule`, starts the search. From there on formulas with a horizon
(`hanabi.solvers.winnable.sat`) decide, turn by turn, whether a line is so short.

**The bound.** In an easier game all hands are one, and a seat plays any card. Only time is kept.
Let a needed card *wait* for the first copies of itself and of all cards that its pile needs below
it (`hanabi.solvers.winnable.pace`). With p seats it is *ripe* p turns after the last of these was
drawn, at once if that one is in a hand already: nobody plays it earlier, since the seat that drew
that card acts again only then. A turn is

- a *play*, which draws a card; before each turn the plays so far are at most the ripe cards;
- a *waste*, a discard or an error, which draws a card, too; or
- a *hint*, which draws none.

Let f be the tokens spent at first, and the lives but one. Each hint spends c tokens (in what a
discard gives back). So before each turn there are at most f + c h wastes for h hints, unless
discards are always allowed: a discard gains a token, and an error costs a life. Let W(n) be the
most wastes in n turns without plays: f of them, then a hint and c wastes, and so on. It grows by
one at most for each turn. Every line of the game is one of the easier game.

*To play if a card is ripe, and else to waste one if W allows it, is shortest.* Let this line X have
made as many plays as any other line Y before each turn up to t, or more. With S plays of its own Y
has drawn at most S + W(t - S) cards before turn t. That does not fall if S grows, so X has drawn as
many or more. If both have made equally many plays and Y makes one more in turn t, then a card is
ripe for Y. It is ripe for X, which has drawn each card as early, so X plays, too.

**Full hands** can waste more: a hand that is full of needed cards drops one, and waits for another
copy. `merged_schedule` counts the wastes of the merged hand (`hanabi.solvers.winnable.search`), in
a deck cut off where so many acts end, and gives them their hints. It has no idle turns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hanabi.ground import Clock, SolverError, Status, counted
from hanabi.rules import Game, listed
from hanabi.solvers.winnable.images import Image, images
from hanabi.solvers.winnable.pace import waits
from hanabi.solvers.winnable.position import (
    Goal,
    Line,
    Position,
    check_supported,
    free_wastes,
    most_wasted,
)
from hanabi.solvers.winnable.solver import (
    DEFAULT_MEMORY,
    DEFAULT_SECONDS,
    best,
    is_safe,
    solve_game,
)

__all__ = [
    "FewestTurns",
    "Schedule",
    "fewest_turns",
    "least_schedule",
    "merged_schedule",
    "turns_lost",
]


@dataclass(frozen=True, slots=True)
class Schedule:
    """The turns of the easier game's shortest line; no line of the game has fewer.

    Attributes
    ----------
    plays, discards, errors, hints
        Their numbers. An error is made where a discard would need one more hint.
    idle
        Turns in which nothing more is to be drawn, and the next card is not ripe.
    """

    plays: int
    discards: int
    errors: int
    hints: int
    idle: int

    @property
    def turns(self) -> int:
        """The sum."""
        return self.plays + self.discards + self.errors + self.hints + self.idle

    def __str__(self) -> str:
        kinds = ("play", "discard", "error", "hint", "idle turn")
        counts = (self.plays, self.discards, self.errors, self.hints, self.idle)
        return listed(counted(n, kind) for n, kind in zip(counts, kinds, strict=True) if n)


def least_schedule(position: Position, goal: Goal) -> Schedule | None:
    """Return the shortest line of the easier game; None if not even that reaches the goal.

    Costs one pass over the deck. For the proof see the module's docstring.

    >>> from hanabi import DeckSpec
    >>> from hanabi.rules import Rules
    >>> rules = Rules(spec=DeckSpec(((2, 2, 1),)), seats=2, hand_size=1, lives=1)
    >>> position = Position.start(rules, [(0, 2), (0, 1), (0, 1), (0, 2), (0, 3)])
    >>> print(least_schedule(position, (3,)))
    3 plays, 1 discard, 1 hint and 1 idle turn
    """
    rules, seats = position.rules, position.rules.seats
    waiting = [max(wait, position.drawn) for wait in sorted(waits(position, goal).values())]
    if waiting and waiting[-1] > len(position.deck):
        return None
    plays = wasted = hints = idle = ripe = 0
    drawn, drawn_at = position.drawn, {position.drawn: -seats}
    while plays < len(waiting):
        turn = plays + wasted + hints + idle
        while ripe < len(waiting) and drawn_at.get(waiting[ripe], turn) + seats <= turn:
            ripe += 1
        if plays < ripe:
            plays += 1
        elif drawn >= waiting[-1]:
            idle += 1
            continue
        elif most_wasted(position, wasted + hints + 1) > wasted:
            wasted += 1
        elif rules.hints and seats > 1:
            hints += 1
            continue
        else:
            return None
        drawn += 1
        drawn_at[drawn] = turn
    return _schedule(position, plays, wasted, hints, idle)


def merged_schedule(position: Position, goal: Goal, schedule: Schedule) -> Schedule | None:
    """Return the plays, the fewest wastes of one hand of all seats' size, and hints for these.

    The search begins with the wastes of `schedule`. None if that hand cannot reach the goal at all.
    Costs a search of `merged` for each number of wastes tried: mostly one of some milliseconds.

    >>> from hanabi import DeckSpec
    >>> from hanabi.rules import Rules
    >>> rules = Rules(spec=DeckSpec(((2, 2, 2),)), seats=2, hand_size=1, lives=1)
    >>> deck = [(0, 2), (0, 3), (0, 3), (0, 1), (0, 1), (0, 2)]
    >>> position = Position.start(rules, deck)
    >>> schedule = least_schedule(position, (3,))
    >>> print(schedule, "or", merged_schedule(position, (3,), schedule))
    3 plays, 2 discards, 2 hints and 1 idle turn or 3 plays, 3 discards and 3 hints
    """
    from hanabi.solvers.winnable.search import Workspace, merged

    workspace, wasted = Workspace(position, goal), schedule.discards + schedule.errors
    cards = sum(map(len, position.hands)) + len(position.deck) - position.drawn
    while merged(workspace.within(schedule.plays + wasted)) is Status.UNWINNABLE:
        wasted += 1
        if schedule.plays + wasted > cards:
            return None
    free, hints = free_wastes(position), 0
    if free is not None and wasted > free:
        if position.rules.seats == 1 or not position.rules.hints:
            return None
        hints = -((free - wasted) // position.rules.hint_cost)
    return _schedule(position, schedule.plays, wasted, hints, 0)


def _schedule(position: Position, plays: int, wasted: int, hints: int, idle: int) -> Schedule:
    """Return a schedule with as few errors as its tokens allow."""
    free, rules = free_wastes(position), position.rules
    spent = 0 if free is None else free - (position.lives - 1) + hints * rules.hint_cost
    errors = 0 if free is None else max(wasted - spent, 0)
    return Schedule(plays, wasted - errors, errors, hints, idle)


@dataclass(frozen=True, slots=True)
class FewestTurns:
    """The least number of turns after which so many points are on the piles.

    Attributes
    ----------
    points
        The points: all, or the most that can be had.
    lower
        No line is shorter.
    line
        The shortest line known, replayed by the rules; its last action scores the last point.
    reason
        One sentence: why no line is shorter than `lower`.
    bound
        The lower bound that the search began with; None if the points are on the piles.
    seconds
        Wall-clock time.
    """

    points: int
    lower: int
    line: Line
    reason: str
    bound: Schedule | None
    seconds: float

    @property
    def upper(self) -> int:
        """The turns of the line."""
        return len(self.line)

    @property
    def is_exact(self) -> bool:
        """Whether the least number is known."""
        return self.lower == self.upper

    def __str__(self) -> str:
        turns = str(self.lower) if self.is_exact else f"{self.lower} to {self.upper}"
        return f"{turns} turns for {counted(self.points, 'point')}: {self.reason}"


def fewest_turns(
    game: Game,
    *,
    points: int | None = None,
    line: Line | None = None,
    seconds: float | None = DEFAULT_SECONDS,
    memory: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> FewestTurns:
    """Find the fewest turns in which a game reaches `points` from where it stands.

    Parameters
    ----------
    game
        A position, all cards face up.
    points
        By default all, or the most that can be had, which is found first.
    line
        A line that reaches them, if one is known.
    seconds, memory
        As for `hanabi.solvers.winnable.solve`. When the time ends, the bounds reached so far are
        returned.
    progress
        Gets a few words about what is being done.

    Raises
    ------
    SolverError
        If the rules are not supported; if no line with so many points is found; or if fewer than
        all are asked for and the rules can take points back.

    >>> from hanabi.rules import Rules
    >>> rules = Rules.hanab_live(seats=3)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> found = fewest_turns(game)
    >>> print(found)
    47 turns for 25 points: even if any seat could play any card, it would take 25 plays, ...
    >>> for action in found.line:
    ...     game = game.apply(action)
    >>> game.turn, game.score
    (47, 25)
    """
    clock, memory = Clock(seconds), DEFAULT_MEMORY if memory is None else memory
    if points is None:
        verdict = best(game, seconds=clock.left, memory=memory)
        if verdict.status is not Status.WINNABLE and verdict.lower < verdict.upper:
            raise SolverError("the most points that can be had are not known: the time is over")
        points, line = verdict.lower, verdict.witness
    elif line is None:
        line = solve_game(game, points=points, seconds=clock.left, memory=memory).witness
    if line is None:
        raise SolverError(f"no line with {counted(points, 'point')} is known")
    return _Search(game, points, line, clock, memory, progress).run()


_HERE = 5_000
"""Conflicts of the first attempt at each horizon: some tenths of a second."""
_FIRST_SECONDS = 2.0
"""Seconds for each horizon in the first round."""


@dataclass(slots=True)
class _Way:
    """A goal of an image, and the least number of turns that is still open for it."""

    image: Image
    goal: Goal
    schedule: Schedule
    lower: int


class _Search:
    """What is open between the turns that are refuted and those of the best line."""

    def __init__(
        self,
        game: Game,
        points: int,
        line: Line,
        clock: Clock,
        memory: int,
        progress: Callable[[str], None],
        least: int = 0,
    ) -> None:
        check_supported(game.rules)
        if points < game.rules.max_score and not is_safe(game.rules):
            told = counted(points, "point")
            raise SolverError(f"fewest turns: under these rules {told} can be lost again")
        self.points, self.clock, self.memory, self.progress = points, clock, memory, progress
        self.game, self.line = game, _cut(game, line, points)
        self.ways = list[_Way]()
        for image in images(game) if self.line else ():
            position = Position.of_game(image.game)
            for goal in position.goals(points):
                schedule = least_schedule(position, goal)
                one_hand = schedule and merged_schedule(position, goal, schedule)
                if schedule is not None and one_hand is not None:
                    schedule = max(schedule, one_hand, key=_turns_of)
                    self.ways.append(_Way(image, goal, schedule, max(schedule.turns, least)))
        self.lower = min((way.lower for way in self.ways), default=0)

    def run(self) -> FewestTurns:
        """Decide horizons until none is open, with more and more time for each."""
        seconds, goes_on = _FIRST_SECONDS, True
        while goes_on and self.lower < len(self.line) and not self.clock.is_over:
            goes_on = self.round(seconds)
            seconds *= 2
        return self.found()

    def round(self, seconds: float) -> bool:
        """Decide horizons from the lower bound upwards, and return whether more time may help.

        Where one stays open, go on halfway to the best line: a later one is easier to satisfy.
        """
        turns, tried, out_of_time = self.lower, self.lower - 1, False
        while turns < len(self.line):
            self.progress(f"a line of {turns} turns?")
            statuses = [self.decide(way, turns, seconds) for way in self.ways]
            if Status.WINNABLE not in statuses:
                tried = turns
            out_of_time |= Status.UNKNOWN in statuses
            self.lower = min(way.lower for way in self.ways)
            if self.clock.is_over:
                break
            turns = self.lower if tried < self.lower else (tried + len(self.line)) // 2
            if turns <= tried:
                break
        return out_of_time

    def decide(self, way: _Way, turns: int, seconds: float) -> Status | None:
        """Decide whether a goal is reached in so many turns, and keep the line or the refutation.

        None if the variant refuses the line found, or a line as short is known already.
        """
        from hanabi.solvers.winnable import sat

        left = self.clock.left
        if way.lower > turns:
            return Status.UNWINNABLE
        if len(self.line) <= turns:
            return None
        if self.clock.is_over:
            return Status.UNKNOWN
        verdict = sat.solve(
            way.image.game,
            way.goal,
            turns=turns,
            seconds=seconds if left is None else min(seconds, left),
            memory=self.memory,
            workers=1,
            conflicts_here=_HERE,
        )
        if verdict.status is Status.UNWINNABLE:
            way.lower = turns + 1
        if verdict.witness is None:
            return verdict.status
        lifted = way.image.lift(verdict.witness, self.points)
        if lifted is None:
            return None
        self.line = _cut(self.game, lifted, self.points)
        return Status.WINNABLE

    def found(self) -> FewestTurns:
        """Return the bounds reached so far."""
        bound = min((way.schedule for way in self.ways), key=_turns_of, default=None)
        if bound is None:
            reason = "they are on the piles"
        elif self.lower == bound.turns:
            reason = f"even if any seat could play any card, it would take {bound}"
        else:
            reason = f"the formula of lines with {self.lower - 1} turns is unsatisfiable"
        if self.lower > len(self.line):
            raise SolverError(f"a line of {len(self.line)} turns, but at least {self.lower} needed")
        return FewestTurns(self.points, self.lower, self.line, reason, bound, self.clock.elapsed)


def _turns_of(schedule: Schedule) -> int:
    return schedule.turns


def _cut(game: Game, line: Line, points: int) -> Line:
    """Return the part of a line after which the points are on the piles."""
    for number, action in enumerate(line):
        if sum(game.piles) >= points:
            return line[:number]
        game = game.apply(action)
    return line


def turns_lost(
    games: Sequence[Game],
    *,
    seconds: float | None = DEFAULT_SECONDS,
    memory: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> list[FewestTurns]:
    """Return the fewest turns from each position of a recorded game, for the points it ended with.

    An action costs as many turns as the sum of those made and those still needed grows by. It never
    falls, so most positions take one formula. Positions after the time has ended have wide bounds.

    Parameters
    ----------
    games
        Successive positions. The last one has the points.
    seconds, memory, progress
        As for `fewest_turns`.

    >>> from hanabi import DeckSpec
    >>> from hanabi.rules import Rules, discard, hint_rank, play
    >>> rules = Rules(spec=DeckSpec(((1, 1, 1),)), seats=2, hand_size=1)
    >>> games = [Game.start(rules, [(0, 1), (0, 2), (0, 3)])]
    >>> for action in (hint_rank(1, 2), hint_rank(0, 1), play(0), play(0), play(0)):
    ...     games.append(games[-1].apply(action))
    >>> [made + found.lower for made, found in enumerate(turns_lost(games))]
    [3, 5, 5, 5, 5, 5]
    """
    clock, memory = Clock(seconds), DEFAULT_MEMORY if memory is None else memory
    points, found = sum(games[-1].piles), list[FewestTurns]()
    actions = games[-1].known_actions
    for game in games:
        made = len(game.known_actions)
        line, least = actions[made:], 0
        if found:
            least, before = found[-1].lower - 1, found[-1].line
            if before and before[0] == actions[made - 1]:
                line = before[1:]
        found.append(_Search(game, points, line, clock, memory, progress, least).run())
    return found
