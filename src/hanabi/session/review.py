"""A recorded game looked at afterwards: what could still be had at every moment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from hanabi.clock import Clock
from hanabi.errors import InvalidInputError
from hanabi.game import Game
from hanabi.game.figures import BottomDeck, Efficiency, bottom_decked, efficiencies
from hanabi.notation import GameRecord
from hanabi.session.chances import Late, late_chances
from hanabi.session.game import GameProblem, link_of, posed
from hanabi.svg.markup import Pictured
from hanabi.winnable.pace import Refutation
from hanabi.winnable.reasons import why_lost
from hanabi.winnable.solver import DEFAULT_MEMORY, warm_up
from hanabi.winnable.timeline import Prospect, timeline

__all__ = ["Review", "review"]

_DECK_PLAYS = (
    "with the option deckPlays the deck's last card may be played unseen, which the solvers do not"
    " look at"
)


@dataclass(frozen=True, slots=True)
class Review(Pictured):
    """What could be scored from each position of a game, all cards face up.

    Attributes
    ----------
    problem
        The game; all of its positions are reviewed, wherever it stands, up to the end by the rules.
    prospects
        One for each position, the deal first.
    because
        Why the most points are out of reach where they first are, if a proof to read was found.
    link
        A replay of the game up to the move after which the most points were out of reach, with a
        line that still had them; it opens before that move. None if nothing was lost, the deck was,
        or the site has no such table.
    seconds
        Wall-clock time.
    late
        The positions with few cards to draw, and what each action is worth, if that was asked.
    """

    _drawn_by = "hanabi.session.pictures"

    problem: GameProblem
    prospects: tuple[Prospect, ...]
    because: Refutation | None
    link: str | None
    seconds: float
    late: tuple[Late, ...] = ()

    @property
    def positions(self) -> tuple[Game, ...]:
        """The positions that are reviewed: those up to the end by the rules."""
        return self.problem.by_rules

    @property
    def lost(self) -> tuple[tuple[int, int], ...]:
        """The moves, from 1, after which fewer points could be had, and how many fewer.

        Where bounds are open, it is known that at least so many were lost.
        """
        pairs = enumerate(pairwise(self.prospects), start=1)
        costs = ((move, before.lower - after.upper) for move, (before, after) in pairs)
        return tuple((move, cost) for move, cost in costs if cost > 0)

    @property
    def lost_at(self) -> int | None:
        """The position from which the most points are first out of reach; None if none is known."""
        top = self.positions[0].rules.max_score
        return next((at for at, each in enumerate(self.prospects) if each.upper < top), None)

    @property
    def undecided(self) -> str | None:
        """Why the best score of some position is not known exactly, or None if all are."""
        pairs = zip(self.positions, self.prospects, strict=True)
        left = [position for position, prospect in pairs if not prospect.is_exact]
        if not left:
            return None
        if left[0].missing:
            return "the missing cards decide"
        if left[0].rules.deck_plays and left[0].deck_left:
            return _DECK_PLAYS
        return "the time or the memory was used up: --time and --memory give more"

    @property
    def errors(self) -> tuple[int, ...]:
        """The moves, from 1, that cost a life."""
        pairs = enumerate(pairwise(self.positions), start=1)
        return tuple(move for move, (before, after) in pairs if after.lives < before.lives)

    @property
    def bottom_decked(self) -> tuple[BottomDeck, ...]:
        """Cards whose last copy lay in the bottom of the deck; see `hanabi.game.figures`."""
        return () if self.positions[0].missing else bottom_decked(self.positions)

    @property
    def efficiency(self) -> Fraction | None:
        """Cards gotten per hint spent; see `hanabi.game.figures`."""
        return self.efficiencies[-1].ratio

    @property
    def efficiencies(self) -> tuple[Efficiency, ...]:
        """The efficiency so far and the one required from there, at each position."""
        return efficiencies(self.positions)

    @property
    def minimum_efficiency(self) -> Fraction | None:
        """The least efficiency that can get all points from the deal."""
        return self.efficiencies[0].required


def review(
    game: GameProblem | GameRecord | Game,
    *,
    seconds: float | None = None,
    memory: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
    tell: Callable[[Prospect], None] = lambda _: None,
    with_chances: bool = False,
) -> Review:
    """Find out what could still be scored after each move of a game.

    Parameters
    ----------
    game
        A game with its moves: what `hanabi.read` returns, or one that was played here.
    seconds
        Wall-clock time for everything; None: no limit. Where it does not suffice, bounds are left.
    memory
        Bytes for the tables of one question, about.
    progress
        Told how far it is.
    tell
        Told of each position as soon as it is known, the deal first.
    with_chances
        Whether to find the chances of late moves, with all hands open and the deck unseen; mostly
        well below a second.

    Raises
    ------
    InvalidInputError
        If nothing was played.

    >>> from hanabi import deal
    >>> from hanabi.game import hint_rank
    >>> review(deal(players=2, seed=1).apply(hint_rank(1, 3))).lost
    ()
    """
    problem = posed(game)
    if not problem.moves:
        raise InvalidInputError("no moves to review: this is a deck, not a game")
    warm_up()
    clock, positions = Clock(seconds), problem.by_rules
    prospects = []
    budget = DEFAULT_MEMORY if memory is None else memory
    for prospect in timeline(positions, seconds=clock.left, memory=budget):
        prospects.append(prospect)
        tell(prospect)
        progress(f"{len(prospects)} of {len(positions)} positions")
    if positions[0].missing:
        prospects = _reached(prospects)
    found = Review(problem, tuple(prospects), None, None, 0.0)
    at = found.lost_at
    because = None if at is None else why_lost(positions[at], clock.left)
    link = _link(problem, prospects, at) if at else None
    late = tuple(late_chances(positions, clock)) if with_chances else ()
    return replace(found, because=because, link=link, late=late, seconds=clock.elapsed)


def _reached(prospects: list[Prospect]) -> list[Prospect]:
    """Return prospects that have at least what later ones can have: the game went there."""
    found: list[Prospect] = []
    for each in reversed(prospects):
        least = max(each.lower, found[-1].lower if found else 0)
        found.append(replace(each, lower=least))
    return found[::-1]


def _link(problem: GameProblem, prospects: list[Prospect], at: int) -> str | None:
    """Return a replay with the line that was there before a losing move, opened there."""
    games = list(problem.by_rules[:at])
    for action in prospects[at - 1].line or ():
        games.append(games[-1].apply(action))
    if len(games) == at:
        return None
    try:
        return f"{link_of(games, problem.names)}#{at}"
    except InvalidInputError:
        return None
