"""Advice: what the seat to act should do, by what it can know, with the best means at hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from hanabi.conventions import HGroup, refuse_variant
from hanabi.ground import Clock, InvalidInputError, SolverError, Stream, counted
from hanabi.reviews.chances import FEW_CARDS, Asked, Known, chances, played_out
from hanabi.rules import Action, Audience, Game, GameProblem, Rules, Said, deed, joined, posed, say
from hanabi.solvers import ActionChances, Chances, Range

if TYPE_CHECKING:
    from hanabi.players import PlayedOut, Player, PlayOuts

__all__ = [
    "ADVICE_SECONDS",
    "Advice",
    "Advised",
    "InterruptedAdvice",
    "Partners",
    "advise",
    "encoded",
    "partners_of",
    "per_cent",
    "with_error",
]

ADVICE_SECONDS = 20.0
"""The time for advice, unless another one is given."""

_LEVELS = 1, 5, 11
"""The levels of the H-Group's conventions that may explain a game."""

_FEW_MOVES = 4  # too few to tell levels apart
_JUDGING, _FITTING = 8, 10  # parts of the time: for the bounds, and for the level
_ERRORS = 2  # standard errors that make a difference
_LIKELIER = "deals in which it would have made more of them count more"


class Partners(NamedTuple):
    """The player that all seats are taken to follow: its name, and why it is this one."""

    name: str
    why: Said


@dataclass(frozen=True, slots=True)
class Advised:
    """An action, with its value by each means that was used.

    Attributes
    ----------
    action
        A legal action.
    certified
        Certain bounds (`hanabi.solvers.draws.judge`), or None.
    games
        Estimates by games (`hanabi.players.partners.playouts`), or None.
    """

    action: Action
    certified: ActionChances | None
    games: PlayedOut | None

    @property
    def bounds(self) -> tuple[Range, ...]:
        """The certain bounds on the chance of all points and on the score, if there are any."""
        return () if self.certified is None else (self.certified.perfect, self.certified.points)

    def is_beaten(self, other: Advised) -> bool:
        """Whether the other action is certainly better: by all points, or else by the score."""
        if self.certified is None or other.certified is None:
            return False
        ahead = other.certified.perfect.low - self.certified.perfect.high
        return ahead > 0 or (ahead == 0 and self.certified.points.high < other.certified.points.low)

    def cells(self) -> list[str]:
        """Return the expected score and the chance of all points, by each means."""
        found = list[str]()
        if self.games is not None:
            points, perfect = self.games.points, self.games.perfect
            error = f" ± {max(1, round(100 * perfect.error))}" if perfect.error else ""
            chance = per_cent(perfect.mean).removesuffix(" %")
            found += [with_error(points.mean, points.error), f"{chance}{error} %"]
        if self.certified is not None:
            found += [_points(self.certified.points), _per_cent(self.certified.perfect)]
        return found


