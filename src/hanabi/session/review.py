"""Reviews of recorded games: the best score still reachable after each move."""

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
    """The scores still reachable from each position of a game, with all cards face up.

    Attributes
    ----------
    problem
        The game; all its positions up to the end by the rules are reviewed, whatever its `at`.
    prospects
        One prospect for each position, the deal first.
    because
        Why the top score is out of reach in the first position where it is, if a readable proof was
        found.
    link
        A replay link: the game up to the move that put the top score out of reach, then a line that
        still reached it; it opens before that move. None if nothing was lost, if the deck could not
        be won, or if hanab.live has no such table.
    seconds
        Wall-clock time.
    late
        The positions with few cards to draw, with the value of each action, if requested.
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
        """The positions under review: those up to the end by the rules."""
        return self.problem.by_rules

    @property
    def lost(self) -> tuple[tuple[int, int], ...]:
        """The moves, from 1, that lowered the best reachable score, and by how many points.

        Where bounds are open, the move lost at least that many.
        """
        pairs = enumerate(pairwise(self.prospects), start=1)
        costs = ((move, before.lower - after.upper) for move, (before, after) in pairs)
        return tuple((move, cost) for move, cost in costs if cost > 0)

    @property
    def lost_at(self) -> int | None:
        """The first position with the top score out of reach; None if none is known."""
        top = self.positions[0].rules.max_score
        return next((at for at, each in enumerate(self.prospects) if each.upper < top), None)

    @property
    def undecided(self) -> str | None:
        """Why some best score is not known exactly, or None if all are."""
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
        """Cards whose last copy lay at the bottom of the deck; see `hanabi.game.figures`."""
        return () if self.positions[0].missing else bottom_decked(self.positions)

    @property
    def efficiency(self) -> Fraction | None:
        """The cards gotten per hint spent; see `hanabi.game.figures`."""
        return self.efficiencies[-1].ratio

    @property
    def efficiencies(self) -> tuple[Efficiency, ...]:
        """The efficiency so far, and the efficiency required from there on, at each position."""
        return efficiencies(self.positions)

    @property
    def minimum_efficiency(self) -> Fraction | None:
        """The least efficiency that can reach the top score from the deal."""
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
    """Find the best score still reachable after each move of a game.

    Parameters
    ----------
    game
        A game with its moves: what `hanabi.read` returns, or one that was played here.
    seconds
        Wall-clock time for the whole review; None for no limit. If it runs out, bounds are left.
    memory
        Approximate memory in bytes for the tables of one question.
    progress
        Receives progress reports.
    tell
        Called with each prospect as soon as it is known, the deal's first.
    with_chances
        Whether to compute the chances of late moves, with all hands open and the deck unseen; this
        mostly takes well below a second.

    Raises
    ------
    InvalidInputError
        If the game has no moves.

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
    """Raise each prospect to at least what later ones can have, as the game reached them."""
    found: list[Prospect] = []
    for each in reversed(prospects):
        least = max(each.lower, found[-1].lower if found else 0)
        found.append(replace(each, lower=least))
    return found[::-1]


def _link(problem: GameProblem, prospects: list[Prospect], at: int) -> str | None:
    """Return a replay with the line that a losing move missed, opened before that move."""
    games = list(problem.by_rules[:at])
    for action in prospects[at - 1].line or ():
        games.append(games[-1].apply(action))
    if len(games) == at:
        return None
    try:
        return f"{link_of(games, problem.names)}#{at}"
    except InvalidInputError:
        return None
