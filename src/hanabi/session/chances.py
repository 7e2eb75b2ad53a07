"""What each action of a late position is worth, by the cards that are still unseen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hanabi.draws import Chances, open_chances
from hanabi.draws.solver import DEFAULT_MEMORY
from hanabi.game import Game
from hanabi.notation import GameRecord
from hanabi.session.game import GameProblem, posed
from hanabi.session.late import FEW_CARDS

if TYPE_CHECKING:
    from hanabi.players import Player

__all__ = ["chances", "first_late"]


def chances(
    game: GameProblem | GameRecord | Game,
    *,
    at: int | None = None,
    partners: str | Player | None = None,
    seconds: float | None = None,
    memory: int | None = None,
) -> Chances:
    """Return the exact chance of all points, and the expected score, of each legal action.

    Without partners all hands are open, the deck is not, and everybody plays on in the best way
    (`hanabi.draws`). With partners the seat to act sees what it may see, and everybody goes on by
    that player (`hanabi.players.partners`).

    Parameters
    ----------
    game
        What `hanabi.read` returns of a game, or one that was played here.
    at
        After how many moves; by default where a game played here stands, and of a recorded one the
        first position with at most five cards to draw.
    partners
        A player that leaves nothing to chance, or its name: `convention`, `information`.
    seconds
        Wall-clock time; None: no limit. Where it does not suffice, bounds are left.
    memory
        Bytes for each of the two tables of positions.

    Raises
    ------
    InvalidInputError
        If the game is over there, or too many cards or deals are unseen.

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
    """Return the first position with at most five cards to draw; the last one if there is none."""
    late = (n for n, each in enumerate(problem.positions) if each.deck_left <= FEW_CARDS)
    return next(late, len(problem.positions) - 1)