@dataclass(frozen=True, repr=False)
class Advice:
    """The actions of the seat to act, best first, by what it can know; `str` says which is best.

    Attributes
    ----------
    problem, at
        The game, and the number of moves made.
    partners
        Whom the games were played with; None if there are none.
    certified
        Certain bounds on the value of each action, if few cards are left to draw.
    games
        The value of each action by games in deals that the seat cannot exclude, if there are any.
    seconds
        Wall-clock time.
    """

    problem: GameProblem
    at: int
    partners: Partners | None = None
    certified: Chances | None = None
    games: PlayOuts | None = None
    seconds: float = 0.0

    @property
    def game(self) -> Game:
        """The position."""
        return self.problem.after(self.at)

    @property
    def played(self) -> Advised | None:
        """The action that was taken, if any."""
        moves = self.problem.moves
        action = moves[self.at] if self.at < len(moves) else None
        return next((row for row in self.rows if row.action == action), None)

    @cached_property
    def rows(self) -> tuple[Advised, ...]:
        """The legal actions, best first.

        They are in the order of the middle of their bounds: those of the chance of all points, then
        those of the score. Games decide where these are equal, as for hints, or if there are none.
        """
        certified = [] if self.certified is None else self.certified.actions
        bounds = {each.action: each for each in certified}
        games = {each.action: each for each in (() if self.games is None else self.games.actions)}
        rows = [
            Advised(action, bounds.get(action), games.get(action))
            for action in self.game.legal_actions
        ]
        order = {action: place for place, action in enumerate(games)}
        rows.sort(key=lambda row: order.get(row.action, len(order)))
        rows.sort(key=lambda row: [each.low + each.high for each in row.bounds], reverse=True)
        return tuple(rows)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known yet."""
        return self.certified is None and (self.games is None or not self.games.actions)

    @property
    def is_decided(self) -> bool:
        """Whether the bounds alone show which action is best, and not only that any hint is."""
        best = self.rows[0]
        rivals = [row for row in self.rows[1:] if not row.is_beaten(best)]
        return (
            best.certified is not None
            and all(row.bounds == best.bounds for row in rivals)
            and (not rivals or (best.certified.perfect.is_exact and best.certified.points.is_exact))
            and not (best.action.is_hint and any(row.action.is_hint for row in rivals))
        )

    def compared(self, row: Advised) -> PlayedOut | None:
        """Return the games after an action, if they compare it with the best one."""
        first = None if self.games is None else next(iter(self.games.actions), None)
        is_first = first is not None and first.action == self.rows[0].action
        return row.games if is_first else None

    def is_worse(self, row: Advised) -> bool:
        """Whether an action is worse than the best one: for certain, or by two errors."""
        games = self.compared(row)
        is_behind = games is not None and games.behind.is_above(_ERRORS)
        return is_behind or row.is_beaten(self.rows[0])

    # In words.

    def __str__(self) -> str:
        return str(self.best_words)

    def __repr__(self) -> str:
        return f"<Advice {self}>"

    @property
    def best_words(self) -> Said:
        """What is best, in one sentence."""
        if self.is_empty:
            return say("nothing is known yet: no game ended in time")
        best, *others = self.rows
        told = say("{}: {}", deed(self.game, best.action), self._worth_words(best))
        tried = [row for row in others if row.games is not None or self.games is None]
        close = [row for row in tried if not self.is_worse(row)]
        if not close:
            return told
        what = f"{len(close)} others" if len(close) > 1 else deed(self.game, close[0].action)
        return say("{}; {} may be as good", told, what)

    def _worth_words(self, row: Advised) -> str:
        top, parts = self.game.rules.max_score, list[str]()
        is_open = self.game.most_points == top
        if row.games is not None:
            share = f", all {top} in {per_cent(row.games.perfect.mean)} of" if is_open else " in"
            games = counted(row.games.games, "game")
            parts.append(f"{row.games.points.mean:.1f} points expected{share} {games}")
        if row.certified is not None:
            chance = f"{_per_cent(row.certified.perfect)} for all {top} points"
            has_chance = is_open and row.certified.perfect.high > 0
            parts.append(chance if has_chance else f"{_points(row.certified.points)} points")
            parts[-1] += ", certified"
        return "; ".join(parts)

    @property
    def played_words(self) -> Said:
        """What the action was that was taken, in one sentence; empty if there is none."""
        row = self.played
        if row is None or self.is_empty:
            return say("")
        what, best, games = deed(self.game, row.action), self.rows[0], self.compared(row)
        if row is best:
            return say("{}: the best action", what)
        if row.is_beaten(best) and row.certified is not None and best.certified is not None:
            chance = best.certified.perfect.low - row.certified.perfect.high
            points = best.certified.points.low - row.certified.points.high
            gave = f"{per_cent(chance)} of the chance of all points"
            gave = gave if chance else f"{float(points):.1f} points"
            return say("{}: it gave away {}, for certain", what, gave)
        if games is None:
            return say("{}: no other is certainly better", what)
        gave = f"{with_error(games.behind.mean, games.behind.error)} points"
        if self.is_worse(row):
            return say("{}: it gave away {}, by games", what, gave)
        return say("{}: no worse than the best by more than the error ({})", what, gave)

    @property
    def means_words(self) -> Said:
        """Which means were used, with whom and why, and what limits the numbers."""
        parts = list[Said]()
        if self.certified is not None:
            deals = counted(self.certified.cases, "deal")
            parts.append(say("Certified: bounds over all {} that the seat cannot exclude.", deals))
        if self.games is not None and self.partners is not None:
            parts.append(_games_words(self.games, self.partners))
        return joined(" ", parts)

    def table(self, readers: Audience) -> tuple[list[str], list[list[str]]]:
        """Return the head and the rows of a table of the actions, in the words of an audience.

        A star marks the one that was taken. Hints of equal value share a row if there are no games,
        which tell them apart.
        """
        means = (bool(self.games and self.games.actions), self.certified is not None)
        heads = ["score" if all(means) else "expected score", "all points"] * any(means)
        if all(means):
            heads += ["certified", "all points"]
        merged = dict[object, list[Advised]]()
        for row in self.rows:
            is_alike = row.action.is_hint and not means[0]
            merged.setdefault(row.bounds if is_alike else row.action, []).append(row)
        rows = list[list[str]]()
        for first, *others in merged.values():
            words = deed(self.game, first.action).to(readers)
            if others:
                words = say("any of {} {hints}", 1 + len(others)).to(readers)
            mark = " *" * (self.played in (first, *others))
            cells = first.cells()
            cells = ["-"] * (len(heads) - len(cells)) + cells
            rows.append([words + mark, *cells])
        return ["", *heads], rows

    def document(self) -> dict[str, object]:
        """Return the documented JSON document."""
        game, games = self.game, self.games
        document: dict[str, object] = {
            "turn": self.at,
            "seat": game.seat_to_act,
            "player": self.problem.names[game.seat_to_act],
            "deck": game.deck_left,
            "partners": None if self.partners is None else self.partners.name,
            "best": self.best_words,
            "said": self.played_words,
            "means": self.means_words,
            "played": None if self.played is None else encoded(self.played.action),
            "actions": [
                encoded(row.action)
                | {"words": deed(game, row.action)}
                | _estimates(row.games)
                | _certified(row.certified)
                for row in self.rows
                if row.games is not None or row.certified is not None
            ],
            "seconds": round(self.seconds, 6),
        }
        if self.certified is not None:
            document["cases"] = self.certified.cases
        if games is not None:
            document |= {
                "believed": games.agrees,
                "decisions": games.decisions,
                "contradicted": games.contradicted,
                "sample": games.is_sample,
                "clear": games.is_clear,
                "cut": games.is_cut,
                "untried": [encoded(action) for action in games.untried],
            }
        return document


class InterruptedAdvice(KeyboardInterrupt):
    """An interrupt, with the advice by what was `found` until then."""

    def __init__(self, found: Advice) -> None:
        super().__init__()
        self.found = found


def advise(
    game: Asked,
    *,
    at: int | None = None,
    partners: str | Player | None = None,
    seconds: float | None = ADVICE_SECONDS,
    known: Known = (),
    games: int | None = None,
    seed: int = 0,
    progress: Callable[[str, int, int], None] | None = None,
    tell: Callable[[Advice], None] | None = None,
) -> Advice:
    """Return what the seat to act should do, by what it can know.

    With at most five cards to draw, each action's value is bracketed for certain
    (`hanabi.solvers.draws.judge`), within an eighth of the time. If that does not show which action
    is best, or there are more cards, or `partners` are given, games are played after each action in
    deals that the seat cannot exclude (`hanabi.players.partners.playouts`), until one action is
    clearly best or the time is over.

    Parameters
    ----------
    game
        A game or a position as `hanabi.read` returns it, or a game that was played here.
    at
        The number of moves made. Default: the last position.
    partners
        The player that all seats are taken to follow, or its name. Default: that of a simulated
        game; else the level of the H-Group's conventions that chooses most of the moves so far, or
        a player of the variant if these conventions do not cover it.
    seconds
        Wall-clock time; None for no limit.
    known
        What else the seat knows of its hand, as for `hanabi.chances`.
    games
        Most games to play after an action. Default: 2,000.
    seed
        The same seed gives the same games, unless the time ends them.
    progress
        As for `hanabi.players.partners.playouts.play_outs`.
    tell
        Called with the advice so far: the brackets, then each time the games have doubled.

    Raises
    ------
    InvalidInputError
        If the game is over there, no deal fits, or the partners do not play these rules.
    InterruptedAdvice
        If Ctrl-C interrupts the games; it has the advice until then.

    >>> from hanabi import deal
    >>> found = advise(deal(2, seed=1), partners="convention", games=32)
    >>> found.rows[0].games.games, found.rows[0].certified is None, found.partners.name
    (32, True, 'convention')
    """
    from hanabi.players import InterruptedPlayOuts

    clock, problem = Clock(seconds), posed(game, may_hide=True)
    at = len(problem.positions) - 1 if at is None else at
    position = problem.after(at)
    if not position.can_act:
        over = f"the game is over after {counted(at, 'move')} ({position.end_reason})"
        raise InvalidInputError(f"{over}: ask about an earlier turn, as in GAME@20")
    found = Advice(problem, at)
    if position.deck_left <= FEW_CARDS:
        part = None if clock.left is None else clock.left / _JUDGING
        try:
            bounds = chances(problem, at=at, seat=True, known=known, seconds=part)
        except SolverError:
            pass  # the solver does not know these rules: games do
        else:
            found = replace(found, certified=bounds, seconds=clock.elapsed)
            if tell is not None:
                tell(found)
            if partners is None and (found.is_decided or not problem.has_history):
                return found  # games need the deal
    whom = _named(partners) if partners is not None else None
    if whom is None:
        whom = partners_of(problem, at, None if clock.left is None else clock.left / _FITTING)
    found = replace(found, partners=whom)

    def with_games(estimates: PlayOuts) -> Advice:
        return replace(found, games=estimates, seconds=clock.elapsed)

    try:
        estimates = played_out(
            problem,
            whom.name if partners is None else partners,
            at=at,
            known=known,
            games=games,
            seed=seed,
            seconds=clock.left,
            progress=progress,
            tell=None if tell is None else lambda each: tell(with_games(each)),
        )
    except InterruptedPlayOuts as interrupt:
        raise InterruptedAdvice(with_games(interrupt.found)) from None
    return with_games(estimates)


# The partners.


def _named(partners: str | Player) -> Partners:
    name = partners if isinstance(partners, str) else type(partners).__name__
    return Partners(name, say("as asked"))


def partners_of(problem: GameProblem, at: int, seconds: float | None = None) -> Partners:
    """Return the player that the seats of a game most likely follow, as far as that is known.

    >>> from hanabi import deal
    >>> from hanabi.rules import posed
    >>> partners_of(posed(deal(2, seed=1)), 0)
    Partners(name='hgroup:level=1', why='the usual conventions: the game has only 0 moves')
    """
    from hanabi.players import package_player

    rules, seat = problem.game.rules, problem.after(at).seat_to_act
    team = problem.recorded.team or problem.names
    players = map(package_player, team)
    if all(each and not getattr(each, "needs_open_hands", False) for each in players):
        others = Counter(name for each, name in enumerate(team) if each != seat) or Counter(team)
        name, number = others.most_common(1)[0]
        is_whole = number == others.total()
        return Partners(name, say("the game names it" if is_whole else "most others play so"))
    if refusal := _refusal(problem):
        return Partners(_compiled(rules), say("{}", refusal))
    if at < _FEW_MOVES:
        few = counted(at, "move")
        return Partners(
            f"hgroup:level={_LEVELS[0]}", say("the usual conventions: the game has only {}", few)
        )
    level, hits, tried = _level(problem, at, Clock(seconds))
    moves = f"{hits} of the {tried} moves before"
    return Partners(f"hgroup:level={level}", say("the conventions that chose {}", moves))


def _refusal(problem: GameProblem) -> str:
    """Return why the conventions do not cover a game, or ""."""
    try:
        refuse_variant(problem.game.rules)
    except InvalidInputError as refused:
        return str(refused)
    return ""


def _compiled(rules: Rules) -> str:
    """Return the compiled player that reads hints, if it supports the rules, else another one."""
    from hanabi.players import CompiledPlayer, package_player

    player = package_player("smart")
    try:
        is_supported = isinstance(player, CompiledPlayer) and player.compiled(rules) is not None
    except InvalidInputError:
        is_supported = False
    return "smart" if is_supported else "rule-based"


def _level(problem: GameProblem, at: int, clock: Clock) -> tuple[int, int, int]:
    """Return the level that chooses most of the moves so far, how many, and of how many."""
    hits, tried = Counter[int](), 0
    for game, action in zip(problem.positions[:at], problem.moves, strict=False):
        if tried >= _FEW_MOVES and clock.is_over:
            break
        view = game.view(game.seat_to_act)
        hits.update(level for level in _LEVELS if HGroup(level).act(view, Stream(0)) == action)
        tried += 1
    level = max(_LEVELS, key=lambda each: hits[each])
    return level, hits[level], tried


# Numbers in words.


def per_cent(chance: float | Fraction) -> str:
    """Return a chance as a whole number of per cent; only what is certain is 0 or 100.

    >>> per_cent(1 / 3), per_cent(0.999), per_cent(1), per_cent(0)
    ('33 %', '99 %', '100 %', '0 %')
    """
    if chance in (0, 1):
        return f"{100 * int(chance)} %"
    return f"{min(99, max(1, round(100 * chance)))} %"


def _per_cent(chance: Range) -> str:
    if chance.is_exact:
        return per_cent(chance.low)
    return f"{per_cent(chance.low).removesuffix(' %')} to {per_cent(chance.high)}"


def _points(points: Range) -> str:
    low, high = (f"{float(end):.1f}".removesuffix(".0") for end in (points.low, points.high))
    return low if low == high else f"{low} to {high}"


def with_error(mean: float, error: float | None) -> str:
    """Return a mean with its standard error, if it has one.

    >>> with_error(1.25, 0.5), with_error(2, None)
    ('1.25 ± 0.50', '2.00')
    """
    return f"{mean:.2f}" if error is None else f"{mean:.2f} ± {error:.2f}"


def _games_words(found: PlayOuts, partners: Partners) -> Said:
    """Return how many games there were, with whom, in which deals, and what they leave open."""
    name, n = partners.name, counted(sum(each.games for each in found.actions), "game")
    parts = [say("{} in which everybody goes on as {} ({}).", n, name, partners.why)]
    decisions = counted(found.decisions, "decision")
    if found.agrees:
        parts.append(say("The deals are those in which it would have done what the others did."))
    elif found.contradicted:
        other = f"at least {found.contradicted} of the others' {decisions}"
        parts.append(say("It would have made {} otherwise; {}.", other, _LIKELIER))
    else:
        none = f"In no deal tried would it have made all of the others' {decisions}"
        parts.append(say("{}; {}.", none, _LIKELIER))
    if found.is_cut:
        over = f"The time was over after {n}"
        parts.append(say("{}, and no action is clearly the best: more may tell.", over))
    elif not found.is_clear and len(found.actions) > 1:
        parts.append(say("No action is clearly the best: more games may tell."))
    if found.untried:
        untried = counted(len(found.untried), "action")
        parts.append(say("Not tried: {}, after which no game ended in time.", untried))
    return joined(" ", parts)


# Parts of the JSON document.


def encoded(action: Action) -> dict[str, object]:
    """Return an action as JSON documents have it."""
    return {"type": int(action.kind), "target": action.target, "value": action.value}


def _estimates(found: PlayedOut | None) -> dict[str, object]:
    if found is None:
        return {}
    numbers = {"perfect": found.perfect, "points": found.points, "behind": found.behind}
    told = {name: {"mean": each.mean, "error": each.error} for name, each in numbers.items()}
    return {**told, "games": found.games}


def _certified(found: ActionChances | None) -> dict[str, object]:
    if found is None:
        return {}
    numbers = {"perfect": found.perfect, "points": found.points}
    told = {name: {"low": str(each.low), "high": str(each.high)} for name, each in numbers.items()}
    return {"certified": told}
