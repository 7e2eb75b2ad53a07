"""The manner of a team: what is known of the cards that it plays, and how often it hints.

[Canaan2020] tells players apart by two measures, neither of which says how well they play.
*Information per play* is the mean over all plays, errors too, of what hints tell of the card: 1 if
they leave one color and one rank, 1/2 if only one of these is known, 0 for neither; what hints that
did not touch the card leave over counts too. *Communicativeness* is the share of hints among the
turns that begin with a hint token.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hanabi.ground import InvalidInputError
from hanabi.lab.stats import CONFIDENCE, Estimate, estimate_ratio
from hanabi.rules import Game, Kind

__all__ = ["Counts", "Manner", "count_manner", "manner_of"]


class Counts(NamedTuple):
    """What a game adds to the measures.

    Attributes
    ----------
    told, plays
        Colors and ranks that were known of cards when they were played, and the number of plays.
    hints, chances
        The number of hints, and of turns that began with a hint token.
    """

    told: int
    plays: int
    hints: int
    chances: int


class Manner(NamedTuple):
    """The manner of a team in some games; errors are over games.

    Attributes
    ----------
    information, communicativeness
        Both measures, from 0 to 1; nan if no card was played, or no turn began with a token.
    games, plays, chances
        The number of games, of plays, and of turns that began with a hint token.
    """

    information: Estimate
    communicativeness: Estimate
    games: int
    plays: int
    chances: int


def count_manner(positions: Sequence[Game]) -> Counts:
    """Return what a game adds to the measures, up to its end by the rules.

    Parameters
    ----------
    positions
        The positions from the deal on, as `hanabi.rules.follow` and `replay` return them.

    >>> from hanabi.rules import Rules, follow, hint_rank, play
    >>> rules = Rules.official(seats=2)
    >>> deal = Game.start(rules, rules.spec.shuffle(seed=1))  # seat 1 holds p3 g3 p1 r4 b2
    >>> count_manner(follow(deal, [hint_rank(1, 1), play(2), play(0)]))
    Counts(told=1, plays=2, hints=1, chances=3)
    """
    told = plays = hints = chances = 0
    for game, action in zip(positions, positions[-1].actions, strict=False):
        if game.is_over:
            break
        hints += action.is_hint
        chances += game.hints > 0
        if action.kind is Kind.PLAY:
            known = game.knowledge[game.seat_to_act][action.target]
            told += (len(known.colors) == 1) + (len(known.ranks) == 1)
            plays += 1
    return Counts(told, plays, hints, chances)


def manner_of(games: Iterable[Counts], *, confidence: float = CONFIDENCE) -> Manner:
    """Return the manner of a team in games.

    Raises
    ------
    InvalidInputError
        If there are no games, or the confidence is not between 0 and 1.

    >>> found = manner_of([Counts(told=1, plays=2, hints=1, chances=3)])
    >>> found.information.value, found.communicativeness.value
    (0.25, 0.3333333333333333)
    """
    counts = [*games]
    if not counts:
        raise InvalidInputError("no games: there is no manner")
    told, plays, hints, chances = zip(*counts, strict=True)
    return Manner(
        estimate_ratio(told, [2 * each for each in plays], confidence=confidence),
        estimate_ratio(hints, chances, confidence=confidence),
        len(counts),
        sum(plays),
        sum(chances),
    )
