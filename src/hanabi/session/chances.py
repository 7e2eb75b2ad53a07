"""The value of each action in a late position, given the cards that are still unseen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from hanabi.clock import Clock
from hanabi.draws import Chances, open_chances
from hanabi.draws.solver import DEFAULT_MEMORY
from hanabi.errors import SolverError
from hanabi.game import Action, Game
from hanabi.notation import GameRecord
from hanabi.session.game import GameProblem, posed

if TYPE_CHECKING:
    from hanabi.players import Player

__all__ = ["FEW_CARDS", "Late", "chances", "first_late", "late_chances", "worst"]

FEW_CARDS = 5
"""Cards left to draw at which computing chances takes a moment, mostly far below a second."""


def chances(
    game: GameProblem | GameRecord | Game,
    *,
    at: int | None = None,
    partners: str | Player | None = None,
    seconds: float | None = None,
    memory: int | None = None,
) -> Chances:
    """Return each legal action's exact chance of a perfect score, and its expected score.

    Without partners, all hands are open, the deck is hidden, and everybody continues optimally
    (`hanabi.draws`). With partners, the seat to act sees only what the rules let it see, and
    everybody continues as that player does (`hanabi.players.partners`).

    Parameters
    ----------
    game
        A game as `hanabi.read` returns it, or one that was played here.
    at
        The number of moves made. Default: the current position of a game played here, or the first
        position of a recorded game with at most five cards left to draw.
    partners
        A deterministic player, or its name: `convention`, `information`.
    seconds
        Wall-clock time; None for no limit. If it runs out, only bounds are returned.
    memory
        Bytes for each of the two transposition tables.

    Raises
    ------
    InvalidInputError
        If the game is over there, or if too many cards are unseen or too many deals are possible.

    >>> from hanabi import DeckSpec, Rules
    >>> rules = Rules(spec=DeckSpec(((2, 2),)), seats=2, hand_size=1)
    >>> game = Game.start(rules, [(0, 2), (0, 2), (0, 1), (0, 1)])
    >>> print(chances(game).perfect, chances(game.apply(game.legal_actions[0])).perfect)
    1 1
    """
    problem = posed(game)
    place = at
    if place is None:
        place = problem.at if isinstance(game, Game) else first_late(problem)
    position = problem.after(place)
    if partners is None:
        budget = DEFAULT_MEMORY if memory is None else memory
        return open_chances(position, seconds=seconds, memory=budget)
    from hanabi.players import parse_player
    from hanabi.players.partners import seat_chances

    player = parse_player(partners) if isinstance(partners, str) else partners
    return seat_chances(player, position.view(position.seat_to_act), seconds=seconds)


def first_late(problem: GameProblem) -> int:
    """Return the first position with at most five cards to draw, or the last one if none has."""
    late = (n for n, each in enumerate(problem.positions) if each.deck_left <= FEW_CARDS)
    return next(late, len(problem.positions) - 1)


@dataclass(frozen=True, slots=True)
class Late:
    """A position with few cards to draw, and the action that was taken there.

    Attributes
    ----------
    at
        The number of moves made.
    chances
        The chances of each action; expected scores are only bounded.
    played
        The action that was taken; None if there is none yet.
    """

    at: int
    chances: Chances
    played: Action | None

    @property
    def cost(self) -> Fraction:
        """The chance of a perfect score that the action is known to have given away."""
        return Fraction(0) if self.played is None else self.chances.cost(self.played)


def late_chances(positions: Sequence[Game], clock: Clock, *, first: int = 0) -> Iterator[Late]:
    """Yield the positions with at most five cards to draw in which somebody can still act.

    Positions are numbered from `first`. Once time is up, chances are only bounded. Nothing is
    yielded if chances under these rules are out of reach.

    >>> from hanabi import DeckSpec
    >>> from hanabi.game import Rules
    >>> rules = Rules(spec=DeckSpec(((1, 1),)), seats=1, hand_size=1)
    >>> start = Game.start(rules, [(0, 1), (0, 2)])
    >>> [str(each.chances.perfect) for each in late_chances([start], Clock())]
    ['1']
    """
    for at, game in enumerate(positions):
        if game.deck_left > FEW_CARDS or not game.can_act:
            continue
        played = positions[at + 1].actions[-1] if at + 1 < len(positions) else None
        try:
            yield Late(first + at, open_chances(game, seconds=clock.left, points=False), played)
        except SolverError:
            return


def worst(late: Sequence[Late]) -> Late | None:
    """Return the first of the positions that gave away the most chance; None if none did."""
    costly = [each for each in late if each.cost]
    return max(costly, key=lambda each: each.cost, default=None)
